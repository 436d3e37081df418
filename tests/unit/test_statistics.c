/*
 * test_statistics.c: what the paper promises, measured: constant regret and coverage.
 *
 * Everything is drawn from fixed seeds; the numbers that are asserted are printed. Instances are drawn from a law, not
 * chosen: those whose smallest gap is below .03 are passed over because nothing is settled there in 2e5 rounds.
 *
 * Where a theorem speaks of t = 1e5 and more, rounds come in batches: how often a cell occurs among n rounds is
 * multinomial, its reward sum binomial. An order of play that is fixed beforehand makes Z_i(t), and with it eps_i(t),
 * a constant, as Theorem 1 asks.
 */
#include "estimator.h"

#include <math.h>
#include <string.h>

enum { N = 5, X = 10, V = 10, INSTANCES = 6, RUNS = 10, ROUNDS = 200000 };

/* A point of the simplex, uniform among those with every coordinate at least `least`. */
static void draw_point(roster_rng *rng, size_t n, double least, double *p)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        p[i] = -log(1 - roster_rng_uniform(rng));
        sum += p[i];
    }
    for (size_t i = 0; i < n; i++)
        p[i] = least + (1 - (double)n * least) * p[i] / sum;
}

typedef struct arena {
    roster_experts *experts;
    roster_world *world;
    double gap; /* the smallest */
} arena;

static void arena_fini(arena *self)
{
    roster_world_free(self->world);
    roster_experts_free(self->experts);
}

static double smallest_gap(const double *mu, size_t n)
{
    double best = -1, second = -1;
    for (size_t k = 0; k < n; k++) {
        second = mu[k] > best ? best : fmax(second, mu[k]);
        best = fmax(best, mu[k]);
    }
    return best - second;
}

/* The shape of the paper's cifar10 experiment, with everything drawn. */
static void arena_draw(arena *self, roster_rng *rng)
{
    double p[X], pi[N * X * V], means[X * V], mu[N];
    roster_error err;
    for (;;) {
        draw_point(rng, X, .05, p);
        for (size_t row = 0; row < N * X; row++)
            draw_point(rng, V, .02, pi + row * V);
        for (size_t cell = 0; cell < X * V; cell++)
            means[cell] = roster_rng_uniform(rng);
        assert_ok(roster_experts_tables(&self->experts, N, X, V, pi, NULL, &err), &err);
        assert_ok(roster_world_create(&self->world, self->experts, p, means, &err), &err);
        roster_world_values(self->world, mu);
        self->gap = smallest_gap(mu, N);
        if (self->gap >= .03)
            return;
        arena_fini(self);
    }
}

static bool note_half(void *context, const roster_step *step)
{
    if (step->t == ROUNDS / 2)
        *(double *)context = step->regret;
    return true;
}

/* The mean regret of an agent in the first and in the second half of the rounds. */
static void regret_by_half(const arena *a, const char *agent, const roster_setting *settings, double half[2])
{
    roster_episode episode = {.world = a->world, .rounds = ROUNDS};
    roster_study study = {.experts = a->experts,
                          .episodes = &episode,
                          .n_episodes = 1,
                          .agent = agent,
                          .settings = settings,
                          .samples = 1000000000000,
                          .seed = 2024};
    half[0] = half[1] = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        roster_outcome outcome;
        roster_error err;
        double first = 0;
        assert_ok(roster_simulate(&study, run, note_half, &first, &outcome, NULL, &err), &err);
        half[0] += first / RUNS;
        half[1] += (outcome.regret - first) / RUNS;
    }
}

/* Second half over first half, of every instance: at most `most`, at least `least`. */
static void halves_within(const char *agent, const roster_setting *settings, double least, double most)
{
    roster_rng rng;
    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_SETUP);
    for (size_t i = 0; i < INSTANCES; i++) {
        arena a;
        double half[2];
        arena_draw(&a, &rng);
        regret_by_half(&a, agent, settings, half);
        print_message("# %s, instance %zu, smallest gap %.3f: regret %.2f in the first half, %.2f in the second\n",
                      agent, i, a.gap, half[0], half[1]);
        assert_true(half[0] > 0 && half[1] >= least * half[0] && half[1] <= most * half[0]);
        arena_fini(&a);
    }
}

