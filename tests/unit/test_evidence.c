/*
 * test_evidence.c: the evidence is what SPEC-2 says it is: its check values, the literal form at every round, and
 * events that are refused.
 */
#include "support.h"

#include "evidence_literal.h"

#include <math.h>
#include <string.h>

static roster_evidence *evidence_of(const roster_experts *experts, double level)
{
    roster_error err;
    roster_evidence *evidence;
    assert_ok(roster_evidence_create(&evidence, experts, level, &err), &err);
    return evidence;
}

/* Section 15: five rounds 40 times in a row. */
static void check_values(void **state)
{
    (void)state;
    const double expected[5][2] = {{0.855141211064053, 0.140842562824693},
                                   {0.803506534498573, 0.171786115309852},
                                   {0.387086621431986, 0.129485633848028},
                                   {0.0863744251134823, 0.290550456034862},
                                   {0.47272670609726, 0.379151881862224}};
    roster_error err;
    roster_experts *experts = spec_experts();
    for (size_t reference = 1; reference < 3; reference++) {
        /* Three intervals share what may go wrong: 0.05 is left for each. */
        roster_evidence *values = evidence_of(experts, 0.85), *pairs = evidence_of(experts, 0.95);
        roster_evidence_literal literal, literal_pairs;
        assert_int_equal(roster_evidence_literal_init(&literal, experts, 0.85, false, 200), ROSTER_OK);
        assert_int_equal(roster_evidence_literal_init(&literal_pairs, experts, 0.95, false, 200), ROSTER_OK);
        for (size_t t = 0; t < 200; t++) {
            pairs->state.leader = reference; /* the reference of the round, fixed for once */
            assert_ok(roster_evidence_learn(values, &spec_rounds[t % 5], &err), &err);
            assert_ok(roster_evidence_learn(pairs, &spec_rounds[t % 5], &err), &err);
            roster_evidence_literal_learn(&literal, &spec_rounds[t % 5], SIZE_MAX);
            roster_evidence_literal_learn(&literal_pairs, &spec_rounds[t % 5], reference);
        }
        for (size_t i = 0; i < 3; i++) {
            double centre, half, low = values->state.low[i], high = values->state.high[i];
            assert_close((low + high) / 2, expected[i][0], 1e-12);
            assert_close((high - low) / 2, expected[i][1], 1e-12);
            roster_evidence_literal_interval(&literal, i, ROSTER_LOW, &centre, &half);
            assert_close(centre, expected[i][0], 1e-12);
            assert_close(half, expected[i][1], 1e-12);
        }
        const double *pair = expected[2 + reference];
        double centre, half, mean = pairs->state.mean[ROSTER_VERSUS][0];
        double sum = pairs->ln_versus + pairs->state.charge[ROSTER_VERSUS][0];
        assert_close(mean, pair[0], 1e-12);
        assert_close(sum / pairs->state.lambda[ROSTER_VERSUS][0], pair[1], 1e-12);
        roster_evidence_literal_interval(&literal_pairs, 0, ROSTER_VERSUS, &centre, &half);
        assert_close(centre, pair[0], 1e-12);
        assert_close(half, pair[1], 1e-12);
        roster_evidence_literal_fini(&literal);
        roster_evidence_literal_fini(&literal_pairs);
        roster_evidence_free(values);
        roster_evidence_free(pairs);
    }
    roster_experts_free(experts);
}

enum { ROUNDS = 160, MOST = 8 };

/* Everything that an event may point to, for ROUNDS rounds. */
typedef struct story {
    roster_experts *experts;
    roster_event events[ROUNDS];
    double features[ROUNDS][2], probabilities[ROUNDS][MOST], choice[ROUNDS][MOST];
} story;

/* A distribution, of which some entries are 0 where `sparse`. */
static void fill_row(roster_rng *rng, size_t n, bool sparse, double *p)
{
    double sum = 0;
    random_distribution(rng, n, 1e-4, p);
    for (size_t i = 0; i < n; i++)
        sum += p[i] = sparse && i > 0 && roster_rng_uniform(rng) < 0.3 ? 0 : p[i];
    for (size_t i = 0; i < n; i++)
        p[i] /= sum;
}

