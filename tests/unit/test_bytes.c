/*
 * test_bytes.c: the little-endian buffers and the checksum of lib/base/bytes.c.
 */
#include "support.h"

#include "base.h"

#include <float.h>
#include <string.h>

enum { GUARD = 0xA5 };

static const double doubles[] = {0, -0.0, 1, -1.5, 0.1, DBL_MAX, DBL_MIN, 0x1p-1074, INFINITY, -INFINITY};
enum { DOUBLES = sizeof doubles / sizeof *doubles };

static void put_everything(roster_writer *w)
{
    roster_put_u64(w, 0);
    roster_put_u64(w, UINT64_MAX);
    roster_put_bytes(w, "odd", 3);
    roster_put_u64(w, UINT64_C(0x8000000000000001));
    roster_put_bytes(w, NULL, 0);
    roster_put_double(w, 0.1);
    roster_put_doubles(w, doubles, DOUBLES);
}
enum { EVERYTHING = 8 + 8 + 3 + 8 + 8 + 8 * DOUBLES };

static void round_trip(void **state)
{
    (void)state;
    unsigned char buffer[EVERYTHING];
    double back[DOUBLES];
    roster_writer w = {.data = buffer, .size = sizeof buffer};
    put_everything(&w);
    assert_int_equal(w.used, EVERYTHING);
    roster_reader r = {.data = buffer, .size = w.used};
    assert_true(roster_get_u64(&r) == 0);
    assert_true(roster_get_u64(&r) == UINT64_MAX);
    const unsigned char *odd = roster_get_bytes(&r, 3);
    assert_ptr_equal(odd, buffer + 16); /* borrowed from the buffer, not copied */
    assert_memory_equal(odd, "odd", 3);
    assert_true(roster_get_u64(&r) == UINT64_C(0x8000000000000001));
    assert_true(roster_get_double(&r) == 0.1);
    roster_get_doubles(&r, back, DOUBLES);
    assert_memory_equal(back, doubles, sizeof back); /* to the bit: -0 and subnormals too */
    assert_int_equal(r.used, r.size);
    assert_false(r.failed);
}

static void nan_keeps_its_bits(void **state)
{
    (void)state;
    const uint64_t payload = UINT64_C(0x7ff8000000abcdef);
    unsigned char buffer[8];
    double nan, back;
    memcpy(&nan, &payload, sizeof nan);
    roster_writer w = {.data = buffer, .size = sizeof buffer};
    roster_put_double(&w, nan);
    roster_reader r = {.data = buffer, .size = sizeof buffer};
    back = roster_get_double(&r);
    assert_true(isnan(back));
    assert_memory_equal(&back, &payload, sizeof back);
}

static void little_endian_bytes(void **state)
{
    (void)state;
    const unsigned char expected[] = {0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, /* 0x0102030405060708 */
                                      0,    0,    0,    0,    0,    0,    0xf8, 0xbf, /* -1.5 */
                                      'x'};
    unsigned char buffer[sizeof expected];
    roster_writer w = {.data = buffer, .size = sizeof buffer};
    roster_put_u64(&w, UINT64_C(0x0102030405060708));
    roster_put_double(&w, -1.5);
    roster_put_bytes(&w, "x", 1);
    assert_memory_equal(buffer, expected, sizeof expected);
    roster_reader r = {.data = expected, .size = sizeof expected};
    assert_true(roster_get_u64(&r) == UINT64_C(0x0102030405060708));
    assert_true(roster_get_double(&r) == -1.5);
}

static void null_measures(void **state)
{
    (void)state;
    roster_writer nothing = {0};
    roster_writer promised = {.data = NULL, .size = 1000};
    put_everything(&nothing);
    put_everything(&promised);
    assert_int_equal(nothing.used, EVERYTHING);
    assert_int_equal(promised.used, EVERYTHING);
}

