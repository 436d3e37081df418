/*
 * test_rng.c: the streams of lib/base/rng.c.
 *
 * The oracle is Philox written out from its definition with 128-bit products; it is itself held to the known-answer
 * vectors that Random123 publishes. Statistics run on fixed seeds, so they pass always or never, and each has a
 * counterpart that must be rejected.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "rng.h"

__extension__ typedef unsigned __int128 u128;

static void plain_philox(const uint64_t counter[4], const uint64_t key[2], uint64_t out[4])
{
    uint64_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int round = 0; round < 10; round++) {
        u128 a = (u128)c[0] * UINT64_C(0xD2E7470EE14C6C93), b = (u128)c[2] * UINT64_C(0xCA5A826395121157);
        c[0] = (uint64_t)(b >> 64) ^ c[1] ^ k[0];
        c[1] = (uint64_t)b;
        c[2] = (uint64_t)(a >> 64) ^ c[3] ^ k[1];
        c[3] = (uint64_t)a;
        k[0] += UINT64_C(0x9E3779B97F4A7C15);
        k[1] += UINT64_C(0xBB67AE8584CAA73B);
    }
    for (int i = 0; i < 4; i++)
        out[i] = c[i];
}

/* Probability of a chi-square of d degrees above `value`, by Wilson and Hilferty: good to a few percent for d >= 5. */
static double chi_square_tail(double value, double d)
{
    double z = (cbrt(value / d) - (1 - 2 / (9 * d))) / sqrt(2 / (9 * d));
    return 0.5 * erfc(z / sqrt(2));
}

/* Of equally likely cells. */
static double chi_square_even(const uint64_t *count, size_t cells)
{
    double n = 0, sum = 0;
    for (size_t i = 0; i < cells; i++)
        n += (double)count[i];
    for (size_t i = 0; i < cells; i++)
        sum += pow((double)count[i] - n / (double)cells, 2) / (n / (double)cells);
    return sum;
}

static const struct {
    uint64_t counter[4], key[2], out[4];
} known[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b}},
    {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX},
     {UINT64_MAX, UINT64_MAX},
     {0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0}},
    {{0x243f6a8885a308d3, 0x13198a2e03707344, 0xa4093822299f31d0, 0x082efa98ec4e6c89},
     {0x452821e638d01377, 0xbe5466cf34e90c6c},
     {0xa528f45403e61d95, 0x38c72dbd566e9788, 0xa5a1610e72fd18b5, 0x57bd43b5e52b7fe6}},
};

static void known_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        uint64_t out[4];
        plain_philox(known[i].counter, known[i].key, out);
        assert_memory_equal(out, known[i].out, sizeof out);
    }
    roster_rng rng;
    roster_rng_init(&rng, 0, 0, 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(roster_rng_u64(&rng), known[0].out[i]);
}

static void block_is_philox_of_block_run_seed_role(void **state)
{
    (void)state;
    roster_rng source;
    roster_rng_init(&source, 1, 2, 3);
    for (int i = 0; i < 1000; i++) {
        uint64_t seed = roster_rng_u64(&source), run = roster_rng_u64(&source), role = roster_rng_u64(&source);
        uint64_t b = roster_rng_u64(&source), expected[4], got[4];
        plain_philox((uint64_t[4]){b, run, 0, 0}, (uint64_t[2]){seed, role}, expected);
        roster_rng rng;
        roster_rng_init(&rng, seed, run, role);
        roster_rng_block(&rng, b, got);
        assert_memory_equal(got, expected, sizeof got);
        plain_philox((uint64_t[4]){0, run, 0, 0}, (uint64_t[2]){seed, role}, expected);
        assert_int_equal(roster_rng_u64(&rng), expected[0]); /* looking ahead has not moved the stream */
    }
}

static void streams_differ_by_seed_run_and_role(void **state)
{
    (void)state;
    enum { STREAMS = 27, WORDS = 64 };
    static uint64_t word[STREAMS * WORDS];
    for (uint64_t s = 0; s < STREAMS; s++) {
        roster_rng rng;
        roster_rng_init(&rng, s / 9, s / 3 % 3, s % 3);
        for (size_t i = 0; i < WORDS; i++)
            word[s * WORDS + i] = roster_rng_u64(&rng);
    }
    for (size_t i = 0; i < STREAMS * WORDS; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(word[i], word[j]);
}

static void seek_equals_stepping(void **state)
{
    (void)state;
    roster_rng stepped, sought;
    roster_rng_init(&stepped, 7, 8, ROSTER_ROLE_WORLD);
    roster_rng_init(&sought, 7, 8, ROSTER_ROLE_WORLD);
    for (uint64_t b = 0; b < 100; b++)
        for (int i = 0; i < 4; i++) {
            roster_rng_seek(&sought, b);
            for (int skipped = 0; skipped < i; skipped++)
                roster_rng_u64(&sought);
            assert_int_equal(roster_rng_u64(&sought), roster_rng_u64(&stepped));
        }
    roster_rng_seek(&sought, UINT64_MAX); /* the last block, then the first again */
    for (int i = 0; i < 4; i++)
        roster_rng_u64(&sought);
    roster_rng_init(&stepped, 7, 8, ROSTER_ROLE_WORLD);
    assert_int_equal(roster_rng_u64(&sought), roster_rng_u64(&stepped));
}

static void copy_forks(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 1, 1, ROSTER_ROLE_AGENT);
    for (int taken = 0; taken < 9; taken++) {
        roster_rng fork = rng;
        uint64_t first = roster_rng_u64(&rng);
        assert_int_equal(roster_rng_u64(&fork), first);
        roster_rng_u64(&fork); /* what the copy does is nothing to the original */
        uint64_t second = roster_rng_u64(&rng);
        assert_int_not_equal(first, second);
        assert_int_equal(roster_rng_u64(&rng), roster_rng_u64(&fork));
    }
}

