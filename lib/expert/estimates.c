/*
 * estimates.c: experts known only from counts of what they were seen to do.
 *
 * Paper: Section 6 (bootstrapping), Lemma (empirical probability concentration).
 *
 *   c[k][x][v]      times expert k was seen to play action v in context x,  n[k][x] = sum_v c[k][x][v]
 *   pihat_k(v | x)  = c[k][x][v] / n[k][x], a row of zeros where n[k][x] = 0
 *   xi(delta)       = sqrt(2 V ln(2/delta) / n),  n the smallest n[k][x]: the sample size n = 2 V ln(2T) / xi^2 of the
 *                   bootstrapping, solved for xi with delta = 1/T
 *   exact           no |pihat - pi| is larger, with probability 1 - delta: Clopper and Pearson's interval of each
 *                   cell, c of n, at tail a = delta / (2 N X V), its ends low(c) = the x with P(Bin(n, x) >= c) = a and
 *                   1 - low(n - c); the error is the largest of c/n - low(c) and (n-c)/n - low(n-c)
 *   draw            A samples of each expert: how many fall into each context is Multinomial(A, prior), what the
 *                   expert does there Multinomial(that many, pi_k(. | x))
 *
 * By Chernoff's bound that interval is never wider than Hoeffding's, sqrt(ln(1/a) / (2n)), so the smaller of the two is
 * always Clopper and Pearson's. Of two actions the second's interval is the mirror image of the first's: one of them
 * counts.
 *
 * Cost: adding O(1); drawing N X V binomials whatever A; exact at most two beta integrals per cell and an inverse
 * where the error grows; memory N X (V + 1) counts of 64 bits.
 * Departs: xi is computed from the counts that were collected, the paper goes from xi to the counts.
 * Check: V = 10, n = 4.797e13, delta = 1/(5e5) gives xi = 2.4e-6 (tests/unit/test_estimates.c: xi_of_the_paper).
 */
#include "expert.h"

#include <inttypes.h>
#include <stdlib.h>

struct roster_estimates {
    size_t n, x, v;
    uint64_t *count; /* owned: [n][x][v]                       */
    uint64_t *total; /* owned: [n][x], the sum over v of count */
    roster_names names;
};

int roster_estimates_create(roster_estimates **out, size_t n, size_t x, size_t v, const char *const *names,
                            roster_error *err)
{
    *out = NULL;
    int code = roster_check_shape(n, x, v, err);
    if (code != ROSTER_OK)
        return code;
    roster_estimates *e = roster_alloc(1, sizeof *e);
    if (e == NULL)
        return roster_fail_memory(err);
    e->n = n;
    e->x = x;
    e->v = v;
    e->count = roster_alloc(n * x * v, sizeof *e->count);
    e->total = roster_alloc(n * x, sizeof *e->total);
    code = e->count != NULL && e->total != NULL ? roster_names_init(&e->names, n, names, err) : roster_fail_memory(err);
    if (code != ROSTER_OK) {
        roster_estimates_free(e);
        return code;
    }
    *out = e;
    return ROSTER_OK;
}

void roster_estimates_free(roster_estimates *e)
{
    if (e == NULL)
        return;
    roster_names_fini(&e->names);
    free(e->count);
    free(e->total);
    free(e);
}

static int check_index(const char *what, size_t i, size_t size, roster_error *err)
{
    if (i < size)
        return ROSTER_OK;
    if (size == 1)
        return roster_fail(err, ROSTER_EINVAL, "%s %zu does not exist, there is 1 %s (0)", what, i, what);
    return roster_fail(err, ROSTER_EINVAL, "%s %zu does not exist, there are %zu %ss (0..%zu)", what, i, size, what,
                       size - 1);
}

/* No count exceeds the total of its row, so where the total has room the count has. */
static int check_room(const roster_estimates *e, size_t k, size_t x, uint64_t more, roster_error *err)
{
    uint64_t total = e->total[k * e->x + x];
    if (more <= UINT64_MAX - total)
        return ROSTER_OK;
    return roster_fail(err, ROSTER_EINVAL,
                       "expert %zu has %" PRIu64 " samples in context %zu, %" PRIu64 " more do not fit into 64 bits", k,
                       total, x, more);
}

