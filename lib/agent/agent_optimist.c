/*
 * agent_optimist.c: RANDOMIST, the yardstick that shares rewards between experts by multiple importance sampling.
 *
 * Paper: Yardstick (OPTIMIST). Papini, Metelli, Lupo and Restelli: Optimistic policy optimization via multiple
 * importance sampling (2019), which has the estimator; Metelli, Papini, D'Oro and Restelli: Policy optimization as
 * online learning with mediator feedback (2021), which has the index, with its authors' constants.
 *
 *   t, n_k            rounds, and those of expert k
 *   alpha_k           = n_k / t
 *   Phi(c)            = sum_k alpha_k pi_k(c): how likely the mixture of all that played is to act so
 *   d_i               = sum_c p(x) pi_i(c)^2 / Phi(c), c = (x, v): exponentiated Renyi divergence of order 2
 *   level_i           = sqrt( t d_i / (2 ln t) )
 *   A_i               = sum over rounds of min(level_i, pi_i(c) / Phi(c)) y
 *   H_i               = the mean of m_i = ceil(1.1 t / d_i) tosses of a fair coin, drawn anew every round
 *   U_i               = A_i / t + sqrt( 2 d_i ln t / t ) + H_i;  play argmax
 *
 * OPTIMIST itself has (1 + sqrt 2) sqrt(2 d_i ln t / t) in the place of the last two. On our experiments the randomised
 * form loses half to a quarter of that, so this is it (docs/agents.md).
 *
 * U_i is infinite where d_i is: expert i does what nobody has done yet. All rounds of a cell share their weights, so
 * that sums of rewards per cell are all that is kept of tables; of feature contexts each round with a reward is a cell.
 * p and d_i are then those of the reference contexts.
 *
 * Cost: N binomial numbers per round; O(N X V) per re-weighting, O(N (X V + t)) for contexts that are not finite. Of
 * these there are at most 5 ln(t) per expert that plays.
 * Departs: d_i is computed, where the authors' code has an upper bound. alpha, and all that follows from it, is taken
 * anew when an expert has played max(n + 1, floor(1.25 n)) times, n its plays when that was done last; in between a
 * round takes the weights and levels that there are. Every 1.25th round in all would not do: an expert that shares
 * nothing with others would be played until then, however little it earns.
 * Check: the five rounds of SPEC section 3 give U_i - H_i = 1.81299056215668, 1.64626446641683, 1.27226179343066
 *        (tests/unit/test_yardsticks.c: optimist_check_values).
 */
#include "rng.h"
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

static const double PER_SAMPLE = 1.1; /* tosses per effective sample t / d_i */

typedef struct optimist {
    const roster_setup *setup; /* borrowed */
    uint64_t t;                /* rounds learnt */
    double *block;             /* owned: the arrays of n */
    double *plays, *past;      /* [n]: n_k, and as of the last re-weighting            */
    double *alpha;             /* [n]: alpha_k, as of then                             */
    double *d, *level;         /* [n]: as of the last re-weighting                     */
    double *sum, *u;           /* [n]: A_i, U_i                                        */
    size_t cells, room;        /* in use; that there is room for                       */
    double *s, *phi;           /* owned, [room]: of each cell the rewards' sum and Phi */
    double *rows;              /* owned, [room][n]: pi of each cell; NULL for tables   */
    size_t leader;
} optimist;

enum { ARRAYS = 7 };

static size_t experts_of(const optimist *self)
{
    return self->setup->experts->n;
}

static bool is_finite(const optimist *self)
{
    return self->setup->experts->kind == ROSTER_TABLES;
}

/* pi of a cell, across the experts. */
static const double *row_of(const optimist *self, size_t cell)
{
    return (is_finite(self) ? self->setup->experts->pi : self->rows) + cell * experts_of(self);
}

static double mixture_at(const optimist *self, const double *pi)
{
    double phi = 0;
    for (size_t k = 0; k < experts_of(self); k++)
        phi += self->alpha[k] * pi[k];
    return phi;
}

/* What one reference cell of probability p adds to the divergences. */
static void add_divergence(optimist *self, const double *pi, double p)
{
    double phi = mixture_at(self, pi);
    for (size_t i = 0; i < experts_of(self); i++)
        if (pi[i] > 0)
            self->d[i] += p * pi[i] / phi * pi[i];
}

static void take_divergences(optimist *self, double t)
{
    const roster_experts *e = self->setup->experts;
    memset(self->d, 0, e->n * sizeof *self->d);
    for (size_t x = 0; x < e->x; x++) {
        double p = self->setup->p != NULL ? self->setup->p[x] : 1 / (double)e->x;
        for (size_t v = 0; v < e->v && p > 0; v++)
            add_divergence(self, roster_experts_across(e, x, v), p);
    }
    for (size_t i = 0; i < e->n; i++)
        self->level[i] = sqrt(t * self->d[i] / (2 * roster_ln(t)));
}

