/*
 * report_json.c: results.json, everything a study came to that does not depend on the machine.
 *
 * A regret is {mean, sd, low, high, sum, squares}: the 95% interval, and the exact sums over runs from which the rest
 * follows, 128-bit two's complement integers of 2^-40 as 32 hexadecimal digits. Parts of a study are merged by
 * adding these, so the file of the whole and that of merged parts have the same bytes; hence no times and no command.
 * What cannot be said (an interval from one run) is null. read.c reads it back.
 *
 * Paper: none.
 * Cost: a few hundred points for each agent; of each point one number per expert.
 * Check: tests/unit/test_report_read.c: halves_give_the_bytes_of_the_whole.
 */
#include "report_internal.h"

#include <inttypes.h>
#include <math.h>

static void emit_sum(common_json *e, const char *key, roster_sum sum)
{
    common_json_key(e, key);
    fprintf(e->out, "\"%016" PRIx64 "%016" PRIx64 "\"", (uint64_t)sum.hi, sum.lo);
}

static void emit_regret(common_json *e, const char *key, const roster_moments *moments, uint64_t runs)
{
    common_json_open(e, key, '{');
    report_emit_summary(e, moments, runs);
    emit_sum(e, "sum", moments->sum);
    emit_sum(e, "squares", moments->squares);
    common_json_close(e);
}

static int emit_episode(common_json *e, const experiment_case *c, size_t i, size_t contexts, roster_error *err)
{
    report_episode facts;
    int code = report_episode_facts(c, i, &facts, err);
    if (code != ROSTER_OK)
        return code;
    common_json_open(e, NULL, '{');
    common_json_count(e, "rounds", c->episodes[i].rounds);
    common_json_count(e, "min_rounds", c->episodes[i].min_rounds);
    common_json_count(e, "best_expert", facts.best);
    common_json_text(e, "best_expert_name", roster_experts_name(c->experts, facts.best));
    common_json_number(e, "best_value", facts.value);
    common_json_number(e, "smallest_gap", facts.gap);
    common_json_open(e, "context_probabilities", '[');
    for (size_t x = 0; x < contexts; x++)
        common_json_number(e, NULL, c->probabilities[i][x]);
    common_json_close(e);
    common_json_close(e);
    return ROSTER_OK;
}

static void emit_points(common_json *e, const experiment_case *c, const roster_results *r)
{
    common_json_open_lines(e, "points", '{');
    common_json_open(e, "episode", '[');
    for (size_t i = 0; i < r->points; i++)
        common_json_count(e, NULL, r->point_episode[i]);
    common_json_close(e);
    common_json_open(e, "round", '[');
    for (size_t i = 0; i < r->points; i++)
        common_json_count(e, NULL, r->point_round[i]);
    common_json_close(e);
    common_json_open(e, "t", '[');
    for (size_t i = 0; i < r->points; i++)
        common_json_count(e, NULL, report_point(c, r, i));
    common_json_close(e);
    common_json_close(e);
}

static void emit_plays(common_json *e, const roster_results *r, size_t a)
{
    common_json_open_lines(e, "plays", '[');
    for (size_t i = 0; i < r->points; i++) {
        common_json_open(e, NULL, '[');
        for (size_t k = 0; k < r->experts; k++)
            common_json_count(e, NULL, r->plays[(a * r->points + i) * r->experts + k]);
        common_json_close(e);
    }
    common_json_close(e);
}

/* The curve in columns, one number per point. */
static void emit_curve(common_json *e, const roster_results *r, size_t a)
{
    const roster_moments *curve = &r->curve[a * r->points];
    common_json_open_lines(e, "curve", '{');
    common_json_open(e, "mean", '[');
    for (size_t i = 0; i < r->points; i++)
        common_json_number(e, NULL, roster_moments_mean(&curve[i], r->runs)); /* 0/0 without runs: null */
    common_json_close(e);
    common_json_open(e, "sd", '[');
    for (size_t i = 0; i < r->points; i++)
        common_json_number(e, NULL, r->runs > 1 ? roster_moments_sd(&curve[i], r->runs) : NAN);
    common_json_close(e);
    common_json_open(e, "sum", '[');
    for (size_t i = 0; i < r->points; i++)
        emit_sum(e, NULL, curve[i].sum);
    common_json_close(e);
    common_json_open(e, "squares", '[');
    for (size_t i = 0; i < r->points; i++)
        emit_sum(e, NULL, curve[i].squares);
    common_json_close(e);
    emit_plays(e, r, a);
    common_json_close(e);
}

