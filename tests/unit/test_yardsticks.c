/*
 * test_yardsticks.c: thompson, exp4 and optimist against the same written down literally, in every round.
 */
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4, X = 3, V = 5, ROUNDS = 400, RUNS = 4000 };

static roster_agent *create(const char *name, const roster_problem *problem, const roster_setting *settings,
                            uint64_t run)
{
    roster_agent *agent;
    roster_error err;
    assert_ok(roster_agent_create(&agent, name, problem, settings, 1, run, &err), &err);
    return agent;
}

static void learn(roster_agent *agent, const roster_event *event)
{
    roster_error err;
    assert_ok(roster_agent_learn(agent, event, &err), &err);
}

static roster_agent *after_spec_rounds(const roster_experts *e, const char *name, uint64_t run)
{
    roster_agent *agent = create(name, &(roster_problem){e, spec_p, NULL}, NULL, run);
    for (size_t t = 0; t < 5; t++)
        learn(agent, &spec_rounds[t]);
    return agent;
}

/* Over many runs the drawn numbers have the posterior's mean and variance; the largest of them is played. */
static void thompson_posterior(void **state)
{
    (void)state;
    const double a[3] = {3, 2, 1.4}, b[3] = {1, 1, 2.6};
    double sum[3] = {0}, squares[3] = {0};
    roster_experts *e = spec_experts();
    for (uint64_t run = 0; run < RUNS; run++) {
        double u[3];
        roster_agent *agent = after_spec_rounds(e, "thompson", run);
        roster_agent_index(agent, u);
        size_t best = u[1] > u[0] ? 1 : 0;
        assert_int_equal(roster_agent_choose(agent), u[2] > u[best] ? 2 : best);
        for (size_t i = 0; i < 3; i++) {
            double mean = a[i] / (a[i] + b[i]);
            sum[i] += u[i] - mean;
            squares[i] += (u[i] - mean) * (u[i] - mean);
        }
        roster_agent_free(agent);
    }
    for (size_t i = 0; i < 3; i++) {
        double c = a[i] + b[i], variance = a[i] * b[i] / (c * c * (c + 1));
        assert_true(fabs(sum[i] / RUNS) < 5 * sqrt(variance / RUNS));
        assert_true(fabs(squares[i] / RUNS / variance - 1) < .12);
    }
    roster_experts_free(e);
}

/* P(theta_0 > theta_1) for Beta(3, 1) and Beta(2, 1) is the integral of 3 x^2 x^2 = 3/5. Each number u is a draw of its
   own, and the same number the same draw. */
static void thompson_draws_by_u(void **state)
{
    (void)state;
    static const uint64_t waiting[2] = {1, 1};
    const double pi[4] = {.5, .5, .5, .5};
    roster_error err;
    roster_experts *e;
    roster_rng rng;
    double first = 0;
    roster_rng_init(&rng, 4, 0, 0);
    assert_ok(roster_experts_tables(&e, 2, 1, 2, pi, NULL, &err), &err);
    roster_agent *agent = create("thompson", &(roster_problem){.experts = e}, NULL, 0);
    for (int t = 0; t < 3; t++)
        learn(agent, &(roster_event){.expert = (size_t)(t == 2), .reward = 1});
    for (int i = 0; i < RUNS; i++) {
        double u = roster_rng_uniform(&rng);
        size_t k = roster_agent_choose_waiting(agent, waiting, u);
        assert_int_equal(roster_agent_choose_waiting(agent, waiting, u), k);
        first += k == 0;
    }
    assert_true(fabs(first / RUNS - .6) < 5 * sqrt(.24 / RUNS));
    roster_agent_free(agent);
    roster_experts_free(e);
}

/* A history of random events of all that an agent could be told, and who played. */
typedef struct history {
    instance world;
    roster_experts *experts;
    double pi[ROUNDS][N], y[ROUNDS];
    size_t k[ROUNDS], cell[ROUNDS];
    roster_rng rng;
} history;

