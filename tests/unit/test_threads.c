/*
 * test_threads.c: the thread contract of roster.h, also run under ThreadSanitizer: different agents on the same experts
 * and worlds need no locks, and reads of one agent may overlap.
 */
#include "support.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, RUNS = 6, ROUNDS = 300 };

typedef struct job {
    const roster_study *study;
    const roster_agent *agent;       /* read by all */
    const roster_evidence *evidence; /* the same    */
    size_t first;
    double regret[RUNS];
    double index[5];
    unsigned char bytes[1 << 15];
    size_t size, choice;
} job;

static void *simulate(void *context)
{
    job *j = context;
    for (size_t run = 0; run < RUNS; run++) {
        roster_outcome outcome;
        if (roster_simulate(j->study, j->first + run, NULL, NULL, &outcome, NULL, NULL) != ROSTER_OK)
            return NULL;
        j->regret[run] = outcome.regret;
    }
    return j;
}

static void *look(void *context)
{
    job *j = context;
    for (int i = 0; i < 200; i++) {
        j->choice = roster_agent_choose(j->agent);
        roster_agent_index(j->agent, j->index);
        j->size = roster_agent_save(j->agent, j->bytes, sizeof j->bytes);
    }
    return j;
}

static void *find(void *context)
{
    job *j = context;
    for (int i = 0; i < 100; i++) {
        roster_finding finding;
        roster_evidence_find(j->evidence, (size_t)i % 5, &finding);
        j->index[i % 5] = finding.value.high;
        j->choice = roster_evidence_known(j->evidence) ? 5 : roster_evidence_leader(j->evidence);
        j->regret[0] = roster_evidence_until_known(j->evidence).value;
        j->size = roster_evidence_save(j->evidence, j->bytes, sizeof j->bytes);
    }
    return j;
}

static void run_all(job *jobs, void *(*work)(void *))
{
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    for (size_t i = 0; i < THREADS; i++) {
        void *done;
        assert_int_equal(pthread_join(threads[i], &done), 0);
        assert_ptr_equal(done, &jobs[i]);
    }
}

/* Runs spread over threads give what they give one after the other, to the bit. */
static void runs_do_not_depend_on_threads(void **state)
{
    (void)state;
    const char *const agents[] = {"d-ucb", "ed-ucb", "d-ucb-lite", "kl-ucb"};
    const roster_setting estimated[] = {{"p_V", .01, NULL}, {"p_X", 0, "uniform"}, {"xi", 1e-3, NULL}, {NULL, 0, NULL}};
    roster_error err;
    roster_rng rng;
    instance in;
    roster_world *world;
    job *jobs = calloc(THREADS, sizeof *jobs);
    roster_rng_init(&rng, 3, 0, 0);
    instance_random(&in, &rng, 5, 4, 4, .01);
    assert_ok(roster_world_create(&world, in.experts, in.p, in.means, &err), &err);
    const roster_episode episodes[] = {{.world = world, .rounds = ROUNDS}, {.world = world, .rounds = ROUNDS}};
    for (size_t a = 0; a < 4; a++) {
        roster_study study = {.experts = in.experts,
                              .episodes = episodes,
                              .n_episodes = 2,
                              .agent = agents[a],
                              .samples = 1000,
                              .settings = agents[a][0] == 'e' ? estimated : NULL,
                              .seed = 9};
        for (size_t i = 0; i < THREADS; i++)
            jobs[i] = (job){.study = &study, .first = i * RUNS};
        run_all(jobs, simulate);
        for (size_t run = 0; run < THREADS * RUNS; run++) {
            roster_outcome alone;
            assert_ok(roster_simulate(&study, run, NULL, NULL, &alone, NULL, &err), &err);
            assert_true(alone.regret == jobs[run / RUNS].regret[run % RUNS]);
        }
    }
    free(jobs);
    roster_world_free(world);
    instance_free(&in);
}

static void one_agent_may_be_read_by_many(void **state)
{
    (void)state;
    roster_error err;
    roster_rng rng;
    instance in;
    job *jobs = calloc(THREADS, sizeof *jobs);
    roster_rng_init(&rng, 4, 0, 0);
    instance_random(&in, &rng, 5, 4, 4, .01);
    for (size_t a = 0; roster_agent_info_at(a) != NULL; a++) {
        const roster_agent_info *info = roster_agent_info_at(a);
        const roster_setting estimated[] = {{"p_V", .01, NULL}, {"p_X", .1, NULL}, {"xi", 1e-3, NULL}, {NULL, 0, NULL}};
        const double values[5] = {0};
        roster_setting settings[SETTINGS];
        roster_agent *agent;
        roster_problem problem = {in.experts, NULL, values};
        assert_ok(
            roster_agent_create(&agent, info->name, &problem, settings_taken(info, estimated, settings), 1, 0, &err),
            &err);
        for (int t = 0; t < 100; t++) {
            roster_event event = random_event(&in, &rng, roster_agent_choose(agent), false);
            assert_ok(roster_agent_learn(agent, &event, &err), &err);
        }
        for (size_t i = 0; i < THREADS; i++)
            jobs[i] = (job){.agent = agent};
        run_all(jobs, look);
        for (size_t i = 1; i < THREADS; i++) {
            assert_int_equal(jobs[i].choice, jobs[0].choice);
            assert_memory_equal(jobs[i].index, jobs[0].index, sizeof jobs[0].index);
            assert_int_equal(jobs[i].size, jobs[0].size);
            assert_true(jobs[i].size <= sizeof jobs[0].bytes);
            assert_memory_equal(jobs[i].bytes, jobs[0].bytes, jobs[0].size);
        }
        roster_agent_free(agent);
    }
    free(jobs);
    instance_free(&in);
}

static void one_evidence_may_be_read_by_many(void **state)
{
    (void)state;
    roster_error err;
    roster_rng rng;
    instance in;
    roster_evidence *evidence;
    job *jobs = calloc(THREADS, sizeof *jobs);
    roster_rng_init(&rng, 4, 0, 0);
    instance_random(&in, &rng, 5, 4, 4, .01);
    assert_ok(roster_evidence_create(&evidence, in.experts, .95, &err), &err);
    for (int t = 0; t < 300; t++) {
        roster_event event = random_event(&in, &rng, (size_t)t % 5, false);
        assert_ok(roster_evidence_learn(evidence, &event, &err), &err);
    }
    for (size_t i = 0; i < THREADS; i++)
        jobs[i] = (job){.evidence = evidence};
    run_all(jobs, find);
    for (size_t i = 1; i < THREADS; i++) {
        assert_int_equal(jobs[i].size, jobs[0].size);
        assert_memory_equal(jobs[i].bytes, jobs[0].bytes, jobs[0].size);
        assert_memory_equal(jobs[i].index, jobs[0].index, sizeof jobs[0].index);
    }
    free(jobs);
    roster_evidence_free(evidence);
    instance_free(&in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_do_not_depend_on_threads),
        cmocka_unit_test(one_agent_may_be_read_by_many),
        cmocka_unit_test(one_evidence_may_be_read_by_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
