/*
 * test_learn_tally.c: an agent that learns a tally knows what one knows that learnt its events.
 */
#include "tally_stage.h"

/* By merging where the order of events matters, and one by one where it does not; then events go on alike. */
static void agent_equals_events(const stage *s, const char *name)
{
    roster_error err;
    roster_agent *whole = create(s, name), *warmed = create(s, name), *none = create(s, name);
    learn(whole, s, 0, EVENTS / 2);
    if (strcmp(name, "direct") == 0) /* m0 and shares of plays are those of the last of some rounds */
        assert_ok(roster_agent_merge(whole, none, &err), &err);
    warm(warmed, s, 1);
    assert_alike(whole, warmed);
    for (size_t t = EVENTS / 2; t < EVENTS / 2 + 50; t++) {
        learn(whole, s, t, t + 1);
        learn(warmed, s, t, t + 1);
        assert_alike(whole, warmed);
    }
    roster_agent_free(whole);
    roster_agent_free(warmed);
    roster_agent_free(none);
}

static void equals_events(void **state)
{
    static const char *const names[] = {"d-ucb", "ed-ucb", "direct", "ucb", "kl-ucb", "thompson", "oracle", "uniform"};
    (void)state;
    stage *s = malloc(sizeof *s);
    for (uint64_t seed = 1; seed <= 12; seed++) {
        set_stage(s, seed, EVENTS / 2);
        roster_rng rng;
        roster_rng_init(&rng, seed, 1, 0);
        for (size_t t = EVENTS / 2; t < EVENTS; t++)
            s->events[t] = random_event(&s->world, &rng, t % N, false);
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            agent_equals_events(s, names[i]);
        instance_free(&s->world);
    }
    free(s);
}

/* direct has m0 of the last power of two, which 256 is: without thin cells it needs no merging either. */
static void direct_equals_events_at_powers(void **state)
{
    (void)state;
    stage *s = malloc(sizeof *s);
    set_stage(s, 4, 256);
    roster_agent *whole = create(s, "direct"), *warmed = create(s, "direct");
    learn(whole, s, 0, 256);
    warm(warmed, s, 1);
    assert_alike(whole, warmed);
    roster_agent_free(whole);
    roster_agent_free(warmed);
    instance_free(&s->world);
    free(s);
}

/* Experts that are counts are learnt from a tally too. */
static void experts_from_counts(void **state)
{
    (void)state;
    roster_error err;
    roster_estimates *counts;
    roster_experts *experts;
    stage *s = malloc(sizeof *s);
    set_stage(s, 5, EVENTS);
    assert_ok(roster_estimates_create(&counts, N, X, V, NULL, &err), &err);
    assert_ok(roster_estimates_add(counts, 1, 2, 3, 7, &err), &err);
    assert_ok(roster_estimates_experts(counts, &experts, &err), &err);
    roster_agent *whole = create_on(s, "direct", experts, 1), *warmed = create_on(s, "direct", experts, 1);
    roster_agent *none = create_on(s, "direct", experts, 1);
    learn(whole, s, 0, EVENTS);
    assert_ok(roster_agent_merge(whole, none, &err), &err);
    warm(warmed, s, 1);
    assert_alike(whole, warmed);
    roster_agent_free(whole);
    roster_agent_free(warmed);
    roster_agent_free(none);
    roster_experts_free(experts);
    roster_estimates_free(counts);
    instance_free(&s->world);
    free(s);
}

/* Neither the order of the rows nor into how many an agent's events are cut matters, to the bit. */
static void order_does_not_matter(void **state)
{
    (void)state;
    stage *s = malloc(sizeof *s), *other = malloc(sizeof *other);
    set_stage(s, 7, EVENTS);
    *other = *s;
    for (size_t i = 0; i < s->n; i++)
        other->rows[i] = s->rows[(i * 37 + 11) % s->n];
    assert_int_not_equal(s->n % 37, 0);
    for (size_t i = 0; roster_agent_info_at(i) != NULL; i++) {
        const roster_agent_info *info = roster_agent_info_at(i);
        if (!can(info))
            continue;
        roster_agent *a = create(s, info->name), *b = create(s, info->name);
        warm(a, s, .3);
        warm(b, other, .3);
        assert_same(a, b);
        roster_agent_free(a);
        roster_agent_free(b);
    }
    instance_free(&s->world);
    free(s);
    free(other);
}

