/*
 * test_alloc.c: every allocation is made to fail in turn. What fails says so, changes nothing and leaks nothing (the
 * sanitizers and valgrind watch), and what needs no memory asks for none.
 *
 * Linked with --wrap=calloc, --wrap=realloc and --wrap=getenv, so that the library's own calls come here.
 */
#include "failing_memory.h"
#include "support.h"

#include "lazy.h"

#include <stdlib.h>
#include <string.h>

char *__real_getenv(const char *name);
char *__wrap_getenv(const char *name);

static size_t looked; /* into the environment */

char *__wrap_getenv(const char *name)
{
    looked++;
    return __real_getenv(name);
}

enum { N = 5, X = 3, V = 4, D = 2, ROUNDS = 60 };

/* All that the scenarios need, made before anything may fail. */
static instance world;
static double weights[N * V * D], sample[6 * D], values[2 * N];
static roster_event events[ROUNDS];
static double features[ROUNDS][D], pi[ROUNDS][N];

static int setup(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 1, 0, 0);
    instance_random(&world, &rng, N, X, V, .001);
    for (size_t i = 0; i < N * V * D; i++)
        weights[i] = 4 * roster_rng_uniform(&rng) - 2;
    for (size_t i = 0; i < 6 * D; i++)
        sample[i] = roster_rng_uniform(&rng);
    for (size_t t = 0; t < ROUNDS; t++) {
        events[t] = random_event(&world, &rng, (size_t)roster_rng_below(&rng, N), true);
        for (size_t i = 0; i < N; i++)
            pi[t][i] = world.pi[(i * X + events[t].context) * V + events[t].action];
        for (size_t f = 0; f < D; f++)
            features[t][f] = roster_rng_uniform(&rng);
        events[t].features = features[t];
        events[t].probabilities = pi[t];
    }
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    instance_free(&world);
    return 0;
}

static int make_experts(roster_experts **e, roster_kind kind, roster_error *err)
{
    const roster_softmax model = {
        .experts = N, .actions = V, .features = D, .weights = weights, .sample = sample, .samples = 6};
    if (kind == ROSTER_SOFTMAX)
        return roster_experts_softmax(e, &model, err);
    if (kind == ROSTER_EXTERNAL)
        return roster_experts_external(e, N, X, V, world.pi, NULL, err);
    return roster_experts_tables(e, N, X, V, world.pi, NULL, err);
}

static const roster_setting offered[] = {{"C", 0, "theory"},    {"gamma", .5, NULL}, {"p_V", .01, NULL},
                                         {"p_X", 0, "uniform"}, {"xi", 1e-4, NULL},  {NULL, 0, NULL}};

static int make_agent(roster_agent **agent, const roster_experts *e, const roster_agent_info *info, roster_error *err)
{
    roster_setting settings[SETTINGS];
    return roster_agent_create(agent, info->name, &(roster_problem){e, NULL, values},
                               settings_taken(info, offered, settings), 1, 0, err);
}

static unsigned char before[1 << 20], after[1 << 20], shard[1 << 20];

/* What a failed call leaves is, to the byte, what it found. */
static void assert_unchanged(const roster_agent *agent, size_t size)
{
    assert_int_equal(roster_agent_save(agent, after, sizeof after), size);
    assert_memory_equal(before, after, size);
}

static int guarded_learn(roster_agent *agent, const roster_event *event, roster_error *err)
{
    size_t size = roster_agent_save(agent, before, sizeof before);
    int code = roster_agent_learn(agent, event, err);
    if (code != ROSTER_OK) {
        assert_unchanged(agent, size);
        assert_ok(roster_agent_learn(agent, event, err), err); /* there is memory again */
    }
    return code;
}

static int guarded_load(roster_agent *agent, const roster_agent *from, roster_error *err)
{
    size_t size = roster_agent_save(agent, before, sizeof before), other = roster_agent_save(from, shard, sizeof shard);
    int code = roster_agent_load(agent, shard, other, err);
    if (code != ROSTER_OK)
        assert_unchanged(agent, size);
    return code;
}

static int guarded_merge(roster_agent *agent, const roster_agent *from, roster_error *err)
{
    size_t size = roster_agent_save(agent, before, sizeof before);
    int code = roster_agent_merge(agent, from, err);
    if (code != ROSTER_OK)
        assert_unchanged(agent, size);
    return code;
}

