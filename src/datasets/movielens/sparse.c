/*
 * sparse.c: a matrix of which few entries are known, times a tall one.
 *
 * Paper: none.
 *
 *   row i of S x     = sum of S(i, j) x(j, .) over the entries of row i
 *   row j of S' x    = sum of S(i, j) x(i, .) over the entries of column j, in the order of the rows
 *   residual (i, j)  = Y(i, j) - <left(i, .), right(j, .)>
 *
 * Both products write each row of the result from one list, hence the same bits for any number of threads.
 *
 * Cost: one multiplication per entry and column of x; 28 bytes per entry.
 * Check: against the dense products (tests/unit/test_softimpute.c: sparse_products).
 */
#include "sparse.h"

#include "datasets_internal.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

enum { LISTS = 64, ROWS = 512 };

int sparse_init(sparse *self, size_t rows, size_t columns, size_t n, roster_error *err)
{
    *self = (sparse){.rows = rows, .columns = columns, .n = n};
    self->start = calloc(rows + 1, sizeof *self->start);
    self->column = calloc(n + 1, sizeof *self->column);
    self->value = calloc(n + 1, sizeof *self->value);
    self->from = calloc(columns + 1, sizeof *self->from);
    self->row = calloc(n + 1, sizeof *self->row);
    self->entry = calloc(n + 1, sizeof *self->entry);
    if (self->start != NULL && self->column != NULL && self->value != NULL && self->from != NULL && self->row != NULL &&
        self->entry != NULL)
        return ROSTER_OK;
    sparse_fini(self);
    return common_fail_memory(err);
}

void sparse_fini(sparse *self)
{
    free(self->start);
    free(self->column);
    free(self->value);
    free(self->from);
    free(self->row);
    free(self->entry);
    *self = (sparse){.rows = 0};
}

/* A counting sort by columns. While entries are placed, from[j] is where the next of column j goes; afterwards each
   has moved to the start of its successor, and all move back by one. */
void sparse_index(sparse *self)
{
    size_t sum = 0;
    for (size_t e = 0; e < self->n; e++)
        self->from[self->column[e]]++;
    for (size_t j = 0; j <= self->columns; j++) {
        size_t count = self->from[j];
        self->from[j] = sum;
        sum += count;
    }
    for (size_t i = 0; i < self->rows; i++)
        for (size_t e = self->start[i]; e < self->start[i + 1]; e++) {
            size_t place = self->from[self->column[e]]++;
            self->row[place] = (uint32_t)i;
            self->entry[place] = e;
        }
    for (size_t j = self->columns; j > 0; j--)
        self->from[j] = self->from[j - 1];
    self->from[0] = 0;
}

/* One of the three. List i runs over start[i]..start[i + 1]; index says which row of x each of its entries meets. */
typedef struct task {
    size_t lists;
    const size_t *start;
    const uint32_t *index;
    const double *values; /* in the order of the lists                         */
    double *residual;     /* not NULL: the residual is wanted, not a product   */
    const tall *x, *out;
} task;

static void add(const task *t, size_t i, size_t e)
{
    cblas_daxpy((int)t->x->columns, t->values[e], t->x->x + t->index[e] * t->x->stride, 1,
                t->out->x + i * t->out->stride, 1);
}

static void subtract(const task *t, size_t i, size_t e)
{
    t->residual[e] = t->values[e] - cblas_ddot((int)t->x->columns, t->x->x + t->index[e] * t->x->stride, 1,
                                               t->out->x + i * t->out->stride, 1);
}

/* All lists of the piece walk through x together, some rows at a time, so that these are in the cache for all. Each
   list still goes in its own order. */
static void walk(void *context, size_t piece, unsigned worker)
{
    const task *t = context;
    size_t first = piece * LISTS, end = first + LISTS < t->lists ? first + LISTS : t->lists, at[LISTS];
    (void)worker;
    memcpy(at, t->start + first, (end - first) * sizeof *at);
    for (size_t bound = ROWS; bound < t->x->rows + ROWS; bound += ROWS)
        for (size_t i = first; i < end; i++)
            for (size_t *e = &at[i - first]; *e < t->start[i + 1] && t->index[*e] < bound; ++*e)
                (t->residual != NULL ? subtract : add)(t, i, *e);
}

static void perform(task *t, unsigned threads)
{
    data_parallel(threads, (t->lists + LISTS - 1) / LISTS, walk, t, NULL, NULL);
}

void sparse_residual(const sparse *self, const tall *left, const tall *right, double *values, unsigned threads)
{
    task t = {self->rows, self->start, self->column, self->value, values, right, left};
    perform(&t, threads);
}

void sparse_times(const sparse *self, const double *values, const tall *x, const tall *out, unsigned threads)
{
    task t = {self->rows, self->start, self->column, values, NULL, x, out};
    perform(&t, threads);
}

int sparse_transposed_times(const sparse *self, const double *values, const tall *x, const tall *out, unsigned threads,
                            roster_error *err)
{
    double *sorted = malloc((self->n + 1) * sizeof *sorted);
    task t = {self->columns, self->from, self->row, sorted, NULL, x, out};
    if (sorted == NULL)
        return common_fail_memory(err);
    for (size_t e = 0; e < self->n; e++)
        sorted[e] = values[self->entry[e]];
    perform(&t, threads);
    free(sorted);
    return ROSTER_OK;
}