static void ducb_regret_is_constant(void **state)
{
    (void)state;
    halves_within("d-ucb", NULL, 0, .05);
}

/* 1e12 samples: at least 9e10 in every context, an error of at most 6e-5 with probability 1 - 1/T by the paper. */
static void educb_regret_is_constant(void **state)
{
    (void)state;
    static const roster_setting told[] = {{"p_V", .02, NULL}, {"p_X", .05, NULL}, {"xi", 1e-4, NULL}, {NULL, 0, NULL}};
    halves_within("ed-ucb", told, 0, .05);
}

static void lite_regret_is_sublinear(void **state)
{
    (void)state;
    static const roster_setting told[] = {{"beta", 1.25, NULL}, {NULL, 0, NULL}};
    halves_within("d-ucb-lite", told, 0, .2);
}

static void ucb_regret_grows(void **state)
{
    (void)state;
    halves_within("ucb", NULL, .05, 1);
}

static void klucb_regret_grows(void **state)
{
    (void)state;
    halves_within("kl-ucb", NULL, .05, 1);
}

/* Experts close to one another, so that the theorems' times are numbers one can reach; and others of which the first
   often does, in a context that is rare, what the last seldom does: that is clipped. */
enum { EXPERTS = 3, CONTEXTS = 2, ACTIONS = 3 };
static const double near_pi[EXPERTS * CONTEXTS * ACTIONS] = {.5,  .3,  .2, .4, .3, .3, .4, .35, .25,
                                                             .38, .32, .3, .3, .4, .3, .4, .4,  .2};
static const double apart_pi[EXPERTS * CONTEXTS * ACTIONS] = {.5, .3, .2, .8, .1, .1, .4, .35, .25,
                                                              .4, .3, .3, .3, .4, .3, .2, .4,  .4};
static const double near_p[CONTEXTS] = {.95, .05}, near_means[CONTEXTS * ACTIONS] = {1, .7, .5, .9, 1, .6};

typedef struct theory {
    roster_experts *experts;
    double mu[EXPERTS], M, gamma, C;
    size_t best;
} theory;

static void theory_init(theory *self, const double *pi)
{
    roster_world *world;
    roster_error err;
    assert_ok(roster_experts_tables(&self->experts, EXPERTS, CONTEXTS, ACTIONS, pi, NULL, &err), &err);
    assert_ok(roster_world_create(&world, self->experts, near_p, near_means, &err), &err);
    roster_world_values(world, self->mu);
    roster_world_free(world);
    self->M = self->gamma = 1;
    self->best = 0;
    for (size_t k = 0; k < EXPERTS; k++) {
        double column[EXPERTS];
        roster_divergence_column(self->experts, near_p, false, k, column);
        for (size_t i = 0; i < EXPERTS; i++)
            self->M = fmax(self->M, column[i]);
        self->gamma = fmin(self->gamma, self->mu[k]);
        self->best = self->mu[k] > self->mu[self->best] ? k : self->best;
    }
    self->C = roster_theory_C(self->M, self->gamma);
}

/* What the rounds of an order of play come to, into a fresh estimator. */
static void play_batch(const theory *self, const uint64_t plays[EXPERTS], roster_rng *rng, roster_clipped *est)
{
    estimator_init(est, &(roster_estimator_problem){.experts = self->experts, .p = near_p, .C = self->C});
    for (size_t k = 0; k < EXPERTS; k++) {
        uint64_t contexts[CONTEXTS];
        roster_rng_multinomial(rng, plays[k], CONTEXTS, near_p, contexts);
        for (size_t c = 0; c < CONTEXTS; c++) {
            double row[ACTIONS];
            uint64_t actions[ACTIONS];
            for (size_t a = 0; a < ACTIONS; a++)
                row[a] = roster_experts_probability(self->experts, k, c, a);
            roster_rng_multinomial(rng, contexts[c], ACTIONS, row, actions);
            for (size_t a = 0; a < ACTIONS; a++) {
                roster_sample sample = {.k = k, .cell = c * ACTIONS + a, .n = actions[a]};
                sample.pi = roster_experts_across(self->experts, c, a);
                sample.s = (double)roster_rng_binomial(rng, actions[a], near_means[sample.cell]);
                if (sample.n > 0)
                    assert_int_equal(roster_clipped_absorb(est, &sample), ROSTER_OK);
            }
        }
    }
}

