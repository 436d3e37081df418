/*
 * report_facts.c: what is read off an experiment before anything is played: best experts, gaps, the time axis,
 * settings.
 *
 * Paper: Section 2 (values and gaps).
 *
 *   best = argmax_k mu_k, gap = min over mu_k < mu* of mu* - mu_k
 *
 * Cost: O(N) per episode; settings that are words cost what the agent needs to resolve them.
 * Departs: experts as good as the best have no gap to be told apart by, so the smallest gap is that of the next.
 * Check: the toy's values 0.74, 0.26 and gap 0.48 (tests/unit/test_report.c: json_says_what_the_toy_is).
 */
#include "report_internal.h"
#include "zero_gap.h"

#include <stdlib.h>

/* The values of an episode's experts, to be freed; NULL: out of memory. */
static double *values_of(const experiment_case *c, size_t e)
{
    double *mu = calloc(roster_experts_count(c->experts), sizeof *mu);
    if (mu != NULL)
        roster_world_values(c->episodes[e].world, mu);
    return mu;
}

int report_episode_facts(const experiment_case *c, size_t e, report_episode *out, roster_error *err)
{
    size_t n = roster_experts_count(c->experts);
    double *mu = values_of(c, e);
    if (mu == NULL)
        return common_fail_memory(err);
    *out = (report_episode){0, mu[0], 0};
    for (size_t k = 1; k < n; k++)
        if (mu[k] > out->value)
            *out = (report_episode){k, mu[k], 0};
    for (size_t k = 0; k < n; k++) {
        double gap = out->value - mu[k];
        if (gap > COMMON_ZERO_GAP && (out->gap == 0 || gap < out->gap))
            out->gap = gap;
    }
    free(mu);
    return ROSTER_OK;
}

uint64_t report_episode_start(const experiment_case *c, size_t e)
{
    uint64_t start = 0;
    for (size_t i = 0; i < e; i++)
        start += c->episodes[i].rounds;
    return start;
}

uint64_t report_point(const experiment_case *c, const roster_results *results, size_t i)
{
    return report_episode_start(c, (size_t)results->point_episode[i]) + results->point_round[i];
}

static void emit_setting(common_json *self, const roster_param *param, double value)
{
    bool only_words = param->low > param->high && param->words != NULL;
    if (only_words && value >= 0)
        common_json_text(self, param->name, param->words[(size_t)value]);
    else
        common_json_number(self, param->name, value);
}

int report_emit_agent(common_json *self, const experiment_case *c, size_t a, roster_error *err)
{
    const roster_study *study = &c->studies[a];
    roster_agent *agent;
    double *mu = values_of(c, 0);
    if (mu == NULL)
        return common_fail_memory(err);
    roster_problem problem = {c->experts, c->probabilities[0], mu};
    int code = roster_agent_create(&agent, study->agent, &problem, study->settings, study->seed, 0, err);
    free(mu);
    if (code != ROSTER_OK)
        return code;
    common_json_open_lines(self, NULL, '{');
    common_json_text(self, "label", c->agents[a].label);
    common_json_text(self, "agent", c->agents[a].name);
    common_json_open(self, "settings", '{');
    for (const roster_param *const *p = roster_agent_about(agent)->params; *p != NULL; p++)
        emit_setting(self, *p, roster_agent_setting(agent, (*p)->name));
    common_json_close(self);
    roster_agent_free(agent);
    return ROSTER_OK;
}
