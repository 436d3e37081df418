/*
 * test_alarms.c: alarms equal the literal form, round by round, on streams that change and that do not; what is saved
 * goes on as the original; what is wrong is refused.
 */
#include "support.h"

#include "checkpoints.h"
#include "marginal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3200, CELLS_MOST = 64, BLOCK = 32, POINTS = 24 };

static const double DELTA = 1e-3;

/* ---- the literal form: all rounds are kept, everything is summed anew for every checkpoint ---- */

typedef struct literal {
    size_t x, cells;
    size_t contexts[ROUNDS], cell[ROUNDS];
    double rewards[ROUNDS];
    uint64_t t, start[2];           /* rounds; rounds before each test's first */
    uint64_t points[2][POINTS + 1]; /* rounds of the test before the checkpoint, oldest first */
    size_t n_points[2];
    roster_alarm last[2];
} literal;

static long double ln_beta_form(long double a, long double b)
{
    return lgammal(a + .5L) + lgammal(b + .5L) - lgammal(a + b + 1) - 2 * lgammal(.5L);
}

static long double x_ln_x(long double x, long double n)
{
    return x > 0 ? x * logl(x / n) : 0;
}

/* Dirichlet(1/2, ...) marginal likelihood of counts. */
static long double ln_dirichlet_form(const double *count, size_t x)
{
    long double n = 0, sum = 0;
    for (size_t i = 0; i < x; i++) {
        n += count[i];
        sum += lgammal(count[i] + .5L) - lgammal(.5L);
    }
    return sum + lgammal(x / 2.0L) - lgammal(n + x / 2.0L);
}

static void count_contexts(const literal *l, uint64_t from, uint64_t to, double *count)
{
    memset(count, 0, CELLS_MOST * sizeof *count);
    for (uint64_t t = from; t < to; t++)
        count[l->contexts[t]]++;
}

static long double contexts_changed(const literal *l, uint64_t at)
{
    double before[CELLS_MOST], after[CELLS_MOST];
    uint64_t from = l->start[0];
    count_contexts(l, from, from + at, before);
    count_contexts(l, from + at, l->t, after);
    long double sum = ln_dirichlet_form(before, l->x) + ln_dirichlet_form(after, l->x);
    for (size_t i = 0; i < l->x; i++)
        sum -= x_ln_x((long double)before[i] + after[i], (long double)(l->t - from));
    return sum;
}

/* Of every cell. */
static void cells_changed(const literal *l, uint64_t at, long double *evidence)
{
    long double a[2][CELLS_MOST] = {{0}}, b[2][CELLS_MOST] = {{0}};
    for (uint64_t t = l->start[1]; t < l->t; t++) {
        size_t side = t >= l->start[1] + at;
        a[side][l->cell[t]] += l->rewards[t];
        b[side][l->cell[t]] += 1 - (long double)l->rewards[t];
    }
    for (size_t c = 0; c < l->cells; c++) {
        long double n = a[0][c] + a[1][c] + b[0][c] + b[1][c];
        evidence[c] = ln_beta_form(a[0][c], b[0][c]) + ln_beta_form(a[1][c], b[1][c]) - x_ln_x(a[0][c] + a[1][c], n) -
                      x_ln_x(b[0][c] + b[1][c], n);
    }
}

/* The checkpoint that makes room: the smallest ratio of its neighbours' ages. */
static void thin(uint64_t *points, size_t *n, uint64_t now)
{
    size_t worst = 0;
    long double least = INFINITY;
    for (size_t i = 0; i + 1 < *n; i++) {
        uint64_t older = i > 0 ? now - points[i - 1] : now;
        long double ratio = (long double)older / (long double)(now - points[i + 1]);
        worst = ratio < least ? i : worst;
        least = ratio < least ? ratio : least;
    }
    for (size_t i = worst; i + 1 < *n; i++)
        points[i] = points[i + 1];
    --*n;
}

/* One of the two tests at the end of a block; whether it raises an alarm, which starts it afresh. */
static bool literal_look(literal *l, size_t test)
{
    size_t cells = test == 0 ? 1 : l->cells;
    long double best = -INFINITY, base = logl(2 * (long double)cells / DELTA);
    for (size_t i = 0; i < l->n_points[test]; i++) {
        uint64_t at = l->points[test][i];
        long double j = (long double)(at / BLOCK) + 1, evidence[CELLS_MOST];
        if (test == 0)
            evidence[0] = contexts_changed(l, at);
        else
            cells_changed(l, at, evidence);
        for (size_t c = 0; c < cells; c++) {
            long double e = evidence[c] - logl(j * (j + 1));
            if (e <= best)
                continue;
            best = e;
            l->last[test] = (roster_alarm){.kind = test == 0 ? ROSTER_CONTEXTS_CHANGED : ROSTER_REWARDS_CHANGED,
                                           .round = l->t,
                                           .since = l->start[test] + at,
                                           .action = c,
                                           .evidence = (double)(e - base - logl(DELTA))};
        }
    }
    uint64_t now = l->t - l->start[test];
    if (best < base) {
        if (l->n_points[test] == POINTS)
            thin(l->points[test], &l->n_points[test], now);
        l->points[test][l->n_points[test]++] = now;
        return false;
    }
    l->n_points[test] = 0;
    l->start[test] = l->t;
    return true;
}

