/*
 * agent_direct.c: the agent that pools rewards by context and action, whoever acted.
 *
 * Paper: Beyond 12 (agent).
 *
 *   U_i = min(D_i, A_i) (direct_index.c)        play argmax_i U_i(t - 1), ties to the smallest
 *   kappa = 2 N, 1 where experts are learnt, eta = 1/16, margin = 0
 *
 * Experts must be tables; any support is accepted, and no divergence is computed. Context probabilities that are
 * declared are tested as contexts come, and learnt from the rounds on in which they prove wrong; they are also learnt
 * where none are declared, or `contexts` says so. Experts made of counts are learnt while they play (direct_experts.c).
 *
 * Cost: O(N) per round (direct.c); choosing is O(1), indices O(N).
 * Departs: see direct.c.
 * Check: U = 1.15544416232976, 1.06336480401413, 0.392886321941165 after five rounds
 *        (tests/unit/test_direct.c: check_values).
 */
#include "lazy_direct.h"
#include "waiting.h"

static int prepare(roster_prepared **prepared, const roster_setup *setup, roster_settings *s, roster_error *err)
{
    (void)prepared;
    (void)err;
    if (isnan(s->kappa.number))
        s->kappa.number = setup->experts->rows != NULL ? 1 : 2 * (double)setup->experts->n;
    return ROSTER_OK;
}

static int init(void *self, const roster_setup *setup, roster_error *err)
{
    (void)err;
    const roster_settings *s = setup->settings;
    roster_direct_problem problem = {.experts = setup->experts,
                                     .p = roster_value_is(&s->contexts, "learnt") ? NULL : setup->p,
                                     .kappa = s->kappa.number,
                                     .eta = s->eta.number,
                                     .margin = s->margin.number};
    return roster_direct_init(self, &problem);
}

static void fini(void *self)
{
    roster_direct_fini(self);
}

static void reset(void *self)
{
    roster_direct_reset(self);
}

static void forget(void *self, unsigned changed)
{
    roster_direct_forget(self, changed & ROSTER_CONTEXTS_CHANGED, changed & ROSTER_REWARDS_CHANGED);
}

static void stand_alone(void *self, size_t k)
{
    roster_direct_stand_alone(self, k);
}

static int reserve(void *self, size_t rounds)
{
    (void)self;
    (void)rounds;
    return ROSTER_OK;
}

static int learn(void *self, const roster_sample *sample)
{
    roster_direct_learn(self, sample->k, sample->cell, sample->s);
    return ROSTER_OK;
}

static size_t choose(const void *self)
{
    return ((const roster_direct *)self)->leader;
}

static bool is_unknown(const void *self, size_t i)
{
    return roster_direct_is_unknown(self, i);
}

static size_t choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    const roster_direct *d = self;
    if (!is_unknown(d, d->leader) || roster_waiting_sum(waiting, d->pool.n) == 0)
        return d->leader;
    return roster_waiting_fewest(d, is_unknown, d->pool.n, waiting, u);
}

static void index_all(const void *self, double *u)
{
    roster_direct_indices(self, u);
}

static void insight(const void *self, size_t i, roster_insight *out)
{
    roster_direct_insight(self, i, out);
}

static void save(const void *self, roster_writer *w)
{
    roster_direct_save(self, w);
}

static int load(void *self, roster_reader *r)
{
    roster_direct_load(self, r);
    return ROSTER_OK;
}

static int merge(void *self, const void *from)
{
    roster_direct_merge(self, from);
    return ROSTER_OK;
}

static int adopt(void *self, const void *from, size_t n)
{
    roster_direct_adopt(self, from, n);
    return ROSTER_OK;
}

static int learn_tally(void *self, const roster_tally_row *rows, size_t n)
{
    roster_direct_learn_tally(self, rows, n);
    return ROSTER_OK;
}

static int lazy_start(void *lazy, const void *self)
{
    return roster_lazy_direct_start(lazy, self);
}

static void lazy_stop(void *lazy)
{
    roster_lazy_direct_stop(lazy);
}

static void lazy_certify(void *lazy, roster_certificate *certificate)
{
    roster_lazy_direct_certify(lazy, certificate);
}

static uint64_t lazy_most(const void *lazy)
{
    return roster_lazy_direct_most(lazy);
}

static int lazy_learn_batch(void *lazy, const roster_batch *batch)
{
    roster_lazy_direct_learn_batch(lazy, batch);
    return ROSTER_OK;
}

static int lazy_finish(void *lazy, void *self)
{
    roster_lazy_direct_finish(lazy, self);
    return ROSTER_OK;
}

static const roster_agent_lazy lazy = {
    .state_size = sizeof(roster_lazy_direct),
    .start = lazy_start,
    .stop = lazy_stop,
    .certify = lazy_certify,
    .most = lazy_most,
    .learn_batch = lazy_learn_batch,
    .finish = lazy_finish,
};

static const roster_param *const params[] = {&roster_param_kappa,    &roster_param_eta,    &roster_param_margin,
                                             &roster_param_contexts, &roster_param_verify, NULL};

const roster_agent_type roster_agent_direct = {
    .info = {.name = "direct",
             .source = "direct estimate by context and action",
             .summary = "every reward informs all experts that may act so, whoever acted; tables alone",
             .params = params,
             .additive = true,
             .finite = true,
             .learns_experts = true},
    .pools = true,
    .state_size = sizeof(roster_direct),
    .prepare = prepare,
    .init = init,
    .fini = fini,
    .reset = reset,
    .forget = forget,
    .stand_alone = stand_alone,
    .reserve = reserve,
    .learn = learn,
    .choose = choose,
    .choose_waiting = choose_waiting,
    .index = index_all,
    .insight = insight,
    .save = save,
    .load = load,
    .merge = merge,
    .adopt = adopt,
    .learn_tally = learn_tally,
    .lazy = &lazy,
};
