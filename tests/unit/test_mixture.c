/*
 * test_mixture.c: the mixture estimate against its literal form in every round, its check values, and its corners.
 */
#include "support.h"

#include "mixture_literal.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };

/* Events that carry each expert's probability of the action taken, with what they point to. */
typedef struct history {
    size_t n, count;
    roster_event *events;
    double *pi; /* [count][n] */
} history;

static void history_init(history *self, size_t n, size_t count)
{
    *self = (history){n, count, calloc(count, sizeof *self->events), calloc(count * n, sizeof *self->pi)};
    assert_true(self->events != NULL && self->pi != NULL);
    for (size_t t = 0; t < count; t++)
        self->events[t].probabilities = self->pi + t * n;
}

static void history_fini(history *self)
{
    free(self->events);
    free(self->pi);
}

/* The five rounds of SPEC section 3, `times` in a row. */
static void history_of_spec(history *self, size_t times)
{
    history_init(self, 3, 5 * times);
    for (size_t t = 0; t < self->count; t++) {
        const roster_event *round = &spec_rounds[t % 5];
        self->events[t].expert = round->expert;
        self->events[t].reward = round->reward;
        for (size_t k = 0; k < 3; k++)
            self->pi[3 * t + k] = spec_pi[(k * 2 + round->context) * 3 + round->action];
    }
}

/* What the experts of a random roster are like. */
enum { SPREAD, ZEROS, ARGMAX, TINY, KINDS };

static double random_probability(roster_rng *rng, int kind)
{
    double u = roster_rng_uniform(rng);
    if (kind == ARGMAX)
        return u < .4;
    if (kind == ZEROS && u < .4)
        return 0;
    return kind == TINY ? exp(roster_rng_uniform(rng) * log(DBL_MIN)) : exp(-6 * roster_rng_uniform(rng));
}

static void history_random(history *self, roster_rng *rng, size_t n, size_t count, int kind, int rewards)
{
    history_init(self, n, count);
    for (size_t t = 0; t < count; t++) {
        size_t k = (size_t)roster_rng_below(rng, roster_rng_below(rng, 3) == 0 ? n : (n + 1) / 2);
        for (size_t i = 0; i < n; i++)
            self->pi[t * n + i] = random_probability(rng, kind);
        while (!(self->pi[t * n + k] >= DBL_MIN))
            self->pi[t * n + k] = random_probability(rng, kind);
        self->events[t].expert = k;
        self->events[t].reward = rewards == 0   ? (double)roster_rng_below(rng, 2)
                                 : rewards == 1 ? roster_rng_uniform(rng)
                                                : .3;
    }
}

static roster_experts *external(size_t n)
{
    roster_experts *e;
    roster_error err;
    assert_ok(roster_experts_external(&e, n, 0, 1, NULL, NULL, &err), &err);
    return e;
}

static roster_agent *create(const roster_experts *e, double memory)
{
    const roster_setting settings[] = {{"memory", memory, memory > 0 ? NULL : "all"}, {NULL, 0, NULL}};
    roster_agent *agent;
    roster_error err;
    assert_ok(roster_agent_create(&agent, "mixture", &(roster_problem){.experts = e}, settings, 1, 0, &err), &err);
    return agent;
}

static void learn(roster_agent *agent, const history *h, size_t from, size_t to)
{
    roster_error err;
    for (size_t t = from; t < to; t++)
        assert_ok(roster_agent_learn(agent, &h->events[t], &err), &err);
}

static void assert_indices(const roster_agent *agent, const double *expected, size_t n, double relative)
{
    double u[MOST];
    roster_agent_index(agent, u);
    for (size_t i = 0; i < n; i++)
        assert_close(u[i], expected[i], relative);
}

static void check_values(void **state)
{
    (void)state;
    const double mu[] = {0.791709033548261, 0.776309140346957, 0.378877994946897},
                 five[] = {0.911289018460026, 0.901621288663658, 0.499863453699267},
                 forty[] = {0.867693235452222, 0.854917875473432, 0.378674843959551};
    history h;
    roster_error err;
    roster_experts *e = external(3);
    roster_agent *agent = create(e, 0), *none = create(e, 0);
    roster_mixture_literal literal;
    history_of_spec(&h, 40);
    assert_int_equal(roster_mixture_literal_init(&literal, 3, SIZE_MAX, 6, .0625, 200), ROSTER_OK);
    learn(agent, &h, 0, 5);
    assert_indices(agent, five, 3, 2e-15);
    for (size_t i = 0; i < 3; i++) {
        roster_insight insight;
        roster_agent_insight(agent, i, &insight);
        assert_close(insight.estimate, mu[i], 2e-15);
    }
    learn(agent, &h, 5, 200);
    assert_ok(roster_agent_merge(agent, none, &err), &err); /* takes the weights now */
    assert_indices(agent, forty, 3, 5e-15);
    for (size_t t = 0; t < 200; t++)
        roster_mixture_literal_add(
            &literal,
            &(roster_sample){.k = h.events[t].expert, .pi = h.events[t].probabilities, .s = h.events[t].reward});
    roster_mixture_literal_reweigh(&literal);
    for (size_t i = 0; i < 3; i++)
        assert_close(roster_mixture_literal_index(&literal, i), forty[i], 5e-15);
    roster_mixture_literal_fini(&literal);
    roster_agent_free(agent);
    roster_agent_free(none);
    roster_experts_free(e);
    history_fini(&h);
}