/* Orders of play: all alike, only the best, only the last expert. */
enum { ORDERS = 3 };
static void order_of_play(const theory *self, int order, double t, uint64_t plays[EXPERTS])
{
    uint64_t rounds = (uint64_t)t;
    for (size_t k = 0; k < EXPERTS; k++)
        if (order == 0)
            plays[k] = rounds / EXPERTS + (k < rounds % EXPERTS);
        else
            plays[k] = k == (order == 1 ? self->best : EXPERTS - 1) ? rounds : 0;
}

static double width(const theory *self, const uint64_t plays[EXPERTS], size_t i)
{
    double Z = 0, t = 0;
    for (size_t k = 0; k < EXPERTS; k++) {
        double column[EXPERTS];
        roster_divergence_column(self->experts, near_p, false, k, column);
        Z += (double)plays[k] / column[i];
        t += (double)plays[k];
    }
    return self->C * roster_theory_w(sqrt(t * log(t)) / Z);
}

/* In what share of the runs U_i(t) > mu*. */
static double share_above(const theory *self, size_t i, double t, int order, unsigned runs)
{
    uint64_t plays[EXPERTS];
    roster_rng rng;
    unsigned above = 0;
    order_of_play(self, order, t, plays);
    roster_rng_init(&rng, (uint64_t)t, (uint64_t)order, ROSTER_ROLE_SETUP);
    for (unsigned run = 0; run < runs; run++) {
        roster_clipped est;
        play_batch(self, plays, &rng, &est);
        above += roster_clipped_index(&est, i) > self->mu[self->best];
        estimator_fini(&est);
    }
    return above / (double)runs;
}

/* The statements after Equation "Tk defs" for the theorems' C: from tau_1 on the best expert's index is above mu*, from
   tau_k on expert k's is below, but for a share of t^-2. Long before tau_k expert k's still is above. */
static void indices_are_told_apart_in_time(void **state)
{
    (void)state;
    theory th;
    theory_init(&th, near_pi);
    roster_constants c = {.C = th.C, .M = th.M, .gamma = th.gamma};
    for (int order = 0; order < ORDERS; order++)
        for (size_t k = 0; k < EXPERTS; k++) {
            double gap = th.mu[th.best] - th.mu[k];
            double tau = gap > 0 ? roster_theory_tau(&c, gap) : roster_theory_tau_1(&c);
            double early = share_above(&th, k, floor(tau / 10), order, 200);
            double now = share_above(&th, k, tau, order, 1000), later = share_above(&th, k, 10 * tau, order, 1000);
            print_message("# order %d, expert %zu, gap %.3f, C %.1f, tau %.4g: U > mu* in %g of the runs at tau/10, "
                          "%g at tau, %g at 10 tau\n",
                          order, k, gap, th.C, tau, early, now, later);
            assert_true(isfinite(tau) && early == 1);
            if (gap > 0)
                assert_true(now <= 1 / tau / tau && later <= 1 / tau / tau);
            else
                assert_true(now >= 1 - 1 / tau / tau && later >= 1 - 1 / tau / tau);
        }
    roster_experts_free(th.experts);
}

