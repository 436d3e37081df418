/*
 * inside.h: what the files of experiment/ share: memory that goes with the experiment, JSON values that know their
 * place, and the steps from a document to a case.
 */
#ifndef ROSTER_EXPERIMENT_INSIDE_H
#define ROSTER_EXPERIMENT_INSIDE_H

#include "experiment.h"

#include <jansson.h>

/* What one file may ask for. */
#define EXPERIMENT_FILE_MOST ((size_t)64 << 20) /* bytes of a file                                          */
#define EXPERIMENT_NAMES_MOST 1000000           /* experts, contexts, actions                               */
#define EXPERIMENT_EPISODES_MOST 65536          /* streams of runs are 2^48 episodes apart                  */
#define EXPERIMENT_ROUNDS_MOST 1000000000000000 /* of an episode                                            */
#define EXPERIMENT_RUNS_MOST 1000000000000
#define EXPERIMENT_AGENTS_MOST 1000
#define EXPERIMENT_CASES_MOST 1000
#ifndef EXPERIMENT_NUMBERS_MOST
#define EXPERIMENT_NUMBERS_MOST ((size_t)1 << 27) /* in the tables of all cases: 1 GiB. The fuzzer builds with less */
#endif

/* ---- store.c: memory that is freed with the experiment ---- */

typedef struct experiment_store {
    struct experiment_block *last; /* owned, with all before it */
} experiment_store;

/* count zeroed elements, NULL if they cannot be had; count 0 gives a valid pointer. */
void *experiment_store_take(experiment_store *self, size_t count, size_t size);
const char *experiment_store_text(experiment_store *self, const char *text);
void experiment_store_free(experiment_store *self);

/* ---- node.c: JSON values that know their place ---- */

/* A value and the way to it: episodes[0].rounds of toy.json. Lives on the stack of whoever reads it. */
typedef struct experiment_node {
    const struct experiment_node *up; /* NULL: the whole document            */
    const char *key;                  /* in an object, or the document's file; NULL: the index counts */
    size_t index;                     /* in a list                           */
    json_t *json;                     /* borrowed; NULL: it is not there     */
} experiment_node;

experiment_node experiment_root(const char *path, json_t *json);
experiment_node experiment_key(const experiment_node *object, const char *key);
experiment_node experiment_item(const experiment_node *list, size_t index);