static void history_init(history *self, uint64_t seed, bool external)
{
    roster_error err;
    roster_rng_init(&self->rng, seed, 0, 0);
    instance_random(&self->world, &self->rng, N, X, V, seed % 2 == 0 ? .001 : .05);
    if (external)
        assert_ok(roster_experts_external(&self->experts, N, X, V, self->world.pi, NULL, &err), &err);
    else
        assert_ok(roster_experts_tables(&self->experts, N, X, V, self->world.pi, NULL, &err), &err);
}

static void history_fini(history *self)
{
    instance_free(&self->world);
    roster_experts_free(self->experts);
}

/* Round t: of the agent's own choice, but now and then of another's. */
static void history_play(history *self, size_t t, roster_agent *agent)
{
    size_t k = t % 5 == 4 ? (size_t)roster_rng_below(&self->rng, N) : roster_agent_choose(agent);
    roster_event event = random_event(&self->world, &self->rng, k, t % 2 == 0);
    for (size_t i = 0; i < N; i++)
        self->pi[t][i] = self->world.pi[(i * X + event.context) * V + event.action];
    event.probabilities = self->pi[t];
    self->k[t] = k;
    self->y[t] = event.reward;
    self->cell[t] = event.context * V + event.action;
    learn(agent, &event);
}

/* Exp4's weights after t rounds, from the whole history. */
static void exp4_literal(const history *h, size_t t, double horizon, double *w)
{
    long double lost[N] = {0}, now[N];
    for (size_t i = 0; i < N; i++)
        now[i] = 1.0L / N;
    for (size_t s = 0; s < t; s++) {
        long double q = 0, sum = 0;
        for (size_t i = 0; i < N; i++)
            q += now[i] * h->pi[s][i];
        for (size_t i = 0; i < N; i++)
            lost[i] += h->pi[s][i] * (1 - h->y[s]) / q;
        long double rounds = (long double)(s + 2), K = N < V ? N : V;
        long double eta = horizon > 0 ? sqrtl(2 * logl(N) / (horizon * K)) : sqrtl(logl(N) / (rounds * K));
        for (size_t i = 0; i < N; i++)
            sum += now[i] = expl(-eta * lost[i]);
        for (size_t i = 0; i < N; i++)
            now[i] /= sum;
    }
    for (size_t i = 0; i < N; i++)
        w[i] = (double)now[i];
}

static void exp4_is_literal(uint64_t seed, double horizon)
{
    const roster_setting settings[] = {{"horizon", horizon, horizon > 0 ? NULL : "anytime"}, {NULL, 0, NULL}};
    history *h = malloc(sizeof *h);
    history_init(h, seed, seed % 3 == 0);
    roster_agent *agent = create("exp4", &(roster_problem){.experts = h->experts}, settings, seed);
    for (size_t t = 0; t < ROUNDS; t++) {
        double u[N], w[N];
        exp4_literal(h, t, horizon, w);
        roster_agent_index(agent, u);
        for (size_t i = 0; i < N; i++)
            assert_close(u[i], w[i], 1e-9);
        history_play(h, t, agent);
    }
    roster_agent_free(agent);
    history_fini(h);
    free(h);
}

static void exp4_equals_literal(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        exp4_is_literal(seed, 0);
        exp4_is_literal(seed, 1000 * (double)seed);
    }
}

/* The expert is drawn by the weights: by the stream over many runs, and by u. */
static void exp4_draws_by_its_weights(void **state)
{
    (void)state;
    const double expected[3] = {0.385122816373923, 0.38207841217435773, 0.23279877145171926};
    static const uint64_t waiting[3] = {1, 0, 2};
    double w[3], share[3] = {0};
    roster_experts *e = spec_experts();
    roster_agent *agent = after_spec_rounds(e, "exp4", 0);
    roster_agent_index(agent, w);
    for (size_t i = 0; i < 3; i++)
        assert_close(w[i], expected[i], 1e-12);
    for (int i = 0; i < 1000; i++) {
        double u = (i + .5) / 1000;
        size_t k = roster_agent_choose_waiting(agent, waiting, u);
        assert_int_equal(k, u < w[0] ? 0 : u < w[0] + w[1] ? 1 : 2);
    }
    roster_agent_free(agent);
    for (uint64_t run = 0; run < RUNS; run++) {
        agent = after_spec_rounds(e, "exp4", run);
        share[roster_agent_choose(agent)] += 1.0 / RUNS;
        roster_agent_free(agent);
    }
    for (size_t i = 0; i < 3; i++)
        assert_true(fabs(share[i] - w[i]) < 5 * sqrt(w[i] * (1 - w[i]) / RUNS));
    roster_experts_free(e);
}