static void add(roster_estimates *e, size_t k, size_t x, size_t v, uint64_t count)
{
    e->count[(k * e->x + x) * e->v + v] += count;
    e->total[k * e->x + x] += count;
}

int roster_estimates_add(roster_estimates *e, size_t k, size_t x, size_t v, uint64_t count, roster_error *err)
{
    int code = check_index("expert", k, e->n, err);
    if (code == ROSTER_OK)
        code = check_index("context", x, e->x, err);
    if (code == ROSTER_OK)
        code = check_index("action", v, e->v, err);
    if (code == ROSTER_OK)
        code = check_room(e, k, x, count, err);
    if (code == ROSTER_OK)
        add(e, k, x, v, count);
    return code;
}

/* Room for drawing: everything is allocated and checked before the first count or random number is touched. */
typedef struct scratch {
    double *prior;   /* owned: over contexts            */
    double *row;     /* owned: over actions             */
    uint64_t *split; /* owned: samples by context       */
    uint64_t *drawn; /* owned: samples by action        */
} scratch;

static void scratch_fini(scratch *s)
{
    free(s->prior);
    free(s->row);
    free(s->split);
    free(s->drawn);
}

static int scratch_init(scratch *s, const roster_estimates *e, const double *prior, roster_error *err)
{
    s->prior = roster_alloc(e->x, sizeof *s->prior);
    s->row = roster_alloc(e->v, sizeof *s->row);
    s->split = roster_alloc(e->x, sizeof *s->split);
    s->drawn = roster_alloc(e->v, sizeof *s->drawn);
    if (s->prior == NULL || s->row == NULL || s->split == NULL || s->drawn == NULL)
        return roster_fail_memory(err);
    for (size_t x = 0; x < e->x; x++)
        s->prior[x] = prior != NULL ? prior[x] : 1 / (double)e->x;
    return roster_check_distribution(s->prior, e->x, "prior", err);
}

static void read_row(const roster_experts *truth, size_t k, size_t x, double *row)
{
    for (size_t v = 0; v < truth->v; v++)
        row[v] = roster_experts_across(truth, x, v)[k];
}

static int check_rooms(const roster_estimates *e, uint64_t samples, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t k = 0; k < e->n; k++)
        for (size_t x = 0; x < e->x && code == ROSTER_OK; x++)
            code = check_room(e, k, x, samples, err);
    return code;
}

static int check_truth(const roster_estimates *e, const roster_experts *truth, uint64_t samples, roster_error *err)
{
    if (truth->kind != ROSTER_TABLES)
        return roster_fail(err, ROSTER_EINVAL, "samples can be drawn only from experts that are tables");
    if (truth->n != e->n || truth->x != e->x || truth->v != e->v)
        return roster_fail(err, ROSTER_EINVAL,
                           "the truth has %zu experts x %zu contexts x %zu actions, the estimates have %zu x %zu x %zu",
                           truth->n, truth->x, truth->v, e->n, e->x, e->v);
    if (samples > UINT64_C(1) << 62)
        return roster_fail(err, ROSTER_EINVAL, "samples is %" PRIu64 ", must be at most 2^62", samples);
    return ROSTER_OK;
}

static void draw_expert(roster_estimates *e, const roster_experts *truth, size_t k, uint64_t samples, scratch *s,
                        roster_rng *rng)
{
    roster_rng_multinomial(rng, samples, e->x, s->prior, s->split);
    for (size_t x = 0; x < e->x; x++) {
        read_row(truth, k, x, s->row);
        roster_rng_multinomial(rng, s->split[x], e->v, s->row, s->drawn);
        for (size_t v = 0; v < e->v; v++)
            add(e, k, x, v, s->drawn[v]);
    }
}

int roster_estimates_draw(roster_estimates *e, const roster_experts *truth, const double *prior, uint64_t samples,
                          roster_rng *rng, roster_error *err)
{
    scratch s = {NULL, NULL, NULL, NULL};
    int code = check_truth(e, truth, samples, err);
    if (code == ROSTER_OK)
        code = scratch_init(&s, e, prior, err);
    if (code == ROSTER_OK)
        code = roster_experts_check_rows(truth, "truth: ", err);
    if (code == ROSTER_OK)
        code = check_rooms(e, samples, err);
    for (size_t k = 0; code == ROSTER_OK && k < e->n; k++)
        draw_expert(e, truth, k, samples, &s, rng);
    scratch_fini(&s);
    return code;
}