/* Whatever the room, the writer counts the same, writes only what fits as a whole, and nothing behind its end. */
static void too_small_writes_nothing_beyond(void **state)
{
    (void)state;
    unsigned char whole[EVERYTHING], buffer[EVERYTHING + 8];
    roster_writer all = {.data = whole, .size = sizeof whole};
    put_everything(&all);
    for (size_t room = 0; room < EVERYTHING; room++) {
        memset(buffer, GUARD, sizeof buffer);
        roster_writer w = {.data = buffer, .size = room};
        put_everything(&w);
        assert_int_equal(w.used, EVERYTHING);
        size_t fits = room < 19 ? room / 8 * 8 : 19 + (room - 19) / 8 * 8;
        assert_memory_equal(buffer, whole, fits);
        for (size_t i = fits; i < sizeof buffer; i++)
            assert_int_equal(buffer[i], GUARD);
    }
}

static void reader_past_the_end(void **state)
{
    (void)state;
    const unsigned char ones[16] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (size_t size = 0; size < 8; size++) {
        roster_reader r = {.data = ones, .size = size};
        assert_true(roster_get_u64(&r) == 0);
        assert_true(r.failed);
        assert_int_equal(r.used, 0);
    }
    roster_reader r = {.data = ones, .size = 15};
    double two[2] = {7, 7};
    roster_get_doubles(&r, two, 2);
    assert_true(two[0] > 0 && two[1] == 0);
    assert_true(r.failed);
    assert_null(roster_get_bytes(&r, 1)); /* what is left fits, but a reader that failed gives nothing more */
    assert_true(roster_get_double(&r) == 0);
    roster_reader huge = {.data = ones, .size = sizeof ones, .used = 8};
    assert_null(roster_get_bytes(&huge, SIZE_MAX)); /* used + n would wrap */
    assert_true(huge.failed);
    roster_reader end = {.data = ones, .size = sizeof ones, .used = sizeof ones};
    assert_non_null(roster_get_bytes(&end, 0));
    assert_false(end.failed);
}

static size_t count_read(uint64_t count, size_t rest, size_t each, bool *failed)
{
    unsigned char buffer[8 + 100] = {0};
    roster_writer w = {.data = buffer, .size = sizeof buffer};
    roster_put_u64(&w, count);
    roster_reader r = {.data = buffer, .size = 8 + rest};
    size_t got = roster_get_count(&r, each);
    *failed = r.failed;
    return got;
}

