/*
 * test_numerics.c: ln, exp, the Lambert function and the carrying sum of lib/base/numerics.c, held to long doubles of
 * at least 64 bits; and the allocation helpers of lib/base/memory.c.
 */
#include "support.h"

#include "base.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(LDBL_MANT_DIG >= 64, "the oracle needs more digits than a double has");

enum { DRAWS = 200000 };

/* Distance in units of the last place that a double has at `exact`. */
static double ulps(double got, long double exact)
{
    double nearest = fabs((double)exact);
    if (got == (double)exact)
        return 0;
    if (isinf(nearest))
        nearest = DBL_MAX;
    double ulp = nearest < DBL_MAX ? nextafter(nearest, INFINITY) - nearest : nearest - nextafter(nearest, 0);
    return (double)(fabsl((long double)got - exact) / (long double)ulp);
}

static void assert_ln(double x)
{
    double off = ulps(roster_ln(x), logl((long double)x));
    if (!(off < 1.5))
        fail_msg("ln %a is off by %g ulp", x, off);
}

static void assert_exp(double x)
{
    double off = ulps(roster_exp(x), expl((long double)x));
    if (!(off < 1.5))
        fail_msg("exp %a is off by %g ulp", x, off);
}

/* Any positive double, subnormals included, all bit patterns alike. */
static double any_positive(roster_rng *rng)
{
    double x;
    do {
        uint64_t bits = roster_rng_u64(rng) >> 1;
        memcpy(&x, &bits, sizeof x);
    } while (!(x > 0) || isinf(x));
    return x;
}

static void ln_random(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_SETUP);
    for (int i = 0; i < DRAWS; i++) {
        assert_ln(any_positive(&rng));
        assert_ln(roster_rng_uniform(&rng) * 4 + DBL_MIN);
        assert_ln(1 + (roster_rng_uniform(&rng) - 0.5) * ldexp(1, -(int)roster_rng_below(&rng, 52)));
    }
}

static void ln_special(void **state)
{
    (void)state;
    const double edges[] = {1,
                            1 + DBL_EPSILON,
                            1 - DBL_EPSILON / 2,
                            0x1.6a09e667f3bcdp-1,
                            0x1.6a09e667f3bccp-1,
                            0x1.6a09e667f3bcdp0,
                            0x1.6a09e667f3bccp0,
                            DBL_MIN,
                            DBL_MAX,
                            0x1p-1074,
                            0x1.fffffffffffffp-1023,
                            0x1p-1023,
                            3 * 0x1p-1074};
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        assert_ln(edges[i]);
    for (int k = -1074; k <= 1023; k++)
        assert_ln(ldexp(1, k));
    assert_true(roster_ln(1) == 0);
    assert_true(roster_ln(0.0) == -INFINITY && roster_ln(-0.0) == -INFINITY);
    assert_true(roster_ln(INFINITY) == INFINITY);
    assert_true(isnan(roster_ln(-1)) && isnan(roster_ln(-0x1p-1074)) && isnan(roster_ln(-INFINITY)));
    assert_true(isnan(roster_ln(NAN)));
}

static void exp_random(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 2, 0, ROSTER_ROLE_SETUP);
    for (int i = 0; i < DRAWS; i++) {
        assert_exp(-745.2 + roster_rng_uniform(&rng) * 1455);
        assert_exp((roster_rng_uniform(&rng) - 0.5) * 4);
        assert_exp((roster_rng_uniform(&rng) - 0.5) * ldexp(1, -(int)roster_rng_below(&rng, 80)));
    }
}

static void exp_special(void **state)
{
    (void)state;
    for (int k = -1076; k <= 1024; k++) { /* where the reduction changes its k, and where results leave the range */
        double middle = (k + 0.5) * 0.69314718055994531;
        assert_exp(middle);
        assert_exp(nextafter(middle, INFINITY));
        assert_exp(nextafter(middle, -INFINITY));
        assert_exp(k * 0.69314718055994531);
    }
    assert_true(roster_exp(0.0) == 1 && roster_exp(-0.0) == 1 && roster_exp(0x1p-1074) == 1);
    assert_true(isfinite(roster_exp(0x1.62e42fefa39efp9))); /* 709.78, the last that fits */
    assert_true(roster_exp(0x1.62e42fefa39f0p9) == INFINITY);
    assert_true(roster_exp(709.79) == INFINITY && roster_exp(1e300) == INFINITY && roster_exp(INFINITY) == INFINITY);
    assert_true(roster_exp(-745.13) == 0x1p-1074 && roster_exp(-745.14) == 0);
    assert_true(roster_exp(-745.2) == 0 && roster_exp(-1e300) == 0 && roster_exp(-INFINITY) == 0);
    assert_true(isnan(roster_exp(NAN)));
}