uint64_t roster_estimates_count(const roster_estimates *e, size_t k, size_t x, size_t v)
{
    return k < e->n && x < e->x && v < e->v ? e->count[(k * e->x + x) * e->v + v] : 0;
}

uint64_t roster_estimates_min_samples(const roster_estimates *e)
{
    uint64_t least = UINT64_MAX;
    for (size_t row = 0; row < e->n * e->x; row++)
        least = e->total[row] < least ? e->total[row] : least;
    return least;
}

double roster_estimates_xi(const roster_estimates *e, double delta)
{
    uint64_t least = roster_estimates_min_samples(e);
    return least > 0 ? sqrt(2 * (double)e->v * roster_ln(2 / delta) / (double)least) : INFINITY;
}

/* The larger of xi and c/n - low(c). Whether it is larger costs one integral, how much larger an inverse. */
static double widen(double xi, double c, double n, double tail)
{
    double least = c / n - xi;
    if (c == 0 || least <= 0 || roster_beta(least, c, n - c + 1) <= tail)
        return xi;
    return c / n - roster_beta_inverse(tail, c, n - c + 1);
}

/* Both ends of the interval of a cell that has c of n. */
static double widen_both(double xi, double c, double n, double tail)
{
    return widen(widen(xi, c, n, tail), n - c, n, tail);
}

/* What each end may be missed with, so that all hold with probability 1 - delta. */
static double tail_of(size_t n, size_t x, size_t v, double delta)
{
    return delta / (2 * (double)n * (double)x * (v == 2 ? 1 : (double)v));
}

double roster_estimates_xi_exact(const roster_estimates *e, double delta)
{
    double xi = roster_estimates_min_samples(e) > 0 ? 0 : INFINITY, tail = tail_of(e->n, e->x, e->v, delta);
    for (size_t i = 0; xi < INFINITY && i < e->n * e->x * e->v; i++)
        xi = widen_both(xi, (double)e->count[i], (double)e->total[i / e->v], tail);
    return xi;
}

double roster_experts_xi(const roster_experts *e, double delta)
{
    double xi = 0, tail = tail_of(e->n, e->x, e->v, delta);
    for (size_t row = 0; e->rows != NULL && row < e->n * e->x; row++) {
        if (e->rows[row] == 0)
            return INFINITY;
        for (size_t v = 0; v < e->v; v++) {
            double f = roster_experts_across(e, row / e->n, v)[row % e->n];
            xi = widen_both(xi, floor(f * e->rows[row] + 0.5), e->rows[row], tail);
        }
    }
    return xi;
}

/* How much each row is worth. */
static int take_rows(const roster_estimates *e, roster_experts **out, roster_error *err)
{
    double *rows = roster_alloc(roster_times(e->n, e->x), sizeof *rows);
    if (rows == NULL) {
        roster_experts_free(*out);
        *out = NULL;
        return roster_fail_memory(err);
    }
    for (size_t k = 0; k < e->n; k++)
        for (size_t x = 0; x < e->x; x++)
            rows[x * e->n + k] = (double)e->total[k * e->x + x];
    (*out)->rows = rows;
    return ROSTER_OK;
}

int roster_estimates_experts(const roster_estimates *e, roster_experts **out, roster_error *err)
{
    *out = NULL;
    const char **names = roster_alloc(e->n, sizeof *names);
    if (names == NULL)
        return roster_fail_memory(err);
    for (size_t k = 0; k < e->n; k++)
        names[k] = roster_names_get(&e->names, k);
    int code = roster_experts_new(out, ROSTER_TABLES, e->n, e->x, e->v, names, err);
    free(names);
    for (size_t i = 0; code == ROSTER_OK && i < e->n * e->x * e->v; i++) {
        size_t row = i / e->v;
        if (e->total[row] > 0)
            roster_experts_across(*out, row % e->x, i % e->v)[row / e->x] = (double)e->count[i] / (double)e->total[row];
    }
    return code == ROSTER_OK ? take_rows(e, out, err) : code;
}
