/*
 * explain_theory.c: what the paper's theorems say of every agent of a file.
 *
 *   tau_1, tau_k and the bound on the regret with the theorem's C, or with the agent's where that is as large: for a
 *   smaller one, such as 0.02, nothing is proven, and nothing is said
 *   known = max over experts with a gap of tau_k: from there on the best is told apart from all others
 *   ucb (Lattimore, Szepesvari: Bandit Algorithms, Theorem 8.1; rewards in [0, 1] are 1/2-subgaussian): sum over k of
 *       D_k inf over eps in (0, 1) of 1 + (5/eps^2 + 2 (ln f + sqrt(pi ln f) + 1)/(1 - eps)^2) / (4 D_k^2),
 *       f = 1 + T ln^2 T
 *   samples to learn the experts: n and A for xi as in the file, as printed in the paper, and as its proof needs
 *
 * The maximum is needed because tau_k is not monotone in D_k: its logarithm vanishes at D_k = 6C.
 *
 * An agent on estimates is looked at as if the estimates were the true experts, since they do not exist yet: its M and
 * clip are then those of the true experts with the error xi. Lite agents have a bound, but no times of their own; the
 * paper bounds ed-ucb-lite nowhere. Where no agent is d-ucb, it is added with its default settings, as the measure.
 *
 * Cost: for every agent and episode N^2 X V, for the largest divergence.
 * Check: ucb's bound for T = 3000 and one gap of 0.08 is 412.9 (tests/cli/explain.t).
 */
#include "explain_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* An agent to be looked at. */
typedef struct candidate {
    const char *label, *name, *theorem;
    const roster_setting *settings;
    bool in_file, empirical, lite;
    double beta;
} candidate;

static const roster_agent_info *find_info(const char *name)
{
    size_t i = 0;
    while (roster_agent_info_at(i) != NULL && strcmp(roster_agent_info_at(i)->name, name) != 0)
        i++;
    return roster_agent_info_at(i);
}

static bool takes(const roster_agent_info *info, const char *param)
{
    for (size_t i = 0; info != NULL && info->params[i] != NULL; i++)
        if (strcmp(info->params[i]->name, param) == 0)
            return true;
    return false;
}

/* Whether a theorem bounds the agent, and which. */
static bool make_candidate(candidate *self, const char *label, const char *name, const roster_setting *settings)
{
    const roster_agent_info *info = find_info(name);
    *self = (candidate){.label = label, .name = name, .settings = settings, .in_file = true};
    self->empirical = info != NULL && info->empirical;
    self->lite = takes(info, "beta");
    self->theorem = self->lite ? "Lite lemma" : self->empirical ? "Theorem 3" : "Theorem 2";
    return takes(info, "C") && !(self->lite && self->empirical);
}

static double theory_C(const candidate *named, const roster_constants *c)
{
    return named->empirical ? roster_theory_C_empirical(c->M, c->gamma, c->p_V) : roster_theory_C(c->M, c->gamma);
}

static int find_bound(const explanation *self, const explain_episode *episode, const candidate *named,
                      const roster_constants *c, double *bound, roster_error *err)
{
    *bound = INFINITY;
    if (!isfinite(c->C)) /* an expert of value 0: the theorem's C does not exist */
        return ROSTER_OK;
    if (named->lite)
        return roster_theory_regret_lite(c, episode->gaps, self->n, named->beta, (double)episode->rounds, bound, err);
    if (named->empirical)
        return roster_theory_regret_empirical(c, episode->gaps, self->n, bound, err);
    return roster_theory_regret(c, episode->gaps, self->n, bound, err);
}

static double find_tau(const candidate *named, const roster_constants *c, double gap)
{
    if (gap <= COMMON_ZERO_GAP)
        return NAN;
    if (!isfinite(c->C))
        return INFINITY;
    return named->empirical ? roster_theory_tau_empirical(c, gap) : roster_theory_tau(c, gap);
}

static int find_times(const explanation *self, const explain_episode *episode, const candidate *named,
                      const roster_constants *c, explain_times *times, roster_error *err)
{
    times->C = c->C;
    times->tau_1 = times->known = NAN;
    int code = find_bound(self, episode, named, c, &times->regret, err);
    if (code != ROSTER_OK || named->lite)
        return code;
    times->tau = calloc(self->n, sizeof *times->tau);
    if (times->tau == NULL)
        return common_fail_memory(err);
    times->tau_1 = !isfinite(c->C)    ? INFINITY
                   : named->empirical ? roster_theory_tau_1_empirical(c)
                                      : roster_theory_tau_1(c);
    for (size_t k = 0; k < self->n; k++) {
        times->tau[k] = find_tau(named, c, episode->gaps[k]);
        times->known = fmax(times->known, times->tau[k]); /* of NAN and a number fmax takes the number */
    }
    return ROSTER_OK;
}

static int refuse(const candidate *named, size_t e, roster_error *err)
{
    char cause[sizeof err->msg];
    memcpy(cause, err->msg, sizeof cause);
    return common_fail(err, err->code, "episodes[%zu], agent '%.60s': %.380s", e, named->label, cause);
}

