/*
 * json.c: results.json, everything a study came to that does not depend on the machine.
 *
 * A regret is {mean, sd, low, high, sum, squares}: the 95% interval, and the exact sums over runs from which the rest
 * follows, 128-bit two's complement integers of 2^-40 as 32 hexadecimal digits. Parts of a study are merged by
 * adding these, so the file of the whole and that of merged parts have the same bytes; hence no times and no command.
 * What cannot be said (an interval from one run) is null. read.c reads it back.
 *
 * Paper: none.
 * Cost: a few hundred points for each agent; of each point one number per expert.
 * Check: tests/unit/test_report.c: halves_give_the_bytes_of_the_whole.
 */
#include "report_inside.h"

#include <inttypes.h>
#include <math.h>

static void emit_sum(emit *e, const char *key, roster_sum sum)
{
    emit_key(e, key);
    fprintf(e->out, "\"%016" PRIx64 "%016" PRIx64 "\"", (uint64_t)sum.hi, sum.lo);
}

static void emit_regret(emit *e, const char *key, const roster_moments *moments, uint64_t runs)
{
    emit_open(e, key, '{', false);
    emit_summary(e, moments, runs);
    emit_sum(e, "sum", moments->sum);
    emit_sum(e, "squares", moments->squares);
    emit_close(e);
}

static int emit_episode(emit *e, const experiment_case *c, size_t i, size_t contexts, roster_error *err)
{
    report_episode facts;
    int code = report_episode_facts(c, i, &facts, err);
    if (code != ROSTER_OK)
        return code;
    emit_open(e, NULL, '{', false);
    emit_count(e, "rounds", c->episodes[i].rounds);
    emit_count(e, "min_rounds", c->episodes[i].min_rounds);
    emit_count(e, "best_expert", facts.best);
    emit_text(e, "best_expert_name", roster_experts_name(c->experts, facts.best));
    emit_real(e, "best_value", facts.value);
    emit_real(e, "smallest_gap", facts.gap);
    emit_open(e, "context_probabilities", '[', false);
    for (size_t x = 0; x < contexts; x++)
        emit_real(e, NULL, c->probabilities[i][x]);
    emit_close(e);
    emit_close(e);
    return ROSTER_OK;
}

static void emit_points(emit *e, const experiment_case *c, const roster_results *r)
{
    emit_open(e, "points", '{', true);
    emit_open(e, "episode", '[', false);
    for (size_t i = 0; i < r->points; i++)
        emit_count(e, NULL, r->point_episode[i]);
    emit_close(e);
    emit_open(e, "round", '[', false);
    for (size_t i = 0; i < r->points; i++)
        emit_count(e, NULL, r->point_round[i]);
    emit_close(e);
    emit_open(e, "t", '[', false);
    for (size_t i = 0; i < r->points; i++)
        emit_count(e, NULL, report_point(c, r, i));
    emit_close(e);
    emit_close(e);
}

static void emit_plays(emit *e, const roster_results *r, size_t a)
{
    emit_open(e, "plays", '[', true);
    for (size_t i = 0; i < r->points; i++) {
        emit_open(e, NULL, '[', false);
        for (size_t k = 0; k < r->experts; k++)
            emit_count(e, NULL, r->plays[(a * r->points + i) * r->experts + k]);
        emit_close(e);
    }
    emit_close(e);
}

/* The curve in columns, one number per point. */
static void emit_curve(emit *e, const roster_results *r, size_t a)
{
    const roster_moments *curve = &r->curve[a * r->points];
    emit_open(e, "curve", '{', true);
    emit_open(e, "mean", '[', false);
    for (size_t i = 0; i < r->points; i++)
        emit_real(e, NULL, roster_moments_mean(&curve[i], r->runs)); /* 0/0 without runs: null */
    emit_close(e);
    emit_open(e, "sd", '[', false);
    for (size_t i = 0; i < r->points; i++)
        emit_real(e, NULL, r->runs > 1 ? roster_moments_sd(&curve[i], r->runs) : NAN);
    emit_close(e);
    emit_open(e, "sum", '[', false);
    for (size_t i = 0; i < r->points; i++)
        emit_sum(e, NULL, curve[i].sum);
    emit_close(e);
    emit_open(e, "squares", '[', false);
    for (size_t i = 0; i < r->points; i++)
        emit_sum(e, NULL, curve[i].squares);
    emit_close(e);
    emit_plays(e, r, a);
    emit_close(e);
}