/* Statement 1 for the agent itself, whose plays depend on what it has seen: at every round from tau_1 on. */
static void best_index_covers_while_playing(void **state)
{
    (void)state;
    enum { LIVE_RUNS = 500 };
    static const double pi[8] = {.6, .4, .5, .5, .5, .5, .6, .4}, means[4] = {1, .7, .9, .8};
    static const roster_setting told[] = {{"C", 0, "theory"}, {"gamma", .855, NULL}, {NULL, 0, NULL}};
    roster_experts *experts;
    roster_world *world;
    roster_agent *agent;
    roster_error err;
    double mu[2], u[2], rounds = 0, below = 0;
    assert_ok(roster_experts_tables(&experts, 2, 2, 2, pi, NULL, &err), &err);
    assert_ok(roster_world_create(&world, experts, NULL, means, &err), &err);
    roster_world_values(world, mu);
    assert_close(mu[0], .865, 1e-12);
    assert_close(mu[1], .855, 1e-12);
    assert_ok(roster_agent_create(&agent, "d-ucb", &(roster_problem){experts, NULL, NULL}, told, 3, 0, &err), &err);
    roster_constants c = {.C = roster_agent_setting(agent, "C"), .gamma = .855};
    double tau = roster_theory_tau_1(&c);
    for (uint64_t run = 0; run < LIVE_RUNS; run++) {
        roster_rng stream;
        roster_rng_init(&stream, 3, run, ROSTER_ROLE_WORLD);
        roster_agent_reset(agent, run);
        for (uint64_t t = 1; (double)t < tau + 1000; t++) {
            roster_event event;
            roster_world_round(world, &stream, t, roster_agent_choose(agent), &event);
            assert_ok(roster_agent_learn(agent, &event, &err), &err);
            if ((double)t >= tau) {
                roster_agent_index(agent, u);
                rounds++;
                below += !(u[0] >= mu[0]);
            }
        }
    }
    print_message("# d-ucb, C %.2f, tau_1 %.0f: U of the best expert below mu* in %.0f of %.0f rounds\n", c.C, tau,
                  below, rounds);
    assert_true(below <= rounds / tau / tau);
    roster_agent_free(agent);
    roster_world_free(world);
    roster_experts_free(experts);
}

/* Theorem 1's interval around muhat_i after t rounds, for a width and for the beta that has the nominal coverage; also
   the mean of muhat, which is in mu_i - eps/2 .. mu_i whatever is clipped. Returns by how many of its standard errors
   it is below mu_i. */
static double cover(const theory *th, size_t i, double t, int order, double eps, double nominal)
{
    enum { COVER_RUNS = 1000 };
    uint64_t plays[EXPERTS];
    roster_rng rng;
    theory scaled = *th;
    double covered = 0, sum = 0, squares = 0, mu = th->mu[i], M = th->M * log(2 / eps) / th->gamma;
    double beta = M * sqrt(128 * log(2 / (1 - nominal)) / t);
    order_of_play(th, order, t, plays);
    scaled.C *= eps / width(th, plays, i);
    roster_rng_init(&rng, (uint64_t)t, 10 * i + (uint64_t)order, ROSTER_ROLE_SETUP);
    for (unsigned run = 0; run < COVER_RUNS; run++) {
        roster_clipped est;
        play_batch(&scaled, plays, &rng, &est);
        double off = roster_clipped_index(&est, i) - 1.5 * eps - mu;
        covered += (1 - beta) * (mu - eps / 2) <= mu + off && off <= beta * mu;
        sum += off;
        squares += off * off;
        estimator_fini(&est);
    }
    double mean = sum / COVER_RUNS, error = sqrt((squares / COVER_RUNS - mean * mean) / COVER_RUNS);
    print_message("# order %d, expert %zu, t %.0f, eps %.1f, beta %.2f: covered %.3f, nominal %.2f; muhat off by "
                  "%.5f +- %.5f in the mean\n",
                  order, i, t, eps, beta, covered / COVER_RUNS, nominal, mean, error);
    assert_true(covered / COVER_RUNS >= nominal);
    assert_true(mean <= 5 * error && mean >= -eps / 2 - 5 * error);
    return -mean / error;
}

static void estimates_stay_in_the_interval(void **state)
{
    (void)state;
    static const double times[] = {1e4, 1e5, 1e6}, nominal[] = {.5, .9, .99}, widths[] = {.7, .1};
    double most = 0, least = INFINITY;
    theory th;
    theory_init(&th, apart_pi);
    assert_true(th.gamma > widths[0]);
    for (size_t j = 0; j < 6; j++)
        for (int order = 0; order < ORDERS; order++)
            for (size_t i = 0; i < EXPERTS; i++) {
                double deviations = cover(&th, i, times[j % 3], order, widths[j / 3], nominal[j % 3]);
                most = fmax(most, deviations);
                least = fmin(least, fabs(deviations));
            }
    assert_true(most > 20 && least < 2); /* something was clipped in earnest, and something not at all */
    roster_experts_free(th.experts);
}

/* roster_estimates_xi: in a share of at most delta of the rows is a frequency off by more than xi(delta). The paper's
   inequality is generous: an eighth of xi would be too little, so a lost factor would show. */