static unsigned literal_learn(literal *l, const roster_event *event, const roster_experts *experts)
{
    bool tables = roster_experts_kind(experts) == ROSTER_TABLES;
    l->contexts[l->t] = event->context;
    l->cell[l->t] = tables ? event->context * roster_experts_actions(experts) + event->action : event->expert;
    l->rewards[l->t++] = event->reward;
    if (l->t % BLOCK > 0)
        return 0;
    unsigned raised = tables && literal_look(l, 0) ? ROSTER_CONTEXTS_CHANGED : 0;
    return raised | (literal_look(l, 1) ? ROSTER_REWARDS_CHANGED : 0);
}

/* ---- streams ---- */

/* A world that may change its contexts or its rewards now and then, and somebody who plays what earned most lately. */
typedef struct stream {
    instance world;
    bool continuous, changes;
    size_t favourite;
} stream;

static void change_some(stream *s, roster_rng *rng)
{
    if (roster_rng_below(rng, 2) == 0)
        random_distribution(rng, s->world.x, .001, s->world.p);
    else
        for (size_t i = 0; i < s->world.x * s->world.v; i++)
            s->world.means[i] = roster_rng_below(rng, 2) == 0 ? roster_rng_uniform(rng) : s->world.means[i];
}

static roster_event next_event(stream *s, roster_rng *rng)
{
    if (s->changes && roster_rng_below(rng, 700) == 0)
        change_some(s, rng);
    bool explores = roster_rng_below(rng, 8) == 0;
    size_t k = explores ? (size_t)roster_rng_below(rng, s->world.n) : s->favourite;
    roster_event event = random_event(&s->world, rng, k, s->continuous);
    if (event.reward > .8 || roster_rng_below(rng, 4) == 0)
        s->favourite = k;
    else
        s->favourite = (size_t)roster_rng_below(rng, s->world.n);
    return event;
}

static void same_alarm(const roster_alarm *got, const roster_alarm *expected, size_t v)
{
    assert_int_equal(got->kind, expected->kind);
    assert_int_equal(got->round, expected->round);
    assert_int_equal(got->since, expected->since);
    assert_true(fabs(got->evidence - expected->evidence) <= 1e-9 * fabs(expected->evidence));
    if (got->kind == ROSTER_REWARDS_CHANGED)
        assert_int_equal(v > 0 ? got->context * v + got->action : got->expert, expected->action);
}

/* Learns a stream by both forms; how many alarms there were. */
static size_t compare(stream *s, const roster_experts *experts, uint64_t seed, size_t rounds)
{
    static literal l;
    roster_error err;
    roster_alarms *alarms;
    roster_rng rng;
    size_t found = 0, v = roster_experts_kind(experts) == ROSTER_TABLES ? s->world.v : 0;
    roster_rng_init(&rng, seed, 1, 0);
    l = (literal){.x = s->world.x, .cells = v > 0 ? s->world.x * v : s->world.n};
    assert_ok(roster_alarms_create(&alarms, experts, DELTA, &err), &err);
    for (size_t t = 0; t < rounds; t++) {
        roster_event event = next_event(s, &rng);
        unsigned raised;
        assert_ok(roster_alarms_learn(alarms, &event, &raised, &err), &err);
        assert_int_equal(raised, literal_learn(&l, &event, experts));
        for (unsigned kind = ROSTER_CONTEXTS_CHANGED; kind <= ROSTER_REWARDS_CHANGED; kind++) {
            roster_alarm alarm;
            if ((raised & kind) == 0)
                continue;
            assert_true(roster_alarms_last(alarms, kind, &alarm));
            same_alarm(&alarm, &l.last[kind - 1], v);
            found++;
        }
    }
    assert_int_equal(roster_alarms_rounds(alarms), rounds);
    roster_alarms_free(alarms);
    return found;
}

static size_t compare_random(uint64_t seed, bool continuous, size_t rounds)
{
    roster_rng rng;
    stream s = {.continuous = continuous, .changes = seed % 4 != 0};
    roster_rng_init(&rng, seed, 0, 0);
    size_t x = random_size(&rng, 1, 12), v = random_size(&rng, 1, 4);
    instance_random(&s.world, &rng, 3, x, v, .01);
    for (size_t i = 0; i < x * v && seed % 3 == 0; i++) /* certain and nearly certain rewards */
        s.world.means[i] = roster_rng_below(&rng, 2) == 0 ? (double)roster_rng_below(&rng, 2) : s.world.means[i] / 50;
    size_t found = compare(&s, s.world.experts, seed, rounds);
    instance_free(&s.world);
    return found;
}

