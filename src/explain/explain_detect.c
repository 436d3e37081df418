/*
 * explain_detect.c: the traffic it takes to tell two experts apart that differ by a given amount: an A/B calculator.
 *
 *   d(c) = pi_i - pi_j in cell c = (x, v);  sigma^2: of a reward;  D: the difference to be detected
 *   at_most   sum_x p(x) TV(pi_i, pi_j): the values differ by no more, whatever the rewards in [0, 1]
 *   split     each plays half of the rounds: variance 4 sigma^2 / n, so n = 4 sigma^2 (z_.975 + z_.8)^2 / D^2
 *   one_look  the same rounds, rewards pooled by cell: the variance is the bound of SPEC-2, section 12,
 *             sum_c (p d)^2 sigma^2 / n_c = S sigma^2 / n,  S = sum_x p(x) sum_v d^2 / ((pi_i + pi_j) / 2) <= 4
 *   any_time  the same rounds, with the interval of SPEC-2, section 15, which holds at every time: the first n at which
 *             D >= [ l + sum v psiE(lambda B)/B^2 + z sqrt(v sum lambda^2) ] / sum lambda,  v = S sigma^2, B = R + 2,
 *             R = 2, l = ln(2/.05), lambda as there; z = z_.9, although 80% of campaigns are claimed: while the worse
 *             expert is taken for the leader, and while the cells' means are learnt, rounds count for less
 *   leader    the same while the better of the two plays alone: S = sum_x p(x) sum_v d^2 / pi_better, R the largest
 *             ratio; which is better is not known, so the larger of both figures. INFINITY where it never takes an
 *             action that the other takes, NAN where R exceeds 20, from where on evidence clips weights
 *
 * Paper: none. Beyond it: SPEC-2, sections 12 and 15.
 * Cost: N^2 X V, and some thousand steps per pair that is shown.
 * Check: a reward of .05 and D = .005 take 59,652 rounds of a plain split (tests/unit/test_detect.c).
 */
#include "explain_detect.h"

#include "common_error.h"

#include <math.h>
#include <stdlib.h>

static const double Z_LEVEL = 1.959963984540054, Z_POWER = 0.841621233572914, Z_SAFE = 1.281551565544600;
static const double WEIGHT_MOST = 20, ROUNDS_MOST = 1e15;
enum { STEPS_PER_ROUND = 256 };

static double psi_e(double a)
{
    return a > 1e-4 ? -log1p(-a) - a : a * a * (0.5 + a / 3);
}

double detect_any_time(double v, double reach, double difference)
{
    double l = log(2 / (1 - DETECT_LEVEL)), B = reach + 2, lambdas = 0, squares = 0, charge = 0;
    for (double t = 1; t < ROUNDS_MOST;) {
        double rounds = fmax(1, floor(t / STEPS_PER_ROUND));
        double lambda = fmin(1 / (2 * B), sqrt(2 * l / (v * t * log(1 + t))));
        lambdas += rounds * lambda;
        squares += rounds * lambda * lambda;
        charge += rounds * v * psi_e(lambda * B) / (B * B);
        t += rounds;
        if (difference * lambdas >= l + charge + Z_SAFE * sqrt(v * squares))
            return t;
    }
    return INFINITY;
}

static void add_cell(detect_pair *pair, double p, double a, double b)
{
    double d = a - b;
    if (p == 0 || d == 0)
        return;
    pair->at_most += p * fabs(d) / 2;
    pair->pooled += p * d * d / ((a + b) / 2);
    pair->alone[0] += p * d * d / a;
    pair->alone[1] += p * d * d / b;
    pair->reach[0] = fmax(pair->reach[0], b / a);
    pair->reach[1] = fmax(pair->reach[1], a / b);
}

static detect_pair compare(const detection *self, size_t i, size_t j)
{
    const roster_experts *experts = self->chosen->experts;
    const double *p = self->chosen->probabilities[0];
    detect_pair pair = {.i = i, .j = j, .reach = {1, 1}};
    for (size_t x = 0; x < roster_experts_contexts(experts); x++)
        for (size_t v = 0; v < roster_experts_actions(experts); v++)
            add_cell(&pair, p[x], roster_experts_probability(experts, i, x, v),
                     roster_experts_probability(experts, j, x, v));
    return pair;
}

/* The larger of what it takes while the first and while the second plays alone. */
static double leader_rounds(const detect_pair *pair, double variance, double D)
{
    double worst = 0;
    if (isinf(pair->alone[0]) || isinf(pair->alone[1]))
        return INFINITY;
    if (pair->reach[0] > WEIGHT_MOST || pair->reach[1] > WEIGHT_MOST)
        return NAN;
    for (size_t k = 0; k < 2; k++)
        worst = fmax(worst, detect_any_time(pair->alone[k] * variance, pair->reach[k], D));
    return worst;
}

detect_rounds detect_judge(const detection *self, const detect_pair *pair)
{
    double D = self->question.detect, variance = self->question.sd * self->question.sd;
    double looks = variance * (Z_LEVEL + Z_POWER) * (Z_LEVEL + Z_POWER) / (D * D);
    if (pair->at_most < D)
        return (detect_rounds){INFINITY, INFINITY, INFINITY, INFINITY};
    return (detect_rounds){ceil(4 * looks), ceil(pair->pooled * looks), detect_any_time(pair->pooled * variance, 2, D),
                           leader_rounds(pair, variance, D)};
}

static void count_pair(detection *self, const detect_pair *pair)
{
    self->n_same += pair->at_most < DETECT_SAME;
    self->n_close += pair->at_most >= DETECT_SAME && pair->at_most < self->question.detect;
    self->n_disjoint += pair->at_most > 1 - DETECT_SAME;
}

/* By what any_time grows with. */
static int hardest_first(const void *a, const void *b)
{
    const detect_pair *x = a, *y = b;
    if (x->pooled != y->pooled)
        return x->pooled < y->pooled ? 1 : -1;
    if (x->i != y->i)
        return x->i < y->i ? -1 : 1;
    return x->j < y->j ? -1 : 1;
}

/* Pairs that can differ so much to the front, in their order; behind them those that cannot. */
static void order(detection *self)
{
    size_t able = 0;
    for (size_t i = 0; i < self->n_pairs; i++)
        if (self->pairs[i].at_most >= self->question.detect) {
            detect_pair pair = self->pairs[i];
            self->pairs[i] = self->pairs[able];
            self->pairs[able++] = pair;
        }
    qsort(self->pairs, able, sizeof *self->pairs, hardest_first);
    qsort(self->pairs + able, self->n_pairs - able, sizeof *self->pairs, hardest_first);
}

int detect_find(detection *self, const experiment *file, const experiment_case *chosen, const detect_question *question,
                roster_error *err)
{
    size_t n = roster_experts_count(chosen->experts);
    *self = (detection){.file = file, .chosen = chosen, .question = *question, .n = n};
    if (n > DETECT_MOST)
        return common_fail(err, ROSTER_EINVAL,
                           "%zu experts are too many to compare each with every other: at most %d can be compared", n,
                           DETECT_MOST);
    self->pairs = calloc(n * (n - 1) / 2 + 1, sizeof *self->pairs);
    if (self->pairs == NULL)
        return common_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            self->pairs[self->n_pairs] = compare(self, i, j);
            count_pair(self, &self->pairs[self->n_pairs++]);
        }
    order(self);
    return ROSTER_OK;
}

void detect_free(detection *self)
{
    free(self->pairs);
}
