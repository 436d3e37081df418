/*
 * experts_change.c: experts that come and go: a longer list in which all keep their places.
 *
 * Paper: Beyond 18 (lists).
 *
 *   list'  = the experts of the list, in their places, then those that come; who has gone keeps place and table
 *
 * An expert that has gone never acts again, but what others did is weighted by what it would have done, and its own
 * samples by what it did: so its table stays. A new version of an expert is another expert: one goes, one comes. Since
 * no number is ever used for another expert, an event means the same before and after.
 *
 * Cost: a copy of all tables.
 * Check: tests/unit/test_experts_change.c: lists_grow, lists_refused.
 */
#include "expert.h"

#include <stdlib.h>
#include <string.h>

bool roster_experts_retired(const roster_experts *e, size_t k)
{
    return k < e->n && roster_is_retired(e, k);
}

size_t roster_experts_active(const roster_experts *e)
{
    return e->active;
}

size_t roster_experts_active_at(const roster_experts *e, size_t j)
{
    size_t k = j;
    if (e->retired == NULL)
        return k;
    for (k = 0; e->retired[k] || j > 0; k++)
        j -= !e->retired[k];
    return k;
}

void roster_experts_mask(const roster_experts *e, double *u)
{
    for (size_t k = 0; e->retired != NULL && k < e->n; k++)
        u[k] = e->retired[k] ? -INFINITY : u[k];
}

static bool same(const double *a, const double *b, size_t n)
{
    return (a == NULL) == (b == NULL) && (a == NULL || n == 0 || memcmp(a, b, n * sizeof *a) == 0);
}

static int check_added(const roster_experts *e, const roster_experts *add, roster_error *err)
{
    if (add->kind != e->kind || add->x != e->x || add->v != e->v || add->d != e->d)
        return roster_fail(err, ROSTER_EINVAL,
                           "the experts that come are of another kind, or know %zu contexts, %zu actions and %zu "
                           "features, must be %zu, %zu and %zu",
                           add->x, add->v, add->d, e->x, e->v, e->d);
    if (add->floor != e->floor || !same(add->sample, e->sample, e->x * e->d))
        return roster_fail(
            err, ROSTER_EINVAL,
            "the experts that come have another floor or another sample of contexts, must have the same");
    if ((add->rows != NULL) != (e->rows != NULL))
        return roster_fail(err, ROSTER_EINVAL, "of all experts, or of none, the probabilities must be estimates");
    return ROSTER_OK;
}

/* Marks who goes; nobody goes twice, and one is left. */
static int mark(roster_experts *to, const roster_experts *e, const size_t *retire, size_t n_retire, roster_error *err)
{
    if (e->retired != NULL)
        memcpy(to->retired, e->retired, e->n * sizeof *e->retired);
    to->active = to->n - (e->n - e->active);
    for (size_t i = 0; i < n_retire; i++) {
        if (retire[i] >= e->n || to->retired[retire[i]])
            return roster_fail(err, ROSTER_EINVAL, "retire[%zu] is %zu, must be an expert that is not retired", i,
                               retire[i]);
        to->retired[retire[i]] = true;
        to->active--;
    }
    if (to->active == 0)
        return roster_fail(err, ROSTER_EINVAL, "the last expert cannot be retired: add another one first");
    return ROSTER_OK;
}

/* Rows of `from` behind the first `at` of each row of `to`. */
static void fill(double *to, size_t n, size_t at, const double *from, size_t m, size_t rows)
{
    for (size_t row = 0; row < rows; row++)
        memcpy(to + row * n + at, from + row * m, m * sizeof *to);
}

static void take(roster_experts *to, size_t at, const roster_experts *from)
{
    size_t models = from->v * from->d;
    fill(to->pi, to->n, at, from->pi, from->n, to->x * to->v);
    if (to->rows != NULL)
        fill(to->rows, to->n, at, from->rows, from->n, to->x);
    if (to->weights == NULL)
        return;
    memcpy(to->weights + at * models, from->weights, from->n * models * sizeof *to->weights);
    memcpy(to->bias + at * from->v, from->bias, from->n * from->v * sizeof *to->bias);
}