/* The rule of the head comment, written down again: places in order, what they count rounded as it adds up. */
static size_t literally(const stage *s, double discount, roster_tally_row *out)
{
    long double all = 0;
    uint64_t before = 0;
    size_t n = 0;
    for (size_t x = 0; x < X; x++)
        for (size_t v = 0; v < V; v++)
            for (size_t k = 0; k < N; k++) {
                roster_tally_row sum = {.expert = k, .context = x, .action = v};
                for (size_t i = 0; i < s->n; i++) {
                    const roster_tally_row *row = &s->rows[i];
                    if (row->expert != k || row->context != x || row->action != v)
                        continue;
                    sum.count += row->count;
                    sum.sum += row->sum;
                    sum.squares += row->squares;
                }
                all += sum.count;
                uint64_t until = (uint64_t)floorl(discount * all + .5L);
                double share = sum.count > 0 ? (double)(until - before) / (double)sum.count : 0;
                assert_true(fabs((double)(until - before) - discount * (double)sum.count) <= 1);
                out[n] = sum;
                out[n].count = until - before;
                out[n].sum *= share;
                out[n].squares *= share;
                before = until;
                n += out[n].count > 0;
            }
    return n;
}

static void discounts(void **state)
{
    static const double factors[] = {.5, .25, .75, .015625};
    (void)state;
    roster_error err;
    roster_tally_row rows[ROWS];
    stage *s = malloc(sizeof *s);
    set_stage(s, 8, EVENTS);
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++)
        for (size_t i = 0; roster_agent_info_at(i) != NULL; i++) {
            const roster_agent_info *info = roster_agent_info_at(i);
            if (!can(info))
                continue;
            roster_agent *a = create(s, info->name), *b = create(s, info->name);
            size_t n = literally(s, factors[f], rows);
            warm(a, s, factors[f]);
            assert_ok(roster_agent_learn_tally(b, rows, n, 1, &err), &err);
            assert_alike(a, b);
            assert_int_equal(roster_agent_rounds(a), (uint64_t)(factors[f] * EVENTS));
            roster_agent_free(a);
            roster_agent_free(b);
        }
    instance_free(&s->world);
    free(s);
}

/* Saved and restored, and merged with another, a warm agent is what it was. */
static void snapshots_and_merging(void **state)
{
    (void)state;
    roster_error err;
    stage *s = malloc(sizeof *s);
    set_stage(s, 9, EVENTS);
    for (size_t i = 0; roster_agent_info_at(i) != NULL; i++) {
        const roster_agent_info *info = roster_agent_info_at(i);
        if (!can(info))
            continue;
        roster_agent *a = create(s, info->name), *b = create(s, info->name), *c = create(s, info->name);
        roster_agent *d = create(s, info->name);
        warm(a, s, 1);
        learn(a, s, 0, 30);
        size_t size = roster_agent_save(a, NULL, 0);
        void *bytes = malloc(size);
        roster_agent_save(a, bytes, size);
        assert_ok(roster_agent_load(b, bytes, size, &err), &err);
        learn(a, s, 30, 60);
        learn(b, s, 30, 60);
        assert_same(a, b);
        learn(c, s, 0, 60);
        warm(d, s, 1);
        assert_ok(roster_agent_merge(c, d, &err), &err);
        assert_ok(roster_agent_merge(a, d, &err), &err);
        warm(c, s, 1);
        assert_alike(a, c);
        free(bytes);
        roster_agent_free(a);
        roster_agent_free(b);
        roster_agent_free(c);
        roster_agent_free(d);
    }
    instance_free(&s->world);
    free(s);
}

