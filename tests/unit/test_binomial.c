/*
 * test_binomial.c: the counts of lib/base/binomial.c against their exact distribution.
 *
 * Every chi-square runs twice on fixed seeds: with the right p, where its tail must exceed 1e-4, and with a slightly
 * wrong one, where it must not. So a sampler that is off by as little would fail the test.
 *
 * References:
 *   walk     f(k+1)/f(k) = (n-k)/(k+1) p/q walked out from the mode to both sides in long double, then normalised:
 *            as exact as the arithmetic, for any n, but it takes 20 standard deviations of steps
 *   normal   where that is too far (standard deviation s > 1e6) the normal law with continuity correction. Its
 *            distribution function is off by at most about |q - p| / (6 sqrt(2 pi) s) < 1e-7; the noise of 1e5
 *            draws is 1e-3, so the reference's error adds less than 1e-3 to a chi-square of some 50 cells
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "roster.h"

enum { DRAWS = 100000 };
static const double REJECT = 1e-4;

/* Probability of a chi-square of d degrees above `value`, by Wilson and Hilferty. */
static double chi_square_tail(double value, double d)
{
    double z = (cbrt(value / d) - (1 - 2 / (9 * d))) / sqrt(2 / (9 * d));
    return 0.5 * erfc(z / sqrt(2));
}

/* Cells of counts: cell i holds the counts up to and including end[i] that are in no cell before it. */
typedef struct cells {
    size_t size;
    uint64_t *end;   /* owned */
    double *share;   /* owned: probability of each */
    uint64_t *count; /* owned: how many were seen  */
} cells;

static void cells_init(cells *c, size_t room)
{
    c->size = 0;
    c->end = calloc(room, sizeof *c->end);
    c->share = calloc(room, sizeof *c->share);
    c->count = calloc(room, sizeof *c->count);
    assert_true(c->end != NULL && c->share != NULL && c->count != NULL);
}

static void cells_fini(cells *c)
{
    free(c->end);
    free(c->share);
    free(c->count);
}

static void cells_push(cells *c, uint64_t end, double share)
{
    c->end[c->size] = end;
    c->share[c->size++] = share;
}

static void cells_see(cells *c, uint64_t k)
{
    size_t low = 0, high = c->size - 1;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (k <= c->end[middle])
            high = middle;
        else
            low = middle + 1;
    }
    c->count[low]++;
}

static double cells_tail(const cells *c, double draws)
{
    double sum = 0;
    assert_true(c->size >= 2);
    for (size_t i = 0; i < c->size; i++)
        sum += pow((double)c->count[i] - draws * c->share[i], 2) / (draws * c->share[i]);
    return chi_square_tail(sum, (double)c->size - 1);
}

static uint64_t walk_reach(uint64_t n, double p)
{
    return (uint64_t)(40 + 10 * sqrt((double)n * p * (1 - p)));
}

/* f over low..high, up to a factor, which the caller takes out. */
static long double *walk(uint64_t n, double p, uint64_t *low, uint64_t *high)
{
    uint64_t mode = (uint64_t)((long double)n * p), reach = walk_reach(n, p);
    long double odds = (long double)p / (1 - (long double)p);
    *low = mode > reach ? mode - reach : 0;
    *high = n - mode > reach ? mode + reach : n;
    long double *f = calloc(*high - *low + 1, sizeof *f);
    assert_non_null(f);
    f[mode - *low] = 1;
    for (uint64_t k = mode; k < *high; k++)
        f[k + 1 - *low] = f[k - *low] * ((long double)(n - k) / (long double)(k + 1) * odds);
    for (uint64_t k = mode; k > *low; k--)
        f[k - 1 - *low] = f[k - *low] / ((long double)(n - k + 1) / (long double)k * odds);
    return f;
}

/* Cells that expect at least 20 of the draws each, as fine as that allows. */
static void cells_walk(cells *c, uint64_t n, double p)
{
    uint64_t low, high;
    long double *f = walk(n, p, &low, &high), total = 0, share = 0;
    cells_init(c, high - low + 1);
    for (uint64_t k = low; k <= high; k++)
        total += f[k - low];
    for (uint64_t k = low; k <= high; k++) {
        share += f[k - low] / total;
        if (share * DRAWS >= 20) {
            cells_push(c, k, (double)share);
            share = 0;
        }
    }
    c->share[c->size - 1] += (double)share; /* the thin upper tail joins the last cell */
    c->end[c->size - 1] = UINT64_MAX;
    free(f);
}

