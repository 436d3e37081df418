/*
 * test_common.c: the small parts of src/common: sentences, growing text, JSON, UTF-8, the nearest word, whole files,
 * hashes, a table by name.
 */
#include "support.h"

#include "arena.h"
#include "byte_order.h"
#include "common_error.h"
#include "common_hash.h"
#include "common_json.h"
#include "common_text.h"
#include "csv_writer.h"
#include "grow.h"
#include "input_file.h"
#include "json_member.h"
#include "json_node.h"
#include "name_table.h"
#include "nearest.h"
#include "siphash.h"
#include "utf8.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void sentences_are_cut(void **state)
{
    (void)state;
    roster_error err;
    char longer[2 * sizeof err.msg];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(common_fail(&err, ROSTER_EDAMAGED, "%s", longer), ROSTER_EDAMAGED);
    assert_int_equal(strlen(err.msg), sizeof err.msg - 1);
    assert_int_equal(common_fail(NULL, ROSTER_EINVAL, "%s", longer), ROSTER_EINVAL);
    common_fail(&err, ROSTER_EINVAL, "a\tb\x1b[0m\x7f");
    assert_string_equal(err.msg, "a?b?[0m?");
    assert_int_equal(common_fail_memory(&err), ROSTER_ENOMEM);
    assert_string_equal(err.msg, "out of memory");
}

static void text_grows(void **state)
{
    (void)state;
    common_text text = {0};
    for (int i = 0; i < 1000; i++)
        common_put_format(&text, "%d,", i);
    assert_int_equal(text.used, 10 * 2 + 90 * 3 + 900 * 4);
    assert_int_equal(strlen(text.data), text.used);
    common_text_clear(&text);
    common_put_string(&text, "a\"\\\n\x01<\xc3\xa9");
    common_put(&text, ",", 1);
    common_put_count(&text, UINT64_MAX);
    assert_string_equal(text.data, "\"a\\\"\\\\\\u000a\\u0001<\xc3\xa9\",18446744073709551615");
    assert_false(text.failed);
    common_text_free(&text);
    assert_null(text.data);
}

static void arrays_grow(void **state)
{
    (void)state;
    double *array = NULL;
    size_t room = 0, moves = 0;
    for (size_t i = 0; i < 1000; i++) {
        size_t before = room;
        assert_true(common_grow(&array, &room, i + 1, sizeof *array));
        assert_true(room > i);
        moves += room != before;
        array[i] = (double)i;
    }
    assert_int_equal(moves, 6); /* 32, 65, 131, 263, 527, 1055 */
    for (size_t i = 0; i < 1000; i++)
        assert_true(array[i] == (double)i);
    double *now = array;
    assert_false(common_grow(&array, &room, SIZE_MAX / 8 + 1, sizeof *array));
    assert_false(common_grow(&array, &room, SIZE_MAX, sizeof *array));
    assert_ptr_equal(array, now);
    assert_int_equal(room, 1055);
    free(array);
}

static void siphash_vectors(void **state)
{
    (void)state;
    uint64_t out[2];
    siphash_bytes(UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908), "", 0, out);
    assert_true(out[0] == UINT64_C(0xe6a825ba047f81a3) && out[1] == UINT64_C(0x930255c71472f66d));
    siphash_bytes(UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908), "\0\1\2\3\4\5\6\7", 8, out);
    assert_true(out[0] == UINT64_C(0x61f55862baa9623b) && out[1] == UINT64_C(0xb49714f364e2830f));
}

static void names_are_found(void **state)
{
    (void)state;
    enum { NAMES = 1000 };
    static char text[NAMES][8];
    name_table table = {0};
    assert_true(name_table_find(&table, "0", 1) == SIZE_MAX);
    for (size_t i = 0; i < NAMES; i++) {
        snprintf(text[i], sizeof text[i], "%zu", i);
        assert_true(name_table_add(&table, text[i]));
    }
    assert_int_equal(table.n, NAMES);
    for (size_t i = 0; i < NAMES; i++)
        assert_int_equal(name_table_find(&table, text[i], strlen(text[i])), i);
    assert_int_equal(name_table_find(&table, "1234", 3), 123);
    assert_true(name_table_find(&table, "1234", 4) == SIZE_MAX);
    assert_true(name_table_find(&table, "12\0\0", 4) == SIZE_MAX);
    assert_true(name_table_find(&table, "", 0) == SIZE_MAX);
    assert_true(name_table_add(&table, "") && name_table_add(&table, "7")); /* the last of two equals is found */
    assert_int_equal(name_table_find(&table, "", 0), NAMES);
    assert_int_equal(name_table_find(&table, "7", 1), NAMES + 1);
    assert_true(name_table_reserve(&table, 5000));
    assert_int_equal(name_table_find(&table, "7", 1), NAMES + 1);
    assert_string_equal(table.names[8], "8");
    name_table_free(&table);
    assert_null(table.names);
}

