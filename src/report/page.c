/*
 * page.c: what the page shows, as JSON for its script.
 *
 * Less than results.json (six digits, no exact sums, of many experts only those that were played most) and more: the
 * command, the time per round, the divergences, the fits of a sweep over the number of experts.
 *
 * Paper: Section 3 (M_ij); Corollary on many experts (regret against ln N).
 * Cost: O(N^2 X V) per episode for the divergences, of up to 64 experts.
 * Departs: none.
 * Check: tests/unit/test_report.c: page_holds_the_data; tests/browser/report.mjs looks at the page.
 */
#include "report_inside.h"

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
static void emit_shares(emit *e, const roster_results *r, size_t a, const shown *s)
{
    emit_open(e, "shares", '[', false);
    for (size_t j = 0; j < s->n; j++) {
        emit_open(e, NULL, '[', false);
        for (size_t i = 0; i < r->points; i++) {
            const uint64_t *plays = &r->plays[(a * r->points + i) * r->experts];
            uint64_t all = 0;
            for (size_t k = 0; k < r->experts; k++)
                all += plays[k];
            emit_real(e, NULL, (double)plays[s->expert[j]] / (double)all);
        }
        emit_close(e);
    }
    emit_close(e);
}

static void emit_curve(emit *e, const roster_results *r, size_t a)
{
    const roster_moments *curve = &r->curve[a * r->points];
    emit_open(e, "mean", '[', false);
    for (size_t i = 0; i < r->points; i++)
        emit_real(e, NULL, roster_moments_mean(&curve[i], r->runs));
    emit_close(e);
    emit_open(e, "sd", '[', false);
    for (size_t i = 0; i < r->points; i++)
        emit_real(e, NULL, r->runs > 1 ? roster_moments_sd(&curve[i], r->runs) : NAN);
    emit_close(e);
}

static void emit_moments(emit *e, const char *key, const roster_moments *moments, uint64_t runs)
{
    emit_open(e, key, '{', false);
    emit_summary(e, moments, runs);
    emit_close(e);
}

static int emit_agent(emit *e, const experiment_case *c, const roster_results *r, size_t a, const shown *s,
                      roster_error *err)
{
    emit_open(e, NULL, '{', true);
    emit_text(e, "label", c->agents[a].label);
    emit_text(e, "agent", c->agents[a].name);
    int code = emit_settings(e, "settings", c, a, err);
    if (code != ROSTER_OK)
        return code;
    emit_moments(e, "regret", &r->total[a], r->runs);
    emit_moments(e, "difference", &r->paired[a], r->runs);
    emit_open(e, "episodes", '[', false);
    for (size_t i = 0; i < r->episodes; i++)
        emit_moments(e, NULL, &r->episode[a * r->episodes + i], r->runs);
    emit_close(e);
    emit_real(e, "best_share", (double)r->best_rounds[a] / (double)r->rounds[a]);
    emit_real(e, "ns_per_round", r->nanoseconds[a] > 0 ? (double)r->nanoseconds[a] / (double)r->rounds[a] : NAN);
    emit_curve(e, r, a);
    emit_shares(e, r, a, s);
    emit_close(e);
    return ROSTER_OK;
}

/* Row by row, M_ik for all k; the library gives columns. Infinite: null. */
static int emit_divergence(emit *e, const experiment_case *c, size_t episode, roster_error *err)
{
    size_t n = roster_experts_count(c->experts);
    if (n > MOST_DIVERGENCES) {
        emit_text(e, "divergence", NULL);
        return ROSTER_OK;
    }
    double *m = calloc(n * n, sizeof *m);
    if (m == NULL)
        return report_fail_memory(err);
    for (size_t k = 0; k < n; k++)
        roster_divergence_column(c->experts, c->probabilities[episode], false, k, &m[k * n]);
    emit_open(e, "divergence", '[', false);
    for (size_t i = 0; i < n; i++) {
        emit_open(e, NULL, '[', false);
        for (size_t k = 0; k < n; k++)
            emit_real(e, NULL, m[k * n + i]);
        emit_close(e);
    }
    emit_close(e);
    free(m);
    return ROSTER_OK;
}

