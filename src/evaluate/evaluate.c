/*
 * evaluate.c: one pass over a log.
 *
 * Where a policy needs to know how many actions there are and nobody said, the log is read once before to see them.
 *
 *   evidence     where the log says which expert of the roster acted, the library's own evidence on all experts, as a
 *                campaign of `roster serve` shows it
 *   duplicates   ids are remembered by a hash of 64 bits in 2^15 places, a later one displaces an earlier: those that
 *                are found are duplicates, far apart some are missed
 *
 * Paper: none. Cost: that of reading and of evaluation.c; memory for labels, cells and policies.
 * Check: tests/cli/evaluate.t.
 */
#include "evaluate.h"

#include "common_error.h"
#include "common_hash.h"
#include "grow.h"
#include "propensity_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { IDS = 1 << 15, PROGRESS = 1 << 16, LONGEST_TIME = 64 };

typedef struct run {
    evaluate *out;
    const evaluate_wishes *wishes;
    propensity_model *model;   /* owned; NULL: none is needed */
    policy_view *views;        /* owned */
    changes *changes;          /* owned; NULL: a tally has no order */
    roster_evidence *evidence; /* owned; NULL: it is not known which experts acted */
    uint64_t *ids;             /* owned; NULL until needed */
    char time[LONGEST_TIME];   /* of the event before */
    size_t segment_room;
} run;

void evaluate_free(evaluate *self)
{
    if (self == NULL)
        return;
    for (size_t i = 0; i < self->n_segments; i++) {
        evaluation_free(self->segments[i].evaluation);
        free(self->segments[i].policies);
    }
    evaluation_free(self->whole.evaluation);
    free(self->whole.policies);
    free(self->segments);
    policies_free(self->list);
    log_close(self->log);
    free(self);
}

/* What is not there, or a folder, is refused when it is opened. */
static bool is_read_once(const char *path)
{
    struct stat there;
    return strcmp(path, "-") == 0 || (stat(path, &there) == 0 && !S_ISREG(there.st_mode) && !S_ISDIR(there.st_mode));
}

/* The actions that the log shows, entered in the order in which they come. */
static int see_actions(run *r, roster_error *err)
{
    const evaluate_wishes *w = r->wishes;
    log_reader *before;
    log_event e;
    for (size_t i = 0; i < w->n_paths; i++)
        if (is_read_once(w->paths[i]))
            return common_fail(err, ROSTER_EINVAL,
                               "--actions N or FILE is required: 'uniform' needs to know how many actions there are, "
                               "and %s can be read only once",
                               strcmp(w->paths[i], "-") == 0 ? "standard input" : w->paths[i]);
    int code = log_open(&before, w->paths, w->n_paths, &w->log, err), more = 1;
    while (code == ROSTER_OK && (more = log_next(before, &e, err)) > 0)
        ;
    code = code == ROSTER_OK && more < 0 ? err->code : code;
    log_labels *seen = code == ROSTER_OK ? log_actions(before) : NULL;
    for (size_t i = 0; code == ROSTER_OK && i < log_labels_count(seen); i++) {
        const char *name = log_labels_name(seen, (uint32_t)i);
        if (log_labels_add(log_actions(r->out->log), name, strlen(name)) == LOG_NONE)
            code = common_fail_memory(err);
    }
    if (code == ROSTER_OK)
        policies_fix_actions(r->out->list);
    log_close(before);
    return code;
}

/* Tables of several contexts say nothing about events whose context nobody knows. */
static int check_contexts(const run *r, roster_error *err)
{
    const log_column *columns;
    size_t n = policies_contexts(r->out->list);
    if (n < 2 || log_columns(r->out->log, &columns) == 0 || log_has(r->out->log, LOG_CONTEXT))
        return ROSTER_OK;
    return common_fail(err, ROSTER_EINVAL,
                       "the experts have %zu contexts, but no column is the context: --context NAME says which it is",
                       n);
}

