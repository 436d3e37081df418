/*
 * test_sequence.c: intervals that hold at every time (lib/estimate/sequence.c).
 */
#include "support.h"

#include <math.h>

/* Section 15 written out, with libm and in long double. */
typedef struct literal {
    long double sums[3], spread;
    int t;
} literal;

static void literal_add(literal *l, long double level, bool difference, long double psi, long double reach)
{
    long double B = reach + (difference ? 2 : 1), low = difference ? -1 : 0;
    long double h = l->t == 0 ? (difference ? 0 : 0.5L) : fminl(fmaxl(l->sums[1] / l->sums[0], low), 1);
    long double v = (fminl(reach, 10) / 4 + l->spread) / (l->t + 1);
    l->t++;
    long double lambda = fminl(1 / (2 * B), sqrtl(2 * level / (v * l->t * logl(1 + (long double)l->t))));
    l->sums[0] += lambda;
    l->sums[1] += lambda * psi;
    l->sums[2] += (psi - h) * (psi - h) * (-log1pl(-lambda * B) - lambda * B) / (B * B);
    l->spread += (psi - h) * (psi - h);
}

static void equals_literal(void **state)
{
    (void)state;
    for (int difference = 0; difference < 2; difference++) {
        roster_rng rng;
        roster_sequence s;
        literal l = {.t = 0};
        roster_rng_init(&rng, 7, 0, 0);
        roster_sequence_init(&s, 0.05, difference);
        for (int i = 0; i < 5000; i++) {
            double reach = 1 + 30 * roster_rng_uniform(&rng), w = reach * roster_rng_uniform(&rng);
            double psi = difference ? (w - 1) * (roster_rng_uniform(&rng) - 0.5)
                                    : 0.25 + w * (roster_rng_uniform(&rng) < 0.1 ? 0.75 : -0.25);
            roster_sequence_add(&s, psi, reach);
            literal_add(&l, logl(2 / 0.05L), difference, psi, reach);
            roster_interval got = roster_sequence_interval(&s);
            double value = (double)(l.sums[1] / l.sums[0]);
            double radius = (double)((logl(40) + l.sums[2]) / l.sums[0]);
            assert_true(fabs(got.value - value) <= 1e-9 * (1 + fabs(value)));
            assert_true(fabs(got.high - got.value - radius) <= 1e-9 * radius);
            assert_true(fabs(got.value - got.low - radius) <= 1e-9 * radius);
        }
        assert_int_equal(s.n, 5000);
    }
}

/* 400 streams of 500 coins, weighted by 0 or 4: at most 5% ever miss, looked at after every number. */
static void holds_at_every_time(void **state)
{
    (void)state;
    int missed = 0;
    for (uint64_t run = 0; run < 400; run++) {
        roster_rng rng;
        roster_sequence s;
        bool miss = false;
        roster_rng_init(&rng, 1, run, 0);
        roster_sequence_init(&s, 0.05, false);
        for (int i = 0; i < 500; i++) {
            double w = roster_rng_uniform(&rng) < 0.25 ? 4 : 0, y = roster_rng_uniform(&rng) < 0.3;
            roster_sequence_add(&s, 0.5 + w * (y - 0.5), 4);
            roster_interval at = roster_sequence_interval(&s);
            miss = miss || at.low > 0.3 || at.high < 0.3;
        }
        missed += miss;
    }
    assert_true(missed <= 20);
}

static void nothing_known(void **state)
{
    (void)state;
    roster_sequence s;
    roster_sequence_init(&s, 0.05, false);
    roster_sequence_add(&s, 0.5, INFINITY);
    roster_sequence_add(&s, NAN, 1);
    roster_interval at = roster_sequence_interval(&s);
    assert_true(at.low == 0 && at.high == 1 && s.n == 0);
    roster_sequence_init(&s, 0.05, true);
    at = roster_sequence_interval(&s);
    assert_true(at.low == -1 && at.high == 1);
}

static void merged_sums_add(void **state)
{
    (void)state;
    roster_sequence a, b;
    roster_sequence_init(&a, 0.05, false);
    roster_sequence_init(&b, 0.05, false);
    for (int i = 0; i < 100; i++) {
        roster_sequence_add(&a, i % 3 == 0, 1);
        roster_sequence_add(&b, i % 2 == 0, 1);
    }
    double width = roster_sequence_interval(&a).high - roster_sequence_interval(&a).low;
    double lambda = a.lambda + b.lambda, charge = a.charge + b.charge;
    roster_sequence_merge(&a, &b);
    roster_interval at = roster_sequence_interval(&a);
    assert_int_equal(a.n, 200);
    assert_true(at.high - at.low < width);
    assert_true(fabs(at.high - at.value - (a.log_level + charge) / lambda) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_literal),
        cmocka_unit_test(holds_at_every_time),
        cmocka_unit_test(nothing_known),
        cmocka_unit_test(merged_sums_add),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