static int emit_agent(emit *e, const experiment_case *c, const roster_results *r, size_t a, roster_error *err)
{
    emit_open(e, NULL, '{', true);
    emit_text(e, "label", c->agents[a].label);
    emit_text(e, "agent", c->agents[a].name);
    int code = emit_settings(e, "settings", c, a, err);
    if (code != ROSTER_OK)
        return code;
    emit_regret(e, "regret", &r->total[a], r->runs);
    emit_regret(e, "difference_to_first", &r->paired[a], r->runs);
    emit_open(e, "regret_by_episode", '[', true);
    for (size_t i = 0; i < r->episodes; i++)
        emit_regret(e, NULL, &r->episode[a * r->episodes + i], r->runs);
    emit_close(e);
    emit_count(e, "rounds", r->rounds[a]);
    emit_count(e, "best_rounds", r->best_rounds[a]);
    emit_real(e, "best_share", (double)r->best_rounds[a] / (double)r->rounds[a]);
    emit_curve(e, r, a);
    emit_close(e);
    return ROSTER_OK;
}

static int emit_case(emit *e, const report *self, size_t i, roster_error *err)
{
    const experiment_case *c = &self->experiment->cases[i];
    const roster_results *r = self->results[i];
    int code = ROSTER_OK;
    emit_open(e, NULL, '{', true);
    emit_text(e, "title", c->title);
    emit_real(e, "value", self->experiment->sweep != NULL ? c->value : NAN);
    emit_count(e, "runs", r->runs);
    emit_count(e, "experts", r->experts);
    emit_open(e, "episodes", '[', true);
    for (size_t k = 0; k < r->episodes && code == ROSTER_OK; k++)
        code = emit_episode(e, c, k, self->experiment->n_contexts, err);
    emit_close(e);
    emit_points(e, c, r);
    emit_open(e, "agents", '[', true);
    for (size_t a = 0; a < r->agents && code == ROSTER_OK; a++)
        code = emit_agent(e, c, r, a, err);
    emit_close(e);
    emit_close(e);
    return code;
}

/* The file's text on one line: it is JSON, and what is read back has the same text. */
static void emit_experiment(emit *e, const experiment *x)
{
    emit_key(e, "experiment");
    fputs(x->text, e->out);
}

/* What the command line set in place of the file; 0 and null: nothing. */
static void emit_changes(emit *e, const experiment_changes *changes)
{
    emit_open(e, "changes", '{', false);
    emit_count(e, "runs", changes->runs);
    emit_count(e, "rounds", changes->rounds);
    if (changes->seed != NULL)
        emit_count(e, "seed", *changes->seed);
    else
        emit_text(e, "seed", NULL);
    emit_text(e, "agents", changes->agents);
    emit_close(e);
}

int report_json(const report *self, FILE *out, roster_error *err)
{
    emit e = {.out = out, .digits = 17};
    const experiment *x = self->experiment;
    int code = ROSTER_OK;
    emit_open(&e, NULL, '{', true);
    emit_text(&e, "format", "roster results 1");
    emit_text(&e, "version", roster_version());
    emit_text(&e, "name", x->name);
    emit_experiment(&e, x);
    emit_changes(&e, &x->changes);
    emit_count(&e, "runs", x->runs);
    emit_count(&e, "seed", x->seed);
    emit_bool(&e, "stopped", self->stopped);
    emit_open(&e, "shard", '{', false);
    emit_count(&e, "index", self->shard);
    emit_count(&e, "count", self->shards);
    emit_close(&e);
    emit_text(&e, "sweep", x->sweep);
    emit_open(&e, "cases", '[', true);
    for (size_t i = 0; i < x->n_cases && code == ROSTER_OK; i++)
        code = emit_case(&e, self, i, err);
    emit_close(&e);
    emit_close(&e);
    fputc('\n', out);
    return code;
}