static void estimated_error_is_not_exceeded(void **state)
{
    (void)state;
    enum { DRAWS = 2000 };
    static const double deltas[] = {.5, .1, .01};
    roster_experts *truth = spec_experts();
    for (size_t d = 0; d < 3; d++) {
        double over = 0, over_eighth = 0;
        roster_rng rng;
        roster_rng_init(&rng, 5, d, ROSTER_ROLE_ESTIMATES);
        for (unsigned draw = 0; draw < DRAWS; draw++) {
            roster_estimates *counts;
            roster_experts *hat;
            roster_error err;
            assert_ok(roster_estimates_create(&counts, 3, 2, 3, NULL, &err), &err);
            assert_ok(roster_estimates_draw(counts, truth, NULL, 400, &rng, &err), &err);
            assert_ok(roster_estimates_experts(counts, &hat, &err), &err);
            double xi = roster_estimates_xi(counts, deltas[d]);
            for (size_t row = 0; row < 6; row++) {
                double off = 0;
                for (size_t a = 0; a < 3; a++)
                    off = fmax(off, fabs(roster_experts_probability(hat, row / 2, row % 2, a) - spec_pi[row * 3 + a]));
                over += (off > xi) / (6. * DRAWS);
                over_eighth += (off > xi / 8) / (6. * DRAWS);
            }
            roster_estimates_free(counts);
            roster_experts_free(hat);
        }
        print_message("# delta %g: error above xi in %g of the rows, above xi/8 in %g\n", deltas[d], over, over_eighth);
        assert_true(over <= deltas[d] && over_eighth > deltas[d]);
    }
    roster_experts_free(truth);
}

/* How often some probability is off by more than the exact xi, and by more than 0.6 of it, in 4000 draws of counts. */
static void count_misses(const roster_experts *truth, double delta, uint64_t samples, double *over, double *over_most)
{
    enum { DRAWS = 4000 };
    roster_rng rng;
    roster_rng_init(&rng, 6, samples, ROSTER_ROLE_ESTIMATES);
    *over = *over_most = 0;
    for (unsigned draw = 0; draw < DRAWS; draw++) {
        roster_estimates *counts;
        roster_experts *hat;
        roster_error err;
        assert_ok(roster_estimates_create(&counts, 3, 2, 3, NULL, &err), &err);
        assert_ok(roster_estimates_draw(counts, truth, NULL, samples, &rng, &err), &err);
        assert_ok(roster_estimates_experts(counts, &hat, &err), &err);
        double xi = roster_estimates_xi_exact(counts, delta), off = 0;
        for (size_t i = 0; i < 18; i++)
            off = fmax(off, fabs(roster_experts_probability(hat, i / 6, i / 3 % 2, i % 3) - spec_pi[i]));
        *over += (off > xi) / (double)DRAWS;
        *over_most += (off > 0.6 * xi) / (double)DRAWS;
        roster_estimates_free(counts);
        roster_experts_free(hat);
    }
}

/* roster_estimates_xi_exact: in at most delta of all logs is any frequency of any expert off by more, with few samples
   and with many; and six tenths of it would be too little. */
static void exact_error_is_not_exceeded(void **state)
{
    (void)state;
    static const double deltas[] = {.5, .1, .01};
    static const uint64_t samples[] = {12, 400, 100000};
    roster_experts *truth = spec_experts();
    for (size_t d = 0; d < 3; d++)
        for (size_t s = 0; s < 3; s++) {
            double over, over_most;
            count_misses(truth, deltas[d], samples[s], &over, &over_most);
            print_message("# delta %g, %llu samples: error above the exact xi in %g of the logs, above 0.6 xi in %g\n",
                          deltas[d], (unsigned long long)samples[s], over, over_most);
            assert_true(over <= deltas[d] && (samples[s] < 100 || over_most > deltas[d]));
        }
    roster_experts_free(truth);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ducb_regret_is_constant),
        cmocka_unit_test(educb_regret_is_constant),
        cmocka_unit_test(lite_regret_is_sublinear),
        cmocka_unit_test(ucb_regret_grows),
        cmocka_unit_test(klucb_regret_grows),
        cmocka_unit_test(indices_are_told_apart_in_time),
        cmocka_unit_test(best_index_covers_while_playing),
        cmocka_unit_test(estimates_stay_in_the_interval),
        cmocka_unit_test(estimated_error_is_not_exceeded),
        cmocka_unit_test(exact_error_is_not_exceeded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
