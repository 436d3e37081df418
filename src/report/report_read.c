/*
 * report_read.c: the part of a study that a results.json holds, back into results, bit for bit.
 *
 * Only what cannot be computed is read: runs, exact sums, counts. The file must be of the same experiment, the same
 * version of the program and the same shape; what is wrong is named by its place in the file.
 *
 * Paper: none.
 * Cost: the file in memory, about four times its size.
 * Check: tests/unit/test_report_read.c: sums_survive_the_file, damage_is_named.
 */
#include "report_internal.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* A place in a file being read. The first thing that is wrong sets code; all later reads do nothing. */
typedef struct reader {
    const char *path;
    char place[120]; /* "cases[0].agents[1]." */
    int code;
    roster_error *err;
} reader;

/* Sentences say what was expected of the key. */
static void wrong(reader *r, const char *key, const char *expected)
{
    if (r->code == ROSTER_OK)
        r->code = common_fail(r->err, ROSTER_EDAMAGED, "%s: %s%s %s", r->path, r->place, key, expected);
}

static const json_t *member(reader *r, const json_t *object, const char *key, json_type type)
{
    const json_t *found = json_object_get(object, key);
    if (found == NULL || json_typeof(found) != type) {
        wrong(r, key, "is missing or of another kind");
        return NULL;
    }
    return found;
}

/* An array of n, NULL if it is not. */
static const json_t *array(reader *r, const json_t *object, const char *key, size_t n)
{
    const json_t *found = member(r, object, key, JSON_ARRAY);
    if (found != NULL && json_array_size(found) != n) {
        wrong(r, key, "has another length than this experiment gives it");
        return NULL;
    }
    return found;
}

/* A whole number, or its digits as a string. */
static uint64_t count_of(reader *r, const json_t *value, const char *key)
{
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        return (uint64_t)json_integer_value(value);
    const char *digits = json_string_value(value);
    if (digits != NULL && digits[0] != 0 && strspn(digits, "0123456789") == strlen(digits))
        return strtoull(digits, NULL, 10);
    wrong(r, key, "must be a whole number, at least 0");
    return 0;
}

static uint64_t count(reader *r, const json_t *object, const char *key)
{
    return count_of(r, json_object_get(object, key), key);
}

static void counts(reader *r, const json_t *values, const char *key, uint64_t *out)
{
    for (size_t i = 0; i < json_array_size(values); i++)
        out[i] = count_of(r, json_array_get(values, i), key);
}

static roster_sum sum_of(reader *r, const json_t *value, const char *key)
{
    const char *digits = json_string_value(value);
    if (digits == NULL || strlen(digits) != 32 || strspn(digits, "0123456789abcdef") != 32) {
        wrong(r, key, "must be 32 hexadecimal digits");
        return (roster_sum){0, 0};
    }
    char high[17];
    memcpy(high, digits, 16);
    high[16] = 0;
    return (roster_sum){strtoull(digits + 16, NULL, 16), (int64_t)strtoull(high, NULL, 16)};
}

static void moments(reader *r, const json_t *object, const char *key, roster_moments *out)
{
    out->sum = sum_of(r, json_object_get(object, "sum"), key);
    out->squares = sum_of(r, json_object_get(object, "squares"), key);
}

static void read_curve(reader *r, const json_t *agent, roster_results *out, size_t a)
{
    const json_t *curve = member(r, agent, "curve", JSON_OBJECT);
    const json_t *sums = array(r, curve, "sum", out->points);
    const json_t *squares = array(r, curve, "squares", out->points);
    const json_t *plays = array(r, curve, "plays", out->points);
    for (size_t i = 0; i < out->points && r->code == ROSTER_OK; i++) {
        roster_moments *m = &out->curve[a * out->points + i];
        m->sum = sum_of(r, json_array_get(sums, i), "curve.sum");
        m->squares = sum_of(r, json_array_get(squares, i), "curve.squares");
        const json_t *row = json_array_get(plays, i);
        if (json_array_size(row) != out->experts)
            wrong(r, "curve.plays", "must have a number for each expert");
        else
            counts(r, row, "curve.plays", &out->plays[(a * out->points + i) * out->experts]);
    }
}

static void read_alarms(reader *r, const json_t *counts, roster_alarm_counts *out)
{
    *out = (roster_alarm_counts){count(r, counts, "raised"), count(r, counts, "false"), count(r, counts, "delay")};
    if (out->wrong > out->raised)
        wrong(r, "alarms", "must have no more false ones than all");
}

/* Where there are any: what the experiment asks for. */
static void read_guard(reader *r, const json_t *agent, roster_results *out, size_t a)
{
    const json_t *alarms = json_object_get(agent, "alarms");
    if (alarms != NULL) {
        read_alarms(r, member(r, alarms, "contexts", JSON_OBJECT), &out->contexts[a]);
        read_alarms(r, member(r, alarms, "rewards", JSON_OBJECT), &out->rewards[a]);
    }
    if (json_object_get(agent, "rejected") != NULL)
        out->rejected[a] = count(r, agent, "rejected");
}

static void read_agent(reader *r, const json_t *agent, roster_results *out, size_t a)
{
    moments(r, member(r, agent, "regret", JSON_OBJECT), "regret", &out->total[a]);
    moments(r, member(r, agent, "difference_to_first", JSON_OBJECT), "difference_to_first", &out->paired[a]);
    const json_t *episodes = array(r, agent, "regret_by_episode", out->episodes);
    for (size_t e = 0; e < out->episodes; e++)
        moments(r, json_array_get(episodes, e), "regret_by_episode", &out->episode[a * out->episodes + e]);
    out->rounds[a] = count(r, agent, "rounds");
    out->best_rounds[a] = count(r, agent, "best_rounds");
    out->nanoseconds[a] = 0;
    read_guard(r, agent, out, a);
    read_curve(r, agent, out, a);
}

