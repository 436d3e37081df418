/*
 * counts.c: counts of (expert, context, action) by name, while how many there are of each is not yet known.
 *
 *   names   per kind, numbered as they come
 *   cells   count of (k, x, v), in a hash table under the key k 2^42 + x 2^21 + v + 1
 *   order   of names: as people sort them, runs of digits by their value ("ad 2" before "ad 10"), all else by bytes.
 *           So the result does not depend on the order of lines or files, and numbered names keep the order of their
 *           numbers. Equal but for leading zeros: by bytes.
 *
 * Paper: none. Cost: O(1) per count added; memory for the names and for the cells that were seen, not for the lines.
 * Check: "2" < "10" < "a2" < "a10" (tests/cli/estimate.t).
 */
#include "counts.h"

#include "common_error.h"
#include "grow.h"
#include "name_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const counts_kind_names[COUNTS_KINDS] = {"expert", "context", "action"};

typedef struct name {
    char *text;  /* owned             */
    size_t seen; /* number when added */
} name;

typedef struct names {
    name *list; /* owned; sorted by counts_sort */
    size_t n, room;
    name_table table; /* of numbers when added */
} names;

typedef struct cell {
    uint64_t key; /* 0: free */
    uint64_t count;
} cell;

struct counts {
    names names[COUNTS_KINDS];
    cell *cells; /* owned */
    size_t n, n_slots;
    uint64_t total;
};

counts *counts_create(void)
{
    return calloc(1, sizeof(counts));
}

void counts_free(counts *self)
{
    for (int kind = 0; self != NULL && kind < COUNTS_KINDS; kind++) {
        for (size_t i = 0; i < self->names[kind].n; i++)
            free(self->names[kind].list[i].text);
        free(self->names[kind].list);
        name_table_free(&self->names[kind].table);
    }
    if (self != NULL)
        free(self->cells);
    free(self);
}

/* The name's number, self->n where it is new. */
static size_t names_find(const names *self, const char *text)
{
    size_t found = name_table_find(&self->table, text, strlen(text));
    return found != SIZE_MAX ? found : self->n;
}

static int names_add(names *self, const char *text, roster_error *err)
{
    char *copy = common_grow(&self->list, &self->room, self->n + 1, sizeof *self->list) ? strdup(text) : NULL;
    if (copy == NULL || !name_table_add(&self->table, copy)) {
        free(copy);
        return common_fail_memory(err);
    }
    self->list[self->n] = (name){copy, self->n};
    self->n++;
    return ROSTER_OK;
}

/* A column of numbers that never repeat, taken for one of names, would fill the memory: say so instead. */
static int check_sizes(const size_t size[COUNTS_KINDS], roster_error *err)
{
    for (int kind = 0; kind < COUNTS_KINDS; kind++)
        if (size[kind] > COUNTS_NAMES)
            return common_fail(err, ROSTER_EINVAL,
                               "this is %s number %zu, there may be %d; is the column '%s' the right one?",
                               counts_kind_names[kind], size[kind], COUNTS_NAMES, counts_kind_names[kind]);
    if (size[0] > COUNTS_CELLS / size[1] / size[2])
        return common_fail(
            err, ROSTER_EINVAL,
            "experts x contexts x actions are now %zu x %zu x %zu, a table of more than %d numbers; are the "
            "columns the right ones?",
            size[0], size[1], size[2], COUNTS_CELLS);
    return ROSTER_OK;
}

static size_t find_cell(const cell *cells, size_t n_slots, uint64_t key)
{
    uint64_t h = key * UINT64_C(0x9e3779b97f4a7c15);
    size_t at = (size_t)(h ^ h >> 32) & (n_slots - 1);
    while (cells[at].key != 0 && cells[at].key != key)
        at = (at + 1) & (n_slots - 1);
    return at;
}

static int cells_grow(counts *self, roster_error *err)
{
    size_t n_slots = self->n_slots > 0 ? 2 * self->n_slots : 64;
    cell *cells = calloc(n_slots, sizeof *cells);
    if (cells == NULL)
        return common_fail_memory(err);
    for (size_t i = 0; i < self->n_slots; i++)
        if (self->cells[i].key != 0)
            cells[find_cell(cells, n_slots, self->cells[i].key)] = self->cells[i];
    free(self->cells);
    self->cells = cells;
    self->n_slots = n_slots;
    return ROSTER_OK;
}

