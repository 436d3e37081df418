/*
 * test_experiment_alloc.c: every allocation while an experiment is read is made to fail in turn. Reading then says so
 * and leaks nothing (the sanitizers and valgrind watch).
 *
 * Linked with --wrap=malloc, --wrap=calloc and --wrap=realloc. The JSON parser can be told to ask here too; of its own
 * failures it may say that the text is wrong, and it has been seen to lose a letter, but it must not crash or leak.
 */
#include "failing_memory.h"
#include "support.h"

#include "experiment.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char roster[] = "{\"contexts\":[\"a\",\"b\"],\"actions\":2,\"experts\":[{\"name\":\"old\",\"table\":"
                             "[[0.1,0.9],[0.3,0.7]],\"counts\":[[1,9],[3,7]]},{\"table\":[[0.5,0.5],[0.5,0.5]]}]}";
static const char rewards[] = "{\"contexts\":[\"a\",\"b\"],\"actions\":2,\"rewards\":[[[0,1],[1]],[[1],[0.5]]]}";
static const char tables[] =
    "{\"experts\":\"roster.json\",\"episodes\":[{\"rounds\":9,\"rewards\":\"rewards.json\"},{\"rounds\":5,"
    "\"repeat\":2,\"context_probabilities\":[0.5,0.5],\"reward_means\":[[0.5,1],[0,1]]}],\"agents\":[{\"agent\":"
    "\"ucb\"},"
    "{\"agent\":\"ed-ucb\",\"p_V\":0.1,\"p_X\":0.5,\"xi\":0.01,\"samples\":9,\"prior\":[0.5,0.5]}],\"runs\":1}";
static const char sweep[] =
    "{\"contexts\":2,\"actions\":[\"u\",\"v\"],\"experts\":{\"random\":{\"count\":3}},\"episodes\":[{\"rounds\":9,"
    "\"context_probabilities\":{\"random\":{}},\"reward_means\":{\"random\":{}}}],\"agents\":[{\"agent\":\"d-ucb\"},"
    "{\"agent\":\"d-ucb\",\"C\":1}],\"runs\":1,\"sweep\":{\"path\":\"experts.random.count\",\"values\":[1,2]}}";
static const char gaps[] = "{\"experts\":{\"gaps\":{\"count\":3,\"smallest\":0.1,\"floor\":0.1}},\"episodes\":"
                           "[{\"rounds\":9}],\"agents\":[{\"agent\":\"oracle\"}],\"runs\":1}";
static const char models[] =
    "{\"contexts\":3,\"actions\":2,\"experts\":{\"softmax\":{\"count\":3,\"features\":2,\"spread\":1}},\"episodes\":"
    "[{\"rounds\":9,\"reward_means\":{\"softmax\":{\"spread\":1}}}],\"agents\":[{\"agent\":\"mixture\"}],\"runs\":1}";

static const char warm[] =
    "{\"contexts\":[\"a\",\"b\"],\"actions\":2,\"experts\":[{\"table\":[[0.1,0.9],[0.3,0.7]]},{\"table\":[[0.5,0.5],"
    "[0.5,0.5]]}],\"episodes\":[{\"rounds\":9,\"reward_means\":[[0.5,1],[0,1]]}],\"agents\":[{\"agent\":\"d-ucb\","
    "\"warm_start\":{\"log\":\"log.csv\",\"discount\":0.5}}],\"runs\":1}";
static const char logged[] = "context,action,expert,reward\na,0,1,1\nb,1,0,0.5\na,0,1,0\n";

/* Reads with the n-th allocation failing until none does. All must say so if `exact`; returns how many said so. */
static size_t count_failures(const char *path, bool exact)
{
    const uint64_t seed = 3;
    const experiment_changes changes = {.seed = &seed, .agents = path[0] == 't' ? "ucb" : NULL};
    size_t failures = 0;
    for (size_t n = 1; n == 1 || asked >= n - 1; n++) {
        experiment *e = NULL;
        roster_error err;
        asked = 0;
        fail_at = n;
        int code = experiment_read(&e, path, &changes, &err);
        fail_at = 0;
        if (exact && asked >= n)
            assert_refused(code, &err, ROSTER_ENOMEM, "out of memory");
        failures += code == ROSTER_ENOMEM;
        assert_true((e != NULL) == (code == ROSTER_OK));
        experiment_free(e);
    }
    return failures;
}

static const char *const files[] = {"roster.json", "rewards.json", "log.csv",     "tables.json",
                                    "sweep.json",  "gaps.json",    "models.json", "warm.json"};
static const char *const texts[] = {roster, rewards, logged, tables, sweep, gaps, models, warm};
enum { FIRST = 3, FILES = 8 }; /* of experiments */

static int setup(void **state)
{
    int code = enter_folder(state);
    for (size_t i = 0; i < FILES && code == 0; i++)
        write_file(files[i], texts[i]);
    return code;
}

static int teardown(void **state)
{
    folder_empty(".");
    return leave_folder(state);
}

static void own_allocations_fail(void **state)
{
    (void)state;
    for (size_t i = FIRST; i < FILES; i++)
        assert_true(count_failures(files[i], true) > 25);
}

static void parsers_allocations_fail(void **state)
{
    (void)state;
    json_set_alloc_funcs(__wrap_malloc, free);
    for (size_t i = FIRST; i < FILES; i++)
        assert_true(count_failures(files[i], false) > 50);
    json_set_alloc_funcs(__real_malloc, free);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(own_allocations_fail),
                                       cmocka_unit_test(parsers_allocations_fail)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
