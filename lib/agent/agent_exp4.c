/*
 * agent_exp4.c: Exp4, the yardstick for worlds that may do anything, even work against the agent.
 *
 * Paper: Yardstick (Exp4). Auer, Cesa-Bianchi, Freund and Schapire: The nonstochastic multiarmed bandit problem (2002),
 * section 7, in the form of Bubeck and Cesa-Bianchi: Regret analysis of stochastic and nonstochastic multi-armed bandit
 * problems (2012), Theorem 4.2.
 *
 *   G_i               what expert i is estimated to have lost
 *   w_i               = exp(-eta G_i) / sum_j exp(-eta G_j): the probability that expert i is chosen
 *   q                 = sum_j w_j pi_j(v, x): with what probability the action was taken
 *   after a round     G_i += pi_i(v, x) (1 - y) / q
 *   K                 = min(N, V)
 *   eta               = sqrt(2 ln N / (T K)) where the horizon T is known:  regret <= sqrt(2 T K ln N)
 *                     = sqrt(ln N / (t K)) otherwise, in round t:           regret <= 2 sqrt(T K ln N) for every T
 *
 * An expert drawn by w acts by its own distribution, so that actions have the probabilities q of Exp4's mixture. The
 * theorem has V in the place of K; its proof needs no more than sum_v sum_i w_i pi_i(v)^2 / q(v), which is at most V,
 * since pi_i(v) <= 1, and at most N, since w_i pi_i(v) <= q(v).
 *
 * An expert that comes later starts with the mean weight of those that were there and stay; one that goes weighs 0,
 * and N is how many are there.
 *
 * Cost: N exponentials per round.
 * Departs: Auer et al. play a uniformly random action in a share of rounds, which one who chooses experts cannot; the
 * later proof, with losses in the place of rewards, needs no such share, and halves the bound. Of another's event q is
 * what it would have been; at least 1e-12, which own choices never meet.
 * Check: the five rounds of SPEC section 3 give w = 0.385122816373923, 0.382078412174358, 0.232798771451719
 *        (tests/unit/test_yardsticks.c: exp4_draws_by_its_weights).
 */
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

static const double LEAST_Q = 1e-12;

typedef struct exp4 {
    const roster_setup *setup; /* borrowed                              */
    uint64_t t;                /* rounds learnt                         */
    double *lost, *w;          /* owned, [n] each: G_i, w_i             */
    size_t leader;             /* the expert drawn for the next round   */
} exp4;

static double rate(const exp4 *self)
{
    const roster_experts *e = self->setup->experts;
    double K = (double)(e->active < e->v ? e->active : e->v), T = self->setup->settings->horizon.number;
    double ln_n = roster_ln((double)e->active);
    return isnan(T) ? sqrt(ln_n / ((double)(self->t + 1) * K)) : sqrt(2 * ln_n / (T * K));
}

/* The expert that a uniform number selects; any number is allowed. */
static size_t draw(const exp4 *self, double u)
{
    return roster_experts_draw(self->w, self->setup->experts->n, u >= 0 && u < 1 ? u : 0);
}

/* The least G of the first n that are not retired. */
static double least_lost(const exp4 *self, size_t n)
{
    double least = INFINITY;
    for (size_t i = 0; i < n; i++)
        if (!roster_is_retired(self->setup->experts, i) && self->lost[i] < least)
            least = self->lost[i];
    return least;
}

static void refresh(exp4 *self)
{
    const roster_experts *e = self->setup->experts;
    size_t n = e->n;
    double eta = rate(self), least = least_lost(self, n), sum = 0;
    roster_rng rng = *self->setup->stream;
    for (size_t i = 0; i < n; i++) {
        self->w[i] = roster_is_retired(e, i) ? 0 : roster_exp(-eta * (self->lost[i] - least));
        sum += self->w[i];
    }
    for (size_t i = 0; i < n; i++)
        self->w[i] /= sum;
    roster_rng_seek(&rng, self->t);
    self->leader = draw(self, roster_rng_uniform(&rng));
}