/* How many of the first t rounds were played when the weights were taken last. */
static size_t optimist_weighed(const history *h, size_t t)
{
    size_t plays[N] = {0}, past[N] = {0}, at = 0;
    for (size_t s = 0; s < t; s++) {
        size_t k = h->k[s];
        plays[k]++;
        if (plays[k] >= (past[k] >= 4 ? past[k] + past[k] / 4 : past[k] + 1)) {
            at = s + 1;
            memcpy(past, plays, sizeof past);
        }
    }
    return at;
}

/* What optimist's index has but for the tosses, after t rounds of which the first `at` were weighed. */
static void optimist_literal(const history *h, const double *p, size_t t, size_t at, double *base, double *d)
{
    long double alpha[N] = {0};
    for (size_t s = 0; s < at; s++)
        alpha[h->k[s]] += 1.0L / at;
    for (size_t i = 0; i < N; i++) {
        long double divergence = 0, sum = 0;
        for (size_t c = 0; c < X * V; c++) {
            long double phi = 0, pi = h->world.pi[i * X * V + c];
            for (size_t k = 0; k < N; k++)
                phi += alpha[k] * h->world.pi[k * X * V + c];
            if (pi > 0)
                divergence += p[c / V] * pi * pi / phi;
        }
        long double level = sqrtl((long double)at * divergence / (2 * logl((long double)at)));
        for (size_t s = 0; s < t; s++) {
            long double phi = 0;
            for (size_t k = 0; k < N; k++)
                phi += alpha[k] * h->pi[s][k];
            sum += fminl(level, h->pi[s][i] / phi) * h->y[s];
        }
        d[i] = (double)divergence;
        base[i] = (double)(sum / (long double)t + sqrtl(2 * divergence * logl((long double)t) / (long double)t));
    }
}

/* The rest of an index is the mean of ceil(1.1 t / d) tosses. */
static void assert_tosses(double rest, double t, double d)
{
    double tosses = ceil(1.1 * t / d), heads = rest * tosses;
    assert_true(fabs(heads - round(heads)) < 1e-6 * (1 + tosses));
    assert_true(heads > -1e-6 && heads < tosses * (1 + 1e-6));
}

static void optimist_is_literal(uint64_t seed, bool external)
{
    history *h = malloc(sizeof *h);
    history_init(h, seed, external);
    roster_agent *agent = create("optimist", &(roster_problem){h->experts, h->world.p, NULL}, NULL, seed);
    for (size_t t = 0; t < ROUNDS; t++) {
        double u[N], base[N], d[N], most = -INFINITY;
        roster_agent_index(agent, u);
        if (t > 0)
            optimist_literal(h, h->world.p, t, optimist_weighed(h, t), base, d);
        for (size_t i = 0; i < N; i++) {
            if (t > 0)
                assert_tosses(u[i] - base[i], (double)t, d[i]);
            else
                assert_true(u[i] == INFINITY);
            most = fmax(most, u[i]);
        }
        assert_true(u[roster_agent_choose(agent)] == most);
        history_play(h, t, agent);
    }
    roster_agent_free(agent);
    history_fini(h);
    free(h);
}

static void optimist_equals_literal(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++)
        optimist_is_literal(seed, seed % 2 == 0);
}

