/*
 * counts.h: how often each expert was seen to take each action in each context, by name.
 */
#ifndef ROSTER_COUNTS_H
#define ROSTER_COUNTS_H

#include <roster.h>

typedef enum counts_kind { COUNTS_EXPERT, COUNTS_CONTEXT, COUNTS_ACTION, COUNTS_KINDS } counts_kind;

/* "expert", "context", "action". */
extern const char *const counts_kind_names[COUNTS_KINDS];

enum {
    COUNTS_NAMES = 1 << 20, /* most names of a kind                                    */
    COUNTS_CELLS = 1 << 24  /* most of experts x contexts x actions: they become a table */
};

typedef struct counts counts;

/* Nothing seen yet; NULL: out of memory. */
counts *counts_create(void);
void counts_free(counts *self);
/* The named expert, context and action (copied) were seen together n times more; 0 makes the names known. The message
   on failure does not say where in a file. */
int counts_add(counts *self, const char *const names[COUNTS_KINDS], uint64_t n, roster_error *err);

/* All that was added. */
uint64_t counts_total(const counts *self);
size_t counts_size(const counts *self, counts_kind kind);
/* Names into their order, which does not depend on that of adding. To be called when all is added. */
void counts_sort(counts *self);
/* The i-th name in that order. */
const char *counts_name(const counts *self, counts_kind kind, size_t i);
/* The counts, in that order. */
int counts_estimates(const counts *self, roster_estimates **out, roster_error *err);

#endif