/* Where names stand cannot be foreseen, so that nobody can choose names that all stand in one place. */
static void names_stand_anywhere(void **state)
{
    (void)state;
    static char text[100][8];
    name_table one = {0}, other = {0};
    for (size_t i = 0; i < 100; i++) {
        snprintf(text[i], sizeof text[i], "%zu", i);
        assert_true(name_table_add(&one, text[i]) && name_table_add(&other, text[i]));
    }
    assert_int_equal(one.n_slots, other.n_slots);
    assert_memory_not_equal(one.slots, other.slots, one.n_slots * sizeof *one.slots);
    name_table_free(&one);
    name_table_free(&other);
}

static void numbers_are_short(void **state)
{
    (void)state;
    const struct {
        double number;
        const char *text;
    } cases[] = {{0, "0"},
                 {0.25, "0.25"},
                 {-1.5, "-1.5"},
                 {0.1, "0.1"},
                 {1e9, "1000000000"},
                 {1e300, "1.0000000000000001e+300"},
                 {1.0 / 3, "0.33333333333333331"},
                 {INFINITY, "null"},
                 {NAN, "null"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        common_text text = {0};
        common_put_number(&text, cases[i].number);
        assert_string_equal(text.data, cases[i].text);
        if (isfinite(cases[i].number))
            assert_true(strtod(text.data, NULL) == cases[i].number);
        common_text_free(&text);
    }
}

static void utf8_characters(void **state)
{
    (void)state;
    const struct {
        const char *text;
        size_t size, bytes;
    } cases[] = {
        {"a", 1, 1},
        {"\xc3\xa9", 2, 2},
        {"\xe2\x82\xac", 3, 3},
        {"\xf0\x9f\x98\x80", 4, 4},
        {"\xf4\x8f\xbf\xbf", 4, 4},
        {"", 0, 0},
        {"\x80", 1, 0},             /* continues nothing  */
        {"\xc3", 1, 0},             /* cut                */
        {"\xc0\xaf", 2, 0},         /* longer than needed */
        {"\xe0\x80\xaf", 3, 0},     /* longer than needed */
        {"\xed\xa0\x80", 3, 0},     /* a surrogate        */
        {"\xf4\x90\x80\x80", 4, 0}, /* above U+10FFFF     */
        {"\xff", 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(utf8_character(cases[i].text, cases[i].size), cases[i].bytes);
    assert_true(utf8_is_valid("na\xc3\xafve", 6));
    assert_false(utf8_is_valid("na\xc3", 3));
    assert_int_equal(utf8_columns("na\xc3\xafve", 6), 5);
}

static void written_json(common_json *json)
{
    common_json_open_lines(json, NULL, '{');
    common_json_text(json, "a", "<\"\x7f\xff");
    common_json_number(json, "b", 2);
    common_json_count(json, "c", UINT64_C(1) << 53);
    common_json_open(json, "d", '[');
    common_json_truth(json, NULL, true);
    common_json_null(json, NULL);
    common_json_number(json, NULL, NAN);
    common_json_close(json);
    common_json_close(json);
    common_json_end(json);
    rewind(json->out);
}

static void json_in_both_forms(void **state)
{
    (void)state;
    char text[200] = "";
    common_json plain = {.out = tmpfile()}, document = {.out = tmpfile(), .document = true, .digits = 6};
    written_json(&document);
    fread(text, 1, sizeof text - 1, document.out);
    assert_string_equal(text,
                        "{\n  \"a\": \"\\u003c\\\"\\u007f\\ufffd\",\n  \"b\": 2,\n  \"c\": \"9007199254740992\",\n"
                        "  \"d\": [true, null, null]\n}\n");
    common_json_open(&plain, NULL, '{');
    common_json_text(&plain, "a", "<\x7f\xff");
    common_json_number(&plain, "b", 2);
    common_json_count(&plain, "c", UINT64_C(1) << 53);
    common_json_close(&plain);
    rewind(plain.out);
    memset(text, 0, sizeof text);
    fread(text, 1, sizeof text - 1, plain.out);
    assert_string_equal(text, "{\"a\":\"<\x7f\\ufffd\",\"b\":2.0,\"c\":9007199254740992}");
    fclose(plain.out);
    fclose(document.out);
}

static void members_have_commas(void **state)
{
    (void)state;
    const char *const names[] = {"[", "{"};
    common_text text = {0};
    json_member_open(&text, NULL, '{');
    json_member_texts(&text, "names", names, 2);
    json_member_texts(&text, "none", names, 0);
    json_member_open(&text, "in\"ner", '{');
    json_member_count(&text, "n", 3);
    json_member_number(&text, "x", NAN);
    json_member_truth(&text, "is", true);
    common_put_text(&text, "}");
    json_member_open(&text, "list", '[');
    json_member_number(&text, NULL, 0.5);
    json_member_open(&text, NULL, '{');
    json_member_time(&text, "at", 0);
    common_put_text(&text, "}]}");
    assert_string_equal(text.data,
                        "{\"names\":[\"[\",\"{\"],\"none\":[],\"in\\\"ner\":{\"n\":3,\"x\":null,\"is\":true},"
                        "\"list\":[0.5,{\"at\":\"1970-01-01T00:00:00.000000Z\"}]}");
    common_text_free(&text);
}

static void nearest_word(void **state)
{
    (void)state;
    static const char *const known[] = {"rewards", "runs", "rounds", "run", NULL};
    assert_string_equal(common_nearest_of("rewrds", known), "rewards");
    assert_string_equal(common_nearest_of("rnu", known), "run");
    assert_string_equal(common_nearest_of("RUN", known), "run");
    assert_null(common_nearest_of("colour", known));
}

static void fields_are_quoted(void **state)
{
    (void)state;
    char text[40] = "";
    FILE *out = tmpfile();
    csv_put_field(out, "plain");
    csv_put_field(out, "a,\"b\"");
    rewind(out);
    fread(text, 1, sizeof text - 1, out);
    fclose(out);
    assert_string_equal(text, "plain\"a,\"\"b\"\"\"");
}

static void files_are_read_whole(void **state)
{
    (void)state;
    enum { SIZE = 200000 };
    char path[] = "test_common.XXXXXX", *bytes;
    size_t size;
    roster_error err;
    FILE *file = fdopen(mkstemp(path), "wb");
    for (int i = 0; i < SIZE; i++)
        fputc(i % 251, file);
    fclose(file);
    assert_ok(input_file_read(path, SIZE + 1, &bytes, &size, &err), &err);
    assert_int_equal(size, SIZE);
    for (int i = 0; i < SIZE; i++)
        assert_true((unsigned char)bytes[i] == i % 251);
    free(bytes);
    assert_ok(input_file_read(path, 1000, &bytes, &size, &err), &err);
    assert_int_equal(size, 1000);
    free(bytes);
    unlink(path);
    assert_int_equal(input_file_read(path, 1000, &bytes, &size, &err), ROSTER_EINVAL);
    assert_null(bytes);
    assert_non_null(strstr(err.msg, "cannot be read: No such file"));
    assert_int_equal(input_file_read("/", 1000, &bytes, &size, &err), ROSTER_EINVAL);
    assert_null(bytes);
}

static void places_are_named(void **state)
{
    (void)state;
    roster_error err;
    json_t *json;
    const char text[] = "{\"a\": [1, {\"b\": \"x\"}]}";
    double number;
    assert_ok(common_load_text(&json, text, sizeof text - 1, "f.json", &err), &err);
    common_node root = common_root("f.json", json), a = common_key(&root, "a"), item = common_item(&a, 1);
    common_node b = common_key(&item, "b"), c = common_key(&item, "c");
    assert_int_equal(common_number(&b, &number, &err), ROSTER_EINVAL);
    assert_string_equal(err.msg, "f.json: a[1].b is a string, must be a number");
    assert_int_equal(common_number(&c, &number, &err), ROSTER_EINVAL);
    assert_string_equal(err.msg, "f.json: 'c' is missing in a[1]");
    char *line = common_json_line(json);
    assert_string_equal(line, "{\"a\":[1,{\"b\":\"x\"}]}");
    free(line);
    json_decref(json);
}

static void hashes_and_bytes(void **state)
{
    (void)state;
    unsigned char bytes[8];
    assert_true(common_hash_fnv("foobar", 6) == UINT64_C(0x85944171f73967e8));
    byte_order_put(bytes, UINT64_C(0x0102030405060708), 8);
    assert_int_equal(bytes[0], 8);
    assert_int_equal(bytes[7], 1);
    assert_true(byte_order_get(bytes, 8) == UINT64_C(0x0102030405060708));
    assert_int_equal(byte_order_get(bytes, 2), 0x0708);
}

static void arena_frees_all(void **state)
{
    (void)state;
    common_arena arena = {0};
    assert_null(common_arena_take(&arena, SIZE_MAX, 16));
    for (int i = 0; i < 10; i++)
        assert_string_equal(common_arena_text(&arena, "kept"), "kept");
    assert_non_null(common_arena_take(&arena, 0, 8));
    common_arena_free(&arena);
    assert_null(arena.last);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sentences_are_cut),   cmocka_unit_test(text_grows),
        cmocka_unit_test(numbers_are_short),   cmocka_unit_test(utf8_characters),
        cmocka_unit_test(json_in_both_forms),  cmocka_unit_test(nearest_word),
        cmocka_unit_test(fields_are_quoted),   cmocka_unit_test(files_are_read_whole),
        cmocka_unit_test(places_are_named),    cmocka_unit_test(arena_frees_all),
        cmocka_unit_test(hashes_and_bytes),    cmocka_unit_test(arrays_grow),
        cmocka_unit_test(siphash_vectors),     cmocka_unit_test(names_are_found),
        cmocka_unit_test(members_have_commas), cmocka_unit_test(names_stand_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