static int create_policies(run *r, roster_error *err)
{
    const evaluate_wishes *w = r->wishes;
    int code = policies_create(&r->out->list, r->out->log, w->experts, w->actions, err);
    if (code == ROSTER_OK && w->tables != NULL)
        code = policies_take_tables(r->out->list, w->tables, err);
    if (code == ROSTER_OK && w->labels != NULL)
        code = policies_take_actions(r->out->list, w->labels, w->n_labels, err);
    if (code == ROSTER_OK)
        code = check_contexts(r, err);
    if (code == ROSTER_OK && w->n_policies > 0 && w->experts_too)
        code = policies_add_experts(r->out->list, err);
    return code;
}

static int list_policies(run *r, roster_error *err)
{
    const evaluate_wishes *w = r->wishes;
    evaluate *out = r->out;
    int code = create_policies(r, err);
    for (size_t i = 0; code == ROSTER_OK && i < w->n_policies; i++)
        code = policies_add(out->list, w->policies[i], err);
    if (code == ROSTER_OK && w->n_policies == 0)
        code = policies_add_default(out->list, err);
    if (code != ROSTER_OK)
        return code;
    out->n_policies = policies_count(out->list);
    r->views = calloc(out->n_policies, sizeof *r->views);
    if (r->views == NULL)
        return common_fail_memory(err);
    return policies_need_actions(out->list) && !log_tells_choices(out->log) ? see_actions(r, err) : ROSTER_OK;
}

/* Settings that follow from the log. */
static int settle(run *r, roster_error *err)
{
    evaluate_settings *s = &r->out->settings;
    bool tally = log_is_tally(r->out->log), tables = r->wishes->experts != NULL || r->wishes->tables != NULL;
    s->fitted = !log_has(r->out->log, LOG_PROPENSITY) && !(tables && log_has(r->out->log, LOG_EXPERT));
    bool model = s->fitted && r->wishes->log.n_features > 0;
    s->frequencies = s->fitted && !model;
    if (model && (r->model = propensity_model_create(r->wishes->log.n_features)) == NULL)
        return common_fail_memory(err);
    if (tally && s->interval == EVALUATE_ANYTIME)
        s->interval = EVALUATE_GAUSSIAN;
    for (size_t i = 0; tally && i < r->out->n_policies; i++)
        if (policies_get(r->out->list, i)->greedy)
            return common_fail(err, ROSTER_EINVAL, "greedy learns event by event and cannot be told from a tally");
    if (s->frequencies &&
        (s->estimator == EVALUATE_CLIPPED || s->estimator == EVALUATE_SWITCH || s->estimator == EVALUATE_DROS))
        return common_fail(err, ROSTER_EINVAL,
                           "--estimator %s needs propensities, and the log has none: use ips, snips, dm or dr",
                           evaluate_estimator_names[s->estimator]);
    r->out->whole.evaluation = evaluation_create(r->out->list, s);
    r->changes = tally ? NULL : changes_create();
    return r->out->whole.evaluation != NULL && (tally || r->changes != NULL) ? ROSTER_OK : common_fail_memory(err);
}

/* Evidence on the experts, if the log tells who acted. */
static int settle_evidence(run *r, roster_error *err)
{
    const roster_experts *experts = policies_experts(r->out->list);
    if (experts == NULL || !log_has(r->out->log, LOG_EXPERT) || r->out->settings.interval != EVALUATE_ANYTIME)
        return ROSTER_OK;
    int code = roster_evidence_create(&r->evidence, experts, 1 - r->out->settings.delta, err);
    return code == ROSTER_ENOMEM ? code : ROSTER_OK;
}