static void check_points(reader *r, const json_t *points, const char *key, const uint64_t *expected, size_t n)
{
    const json_t *values = array(r, points, key, n);
    for (size_t i = 0; values != NULL && i < n; i++)
        if (count_of(r, json_array_get(values, i), key) != expected[i])
            wrong(r, key, "has other points than this experiment");
}

static void read_case(reader *r, const json_t *object, roster_results *out, size_t c)
{
    snprintf(r->place, sizeof r->place, "cases[%zu].", c);
    out->runs = count(r, object, "runs");
    const json_t *points = member(r, object, "points", JSON_OBJECT);
    check_points(r, points, "episode", out->point_episode, out->points);
    check_points(r, points, "round", out->point_round, out->points);
    const json_t *agents = array(r, object, "agents", out->agents);
    for (size_t a = 0; a < out->agents && r->code == ROSTER_OK; a++) {
        snprintf(r->place, sizeof r->place, "cases[%zu].agents[%zu].", c, a);
        read_agent(r, json_array_get(agents, a), out, a);
    }
    r->place[0] = 0;
}

static void read_shard(reader *r, const json_t *object, uint64_t *shard, uint64_t *shards)
{
    *shard = count(r, object, "index");
    *shards = count(r, object, "count");
    if (*shard >= *shards)
        wrong(r, "shard", "must have an index below its count");
}

static bool same_text(const json_t *value, const char *text)
{
    if (text == NULL)
        return json_is_null(value);
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

static bool same_changes(reader *r, const json_t *object, const experiment_changes *changes)
{
    const json_t *seed = json_object_get(object, "seed");
    bool same_seed = changes->seed == NULL ? json_is_null(seed)
                                           : !json_is_null(seed) && count_of(r, seed, "changes.seed") == *changes->seed;
    return same_seed && count(r, object, "runs") == changes->runs && count(r, object, "rounds") == changes->rounds &&
           same_text(json_object_get(object, "agents"), changes->agents);
}

static void check_experiment(reader *r, const json_t *file, const experiment *x)
{
    json_t *text = json_loads(x->text, JSON_ALLOW_NUL, NULL);
    const json_t *changes = member(r, file, "changes", JSON_OBJECT);
    if (text == NULL && r->code == ROSTER_OK)
        r->code = common_fail_memory(r->err); /* the text was read before */
    else if (!json_equal(text, json_object_get(file, "experiment")) || !same_changes(r, changes, &x->changes))
        wrong(r, "experiment", "is another: parts must come from the same file and the same options");
    json_decref(text);
}

/* The file, or NULL with the reader's code set. */
static json_t *load(reader *r)
{
    json_error_t where;
    json_t *file = json_load_file(r->path, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &where);
    if (file == NULL && where.text[0] == 0) /* jansson has no other words for it */
        r->code = common_fail_memory(r->err);
    else if (file == NULL && where.line < 0)
        r->code = common_fail(r->err, ROSTER_EINVAL, "%s cannot be read: %s", r->path, strerror(errno));
    else if (file == NULL)
        r->code = common_fail(r->err, ROSTER_EDAMAGED, "%s:%d:%d: %s", r->path, where.line, where.column, where.text);
    else if (!same_text(json_object_get(file, "format"), "roster results 1"))
        wrong(r, "format", "must be \"roster results 1\": this is not a results.json");
    else if (!same_text(json_object_get(file, "version"), roster_version()))
        r->code = common_fail(r->err, ROSTER_EDAMAGED, "%s: version must be \"%s\", that of this program", r->path,
                              roster_version());
    return file;
}

int report_read(const char *path, const experiment *x, roster_results **results, uint64_t *shard, uint64_t *shards,
                roster_error *err)
{
    reader r = {.path = path, .err = err};
    json_t *file = load(&r);
    if (r.code == ROSTER_OK)
        check_experiment(&r, file, x);
    if (r.code == ROSTER_OK) {
        read_shard(&r, member(&r, file, "shard", JSON_OBJECT), shard, shards);
        const json_t *cases = array(&r, file, "cases", x->n_cases);
        for (size_t c = 0; c < x->n_cases && r.code == ROSTER_OK; c++)
            read_case(&r, json_array_get(cases, c), results[c], c);
    }
    json_decref(file);
    return r.code;
}

static int parse_again(reader *r, const json_t *file, const experiment_changes *changes, experiment **out)
{
    const json_t *object = member(r, file, "experiment", JSON_OBJECT);
    if (object == NULL)
        return r->code;
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (text == NULL)
        return common_fail_memory(r->err);
    int code = experiment_parse(out, text, r->path, changes, r->err);
    free(text);
    return code;
}

int report_read_experiment(const char *path, experiment **out, roster_error *err)
{
    reader r = {.path = path, .err = err};
    *out = NULL;
    json_t *file = load(&r);
    const json_t *made = r.code == ROSTER_OK ? member(&r, file, "changes", JSON_OBJECT) : NULL;
    if (r.code == ROSTER_OK) {
        const json_t *seed = json_object_get(made, "seed");
        uint64_t number = json_is_null(seed) ? 0 : count_of(&r, seed, "changes.seed");
        experiment_changes changes = {.runs = count(&r, made, "runs"),
                                      .rounds = count(&r, made, "rounds"),
                                      .seed = json_is_null(seed) ? NULL : &number,
                                      .agents = json_string_value(json_object_get(made, "agents"))};
        r.code = r.code == ROSTER_OK ? parse_again(&r, file, &changes, out) : r.code;
    }
    json_decref(file);
    return r.code;
}
