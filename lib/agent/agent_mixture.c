/*
 * agent_mixture.c: every reward informs every expert, with nothing known of contexts or experts but how likely each was
 * to act so: for features, for experts that the caller evaluates, for models that never vary what they do.
 *
 * Paper: Beyond 14 (agent mixture).
 *
 *   U_i = mu_i + sqrt( 2 L_i V_i + L_i^2 b_i^2 )        play argmax_i U_i (mixture.c); round 1: uniformly random
 *
 * Neither a sample of contexts nor a divergence is needed, and probabilities may be 0 and 1. No bound on its regret is
 * proved.
 *
 * Cost: O(N) per round, choosing O(1); memory min(t, `memory`) x N numbers (mixture.c).
 * Check: five rounds of section 3 give U = 0.911289018460026, 0.901621288663658, 0.499863453699267
 *        (tests/unit/test_mixture.c: check_values).
 */
#include "agent.h"

#include "mixture.h"
#include "ranking.h"
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

typedef struct mixture {
    roster_mixture est;
    const roster_setup *setup; /* borrowed: before anything is learnt the leader is random */
    double *u;                 /* owned, [n]: U_i            */
    size_t leader;             /* the first of the largest   */
} mixture;

static void refresh(mixture *m)
{
    const roster_setup *s = m->setup;
    roster_mixture_indices(&m->est, m->u);
    roster_experts_mask(s->experts, m->u);
    m->leader = m->est.t > 0 ? roster_leader(m->u, m->est.n) : roster_random_start(s->stream, s->experts);
}

static int prepare(roster_prepared **prepared, const roster_setup *setup, roster_settings *s, roster_error *err)
{
    (void)prepared;
    (void)err;
    if (isnan(s->kappa.number))
        s->kappa.number = 2 * (double)setup->experts->n;
    return ROSTER_OK;
}

static int init(void *self, const roster_setup *setup, roster_error *err)
{
    (void)err;
    mixture *m = self;
    const roster_settings *s = setup->settings;
    size_t n = setup->experts->n, memory = s->memory.word != NULL ? SIZE_MAX : (size_t)s->memory.number;
    m->setup = setup;
    m->u = roster_alloc(n, sizeof *m->u);
    if (roster_mixture_init(&m->est, n, memory, s->kappa.number, s->eta.number) != ROSTER_OK || m->u == NULL)
        return ROSTER_ENOMEM;
    refresh(m);
    return ROSTER_OK;
}

static void fini(void *self)
{
    mixture *m = self;
    roster_mixture_fini(&m->est);
    free(m->u);
}

static void reset(void *self)
{
    mixture *m = self;
    roster_mixture_reset(&m->est);
    refresh(m);
}

static int reserve(void *self, size_t rounds)
{
    return roster_mixture_reserve(&((mixture *)self)->est, rounds);
}

static int learn(void *self, const roster_sample *sample)
{
    mixture *m = self;
    int code = roster_mixture_absorb(&m->est, sample);
    if (code == ROSTER_OK)
        refresh(m);
    return code;
}

static size_t choose(const void *self)
{
    return ((const mixture *)self)->leader;
}

static size_t choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    const mixture *m = self;
    return roster_waiting_leader(m->u, m->est.n, m->leader, waiting, u);
}

static void scores(const void *self, double *u)
{
    const mixture *m = self;
    memcpy(u, m->u, m->est.n * sizeof *u);
}

static void insight(const void *self, size_t i, roster_insight *out)
{
    const roster_mixture *est = &((const mixture *)self)->est;
    roster_mixture_view seen = roster_mixture_look(est, i);
    *out = (roster_insight){NAN, NAN, seen.samples, 0};
    if (est->t > 0) {
        out->estimate = seen.mean;
        out->width = seen.width;
    }
}

static void save(const void *self, roster_writer *w)
{
    roster_mixture_save(&((const mixture *)self)->est, w);
}

static int load(void *self, roster_reader *r)
{
    mixture *m = self;
    int code = roster_mixture_load(&m->est, r);
    if (code == ROSTER_OK && !r->failed)
        refresh(m);
    return code;
}

static int merge(void *self, const void *from)
{
    mixture *m = self;
    int code = roster_mixture_merge(&m->est, &((const mixture *)from)->est);
    if (code == ROSTER_OK)
        refresh(m);
    return code;
}

static int adopt(void *self, const void *from, size_t n)
{
    mixture *m = self;
    (void)n;
    int code = roster_mixture_adopt(&m->est, &((const mixture *)from)->est, m->setup->experts);
    if (code == ROSTER_OK)
        refresh(m);
    return code;
}

static const roster_param *const params[] = {&roster_param_kappa, &roster_param_eta, &roster_param_memory,
                                             &roster_param_verify, NULL};

const roster_agent_type roster_agent_mixture = {
    .info = {.name = "mixture",
             .source = "balance heuristic",
             .summary = "every reward informs every expert, also where contexts are features or experts never vary",
             .params = params,
             .additive = true},
    .state_size = sizeof(mixture),
    .prepare = prepare,
    .init = init,
    .fini = fini,
    .reset = reset,
    .reserve = reserve,
    .learn = learn,
    .choose = choose,
    .choose_waiting = choose_waiting,
    .index = scores,
    .insight = insight,
    .save = save,
    .load = load,
    .merge = merge,
    .adopt = adopt,
};