/* The last expert goes, and comes again as another. */
static int guarded_change(roster_agent *agent, roster_experts **e, roster_error *err)
{
    roster_experts *longer = NULL, *add = NULL;
    size_t size = roster_agent_save(agent, before, sizeof before);
    int code = make_experts(&add, roster_experts_kind(*e), err);
    if (code == ROSTER_OK)
        code = roster_experts_change(&longer, *e, add, (const size_t[]){N - 1}, 1, err);
    if (code == ROSTER_OK)
        code = roster_agent_set_experts(agent, longer, values, err);
    if (code != ROSTER_OK)
        assert_unchanged(agent, size);
    roster_experts_free(add);
    roster_experts_free(code == ROSTER_OK ? *e : longer);
    *e = code == ROSTER_OK ? longer : *e;
    return code;
}

/* The first events as a tally, which some agents refuse. */
static int guarded_learn_tally(roster_agent *agent, roster_error *err)
{
    roster_tally_row rows[ROUNDS];
    size_t size = roster_agent_save(agent, before, sizeof before);
    for (size_t t = 0; t < ROUNDS; t++)
        rows[t] = (roster_tally_row){.expert = events[t].expert,
                                     .context = events[t].context,
                                     .action = events[t].action,
                                     .count = 1,
                                     .sum = events[t].reward,
                                     .squares = events[t].reward * events[t].reward};
    int code = roster_agent_learn_tally(agent, rows, ROUNDS, .8, err);
    if (code != ROSTER_OK)
        assert_unchanged(agent, size);
    return code == ROSTER_EINVAL ? ROSTER_OK : code;
}

/* The life of an agent; ROSTER_ENOMEM as soon as something could not be had. */
static int live(roster_kind kind, const roster_agent_info *info, roster_error *err)
{
    roster_experts *e = NULL;
    roster_agent *a = NULL, *b = NULL;
    int code = make_experts(&e, kind, err);
    if (code == ROSTER_OK)
        code = make_agent(&a, e, info, err);
    if (code == ROSTER_OK)
        code = make_agent(&b, e, info, err);
    for (size_t t = 0; t < ROUNDS && code == ROSTER_OK; t++)
        code = guarded_learn(t % 2 == 0 ? a : b, &events[t], err);
    if (code == ROSTER_OK)
        code = guarded_load(b, a, err);
    if (code == ROSTER_OK && info->additive)
        code = guarded_merge(a, b, err);
    if (code == ROSTER_OK)
        code = guarded_learn_tally(a, err);
    if (code == ROSTER_OK)
        code = roster_agent_reserve(a, 10, err);
    roster_agent_free(b);
    if (code == ROSTER_OK)
        code = guarded_change(a, &e, err);
    roster_agent_free(a);
    roster_experts_free(e);
    return code;
}

static bool takes(size_t agent, roster_kind kind)
{
    return kind == ROSTER_TABLES || !roster_agent_info_at(agent)->finite;
}

static void every_allocation_fails(void **state)
{
    (void)state;
    size_t failures = 0;
    for (roster_kind kind = ROSTER_TABLES; kind <= ROSTER_EXTERNAL; kind++)
        for (size_t i = 0; roster_agent_info_at(i) != NULL; i++)
            for (size_t n = 1; takes(i, kind); n++) {
                roster_error err = {0};
                asked = 0;
                fail_at = n;
                int code = live(kind, roster_agent_info_at(i), &err);
                fail_at = 0;
                if (asked < n) {
                    assert_ok(code, &err);
                    break;
                }
                assert_refused(code, &err, ROSTER_ENOMEM, "out of memory");
                failures++;
            }
    print_message("%zu allocations made to fail\n", failures);
    assert_true(failures > 500);
}

/* Alarms and the test of the model: what fails leaves them as they were. */
static int guard(roster_error *err)
{
    roster_alarms *alarms = NULL;
    roster_model_test *a = NULL, *b = NULL;
    int code = roster_alarms_create(&alarms, world.experts, .01, err);
    if (code == ROSTER_OK)
        code = roster_model_test_create(&a, world.experts, .01, err);
    if (code == ROSTER_OK)
        code = roster_model_test_create(&b, world.experts, .01, err);
    for (size_t t = 0; t < ROUNDS && code == ROSTER_OK; t++) {
        unsigned raised;
        bool rejects;
        uint64_t rounds = roster_model_test_rounds(a);
        code = roster_alarms_learn(alarms, &events[t], &raised, err);
        if (code == ROSTER_OK)
            code = roster_model_test_learn(t % 2 == 0 ? a : b, &events[t], &rejects, err);
        if (code != ROSTER_OK)
            assert_int_equal(roster_model_test_rounds(a), rounds);
    }
    size_t size = alarms != NULL ? roster_alarms_save(alarms, before, sizeof before) : 0;
    if (code == ROSTER_OK)
        code = roster_alarms_load(alarms, before, size, err);
    size = b != NULL ? roster_model_test_save(b, before, sizeof before) : 0;
    if (code == ROSTER_OK)
        code = roster_model_test_load(b, before, size, err);
    if (code == ROSTER_OK)
        code = roster_model_test_merge(a, b, err);
    roster_alarms_free(alarms);
    roster_model_test_free(a);
    roster_model_test_free(b);
    return code;
}