/* Who acted is not said. What direct estimates is what it is if all acted equally often, thin cells or not. */
static void rows_without_experts(void **state)
{
    (void)state;
    roster_error err;
    for (uint64_t seed = 10; seed < 20; seed++) {
        stage s;
        roster_tally_row named[N * X * V], unnamed[X * V];
        roster_rng rng;
        size_t n = 0, m = 0;
        set_stage(&s, seed, 0);
        roster_rng_init(&rng, seed, 2, 0);
        for (size_t c = 0; c < X * V; c++) {
            uint64_t count = roster_rng_below(&rng, seed % 2 == 0 ? 3 : 40) * N;
            double y = roster_rng_uniform(&rng);
            for (size_t k = 0; k < N && count > 0; k++)
                named[n++] = (roster_tally_row){
                    k, c / V, c % V, 0, count / N, y * (double)(count / N), y * y * (double)(count / N)};
            if (count > 0)
                unnamed[m++] = (roster_tally_row){ROSTER_NO_EXPERT,     c / V, c % V, .5, count, y * (double)count,
                                                  y * y * (double)count};
        }
        roster_agent *a = create(&s, "direct"), *b = create(&s, "direct"), *restored = create(&s, "direct");
        assert_ok(roster_agent_learn_tally(a, named, n, 1, &err), &err);
        assert_ok(roster_agent_learn_tally(b, unnamed, m, 1, &err), &err);
        for (size_t k = 0; k < N; k++) {
            roster_insight one, other;
            roster_agent_insight(a, k, &one);
            roster_agent_insight(b, k, &other);
            assert_true(close_enough(one.estimate, other.estimate));
            assert_true(other.width >= one.width - 1e-9); /* nobody's own plays hold it down */
        }
        size_t size = roster_agent_save(b, NULL, 0);
        unsigned char *bytes = malloc(size);
        roster_agent_save(b, bytes, size);
        assert_ok(roster_agent_load(restored, bytes, size, &err), &err);
        for (size_t t = 0; t < 200; t++) {
            roster_event event = random_event(&s.world, &rng, roster_agent_choose(b), false);
            assert_ok(roster_agent_learn(b, &event, &err), &err);
            assert_ok(roster_agent_learn(restored, &event, &err), &err);
        }
        assert_same(b, restored);
        roster_agent_forget(b, ROSTER_REWARDS_CHANGED, 1);
        roster_agent_reset(restored, 1);
        roster_agent_reset(a, 1);
        assert_same(a, restored);
        free(bytes);
        roster_agent_free(a);
        roster_agent_free(b);
        roster_agent_free(restored);
        instance_free(&s.world);
    }
}

/* Every path of vectors does the same to the bit. */
static void every_simd_path(void **state)
{
    (void)state;
    for (size_t i = 0; roster_agent_info_at(i) != NULL; i++) {
        const roster_agent_info *info = roster_agent_info_at(i);
        roster_agent *agents[2];
        stage *stages[2];
        for (size_t path = 0; path < 2; path++) {
            assert_int_equal(setenv("ROSTER_SIMD", path == 0 ? "baseline" : "avx2", 1), 0);
            stages[path] = malloc(sizeof **stages);
            set_stage(stages[path], 21, EVENTS);
            agents[path] = create(stages[path], info->name);
            if (can(info))
                warm(agents[path], stages[path], .7);
            learn(agents[path], stages[path], 0, 50);
        }
        assert_same(agents[0], agents[1]);
        for (size_t path = 0; path < 2; path++) {
            roster_agent_free(agents[path]);
            instance_free(&stages[path]->world);
            free(stages[path]);
        }
    }
    unsetenv("ROSTER_SIMD");
}

static bool look(void *context, const roster_step *step)
{
    (void)context;
    return step->agent != NULL;
}

/* Rounds in stretches, as nobody looks at them, and rounds one by one: the same, from a warm start too. */
static void simulated_alike(void **state)
{
    (void)state;
    stage *s = malloc(sizeof *s);
    roster_error err;
    roster_world *world;
    set_stage(s, 22, EVENTS);
    assert_ok(roster_world_create(&world, s->world.experts, s->world.p, s->world.means, &err), &err);
    roster_episode episodes[] = {{.world = world, .rounds = 3000}, {.world = world, .rounds = 200}};
    static const char *const names[] = {"d-ucb", "direct", "ucb", "kl-ucb", "thompson"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        for (uint64_t run = 0; run < 3; run++) {
            roster_study study = {.experts = s->world.experts,
                                  .episodes = episodes,
                                  .n_episodes = 2,
                                  .agent = names[i],
                                  .seed = 5,
                                  .warm_rows = s->rows,
                                  .n_warm_rows = s->n,
                                  .warm_discount = .5};
            roster_outcome one, other;
            assert_ok(roster_simulate(&study, run, NULL, NULL, &one, NULL, &err), &err);
            assert_ok(roster_simulate(&study, run, look, NULL, &other, NULL, &err), &err);
            assert_true(one.regret == other.regret && one.best_rounds == other.best_rounds);
        }
    roster_world_free(world);
    instance_free(&s->world);
    free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_events),
        cmocka_unit_test(direct_equals_events_at_powers),
        cmocka_unit_test(experts_from_counts),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(discounts),
        cmocka_unit_test(snapshots_and_merging),
        cmocka_unit_test(rows_without_experts),
        cmocka_unit_test(every_simd_path),
        cmocka_unit_test(simulated_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
