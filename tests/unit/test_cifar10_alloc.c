/*
 * test_cifar10_alloc.c: every allocation behind cifar10_create is made to fail in turn. What fails says so and leaks
 * nothing (the sanitizers watch).
 *
 * Linked with --wrap=malloc,--wrap=calloc,--wrap=realloc.
 */
#include "failing_memory.h"
#include "cifar10_batches.h"

static void every_allocation_fails(void **state)
{
    (void)state;
    char folder[] = "test_cifar10.XXXXXX";
    assert_non_null(mkdtemp(folder));
    batches_write(folder, 10, 10, 10);
    cifar10_options options = {.folder = folder, .seed = 1, .patches = 1, .kept = 1, .threads = 1};
    bool failed = true;
    for (fail_at = 1; failed; fail_at++) {
        cifar10 *made = (cifar10 *)&made;
        roster_error err;
        asked = 0;
        int code = cifar10_create(&made, &options, &err);
        failed = asked >= fail_at;
        if (failed) {
            assert_refused(code, &err, ROSTER_ENOMEM, "out of memory");
            assert_null(made);
        } else {
            assert_ok(code, &err);
            cifar10_free(made);
        }
    }
    assert_true(fail_at > 40);
    fail_at = 0;
    batches_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
