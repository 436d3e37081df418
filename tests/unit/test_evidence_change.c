/*
 * test_evidence_change.c: evidence about experts that come and go.
 */
#include "support.h"

#include "evidence_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST = 3, N = 5, X = 3, V = 4, ROUNDS = 400 };

typedef struct stage {
    instance world;
    roster_experts *first, *add, *second, *third;
    roster_event events[ROUNDS];
} stage;

static void set_stage(stage *s, uint64_t run, double least)
{
    roster_rng rng;
    roster_error err;
    roster_rng_init(&rng, 11, run, 0);
    instance_random(&s->world, &rng, N, X, V, least);
    assert_ok(roster_experts_tables(&s->first, FIRST, X, V, s->world.pi, NULL, &err), &err);
    assert_ok(roster_experts_tables(&s->add, N - FIRST, X, V, s->world.pi + FIRST * X * V, NULL, &err), &err);
    assert_ok(roster_experts_change(&s->second, s->first, s->add, NULL, 0, &err), &err);
    assert_ok(roster_experts_change(&s->third, s->second, NULL, (const size_t[]){0}, 1, &err), &err);
    for (size_t t = 0; t < ROUNDS; t++)
        s->events[t] = random_event(&s->world, &rng, (size_t)roster_rng_below(&rng, FIRST), t % 2 == 0);
}

static void strike_stage(stage *s)
{
    roster_experts_free(s->first);
    roster_experts_free(s->add);
    roster_experts_free(s->second);
    roster_experts_free(s->third);
    instance_free(&s->world);
}

static roster_evidence *create(const roster_experts *experts)
{
    roster_evidence *out;
    roster_error err;
    assert_ok(roster_evidence_create(&out, experts, .95, &err), &err);
    return out;
}

static void learn(roster_evidence *evidence, const stage *s, size_t from, size_t to)
{
    roster_error err;
    for (size_t t = from; t < to; t++)
        assert_ok(roster_evidence_learn(evidence, &s->events[t], &err), &err);
}

static void change(roster_evidence *evidence, const roster_experts *experts)
{
    roster_error err;
    assert_ok(roster_evidence_set_experts(evidence, experts, &err), &err);
}

static double pi_of(const stage *s, size_t i, size_t x, size_t v)
{
    return s->world.pi[(i * X + x) * V + v];
}

/* The bound of one way and rate, summed round by round as evidence_seed.c defines it. */
static double literal_bound(const stage *s, size_t i, bool low, double m, bool clips, double first, double ln)
{
    long double psi = 0, lambdas = 0, charge = logl(48);
    for (size_t t = 0; t < ROUNDS; t++) {
        const roster_event *e = &s->events[t];
        double R = 0, D = 0, w = pi_of(s, i, e->context, e->action) / pi_of(s, e->expert, e->context, e->action);
        for (size_t c = 0; c < X * V; c++) {
            double q = pi_of(s, e->expert, c / V, c % V), ratio = pi_of(s, i, c / V, c % V) / q;
            R = fmax(R, ratio);
            ratio = clips ? fmin(ratio, 10) : ratio;
            D += ratio * ratio * q / X;
        }
        if (!clips && R > 20)
            continue;
        w = clips ? fmin(w, 10) : w;
        double B = clips ? 0 : R * (low ? m : 1 - m), lambda = first / D;
        lambda = B > 0 ? fmin(lambda, 1 / (2 * B)) : lambda;
        double off = w * (e->reward - m);
        psi += (long double)lambda * (m + off);
        lambdas += lambda;
        charge += B > 0 ? off * off * (-logl(1 - lambda * B) - lambda * B) / (B * B) : off * off * lambda * lambda / 2;
    }
    if (lambdas == 0)
        return -INFINITY;
    return (double)(low ? (psi - ln - charge) / lambdas : -(psi + ln + charge) / lambdas);
}

static double literal(const stage *s, size_t i, bool low, double ln)
{
    double best = -INFINITY;
    for (int j = 0; j < 12; j++)
        for (int way = 0; way < 4; way++)
            best = fmax(best, literal_bound(s, i, low, way < 3 ? .5 * way : low ? 0 : 1, way == 3, pow(2, -j), ln));
    return low ? best : -best;
}

static void seed_equals_literal(void **state)
{
    (void)state;
    stage *s = malloc(sizeof *s);
    for (uint64_t run = 0; run < 6; run++) {
        set_stage(s, run, run % 2 == 0 ? .05 : .0005);
        roster_evidence *e = create(s->first);
        learn(e, s, 0, ROUNDS);
        change(e, s->second);
        for (size_t i = FIRST; i < N; i++) {
            double ln = log(2 * N / .05);
            assert_close(e->state.low[i], literal(s, i, true, ln), 1e-9);
            assert_close(e->state.high[i], literal(s, i, false, ln), 1e-9);
        }
        roster_evidence_free(e);
        strike_stage(s);
    }
    free(s);
}

/* Who comes is known at once, and says from what; what was known of the others stays. */
static void known_at_once(void **state)
{
    (void)state;
    stage *s = malloc(sizeof *s);
    roster_finding before[FIRST], now;
    set_stage(s, 2, .1);
    roster_evidence *e = create(s->first);
    learn(e, s, 0, ROUNDS);
    for (size_t k = 0; k < FIRST; k++)
        roster_evidence_find(e, k, &before[k]);
    change(e, s->second);
    for (size_t k = 0; k < N; k++) {
        roster_evidence_find(e, k, &now);
        assert_int_equal(now.from_past, k < FIRST ? 0 : ROUNDS);
        assert_true(now.value.low > 0 && now.value.high < 1);
        if (k >= FIRST)
            continue;
        assert_true(now.value.value == before[k].value.value);
        assert_true(now.value.low <= before[k].value.low && now.value.low > before[k].value.low - .02);
    }
    assert_int_equal(roster_evidence_rounds(e), ROUNDS);
    change(e, s->third);
    for (size_t t = 0; t < ROUNDS; t++) {
        assert_int_not_equal(roster_evidence_leader(e), 0);
        learn(e, s, t, t + 1);
    }
    roster_evidence_free(e);
    strike_stage(s);
    free(s);
}