static void alarms_equal_literal(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 8; seed++)
        found += compare_random(seed, false, ROUNDS);
    print_message("%zu alarms\n", found);
    assert_true(found > 10);
}

static void every_reward_law_equals_literal(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint64_t seed = 101; seed <= 105; seed++)
        found += compare_random(seed, true, ROUNDS);
    assert_true(found > 3);
}

/* Contexts that are not finite: rewards by expert. */
static void experts_of_other_kinds(void **state)
{
    (void)state;
    roster_error err;
    roster_rng rng;
    roster_experts *external;
    stream s = {.changes = true};
    roster_rng_init(&rng, 78, 0, 0);
    instance_random(&s.world, &rng, 3, 4, 3, .01);
    assert_ok(roster_experts_external(&external, 3, 4, 3, s.world.pi, NULL, &err), &err);
    assert_true(compare(&s, external, 78, ROUNDS) > 0);
    roster_experts_free(external);
    instance_free(&s.world);
}

static void check_value(void **state)
{
    (void)state;
    const double before[] = {30, 10}, after[] = {8, 32};
    assert_close(roster_ln_kt(30, 10) + roster_ln_kt(8, 32) - roster_ln_ml(38, 42), 8.68554260968138, 1e-13);
    assert_close((double)(ln_dirichlet_form(before, 2) + ln_dirichlet_form(after, 2)) - roster_ln_ml(38, 42),
                 8.68554260968138, 1e-13);
    assert_true(roster_ln_ml(0, 5) == 0 && roster_ln_ml(5, 0) == 0 && roster_ln_ml(0, 0) == 0);
    assert_true(fabs(roster_ln_kt(0, 0)) < 1e-14);
    assert_close(roster_ln_kt(1, 0), log(.5), 1e-13);
}

/* The 24 stay, from the first blocks to the last, and none is far from its neighbours. */
static void checkpoints_are_geometric(void **state)
{
    (void)state;
    roster_checkpoints p;
    roster_checkpoints_reset(&p);
    for (uint64_t block = 1; block <= 100000; block++) {
        p.block = block;
        roster_checkpoints_add(&p);
        assert_int_equal(p.count, block < POINTS ? block : POINTS);
        assert_int_equal(p.at[p.order[p.count - 1]], block);
        if (block % 1000 > 0)
            continue;
        double older = (double)block, ratio = 1;
        for (size_t i = 0; i + 1 < p.count; i++) {
            double age = (double)(block - p.at[p.order[i]]);
            ratio = older / age > ratio ? older / age : ratio;
            older = age;
        }
        assert_true(ratio <= 3);
    }
}

static void learn_random(roster_alarms *alarms, stream *s, roster_rng *rng, size_t rounds, uint64_t *seen)
{
    roster_error err;
    for (size_t t = 0; t < rounds; t++) {
        roster_event event = next_event(s, rng);
        unsigned raised;
        assert_ok(roster_alarms_learn(alarms, &event, &raised, &err), &err);
        *seen = *seen * 31 + raised;
    }
}

static unsigned char bytes[1 << 18], again[1 << 18];

/* Saved in the middle of a block, the copy raises the same alarms and ends with the same bytes. */
static void snapshots_go_on(void **state)
{
    (void)state;
    roster_error err;
    stream s = {.changes = true};
    roster_rng rng;
    roster_rng_init(&rng, 5, 0, 0);
    instance_random(&s.world, &rng, 3, 5, 4, .01);
    for (size_t cut = 1; cut < 4000; cut += 391) {
        roster_alarms *a, *b;
        uint64_t seen_a = 0, seen_b = 0;
        assert_ok(roster_alarms_create(&a, s.world.experts, DELTA, &err), &err);
        assert_ok(roster_alarms_create(&b, s.world.experts, DELTA, &err), &err);
        learn_random(a, &s, &rng, cut, &seen_a);
        size_t size = roster_alarms_save(a, bytes, sizeof bytes);
        assert_true(size <= sizeof bytes);
        assert_ok(roster_alarms_load(b, bytes, size, &err), &err);
        assert_int_equal(roster_alarms_save(b, again, sizeof again), size);
        assert_memory_equal(bytes, again, size);
        stream twin = s;
        twin.changes = s.changes = false;
        roster_rng other = rng;
        seen_a = 0;
        learn_random(a, &s, &rng, 500, &seen_a);
        learn_random(b, &twin, &other, 500, &seen_b);
        assert_int_equal(seen_a, seen_b);
        size = roster_alarms_save(a, bytes, sizeof bytes);
        assert_int_equal(roster_alarms_save(b, again, sizeof again), size);
        assert_memory_equal(bytes, again, size);
        s.changes = true;
        roster_alarms_free(a);
        roster_alarms_free(b);
    }
    instance_free(&s.world);
}