/* Events that the experts cannot have made end it. */
static int learn_evidence(run *r, const log_event *e, double y, roster_error *err)
{
    roster_error wrong;
    if (r->evidence == NULL)
        return ROSTER_OK;
    roster_event event = {
        .expert = e->expert, .context = e->context, .action = e->action, .reward = y, .propensity = e->propensity};
    int code = e->drop > 0 ? ROSTER_EINVAL : roster_evidence_learn(r->evidence, &event, &wrong);
    if (code == ROSTER_OK)
        return ROSTER_OK;
    roster_evidence_free(r->evidence);
    r->evidence = NULL;
    return code == ROSTER_ENOMEM ? common_fail_memory(err) : ROSTER_OK;
}

static bool check_id(run *r, const char *id)
{
    if (id == NULL)
        return true;
    if (r->ids == NULL && (r->ids = calloc(IDS, sizeof *r->ids)) == NULL)
        return false;
    uint64_t hash = common_hash_fnv(id, strlen(id)) * UINT64_C(0x9e3779b97f4a7c15) | 1;
    r->out->has_ids = true;
    r->out->duplicates += r->ids[hash >> 49] == hash;
    r->ids[hash >> 49] = hash;
    return true;
}

/* Numbers by value, other times by their letters: those of ISO 8601 then are in order. */
static void check_time(run *r, const char *time)
{
    char *end, *before_end;
    if (time == NULL)
        return;
    r->out->has_times = true;
    double now = strtod(time, &end), before = strtod(r->time, &before_end);
    bool numbers = *time != '\0' && *end == '\0' && *before_end == '\0';
    if (r->time[0] != '\0')
        r->out->disordered += numbers ? now < before : strcmp(time, r->time) < 0;
    size_t size = strlen(time) < LONGEST_TIME - 1 ? strlen(time) : LONGEST_TIME - 1;
    memcpy(r->time, time, size);
    r->time[size] = '\0';
}

static void check_probabilities(run *r, const log_event *e)
{
    double sum = 0;
    if (e->probabilities == NULL)
        return;
    for (size_t i = 0; i < e->n_choices; i++)
        sum += e->probabilities[i];
    r->out->has_probabilities = true;
    r->out->unsummed += fabs(sum - 1) > 1e-3;
}

static int add_to_segment(run *r, const log_event *e, roster_error *err)
{
    evaluate *out = r->out;
    if (e->segment == LOG_NONE)
        return ROSTER_OK;
    if (e->segment >= EVALUATE_SEGMENTS)
        return common_fail(err, ROSTER_EINVAL, "--by %s has more than %d values; is the column the right one?",
                           r->wishes->log.columns[LOG_BY], EVALUATE_SEGMENTS);
    if (!common_grow(&out->segments, &r->segment_room, (size_t)e->segment + 1, sizeof *out->segments))
        return common_fail_memory(err);
    for (; out->n_segments <= e->segment; out->n_segments++) {
        out->segments[out->n_segments] = (evaluate_part){.evaluation = evaluation_create(out->list, &out->settings)};
        if (out->segments[out->n_segments].evaluation == NULL)
            return common_fail_memory(err);
    }
    return evaluation_add(out->segments[e->segment].evaluation, e, r->views) ? ROSTER_OK : common_fail_memory(err);
}

/* A propensity on record below what is said to be the smallest possible. */
static int check_least(const run *r, const log_event *e, roster_error *err)
{
    char place[240];
    const evaluate_settings *s = &r->out->settings;
    if (s->fitted || !(e->propensity < s->least_propensity * (1 - 1e-9)))
        return ROSTER_OK;
    return common_fail(err, ROSTER_EINVAL,
                       "%s: the propensity is %.6g, but --least-propensity says that none below %.6g was possible",
                       log_place(r->out->log, e, place, sizeof place), e->propensity, s->least_propensity);
}