static void add_reward(optimist *self, const double *pi, double phi, double y)
{
    for (size_t i = 0; i < experts_of(self); i++) {
        double w = pi[i] > 0 ? pi[i] / phi : 0;
        self->sum[i] += (w < self->level[i] ? w : self->level[i]) * y;
    }
}

/* alpha, Phi, d and levels of the past plays. */
static void take_mixture(optimist *self)
{
    double t = 0;
    for (size_t k = 0; k < experts_of(self); k++)
        t += self->past[k];
    for (size_t k = 0; k < experts_of(self); k++)
        self->alpha[k] = self->past[k] / t;
    take_divergences(self, t);
    for (size_t c = 0; c < self->cells; c++)
        self->phi[c] = mixture_at(self, row_of(self, c));
}

/* Always at an expert's first play: after it the mixture explains all that it does. */
static bool is_due(const optimist *self, size_t k)
{
    double past = self->past[k];
    return self->plays[k] >= (past >= 4 ? floor(1.25 * past) : past + 1);
}

/* All sums by the weights and levels that there are. */
static void add_up(optimist *self)
{
    memset(self->sum, 0, experts_of(self) * sizeof *self->sum);
    for (size_t c = 0; c < self->cells; c++)
        if (self->s[c] > 0)
            add_reward(self, row_of(self, c), self->phi[c], self->s[c]);
}

static void reweigh(optimist *self)
{
    memcpy(self->past, self->plays, experts_of(self) * sizeof *self->past);
    take_mixture(self);
    add_up(self);
}

/* U_i; `salt` makes other draws of it. */
static double score(const void *self, size_t i, uint64_t salt)
{
    const optimist *s = self;
    double t = (double)s->t, d = s->d[i];
    if (roster_is_retired(s->setup->experts, i) || !(d < INFINITY))
        return roster_is_retired(s->setup->experts, i) ? -INFINITY : INFINITY;
    double tosses = ceil(PER_SAMPLE * t / d);
    roster_rng rng = roster_rng_of(s->setup->stream, i, s->t, salt);
    double heads = (double)roster_rng_binomial(&rng, (uint64_t)tosses, 0.5);
    return s->sum[i] / t + sqrt(2 * d * roster_ln(t) / t) + heads / tosses;
}

static void refresh(optimist *self)
{
    for (size_t i = 0; i < experts_of(self); i++)
        self->u[i] = score(self, i, 0);
    self->leader = roster_largest(self->u, experts_of(self));
}

/* All finite cells; of others none. */
static void restart(optimist *self)
{
    const roster_experts *e = self->setup->experts;
    size_t n = e->n;
    self->t = 0;
    self->cells = is_finite(self) ? e->x * e->v : 0;
    memset(self->block, 0, ARRAYS * n * sizeof *self->block);
    for (size_t i = 0; i < n; i++)
        self->d[i] = INFINITY;
    for (size_t c = 0; c < self->cells; c++)
        self->s[c] = self->phi[c] = 0;
    refresh(self);
}

/* Room for `more` cells. */
static int reserve_cells(optimist *self, size_t more)
{
    size_t room = self->room, same = self->room;
    if (self->cells + more <= self->room)
        return ROSTER_OK;
    int code = roster_grow(&self->s, &room, self->cells, more, sizeof *self->s);
    if (code == ROSTER_OK)
        code = roster_grow(&self->phi, &same, self->cells, more, sizeof *self->phi);
    same = self->room;
    if (code == ROSTER_OK && !is_finite(self))
        code = roster_grow(&self->rows, &same, self->cells, more, roster_times(experts_of(self), sizeof *self->rows));
    if (code == ROSTER_OK)
        self->room = room;
    return code;
}

static int init(void *self, const roster_setup *setup, roster_error *err)
{
    optimist *s = self;
    size_t n = setup->experts->n;
    double **arrays[ARRAYS] = {&s->plays, &s->past, &s->alpha, &s->d, &s->level, &s->sum, &s->u};
    (void)err;
    s->setup = setup;
    s->block = roster_alloc(roster_times(ARRAYS, n), sizeof *s->block);
    if (s->block == NULL || reserve_cells(s, is_finite(s) ? setup->experts->x * setup->experts->v : 0) != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t a = 0; a < ARRAYS; a++)
        *arrays[a] = s->block + a * n;
    restart(s);
    return ROSTER_OK;
}

static void fini(void *self)
{
    optimist *s = self;
    free(s->block);
    free(s->s);
    free(s->phi);
    free(s->rows);
}

static void reset(void *self)
{
    restart(self);
}

static int reserve(void *self, size_t rounds)
{
    return is_finite(self) ? ROSTER_OK : reserve_cells(self, rounds);
}