/* A leader that goes takes its exclusions with it. */
static void exclusions_go_with_who_goes(void **state)
{
    (void)state;
    const double pi[] = {.98, .02, .5, .5, .02, .98};
    roster_experts *three, *two;
    roster_error err;
    roster_finding f;
    assert_ok(roster_experts_tables(&three, 3, 1, 2, pi, NULL, &err), &err);
    assert_ok(roster_experts_change(&two, three, NULL, (const size_t[]){0}, 1, &err), &err);
    roster_evidence *e = create(three);
    for (size_t t = 0; t < 3000; t++) {
        size_t action = t / 3 % 50 == 0 ? 1 : 0;
        roster_event event = {.expert = t % 3, .reward = 1 - (double)action};
        event.action = t % 3 == 0 ? action : t % 3 == 1 ? t / 3 % 2 : 1 - action;
        event.reward = event.action == 0 ? 1 : 0;
        assert_ok(roster_evidence_learn(e, &event, &err), &err);
    }
    roster_evidence_find(e, 1, &f);
    assert_true(f.excluded && roster_evidence_known(e) && roster_evidence_leader(e) == 0);
    change(e, two);
    roster_evidence_find(e, 1, &f);
    assert_false(f.excluded);
    assert_int_equal(roster_evidence_leader(e), 1);
    roster_evidence_find(e, 2, &f);
    assert_true(f.excluded && roster_evidence_known(e));
    assert_true(isnan(roster_evidence_until(e, 0).value));
    roster_evidence_free(e);
    roster_experts_free(three);
    roster_experts_free(two);
}

static void snapshots_go_on(void **state)
{
    (void)state;
    static unsigned char bytes[1 << 18], others[1 << 18];
    stage *s = malloc(sizeof *s);
    roster_error err;
    set_stage(s, 3, .01);
    roster_evidence *a = create(s->first), *b = create(s->first), *c = create(s->second);
    learn(a, s, 0, 150);
    size_t size = roster_evidence_save(a, bytes, sizeof bytes);
    assert_ok(roster_evidence_load(b, bytes, size, &err), &err);
    change(a, s->second);
    change(b, s->second);
    size = roster_evidence_save(a, bytes, sizeof bytes);
    assert_int_equal(roster_evidence_save(b, others, sizeof others), size);
    assert_memory_equal(bytes, others, size);
    assert_ok(roster_evidence_load(c, bytes, size, &err), &err);
    learn(a, s, 150, ROUNDS);
    learn(c, s, 150, ROUNDS);
    size = roster_evidence_save(a, bytes, sizeof bytes);
    assert_int_equal(roster_evidence_save(c, others, sizeof others), size);
    assert_memory_equal(bytes, others, size);
    assert_int_equal(roster_evidence_load(b, bytes, size - 1, &err), ROSTER_EDAMAGED);
    roster_evidence_free(a);
    roster_evidence_free(b);
    roster_evidence_free(c);
    strike_stage(s);
    free(s);
}

/* Of 400 campaigns that an agent steers, in how many the value of who comes lies outside its interval. */
static void seeds_cover(void **state)
{
    (void)state;
    size_t missed = 0, narrow = 0;
    for (uint64_t run = 0; run < 400; run++) {
        instance world;
        roster_rng rng;
        roster_error err;
        roster_experts *first, *add, *all;
        roster_agent *agent;
        roster_finding f;
        roster_rng_init(&rng, 12, run, 0);
        instance_random(&world, &rng, 3, 2, 3, .05);
        assert_ok(roster_experts_tables(&first, 2, 2, 3, world.pi, NULL, &err), &err);
        assert_ok(roster_experts_tables(&add, 1, 2, 3, world.pi + 12, NULL, &err), &err);
        assert_ok(roster_experts_change(&all, first, add, NULL, 0, &err), &err);
        assert_ok(roster_agent_create(&agent, "ucb", &(roster_problem){.experts = first}, NULL, run, 0, &err), &err);
        roster_evidence *e = create(first);
        for (size_t t = 0; t < 300; t++) {
            roster_event event = random_event(&world, &rng, roster_agent_choose(agent), false);
            assert_ok(roster_agent_learn(agent, &event, &err), &err);
            assert_ok(roster_evidence_learn(e, &event, &err), &err);
        }
        change(e, all);
        double value = 0;
        for (size_t c = 0; c < 6; c++)
            value += world.p[c / 3] * world.pi[12 + c] * world.means[c];
        roster_evidence_find(e, 2, &f);
        missed += value < f.value.low || value > f.value.high;
        narrow += f.value.high - f.value.low < .6;
        roster_evidence_free(e);
        roster_agent_free(agent);
        roster_experts_free(first);
        roster_experts_free(add);
        roster_experts_free(all);
        instance_free(&world);
    }
    print_message("missed %zu of 400, narrow %zu\n", missed, narrow);
    assert_true(missed <= 20);
    assert_true(narrow > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seed_equals_literal),
        cmocka_unit_test(known_at_once),
        cmocka_unit_test(exclusions_go_with_who_goes),
        cmocka_unit_test(snapshots_go_on),
        cmocka_unit_test(seeds_cover),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