static int take(run *r, log_event *e, roster_error *err)
{
    evaluate *out = r->out;
    char reason[240];
    if (!policies_view(out->list, e, r->views, reason, sizeof reason)) {
        log_report(out->log, e, reason);
        return ROSTER_OK;
    }
    if (check_least(r, e, err) != ROSTER_OK)
        return err->code;
    if (r->model != NULL)
        e->propensity = propensity_model_next(r->model, e->features, e->action, policies_actions(out->list));
    check_time(r, e->time);
    check_probabilities(r, e);
    if (!check_id(r, e->id) || !evaluation_add(out->whole.evaluation, e, r->views)) {
        if (!evaluation_is_full(out->whole.evaluation))
            return common_fail_memory(err);
        return common_fail(err, ROSTER_EINVAL,
                           "there are too many contexts and actions for cell means (%zu contexts); are the columns of "
                           "--context the right ones?",
                           evaluation_contexts(out->whole.evaluation));
    }
    double y = (e->reward - out->settings.low) / (out->settings.high - out->settings.low);
    if (!policies_learn(out->list, e) || (r->changes != NULL && !changes_learn(r->changes, e->context, e->action, y)))
        return common_fail_memory(err);
    int code = learn_evidence(r, e, y, err);
    return code == ROSTER_OK ? add_to_segment(r, e, err) : code;
}

static int read_all(run *r, roster_error *err)
{
    evaluate *out = r->out;
    log_event e;
    int more, code = ROSTER_OK;
    uint64_t n = 0;
    while (code == ROSTER_OK && (more = log_next(out->log, &e, err)) > 0) {
        code = take(r, &e, err);
        if (++n % PROGRESS == 0 && r->wishes->on_progress != NULL)
            r->wishes->on_progress(r->wishes->context, log_bytes(out->log));
    }
    return code == ROSTER_OK && more < 0 ? err->code : code;
}

static int check_lines(const run *r, roster_error *err)
{
    const evaluate *out = r->out;
    double damaged = (double)log_damaged(out->log), all = (double)log_lines(out->log);
    if (damaged > 0 && !r->wishes->skip_bad)
        return common_fail(err, ROSTER_EINVAL, "%.0f of %.0f line%s %s damaged%s; --skip-bad leaves %s out", damaged,
                           all, all == 1 ? "" : "s", damaged == 1 ? "is" : "are",
                           damaged > 10 ? " (the first 10 are shown)" : "", damaged == 1 ? "it" : "them");
    if (!(evaluation_events(out->whole.evaluation) > 0))
        return log_passed_over(out->log) > 0
                   ? common_fail(err, ROSTER_EINVAL, "there are no events with an outcome in the log, and %.0f without",
                                 (double)log_passed_over(out->log))
                   : common_fail(err, ROSTER_EINVAL, "there are no events in the log");
    return ROSTER_OK;
}

/* Rewards outside of the range would make every interval a lie. */
static int check_range(const run *r, roster_error *err)
{
    const evaluate_settings *s = &r->out->settings;
    double least, most;
    evaluation_reward_range(r->out->whole.evaluation, &least, &most);
    if (least >= s->low && most <= s->high)
        return ROSTER_OK;
    return common_fail(err, ROSTER_EINVAL,
                       "rewards are from %.6g to %.6g, but must lie from %g to %g: say what is possible by --range "
                       "LOW,HIGH",
                       least, most, s->low, s->high);
}

static int conclude_part(evaluate *self, evaluate_part *part, roster_error *err)
{
    part->events = evaluation_events(part->evaluation);
    part->policies = calloc(self->n_policies, sizeof *part->policies);
    if (part->policies == NULL)
        return common_fail_memory(err);
    if (part->events > 0)
        part->served = evaluation_served(part->evaluation);
    for (size_t i = 0; i < self->n_policies && part->events > 0; i++) {
        evaluate_policy *p = &part->policies[i];
        p->name = policies_get(self->list, i)->name;
        p->kind = policies_get(self->list, i)->kind;
        evaluation_result(part->evaluation, i, &p->r);
        evaluate_judge(self, part, p);
    }
    return ROSTER_OK;
}