static int add_cell(counts *self, const size_t number[COUNTS_KINDS], uint64_t n, roster_error *err)
{
    if (n > INT64_MAX - self->total)
        return common_fail(err, ROSTER_EINVAL, "the counts add up to more than %" PRId64, INT64_MAX);
    if (2 * (self->n + 1) > self->n_slots && cells_grow(self, err) != ROSTER_OK)
        return ROSTER_ENOMEM;
    uint64_t key = ((uint64_t)number[0] << 42 | (uint64_t)number[1] << 21 | number[2]) + 1;
    cell *c = &self->cells[find_cell(self->cells, self->n_slots, key)];
    self->n += c->key == 0;
    c->key = key;
    c->count += n;
    self->total += n;
    return ROSTER_OK;
}

int counts_add(counts *self, const char *const text[COUNTS_KINDS], uint64_t n, roster_error *err)
{
    size_t number[COUNTS_KINDS], size[COUNTS_KINDS];
    bool more = false;
    for (int kind = 0; kind < COUNTS_KINDS; kind++) {
        number[kind] = names_find(&self->names[kind], text[kind]);
        size[kind] = self->names[kind].n + (number[kind] == self->names[kind].n);
        more = more || size[kind] > self->names[kind].n;
    }
    int code = more ? check_sizes(size, err) : ROSTER_OK;
    for (int kind = 0; code == ROSTER_OK && kind < COUNTS_KINDS; kind++)
        if (number[kind] == self->names[kind].n)
            code = names_add(&self->names[kind], text[kind], err);
    return code == ROSTER_OK && n > 0 ? add_cell(self, number, n, err) : code;
}

uint64_t counts_total(const counts *self)
{
    return self->total;
}

size_t counts_size(const counts *self, counts_kind kind)
{
    return self->names[kind].n;
}

static size_t digits(const char *text)
{
    return strspn(text, "0123456789");
}

/* Two runs of digits by their value; moves behind them. */
static int compare_numbers(const char **a, const char **b)
{
    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    size_t n = digits(*a), m = digits(*b);
    int order = n != m ? (n > m) - (n < m) : strncmp(*a, *b, n);
    *a += n;
    *b += m;
    return order;
}

static int compare_names(const void *left, const void *right)
{
    const char *a = ((const name *)left)->text, *b = ((const name *)right)->text;
    while (*a != '\0' && *b != '\0') {
        int order = 0;
        if (digits(a) > 0 && digits(b) > 0)
            order = compare_numbers(&a, &b);
        else
            order = (unsigned char)*a++ - (unsigned char)*b++;
        if (order != 0)
            return order;
    }
    int order = (*a != '\0') - (*b != '\0');
    return order != 0 ? order : strcmp(((const name *)left)->text, ((const name *)right)->text);
}

void counts_sort(counts *self)
{
    for (int kind = 0; kind < COUNTS_KINDS; kind++)
        if (self->names[kind].n > 0)
            qsort(self->names[kind].list, self->names[kind].n, sizeof(name), compare_names);
}

const char *counts_name(const counts *self, counts_kind kind, size_t i)
{
    return self->names[kind].list[i].text;
}

/* place[number when added] = place in the order. */
static size_t *places(const names *self)
{
    size_t *place = malloc(self->n * sizeof *place);
    for (size_t i = 0; place != NULL && i < self->n; i++)
        place[self->list[i].seen] = i;
    return place;
}

static int copy_cells(const counts *self, size_t *const place[COUNTS_KINDS], roster_estimates *to, roster_error *err)
{
    const uint64_t mask = (UINT64_C(1) << 21) - 1;
    int code = ROSTER_OK;
    for (size_t i = 0; code == ROSTER_OK && i < self->n_slots; i++) {
        uint64_t key = self->cells[i].key - 1;
        if (self->cells[i].key != 0)
            code = roster_estimates_add(to, place[0][key >> 42], place[1][key >> 21 & mask], place[2][key & mask],
                                        self->cells[i].count, err);
    }
    return code;
}

int counts_estimates(const counts *self, roster_estimates **out, roster_error *err)
{
    size_t *place[COUNTS_KINDS];
    const names *all = self->names;
    bool room = true;
    for (int kind = 0; kind < COUNTS_KINDS; kind++) {
        place[kind] = places(&all[kind]);
        room = room && place[kind] != NULL;
    }
    int code = room ? roster_estimates_create(out, all[0].n, all[1].n, all[2].n, NULL, err) : common_fail_memory(err);
    if (code == ROSTER_OK)
        code = copy_cells(self, place, *out, err);
    for (int kind = 0; kind < COUNTS_KINDS; kind++)
        free(place[kind]);
    return code;
}
