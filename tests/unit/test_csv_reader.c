/*
 * test_csv_reader.c: the CSV reader at the edges of its window, and on what is damaged (src/common/text/csv_reader.c).
 */
#include "support.h"

#include "csv_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    const char *behind = "has text between a closing quote and the next comma";
    char expected[300];
    EXPECT("a,\"b\nc,d\ne,f\n", "1!has a quote that is not closed within 65536 bytes;2:c|d;3:e|f;");
    EXPECT("a\"b\nc\n", "1!has a quote inside a field that does not begin with a quote;2:c;");
    snprintf(expected, sizeof expected, "1!%s;2:c;", behind);
    EXPECT("\"a\"b\nc\n", expected);
    snprintf(expected, sizeof expected, "1!%s;2!%s;3:e;", behind, behind);
    EXPECT("\"a\n\"b\"c\ne\n", expected);
    EXPECT("a\rb\nc\n", "1!has a carriage return inside a line;2:c;");
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csv_fields),
        cmocka_unit_test(csv_quotes),
        cmocka_unit_test(csv_damage_costs_one_line),
        cmocka_unit_test(csv_utf8),
        cmocka_unit_test(csv_longest),
        cmocka_unit_test(csv_stream),
        cmocka_unit_test(csv_stream_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