/* 52 cells: z from -3 to 3 and the two tails. */
static void cells_normal(cells *c, uint64_t n, double p)
{
    enum { CUTS = 51 };
    long double mean = (long double)n * p;
    double deviation = sqrt((double)n * p * (1 - p)), below = 0;
    cells_init(c, CUTS + 1);
    for (int i = 0; i < CUTS; i++) {
        uint64_t end = (uint64_t)(mean + deviation * (-3 + 6.0 * i / (CUTS - 1)));
        double z = (double)((long double)end + 0.5L - mean) / deviation, upto = 0.5 * erfc(-z / sqrt(2));
        cells_push(c, end, upto - below);
        below = upto;
    }
    cells_push(c, UINT64_MAX, 1 - below);
}

static void cells_reference(cells *c, uint64_t n, double p)
{
    if (walk_reach(n, p) < 1000000)
        cells_walk(c, n, p);
    else
        cells_normal(c, n, p);
}

/* How well draws of Binomial(n, drawn) fit Binomial(n, p). */
static double fit(uint64_t n, double p, double drawn, uint64_t run)
{
    cells c;
    roster_rng rng;
    roster_rng_init(&rng, 2024, run, 0);
    cells_reference(&c, n, p);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t k = roster_rng_binomial(&rng, n, drawn);
        assert_true(k <= n);
        cells_see(&c, k);
    }
    double tail = cells_tail(&c, DRAWS);
    cells_fini(&c);
    return tail;
}

typedef struct sample_case {
    uint64_t n;
    double p, wrong; /* the truth, and a lie that must be found out */
} sample_case;

static void check_cases(const sample_case *cases, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        double right = fit(cases[i].n, cases[i].p, cases[i].p, i);
        double wrong = fit(cases[i].n, cases[i].p, cases[i].wrong, i);
        if (!(right > REJECT && wrong < REJECT))
            fail_msg("n = %llu, p = %g: tail %g, of p = %.12g %g", (unsigned long long)cases[i].n, cases[i].p, right,
                     cases[i].wrong, wrong);
    }
}

#define CHECK_CASES(cases) check_cases(cases, sizeof(cases) / sizeof *(cases))

static void binomial_of_ten(void **state)
{
    (void)state;
    static const sample_case cases[] = {
        {10, 0.5, 0.505}, {10, 0.02, 0.022}, {10, 0.98, 0.978}, {10, 0.3, 0.303}, {10, 1e-3, 1.3e-3}, {1, 0.25, 0.26},
    };
    CHECK_CASES(cases);
}

/* Around a mean of 10, where one method hands over to the other. */
static void binomial_at_the_change_of_method(void **state)
{
    (void)state;
    static const sample_case cases[] = {
        {20, 0.4999, 0.505}, {20, 0.5, 0.505},    {100, 0.0999, 0.101}, {100, 0.1, 0.101},        {30, 0.35, 0.3535},
        {30, 0.65, 0.6565},  {150, 0.08, 0.0808}, {150, 0.1, 0.101},    {1000000, 1e-5, 1.01e-5},
    };
    CHECK_CASES(cases);
}

static void binomial_of_a_million(void **state)
{
    (void)state;
    static const sample_case cases[] = {
        {1000000, 0.5, 0.5001}, {1000000, 0.02, 0.02002}, {1000000, 1e-6, 1.1e-6},
        {1000000, 0.7, 0.7001}, {1000000, 0.98, 0.97998}, {1000000, 1e-4, 1.01e-4},
    };
    CHECK_CASES(cases);
}

static void binomial_of_1e15(void **state)
{
    (void)state;
    const uint64_t n = UINT64_C(1000000000000000), more = UINT64_C(10000000000000000);
    const sample_case cases[] = {
        {n, 0.5, 0.500000001},
        {n, 0.02, 0.0200000003},
        {n, 1e-6, 1.000004e-6},
        {n, 1e-12, 1.01e-12},
        {n, 1e-15, 1.1e-15},
        {more, 1e-15, 1.01e-15},
        {more, 1.6e-16, 1.7e-16}, /* 1 - p is 1 or far off */
        {more, 0.3, 0.3000000003},
        {UINT64_C(1) << 62, 0.3, 0.30000000001},
        {UINT64_C(1) << 63, 0.5, 0.500000000008},
    };
    CHECK_CASES(cases);
}

