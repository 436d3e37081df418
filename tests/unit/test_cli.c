/*
 * test_cli.c: the pieces under the commands that tests/cli cannot reach: the CSV reader at the edges of its window,
 * files whose writing fails, the progress bar.
 */
#include "support.h"

#include "cli.h"
#include "csv_reader.h"
#include "bench_floor.h"
#include "cli_program.h"
#include "output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- CSV ---- */

/* A text being read. */
typedef struct source {
    FILE *stream;
    csv_reader *reader;
    csv_record r;
} source;

static void open_text(source *s, const char *text, size_t size)
{
    s->stream = tmpfile();
    assert_non_null(s->stream);
    assert_int_equal(fwrite(text, 1, size, s->stream), size);
    rewind(s->stream);
    s->reader = csv_create(s->stream);
    assert_non_null(s->reader);
}

static void close_text(source *s)
{
    csv_free(s->reader);
    fclose(s->stream);
}

/* Reads the text and compares it with what is expected: "line:field|field;", "line!reason;". */
static void expect(const char *text, size_t size, const char *expected)
{
    char seen[1000] = "";
    source s;
    open_text(&s, text, size);
    for (csv_status status; (status = csv_next(s.reader, &s.r)) != CSV_END;) {
        size_t n = strlen(seen);
        assert_int_not_equal(status, CSV_FAILED);
        n += (size_t)snprintf(seen + n, sizeof seen - n, "%llu%s", (unsigned long long)s.r.line,
                              status == CSV_RECORD ? ":" : "!");
        if (status == CSV_DAMAGED)
            n += (size_t)snprintf(seen + n, sizeof seen - n, "%s", s.r.reason);
        for (size_t i = 0; status == CSV_RECORD && i < s.r.n; i++)
            n += (size_t)snprintf(seen + n, sizeof seen - n, "%s%s", i > 0 ? "|" : "", s.r.fields[i]);
        snprintf(seen + n, sizeof seen - n, ";");
    }
    assert_string_equal(seen, expected);
    assert_int_equal(csv_bytes(s.reader), size);
    close_text(&s);
}

#define EXPECT(text, expected) expect(text, sizeof text - 1, expected)

static void csv_fields(void **state)
{
    (void)state;
    EXPECT("", "");
    EXPECT("a", "1:a;");
    EXPECT("a,b\nc,d", "1:a|b;2:c|d;");
    EXPECT("a,b\r\nc,d\r\n", "1:a|b;2:c|d;");
    EXPECT("\xef\xbb\xbf"
           "a,b\n\xef\xbb\xbf"
           "c\n",
           "1:a|b;2:\xef\xbb\xbf"
           "c;");
    EXPECT(",\n,,\n\"\"\n", "1:|;2:||;3:;");
    EXPECT(" a , b \n", "1: a | b ;");
    EXPECT("\n\r\n\na\n\n\n", "4:a;");
    EXPECT("a\r", "1:a;");
    EXPECT("\r", "");
}

static void csv_quotes(void **state)
{
    (void)state;
    EXPECT("\"a\",\"b,c\",\"d\"\"e\"\n", "1:a|b,c|d\"e;");
    EXPECT("\"a\nb\r\nc\",d\ne\n", "1:a\nb\r\nc|d;4:e;");
    EXPECT("\"\"\"\"\n", "1:\";");
    EXPECT("\"a\"", "1:a;");
    EXPECT("\"a\"\r\n", "1:a;");
}