static int study(const char *agent, roster_sampling sampling, roster_error *err)
{
    const roster_setting settings[] = {{"p_V", .01, NULL}, {"p_X", 0, "uniform"}, {"xi", 1e-4, NULL}, {NULL, 0, NULL}};
    roster_world *nature = NULL;
    roster_outcome outcome;
    int code = roster_world_create(&nature, world.experts, world.p, world.means, err);
    roster_episode episodes[2] = {{.world = nature, .rounds = 60}, {.world = nature, .rounds = 40}};
    roster_study s = {.experts = world.experts,
                      .episodes = episodes,
                      .n_episodes = 2,
                      .agent = agent,
                      .settings = agent[0] == 'e' ? settings : NULL,
                      .samples = 4,
                      .sampling = sampling,
                      .seed = 1};
    if (code == ROSTER_OK)
        code = roster_simulate(&s, 0, NULL, NULL, &outcome, NULL, err);
    roster_world_free(nature);
    return code;
}

static int contest(roster_error *err)
{
    const double half[] = {.5};
    roster_list lists[X * V];
    roster_world *nature = NULL;
    roster_results *results = NULL;
    for (size_t i = 0; i < X * V; i++)
        lists[i] = (roster_list){half, 1};
    int code = roster_world_create_lists(&nature, world.experts, world.p, lists, err);
    roster_episode episode = {.world = nature, .rounds = 30};
    roster_study s = {.experts = world.experts, .episodes = &episode, .n_episodes = 1, .agent = "d-ucb", .seed = 1};
    if (code == ROSTER_OK)
        code = roster_contest_run(&(roster_contest){.studies = &s, .agents = 1, .runs = 2}, &results, err);
    roster_results_free(results);
    roster_world_free(nature);
    return code;
}

/* Rounds by the lazy interface; an agent that cannot take them is as it was. */
static int lazily(roster_agent *agent, const roster_world *nature, roster_error *err)
{
    enum { BATCHES = 120 };
    roster_lazy *lazy = NULL;
    roster_batch batch = {0};
    double gain[V] = {1, 1, 1, 1};
    roster_rng stream;
    uint64_t t = 0;
    roster_rng_init(&stream, 5, 0, ROSTER_ROLE_WORLD);
    int code = roster_batch_init(&batch, V) == ROSTER_OK ? ROSTER_OK : ROSTER_ENOMEM;
    code = code == ROSTER_OK ? roster_lazy_create(&lazy, agent, err) : roster_fail_memory(err);
    for (size_t b = 0; b < BATCHES && code == ROSTER_OK; b++) {
        roster_certificate certificate = {.gain = gain};
        roster_event event;
        roster_lazy_certify(lazy, &certificate);
        roster_world_round(nature, &stream, ++t, certificate.k, &event);
        roster_batch_add(&batch, event.expert, event.action, event.reward);
        code = roster_lazy_learn(lazy, &batch, err);
        roster_batch_clear(&batch);
    }
    roster_batch_fini(&batch);
    if (code == ROSTER_OK)
        code = roster_lazy_finish(lazy, agent, err);
    else
        roster_lazy_free(lazy);
    assert_int_equal(roster_agent_rounds(agent), code == ROSTER_OK ? BATCHES : 0);
    return code;
}

/* Enough experts for most of them to be inactive. */
static int many_experts(roster_error *err)
{
    enum { MANY = 80, LENGTH = 300 };
    double tables[MANY * V], means[V];
    roster_experts *experts = NULL;
    roster_world *nature = NULL;
    roster_outcome outcome;
    roster_rng rng;
    roster_rng_init(&rng, 3, 0, 0);
    for (size_t i = 0; i < MANY; i++)
        random_distribution(&rng, V, .02, tables + i * V);
    for (size_t v = 0; v < V; v++)
        means[v] = (double)v / V;
    int code = roster_experts_tables(&experts, MANY, 1, V, tables, NULL, err);
    if (code == ROSTER_OK)
        code = roster_world_create(&nature, experts, NULL, means, err);
    roster_episode episode = {.world = nature, .rounds = LENGTH};
    roster_study s = {.experts = experts, .episodes = &episode, .n_episodes = 1, .agent = "d-ucb", .seed = 1};
    if (code == ROSTER_OK)
        code = roster_simulate(&s, 0, NULL, NULL, &outcome, NULL, err);
    roster_agent *agent = NULL;
    if (code == ROSTER_OK)
        code = roster_agent_create(&agent, "d-ucb", &(roster_problem){.experts = experts}, NULL, 1, 0, err);
    if (code == ROSTER_OK)
        code = lazily(agent, nature, err);
    roster_agent_free(agent);
    roster_world_free(nature);
    roster_experts_free(experts);
    return code;
}