/* Counts near 2^61 differ in their lowest bits, which a count held in a double would not have. */
static void low_digits_are_random(void **state)
{
    (void)state;
    enum { CELLS = 16 };
    uint64_t exact[CELLS] = {0}, rounded[CELLS] = {0};
    double value = 0, value_rounded = 0;
    roster_rng rng;
    roster_rng_init(&rng, 9, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t k = roster_rng_binomial(&rng, UINT64_C(1) << 62, 0.5);
        exact[k % CELLS]++;
        rounded[(uint64_t)(double)k % CELLS]++;
    }
    for (int i = 0; i < CELLS; i++) {
        value += pow((double)exact[i] - DRAWS / 16.0, 2) / (DRAWS / 16.0);
        value_rounded += pow((double)rounded[i] - DRAWS / 16.0, 2) / (DRAWS / 16.0);
    }
    assert_true(chi_square_tail(value, CELLS - 1) > REJECT);
    assert_true(chi_square_tail(value_rounded, CELLS - 1) < REJECT);
}

static void binomial_at_the_edges(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 10, 0, 0);
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(roster_rng_binomial(&rng, 0, 0.5), 0);
        assert_int_equal(roster_rng_binomial(&rng, UINT64_MAX, 0), 0);
        assert_int_equal(roster_rng_binomial(&rng, UINT64_MAX, 1), UINT64_MAX);
        assert_int_equal(roster_rng_binomial(&rng, UINT64_MAX, 0x1p-1074), 0);
        assert_true(roster_rng_binomial(&rng, 1, 0.5) <= 1);
        assert_true(UINT64_MAX - roster_rng_binomial(&rng, UINT64_MAX, 1 - 0x1p-53) < 10000);
        uint64_t k = roster_rng_binomial(&rng, UINT64_MAX, 0.5); /* within ten standard deviations of 2^31 */
        assert_true(k > UINT64_MAX / 2 - (UINT64_C(10) << 31) && k < UINT64_MAX / 2 + (UINT64_C(10) << 31));
    }
}

/* The same numbers on every machine: written down once, wrong the day a bit changes. */
static void binomial_is_reproducible(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 1, 2, 3);
    assert_int_equal(roster_rng_binomial(&rng, UINT64_C(1000000000000000), 0.5), UINT64_C(499999990259573));
    assert_int_equal(roster_rng_binomial(&rng, UINT64_C(1000000000000000), 0.02), UINT64_C(19999997235434));
    assert_int_equal(roster_rng_binomial(&rng, UINT64_C(1) << 62, 0.7), UINT64_C(3228180213312282492));
    assert_int_equal(roster_rng_binomial(&rng, 1000, 0.005), 2);
}

/* All 66 ways in which 10 trials fall on three outcomes, the rare ones together; seen[a][b] of them are known. */
static double joint_tail(const double *p, double seen[11][11])
{
    static const double factorial[11] = {1, 1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800};
    double value = 0, rare = 0, rare_seen = 0;
    int ways = 0;
    for (int a = 0; a <= 10; a++)
        for (int b = 0; a + b <= 10; b++) {
            int c = 10 - a - b;
            double share = factorial[10] / (factorial[a] * factorial[b] * factorial[c]) * pow(p[0], a) * pow(p[1], b) *
                           pow(p[2], c);
            if (share * DRAWS < 20) {
                rare += share * DRAWS;
                rare_seen += seen[a][b];
            } else {
                value += pow(seen[a][b] - share * DRAWS, 2) / (share * DRAWS);
                ways++;
            }
        }
    return chi_square_tail(value + pow(rare_seen - rare, 2) / rare, ways);
}

static void multinomial_joint(void **state)
{
    (void)state;
    static const double right[3] = {0.5, 0.02, 0.48}, wrong[3] = {0.505, 0.02, 0.475};
    for (int lie = 0; lie < 2; lie++) {
        double seen[11][11] = {{0}};
        roster_rng rng;
        roster_rng_init(&rng, 11, 0, 0);
        for (int i = 0; i < DRAWS; i++) {
            uint64_t count[3];
            roster_rng_multinomial(&rng, 10, 3, lie ? wrong : right, count);
            assert_int_equal(count[0] + count[1] + count[2], 10);
            seen[count[0]][count[1]]++;
        }
        assert_true((joint_tail(right, seen) > REJECT) == !lie);
    }
}

enum { OUTCOMES = 8 };
static const double many[OUTCOMES] = {0.02, 0.5, 0.1, 0.03, 0.2, 0.05, 0.0625, 0.0375};

