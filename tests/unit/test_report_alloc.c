/*
 * test_report_alloc.c: every allocation of the writers and the reader of reports is made to fail in turn. What fails
 * says so and leaks nothing (the sanitizers and valgrind watch).
 *
 * Linked with --wrap=calloc; jansson is given an allocator of its own. It takes some failures for a fault of the text.
 */
#include "failing_memory.h"
#include "report_study.h"

static void *failing_malloc(size_t size)
{
    return ++asked == fail_at ? NULL : malloc(size);
}

typedef int (*work)(void *context, roster_error *err);

/* One after the other fails until none is left to fail; every failure has its sentence. Where only our own allocations
   fail that is always the same. */
static void fail_everywhere(work what, void *context, bool ours)
{
    json_set_alloc_funcs(ours ? malloc : failing_malloc, free);
    fail_at = 1;
    do {
        roster_error err = {0, ""};
        asked = 0;
        int code = what(context, &err);
        if (ours && asked >= fail_at)
            assert_refused(code, &err, ROSTER_ENOMEM, "out of memory");
        else if (code != ROSTER_OK)
            assert_true(err.code == code && err.msg[0] != 0);
        else
            assert_true(!ours || asked < fail_at);
    } while (asked >= fail_at++);
    fail_at = 0;
    json_set_alloc_funcs(malloc, free);
}

typedef struct job {
    done done;
    int (*write)(const report *, FILE *, roster_error *);
    const char *path;
    size_t size; /* of what is written when nothing fails; 0: not known yet */
} job;

static int write_it(void *context, roster_error *err)
{
    job *j = context;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int code = j->write(&j->done.report, out, err);
    fclose(out);
    if (code == ROSTER_OK && j->size > 0)
        assert_int_equal(size, j->size);
    j->size = code == ROSTER_OK ? size : j->size;
    free(text);
    return code;
}

static void writers_say_so(void **state)
{
    (void)state;
    int (*const writers[])(const report *, FILE *, roster_error *) = {report_json, report_csv, report_html,
                                                                      report_table};
    job j;
    run_all(&j.done, toy, 2);
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        j.write = writers[i];
        j.size = 0;
        fail_everywhere(write_it, &j, true);
        fail_everywhere(write_it, &j, false);
    }
    fini(&j.done);
}

static int read_it(void *context, roster_error *err)
{
    job *j = context;
    uint64_t shard, shards;
    return report_read(j->path, j->done.experiment, j->done.results, &shard, &shards, err);
}

static int read_experiment(void *context, roster_error *err)
{
    job *j = context;
    experiment *again;
    int code = report_read_experiment(j->path, &again, err);
    if (code == ROSTER_OK)
        experiment_free(again);
    else
        assert_null(again);
    return code;
}

/* A file small enough to fail at each of its allocations. */
static void readers_say_so(void **state)
{
    (void)state;
    experiment_changes changes = {.runs = 1, .rounds = 2};
    job j;
    run_part(&j.done, toy, &changes, 0, 1);
    char *text = written(report_json, &j.done.report), *path = saved(text);
    j.path = path;
    fail_everywhere(read_it, &j, false);
    fail_everywhere(read_experiment, &j, false);
    forget(path);
    free(text);
    fini(&j.done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writers_say_so),
        cmocka_unit_test(readers_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