static void uniform_is_the_upper_53_bits(void **state)
{
    (void)state;
    roster_rng rng, bits;
    roster_rng_init(&rng, 3, 0, 0);
    bits = rng;
    for (int i = 0; i < 1000; i++) {
        double expected = ldexp((double)(roster_rng_u64(&bits) >> 11), -53);
        assert_true(roster_rng_uniform(&rng) == expected);
    }
    /* The ends: 64 bits of ones stay below 1, 64 bits of zeros are 0. */
    rng = (roster_rng){.word = {0, 0, UINT64_MAX, 0}, .left = 2};
    assert_true(roster_rng_uniform(&rng) == 1 - 0x1p-53);
    assert_true(roster_rng_uniform(&rng) == 0);
}

static void uniform_has_the_moments(void **state)
{
    (void)state;
    enum { N = 200000, CELLS = 100 };
    double mean = 0, square = 0, product = 0, previous = 0.5;
    uint64_t count[CELLS] = {0};
    roster_rng rng;
    roster_rng_init(&rng, 4, 0, 0);
    for (int i = 0; i < N; i++) {
        double u = roster_rng_uniform(&rng), c = u - 0.5;
        assert_true(u >= 0 && u < 1);
        mean += c / N;
        square += c * c / N;
        product += c * (previous - 0.5) / N;
        previous = u;
        count[(size_t)(u * CELLS)]++;
    }
    const double five = 5 / sqrt(N); /* five standard errors, in units of one draw's standard deviation */
    assert_true(fabs(mean) < five * sqrt(1.0 / 12));
    assert_true(fabs(square - 1.0 / 12) < five * sqrt(1.0 / 180));
    assert_true(fabs(product) < five / 12);
    assert_true(chi_square_tail(chi_square_even(count, CELLS), CELLS - 1) > 1e-4);
}

static void below_is_even(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {6, 7, 10, 64, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint64_t n = sizes[s], count[1000] = {0};
        roster_rng rng;
        roster_rng_init(&rng, 5, s, 0);
        for (int i = 0; i < 100000; i++) {
            uint64_t r = roster_rng_below(&rng, n);
            assert_true(r < n);
            count[r]++;
        }
        assert_true(chi_square_tail(chi_square_even(count, n), (double)n - 1) > 1e-4);
        for (size_t r = 0; r < n / 2; r++) /* a lower half 10% too heavy is seen */
            count[r] += count[r] / 10;
        assert_true(chi_square_tail(chi_square_even(count, n), (double)n - 1) < 1e-4);
    }
}

/* 2^64 numbers over 3 * 2^62 results: without rejection every third result would come twice as often. */
static void below_has_no_bias_where_it_would_be_largest(void **state)
{
    (void)state;
    const uint64_t n = UINT64_C(3) << 62;
    uint64_t fair[3] = {0}, biased[3] = {0};
    roster_rng rng;
    roster_rng_init(&rng, 6, 0, 0);
    for (int i = 0; i < 30000; i++) {
        fair[roster_rng_below(&rng, n) % 3]++;
        biased[(uint64_t)((u128)roster_rng_u64(&rng) * n >> 64) % 3]++;
    }
    /* With two degrees of freedom the tail is exp(-value / 2). */
    assert_true(exp(-chi_square_even(fair, 3) / 2) > 1e-4);
    assert_true(exp(-chi_square_even(biased, 3) / 2) < 1e-4);
}

static void below_one_and_below_the_largest(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 8, 0, 0);
    uint64_t high = 0;
    for (int i = 0; i < 100; i++) {
        assert_int_equal(roster_rng_below(&rng, 0), 0);
        assert_int_equal(roster_rng_below(&rng, 1), 0);
        high |= roster_rng_below(&rng, UINT64_MAX);
    }
    assert_int_equal(high, UINT64_MAX); /* every bit is used */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(block_is_philox_of_block_run_seed_role),
        cmocka_unit_test(streams_differ_by_seed_run_and_role),
        cmocka_unit_test(seek_equals_stepping),
        cmocka_unit_test(copy_forks),
        cmocka_unit_test(uniform_is_the_upper_53_bits),
        cmocka_unit_test(uniform_has_the_moments),
        cmocka_unit_test(below_is_even),
        cmocka_unit_test(below_has_no_bias_where_it_would_be_largest),
        cmocka_unit_test(below_one_and_below_the_largest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