/* The arrays that not every list has. */
static int allocate(roster_experts *to, const roster_experts *e, bool some_go)
{
    bool fits = true;
    if (some_go || e->retired != NULL)
        fits = (to->retired = roster_alloc(to->n, sizeof *to->retired)) != NULL;
    if (fits && e->rows != NULL)
        fits = (to->rows = roster_alloc(roster_times(to->x, to->n), sizeof *to->rows)) != NULL;
    if (!fits || e->kind != ROSTER_SOFTMAX)
        return fits ? ROSTER_OK : ROSTER_ENOMEM;
    to->d = e->d;
    to->floor = e->floor;
    to->weights = roster_alloc(roster_times(to->n, roster_times(e->v, e->d)), sizeof *to->weights);
    to->bias = roster_alloc(roster_times(to->n, e->v), sizeof *to->bias);
    to->sample = roster_copy(e->sample, roster_times(e->x, e->d), sizeof *to->sample);
    return to->weights != NULL && to->bias != NULL && to->sample != NULL ? ROSTER_OK : ROSTER_ENOMEM;
}

/* An empty list with the names of both. */
static int begin(roster_experts **out, const roster_experts *e, const roster_experts *add, roster_error *err)
{
    size_t n = roster_plus(e->n, add != NULL ? add->n : 0);
    const char **names = roster_alloc(n, sizeof *names);
    *out = NULL;
    if (names == NULL)
        return roster_fail_memory(err);
    for (size_t k = 0; k < n; k++)
        names[k] = k < e->n ? roster_experts_name(e, k) : roster_experts_name(add, k - e->n);
    int code = roster_experts_new(out, e->kind, n, e->x, e->v, names, err);
    free(names);
    return code;
}

int roster_experts_change(roster_experts **out, const roster_experts *e, const roster_experts *add,
                          const size_t *retire, size_t n_retire, roster_error *err)
{
    roster_experts *to;
    *out = NULL;
    int code = add != NULL ? check_added(e, add, err) : ROSTER_OK;
    if (code == ROSTER_OK)
        code = begin(&to, e, add, err);
    if (code != ROSTER_OK)
        return code;
    if (allocate(to, e, n_retire > 0) != ROSTER_OK)
        code = roster_fail_memory(err);
    if (code == ROSTER_OK && to->retired != NULL)
        code = mark(to, e, retire, n_retire, err);
    if (code != ROSTER_OK) {
        roster_experts_free(to);
        return code;
    }
    take(to, 0, e);
    if (add != NULL)
        take(to, e->n, add);
    *out = to;
    return ROSTER_OK;
}

/* Of expert k the same table, model and number of samples. */
static bool is_same(const roster_experts *a, const roster_experts *b, size_t k)
{
    bool equal = true;
    for (size_t c = 0; c < a->x * a->v; c++)
        equal &= a->pi[c * a->n + k] == b->pi[c * b->n + k];
    for (size_t x = 0; a->rows != NULL && x < a->x; x++)
        equal &= a->rows[x * a->n + k] == b->rows[x * b->n + k];
    if (a->weights == NULL)
        return equal;
    size_t models = a->v * a->d;
    return equal && same(a->weights + k * models, b->weights + k * models, models) &&
           same(a->bias + k * a->v, b->bias + k * a->v, a->v);
}

int roster_experts_check_change(const roster_experts *before, const roster_experts *after, roster_error *err)
{
    if (after == NULL || after->n < before->n)
        return roster_fail(err, ROSTER_EINVAL,
                           "the new list has fewer experts than the %zu before: who goes keeps its place, retired "
                           "(roster_experts_change)",
                           before->n);
    int code = check_added(before, after, err);
    for (size_t k = 0; k < before->n && code == ROSTER_OK; k++) {
        if (!is_same(before, after, k))
            code = roster_fail(err, ROSTER_EINVAL,
                               "experts[%zu] (%.60s) is not what it was: a new version is another expert, which is "
                               "added as the old one retires (roster_experts_change)",
                               k, roster_experts_name(after, k));
        else if (roster_is_retired(before, k) && !roster_is_retired(after, k))
            code = roster_fail(err, ROSTER_EINVAL, "experts[%zu] (%.60s) is retired, and cannot come back: add it anew",
                               k, roster_experts_name(after, k));
    }
    return code;
}