static void reweighing_rounds(void **state)
{
    (void)state;
    const uint64_t rounds[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 22, 27};
    for (size_t i = 0; i + 1 < sizeof rounds / sizeof *rounds; i++)
        assert_int_equal(roster_mixture_next(rounds[i]), rounds[i + 1]);
}

/* Every index within 1e-9 of the literal form's, and the same choice, in every round. */
static void as_literal(const history *h, size_t memory)
{
    roster_experts *e = external(h->n);
    roster_agent *agent = create(e, (double)memory);
    roster_mixture_literal literal;
    double u[MOST], expected[MOST];
    assert_int_equal(
        roster_mixture_literal_init(&literal, h->n, memory > 0 ? memory : SIZE_MAX, 2 * (double)h->n, .0625, h->count),
        ROSTER_OK);
    for (size_t t = 0; t < h->count; t++) {
        const roster_event *event = &h->events[t];
        learn(agent, h, t, t + 1);
        roster_mixture_literal_add(
            &literal, &(roster_sample){.k = event->expert, .pi = event->probabilities, .s = event->reward});
        roster_agent_index(agent, u);
        for (size_t i = 0; i < h->n; i++) {
            expected[i] = roster_mixture_literal_index(&literal, i);
            if (!close_enough(u[i], expected[i]))
                fail_msg("round %zu, expert %zu: %.17g, literally %.17g", t + 1, i, u[i], expected[i]);
        }
        assert_int_equal(roster_agent_choose(agent), roster_leader(expected, h->n));
    }
    roster_mixture_literal_fini(&literal);
    roster_agent_free(agent);
    roster_experts_free(e);
}

static void equals_literal(void **state)
{
    (void)state;
    const size_t memories[] = {0, 1, 7, 60};
    roster_rng rng;
    roster_rng_init(&rng, 14, 0, 0);
    for (size_t trial = 0; trial < 48; trial++) {
        history h;
        history_random(&h, &rng, random_size(&rng, 1, MOST), 150, (int)(trial % KINDS), (int)(trial / KINDS % 3));
        as_literal(&h, memories[trial / 12]);
        history_fini(&h);
    }
}

/* Tables, features and the caller's own numbers say the same. */
static void kinds_agree(void **state)
{
    (void)state;
    roster_experts *tables = spec_experts(), *own = external(3);
    roster_agent *a = create(tables, 0), *b = create(own, 0);
    history h;
    roster_error err;
    double u[3];
    history_of_spec(&h, 20);
    for (size_t t = 0; t < h.count; t++) {
        assert_ok(roster_agent_learn(a, &spec_rounds[t % 5], &err), &err);
        learn(b, &h, t, t + 1);
        roster_agent_index(a, u);
        assert_indices(b, u, 3, 0);
    }
    roster_agent_free(a);
    roster_agent_free(b);
    roster_experts_free(tables);
    roster_experts_free(own);
    history_fini(&h);
}

/* Any number of parts in any order are the whole, if that takes its weights now too. */
static void merged_equals_whole(void **state)
{
    (void)state;
    roster_rng rng;
    roster_error err;
    roster_rng_init(&rng, 15, 0, 0);
    for (int kind = 0; kind < KINDS; kind++) {
        history h;
        double u[5];
        history_random(&h, &rng, 5, 500, kind, 1);
        roster_experts *e = external(5);
        roster_agent *whole = create(e, 500), *none = create(e, 500), *parts[3];
        learn(whole, &h, 0, 500);
        for (size_t i = 0; i < 3; i++) {
            parts[i] = create(e, 500);
            learn(parts[i], &h, i * 170, i == 2 ? 500 : (i + 1) * 170);
        }
        assert_ok(roster_agent_merge(parts[2], parts[0], &err), &err);
        assert_ok(roster_agent_merge(parts[1], parts[2], &err), &err);
        assert_ok(roster_agent_merge(whole, none, &err), &err);
        roster_agent_index(whole, u);
        assert_indices(parts[1], u, 5, 1e-12);
        assert_int_equal(roster_agent_rounds(parts[1]), 500);
        for (size_t i = 0; i < 3; i++)
            roster_agent_free(parts[i]);
        roster_agent_free(whole);
        roster_agent_free(none);
        roster_experts_free(e);
        history_fini(&h);
    }
}

