/*
 * simulate.c: one agent meets a sequence of episodes.
 *
 * Paper: Algorithm 4, Section 2 (regret).
 *
 *   estimates once, if the agent works on estimates:
 *     offline: A samples of every expert before round 1, free of regret
 *     online:  the first A N rounds of the first episode play every expert A times, and their regret counts
 *   then for e = 1..E: a fresh agent on the same estimates plays the rest of the episode; or, where nobody announces
 *   that an episode ends, one agent plays them all, and forgets at alarms (guard.c) or never
 *   the agent of the first episode knows a tally before its first round, if there is one (agent/learn_tally.c)
 *   regret += mu*_e - mu_{k_t, e}
 *
 * The streams of episode e are (seed, run, role + 16 e) for the world and its length and (seed, run + 2^48 e) for the
 * agent, so all agents of a study meet the same world.
 *
 * Cost: that of world.c and of the agent per round.
 * Departs: episode lengths may be random, uniform on min..max, as the paper's discussion allows.
 * Check: the oracle's regret is 0, uniform's is the mean gap per round (tests/unit/test_simulate.c).
 */
#include "guard.h"
#include "stretch.h"

#include <stdlib.h>

static const double REGRET_UNIT = 0x1p-52;
__extension__ typedef unsigned __int128 u128;

/* What one run carries from round to round. */
typedef struct run {
    const roster_study *study;
    uint64_t number;
    roster_observer observe; /* NULL, or called after every round              */
    void *context;
    const roster_watch *watch;      /* NULL, or called after every stretch            */
    roster_certificate certificate; /* of the stretch under way; its gain is owned    */
    roster_batch batch;             /* owned: rounds of the stretch under way         */
    roster_outcome outcome;
    roster_agent *agent;       /* owned, NULL: there is none yet, or another for each episode */
    roster_guard guard;        /* owned */
    roster_experts *estimates; /* owned, NULL: the agent knows the experts */
    uint64_t *gaps;            /* owned, [n]: of the present episode, in units of REGRET_UNIT   */
    u128 regret;               /* the same: whole numbers add up alike, one by one or many at a time */
    size_t episode;
    uint64_t length; /* of the present episode */
    uint64_t t;      /* rounds of it played    */
    roster_rng stream;
    bool stopped;
} run;

static int check_episode(const roster_study *s, size_t e, roster_error *err)
{
    const roster_episode *episode = &s->episodes[e];
    if (episode->world == NULL || episode->world->experts != s->experts)
        return roster_fail(err, ROSTER_EINVAL, "episodes[%zu].world must be made of the study's experts", e);
    if (episode->rounds == 0)
        return roster_fail(err, ROSTER_EINVAL, "episodes[%zu].rounds is 0, must be at least 1", e);
    if (episode->min_rounds > episode->rounds)
        return roster_fail(err, ROSTER_EINVAL, "episodes[%zu].min_rounds is %llu, must be at most rounds = %llu", e,
                           (unsigned long long)episode->min_rounds, (unsigned long long)episode->rounds);
    if ((unsigned)episode->declaration > ROSTER_DECLARE_NONE)
        return roster_fail(err, ROSTER_EINVAL, "episodes[%zu].declaration is %u, must be one of roster_declaration", e,
                           (unsigned)episode->declaration);
    if (episode->declaration == ROSTER_DECLARE_OTHER && episode->declared == NULL)
        return roster_fail(err, ROSTER_EINVAL, "episodes[%zu].declared is missing: what is declared", e);
    return ROSTER_OK;
}

static int check_study(const roster_study *s, roster_error *err)
{
    if (s->experts == NULL || s->episodes == NULL || s->n_episodes == 0 || s->agent == NULL)
        return roster_fail(err, ROSTER_EINVAL, "a study needs experts, an agent and at least one episode");
    int code = ROSTER_OK;
    for (size_t e = 0; code == ROSTER_OK && e < s->n_episodes; e++)
        code = check_episode(s, e, err);
    return code;
}

static uint64_t longest(const roster_study *s)
{
    uint64_t rounds = 0;
    for (size_t e = 0; e < s->n_episodes; e++)
        rounds = s->episodes[e].rounds > rounds ? s->episodes[e].rounds : rounds;
    return rounds;
}

