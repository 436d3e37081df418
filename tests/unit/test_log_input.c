/*
 * test_log_input.c: bytes, lines, numbers and labels of logs (src/evaluate/read/).
 */
#include "support.h"

#include "log_input.h"
#include "log_labels.h"
#include "log_number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void make(const char *bytes, size_t size)
{
    strcpy(path, "test_log_input_XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, size), size);
    close(file);
}

/* "hello, log\n" 20,000 times, packed by a tool; false: it is not there. */
static bool pack(const char *tool)
{
    char command[200];
    make("", 0);
    snprintf(command, sizeof command, "yes 'hello, log' | head -20000 | %s >%s 2>/dev/null", tool, path);
    return system(command) == 0;
}

static void expect_lines(size_t n)
{
    log_input *input;
    roster_error err;
    char *text = malloc(1 << 20);
    assert_non_null(text);
    assert_ok(log_input_open(&input, path, &err), &err);
    size_t head, size;
    assert_int_equal(memcmp(log_input_head(input, &head), "hello, log\n", 11), 0);
    size = log_input_read(input, text, 7);
    size += log_input_read(input, text + size, (1 << 20) - size);
    assert_null(log_input_fault(input));
    assert_int_equal(size, 11 * n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(memcmp(text + 11 * i, "hello, log\n", 11), 0);
    log_input_close(input);
    unlink(path);
    free(text);
}

static void input_plain(void **state)
{
    (void)state;
    assert_true(pack("cat"));
    expect_lines(20000);
}

static void packed_tools(void **state)
{
    static const char *const tools[] = {"gzip -c", "zstd -c", "xz -c"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char command[400];
        snprintf(command, sizeof command, "command -v %s >/dev/null", tools[i]);
        if (system(command) != 0)
            continue;
        assert_true(pack(tools[i]));
        expect_lines(20000);
        assert_true(pack(tools[i]));
        snprintf(command, sizeof command, "cp %s %s.2 && cat %s.2 >>%s && rm %s.2", path, path, path, path, path);
        assert_int_equal(system(command), 0);
        expect_lines(40000);
    }
}

static void packed_and_cut(void **state)
{
    static const char *const tools[] = {"gzip -c", "xz -c", "zstd -c"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char command[400], where[64];
        log_input *input;
        roster_error err;
        snprintf(command, sizeof command, "command -v %s >/dev/null", tools[i]);
        if (system(command) != 0)
            continue;
        assert_true(pack(tools[i]));
        strcpy(where, path);
        snprintf(command, sizeof command, "head -c -9 %s >%s.2 && mv %s.2 %s", where, where, where, where);
        assert_int_equal(system(command), 0);
        int code = log_input_open(&input, where, &err);
        char *text = malloc(1 << 20);
        assert_non_null(text);
        while (code == ROSTER_OK && log_input_read(input, text, 1 << 20) == 1 << 20)
            ;
        assert_true(code != ROSTER_OK || log_input_fault(input) != NULL);
        log_input_close(code == ROSTER_OK ? input : NULL);
        free(text);
        unlink(where);
    }
}

static void input_missing(void **state)
{
    (void)state;
    log_input *input;
    roster_error err;
    assert_int_equal(log_input_open(&input, "/nowhere/at/all", &err), ROSTER_EINVAL);
    assert_string_equal(err.msg, "/nowhere/at/all cannot be read: No such file or directory");
    assert_null(input);
}

static void numbers_are_exact(void **state)
{
    static const char *const good[] = {"0",
                                       "-0",
                                       "1",
                                       "0.1",
                                       "-12.5",
                                       "1e-5",
                                       "1E+300",
                                       ".5",
                                       "5.",
                                       "0.029411764705882353",
                                       "+3",
                                       "1e-400",
                                       "0.30000000000000004",
                                       "123456789012345678901234567890"};
    static const char *const bad[] = {"",     "-",  ".",  "e5",  "1e",    "nan", "inf",
                                      "0x10", " 1", "1 ", "1,5", "1e999", "--1"};
    double x;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_true(log_number(good[i], strlen(good[i]), &x));
        assert_true(x == strtod(good[i], NULL));
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(log_number(bad[i], strlen(bad[i]), &x));
    roster_rng rng;
    roster_rng_init(&rng, 1, 0, 0);
    for (int i = 0; i < 20000; i++) {
        char text[40];
        snprintf(text, sizeof text, "%.*g", 1 + i % 17, roster_rng_uniform(&rng) * (i % 3 == 0 ? 1e6 : 1));
        assert_true(log_number(text, strlen(text), &x));
        assert_true(x == strtod(text, NULL));
    }
}

static void labels_are_numbered(void **state)
{
    (void)state;
    log_labels labels = {0};
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 5000; i++) {
            char text[40];
            snprintf(text, sizeof text, i % 2 == 0 ? "%d" : "a longer label %d", i);
            assert_int_equal(log_labels_add(&labels, text, strlen(text)), i);
            assert_string_equal(log_labels_name(&labels, (uint32_t)i), text);
        }
    assert_int_equal(log_labels_count(&labels), 5000);
    assert_int_equal(log_labels_find(&labels, "7000", 4), LOG_NONE);
    log_labels_free(&labels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(input_plain),   cmocka_unit_test(packed_tools),      cmocka_unit_test(packed_and_cut),
        cmocka_unit_test(input_missing), cmocka_unit_test(numbers_are_exact), cmocka_unit_test(labels_are_numbered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
