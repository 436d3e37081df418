/*
 * experts.c: a set of N stochastic policies, validated once, when it is made.
 *
 * Paper: Section 2 (experts).
 *
 *   pi_k(v | x) >= 0,  sum_v pi_k(v | x) = 1            k expert, x reference context, v action
 *
 * The table is kept as pi[x][v][k]: learning one event reads pi_0(v|x), pi_1(v|x), ... side by side.
 * A probability is 0 or a normal number of doubles, so that every ratio of two of them is finite.
 *
 * Cost: N X V numbers.
 * Departs: rows may be off 1 by 1e-9, as tables read from decimal files are; they are used as given.
 * Check: a row that sums to 0.9 is refused by name (tests/unit/test_experts.c: tables_refused).
 */
#include "expert.h"

#include <float.h>
#include <stdlib.h>

static const double SUM_TOLERANCE = 1e-9;

int roster_check_shape(size_t n, size_t x, size_t v, roster_error *err)
{
    if (n == 0 || x == 0 || v == 0)
        return roster_fail(err, ROSTER_EINVAL,
                           "%zu experts, %zu contexts, %zu actions: there must be at least one of each", n, x, v);
    if (roster_times(n, roster_times(x, v)) > SIZE_MAX / sizeof(double))
        return roster_fail(err, ROSTER_EINVAL, "%zu experts x %zu contexts x %zu actions do not fit into memory", n, x,
                           v);
    return ROSTER_OK;
}

int roster_experts_new(roster_experts **out, roster_kind kind, size_t n, size_t x, size_t v, const char *const *names,
                       roster_error *err)
{
    *out = NULL;
    int code = roster_check_shape(n, x > 0 || kind == ROSTER_TABLES ? x : 1, v, err);
    if (code != ROSTER_OK)
        return code;
    roster_experts *e = roster_alloc(1, sizeof *e);
    if (e == NULL)
        return roster_fail_memory(err);
    e->kind = kind;
    e->n = e->active = n;
    e->x = x;
    e->v = v;
    e->avx2 = roster_avx2();
    e->pi = roster_alloc(roster_plus(n * x * v, ROSTER_ROOM_BEHIND), sizeof *e->pi);
    code = e->pi != NULL ? roster_names_init(&e->names, n, names, err) : roster_fail_memory(err);
    if (code != ROSTER_OK) {
        roster_experts_free(e);
        return code;
    }
    *out = e;
    return ROSTER_OK;
}

void roster_experts_free(roster_experts *e)
{
    if (e == NULL)
        return;
    roster_names_fini(&e->names);
    free(e->pi);
    free(e->weights);
    free(e->bias);
    free(e->sample);
    free(e->rows);
    free(e->retired);
    free(e);
}

static int check_row(const double *row, size_t v, size_t k, size_t x, roster_error *err)
{
    double sum = 0;
    for (size_t a = 0; a < v; a++) {
        double p = row[a];
        if (!(p >= 0 && p <= 1 + SUM_TOLERANCE))
            return roster_fail(err, ROSTER_EINVAL, "experts[%zu].table[%zu][%zu] is %g, must be a probability", k, x, a,
                               p);
        if (p > 0 && p < DBL_MIN)
            return roster_fail(err, ROSTER_EINVAL, "experts[%zu].table[%zu][%zu] is %g, must be 0 or at least %g", k, x,
                               a, p, DBL_MIN);
        sum += p;
    }
    if (fabs(sum - 1) > SUM_TOLERANCE)
        return roster_fail(err, ROSTER_EINVAL, "experts[%zu].table[%zu] sums to %.12g, must be 1", k, x, sum);
    return ROSTER_OK;
}

/* Checks and transposes pi[k][x][v]. */
static int from_rows(roster_experts **out, roster_kind kind, size_t n, size_t x, size_t v, const double *pi,
                     const char *const *names, roster_error *err)
{
    roster_experts *e;
    *out = NULL;
    if (pi == NULL && (x > 0 || kind == ROSTER_TABLES))
        return roster_fail(err, ROSTER_EINVAL, "the experts' table is missing");
    int code = roster_experts_new(&e, kind, n, x, v, names, err);
    for (size_t row = 0; code == ROSTER_OK && row < n * x; row++) {
        code = check_row(pi + row * v, v, row / x, row % x, err);
        for (size_t a = 0; code == ROSTER_OK && a < v; a++)
            roster_experts_across(e, row % x, a)[row / x] = pi[row * v + a];
    }
    if (code != ROSTER_OK) {
        roster_experts_free(e);
        return code;
    }
    *out = e;
    return ROSTER_OK;
}