static void lambert_known_values(void **state)
{
    (void)state;
    assert_close(roster_lambert(1), 0.567143290409783873, 2e-16);
    assert_close(roster_lambert(2.718281828459045235), 1, 2e-16);
    assert_close(roster_lambert(2), 0.852605502013725491, 2e-16);
    assert_close(roster_lambert(10), 1.745528002740699383, 2e-16);
    assert_close(roster_lambert(1e-3), 9.99001497338531e-4, 1e-15);
    assert_close(roster_lambert(1e100), 224.843106445118502, 4e-16);
    assert_true(roster_lambert(0) == 0);
    assert_true(roster_lambert(INFINITY) == INFINITY);
    assert_true(isnan(roster_lambert(-1)) && isnan(roster_lambert(NAN)));
    assert_true(roster_lambert(0x1p-1074) == 0x1p-1074);
    assert_close(roster_lambert(DBL_MAX), 703.2270331047702, 1e-15);
}

/* W e^W = u (1 + e) means that W is off by e / (1 + W) of itself. */
static double lambert_error(double u)
{
    long double w = (long double)roster_lambert(u);
    return (double)(fabsl(expm1l(w + logl(w) - logl((long double)u))) / (1 + w));
}

static void lambert_inverts(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 3, 0, ROSTER_ROLE_SETUP);
    double before = 0;
    for (int i = -30000; i <= 30000; i++) {
        double u = pow(10, i * 0.01), w = roster_lambert(u);
        if (!(lambert_error(u) <= 4e-16))
            fail_msg("W(%a) is off by %g of itself", u, lambert_error(u));
        assert_true(w > before);
        before = w;
    }
    for (int i = 0; i < DRAWS; i++) { /* densest where the first guess changes its form, at 0.3 */
        double u = exp((roster_rng_uniform(&rng) - 0.5) * 8);
        if (!(lambert_error(u) <= 4e-16))
            fail_msg("W(%a) is off by %g of itself", u, lambert_error(u));
    }
}

/* By libm in long double, from tiny to huge, next to the largest part of it. */
static void ln_gamma_as_libm(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 12, 0, 0);
    for (int i = 0; i < 20000; i++) {
        double x = exp(40 * roster_rng_uniform(&rng) - 5);
        long double exact = lgammal(x), part = fabsl(x * logl(x)) + 30;
        assert_true(fabsl((long double)roster_ln_gamma(x) - exact) <= 1e-15L * part);
    }
    assert_true(fabs(roster_ln_gamma(0.5) - 0.57236494292470008707) <= 1e-14);
}

static void add_does_not_drift(void **state)
{
    (void)state;
    double hi = 0, lo = 0, plain = 0;
    for (int i = 0; i < 10000000; i++) {
        roster_add(&hi, &lo, 0.1);
        plain += 0.1;
    }
    double exact = (double)(1e7L * (long double)0.1);
    assert_true(hi + lo == exact);
    assert_true(fabs(plain - exact) > 1e-5);
}

static void add_survives_cancellation(void **state)
{
    (void)state;
    const double terms[] = {1, 1e16, 1, -1e16};
    double hi = 0, lo = 0, plain = 0;
    for (int round = 0; round < 1000; round++)
        for (int i = 0; i < 4; i++) {
            roster_add(&hi, &lo, terms[i]);
            plain += terms[i];
        }
    assert_true(hi + lo == 2000);
    assert_true(plain != 2000);
    for (int i = 3; i >= 0; i--) /* taking back in another order leaves nothing behind */
        for (int round = 0; round < 1000; round++)
            roster_add(&hi, &lo, -terms[i]);
    assert_true(hi + lo == 0);
}

static void alloc_zeroes_and_refuses(void **state)
{
    (void)state;
    volatile size_t huge = SIZE_MAX; /* a constant would have the compiler warn */
    unsigned char *bytes = roster_alloc(1000, 3);
    assert_non_null(bytes);
    for (size_t i = 0; i < 3000; i++)
        assert_int_equal(bytes[i], 0);
    free(bytes);
    void *none = roster_alloc(0, 8);
    assert_non_null(none);
    free(none);
    assert_null(roster_alloc(huge, 8));
    assert_null(roster_alloc(huge / 4, 8));
    assert_null(roster_alloc(huge / 4 + 2, 4)); /* the product is 4 modulo 2^64 */
}