/* With 4 tosses an index is one of five numbers, the lowest its base; their mean is 1/2 and their variance 1/16. */
static void optimist_check_values(void **state)
{
    (void)state;
    const double base[3] = {1.8129905621566778, 1.6462644664168307, 1.2722617934306595};
    double sum[3] = {0}, squares[3] = {0};
    roster_experts *e = spec_experts();
    for (uint64_t run = 0; run < RUNS; run++) {
        double u[3];
        roster_agent *agent = after_spec_rounds(e, "optimist", run);
        roster_agent_index(agent, u);
        for (size_t i = 0; i < 3; i++) {
            double heads = 4 * (u[i] - base[i]);
            assert_true(fabs(heads - round(heads)) < 1e-12);
            sum[i] += heads / 4 - .5;
            squares[i] += (heads / 4 - .5) * (heads / 4 - .5);
        }
        roster_agent_free(agent);
    }
    for (size_t i = 0; i < 3; i++) {
        assert_true(fabs(sum[i] / RUNS) < 5 * sqrt(1.0 / 16 / RUNS));
        assert_true(fabs(squares[i] / RUNS * 16 - 1) < .1);
    }
    roster_experts_free(e);
}

/* Where nobody has done what an expert does, its index is infinite and its turn comes; then it is known. */
static void optimist_meets_strangers(void **state)
{
    (void)state;
    double pi[N * N], u[N];
    roster_error err;
    roster_experts *e;
    for (size_t i = 0; i < N * N; i++)
        pi[i] = i % (N + 1) == 0;
    assert_ok(roster_experts_tables(&e, N, 1, N, pi, NULL, &err), &err);
    roster_agent *agent = create("optimist", &(roster_problem){.experts = e}, NULL, 0);
    for (size_t k = 0; k < N; k++) {
        assert_int_equal(roster_agent_choose(agent), k);
        learn(agent, &(roster_event){.expert = k, .action = k, .reward = .5});
    }
    for (int t = 0; t < 100; t++) {
        size_t k = roster_agent_choose(agent);
        roster_agent_index(agent, u);
        for (size_t i = 0; i < N; i++)
            assert_true(u[i] >= 0 && u[i] <= u[k] && u[k] < INFINITY);
        learn(agent, &(roster_event){.expert = k, .action = k, .reward = 1});
    }
    roster_agent_free(agent);
    roster_experts_free(e);
}

enum { LONG = 10000, TIMES = 20 };

/* Mean regret of LONG rounds on a random instance. */
static double mean_regret(const char *agent)
{
    instance world;
    roster_world *nature;
    roster_error err;
    roster_rng rng;
    double sum = 0;
    roster_rng_init(&rng, 12, 0, 0);
    instance_random(&world, &rng, N, X, V, .02);
    assert_ok(roster_world_create(&nature, world.experts, world.p, world.means, &err), &err);
    roster_episode episode = {.world = nature, .rounds = LONG};
    roster_study study = {
        .experts = world.experts, .episodes = &episode, .n_episodes = 1, .agent = agent, .seed = 2026};
    for (uint64_t run = 0; run < TIMES; run++) {
        roster_outcome outcome;
        assert_ok(roster_simulate(&study, run, NULL, NULL, &outcome, NULL, &err), &err);
        sum += outcome.regret;
    }
    roster_world_free(nature);
    instance_free(&world);
    print_message("# %s loses %.1f\n", agent, sum / TIMES);
    return sum / TIMES;
}

/* thompson learns from the expert's own rewards, but loses less than ucb; optimist, which shares them, less than both;
   exp4 no more than its theorem allows. */
static void they_lose_as_they_should(void **state)
{
    (void)state;
    double ucb = mean_regret("ucb"), thompson = mean_regret("thompson"), optimist = mean_regret("optimist");
    double uniform = mean_regret("uniform"), exp4 = mean_regret("exp4");
    assert_true(thompson < .7 * ucb && optimist < .7 * thompson);
    assert_true(exp4 < 2 * sqrt(LONG * N * log(N)) && exp4 < .5 * uniform);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thompson_posterior),       cmocka_unit_test(thompson_draws_by_u),
        cmocka_unit_test(exp4_equals_literal),      cmocka_unit_test(exp4_draws_by_its_weights),
        cmocka_unit_test(optimist_equals_literal),  cmocka_unit_test(optimist_check_values),
        cmocka_unit_test(optimist_meets_strangers), cmocka_unit_test(they_lose_as_they_should),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
