/*
 * test_drift.c: long runs leave no trace in the running sums of lib/estimate/clipped.c.
 *
 * Rewards of .1, which no binary number is, are summed over millions of rounds while cells leave and enter the
 * estimates as often as can be brought about: the next expert is always the one that drives the level of expert 0
 * back across the threshold of a cell. The indices must be those of the definition, computed in long double from
 * exact counts, and those of an estimator that was given the end result at once.
 */
#include "estimator.h"

#include <math.h>
#include <string.h>

/* What expert 0 mostly does in the rare context expert 2 seldom does: r_02 = 18, M_02 = 10.99, theta = .819. */
enum { N = 3, X = 2, V = 3, CELLS = X * V };
static const double pi[N * CELLS] = {.5, .3, .2, .9, .05, .05, .4, .4, .2, .3, .3, .4, .3, .4, .3, .05, .35, .6};
static const double p[X] = {.999, .001};

/* An estimator beside exact sums of what it was given. */
typedef struct ledger {
    roster_clipped est;
    roster_experts *experts; /* owned */
    uint64_t plays[N], count[N][CELLS];
    long double reward[N][CELLS];
    double theta;  /* of what expert 0 does and expert 2 seldom does */
    size_t inside; /* cells in all estimates when last looked at */
    uint64_t moves;
} ledger;

static void ledger_init(ledger *self, double C)
{
    roster_error err;
    double column[N];
    memset(self, 0, sizeof *self);
    assert_ok(roster_experts_tables(&self->experts, N, X, V, pi, NULL, &err), &err);
    estimator_init(&self->est, &(roster_estimator_problem){.experts = self->experts, .p = p, .C = C});
    roster_divergence_column(self->experts, p, false, 2, column);
    self->theta = .9 / .05 / (2 * column[0]);
}

static void ledger_fini(ledger *self)
{
    estimator_fini(&self->est);
    roster_experts_free(self->experts);
}

static void ledger_add(ledger *self, size_t k, size_t cell, uint64_t rounds, double s)
{
    roster_sample sample = {k, cell, roster_experts_across(self->experts, cell / V, cell % V), rounds, s};
    assert_int_equal(roster_clipped_absorb(&self->est, &sample), ROSTER_OK);
    self->plays[k] += rounds;
    self->count[k][cell] += rounds;
    self->reward[k][cell] += s;
    size_t inside = 0;
    for (size_t i = 0; i < N; i++) {
        roster_clipped_index(&self->est, i);
        inside += self->est.heaps[i].in;
    }
    self->moves += inside != self->inside;
    self->inside = inside;
}

static long double lambert(long double u)
{
    long double W = logl(1 + u);
    for (int step = 0; step < 100; step++)
        W -= (W + logl(W) - logl(u)) * W / (1 + W);
    return W;
}

/* U_i by its definition. */
static long double exact_index(const ledger *self, size_t i)
{
    long double Z = 0, t = 0, sum = 0, C = self->est.prepared->problem.C, m[N];
    for (size_t k = 0; k < N; k++) {
        double column[N];
        roster_divergence_column(self->experts, p, false, k, column);
        m[k] = column[i];
        Z += (long double)self->plays[k] / m[k];
        t += (long double)self->plays[k];
    }
    long double ratio = sqrtl(t * logl(t)) / Z, W = lambert(2 / ratio), level = W - logl(C);
    for (size_t k = 0; k < N; k++)
        for (size_t cell = 0; cell < CELLS; cell++) {
            const double *across = roster_experts_across(self->experts, cell / V, cell % V);
            long double r = (long double)across[i] / across[k], theta = r / (2 * m[k]);
            assert_true(fabsl(theta - level) > 1e-12L); /* no cell so near that rounding decides */
            sum += theta <= level ? self->reward[k][cell] * r / m[k] : 0;
        }
    return sum / Z + 1.5L * C * ratio * W;
}

/* Against the definition, and against an estimator that was given the end result at once. */
static void ledger_check(ledger *self)
{
    roster_clipped fresh;
    double worst = 0;
    estimator_init(&fresh, &self->est.prepared->problem);
    for (size_t k = 0; k < N; k++)
        for (size_t cell = 0; cell < CELLS; cell++) {
            const double *across = roster_experts_across(self->experts, cell / V, cell % V);
            roster_sample sample = {k, cell, across, self->count[k][cell], (double)self->reward[k][cell]};
            assert_true(sample.n == 0 || roster_clipped_absorb(&fresh, &sample) == ROSTER_OK);
        }
    for (size_t i = 0; i < N; i++) {
        double u = roster_clipped_index(&self->est, i), exact = (double)exact_index(self, i);
        worst = fmax(worst, fabs(u - exact) / exact);
        worst = fmax(worst, fabs(u - roster_clipped_index(&fresh, i)) / exact);
    }
    print_message("# after %llu rounds and %llu moves of cells: off by at most %.2g\n",
                  (unsigned long long)self->est.tally.t, (unsigned long long)self->moves, worst);
    assert_true(worst <= 1e-12); /* plain sums are off by 1e-11 */
    estimator_fini(&fresh);
}

/* Expert 2 says little about expert 0, so its rounds lower the level of expert 0; expert 0's own raise it. Now and then
   the third has a turn. */
static size_t driver(const ledger *self, uint64_t step)
{
    return step % 16 == 0 ? 1 : roster_clipped_level(&self->est, 0) > self->theta ? 2 : 0;
}

static void single_rounds_do_not_drift(void **state)
{
    (void)state;
    enum { ROUNDS = 20000000 };
    static ledger book;
    roster_rng rng;
    roster_rng_init(&rng, 8, 0, ROSTER_ROLE_SETUP);
    ledger_init(&book, 60);
    for (uint64_t t = 1, check = 1000; t <= ROUNDS; t++) {
        ledger_add(&book, driver(&book, t), (size_t)roster_rng_below(&rng, CELLS), 1, .1);
        if (t == check || t == ROUNDS) {
            ledger_check(&book);
            check *= 10;
        }
    }
    assert_true(book.moves > 1000000);
    ledger_fini(&book);
}

static void batches_do_not_drift(void **state)
{
    (void)state;
    static ledger book;
    roster_rng rng;
    roster_rng_init(&rng, 9, 0, ROSTER_ROLE_SETUP);
    ledger_init(&book, 300);
    for (uint64_t step = 1; book.est.tally.t < 1000000000; step++) {
        uint64_t rounds = 1 + roster_rng_below(&rng, 10 + book.est.tally.t / 2000);
        double s = .1 * (double)rounds;
        ledger_add(&book, driver(&book, step), (size_t)roster_rng_below(&rng, CELLS), rounds, s);
        if (step % 10000 == 0)
            ledger_check(&book);
    }
    ledger_check(&book);
    assert_true(book.moves > 2000);
    ledger_fini(&book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_rounds_do_not_drift),
        cmocka_unit_test(batches_do_not_drift),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