static int emit_episode(emit *e, const experiment_case *c, size_t i, size_t contexts, roster_error *err)
{
    report_episode facts;
    int code = report_episode_facts(c, i, &facts, err);
    if (code != ROSTER_OK)
        return code;
    emit_open(e, NULL, '{', true);
    emit_count(e, "start", report_episode_start(c, i));
    emit_count(e, "rounds", c->episodes[i].rounds);
    emit_count(e, "min_rounds", c->episodes[i].min_rounds);
    emit_text(e, "best", roster_experts_name(c->experts, facts.best));
    emit_real(e, "value", facts.value);
    emit_real(e, "gap", facts.gap);
    emit_open(e, "contexts", '[', false);
    for (size_t x = 0; x < contexts; x++)
        emit_real(e, NULL, c->probabilities[i][x]);
    emit_close(e);
    code = emit_divergence(e, c, i, err);
    emit_close(e);
    return code;
}

static void emit_experts(emit *e, const experiment_case *c, const shown *s)
{
    size_t n = roster_experts_count(c->experts);
    emit_count(e, "n_experts", n);
    emit_open(e, "experts", '[', false); /* names for the divergences */
    for (size_t k = 0; n <= MOST_DIVERGENCES && k < n; k++)
        emit_text(e, NULL, roster_experts_name(c->experts, k));
    emit_close(e);
    emit_open(e, "shown", '[', false);
    for (size_t j = 0; j < s->n; j++)
        emit_text(e, NULL, roster_experts_name(c->experts, s->expert[j]));
    emit_close(e);
}

static int emit_case(emit *e, const report *self, size_t i, roster_error *err)
{
    const experiment_case *c = &self->experiment->cases[i];
    const roster_results *r = self->results[i];
    shown s;
    int code = ROSTER_OK;
    choose_shown(r, &s);
    emit_open(e, NULL, '{', true);
    emit_text(e, "title", c->title);
    emit_real(e, "value", c->value);
    emit_count(e, "runs", r->runs);
    emit_experts(e, c, &s);
    emit_open(e, "episodes", '[', true);
    for (size_t k = 0; k < r->episodes && code == ROSTER_OK; k++)
        code = emit_episode(e, c, k, self->experiment->n_contexts, err);
    emit_close(e);
    emit_open(e, "t", '[', false);
    for (size_t p = 0; p < r->points; p++)
        emit_count(e, NULL, report_point(c, r, p));
    emit_close(e);
    emit_open(e, "agents", '[', true);
    for (size_t a = 0; a < r->agents && code == ROSTER_OK; a++)
        code = emit_agent(e, c, r, a, &s, err);
    emit_close(e);
    emit_close(e);
    return code;
}

static void emit_fit(emit *e, const char *key, const report_fit *fit)
{
    emit_open(e, key, '{', false);
    emit_real(e, "intercept", fit->intercept);
    emit_real(e, "slope", fit->slope);
    emit_real(e, "r2", fit->r2);
    emit_close(e);
}

/* Fits of regret against ln N and N for each agent, where a sweep gives something to fit. */
static int emit_growth(emit *e, const report *self, roster_error *err)
{
    int code = ROSTER_OK;
    emit_open(e, "growth", '[', true);
    for (size_t a = 0; a < self->experiment->n_agents && code == ROSTER_OK && report_has_growth(self); a++) {
        report_growth fit;
        code = report_grow(self, a, &fit, err);
        if (code != ROSTER_OK)
            break;
        emit_open(e, NULL, '{', false);
        emit_fit(e, "logarithmic", &fit.logarithmic);
        emit_fit(e, "linear", &fit.linear);
        emit_close(e);
    }
    emit_close(e);
    return code;
}

static void emit_names(emit *e, const char *key, const char *const *names, size_t n)
{
    emit_open(e, key, '[', false);
    for (size_t i = 0; i < n; i++)
        emit_text(e, NULL, names[i]);
    emit_close(e);
}

int report_page_data(const report *self, FILE *out, roster_error *err)
{
    emit e = {.out = out, .digits = 6};
    const experiment *x = self->experiment;
    emit_open(&e, NULL, '{', true);
    emit_text(&e, "name", x->name);
    emit_text(&e, "description", x->description);
    emit_text(&e, "command", self->command);
    emit_text(&e, "version", roster_version());
    emit_text(&e, "text", x->text);
    emit_count(&e, "runs", x->runs);
    emit_count(&e, "seed", x->seed);
    emit_bool(&e, "stopped", self->stopped);
    emit_count(&e, "shard", self->shard);
    emit_count(&e, "shards", self->shards);
    emit_text(&e, "sweep", x->sweep);
    emit_names(&e, "contexts", x->contexts, x->n_contexts);
    int code = emit_growth(&e, self, err);
    emit_open(&e, "cases", '[', true);
    for (size_t i = 0; i < x->n_cases && code == ROSTER_OK; i++)
        code = emit_case(&e, self, i, err);
    emit_close(&e);
    emit_close(&e);
    return code;
}
