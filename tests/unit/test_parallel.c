/*
 * test_parallel.c: pieces of work on several threads (src/datasets/parallel.c).
 */
#include "support.h"

#include "datasets_internal.h"

enum { PIECES = 1000, THREADS = 4 };

typedef struct done {
    unsigned times[PIECES];
    unsigned shown, last;
} done;

static void count(void *context, size_t piece, unsigned worker)
{
    done *self = context;
    assert_true(worker < THREADS);
    self->times[piece]++;
}

static void show(void *user, const char *what, uint64_t at, uint64_t total)
{
    done *self = user;
    assert_string_equal(what, "counting");
    assert_int_equal(total, PIECES);
    self->shown++;
    self->last = (unsigned)at;
}

static void parallel_does_every_piece_once(void **state)
{
    (void)state;
    for (unsigned threads = 0; threads <= THREADS; threads++) {
        done all = {.shown = 0};
        data_watch watch = {show, &all};
        data_parallel(threads, PIECES, count, &all, &watch, "counting");
        for (size_t i = 0; i < PIECES; i++)
            assert_int_equal(all.times[i], 1);
        assert_true(all.shown > 0 && all.last <= PIECES);
        if (threads <= 1)
            assert_int_equal(all.last, PIECES);
    }
}

static void parallel_of_nothing(void **state)
{
    (void)state;
    done all = {.shown = 0};
    data_watch watch = {NULL, NULL};
    data_parallel(2, 0, count, &all, &watch, NULL);
    assert_int_equal(all.times[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parallel_does_every_piece_once),
        cmocka_unit_test(parallel_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
