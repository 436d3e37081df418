/*
 * report_page_data.c: what the page shows, as JSON for its script.
 *
 * Less than results.json (eight digits, no exact sums, of many experts only those that were played most) and more: the
 * command, the time per round, the divergences, the fits of a sweep over the number of experts.
 *
 * Paper: Section 3 (M_ij); Corollary on many experts (regret against ln N).
 * Cost: O(N^2 X V) per episode for the divergences, of up to 64 experts.
 * Departs: none.
 * Check: tests/unit/test_report.c: page_holds_the_data; tests/browser/report.mjs looks at the page.
 */
#include "report_internal.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_SHOWN = 8, MOST_DIVERGENCES = 64 };

/* The experts whose share of plays is shown, ascending; the rest is summed up. */
typedef struct shown {
    size_t n, expert[MOST_SHOWN];
} shown;

/* How often expert k was played by all agents together. */
static uint64_t plays_of(const roster_results *r, size_t k)
{
    uint64_t plays = 0;
    for (size_t i = 0; i < r->agents * r->points; i++)
        plays += r->plays[i * r->experts + k];
    return plays;
}

static void choose_shown(const roster_results *r, shown *out)
{
    uint64_t plays[MOST_SHOWN];
    out->n = 0;
    for (size_t k = 0; k < r->experts; k++) {
        uint64_t mine = plays_of(r, k);
        size_t place = out->n < MOST_SHOWN ? out->n++ : MOST_SHOWN - 1;
        if (place == MOST_SHOWN - 1 && k >= MOST_SHOWN && plays[place] >= mine)
            continue;
        for (; place > 0 && plays[place - 1] < mine; place--) {
            plays[place] = plays[place - 1];
            out->expert[place] = out->expert[place - 1];
        }
        plays[place] = mine;
        out->expert[place] = k;
    }
    for (size_t i = 1; i < out->n; i++) /* insertion sort by number */
        for (size_t j = i; j > 0 && out->expert[j - 1] > out->expert[j]; j--) {
            size_t other = out->expert[j];
            out->expert[j] = out->expert[j - 1];
            out->expert[j - 1] = other;
        }
}

/* Shares of the rounds since the point before: one array per shown expert, null where no round was played. */
static void emit_shares(common_json *e, const roster_results *r, size_t a, const shown *s)
{
    common_json_open(e, "shares", '[');
    for (size_t j = 0; j < s->n; j++) {
        common_json_open(e, NULL, '[');
        for (size_t i = 0; i < r->points; i++) {
            const uint64_t *plays = &r->plays[(a * r->points + i) * r->experts];
            uint64_t all = 0;
            for (size_t k = 0; k < r->experts; k++)
                all += plays[k];
            common_json_number(e, NULL, (double)plays[s->expert[j]] / (double)all);
        }
        common_json_close(e);
    }
    common_json_close(e);
}

static void emit_curve(common_json *e, const roster_results *r, size_t a)
{
    const roster_moments *curve = &r->curve[a * r->points];
    common_json_open(e, "mean", '[');
    for (size_t i = 0; i < r->points; i++)
        common_json_number(e, NULL, roster_moments_mean(&curve[i], r->runs));
    common_json_close(e);
    common_json_open(e, "sd", '[');
    for (size_t i = 0; i < r->points; i++)
        common_json_number(e, NULL, r->runs > 1 ? roster_moments_sd(&curve[i], r->runs) : NAN);
    common_json_close(e);
}

static void emit_moments(common_json *e, const char *key, const roster_moments *moments, uint64_t runs)
{
    common_json_open(e, key, '{');
    report_emit_summary(e, moments, runs);
    common_json_close(e);
}

static int emit_agent(common_json *e, const experiment_case *c, const roster_results *r, size_t a, const shown *s,
                      roster_error *err)
{
    int code = report_emit_agent(e, c, a, err);
    if (code != ROSTER_OK)
        return code;
    emit_moments(e, "regret", &r->total[a], r->runs);
    emit_moments(e, "difference", &r->paired[a], r->runs);
    common_json_open(e, "episodes", '[');
    for (size_t i = 0; i < r->episodes; i++)
        emit_moments(e, NULL, &r->episode[a * r->episodes + i], r->runs);
    common_json_close(e);
    common_json_number(e, "best_share", (double)r->best_rounds[a] / (double)r->rounds[a]);
    common_json_number(e, "ns_per_round",
                       r->nanoseconds[a] > 0 ? (double)r->nanoseconds[a] / (double)r->rounds[a] : NAN);
    emit_curve(e, r, a);
    emit_shares(e, r, a, s);
    common_json_close(e);
    return ROSTER_OK;
}

/* Row by row, M_ik for all k; the library gives columns. Infinite: null. */
static int emit_divergence(common_json *e, const experiment_case *c, size_t episode, roster_error *err)
{
    size_t n = roster_experts_count(c->experts);
    if (n > MOST_DIVERGENCES) {
        common_json_text(e, "divergence", NULL);
        return ROSTER_OK;
    }
    double *m = calloc(n * n, sizeof *m);
    if (m == NULL)
        return common_fail_memory(err);
    for (size_t k = 0; k < n; k++)
        roster_divergence_column(c->experts, c->probabilities[episode], false, k, &m[k * n]);
    common_json_open(e, "divergence", '[');
    for (size_t i = 0; i < n; i++) {
        common_json_open(e, NULL, '[');
        for (size_t k = 0; k < n; k++)
            common_json_number(e, NULL, m[k * n + i]);
        common_json_close(e);
    }
    common_json_close(e);
    free(m);
    return ROSTER_OK;
}