/* Draws that forget that the counts add up to n. */
static void apart(roster_rng *rng, uint64_t n, size_t v, const double *p, uint64_t *count)
{
    for (size_t i = 0; i < v; i++)
        count[i] = roster_rng_binomial(rng, n, p[i]);
}

/* Any set of outcomes together is Binomial(n, sum of their p); bit i of `set` is outcome i. */
static double fit_set(uint64_t n, unsigned set,
                      void (*draw)(roster_rng *, uint64_t, size_t, const double *, uint64_t *))
{
    double p = 0;
    for (int i = 0; i < OUTCOMES; i++)
        p += set >> i & 1 ? many[i] : 0;
    cells c;
    cells_reference(&c, n, p);
    roster_rng rng;
    roster_rng_init(&rng, 12, n, 0);
    for (int r = 0; r < DRAWS; r++) {
        uint64_t count[OUTCOMES], sum = 0;
        draw(&rng, n, OUTCOMES, many, count);
        for (int i = 0; i < OUTCOMES; i++)
            sum += set >> i & 1 ? count[i] : 0;
        cells_see(&c, sum);
    }
    double tail = cells_tail(&c, DRAWS);
    cells_fini(&c);
    return tail;
}

/* Single outcomes see means and variances, sets see the covariances: counts drawn apart pass the first, not these. */
static void multinomial_of_many(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {10, 1000000, UINT64_C(1000000000000000)};
    for (size_t s = 0; s < 3; s++) {
        static const unsigned sets[] = {1 << 1, 1 << 7, 1 << 1 | 1 << 4, 1 << 0 | 1 << 2 | 1 << 7};
        for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
            assert_true(fit_set(sizes[s], sets[i], roster_rng_multinomial) > REJECT);
        assert_true(fit_set(sizes[s], 1 << 1, apart) > REJECT);
        assert_true(fit_set(sizes[s], 1 << 1 | 1 << 4, apart) < REJECT);
    }
}

static void multinomial_skips_the_impossible(void **state)
{
    (void)state;
    static const double p[4][5] = {{0, 0.5, 0, 0.5, 0}, {0, 0, 0, 0, 1}, {1, 0, 0, 0, 0}, {0.1, 0, 0.7, 0.2, 0}};
    roster_rng rng;
    roster_rng_init(&rng, 13, 0, 0);
    for (int i = 0; i < 4000; i++) {
        const double *row = p[i % 4];
        const uint64_t n = i % 8 < 4 ? (UINT64_C(1) << 62) + 12345 : (uint64_t)i % 5;
        uint64_t count[5], sum = 0;
        roster_rng_multinomial(&rng, n, 5, row, count);
        for (int v = 0; v < 5; v++) {
            assert_true(row[v] > 0 || count[v] == 0);
            assert_true(row[v] < 1 || count[v] == n);
            sum += count[v];
        }
        assert_int_equal(sum, n);
    }
}

/* After a probability of 1 the rest is 2e-15: lost where it is 1 minus what was taken, kept by the suffix sum. */
static void multinomial_keeps_a_small_rest(void **state)
{
    (void)state;
    static const double p[3] = {1, 1e-15, 1e-15};
    const uint64_t n = UINT64_C(10000000000000000);
    cells first, second;
    cells_walk(&first, n, 1e-15);
    cells_walk(&second, n, 1e-15);
    roster_rng rng;
    roster_rng_init(&rng, 14, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        uint64_t count[3];
        roster_rng_multinomial(&rng, n, 3, p, count);
        cells_see(&first, count[1]);
        cells_see(&second, count[2]);
    }
    assert_true(cells_tail(&first, DRAWS) > REJECT);
    assert_true(cells_tail(&second, DRAWS) > REJECT);
    cells_fini(&first);
    cells_fini(&second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(binomial_of_ten),
        cmocka_unit_test(binomial_at_the_change_of_method),
        cmocka_unit_test(binomial_of_a_million),
        cmocka_unit_test(binomial_of_1e15),
        cmocka_unit_test(low_digits_are_random),
        cmocka_unit_test(binomial_at_the_edges),
        cmocka_unit_test(binomial_is_reproducible),
        cmocka_unit_test(multinomial_joint),
        cmocka_unit_test(multinomial_of_many),
        cmocka_unit_test(multinomial_skips_the_impossible),
        cmocka_unit_test(multinomial_keeps_a_small_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