/* "FILE: PLACE WORDS". All return the code. */
int experiment_fail(const experiment_node *at, roster_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "FILE: WORDS", for a sentence that names its place itself. */
int experiment_fail_file(const experiment_node *at, roster_error *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "FILE: PLACE<between>SENTENCE", for a sentence of the library about something inside that place. */
int experiment_fail_inside(const experiment_node *at, const char *between, const roster_error *from, roster_error *err);
/* "FILE: 'KEY' is missing in PLACE" */
int experiment_fail_missing(const experiment_node *at, roster_error *err);
/* "FILE: unknown key 'KEY' in PLACE; did you mean 'NEAREST'?"; nearest may be NULL. */
int experiment_fail_key(const experiment_node *object, const char *key, const char *nearest, roster_error *err);
int experiment_fail_memory(roster_error *err);
/* A sentence that begins with no file. */
int experiment_fail_plain(roster_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- get.c: typed values; what is missing or of another type is refused ---- */

int experiment_number(const experiment_node *at, double *out, roster_error *err);
int experiment_number_in(const experiment_node *at, double low, double high, double *out, roster_error *err);
/* Whole, also written as 1e6. */
int experiment_count(const experiment_node *at, uint64_t low, uint64_t high, uint64_t *out, roster_error *err);
/* Borrowed from the document; a word is not empty. */
int experiment_string(const experiment_node *at, const char **out, roster_error *err);
int experiment_word(const experiment_node *at, const char **out, roster_error *err);
/* A number or a string. */
int experiment_scalar(const experiment_node *at, roster_error *err);
int experiment_object(const experiment_node *at, roster_error *err);
/* A list that is not empty. */
int experiment_list(const experiment_node *at, size_t *size, roster_error *err);
/* A list of `size` entries, one per `what` ("context"). */
int experiment_list_of(const experiment_node *at, size_t size, const char *what, roster_error *err);
/* A number per context and action, row by row. */
int experiment_matrix(const experiment_node *at, size_t rows, size_t columns, double *out, roster_error *err);

/* ---- keys.c ---- */

/* Refuses a key that is not among `known` (ends with NULL), with the nearest one that is. */
int experiment_keys(const experiment_node *object, const char *const *known, roster_error *err);
/* The known word nearest to this one by edits, NULL if none is near. */
const char *experiment_nearest(const char *word, const char *const *known);

/* ---- text.c ---- */

/* The document in one line; every number as short as it can be written and be read as the same. NULL: no memory. */
char *experiment_text(const json_t *json);

/* ---- document.c ---- */

/* JSON from a text or a file of at most EXPERIMENT_FILE_MOST bytes; the caller owns *out. */
int experiment_load_text(json_t **out, const char *text, size_t size, const char *path, roster_error *err);
int experiment_load_file(json_t **out, const char *path, roster_error *err);

/* ---- inline.c ---- */

/* Puts the files that "experts" and "rewards" name in their place, with the contexts and actions they are about. */
int experiment_inline(const experiment_node *root, roster_error *err);

/* ---- build: from the document to one case ---- */

/* What is being built. */
typedef struct experiment_build {
    experiment_store *store;
    roster_error *err;
    size_t contexts, actions;
    uint64_t seed;
    uint64_t rounds; /* of every episode; 0: as in the file   */
    size_t numbers;  /* in tables so far, of all cases        */
    size_t most;     /* of numbers; 0: EXPERIMENT_NUMBERS_MOST */
    bool exceeded;   /* there were more                       */
    bool gaps;       /* experts of this case are from "gaps"  */
} experiment_build;

/* Counts `a` x `b` x `c` more numbers; refused where they would be too many. */
int experiment_claim(experiment_build *self, const experiment_node *at, size_t a, size_t b, size_t c);
/* names.c: the names of contexts or actions: given, or counted ("context 1"), or `otherwise` of them where left out. */
int experiment_names(const experiment_node *at, const char *what, size_t otherwise, experiment_store *store,
                     const char *const **names, size_t *n, roster_error *err);
/* names.c: a name that was not seen before; the name of the i-th, "expert 1" for 0. */
int experiment_name_once(json_t *seen, const experiment_node *at, const char *name, roster_error *err);
int experiment_name_counted(experiment_store *store, const char *what, size_t i, const char **name, roster_error *err);
/* experts.c: "floor" of an object, one that leaves room for n outcomes; 0 where it is left out. */
int experiment_floor(experiment_build *self, const experiment_node *object, size_t n, double *floor);
/* experts.c: whether the experts come from "gaps", and building them. */
bool experiment_has_gaps(const experiment_node *root);
int experiment_experts(experiment_build *self, const experiment_node *root, roster_experts **out);
/* episodes.c: the lists of "rewards", one per context and action; free them also on failure. */
typedef struct experiment_rewards {
    double *values;     /* owned: all of them */
    roster_list *lists; /* owned: [X V]       */
} experiment_rewards;
int experiment_rewards_read(experiment_build *self, const experiment_node *at, experiment_rewards *out);
void experiment_rewards_free(experiment_rewards *self);
/* episodes.c */
int experiment_episodes(experiment_build *self, const experiment_node *root, experiment_case *out);
/* agents.c: all agents of the file, checked on the case's worlds. */
int experiment_agents(experiment_build *self, const experiment_node *root, const char *const *labels,
                      experiment_case *out);
/* ---- sweep.c ---- */

typedef struct experiment_sweep {
    const char *label; /* NULL: no sweep                          */
    size_t n;          /* cases; 1 without a sweep                */
    json_t *values;    /* borrowed                                */
    json_t *parent;    /* borrowed: the object or list that holds what is replaced */
    const char *key;   /* in an object; NULL: the index counts    */
    size_t index;
} experiment_sweep;

int experiment_sweep_read(experiment_sweep *self, const experiment_node *root, experiment_store *store,
                          roster_error *err);
/* Puts the i-th value into the document; title and value of the case. */
int experiment_sweep_apply(const experiment_sweep *self, size_t i, experiment_store *store, experiment_case *out,
                           roster_error *err);

/* ---- labels.c ---- */

/* One label per agent of the file. */
int experiment_labels(const experiment_node *root, const experiment_sweep *sweep, experiment_store *store,
                      const char *const **labels, size_t *n, roster_error *err);
/* Which agents a list of labels or names separated by commas picks; NULL picks all. */
int experiment_pick(const experiment_node *root, const char *list, const char *const *labels, bool *picked,
                    roster_error *err);

#endif