/* Of those that have not retired. */
static double best_value(const roster_experts *experts, const double *mu)
{
    double best = 0;
    for (size_t k = 0; k < experts->n; k++)
        best = mu[k] > best && !roster_is_retired(experts, k) ? mu[k] : best;
    return best;
}

static void start_episode(run *r, size_t e)
{
    const roster_episode *episode = &r->study->episodes[e];
    const double *mu = episode->world->values;
    size_t n = r->study->experts->n;
    double best = best_value(r->study->experts, mu);
    roster_rng length;
    roster_rng_init(&length, r->study->seed, r->number, ROSTER_ROLE_SETUP + ROSTER_ROLES * (uint64_t)e);
    roster_rng_init(&r->stream, r->study->seed, r->number, ROSTER_ROLE_WORLD + ROSTER_ROLES * (uint64_t)e);
    r->length = episode->rounds;
    if (episode->min_rounds > 0)
        r->length = episode->min_rounds + roster_rng_below(&length, episode->rounds - episode->min_rounds + 1);
    roster_guard_episode(&r->guard, e > 0 ? r->study->episodes[e - 1].world : NULL, episode->world);
    r->episode = e;
    r->t = 0;
    for (size_t k = 0; k < n; k++)
        r->gaps[k] = best - mu[k] > ROSTER_ZERO_GAP ? (uint64_t)((best - mu[k]) / REGRET_UNIT + 0.5) : 0;
}

/* What n rounds of expert k cost is written down. */
static void count(run *r, size_t k, uint64_t n)
{
    r->t += n;
    r->outcome.rounds += n;
    r->regret += (u128)n * r->gaps[k];
    r->outcome.regret = (double)r->regret * REGRET_UNIT;
    r->outcome.best_rounds += r->gaps[k] == 0 ? n : 0;
}

/* The world answers expert k. */
static void play(run *r, size_t k, roster_event *event)
{
    roster_world_round(r->study->episodes[r->episode].world, &r->stream, r->t + 1, k, event);
    count(r, k, 1);
}

/* The last n rounds were expert k's. */
static void tell(run *r, size_t k, uint64_t n)
{
    if (r->watch != NULL && !r->watch->played(r->watch->context, r->episode, r->t, k, n, r->outcome.regret))
        r->stopped = true;
}

static void show(run *r, const roster_event *event, const roster_agent *agent)
{
    const roster_guard *g = &r->guard;
    roster_step step = {r->episode, r->t, event, r->outcome.regret, agent, g->raised, g->alarms, g->rejects, g->test};
    if (r->observe != NULL)
        r->stopped = !r->observe(r->context, &step);
    tell(r, event->expert, 1);
}

/* The same as the loop below, for agents that know how long their choice is certain, when no observer looks at rounds.
   */
static int play_stretches(run *r, const roster_agent *agent, roster_error *err)
{
    roster_lazy *lazy;
    int code = roster_lazy_create(&lazy, agent, err);
    while (r->t < r->length && !r->stopped && code == ROSTER_OK) {
        uint64_t until = r->watch != NULL ? r->watch->until(r->watch->context, r->episode, r->t) : r->length;
        until = until < r->length ? until : r->length;
        roster_lazy_certify(lazy, &r->certificate);
        uint64_t n = roster_stretch(r->study->episodes[r->episode].world, &r->stream, r->t, until - r->t,
                                    &r->certificate, &r->batch);
        count(r, r->certificate.k, n);
        code = roster_lazy_learn(lazy, &r->batch, err);
        roster_batch_clear(&r->batch);
        if (code == ROSTER_OK)
            tell(r, r->certificate.k, n);
    }
    roster_lazy_free(lazy); /* what the agent would know then is not asked */
    return code;
}

/* The loop. */
static int play_agent(run *r, roster_agent *agent, roster_error *err)
{
    int code = ROSTER_OK;
    while (r->t < r->length && !r->stopped && code == ROSTER_OK) {
        roster_event event;
        play(r, roster_agent_choose(agent), &event);
        code = roster_agent_learn(agent, &event, err);
        if (code == ROSTER_OK && roster_guard_wakes(&r->guard))
            code = roster_guard_learn(&r->guard, agent, &event, r->number, r->t, &r->outcome, err);
        if (code == ROSTER_OK)
            show(r, &event, agent);
    }
    return code;
}