static void make_experts(story *self, roster_rng *rng, roster_kind kind, size_t n, size_t x, size_t v, bool sparse)
{
    double table[MOST * MOST * MOST], sample[2 * MOST];
    roster_error err;
    for (size_t row = 0; row < n * x; row++)
        fill_row(rng, v, sparse, table + row * v);
    for (size_t i = 0; i < 2 * MOST; i++)
        sample[i] = roster_rng_uniform(rng);
    const roster_softmax model = {.experts = n,
                                  .actions = v,
                                  .features = 2,
                                  .weights = table,
                                  .sample = sample,
                                  .samples = MOST,
                                  .floor = sparse ? 0 : .2 / (double)v};
    if (kind == ROSTER_SOFTMAX) /* weights: any numbers will do */
        for (size_t i = 0; i < n * v * 2; i++)
            table[i] = 6 * roster_rng_uniform(rng) - 3;
    int code = kind == ROSTER_TABLES     ? roster_experts_tables(&self->experts, n, x, v, table, NULL, &err)
               : kind == ROSTER_EXTERNAL ? roster_experts_external(&self->experts, n, x, v, table, NULL, &err)
                                         : roster_experts_softmax(&self->experts, &model, &err);
    assert_ok(code, &err);
}

/* Round t: a random expert, often the first; every third time drawn from a declared distribution. */
static void make_event(story *self, roster_rng *rng, size_t t)
{
    const roster_experts *e = self->experts;
    roster_event *event = &self->events[t];
    double row[MOST];
    size_t k = roster_rng_uniform(rng) < .5 ? 0 : (size_t)roster_rng_below(rng, e->n);
    *event = (roster_event){.context = (size_t)roster_rng_below(rng, e->x), .features = self->features[t]};
    for (size_t f = 0; f < 2; f++)
        self->features[t][f] = roster_rng_uniform(rng);
    if (t % 3 == 1) {
        fill_row(rng, e->n, true, self->choice[t]);
        k = roster_experts_draw(self->choice[t], e->n, roster_rng_uniform(rng));
        event->choice = self->choice[t];
    }
    for (size_t v = 0; v < e->v; v++)
        row[v] = roster_experts_probability(e, k, event->context, v);
    if (e->kind == ROSTER_SOFTMAX)
        roster_experts_distribution(e, k, event->features, row);
    event->expert = k;
    event->action = roster_experts_draw(row, e->v, roster_rng_uniform(rng));
    event->reward = roster_rng_uniform(rng) < .5 ? (double)(event->action % 2) : roster_rng_uniform(rng);
    for (size_t i = 0; i < e->n; i++)
        self->probabilities[t][i] = roster_experts_probability(e, i, event->context, event->action);
    event->probabilities = self->probabilities[t];
}

static void assert_near(double got, long double expected)
{
    if (!(fabs(got - (double)expected) <= 1e-9 * (1 + fabs(got))))
        fail_msg("%.17g instead of %.17g", got, (double)expected);
}

static void assert_equals_literal(const roster_evidence *running, const roster_evidence_literal *literal)
{
    const roster_evidence_state *state = &running->state;
    for (size_t i = 0; i < running->experts->n; i++) {
        for (size_t side = 0; side < ROSTER_SIDES; side++) {
            const roster_literal_process *p = &literal->process[i * ROSTER_SIDES + side];
            assert_near(state->psi[side][i], p->psi);
            assert_near(state->lambda[side][i], p->lambda);
            assert_near(state->charge[side][i], p->charge);
        }
        assert_near(state->worse[i], literal->worse[i]);
    }
    assert_int_equal(state->leader, literal->leader);
}

static size_t excluded; /* by all stories: the test must see some */

static void tell(roster_rng *rng, roster_kind kind, bool sparse, bool own)
{
    static story told;
    roster_error err;
    roster_evidence *running;
    roster_evidence_literal literal;
    size_t n = 1 + (size_t)roster_rng_below(rng, MOST);
    make_experts(&told, rng, kind, n, 1 + (size_t)roster_rng_below(rng, 4), 2 + (size_t)roster_rng_below(rng, 5),
                 sparse);
    assert_ok((own ? roster_evidence_create_own : roster_evidence_create)(&running, told.experts, .6, &err), &err);
    assert_int_equal(roster_evidence_literal_init(&literal, told.experts, .6, own, ROUNDS), ROSTER_OK);
    for (size_t t = 0; t < ROUNDS; t++) {
        make_event(&told, rng, t);
        assert_ok(roster_evidence_learn(running, &told.events[t], &err), &err);
        roster_evidence_literal_learn(&literal, &told.events[t], SIZE_MAX);
        assert_equals_literal(running, &literal);
    }
    for (size_t i = 0; i < n; i++)
        excluded += running->state.worse[i] > 0;
    assert_int_equal(roster_evidence_rounds(running), ROUNDS);
    roster_evidence_literal_fini(&literal);
    roster_evidence_free(running);
    roster_experts_free(told.experts);
}