/* One kind of alarm: how many, how many of them false, and of the others the delay, in all and in the mean. */
static void emit_alarms(common_json *e, const char *key, const roster_alarm_counts *counts)
{
    uint64_t right = counts->raised - counts->wrong;
    common_json_open(e, key, '{');
    common_json_count(e, "raised", counts->raised);
    common_json_count(e, "false", counts->wrong);
    common_json_count(e, "delay", counts->delay);
    common_json_number(e, "mean_delay", (double)counts->delay / (double)right);
    common_json_close(e);
}

/* Only where the experiment asks for them. */
static void emit_guard(common_json *e, const roster_study *study, const roster_results *r, size_t a)
{
    if (study->restart == ROSTER_RESTART_ALARM) {
        common_json_open(e, "alarms", '{');
        emit_alarms(e, "contexts", &r->contexts[a]);
        emit_alarms(e, "rewards", &r->rewards[a]);
        common_json_close(e);
    }
    if (study->model_test)
        common_json_count(e, "rejected", r->rejected[a]);
}

static int emit_agent(common_json *e, const experiment_case *c, const roster_results *r, size_t a, roster_error *err)
{
    int code = report_emit_agent(e, c, a, err);
    if (code != ROSTER_OK)
        return code;
    emit_regret(e, "regret", &r->total[a], r->runs);
    emit_regret(e, "difference_to_first", &r->paired[a], r->runs);
    common_json_open_lines(e, "regret_by_episode", '[');
    for (size_t i = 0; i < r->episodes; i++)
        emit_regret(e, NULL, &r->episode[a * r->episodes + i], r->runs);
    common_json_close(e);
    common_json_count(e, "rounds", r->rounds[a]);
    common_json_count(e, "best_rounds", r->best_rounds[a]);
    common_json_number(e, "best_share", (double)r->best_rounds[a] / (double)r->rounds[a]);
    emit_guard(e, &c->studies[a], r, a);
    emit_curve(e, r, a);
    common_json_close(e);
    return ROSTER_OK;
}

static int emit_case(common_json *e, const report *self, size_t i, roster_error *err)
{
    const experiment_case *c = &self->experiment->cases[i];
    const roster_results *r = self->results[i];
    int code = ROSTER_OK;
    common_json_open_lines(e, NULL, '{');
    common_json_text(e, "title", c->title);
    common_json_number(e, "value", self->experiment->sweep != NULL ? c->value : NAN);
    common_json_count(e, "runs", r->runs);
    common_json_count(e, "experts", r->experts);
    common_json_open_lines(e, "episodes", '[');
    for (size_t k = 0; k < r->episodes && code == ROSTER_OK; k++)
        code = emit_episode(e, c, k, self->experiment->n_contexts, err);
    common_json_close(e);
    emit_points(e, c, r);
    common_json_open_lines(e, "agents", '[');
    for (size_t a = 0; a < r->agents && code == ROSTER_OK; a++)
        code = emit_agent(e, c, r, a, err);
    common_json_close(e);
    common_json_close(e);
    return code;
}

/* The file's text on one line: it is JSON, and what is read back has the same text. */
static void emit_experiment(common_json *e, const experiment *x)
{
    common_json_key(e, "experiment");
    fputs(x->text, e->out);
}

/* What the command line set in place of the file; 0 and null: nothing. */
static void emit_changes(common_json *e, const experiment_changes *changes)
{
    common_json_open(e, "changes", '{');
    common_json_count(e, "runs", changes->runs);
    common_json_count(e, "rounds", changes->rounds);
    if (changes->seed != NULL)
        common_json_count(e, "seed", *changes->seed);
    else
        common_json_text(e, "seed", NULL);
    common_json_text(e, "agents", changes->agents);
    common_json_close(e);
}

int report_json(const report *self, FILE *out, roster_error *err)
{
    common_json e = {.document = true, .out = out, .digits = 17};
    const experiment *x = self->experiment;
    int code = ROSTER_OK;
    common_json_open_lines(&e, NULL, '{');
    common_json_text(&e, "format", "roster results 1");
    common_json_text(&e, "version", roster_version());
    common_json_text(&e, "name", x->name);
    emit_experiment(&e, x);
    emit_changes(&e, &x->changes);
    common_json_count(&e, "runs", x->runs);
    common_json_count(&e, "seed", x->seed);
    common_json_truth(&e, "stopped", self->stopped);
    common_json_open(&e, "shard", '{');
    common_json_count(&e, "index", self->shard);
    common_json_count(&e, "count", self->shards);
    common_json_close(&e);
    common_json_text(&e, "sweep", x->sweep);
    common_json_open_lines(&e, "cases", '[');
    for (size_t i = 0; i < x->n_cases && code == ROSTER_OK; i++)
        code = emit_case(&e, self, i, err);
    common_json_close(&e);
    common_json_close(&e);
    fputc('\n', out);
    return code;
}