/* What the order of the events says, and what it cannot. */
static void conclude_order(run *r)
{
    evaluate *out = r->out;
    evaluation_end(out->whole.evaluation);
    out->drop_varies = evaluation_drop_varies(out->whole.evaluation);
    if (out->drop_varies && out->settings.interval == EVALUATE_ANYTIME) {
        out->settings.interval = EVALUATE_GAUSSIAN;
        evaluation_forget_order(out->whole.evaluation);
        for (size_t i = 0; i < out->n_segments; i++)
            evaluation_forget_order(out->segments[i].evaluation);
    }
    if (r->changes == NULL || out->drop_varies)
        return;
    out->contexts_watched = changes_contexts(r->changes, &out->contexts_changed);
    out->rewards_watched = changes_rewards(r->changes, &out->rewards_changed);
}

static void conclude_evidence(run *r)
{
    evaluate *out = r->out;
    for (size_t i = 0; r->evidence != NULL && i < out->n_policies; i++) {
        evaluate_policy *p = &out->whole.policies[i];
        p->has_finding = p->kind == POLICY_TABLE;
        if (!p->has_finding)
            continue;
        roster_evidence_find(r->evidence, policies_get(out->list, i)->place, &p->finding);
        evaluate_say_finding(out, p);
    }
}

/* Numbers by value, before other names, which stand by their letters. */
static int compare_segments(const void *a, const void *b)
{
    const char *x = ((const evaluate_part *)a)->segment, *y = ((const evaluate_part *)b)->segment;
    char *x_end, *y_end;
    double u = strtod(x, &x_end), v = strtod(y, &y_end);
    bool x_number = *x_end == '\0', y_number = *y_end == '\0';
    if (x_number && y_number && u != v)
        return u < v ? -1 : 1;
    return x_number != y_number ? (x_number ? -1 : 1) : strcmp(x, y);
}

static int conclude(run *r, roster_error *err)
{
    evaluate *out = r->out;
    int code = check_lines(r, err);
    if (code == ROSTER_OK)
        code = check_range(r, err);
    if (code == ROSTER_OK)
        conclude_order(r);
    if (code == ROSTER_OK)
        code = conclude_part(out, &out->whole, err);
    for (size_t i = 0; code == ROSTER_OK && i < out->n_segments; i++) {
        out->segments[i].segment = log_labels_name(log_segments(out->log), (uint32_t)i);
        code = conclude_part(out, &out->segments[i], err);
    }
    if (code == ROSTER_OK) {
        if (out->n_segments > 1)
            qsort(out->segments, out->n_segments, sizeof *out->segments, compare_segments);
        conclude_evidence(r);
        evaluate_note(out);
    }
    return code;
}

int evaluate_run(evaluate **out, const evaluate_wishes *wishes, roster_error *err)
{
    run r = {.out = calloc(1, sizeof(evaluate)), .wishes = wishes};
    *out = NULL;
    if (r.out == NULL)
        return common_fail_memory(err);
    r.out->settings = wishes->settings;
    int code = log_open(&r.out->log, wishes->paths, wishes->n_paths, &wishes->log, err);
    if (code == ROSTER_OK)
        code = list_policies(&r, err);
    if (code == ROSTER_OK)
        code = settle(&r, err);
    if (code == ROSTER_OK)
        code = settle_evidence(&r, err);
    if (code == ROSTER_OK)
        log_on_damage(r.out->log, wishes->on_damage, wishes->context);
    if (code == ROSTER_OK)
        code = read_all(&r, err);
    if (code == ROSTER_OK)
        code = conclude(&r, err);
    propensity_model_free(r.model);
    changes_free(r.changes);
    roster_evidence_free(r.evidence);
    free(r.views);
    free(r.ids);
    if (code == ROSTER_OK)
        *out = r.out;
    else
        evaluate_free(r.out);
    return code;
}