static int add_bound(explanation *self, size_t e, const candidate *given, roster_error *err)
{
    explain_episode *episode = &self->episodes[e];
    explain_bound *bound = &episode->bounds[episode->n_bounds++];
    candidate named = *given;
    roster_problem problem = {self->chosen->experts, episode->p, episode->values};
    roster_agent *agent;
    *bound = (explain_bound){
        .label = named.label, .theorem = named.theorem, .in_file = named.in_file, .empirical = named.empirical};
    int code = roster_agent_create(&agent, named.name, &problem, named.settings, 0, 0, err);
    if (code != ROSTER_OK)
        return refuse(&named, e, err);
    named.beta = roster_agent_setting(agent, "beta");
    code = roster_agent_constants(agent, &bound->constants, err);
    roster_agent_free(agent);
    roster_constants theory = bound->constants;
    theory.C = theory_C(&named, &theory);
    bound->applies = bound->constants.C >= theory.C * (1 - 1e-9);
    if (code == ROSTER_OK)
        code = find_times(self, episode, &named, bound->applies ? &bound->constants : &theory, &bound->times, err);
    return code;
}

/* Plays of an expert with the gap D, for one epsilon of the theorem in units of the gap. */
static double ucb_plays(double D, double share, double T)
{
    double l = log(T), f = log(1 + T * l * l), off = 1 - share;
    return 1 + (5 / (share * share) + 2 * (f + sqrt(PI * f) + 1) / (off * off)) / (4 * D * D);
}

/* The theorem holds for every epsilon: the best of some. */
static double ucb_bound(const explain_episode *episode, size_t n)
{
    double T = (double)episode->rounds, sum = 0;
    for (size_t k = 0; k < n; k++) {
        double least = INFINITY;
        for (double share = 0.02; share < 1 && episode->gaps[k] > COMMON_ZERO_GAP; share += 0.02)
            least = fmin(least, ucb_plays(episode->gaps[k], share, T));
        sum += least < INFINITY ? episode->gaps[k] * least : 0;
    }
    return sum;
}

static int add_bounds(explanation *self, size_t e, roster_error *err)
{
    static const roster_setting shared[] = {{"support", 0, "shared"}, {NULL, 0, NULL}};
    explain_episode *episode = &self->episodes[e];
    bool measured = false;
    int code = ROSTER_OK;
    episode->ucb = ucb_bound(episode, self->n);
    episode->bounds = calloc(self->file->n_agents + 1, sizeof *episode->bounds);
    if (episode->bounds == NULL)
        return common_fail_memory(err);
    for (size_t i = 0; i < self->file->n_agents && code == ROSTER_OK; i++) {
        const experiment_agent *agent = &self->chosen->agents[i];
        candidate named;
        if (make_candidate(&named, agent->label, agent->name, agent->settings))
            code = add_bound(self, e, &named, err);
        measured |= strcmp(agent->name, "d-ucb") == 0;
    }
    if (code == ROSTER_OK && !measured) {
        candidate named;
        make_candidate(&named, "d-ucb", "d-ucb", self->shared || self->floor == 0 ? shared : NULL);
        named.in_file = false;
        code = add_bound(self, e, &named, err);
    }
    return code;
}

static explain_samples samples_for(const explanation *self, double xi, double p_X)
{
    double T = 0, E = (double)self->chosen->n_episodes;
    for (size_t e = 0; e < self->chosen->n_episodes; e++)
        T = fmax(T, (double)self->episodes[e].rounds);
    double n = roster_theory_samples_per_context(self->v, T, xi);
    return (explain_samples){xi, n, roster_theory_samples_per_expert(n, p_X, self->x, self->n, T, E)};
}

/* What the agent takes its settings to be; gamma, where it has none, from the values of the first episode. */
static int add_learning(explanation *self, const experiment_agent *given, roster_error *err)
{
    explain_learning *learning = &self->learning[self->n_learning++];
    roster_problem problem = {self->chosen->experts, self->episodes[0].p, self->episodes[0].values};
    roster_constants c;
    roster_agent *agent;
    int code = roster_agent_create(&agent, given->name, &problem, given->settings, 0, 0, err);
    if (code == ROSTER_OK)
        code = roster_agent_constants(agent, &c, err);
    if (code == ROSTER_OK) {
        *learning = (explain_learning){.agent = given, .p_V = c.p_V, .gamma = c.gamma};
        learning->p_X = roster_agent_setting(agent, "p_X");
        learning->file = samples_for(self, roster_agent_setting(agent, "xi"), learning->p_X);
        learning->theory = samples_for(self, roster_theory_xi(c.p_V, c.gamma, false), learning->p_X);
        learning->tight = samples_for(self, roster_theory_xi(c.p_V, c.gamma, true), learning->p_X);
    }
    roster_agent_free(agent);
    return code;
}

int explain_theory(explanation *self, roster_error *err)
{
    int code = ROSTER_OK;
    self->learning = calloc(self->file->n_agents + 1, sizeof *self->learning);
    if (self->learning == NULL)
        return common_fail_memory(err);
    for (size_t e = 0; e < self->chosen->n_episodes && code == ROSTER_OK; e++)
        code = add_bounds(self, e, err);
    for (size_t i = 0; i < self->file->n_agents && code == ROSTER_OK; i++) {
        const roster_agent_info *info = find_info(self->chosen->agents[i].name);
        if (info != NULL && info->empirical)
            code = add_learning(self, &self->chosen->agents[i], err);
    }
    return code;
}