static int emit_episode(common_json *e, const experiment_case *c, size_t i, size_t contexts, roster_error *err)
{
    report_episode facts;
    int code = report_episode_facts(c, i, &facts, err);
    if (code != ROSTER_OK)
        return code;
    common_json_open_lines(e, NULL, '{');
    common_json_count(e, "start", report_episode_start(c, i));
    common_json_count(e, "rounds", c->episodes[i].rounds);
    common_json_count(e, "min_rounds", c->episodes[i].min_rounds);
    common_json_text(e, "best", roster_experts_name(c->experts, facts.best));
    common_json_number(e, "value", facts.value);
    common_json_number(e, "gap", facts.gap);
    common_json_open(e, "contexts", '[');
    for (size_t x = 0; x < contexts; x++)
        common_json_number(e, NULL, c->probabilities[i][x]);
    common_json_close(e);
    code = emit_divergence(e, c, i, err);
    common_json_close(e);
    return code;
}

static void emit_experts(common_json *e, const experiment_case *c, const shown *s)
{
    size_t n = roster_experts_count(c->experts);
    common_json_count(e, "n_experts", n);
    common_json_open(e, "experts", '['); /* names for the divergences */
    for (size_t k = 0; n <= MOST_DIVERGENCES && k < n; k++)
        common_json_text(e, NULL, roster_experts_name(c->experts, k));
    common_json_close(e);
    common_json_open(e, "shown", '[');
    for (size_t j = 0; j < s->n; j++)
        common_json_text(e, NULL, roster_experts_name(c->experts, s->expert[j]));
    common_json_close(e);
}

static int emit_case(common_json *e, const report *self, size_t i, roster_error *err)
{
    const experiment_case *c = &self->experiment->cases[i];
    const roster_results *r = self->results[i];
    shown s;
    int code = ROSTER_OK;
    choose_shown(r, &s);
    common_json_open_lines(e, NULL, '{');
    common_json_text(e, "title", c->title);
    common_json_number(e, "value", c->value);
    common_json_count(e, "runs", r->runs);
    emit_experts(e, c, &s);
    common_json_open_lines(e, "episodes", '[');
    for (size_t k = 0; k < r->episodes && code == ROSTER_OK; k++)
        code = emit_episode(e, c, k, self->experiment->n_contexts, err);
    common_json_close(e);
    common_json_open(e, "t", '[');
    for (size_t p = 0; p < r->points; p++)
        common_json_count(e, NULL, report_point(c, r, p));
    common_json_close(e);
    common_json_open_lines(e, "agents", '[');
    for (size_t a = 0; a < r->agents && code == ROSTER_OK; a++)
        code = emit_agent(e, c, r, a, &s, err);
    common_json_close(e);
    common_json_close(e);
    return code;
}

static void emit_fit(common_json *e, const char *key, const report_fit *fit)
{
    common_json_open(e, key, '{');
    common_json_number(e, "intercept", fit->intercept);
    common_json_number(e, "slope", fit->slope);
    common_json_number(e, "r2", fit->r2);
    common_json_close(e);
}

/* Fits of regret against ln N and N for each agent, where a sweep gives something to fit. */
static int emit_growth(common_json *e, const report *self, roster_error *err)
{
    int code = ROSTER_OK;
    common_json_open_lines(e, "growth", '[');
    for (size_t a = 0; a < self->experiment->n_agents && code == ROSTER_OK && report_has_growth(self); a++) {
        report_growth fit;
        code = report_grow(self, a, &fit, err);
        if (code != ROSTER_OK)
            break;
        common_json_open(e, NULL, '{');
        emit_fit(e, "logarithmic", &fit.logarithmic);
        emit_fit(e, "linear", &fit.linear);
        common_json_close(e);
    }
    common_json_close(e);
    return code;
}

static void emit_names(common_json *e, const char *key, const char *const *names, size_t n)
{
    common_json_open(e, key, '[');
    for (size_t i = 0; i < n; i++)
        common_json_text(e, NULL, names[i]);
    common_json_close(e);
}

int report_page_data(const report *self, FILE *out, roster_error *err)
{
    common_json e = {.document = true, .out = out, .digits = 8};
    const experiment *x = self->experiment;
    common_json_open_lines(&e, NULL, '{');
    common_json_text(&e, "name", x->name);
    common_json_text(&e, "description", x->description);
    common_json_text(&e, "command", self->command);
    common_json_text(&e, "version", roster_version());
    common_json_text(&e, "text", x->text);
    common_json_count(&e, "runs", x->runs);
    common_json_count(&e, "seed", x->seed);
    common_json_truth(&e, "stopped", self->stopped);
    common_json_count(&e, "shard", self->shard);
    common_json_count(&e, "shards", self->shards);
    common_json_text(&e, "sweep", x->sweep);
    emit_names(&e, "contexts", x->contexts, x->n_contexts);
    int code = emit_growth(&e, self, err);
    common_json_open_lines(&e, "cases", '[');
    for (size_t i = 0; i < x->n_cases && code == ROSTER_OK; i++)
        code = emit_case(&e, self, i, err);
    common_json_close(&e);
    common_json_close(&e);
    return code;
}
