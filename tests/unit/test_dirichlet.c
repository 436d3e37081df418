/*
 * test_dirichlet.c: random distributions have the law they are named for.
 */
#include "support.h"

#include "base.h"

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

/* Mean and variance within five standard errors. */
static void beta_moments(void **state)
{
    (void)state;
    const double shapes[][2] = {{1, 1}, {.2, .3}, {5, 2}, {1, 400}, {3000.5, 7000.5}, {1, 1e6}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        roster_rng rng;
        double a = shapes[s][0], b = shapes[s][1], mean = a / (a + b), sum = 0, squares = 0, fourth = 0;
        double variance = mean * (1 - mean) / (a + b + 1);
        roster_rng_init(&rng, 6, s, 0);
        for (int i = 0; i < DRAWS; i++) {
            double x = roster_rng_beta(&rng, a, b), off = (x - mean) * (x - mean);
            assert_true(x >= 0 && x <= 1);
            sum += x;
            squares += off;
            fourth += off * off;
        }
        double spread = sqrt((fourth / DRAWS - variance * variance) / DRAWS);
        assert_true(fabs(sum / DRAWS - mean) < 5 * sqrt(variance / DRAWS));
        assert_true(fabs(squares / DRAWS - variance) < 5 * spread);
    }
}

/* P(Beta(3, 1) <= x) = x^3 and P(Beta(1, 2.5) > x) = (1 - x)^2.5, at ten places. */
static void beta_distribution(void **state)
{
    (void)state;
    roster_rng rng;
    size_t below[10] = {0}, above[10] = {0};
    roster_rng_init(&rng, 7, 0, 0);
    for (int i = 0; i < DRAWS; i++) {
        double x = roster_rng_beta(&rng, 3, 1), y = roster_rng_beta(&rng, 1, 2.5);
        for (size_t j = 1; j < 10; j++) {
            below[j] += x <= .1 * (double)j;
            above[j] += y > .1 * (double)j;
        }
    }
    for (size_t j = 1; j < 10; j++) {
        double p = pow(.1 * (double)j, 3), q = pow(1 - .1 * (double)j, 2.5);
        assert_true(fabs((double)below[j] / DRAWS - p) < 5 * sqrt(p * (1 - p) / DRAWS));
        assert_true(fabs((double)above[j] / DRAWS - q) < 5 * sqrt(q * (1 - q) / DRAWS));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments),       cmocka_unit_test(uniform_on_the_simplex),
        cmocka_unit_test(floor_is_kept), cmocka_unit_test(any_concentration),
        cmocka_unit_test(beta_moments),  cmocka_unit_test(beta_distribution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
