/*
 * test_cli.c: of the command line what tests/cli cannot reach: the progress bar, the line to be typed again
 * (src/common/cli_progress.c, cli_call.c).
 */
#include "support.h"

#include "cli_program.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- progress ---- */

/* What a bar that has been going on for `spent` seconds shows on stderr. */
static void check_progress(cli_progress *bar, double spent, uint64_t done, const char *expected)
{
    char text[200] = "";
    FILE *file = tmpfile();
    int before = dup(STDERR_FILENO);
    assert_non_null(file);
    bar->started -= spent;
    dup2(fileno(file), STDERR_FILENO);
    cli_progress_show(bar, done);
    cli_progress_end(bar);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    assert_string_equal(text, expected);
}

static void progress_says_what_is_left(void **state)
{
    (void)state;
    cli_progress bar;
    cli_progress_start(&bar, "reading", 100);
    bar.terminal = true;
    check_progress(&bar, 12, 40, "\rreading  [########............]   40%  0:12, 0:18 left\033[K\r\033[K");
    cli_progress_start(&bar, "reading", 100);
    bar.terminal = true;
    check_progress(&bar, 3600, 100, "\rreading  [####################]  100%  1:00:00, 0:00 left\033[K\r\033[K");
    cli_progress_start(&bar, "reading", 100);
    bar.terminal = true;
    check_progress(&bar, 3, 0, "\rreading  [....................]    0%  0:03, - left\033[K\r\033[K");
    cli_progress_start(&bar, "reading", 0);
    bar.terminal = true;
    check_progress(&bar, 75, 5, "\rreading  1:15\033[K\r\033[K");
}

static void progress_is_patient(void **state)
{
    (void)state;
    cli_progress bar;
    cli_progress_start(&bar, "reading", 100);
    bar.terminal = true;
    check_progress(&bar, 1.5, 50, "");
    cli_progress_start(&bar, "reading", 100);
    bar.terminal = false;
    check_progress(&bar, 60, 50, "");
}

/* ---- the line to be typed again ---- */

static int run_nothing(const cli_call *call)
{
    (void)call;
    return 0;
}

static void line_is_quoted(void **state)
{
    (void)state;
    static const cli_option options[] = {{.name = "out", .argument = "FILE", .help = ""}, {.name = NULL}};
    static const cli_command command = {
        .name = "do", .arguments = "", .most = 9, .options = options, .run = run_nothing};
    char *argv[] = {"bin/roster", "do", "plain-1.json", "two words", "it's", "", "--out=$x", NULL};
    cli_call call;
    bool help;
    assert_int_equal(cli_call_init(&call, &command, 7, argv, &help), 0);
    assert_string_equal(call.line, "roster do plain-1.json 'two words' 'it'\\''s' '' '--out=$x'");
    assert_string_equal(cli_value(&call, "out"), "$x");
    assert_null(cli_value(&call, "other"));
    assert_int_equal(call.n_args, 4);
    assert_false(help);
    cli_call_fini(&call);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_says_what_is_left),
        cmocka_unit_test(progress_is_patient),
        cmocka_unit_test(line_is_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