static void equals_literal(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 15, 0, 0);
    for (int trial = 0; trial < 12; trial++)
        for (roster_kind kind = ROSTER_TABLES; kind <= ROSTER_EXTERNAL; kind++) {
            tell(&rng, kind, trial % 2 == 1, false);
            if (trial % 4 == 0)
                tell(&rng, kind, false, true);
        }
    assert_true(excluded > 5);
}

static void reach_by_definition(void **state)
{
    (void)state;
    roster_experts *experts = spec_experts();
    roster_evidence *evidence = evidence_of(experts, .95);
    roster_error err;
    assert_ok(roster_evidence_reserve(evidence, &err), &err);
    for (size_t k = 0; k < 3; k++)
        for (size_t i = 0; i < 3; i++) {
            double most = 0;
            for (size_t c = 0; c < 6; c++) {
                double pi_i = spec_pi[i * 6 + c], pi_k = spec_pi[k * 6 + c];
                most = fmax(most, pi_i / pi_k);
            }
            assert_close(evidence->ratio[k][i], most, 1e-15);
        }
    roster_evidence_free(evidence);
    roster_experts_free(experts);
}

/* What a refused event leaves is, to the byte, what it found. */
static void assert_event_refused(roster_evidence *evidence, const roster_event *event, const char *sentence)
{
    static unsigned char before[1 << 16], after[1 << 16];
    roster_error err = {0};
    size_t size = roster_evidence_save(evidence, before, sizeof before);
    assert_refused(roster_evidence_learn(evidence, event, &err), &err, ROSTER_EINVAL, sentence);
    assert_int_equal(roster_evidence_save(evidence, after, sizeof after), size);
    assert_memory_equal(before, after, size);
}

static void refused(void **state)
{
    (void)state;
    roster_error err = {0};
    roster_experts *experts = spec_experts();
    roster_evidence *evidence;
    assert_refused(roster_evidence_create(&evidence, NULL, .95, &err), &err, ROSTER_EINVAL, "the experts are missing");
    assert_null(evidence);
    const double levels[] = {0, 1, -1, 95};
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(roster_evidence_create(&evidence, experts, levels[i], &err), ROSTER_EINVAL);
    assert_string_equal(err.msg, "level is 95, must be above 0 and below 1, such as 0.95");
    assert_int_equal(roster_evidence_create(&evidence, experts, NAN, &err), ROSTER_EINVAL);
    evidence = evidence_of(experts, .95);
    assert_ok(roster_evidence_learn(evidence, &spec_rounds[0], &err), &err);
    roster_event event = {.expert = 3};
    assert_event_refused(evidence, &event, "event.expert is 3, must be below 3");
    event = (roster_event){.action = 3};
    assert_event_refused(evidence, &event, "event.action is 3, must be below 3");
    event = (roster_event){.context = 2};
    assert_event_refused(evidence, &event, "event.context is 2, must be below 2");
    event = (roster_event){.reward = NAN};
    assert_event_refused(evidence, &event, "event.reward is nan, must be in [0, 1]");
    event = (roster_event){.propensity = .25};
    assert_event_refused(evidence, &event, "event.propensity is 0.25, but expert 0 takes action 0 there with 0.7");
    event = (roster_event){.choice = (const double[]){.5, .5, .5}};
    assert_event_refused(evidence, &event, "event.choice sums to 1.5, must be 1");
    event = (roster_event){.choice = (const double[]){.5, -.5, 1}};
    assert_event_refused(evidence, &event, "event.choice[1] is -0.5, must be a probability");
    event = (roster_event){.choice = (const double[]){0, .5, .5}};
    assert_event_refused(evidence, &event, "event.choice[0] is 0, but expert 0 acted");
    roster_evidence_free(evidence);
    roster_experts_free(experts);
}