/* The sample's cell, for which there is room; a new one where contexts are not finite. */
static size_t cell_of(optimist *self, const roster_sample *sample)
{
    if (is_finite(self))
        return sample->cell;
    size_t c = self->cells++;
    memcpy(self->rows + c * experts_of(self), sample->pi, experts_of(self) * sizeof *self->rows);
    self->s[c] = 0;
    self->phi[c] = mixture_at(self, sample->pi);
    return c;
}

static int learn(void *self, const roster_sample *sample)
{
    optimist *s = self;
    if (sample->s > 0 && reserve(s, 1) != ROSTER_OK)
        return ROSTER_ENOMEM;
    s->t++;
    s->plays[sample->k]++;
    bool due = is_due(s, sample->k);
    if (sample->s > 0) {
        size_t c = cell_of(s, sample);
        s->s[c] += sample->s;
        if (!due)
            add_reward(s, sample->pi, s->phi[c], sample->s);
    }
    if (due)
        reweigh(s);
    refresh(s);
    return ROSTER_OK;
}

static size_t choose(const void *self)
{
    return ((const optimist *)self)->leader;
}

static size_t choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    const optimist *s = self;
    if (s->u[s->leader] == INFINITY)
        return roster_waiting_leader(s->u, experts_of(s), s->leader, waiting, u);
    return roster_waiting_largest(s, score, experts_of(s), u);
}

static void scores(const void *self, double *u)
{
    const optimist *s = self;
    memcpy(u, s->u, experts_of(s) * sizeof *u);
}

static void save(const void *self, roster_writer *w)
{
    const optimist *s = self;
    size_t n = experts_of(s);
    roster_put_u64(w, s->t);
    roster_put_doubles(w, s->plays, n);
    roster_put_doubles(w, s->past, n);
    roster_put_doubles(w, s->sum, n);
    roster_put_u64(w, s->cells);
    roster_put_doubles(w, s->s, s->cells);
    if (!is_finite(s))
        roster_put_doubles(w, s->rows, s->cells * n);
}

/* Numbers of at least 0 that are no more than `most`. */
static void get(roster_reader *r, double *values, size_t n, double most)
{
    roster_get_doubles(r, values, n);
    for (size_t i = 0; i < n; i++)
        r->failed |= !(values[i] >= 0 && values[i] <= most);
}

static int load_cells(optimist *self, roster_reader *r)
{
    size_t n = experts_of(self), cells = roster_get_count(r, is_finite(self) ? 8 : 8 * (n + 1));
    r->failed |= is_finite(self) && cells != self->cells;
    if (r->failed || reserve_cells(self, cells - self->cells) != ROSTER_OK)
        return r->failed ? ROSTER_OK : ROSTER_ENOMEM;
    self->cells = cells;
    get(r, self->s, cells, (double)self->t);
    if (!is_finite(self))
        get(r, self->rows, cells * n, 1);
    return ROSTER_OK;
}

static int load(void *self, roster_reader *r)
{
    optimist *s = self;
    size_t n = experts_of(s);
    s->t = roster_get_u64(r);
    get(r, s->plays, n, (double)s->t);
    get(r, s->past, n, (double)s->t);
    get(r, s->sum, n, INFINITY);
    int code = load_cells(s, r);
    if (code != ROSTER_OK || r->failed)
        return code;
    if (s->t > 0)
        take_mixture(s);
    refresh(s);
    return ROSTER_OK;
}

/* Of feature contexts nothing is known of who comes, and d_i would say that it is: then all starts anew. */
static int adopt(void *self, const void *from, size_t n)
{
    optimist *s = self;
    const optimist *before = from;
    bool comes = experts_of(s) > n;
    if (before->t == 0 || (comes && !is_finite(s)))
        return ROSTER_OK;
    if (reserve_cells(s, before->cells - s->cells) != ROSTER_OK)
        return ROSTER_ENOMEM;
    s->t = before->t;
    s->cells = before->cells;
    memcpy(s->plays, before->plays, n * sizeof *s->plays);
    memcpy(s->past, before->past, n * sizeof *s->past);
    if (before->cells > 0)
        memcpy(s->s, before->s, before->cells * sizeof *s->s);
    if (before->cells > 0 && !is_finite(s))
        memcpy(s->rows, before->rows, before->cells * n * sizeof *s->rows);
    take_mixture(s);
    add_up(s);
    refresh(s);
    return ROSTER_OK;
}

static const roster_param *const params[] = {NULL};

const roster_agent_type roster_agent_optimist = {
    .info = {.name = "optimist",
             .source = "Papini et al. 2019",
             .summary = "shares rewards by importance weights against the mixture of all that played",
             .params = params},
    .state_size = sizeof(optimist),
    .init = init,
    .fini = fini,
    .reset = reset,
    .reserve = reserve,
    .learn = learn,
    .choose = choose,
    .choose_waiting = choose_waiting,
    .index = scores,
    .save = save,
    .load = load,
    .adopt = adopt,
};