/* What a memory of 20 has let go of is merged as sums: nothing is lost, and no weight is older than it must be. */
static void merged_memories_keep_all(void **state)
{
    (void)state;
    history h;
    roster_rng rng;
    roster_error err;
    roster_insight insight;
    roster_rng_init(&rng, 16, 0, 0);
    history_random(&h, &rng, 1, 300, SPREAD, 1);
    roster_experts *e = external(1);
    roster_agent *a = create(e, 20), *b = create(e, 20);
    double sum = 0;
    for (size_t t = 0; t < 300; t++) {
        learn(t < 100 ? a : b, &h, t, t + 1);
        sum += h.events[t].reward;
    }
    assert_ok(roster_agent_merge(a, b, &err), &err);
    roster_agent_insight(a, 0, &insight);
    assert_close(insight.samples, 300, 1e-12); /* of one expert every weight is 1 */
    assert_close(insight.estimate, (sum + .5) / 301, 1e-12);
    roster_agent_free(a);
    roster_agent_free(b);
    roster_experts_free(e);
    history_fini(&h);
}

/* With a memory of one a sample keeps the weight of its own round: sums that long double keeps too. */
static void long_runs_do_not_drift(void **state)
{
    (void)state;
    enum { N = 3, ROUNDS = 2000000 };
    static const double pi[4][N] = {{.5, .1, 0}, {.3, .3, .3}, {.2, .5, .1}, {0, .1, .6}};
    long double s[N] = {0}, sy[N] = {0}, plays[N] = {0};
    roster_mixture m;
    roster_rng rng;
    roster_rng_init(&rng, 17, 0, 0);
    assert_int_equal(roster_mixture_init(&m, N, 1, 2 * N, .0625), ROSTER_OK);
    for (size_t t = 1; t <= ROUNDS; t++) {
        size_t a = (size_t)roster_rng_below(&rng, 4), k = pi[a][t % N] > 0 ? t % N : 1;
        roster_sample sample = {.k = k, .pi = pi[a], .n = 1, .s = .1};
        assert_int_equal(roster_mixture_absorb(&m, &sample), ROSTER_OK);
        long double density = 0;
        plays[k]++;
        for (size_t i = 0; i < N; i++)
            density += (plays[i] + 1.0L / N) / (t + 1.0L) * pi[a][i];
        for (size_t i = 0; i < N; i++) {
            s[i] += pi[a][i] / density;
            sy[i] += pi[a][i] / density * .1;
        }
    }
    for (size_t i = 0; i < N; i++)
        assert_close(roster_mixture_look(&m, i).mean, (double)((sy[i] + .5L) / (s[i] + 1)), 1e-14);
    roster_mixture_fini(&m);
}

/* Experts that share nothing are told apart by their own rewards, one that is copied is known as well as the other. */
static void plain_models(void **state)
{
    (void)state;
    enum { N = 3, ROUNDS = 3000 };
    static const double means[N] = {.7, .4, .4}, does[N][N] = {{1, 0, 0}, {0, 1, 1}, {0, 1, 1}};
    roster_experts *e = external(N);
    roster_agent *agent = create(e, 0);
    roster_error err;
    roster_rng rng;
    roster_insight one, two;
    size_t plays[N] = {0};
    roster_rng_init(&rng, 18, 0, 0);
    for (size_t t = 0; t < ROUNDS; t++) {
        size_t k = roster_agent_choose(agent);
        double y = roster_rng_uniform(&rng) < means[k];
        plays[k]++;
        assert_ok(roster_agent_learn(agent, &(roster_event){.expert = k, .reward = y, .probabilities = does[k]}, &err),
                  &err);
    }
    assert_true(plays[0] > ROUNDS - 150);
    roster_agent_insight(agent, 1, &one);
    roster_agent_insight(agent, 2, &two);
    assert_true(one.estimate == two.estimate && one.width == two.width);
    roster_agent_free(agent);
    roster_experts_free(e);
}

/* The reference contexts of experts that are no tables come as those of tables do, and events carry what an agent on
   these experts needs to learn from them. */