static void grow_keeps_content(void **state)
{
    (void)state;
    size_t *numbers = NULL, capacity = 0, moves = 0;
    for (size_t need = 1; need <= 100000; need++) {
        size_t before = capacity;
        void *array = numbers;
        assert_int_equal(roster_grow(&array, &capacity, 0, need, sizeof *numbers), ROSTER_OK);
        numbers = array;
        assert_true(capacity >= need);
        moves += capacity != before;
        numbers[need - 1] = need * 3;
    }
    assert_in_range(moves, 2, 20); /* geometric: a number of moves that is logarithmic */
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(numbers[i], (i + 1) * 3);
    free(numbers);
}

static void grow_refuses_and_leaves(void **state)
{
    (void)state;
    size_t capacity = 0;
    void *array = NULL;
    assert_int_equal(roster_grow(&array, &capacity, 0, 5, 8), ROSTER_OK);
    void *before = array;
    size_t room = capacity;
    assert_int_equal(roster_grow(&array, &capacity, 0, 5, 8), ROSTER_OK);
    assert_int_equal(roster_grow(&array, &capacity, 0, 0, 8), ROSTER_OK);
    const size_t needs[] = {SIZE_MAX, SIZE_MAX / 2 + 2, SIZE_MAX / 4, SIZE_MAX / 8, SIZE_MAX / 8 + 1};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        assert_int_equal(roster_grow(&array, &capacity, 0, needs[i], 8), ROSTER_ENOMEM);
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, room);
    free(array);
}

static void copy_copies(void **state)
{
    (void)state;
    volatile size_t huge = SIZE_MAX;
    double numbers[] = {1.5, -2, 3};
    double *copy = roster_copy(numbers, 3, sizeof *numbers);
    assert_non_null(copy);
    numbers[0] = 7;
    assert_true(copy[0] == 1.5 && copy[1] == -2 && copy[2] == 3);
    free(copy);
    void *none = roster_copy(NULL, 0, 8);
    assert_non_null(none);
    free(none);
    assert_null(roster_copy(numbers, huge / 4, 8));
}

/* The series from a base to the next, and that it does not matter which rounds were asked for before. */
static void ell_of_every_round(void **state)
{
    (void)state;
    roster_ell clock = {0}, other = {0};
    for (uint64_t t = 0; t < UINT64_C(1) << 48; t += t < 300000 ? 1 : 1 + t / 5000) {
        long double tau = t > 1 ? logl((long double)t) : 0, exact = logl(1 + (long double)t * tau * tau);
        double got = roster_ell_at(&clock, t), again = roster_ell_at(&other, t - t % 7);
        if (!(ulps(got, exact) < 3))
            fail_msg("ell(%llu) is off by %g ulp", (unsigned long long)t, ulps(got, exact));
        if (t % 7 == 0)
            assert_true(got == again);
    }
}

static void psi_e_of_everything(void **state)
{
    (void)state;
    for (int i = 0; i <= 200000; i++) {
        double a = i % 2 == 0 ? .5 * i / 200000 : .5 * pow(10, -i / 2000. / 10);
        long double exact = -log1pl(-(long double)a) - (long double)a;
        if (a < 1e-3)
            exact = (long double)a * a * (.5L + a * (1 / 3.L + a * (.25L + a * (.2L + a * (1 / 6.L + a / 7.L)))));
        if (!(fabsl((long double)roster_psi_e(a) - exact) <= 1e-15L * exact))
            fail_msg("psiE(%a) is off by %Lg", a, (long double)roster_psi_e(a) / exact - 1);
    }
    assert_true(fabs(roster_psi_e(.5) - ROSTER_PSI_E_HALF) <= 1e-16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ell_of_every_round),
        cmocka_unit_test(psi_e_of_everything),
        cmocka_unit_test(ln_random),
        cmocka_unit_test(ln_special),
        cmocka_unit_test(exp_random),
        cmocka_unit_test(exp_special),
        cmocka_unit_test(lambert_known_values),
        cmocka_unit_test(lambert_inverts),
        cmocka_unit_test(ln_gamma_as_libm),
        cmocka_unit_test(add_does_not_drift),
        cmocka_unit_test(add_survives_cancellation),
        cmocka_unit_test(alloc_zeroes_and_refuses),
        cmocka_unit_test(grow_keeps_content),
        cmocka_unit_test(grow_refuses_and_leaves),
        cmocka_unit_test(copy_copies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