/* A new agent, who is told what is declared of the present episode. */
static int meet_agent(run *r, roster_error *err)
{
    const roster_study *s = r->study;
    const roster_episode *episode = &s->episodes[r->episode];
    const double *declared[] = {episode->world->p, episode->declared, NULL};
    roster_problem problem = {r->estimates != NULL ? r->estimates : s->experts, declared[episode->declaration],
                              episode->world->values};
    uint64_t stream = r->number + ((uint64_t)r->episode << 48);
    roster_agent_free(r->agent);
    int code = roster_agent_create(&r->agent, s->agent, &problem, s->settings, s->seed, stream, err);
    if (code != ROSTER_OK)
        return code;
    if (r->episode == 0 && s->n_warm_rows > 0)
        code = roster_agent_learn_tally(r->agent, s->warm_rows, s->n_warm_rows,
                                        s->warm_discount != 0 ? s->warm_discount : 1, err);
    if (code != ROSTER_OK)
        return code;
    double xi = roster_agent_setting(r->agent, "xi");
    r->outcome.xi = r->estimates != NULL && !isnan(xi) ? xi : 0;
    return ROSTER_OK;
}

static int play_episode(run *r, roster_error *err)
{
    int code = ROSTER_OK;
    if (r->agent == NULL || r->study->restart == ROSTER_RESTART_KNOWN)
        code = meet_agent(r, err);
    if (code != ROSTER_OK)
        return code;
    bool lazy = r->observe == NULL && r->study->restart == ROSTER_RESTART_KNOWN && !roster_guard_wakes(&r->guard) &&
                roster_lazy_possible(r->agent);
    return lazy ? play_stretches(r, r->agent, err) : play_agent(r, r->agent, err);
}

/* The agent works on estimates: because it can nothing else, or because it is asked to. */
static bool on_estimates(const roster_study *s, const roster_agent_info *info)
{
    return info->empirical || (info->learns_experts && s->estimated);
}

/* Samples per expert: as given, or the theory's A. */
static int budget(const roster_study *s, const roster_agent_info *info, uint64_t *samples, roster_error *err)
{
    roster_settings set;
    *samples = s->samples;
    int code = roster_settings_resolve(&set, info, s->settings, err);
    if (code != ROSTER_OK || s->samples > 0 || !info->empirical)
        return code;
    const roster_experts *e = s->experts;
    double T = (double)longest(s), E = (double)s->n_episodes;
    roster_error_bounds known;
    roster_settings_bounds(&set, e, &known);
    double n = roster_theory_samples_per_context(e->v, T, known.xi);
    double A = roster_theory_samples_per_expert(n, known.p_X, e->x, e->n, T, E);
    if (!(A <= 0x1p62))
        return roster_fail(
            err, ROSTER_EINVAL,
            "the theory's budget of samples per expert is %g: set p_V, p_X and gamma to bring it below 4.6e18, or "
            "give a number of samples",
            A);
    *samples = (uint64_t)ceil(A);
    return ROSTER_OK;
}

/* The first samples * N rounds of the first episode, experts in turn. */
static int sample_online(run *r, roster_estimates *counts, uint64_t samples, roster_error *err)
{
    const roster_study *s = r->study;
    int code = ROSTER_OK;
    const roster_episode *episode = &s->episodes[0];
    uint64_t sure = episode->min_rounds > 0 ? episode->min_rounds : episode->rounds;
    if (samples > sure / s->experts->n)
        return roster_fail(
            err, ROSTER_EINVAL,
            "online sampling needs %.6g rounds (%zu experts, %llu samples each), but the first episode %s %llu",
            (double)samples * (double)s->experts->n, s->experts->n, (unsigned long long)samples,
            episode->min_rounds > 0 ? "may have only" : "has", (unsigned long long)sure);
    for (uint64_t i = 0; i < samples * s->experts->n && code == ROSTER_OK && !r->stopped; i++) {
        roster_event event;
        play(r, (size_t)(i % s->experts->n), &event);
        code = roster_estimates_add(counts, event.expert, event.context, event.action, 1, err);
        show(r, &event, NULL);
    }
    return code;
}

