/*
 * test_dirichlet.c: random distributions have the law they are named for.
 */
#include "support.h"

#include <math.h>

enum { N = 5, DRAWS = 40000 };

/* Mean 1/n and variance (1 - 1/n) / n / (n a + 1), within five standard errors. */
static void moments(void **state)
{
    (void)state;
    const double concentrations[] = {.05, .5, 1, 3, 100};
    for (size_t c = 0; c < 5; c++) {
        roster_rng rng;
        double a = concentrations[c], p[N], sum[N] = {0}, squares[N] = {0};
        roster_rng_init(&rng, 2, c, 0);
        for (int i = 0; i < DRAWS; i++) {
            double total = 0;
            roster_rng_dirichlet(&rng, N, a, 0, p);
            for (size_t j = 0; j < N; j++) {
                assert_true(p[j] >= 0 && p[j] <= 1);
                total += p[j];
                sum[j] += p[j];
                squares[j] += (p[j] - .2) * (p[j] - .2);
            }
            assert_true(fabs(total - 1) < 1e-12);
        }
        double variance = .16 / (N * a + 1);
        for (size_t j = 0; j < N; j++) {
            assert_true(fabs(sum[j] / DRAWS - .2) < 5 * sqrt(variance / DRAWS));
            assert_true(fabs(squares[j] / DRAWS / variance - 1) < 5 * sqrt(8.0 / DRAWS / fmin(1, a)));
        }
    }
}

/* Concentration 1 is uniform on the simplex: P(p_0 > x) = (1 - x)^(n - 1). */
static void uniform_on_the_simplex(void **state)
{
    (void)state;
    roster_rng rng;
    double p[N];
    size_t above[3] = {0};
    roster_rng_init(&rng, 3, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        roster_rng_dirichlet(&rng, N, 1, 0, p);
        for (size_t x = 0; x < 3; x++)
            above[x] += p[0] > .1 + .2 * (double)x;
    }
    for (size_t x = 0; x < 3; x++) {
        double share = pow(.9 - .2 * (double)x, N - 1);
        assert_true(fabs((double)above[x] / DRAWS - share) < 5 * sqrt(share * (1 - share) / DRAWS));
    }
}

static void floor_is_kept(void **state)
{
    (void)state;
    roster_rng rng;
    double p[N];
    roster_rng_init(&rng, 4, 0, 0);
    for (int i = 0; i < 1000; i++) {
        double total = 0;
        roster_rng_dirichlet(&rng, N, .01, .03, p);
        for (size_t j = 0; j < N; j++) {
            assert_true(p[j] >= .03);
            total += p[j];
        }
        assert_true(fabs(total - 1) < 1e-12);
    }
    roster_rng_dirichlet(&rng, 1, 1, 0, p);
    assert_true(p[0] == 1);
}

/* Every concentration gives a distribution, and in finite time. */
static void any_concentration(void **state)
{
    (void)state;
    const double concentrations[] = {0, -1, NAN, INFINITY, -INFINITY, 5e-324, 1e-300, 1e300};
    for (size_t c = 0; c < sizeof concentrations / sizeof *concentrations; c++) {
        roster_rng rng;
        double p[3], sum = 0;
        roster_rng_init(&rng, 1, 0, 0);
        roster_rng_dirichlet(&rng, 3, concentrations[c], 0, p);
        for (size_t i = 0; i < 3; i++) {
            assert_true(p[i] >= 0 && p[i] <= 1);
            sum += p[i];
        }
        assert_true(fabs(sum - 1) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments),
        cmocka_unit_test(uniform_on_the_simplex),
        cmocka_unit_test(floor_is_kept),
        cmocka_unit_test(any_concentration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
