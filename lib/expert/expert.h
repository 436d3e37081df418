/*
 * expert.h: inside an expert set, for the folders of the library that read it at full speed.
 */
#ifndef ROSTER_EXPERT_H
#define ROSTER_EXPERT_H

#include "base.h"

/* n names in one block of text. */
typedef struct roster_names {
    char *text; /* owned: all names, each ending with '\0' */
    size_t *at; /* owned: where each one starts            */
} roster_names;

/* Copies `names`, or makes "expert 1", "expert 2", ... where it is NULL. An entry that is NULL or empty is refused. */
int roster_names_init(roster_names *self, size_t n, const char *const *names, roster_error *err);
void roster_names_fini(roster_names *self);
static inline const char *roster_names_get(const roster_names *self, size_t k)
{
    return self->text + self->at[k];
}

/* Doubles that can be read behind a table, so that a vector may start at any entry. */
enum { ROSTER_ROOM_BEHIND = 8 };

struct roster_experts {
    roster_kind kind;
    size_t n, x, v, d;
    double *pi;      /* owned: pi[(x * V + v) * N + k], so that one (x, v) across all experts is contiguous */
    double *weights; /* owned, softmax only: [n][v][d] */
    double *bias;    /* owned, softmax only: [n][v]    */
    double *sample;  /* owned, softmax only: [x][d]    */
    double floor;    /* softmax only                   */
    double *rows;    /* owned, [x][n]: samples that a row was made of; NULL: experts are known, not estimated */
    bool avx2;       /* roster_avx2() at creation      */
    bool *retired;   /* owned, [n]: never acts again; NULL: none */
    size_t active;   /* experts that are not retired   */
    roster_names names;
};

/* There is at least one of each, and n * x * v numbers of 8 bytes can be counted. */
int roster_check_shape(size_t n, size_t x, size_t v, roster_error *err);
/* An expert set with a table of zeros, to be filled by the caller. Refuses shapes of 0, but for the contexts of experts
   that are not tables, and what does not fit. */
int roster_experts_new(roster_experts **out, roster_kind kind, size_t n, size_t x, size_t v, const char *const *names,
                       roster_error *err);

/* experts_change.c */
static inline bool roster_is_retired(const roster_experts *e, size_t k)
{
    return e->retired != NULL && e->retired[k];
}
/* The j-th of those that are not retired. */
size_t roster_experts_active_at(const roster_experts *e, size_t j);
/* An index that never is the largest, for those that are. */
void roster_experts_mask(const roster_experts *e, double *u);
/* Whether `after` is a list that `before` may become. */
int roster_experts_check_change(const roster_experts *before, const roster_experts *after, roster_error *err);

/* pi_k(v | reference context x) across all experts k. */
static inline double *roster_experts_across(const roster_experts *e, size_t x, size_t v)
{
    return e->pi + (x * e->v + v) * e->n;
}

/* Softmax experts: pi_k(action | features) across all experts, into out[0..N-1]; row: V numbers of scratch. */
void roster_experts_across_at(const roster_experts *e, const double *features, size_t action, double *row, double *out);

/* The same for all actions, into out[v * N + k]. */
void roster_experts_all_at(const roster_experts *e, const double *features, double *row, double *out);

/* The hash, continued over all probabilities, of softmax experts also over their models. */
uint64_t roster_experts_hash(uint64_t hash, const roster_experts *e);

/* Columns of divergences from expert `from` on; what is before is not touched. */
void roster_divergence_column_from(const roster_experts *e, const double *p, bool shared, size_t k, size_t from,
                                   double *m);
void roster_divergence_lower_column_from(const roster_experts *e, const roster_error_bounds *known, size_t k,
                                         size_t from, double *m);
/* The column of an expert that does not exist, or of experts without a sample: none says anything, INFINITY. */
void roster_divergence_none(const roster_experts *e, double *m);

/* p[0..X-1] is a distribution (finite, >= 0, sums to 1 within 1e-9); `what` names it in the sentence. */
int roster_check_distribution(const double *p, size_t x, const char *what, roster_error *err);

/* estimates.c: roster_estimates_xi_exact of the counts that experts were made of; 0 where they are known. */
double roster_experts_xi(const roster_experts *e, double delta);

/* Every row is a distribution: not so for estimates, where nothing was seen. `prefix` begins the sentence. */
int roster_experts_check_rows(const roster_experts *e, const char *prefix, roster_error *err);

#endif