int roster_experts_tables(roster_experts **out, size_t n, size_t x, size_t v, const double *pi,
                          const char *const *names, roster_error *err)
{
    return from_rows(out, ROSTER_TABLES, n, x, v, pi, names, err);
}

int roster_experts_external(roster_experts **out, size_t n, size_t s, size_t v, const double *pi,
                            const char *const *names, roster_error *err)
{
    return from_rows(out, ROSTER_EXTERNAL, n, s, v, pi, names, err);
}

roster_kind roster_experts_kind(const roster_experts *e)
{
    return e->kind;
}

size_t roster_experts_count(const roster_experts *e)
{
    return e->n;
}

size_t roster_experts_contexts(const roster_experts *e)
{
    return e->x;
}

size_t roster_experts_actions(const roster_experts *e)
{
    return e->v;
}

size_t roster_experts_features(const roster_experts *e)
{
    return e->d;
}

const char *roster_experts_name(const roster_experts *e, size_t k)
{
    return k < e->n ? roster_names_get(&e->names, k) : "";
}

double roster_experts_probability(const roster_experts *e, size_t k, size_t x, size_t v)
{
    return k < e->n && x < e->x && v < e->v ? roster_experts_across(e, x, v)[k] : 0;
}

const double *roster_experts_reference(const roster_experts *e, size_t x)
{
    return e->kind == ROSTER_SOFTMAX && x < e->x ? e->sample + x * e->d : NULL;
}

double roster_experts_floor(const roster_experts *e)
{
    double least = e->x > 0 ? 1 : 0; /* without a sample nothing is known */
    for (size_t i = 0; i < e->n * e->x * e->v; i++)
        least = e->pi[i] < least ? e->pi[i] : least;
    return least;
}

uint64_t roster_experts_hash(uint64_t hash, const roster_experts *e)
{
    hash = roster_hash_doubles(hash, e->pi, e->n * e->x * e->v);
    if (e->kind == ROSTER_SOFTMAX) {
        hash = roster_hash_doubles(hash, e->weights, e->n * e->v * e->d);
        hash = roster_hash_doubles(hash, e->bias, e->n * e->v);
    }
    for (size_t k = 0; e->retired != NULL && k < e->n; k++) {
        double retired = e->retired[k];
        hash = roster_hash_doubles(hash, &retired, 1);
    }
    return hash;
}

int roster_check_distribution(const double *p, size_t x, const char *what, roster_error *err)
{
    double sum = 0;
    for (size_t c = 0; c < x; c++) {
        if (!(p[c] >= 0 && p[c] <= 1 + SUM_TOLERANCE))
            return roster_fail(err, ROSTER_EINVAL, "%s[%zu] is %g, must be a probability", what, c, p[c]);
        sum += p[c];
    }
    if (fabs(sum - 1) > SUM_TOLERANCE)
        return roster_fail(err, ROSTER_EINVAL, "%s sums to %.12g, must be 1", what, sum);
    return ROSTER_OK;
}

int roster_experts_check_rows(const roster_experts *e, const char *prefix, roster_error *err)
{
    for (size_t row = 0; row < e->n * e->x; row++) {
        double sum = 0;
        for (size_t v = 0; v < e->v; v++)
            sum += roster_experts_across(e, row % e->x, v)[row / e->x];
        if (fabs(sum - 1) > SUM_TOLERANCE)
            return roster_fail(err, ROSTER_EINVAL, "%sexperts[%zu].table[%zu] sums to %.12g, must be 1", prefix,
                               row / e->x, row % e->x, sum);
    }
    return ROSTER_OK;
}

size_t roster_experts_draw(const double *pi, size_t v, double u)
{
    size_t last = 0;
    double below = 0;
    for (size_t a = 0; a < v; a++) {
        below += pi[a];
        if (pi[a] > 0) {
            if (u < below)
                return a;
            last = a;
        }
    }
    return last; /* u fell into the rounding error of the sum */
}