static void csv_damage_costs_one_line(void **state)
{
    (void)state;
    const char *behind = "has something behind a closing quote that is no comma";
    char expected[300];
    EXPECT("a,\"b\nc,d\ne,f\n", "1!has a quote that is not closed within 65536 bytes;2:c|d;3:e|f;");
    EXPECT("a\"b\nc\n", "1!has a quote inside of a field that does not begin with one;2:c;");
    snprintf(expected, sizeof expected, "1!%s;2:c;", behind);
    EXPECT("\"a\"b\nc\n", expected);
    snprintf(expected, sizeof expected, "1!%s;2!%s;3:e;", behind, behind);
    EXPECT("\"a\n\"b\"c\ne\n", expected);
    EXPECT("a\rb\nc\n", "1!has a carriage return that ends no line;2:c;");
    EXPECT("a\0b\nc\n", "1!has a NUL byte;2:c;");
    EXPECT("\"a\0b\"\nc\n", "1!has a NUL byte;2:c;");
}

static void csv_utf8(void **state)
{
    (void)state;
    EXPECT("\xc3\xa9,\xe2\x82\xac,\xf0\x9f\x98\x80,\xf4\x8f\xbf\xbf\n",
           "1:\xc3\xa9|\xe2\x82\xac|\xf0\x9f\x98\x80|\xf4\x8f\xbf\xbf;");
    static const char *const bad[] = {
        "\x80",         "\xc3",         "\xc3(",        "\xc0\x80",         "\xc1\xbf",
        "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe2\x82",     "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf5\x80",     "\xff",         "\xf0\x9f\x98,"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        expect(bad[i], strlen(bad[i]), "1!is not UTF-8;");
}

/* A line of exactly n bytes behind `before` other ones is read, or refused, and the next is found. */
static void check_long(size_t before, size_t n, const char *line_end, bool fine)
{
    char *text = malloc(before + n + 10);
    source s;
    assert_non_null(text);
    memset(text, 'x', before + n);
    if (before > 0)
        text[before - 1] = '\n';
    int more = snprintf(text + before + n, 10, "%sb\n", line_end);
    open_text(&s, text, before + n + (size_t)more);
    if (before > 1) /* else it is empty and passed over */
        csv_next(s.reader, &s.r);
    assert_int_equal(csv_next(s.reader, &s.r), fine ? CSV_RECORD : CSV_DAMAGED);
    if (fine)
        assert_int_equal(strlen(s.r.fields[0]), n);
    else
        assert_string_equal(s.r.reason, "is longer than 65536 bytes");
    assert_int_equal(csv_next(s.reader, &s.r), CSV_RECORD);
    assert_string_equal(s.r.fields[0], "b");
    assert_int_equal(s.r.line, before > 0 ? 3 : 2);
    assert_int_equal(csv_next(s.reader, &s.r), CSV_END);
    close_text(&s);
    free(text);
}

static void csv_longest(void **state)
{
    (void)state;
    static const size_t before[] = {0, 1, 2, 3, 1000, 65530, 65536, 65540, 131070, 131075, 200000};
    for (size_t i = 0; i < sizeof before / sizeof before[0]; i++)
        for (int crlf = 0; crlf < 2; crlf++) {
            check_long(before[i], 65535, crlf ? "\r\n" : "\n", true);
            check_long(before[i], 65536, crlf ? "\r\n" : "\n", true);
            check_long(before[i], 65537, crlf ? "\r\n" : "\n", false);
            check_long(before[i], 65539, crlf ? "\r\n" : "\n", false);
            check_long(before[i], 400000, crlf ? "\r\n" : "\n", false);
        }
}

/* Many records whose parts fall on every side of the window's edges. */
static void csv_stream(void **state)
{
    (void)state;
    enum { RECORDS = 60000 };
    FILE *stream = tmpfile();
    assert_non_null(stream);
    uint64_t line = 1;
    for (int i = 0; i < RECORDS; i++)
        fprintf(stream, i % 7 == 0 ? "%d,\"%d \"\"\n\",%0*d\r\n" : "%d,%d,%0*d\n", i, i * 3, i % 97 + 1, 0);
    rewind(stream);
    csv_reader *reader = csv_create(stream);
    csv_record r;
    char text[40];
    for (int i = 0; i < RECORDS; i++) {
        assert_int_equal(csv_next(reader, &r), CSV_RECORD);
        assert_int_equal(r.line, line);
        assert_int_equal(r.n, 3);
        assert_int_equal(atoi(r.fields[0]), i);
        snprintf(text, sizeof text, i % 7 == 0 ? "%d \"\n" : "%d", i * 3);
        assert_string_equal(r.fields[1], text);
        assert_int_equal(strlen(r.fields[2]), i % 97 + 1);
        line += i % 7 == 0 ? 2 : 1;
    }
    assert_int_equal(csv_next(reader, &r), CSV_END);
    assert_int_equal(csv_bytes(reader), ftell(stream));
    csv_free(reader);
    fclose(stream);
}

static void csv_stream_that_fails(void **state)
{
    (void)state;
    FILE *stream = fopen(".", "r");
    csv_record r;
    assert_non_null(stream);
    csv_reader *reader = csv_create(stream);
    assert_int_equal(csv_next(reader, &r), CSV_FAILED);
    assert_int_equal(errno, EISDIR);
    csv_free(reader);
    fclose(stream);
}

/* ---- files ---- */

static int enter_folder(void **state)
{
    char *folder = strdup("test_cli.XXXXXX");
    *state = folder;
    return folder == NULL || mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave_folder(void **state)
{
    int code = chdir("..") != 0 || rmdir(*state) != 0; /* fails where something was left behind */
    free(*state);
    return code;
}

static void check_content(const char *path, const char *expected)
{
    char text[100] = "";
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    size_t n = fread(text, 1, sizeof text - 1, stream);
    text[n] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

static void file_appears_whole(void **state)
{
    (void)state;
    output_file file;
    roster_error err;
    assert_int_equal(output_file_open(&file, "new/folder/it", &err), ROSTER_OK);
    fputs("first", file.stream);
    assert_int_equal(access("new/folder/it", F_OK), -1);
    assert_int_equal(output_file_commit(&file, &err), ROSTER_OK);
    check_content("new/folder/it", "first");
    assert_int_equal(output_file_open(&file, "new/folder/it", &err), ROSTER_OK);
    fputs("second", file.stream);
    fflush(file.stream);
    check_content("new/folder/it", "first");
    assert_int_equal(output_file_commit(&file, &err), ROSTER_OK);
    check_content("new/folder/it", "second");
    assert_int_equal(unlink("new/folder/it") + rmdir("new/folder") + rmdir("new"), 0);
}

static void file_abandoned_leaves_nothing(void **state)
{
    (void)state;
    output_file file;
    assert_int_equal(output_file_open(&file, "new/folder/it", NULL), ROSTER_OK);
    fputs("never", file.stream);
    output_file_abandon(&file);
    assert_int_equal(access("new", F_OK), -1);
    output_file_abandon(&file);
}

static void file_keeps_folders_of_others(void **state)
{
    (void)state;
    output_file file;
    assert_int_equal(mkdir("old", 0777), 0);
    assert_int_equal(output_file_open(&file, "old/new/it", NULL), ROSTER_OK);
    output_file_abandon(&file);
    assert_int_equal(access("old/new", F_OK), -1);
    assert_int_equal(rmdir("old"), 0);
}

static void folder_appears_whole_or_not_at_all(void **state)
{
    (void)state;
    static const char *const names[] = {"one", "two"}, *const nested[] = {"one", "two/"};
    output_folder folder;
    roster_error err;
    assert_int_equal(output_folder_open(&folder, "new", names, 2, &err), ROSTER_OK);
    fputs("never", folder.files[0].stream);
    output_folder_abandon(&folder);
    assert_int_equal(access("new", F_OK), -1);
    assert_int_equal(output_folder_open(&folder, "new", nested, 2, &err), ROSTER_EINVAL);
    assert_int_equal(access("new", F_OK), -1);
    assert_int_equal(output_folder_open(&folder, "new", names, 2, &err), ROSTER_OK);
    for (size_t i = 0; i < 2; i++)
        fputs(names[i], folder.files[i].stream);
    assert_int_equal(access("new/one", F_OK), -1);
    assert_int_equal(output_folder_commit(&folder, &err), ROSTER_OK);
    check_content("new/one", "one");
    check_content("new/two", "two");
    assert_int_equal(unlink("new/one") + unlink("new/two") + rmdir("new"), 0);
}

/* The target becomes a folder before the file can take its name. */
static void file_that_cannot_be_renamed(void **state)
{
    (void)state;
    output_file file;
    roster_error err;
    assert_int_equal(output_file_open(&file, "it", &err), ROSTER_OK);
    assert_int_equal(mkdir("it", 0777), 0);
    assert_int_equal(output_file_commit(&file, &err), ROSTER_EINVAL);
    assert_string_equal(err.msg, "it cannot be written: Is a directory");
    assert_int_equal(rmdir("it"), 0);
}

static void file_refused(void **state)
{
    (void)state;
    output_file file;
    roster_error err;
    char name[5000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_int_equal(output_file_open(&file, name, &err), ROSTER_EINVAL);
    assert_non_null(strstr(err.msg, "File name too long"));
    assert_int_equal(output_file_open(&file, "", &err), ROSTER_EINVAL);
    assert_int_equal(output_file_open(&file, "new/folder/", &err), ROSTER_EINVAL);
    assert_string_equal(err.msg, "new/folder/ cannot be created: Is a directory");
    assert_int_equal(access("new", F_OK), -1);
}

static void file_direct(void **state)
{
    (void)state;
    output_file file;
    roster_error err;
    struct stat there;
    assert_int_equal(output_file_open(&file, "/dev/null", &err), ROSTER_OK);
    fputs("gone", file.stream);
    assert_int_equal(output_file_commit(&file, &err), ROSTER_OK);
    assert_int_equal(stat("/dev/null", &there), 0);
    assert_true(S_ISCHR(there.st_mode));
}

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

/* The floor draws what the library's world draws. */
static void floor_is_the_world(void **state)
{
    (void)state;
    enum { ROUNDS = 2000 };
    roster_world *world;
    floor_world *floor;
    roster_error err;
    roster_rng stream;
    roster_experts *experts = spec_experts();
    const double means[6] = {.1, .9, .4, .5, 0, 1};
    assert_ok(roster_world_create(&world, experts, spec_p, means, &err), &err);
    roster_rng_init(&stream, 3, 7, ROSTER_ROLE_WORLD);
    for (size_t k = 0; k < 3; k++) {
        double sum = 0;
        for (uint64_t t = 1; t <= ROUNDS; t++) {
            roster_event event;
            roster_world_round(world, &stream, t, k, &event);
            sum += event.reward;
        }
        assert_ok(floor_create(&floor, experts, world, spec_p, k, &err), &err);
        assert_true(floor_run(floor, 3, 7, ROUNDS) == sum && sum > 0);
        floor_free(floor);
    }
    roster_world_free(world);
    roster_experts_free(experts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floor_is_the_world),
        cmocka_unit_test(csv_fields),
        cmocka_unit_test(csv_quotes),
        cmocka_unit_test(csv_damage_costs_one_line),
        cmocka_unit_test(csv_utf8),
        cmocka_unit_test(csv_longest),
        cmocka_unit_test(csv_stream),
        cmocka_unit_test(csv_stream_that_fails),
        cmocka_unit_test_setup_teardown(file_appears_whole, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(file_abandoned_leaves_nothing, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(file_keeps_folders_of_others, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(folder_appears_whole_or_not_at_all, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(file_that_cannot_be_renamed, enter_folder, leave_folder),
        cmocka_unit_test_setup_teardown(file_refused, enter_folder, leave_folder),
        cmocka_unit_test(file_direct),
        cmocka_unit_test(progress_says_what_is_left),
        cmocka_unit_test(progress_is_patient),
        cmocka_unit_test(line_is_quoted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