static void worlds_of_all_kinds(void **state)
{
    (void)state;
    enum { N = 3, X = 4, V = 5, D = 2 };
    double weights[N * V * D], sample[X * D], table[N * X * V], means[X * V], mu[3][N];
    roster_rng rng, stream;
    roster_error err;
    roster_event event, plain;
    roster_experts *kinds[3];
    roster_world *worlds[3];
    roster_agent *agent;
    roster_rng_init(&rng, 3, 0, 0);
    for (size_t i = 0; i < N * V * D; i++)
        weights[i] = 4 * roster_rng_uniform(&rng) - 2;
    for (size_t i = 0; i < X * D; i++)
        sample[i] = roster_rng_uniform(&rng);
    for (size_t i = 0; i < X * V; i++)
        means[i] = roster_rng_uniform(&rng);
    roster_rng_init(&stream, 5, 0, ROSTER_ROLE_WORLD);
    const roster_softmax model = {
        .experts = N, .actions = V, .features = D, .weights = weights, .sample = sample, .samples = X};
    assert_ok(roster_experts_softmax(&kinds[0], &model, &err), &err);
    for (size_t i = 0; i < N * X * V; i++)
        table[i] = roster_experts_probability(kinds[0], i / V / X, i / V % X, i % V);
    assert_ok(roster_experts_external(&kinds[1], N, X, V, table, NULL, &err), &err);
    assert_ok(roster_experts_tables(&kinds[2], N, X, V, table, NULL, &err), &err);
    for (size_t i = 0; i < 3; i++) {
        assert_ok(roster_world_create(&worlds[i], kinds[i], NULL, means, &err), &err);
        roster_world_values(worlds[i], mu[i]);
    }
    for (size_t i = 0; i < 2; i++) {
        assert_memory_equal(mu[i], mu[2], sizeof mu[i]);
        assert_ok(roster_agent_create(&agent, "mixture", &(roster_problem){.experts = kinds[i]}, NULL, 1, 0, &err),
                  &err);
        for (uint64_t t = 1; t <= 300; t++) {
            roster_world_round(worlds[i], &stream, t, t % N, &event);
            roster_world_round(worlds[2], &stream, t, t % N, &plain);
            assert_true(event.context == plain.context && event.action == plain.action &&
                        event.reward == plain.reward && event.propensity == plain.propensity);
            assert_ok(roster_agent_learn(agent, &event, &err), &err);
            if (i == 0)
                assert_memory_equal(event.features, sample + event.context * D, D * sizeof(double));
        }
        roster_agent_free(agent);
    }
    assert_null(roster_experts_reference(kinds[0], X));
    assert_null(roster_experts_reference(kinds[1], 0));
    for (size_t i = 0; i < 3; i++) {
        roster_world_free(worlds[i]);
        roster_experts_free(kinds[i]);
    }
}

/* The expert that acted can have acted so; everything else is refused and changes nothing. */
static void refused(void **state)
{
    (void)state;
    roster_experts *e = external(2);
    roster_agent *agent = create(e, 0);
    roster_error err;
    const double never[] = {0, 1}, wrong[] = {1, 2};
    roster_event event = {.expert = 0, .reward = 1, .probabilities = never};
    assert_refused(roster_agent_learn(agent, &event, &err), &err, ROSTER_EINVAL,
                   "event.expert 0 never takes action 0 there, so the event is impossible");
    event.probabilities = wrong;
    assert_refused(roster_agent_learn(agent, &event, &err), &err, ROSTER_EINVAL,
                   "event.probabilities[1] is 2, must be a probability");
    assert_int_equal(roster_agent_rounds(agent), 0);
    roster_agent_free(agent);
    assert_refused(
        roster_agent_create(&agent, "d-ucb", &(roster_problem){.experts = e}, NULL, 1, 0, &err), &err, ROSTER_EINVAL,
        "d-ucb needs a sample of contexts, from which it knows how the experts differ: give one, or take the "
        "agent mixture, which needs none");
    assert_refused(roster_agent_create(&agent, "ed-ucb", &(roster_problem){.experts = e}, NULL, 1, 0, &err), &err,
                   ROSTER_EINVAL,
                   "ed-ucb needs a sample of contexts, from which it knows how the experts differ: give one, or take "
                   "the agent mixture, which needs none");
    roster_experts_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_values),
        cmocka_unit_test(reweighing_rounds),
        cmocka_unit_test(equals_literal),
        cmocka_unit_test(kinds_agree),
        cmocka_unit_test(merged_equals_whole),
        cmocka_unit_test(merged_memories_keep_all),
        cmocka_unit_test(plain_models),
        cmocka_unit_test(long_runs_do_not_drift),
        cmocka_unit_test(refused),
        cmocka_unit_test(worlds_of_all_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