/* What the settings alone make wrong is refused before a round is played: an agent on the true experts is told so too.
   */
static int check_settings(const roster_study *s, roster_error *err)
{
    roster_agent *agent;
    roster_problem problem = {s->experts, NULL, NULL};
    int code = roster_agent_create(&agent, s->agent, &problem, s->settings, s->seed, 0, err);
    roster_agent_free(agent);
    return code;
}

static int bootstrap(run *r, const roster_agent_info *info, roster_error *err)
{
    const roster_study *s = r->study;
    roster_estimates *counts;
    uint64_t samples;
    int code = check_settings(s, err);
    if (code == ROSTER_OK)
        code = budget(s, info, &samples, err);
    if (code != ROSTER_OK)
        return code;
    code = roster_estimates_create(&counts, s->experts->n, s->experts->x, s->experts->v, NULL, err);
    if (code != ROSTER_OK)
        return code;
    if (s->sampling == ROSTER_ONLINE) {
        code = sample_online(r, counts, samples, err);
    } else {
        roster_rng rng;
        roster_rng_init(&rng, s->seed, r->number, ROSTER_ROLE_ESTIMATES);
        code = roster_estimates_draw(counts, s->experts, s->prior, samples, &rng, err);
    }
    if (code == ROSTER_OK)
        code = roster_estimates_experts(counts, &r->estimates, err);
    roster_estimates_free(counts);
    return code;
}

static int play_all(run *r, double *regret_by_episode, roster_error *err)
{
    const roster_agent_type *type;
    int code = roster_find_type(r->study->agent, r->study->experts, &type, err);
    for (size_t e = 0; e < r->study->n_episodes && code == ROSTER_OK && !r->stopped; e++) {
        double before = r->outcome.regret;
        start_episode(r, e);
        if (e == 0 && on_estimates(r->study, &type->info))
            code = bootstrap(r, &type->info, err);
        if (code == ROSTER_OK)
            code = play_episode(r, err);
        regret_by_episode[e] = r->outcome.regret - before;
    }
    return code;
}

static int simulate(run *r, roster_outcome *outcome, double *regret_by_episode, roster_error *err)
{
    const roster_study *study = r->study;
    int code = check_study(study, err);
    if (code != ROSTER_OK)
        return code;
    r->gaps = roster_alloc(study->experts->n, sizeof *r->gaps);
    double *by_episode = roster_alloc(study->n_episodes, sizeof *by_episode);
    size_t cells = study->experts->x * study->experts->v;
    r->certificate.gain = roster_alloc(cells, sizeof *r->certificate.gain);
    code = roster_guard_init(&r->guard, study, err);
    r->certificate.loss = roster_alloc(cells, sizeof *r->certificate.loss);
    bool fits =
        roster_batch_init(&r->batch, cells) == ROSTER_OK && r->certificate.gain != NULL && r->certificate.loss != NULL;
    for (size_t c = 0; fits && c < cells; c++)
        r->certificate.gain[c] = 1;
    fits &= r->gaps != NULL && by_episode != NULL;
    if (code == ROSTER_OK)
        code = fits ? play_all(r, by_episode, err) : roster_fail_memory(err);
    if (code == ROSTER_OK) {
        *outcome = r->outcome;
        for (size_t e = 0; regret_by_episode != NULL && e < study->n_episodes; e++)
            regret_by_episode[e] = by_episode[e];
    }
    roster_agent_free(r->agent);
    roster_guard_fini(&r->guard);
    free(by_episode);
    free(r->gaps);
    roster_batch_fini(&r->batch);
    free(r->certificate.gain);
    free(r->certificate.loss);
    roster_experts_free(r->estimates);
    return code;
}

int roster_simulate(const roster_study *study, uint64_t number, roster_observer observe, void *context,
                    roster_outcome *outcome, double *regret_by_episode, roster_error *err)
{
    run r = {.study = study, .number = number, .observe = observe, .context = context};
    return simulate(&r, outcome, regret_by_episode, err);
}

int roster_simulate_stretches(const roster_study *study, uint64_t number, const roster_watch *watch,
                              roster_outcome *outcome, double *regret_by_episode, roster_error *err)
{
    run r = {.study = study, .number = number, .watch = watch};
    return simulate(&r, outcome, regret_by_episode, err);
}
