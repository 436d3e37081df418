/*
 * test_beta.c: lib/base/gamma.c and beta.c against values computed with 40 digits (mpmath), and against exact sums.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base.h"

#define assert_near(is, should, error) assert_true(fabs((is) - (should)) <= (error)*fabs(should))

static void rests_of_factorials(void **state)
{
    (void)state;
    assert_near(roster_factorial_rest(0.5), 0.72579135264472743236, 1e-13);
    assert_near(roster_factorial_rest(3.25), 1.5338281893400215945, 1e-13);
    assert_true(roster_factorial_rest(0) == 0);
    /* Stirling's series and the product meet at 16 */
    assert_near(roster_factorial_rest(15), roster_factorial_rest(15 + 1e-9), 1e-9);
    assert_near(roster_factorial_rest(16), log(20922789888000.) - 16 * (log(16) - 1), 1e-13);
}

static void known_values(void **state)
{
    (void)state;
    static const struct {
        double x, a, b, is;
    } known[] = {{.4, 2, 3, .5248},
                 {.01, 3, 200, 0.32876182896161063335},
                 {.5, 50, 51, 0.53979461869358938075},
                 {.2, .5, .5, 0.29516723530086655719},
                 {.7, 2.5, .3, 0.1179908688161621056},
                 {1e-12, 3, 1e12, 0.080301397071670101892},
                 {.49998, 5e9, 5e9 + 1, 0.000031672579934623633288}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double error = known[i].a > 1e6 ? 1e-9 : 1e-13;
        assert_near(roster_beta(known[i].x, known[i].a, known[i].b), known[i].is, error);
        if (known[i].x > 1e-6) /* else 1 - x has lost it */
            assert_near(roster_beta(1 - known[i].x, known[i].b, known[i].a), 1 - known[i].is, 1e-9);
    }
    for (double n = 1; n < 1e6; n *= 7) /* I_x(1, n) = 1 - (1-x)^n */
        assert_near(roster_beta(.3 / n, 1, n), -expm1(n * log1p(-.3 / n)), 1e-13);
    assert_true(roster_beta(0, 2, 3) == 0 && roster_beta(1, 2, 3) == 1);
}

static void known_inverses(void **state)
{
    (void)state;
    static const struct {
        double p, a, b, x;
    } known[] = {{.025, 8, 3, 0.44390453769235845822},     {.005, 1, 100, 0.000050124161977656417401},
                 {1e-5, 500, 501, 0.43239451933697503929}, {1e-5, 10, 9991, 0.00016649484133435398759},
                 {.975, 9, 2, 0.97478927367316662995},     {.3, 2.5, 4, 0.27403424690100025363}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_near(roster_beta_inverse(known[i].p, known[i].a, known[i].b), known[i].x, 1e-13);
    assert_true(roster_beta_inverse(0, 2, 3) == 0 && roster_beta_inverse(1, 2, 3) == 1);
    assert_true(roster_beta_inverse(NAN, 2, 3) == 0);
}

/* P(Bin(n, x) >= k) added up term by term. */
static void sums_of_binomials(void **state)
{
    (void)state;
    const int n = 40;
    for (int i = 1; i < 20; i++) {
        long double x = .05L * i, f = powl(1 - x, n), below = 0;
        for (int k = 0; k < n; k++) {
            if (k > 0)
                assert_true(fabs(roster_beta((double)x, k, n - k + 1) - (double)(1 - below)) < 1e-13);
            below += f;
            f *= (long double)(n - k) / (k + 1) * (x / (1 - x));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rests_of_factorials), cmocka_unit_test(known_values),
                                       cmocka_unit_test(known_inverses), cmocka_unit_test(sums_of_binomials)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
