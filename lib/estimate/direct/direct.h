/*
 * direct.h: the value of every expert from rewards pooled by context and action, kept up to date, and the index of it.
 */
#ifndef ROSTER_DIRECT_H
#define ROSTER_DIRECT_H

#include "context_test.h"
#include "pool.h"

/* The sums over cells, of each expert: of W pi to the power 1 or 2 times what the cell says. */
enum {
    ROSTER_DIRECT_MU,   /* m     */
    ROSTER_DIRECT_Z,    /* z     */
    ROSTER_DIRECT_THIN, /* n < 3 */
    ROSTER_DIRECT_V,    /* z u, squared weights from here on */
    ROSTER_DIRECT_B,    /* u^2   */
    ROSTER_DIRECT_SUMS,
    ROSTER_DIRECT_SQUARES = ROSTER_DIRECT_SUMS, /* m^2 by pi: of rows alone, and where experts are learnt */
    ROSTER_DIRECT_ROWS,
    ROSTER_DIRECT_UNSEEN = 6,
    ROSTER_DIRECT_SAVED = ROSTER_DIRECT_SUMS + ROSTER_DIRECT_UNSEEN + 2 + 1 /* arrays of experts up to alpha */
};

/* Above this mass of cells seen less than three times an estimate is corrected. */
#define ROSTER_DIRECT_THIN_MASS 0.1

typedef struct roster_direct_problem {
    const roster_experts *experts; /* borrowed, tables                              */
    const double *p;               /* borrowed; NULL: weights of contexts are learnt */
    double kappa, eta, margin;
} roster_direct_problem;

typedef struct roster_direct_simd roster_direct_simd; /* direct_simd.h */

typedef struct roster_direct {
    const roster_direct_simd *simd; /* chosen at creation */
    roster_direct_problem problem;
    roster_pool pool;
    roster_context_test test;         /* of a declared p                                              */
    bool learnt;                      /* weights are: W_x = (n_x + 1/2)/(t + X/2)                      */
    bool *alone;                      /* owned, [n]: judged by its own plays, which say nothing of cells */
    bool corrects;                    /* the correction for thin cells is kept up to date             */
    double m0;                        /* of the last power of two, or the last merge                  */
    double ell;                       /* ln(1 + t ln^2 t)                                             */
    roster_ell clock;                 /* of which it is read                                          */
    bool lonely;                      /* an expert stands alone, or no cell says anything             */
    double bar;                       /* exp(eta ell) of now or of an earlier round                   */
    uint64_t next_weighting;          /* the round of it                                              */
    size_t up;                        /* experts, with room for whole vectors                         */
    double *block;                    /* owned: all arrays of doubles, in the order in which they follow  */
    double *sums[ROSTER_DIRECT_SUMS]; /* [up]: by W_x = p(x); where learnt by W_x = n_x + 1/2     */
    double *unseen;  /* [UNSEEN][up]: sums over contexts not seen (direct_sums.c), with carried errors */
    double *correct; /* [2][up]: sums of w above and w^2 residual over cells seen                 */
    double *alpha;   /* [up]: shares of plays as of the last re-weighting                         */
    double *u;       /* [up]: scratch: indices of experts that may lead                           */
    double *arms;    /* [2][up]: the mean of an expert's own rewards, infinite without any, and 1 / (2 n_i)  */
    double *mixture; /* [x * v]: 1 / sum_k alpha_k pi_k, of cells seen, while it corrects           */
    double *rows;   /* [x][ROWS][up]: of contexts seen, the sums within by W = 1; where weights or experts are learnt */
    size_t *near;   /* owned, [up / 2]: scratch: where they are (direct_simd.h)                  */
    double left[2]; /* the correction of the expert that acts, without its row (direct_thin.c) */
    double *counts; /* owned, [x * v][n]: samples of an expert's action, and 1/V; NULL: experts are known */
    double *totals; /* owned, [x][n]: A, the sum over actions                              */
    double *learnt_pi; /* owned: counts / totals                                             */
    const double *pi;  /* that, or borrowed of the experts: [x * v][n]                       */
    size_t leader;     /* the first of those with the largest index                                */
} roster_direct;

/* Nothing is learnt yet. On failure the caller still calls fini. What is borrowed must outlive it. */
int roster_direct_init(roster_direct *self, const roster_direct_problem *problem);
void roster_direct_fini(roster_direct *self);
void roster_direct_reset(roster_direct *self);
/* Expert k acted in `cell`, x * V + v, and earned y. Brings the leader up to date. */
void roster_direct_learn(roster_direct *self, size_t k, size_t cell, double y);
/* U_i of all experts into u. */
void roster_direct_indices(const roster_direct *self, double *u);
/* Nothing is known of expert i: its index is infinite. */
bool roster_direct_is_unknown(const roster_direct *self, size_t i);
/* Contexts come otherwise, or cells pay otherwise, than before. What an expert earned rests on both. A declared p
   no longer holds once contexts have changed. */
void roster_direct_forget(roster_direct *self, bool contexts, bool rewards);
/* Rewards depend on whether k acts: its index is A_k from now on, and what it may have taught is forgotten. */
void roster_direct_stand_alone(roster_direct *self, size_t k);
/* Rounds until m0 or the weights of cells change. At least 1. */
uint64_t roster_direct_steady(const roster_direct *self);
/* Of these, rounds that may be learnt at once: a declared p is surely not rejected before the last of them. At least 1;
   1 where experts are learnt. */