/* Estimates are not experts that are known, but may stand on their own rounds. */
static void estimates_stand_on_their_own(void **state)
{
    (void)state;
    roster_error err;
    roster_estimates *estimates;
    roster_experts *experts;
    roster_evidence *evidence;
    roster_finding first, second;
    assert_ok(roster_estimates_create(&estimates, 2, 2, 2, NULL, &err), &err);
    assert_ok(roster_estimates_add(estimates, 0, 0, 0, 3, &err), &err);
    assert_ok(roster_estimates_experts(estimates, &experts, &err), &err);
    assert_refused(roster_evidence_create(&evidence, experts, .95, &err), &err, ROSTER_EINVAL,
                   "the experts are estimates, and evidence across experts needs what they really do; use "
                   "roster_evidence_create_own, which takes each expert's own rounds alone");
    assert_ok(roster_evidence_create_own(&evidence, experts, .95, &err), &err);
    for (size_t t = 0; t < 400; t++) {
        roster_event event = {.expert = t % 2, .context = 1, .action = 1, .reward = t % 2 == 0};
        assert_ok(roster_evidence_learn(evidence, &event, &err), &err);
    }
    roster_evidence_find(evidence, 0, &first);
    roster_evidence_find(evidence, 1, &second);
    assert_true(first.value.low > .8 && second.value.high < .2 && second.excluded && !first.excluded);
    assert_true(second.worse > .6 && second.worse <= second.behind && second.behind <= 1);
    assert_true(roster_evidence_known(evidence));
    assert_int_equal(roster_evidence_leader(evidence), 0);
    roster_evidence_free(evidence);
    roster_experts_free(experts);
    roster_estimates_free(estimates);
}

static void nothing_is_known_at_first(void **state)
{
    (void)state;
    roster_experts *experts = spec_experts();
    roster_evidence *evidence = evidence_of(experts, .9);
    roster_finding finding;
    for (size_t k = 0; k < 3; k++) {
        roster_evidence_find(evidence, k, &finding);
        assert_true(finding.value.value == .5 && finding.value.low == 0 && finding.value.high == 1);
        assert_true(finding.behind == 0 && finding.worse == 0 && !finding.excluded);
        assert_true(isnan(roster_evidence_until(evidence, k).value));
    }
    roster_evidence_find(evidence, 3, &finding);
    assert_true(isnan(finding.value.value) && isnan(finding.worse) && !finding.excluded);
    assert_false(roster_evidence_known(evidence));
    assert_int_equal(roster_evidence_leader(evidence), 0);
    assert_true(roster_evidence_level(evidence) == .9);
    assert_ptr_equal(roster_evidence_experts(evidence), experts);
    roster_evidence_free(evidence);
    roster_experts_free(experts);
}

/* The ends of all ranges. */
static void extremes(void **state)
{
    (void)state;
    const double one[] = {1, 1}, two[] = {1, 0, 0, 1}, uneven[] = {1, 0, 1e-300, 1};
    const struct {
        size_t n, x, v;
        const double *pi;
        double level;
    } cases[] = {{1, 2, 1, one, .95}, {2, 1, 2, two, 1e-9}, {2, 1, 2, two, 1 - 1e-15}, {2, 1, 2, uneven, .95}};
    for (size_t c = 0; c < 4; c++)
        for (size_t rewards = 0; rewards < 2; rewards++) {
            roster_error err;
            roster_experts *experts;
            assert_ok(roster_experts_tables(&experts, cases[c].n, cases[c].x, cases[c].v, cases[c].pi, NULL, &err),
                      &err);
            roster_evidence *evidence = evidence_of(experts, cases[c].level);
            for (size_t t = 0; t < 3000; t++) {
                size_t k = t % cases[c].n;
                roster_event event = {.expert = k, .action = k, .reward = (double)rewards};
                assert_ok(roster_evidence_learn(evidence, &event, &err), &err);
            }
            for (size_t k = 0; k < cases[c].n; k++) {
                roster_finding f;
                roster_evidence_find(evidence, k, &f);
                /* Not a single reward, or nothing else, does not make it certain. */
                assert_true(f.value.low >= 0 && f.value.low < f.value.high && f.value.high <= 1);
                assert_true(f.value.low <= (double)rewards && (double)rewards <= f.value.high && !f.excluded);
            }
            assert_true(roster_evidence_known(evidence) == (cases[c].n == 1));
            roster_evidence_free(evidence);
            roster_experts_free(experts);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_values),
        cmocka_unit_test(equals_literal),
        cmocka_unit_test(reach_by_definition),
        cmocka_unit_test(refused),
        cmocka_unit_test(estimates_stand_on_their_own),
        cmocka_unit_test(nothing_is_known_at_first),
        cmocka_unit_test(extremes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