static int bounds(roster_error *err)
{
    const roster_constants c = {.C = .02, .M = 3, .gamma = .1, .p_V = .01, .clip = 3};
    const double gaps[] = {0, .3, .5};
    double bound;
    int code = roster_theory_regret(&c, gaps, 3, &bound, err);
    if (code == ROSTER_OK)
        code = roster_theory_regret_empirical(&c, gaps, 3, &bound, err);
    if (code == ROSTER_OK)
        code = roster_theory_regret_lite(&c, gaps, 3, 1.25, 1000, &bound, err);
    return code;
}

static int other_work(int which, roster_error *err)
{
    const char *const agents[] = {"d-ucb", "ed-ucb", "ed-ucb"};
    if (which < 3)
        return study(agents[which], which == 2 ? ROSTER_ONLINE : ROSTER_OFFLINE, err);
    int (*const others[])(roster_error *) = {bounds, contest, many_experts, guard};
    return others[which - 3](err);
}

static void simulation_and_theory_fail_cleanly(void **state)
{
    (void)state;
    for (int which = 0; which < 7; which++)
        for (size_t n = 1;; n++) {
            roster_error err = {0};
            asked = 0;
            fail_at = n;
            int code = other_work(which, &err);
            fail_at = 0;
            if (asked < n) {
                assert_ok(code, &err);
                break;
            }
            assert_refused(code, &err, ROSTER_ENOMEM, "out of memory");
        }
}

/* After reserve neither choosing nor learning asks for memory; choosing never does. */
static void nothing_is_allocated_in_the_loop(void **state)
{
    (void)state;
    for (roster_kind kind = ROSTER_TABLES; kind <= ROSTER_EXTERNAL; kind++)
        for (size_t i = 0; roster_agent_info_at(i) != NULL; i++) {
            roster_error err;
            roster_experts *e;
            roster_agent *agent;
            double u[N];
            if (!takes(i, kind))
                continue;
            static const uint64_t waiting[N] = {0, 4, 0, 1, 2};
            assert_ok(make_experts(&e, kind, &err), &err);
            assert_ok(make_agent(&agent, e, roster_agent_info_at(i), &err), &err);
            assert_ok(roster_agent_reserve(agent, ROUNDS, &err), &err);
            asked = 0;
            for (size_t t = 0; t < ROUNDS; t++) {
                roster_agent_choose(agent);
                roster_agent_choose_waiting(agent, waiting, .5);
                roster_agent_index_waiting(agent, waiting, u);
                roster_agent_index(agent, u);
                assert_ok(roster_agent_learn(agent, &events[t], &err), &err);
            }
            assert_int_equal(asked, 0);
            roster_agent_free(agent);
            roster_experts_free(e);
        }
}

/* The environment is read when something is created. Another thread may change it later. */
static void the_environment_is_read_at_creation(void **state)
{
    (void)state;
    for (size_t i = 0; roster_agent_info_at(i) != NULL; i++) {
        roster_error err;
        roster_experts *e;
        roster_agent *agent;
        roster_constants constants;
        double m[N];
        looked = 0;
        assert_ok(make_experts(&e, ROSTER_TABLES, &err), &err);
        assert_ok(make_agent(&agent, e, roster_agent_info_at(i), &err), &err);
        assert_true(looked > 0);
        looked = 0;
        for (size_t t = 0; t < ROUNDS; t++)
            assert_ok(roster_agent_learn(agent, &events[t], &err), &err);
        roster_divergence_column(e, NULL, false, 0, m);
        roster_agent_constants(agent, &constants, NULL);
        assert_ok(roster_agent_reserve(agent, ROUNDS, &err), &err);
        assert_int_equal(looked, 0);
        roster_agent_free(agent);
        roster_experts_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_fails),
        cmocka_unit_test(simulation_and_theory_fail_cleanly),
        cmocka_unit_test(nothing_is_allocated_in_the_loop),
        cmocka_unit_test(the_environment_is_read_at_creation),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