uint64_t roster_direct_most(const roster_direct *self);
/* The pool alone learns so many rounds at most; then all that rests on it is brought up to date. */
void roster_direct_collect(roster_direct *self, const roster_batch *batch);
void roster_direct_settle(roster_direct *self);
/* Into one that was initialised for the same problem: now it is equal. */
void roster_direct_copy(roster_direct *self, const roster_direct *from);
/* What the index of expert i rests on. */
void roster_direct_insight(const roster_direct *self, size_t i, roster_insight *out);

/* direct_adopt.c: into an empty one for the same experts, n of them, and perhaps more: it knows what `from` knows. */
void roster_direct_adopt(roster_direct *self, const roster_direct *from, size_t n);

/* direct_state.c */
/* Adds all samples of `from`. */
void roster_direct_merge(roster_direct *self, const roster_direct *from);
/* Adds the rows of a tally as merging does; who acted need not be known (pool.h). */
void roster_direct_learn_tally(roster_direct *self, const roster_tally_row *rows, size_t n);
void roster_direct_save(const roster_direct *self, roster_writer *w);
/* Into an empty one. Sets r->failed where the bytes make no sense. */
void roster_direct_load(roster_direct *self, roster_reader *r);

/* direct_sums.c, for the files of this folder. */
/* What contexts that were not seen add, by W of now. */
void roster_direct_find_unseen(roster_direct *self);
/* Context x is seen for the first time. */
void roster_direct_see(roster_direct *self, size_t x);
/* All sums from the pool. */
void roster_direct_rebuild(roster_direct *self);
/* The pool has a new sample of `cell`, by expert k, which said `old` before. How many vectors may have the leader then
   (direct_simd.h); 0: any. */
size_t roster_direct_update(roster_direct *self, size_t k, size_t cell, const roster_pool_terms *old);

/* direct_thin.c, for the same. */
/* The re-weighting before the one that is next; 0: none. */
uint64_t roster_direct_weighed_before(uint64_t next);
/* Takes the shares of plays as of now. */
void roster_direct_weigh_plays(roster_direct *self);
/* The correction's sums from the pool; anew: by shares and experts of now, else of the last re-weighting. */
void roster_direct_correct(roster_direct *self, bool anew);
/* Where experts are learnt, before expert k acts in context x. */
void roster_direct_leave_correction(roster_direct *self, size_t k, size_t x);
void roster_direct_update_correction(roster_direct *self, size_t k, size_t cell, const roster_pool_rest *old);

/* direct_experts.c, for the same, where experts are learnt. */
int roster_direct_experts_init(roster_direct *self);
void roster_direct_experts_reset(roster_direct *self);
/* All probabilities from the counts. */
void roster_direct_experts_divide(roster_direct *self);
void roster_direct_experts_merge(roster_direct *self, const roster_direct *from);
void roster_direct_experts_save(const roster_direct *self, roster_writer *w);
void roster_direct_experts_load(roster_direct *self, roster_reader *r);
/* Expert k acted so, n times. */
void roster_direct_experts_see(roster_direct *self, size_t k, size_t cell, uint64_t n);
/* 1 / (A + 1) of a row. */
double roster_direct_doubt(const roster_direct *self, size_t i, size_t x);
/* What is added to the sums within a row because the row itself is not known. */
void roster_direct_doubt_row(const roster_direct *self, size_t i, size_t x, double *row);
/* The row of all experts after a cell's values have changed by df. */
void roster_direct_move_row(const roster_direct *self, size_t cell, const double df[ROSTER_DIRECT_ROWS], double *row);

/* direct.c, for the same: m0 as of now. */
void roster_direct_take_m0(roster_direct *self);
/* direct_index.c, for the same: the leader, after anything has changed. */
void roster_direct_refresh(roster_direct *self);
/* Expert k has played, and it is a round later; then the leader, who is in one of the vectors near, 0: in any. */
void roster_direct_note_play(roster_direct *self, size_t k);
void roster_direct_find_leader(roster_direct *self, size_t near);

/* Experts are learnt. */
static inline bool roster_direct_learns(const roster_direct *self)
{
    return self->problem.experts->rows != NULL;
}

static inline const double *roster_direct_pi(const roster_direct *self, size_t cell)
{
    return self->pi + cell * self->pool.n;
}

/* What the sums are divided by, those of squares twice: the weights of all contexts add up to it. */
static inline double roster_direct_weight(const roster_direct *self)
{
    return self->learnt ? (double)self->pool.arrivals + 0.5 * (double)self->pool.x : 1;
}

/* The sum from which on an expert is thin: sums so near to 0.1 that rounding decides count as 0.1. */
static inline double roster_direct_thin_bar(const roster_direct *self)
{
    return ROSTER_DIRECT_THIN_MASS * (1 + 1e-9) * roster_direct_weight(self);
}

static inline bool roster_direct_is_thin(const roster_direct *self, size_t i)
{
    return self->sums[ROSTER_DIRECT_THIN][i] > roster_direct_thin_bar(self);
}

#endif