static int init(void *self, const roster_setup *setup, roster_error *err)
{
    exp4 *s = self;
    (void)err;
    s->setup = setup;
    s->lost = roster_alloc(setup->experts->n, sizeof *s->lost);
    s->w = roster_alloc(setup->experts->n, sizeof *s->w);
    if (s->lost == NULL || s->w == NULL)
        return ROSTER_ENOMEM;
    refresh(s);
    return ROSTER_OK;
}

static void fini(void *self)
{
    free(((exp4 *)self)->lost);
    free(((exp4 *)self)->w);
}

static void reset(void *self)
{
    exp4 *s = self;
    s->t = 0;
    memset(s->lost, 0, s->setup->experts->n * sizeof *s->lost);
    refresh(s);
}

static int learn(void *self, const roster_sample *sample)
{
    exp4 *s = self;
    size_t n = s->setup->experts->n;
    double q = 0;
    for (size_t i = 0; i < n; i++)
        q += s->w[i] * sample->pi[i];
    double loss = (1 - sample->s) / (q > LEAST_Q ? q : LEAST_Q);
    for (size_t i = 0; i < n; i++)
        s->lost[i] += sample->pi[i] * loss;
    s->t++;
    refresh(s);
    return ROSTER_OK;
}

static size_t choose(const void *self)
{
    return ((const exp4 *)self)->leader;
}

static size_t choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    (void)waiting;
    return draw(self, u);
}

static void scores(const void *self, double *u)
{
    const exp4 *s = self;
    memcpy(u, s->w, s->setup->experts->n * sizeof *u);
}

static void save(const void *self, roster_writer *w)
{
    const exp4 *s = self;
    roster_put_u64(w, s->t);
    roster_put_doubles(w, s->lost, s->setup->experts->n);
}

static int load(void *self, roster_reader *r)
{
    exp4 *s = self;
    s->t = roster_get_u64(r);
    roster_get_doubles(r, s->lost, s->setup->experts->n);
    for (size_t i = 0; i < s->setup->experts->n; i++)
        r->failed |= !(s->lost[i] >= 0 && s->lost[i] < INFINITY);
    if (!r->failed)
        refresh(s);
    return ROSTER_OK;
}

/* G of an expert that comes: it then has the mean weight of the n that were there and stay; 0 where none does. */
static double lost_before(const exp4 *self, size_t n)
{
    double eta = rate(self), least = least_lost(self, n), sum = 0, count = 0;
    for (size_t i = 0; i < n; i++)
        if (!roster_is_retired(self->setup->experts, i)) {
            sum += roster_exp(-eta * (self->lost[i] - least));
            count++;
        }
    if (count == 0)
        return 0;
    return eta > 0 ? least - roster_ln(sum / count) / eta : least;
}

static int adopt(void *self, const void *from, size_t n)
{
    exp4 *s = self;
    s->t = ((const exp4 *)from)->t;
    memcpy(s->lost, ((const exp4 *)from)->lost, n * sizeof *s->lost);
    for (size_t i = n; i < s->setup->experts->n; i++)
        s->lost[i] = lost_before(s, n);
    refresh(s);
    return ROSTER_OK;
}

static const roster_param *const params[] = {&roster_param_horizon, NULL};

const roster_agent_type roster_agent_exp4 = {
    .info = {.name = "exp4",
             .source = "Auer et al. 2002",
             .summary = "draws experts by weights that hold against any world, even one that works against it",
             .params = params},
    .state_size = sizeof(exp4),
    .drawn_by_index = true,
    .init = init,
    .fini = fini,
    .reset = reset,
    .learn = learn,
    .choose = choose,
    .choose_waiting = choose_waiting,
    .index = scores,
    .save = save,
    .load = load,
    .adopt = adopt,
};