static void absurd_counts_refused(void **state)
{
    (void)state;
    const struct {
        uint64_t count;
        size_t rest, each;
        bool fine;
    } cases[] = {
        {0, 0, 24, true},
        {0, 100, 24, true},
        {1, 23, 24, false},
        {1, 24, 24, true},
        {4, 96, 24, true},
        {4, 95, 24, false},
        {5, 100, 24, false},
        {100, 100, 1, true},
        {101, 100, 1, false},
        {UINT64_MAX, 100, 1, false},
        {UINT64_MAX, 100, 8, false},
        {UINT64_C(1) << 61, 100, 8, false},
        {(UINT64_C(1) << 61) + 1, 100, 8, false}, /* times 8 this is 8 modulo 2^64 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool failed;
        size_t got = count_read(cases[i].count, cases[i].rest, cases[i].each, &failed);
        assert_int_equal(failed, !cases[i].fine);
        assert_int_equal(got, cases[i].fine ? cases[i].count : 0);
    }
    roster_reader r = {.data = (const unsigned char *)"short", .size = 5};
    assert_int_equal(roster_get_count(&r, 1), 0);
    assert_true(r.failed);
}

static void hash_known_values(void **state)
{
    (void)state;
    const double three[] = {0.1, -2, 1e300};
    unsigned char all[256];
    for (int i = 0; i < 256; i++)
        all[i] = (unsigned char)i;
    assert_true(roster_hash(ROSTER_HASH_START, "roster", 6) == UINT64_C(0x1c84390dd46e872b));
    assert_true(roster_hash(ROSTER_HASH_START, "", 0) == UINT64_C(0xcbf29ce2dbb6c401));
    assert_true(roster_hash(ROSTER_HASH_START, all, 256) == UINT64_C(0x4242dc505bd5d4b7));
    assert_true(roster_hash_doubles(ROSTER_HASH_START, three, 3) == UINT64_C(0x6797242e60646731));
    assert_true(roster_hash_doubles(ROSTER_HASH_START, three, 0) == ROSTER_HASH_START);
}

static void hash_sees_every_change(void **state)
{
    (void)state;
    unsigned char text[64];
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (unsigned char)(i * 37);
    uint64_t original = roster_hash(ROSTER_HASH_START, text, sizeof text);
    for (size_t i = 0; i < sizeof text; i++)
        for (int change = 1; change < 256; change++) {
            text[i] ^= (unsigned char)change;
            assert_true(roster_hash(ROSTER_HASH_START, text, sizeof text) != original);
            text[i] ^= (unsigned char)change;
        }
    for (size_t n = 0; n < sizeof text; n++)
        assert_true(roster_hash(ROSTER_HASH_START, text, n) != original);
    assert_true(roster_hash(ROSTER_HASH_START + 1, text, sizeof text) != original);
}

/* Pieces are finished one by one: what is hashed is their sequence, so order and borders count. */
static void hash_of_pieces(void **state)
{
    (void)state;
    const double zero = 0, minus_zero = -0.0, pair[] = {1, 2};
    uint64_t ab_c = roster_hash(roster_hash(ROSTER_HASH_START, "ab", 2), "c", 1);
    assert_true(ab_c == roster_hash(roster_hash(ROSTER_HASH_START, "ab", 2), "c", 1));
    assert_true(ab_c != roster_hash(roster_hash(ROSTER_HASH_START, "a", 1), "bc", 2));
    assert_true(ab_c != roster_hash(roster_hash(ROSTER_HASH_START, "c", 1), "ab", 2));
    uint64_t both = roster_hash_doubles(roster_hash_doubles(ROSTER_HASH_START, pair, 1), pair + 1, 1);
    assert_true(both == roster_hash_doubles(ROSTER_HASH_START, pair, 2)); /* a number is a piece */
    assert_true(roster_hash_doubles(ROSTER_HASH_START, &zero, 1) !=
                roster_hash_doubles(ROSTER_HASH_START, &minus_zero, 1));
}

/* Runs of zeros come back, and numbers that look like one; what makes no sense is refused. */
static void runs_come_back(void **state)
{
    (void)state;
    const uint64_t mark = UINT64_C(0x7ff4726f73746572);
    static unsigned char bytes[8 * 3000];
    for (uint64_t run = 0; run < 200; run += 21) {
        roster_writer measure = {.data = NULL}, w = {.data = bytes, .size = sizeof bytes};
        roster_writer *both[] = {&measure, &w};
        for (size_t i = 0; i < 2; i++) {
            roster_put_packed(both[i], true);
            for (uint64_t j = 0; j < 3 * (run + 2); j++)
                roster_put_u64(both[i], j % (run + 2) == run ? mark : j % (run + 2) > run ? j : 0);
            roster_put_packed(both[i], false);
        }
        assert_int_equal(measure.used, w.used);
        assert_int_equal(w.used, 8 * 3 * ((run < 64 ? run : 2) + 3));
        roster_reader r = {.data = bytes, .size = w.used};
        roster_get_packed(&r);
        assert_int_equal(r.words, 3 * (run + 2));
        for (uint64_t j = 0; j < 3 * (run + 2); j++) {
            assert_false(roster_reader_ended(&r));
            assert_true(roster_get_u64(&r) == (j % (run + 2) == run ? mark : j % (run + 2) > run ? j : 0));
        }
        assert_true(roster_reader_ended(&r) && !r.failed);
    }
    roster_writer w = {.data = bytes, .size = sizeof bytes};
    roster_put_u64(&w, mark);
    roster_put_u64(&w, 63); /* too short to be written so */
    roster_reader r = {.data = bytes, .size = w.used}, cut = {.data = bytes, .size = 8};
    roster_get_packed(&r);
    roster_get_packed(&cut);
    assert_true(r.failed && cut.failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(round_trip),
        cmocka_unit_test(nan_keeps_its_bits),
        cmocka_unit_test(little_endian_bytes),
        cmocka_unit_test(null_measures),
        cmocka_unit_test(too_small_writes_nothing_beyond),
        cmocka_unit_test(reader_past_the_end),
        cmocka_unit_test(absurd_counts_refused),
        cmocka_unit_test(hash_known_values),
        cmocka_unit_test(hash_sees_every_change),
        cmocka_unit_test(hash_of_pieces),
        cmocka_unit_test(runs_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