static void wrong_snapshots_refused(void **state)
{
    (void)state;
    roster_error err;
    stream s = {.changes = true};
    roster_alarms *a, *b;
    uint64_t seen = 0;
    roster_rng rng;
    roster_rng_init(&rng, 5, 0, 0);
    instance_random(&s.world, &rng, 2, 2, 2, .01);
    assert_ok(roster_alarms_create(&a, s.world.experts, DELTA, &err), &err);
    assert_ok(roster_alarms_create(&b, s.world.experts, .01, &err), &err);
    learn_random(a, &s, &rng, 100, &seen);
    size_t size = roster_alarms_save(a, bytes, sizeof bytes);
    assert_refused(roster_alarms_load(b, bytes, size, &err), &err, ROSTER_EDAMAGED,
                   "the snapshot is of alarms for other experts or another delta");
    for (size_t i = 0; i < size; i += 5) {
        bytes[i] ^= 4;
        assert_int_equal(roster_alarms_load(a, bytes, size, &err), ROSTER_EDAMAGED);
        bytes[i] ^= 4;
    }
    assert_int_equal(roster_alarms_load(a, bytes, size - 1, &err), ROSTER_EDAMAGED);
    assert_int_equal(roster_alarms_save(a, again, sizeof again), size);
    assert_memory_equal(bytes, again, size);
    roster_alarms_free(a);
    roster_alarms_free(b);
    instance_free(&s.world);
}

static void wrong_calls_refused(void **state)
{
    (void)state;
    roster_error err;
    roster_alarms *alarms;
    roster_alarm alarm;
    unsigned raised;
    roster_experts *experts = spec_experts();
    assert_refused(roster_alarms_create(&alarms, NULL, DELTA, &err), &err, ROSTER_EINVAL, "alarms need experts");
    assert_refused(roster_alarms_create(&alarms, experts, 1, &err), &err, ROSTER_EINVAL,
                   "delta is 1, must be in [1e-300, 1)");
    assert_null(alarms);
    assert_ok(roster_alarms_create(&alarms, experts, DELTA, &err), &err);
    assert_true(roster_alarms_delta(alarms) == DELTA);
    roster_event event = spec_rounds[0];
    event.context = 2;
    assert_refused(roster_alarms_learn(alarms, &event, &raised, &err), &err, ROSTER_EINVAL,
                   "event.context is 2, must be below 2");
    assert_int_equal(roster_alarms_rounds(alarms), 0);
    assert_false(roster_alarms_last(alarms, ROSTER_REWARDS_CHANGED, &alarm));
    assert_false(roster_alarms_last(alarms, 7, &alarm));
    roster_alarms_free(alarms);
    roster_experts_free(experts);
}

/* Very many rounds of one context, where products of counts would leave the range of doubles. */
static void long_streams_stay_finite(void **state)
{
    (void)state;
    roster_error err;
    roster_alarms *alarms;
    unsigned raised, any = 0;
    const double pi[] = {1, 1};
    roster_experts *experts;
    assert_ok(roster_experts_tables(&experts, 1, 2, 1, pi, NULL, &err), &err);
    assert_ok(roster_alarms_create(&alarms, experts, DELTA, &err), &err);
    for (size_t t = 0; t < 300000; t++) {
        roster_event event = {.context = t % 2, .reward = .1};
        assert_int_equal(roster_alarms_learn(alarms, &event, &raised, &err), ROSTER_OK);
        any |= raised;
    }
    assert_int_equal(any, 0);
    for (size_t t = 0; t < 64 && any == 0; t++) {
        roster_event event = {.context = 0, .reward = 1};
        assert_int_equal(roster_alarms_learn(alarms, &event, &raised, &err), ROSTER_OK);
        any |= raised;
    }
    assert_int_equal(any & ROSTER_REWARDS_CHANGED, ROSTER_REWARDS_CHANGED);
    roster_alarms_free(alarms);
    roster_experts_free(experts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(check_value),
        cmocka_unit_test(checkpoints_are_geometric),
        cmocka_unit_test(alarms_equal_literal),
        cmocka_unit_test(every_reward_law_equals_literal),
        cmocka_unit_test(experts_of_other_kinds),
        cmocka_unit_test(snapshots_go_on),
        cmocka_unit_test(wrong_snapshots_refused),
        cmocka_unit_test(wrong_calls_refused),
        cmocka_unit_test(long_streams_stay_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
