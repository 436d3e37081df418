/*
 * test_clock.c: service time under wall clocks that jump, were ahead, go back and drift.
 */
#include "support.h"

#include "server_clock.h"

#define SECOND INT64_C(1000000)
#define HOUR (3600 * SECOND)
#define DAY (24 * HOUR)
static const int64_t START = INT64_C(1800000000) * SECOND, BOOT = 77 * SECOND;

/* A machine: its wall clock is off by `wrong`. Every 50 ms the server asks; the steps that it saw are counted. */
typedef struct machine {
    server_time time;
    int64_t steady, wrong, last;
} machine;

static machine booted(int64_t wrong, int64_t last)
{
    machine m = {.steady = BOOT, .wrong = wrong};
    server_time_start(&m.time, START + wrong, BOOT, last);
    m.last = server_time_now(&m.time, BOOT);
    return m;
}

static int64_t now(const machine *m)
{
    return server_time_now(&m->time, m->steady);
}

/* True time goes on. Service time goes on with it, within a tenth of its rate, always. */
static void run(machine *m, int64_t passed)
{
    for (int64_t end = m->steady + passed; m->steady < end;) {
        int64_t tick = end - m->steady < 50000 ? end - m->steady : 50000;
        m->steady += tick;
        if (m->steady - m->time.compared >= SECOND)
            server_time_compare(&m->time, START + (m->steady - BOOT) + m->wrong, m->steady);
        int64_t gone = now(m) - m->last;
        assert_true(gone >= tick - tick / 10 - 1 && gone <= tick + tick / 10 + 1);
        m->last = now(m);
    }
}

static void a_right_clock_is_followed(void **state)
{
    (void)state;
    machine m = booted(0, 0);
    run(&m, 10 * SECOND);
    assert_int_equal(now(&m), START + 10 * SECOND);
    assert_int_equal(m.time.steps, 0);
    assert_int_equal(server_time_offset(&m.time, m.steady), 0);
}

/* Two hours ahead for 0.3 s, whether somebody looks meanwhile or not. */
static void a_short_jump_does_nothing(void **state)
{
    (void)state;
    for (int64_t at = 0; at < SECOND; at += SECOND / 4) {
        machine m = booted(0, 0);
        run(&m, 5 * SECOND + at);
        m.wrong = 2 * HOUR;
        run(&m, 3 * SECOND / 10);
        m.wrong = 0;
        run(&m, 5 * SECOND);
        int64_t error = now(&m) - START - 10300000 - at;
        assert_true(error >= -200000 && error <= 200000);
        assert_true(m.time.steps == 0 || m.time.steps == 2);
    }
}

/* A run with a clock that was 10 days ahead; the next one is right. Time goes on from there, a little slower. */
static void a_clock_that_was_ahead_does_not_stop_time(void **state)
{
    (void)state;
    machine before = booted(10 * DAY, 0);
    run(&before, 60 * SECOND);
    machine m = booted(0, now(&before));
    assert_true(now(&m) == now(&before));
    assert_true(server_time_offset(&m.time, m.steady) == 10 * DAY + 60 * SECOND);
    run(&m, 100 * SECOND);
    assert_true(now(&m) - now(&before) >= 89 * SECOND && now(&m) - now(&before) <= 91 * SECOND);
}

static void a_forward_step_is_taken_over_slowly(void **state)
{
    (void)state;
    machine m = booted(0, 0);
    run(&m, 5 * SECOND);
    m.wrong = 10 * SECOND;
    run(&m, 50 * SECOND);
    assert_int_equal(m.time.steps, 1);
    int64_t ahead = now(&m) - START - 55 * SECOND;
    assert_true(ahead > 4 * SECOND && ahead < 6 * SECOND);
    run(&m, 60 * SECOND);
    assert_int_equal(now(&m), START + 115 * SECOND + 10 * SECOND);
}

/* Never rewound: time runs slower until the wall clock is there. */
static void a_backward_step_is_taken_over_slowly(void **state)
{
    (void)state;
    machine m = booted(0, 0);
    run(&m, 5 * SECOND);
    m.wrong = -10 * SECOND;
    run(&m, 50 * SECOND);
    assert_int_equal(m.time.steps, 1);
    assert_true(server_time_offset(&m.time, m.steady) > 4 * SECOND);
    run(&m, 60 * SECOND);
    assert_int_equal(now(&m), START + 115 * SECOND - 10 * SECOND);
    assert_int_equal(server_time_offset(&m.time, m.steady), 0);
}

/* A command takes a forward step over at once, and a backward one never. */
static void adopting(void **state)
{
    (void)state;
    machine m = booted(0, 0);
    run(&m, 5 * SECOND);
    m.wrong = DAY;
    run(&m, 2 * SECOND);
    int64_t before = now(&m), wall = START + 7 * SECOND + DAY;
    assert_true(server_time_adopt(&m.time, wall, m.steady) == wall - before);
    assert_true(now(&m) == wall);
    m.last = now(&m);
    assert_true(server_time_adopt(&m.time, wall - HOUR, m.steady) == 0);
    assert_true(now(&m) == wall);
    assert_true(server_time_offset(&m.time, m.steady) == HOUR);
}

/* Asked a million times a second it goes on as if asked once. */
static void often_asked(void **state)
{
    (void)state;
    machine m = booted(0, 0);
    server_time_compare(&m.time, START + 5 * SECOND, m.steady);
    int64_t last = now(&m);
    for (int i = 0; i < 1000000; i++) {
        m.steady++;
        assert_true(now(&m) >= last && now(&m) - last <= 2);
        last = now(&m);
    }
    assert_int_equal(last, START + SECOND + SECOND / 10);
    assert_int_equal(server_time_now(&m.time, 0), START);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_right_clock_is_followed),
        cmocka_unit_test(a_short_jump_does_nothing),
        cmocka_unit_test(a_clock_that_was_ahead_does_not_stop_time),
        cmocka_unit_test(a_forward_step_is_taken_over_slowly),
        cmocka_unit_test(a_backward_step_is_taken_over_slowly),
        cmocka_unit_test(adopting),
        cmocka_unit_test(often_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
