/*
 * python_evaluate.c: `roster evaluate` and `roster tally` on files, or on the columns of a table in memory.
 *
 * Everything that is computed is src/evaluate's, the same as the commands'.
 *
 * Paper: none.
 * Check: the JSON is that of the command (tests/python/test_evaluate.py: test_same_as_the_command); agents learn from
 * tallies what they learn from events (tests/python/test_log.py: test_equals_the_events).
 */
#include "python.h"

#include "evaluate.h"
#include "log_tally.h"
#include "nearest.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Damaged lines, of which the first is told. */
typedef struct damages {
    uint64_t n;
    bool table;
    char first[300];
} damages;

static void note_damage(void *context, const char *title, uint64_t line, const char *reason)
{
    damages *self = context;
    if (self->n++ > 0)
        return;
    if (self->table)
        snprintf(self->first, sizeof self->first, "row %" PRIu64 ": %s", line, reason);
    else
        snprintf(self->first, sizeof self->first, "%s:%" PRIu64 ": %s", title, line, reason);
}

static int fail_damaged(const damages *found)
{
    return roster_python_fail(ROSTER_EINVAL, "%s (%" PRIu64 " %s%s damaged; --skip-bad leaves %s out)", found->first,
                              found->n, found->table ? "row" : "line", found->n == 1 ? " is" : "s are",
                              found->n == 1 ? "it" : "them");
}

static int choose(const char *what, const char *word, const char *const *words, int none, int *out)
{
    *out = none;
    for (int i = 0; word != NULL && words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0) {
            *out = i;
            return ROSTER_OK;
        }
    if (word == NULL)
        return ROSTER_OK;
    const char *near = common_nearest_of(word, words);
    return roster_python_fail(ROSTER_EINVAL, "there is no %s '%.80s'%s%s%s", what, word,
                              near != NULL ? ", did you mean '" : "", near != NULL ? near : "",
                              near != NULL ? "'?" : "");
}

static int read_numbers(const roster_python_question *asked, evaluate_settings *s)
{
    double numbers[EVALUATE_NUMBERS];
    for (int i = 0; i < EVALUATE_NUMBERS; i++) {
        const evaluate_limits *l = &evaluate_limits_of[i];
        numbers[i] = isnan(asked->numbers[i]) ? l->preset : asked->numbers[i];
        if (!isnan(asked->numbers[i]) && !(numbers[i] >= l->low && numbers[i] <= l->high))
            return roster_python_fail(ROSTER_EINVAL, "--%s is %g, must be a number from %g to %g", l->option,
                                      numbers[i], l->low, l->high);
    }
    evaluate_set_numbers(s, numbers);
    s->low = asked->low;
    s->high = asked->high;
    if (s->low < s->high && s->high - s->low < 1e300)
        return ROSTER_OK;
    return roster_python_fail(ROSTER_EINVAL, "--range is (%g, %g), must be two numbers, the first below the second",
                              s->low, s->high);
}

static int read_settings(const roster_python_question *asked, evaluate_settings *s)
{
    int estimator, interval;
    *s = (evaluate_settings){.whole_means = asked->whole_means};
    int code = choose("estimator", asked->estimator, evaluate_estimator_names, EVALUATE_DEFAULT, &estimator);
    if (code == ROSTER_OK)
        code = choose("interval", asked->interval, evaluate_interval_names, EVALUATE_ANYTIME, &interval);
    if (code != ROSTER_OK)
        return code;
    s->estimator = (evaluate_estimator)estimator;
    s->interval = (evaluate_interval)interval;
    return read_numbers(asked, s);
}

static int read_log(const roster_python_question *asked, log_wishes *log)
{
    int format;
    *log = (log_wishes){.table = asked->table,
                        .contexts = asked->contexts,
                        .features = asked->features,
                        .n_contexts = asked->n_contexts,
                        .n_features = asked->n_features};
    for (size_t i = 0; i < asked->n_roles; i++)
        for (int role = 0; role < LOG_NAMED; role++)
            if (strcmp(asked->roles[i], log_role_names[role]) == 0)
                log->columns[role] = asked->columns[i];
    int code = choose("format", asked->format, log_format_names, -1, &format);
    log->format = code == ROSTER_OK && format >= 0 ? log_format_names[format] : NULL;
    return code;
}

static uint8_t use_of(log_role role)
{
    switch (role) {
    case LOG_ACTION:
        return ROSTER_PYTHON_ACTION;
    case LOG_POLICY_ACTION:
        return ROSTER_PYTHON_POLICY;
    case LOG_EXPERT:
        return ROSTER_PYTHON_EXPERT;
    case LOG_CONTEXT:
        return ROSTER_PYTHON_CONTEXT;
    default:
        return log_is_label(role) ? ROSTER_PYTHON_LABEL : ROSTER_PYTHON_NUMBER;
    }
}

int roster_python_log_columns(const roster_python_question *asked, uint8_t *uses)
{
    log_wishes wishes;
    log_reader *log = NULL;
    const log_column *columns;
    int code = read_log(asked, &wishes);
    if (code == ROSTER_OK)
        code = log_open(&log, NULL, 0, &wishes, roster_python_error());
    size_t n = code == ROSTER_OK ? log_columns(log, &columns) : 0;
    memset(uses, 0, asked->table->n_columns);
    for (size_t i = 0; i < asked->table->n_columns; i++)
        for (size_t k = 0; k < n; k++)
            if (strcmp(asked->table->columns[i].name, columns[k].name) == 0 && use_of(columns[k].role) > uses[i])
                uses[i] = use_of(columns[k].role);
    log_close(log);
    return code;
}

/* The four forms; all or none. */
static int write_texts(const evaluate *e, char *texts[4])
{
    void (*const forms[])(const evaluate *, FILE *) = {evaluate_json, evaluate_csv, evaluate_html, evaluate_table};
    for (int i = 0; i < 4; i++) {
        size_t size;
        FILE *out = open_memstream(&texts[i], &size);
        int code = out != NULL ? ROSTER_OK : roster_python_fail(ROSTER_ENOMEM, "out of memory");
        if (out != NULL)
            forms[i](e, out);
        texts[i] = roster_python_concluded(code, out, &texts[i]);
        if (texts[i] == NULL) {
            while (i-- > 0)
                free(texts[i]);
            return ROSTER_ENOMEM;
        }
    }
    return ROSTER_OK;
}

static int run(const roster_python_question *asked, evaluate_wishes *w, evaluate **out)
{
    roster_tables tables = {asked->experts, asked->context_names, asked->action_names, NULL, NULL};
    damages found = {.table = asked->table != NULL};
    w->tables = asked->experts != NULL ? &tables : NULL;
    w->on_damage = note_damage;
    w->context = &found;
    int code = evaluate_run(out, w, roster_python_error());
    return code == ROSTER_EINVAL && found.n > 0 && !w->skip_bad ? fail_damaged(&found) : code;
}

int roster_python_evaluate(const roster_python_question *asked, char *texts[4])
{
    evaluate *e = NULL;
    evaluate_wishes w = {.paths = asked->paths,
                         .n_paths = asked->n_paths,
                         .experts = asked->roster,
                         .actions = asked->actions,
                         .labels = asked->labels,
                         .n_labels = asked->n_labels,
                         .policies = asked->policies,
                         .n_policies = asked->n_policies,
                         .experts_too = true,
                         .skip_bad = asked->skip_bad};
    int code = read_log(asked, &w.log);
    if (code == ROSTER_OK)
        code = read_settings(asked, &w.settings);
    if (code == ROSTER_OK)
        code = run(asked, &w, &e);
    if (code == ROSTER_OK)
        code = write_texts(e, texts);
    evaluate_free(e);
    return code;
}

/* Whether agents may learn it. */
static int check_tally(const log_tally *tally, const damages *found, bool skip_bad)
{
    double least, most;
    if (found->n > 0 && !skip_bad)
        return fail_damaged(found);
    if (log_tally_groups(tally) == 0)
        return roster_python_fail(ROSTER_EINVAL, "there are no events in the log");
    log_tally_reward_range(tally, &least, &most);
    if (least >= 0 && most <= 1)
        return ROSTER_OK;
    return roster_python_fail(ROSTER_EINVAL, "rewards are from %.6g to %.6g, but must lie from 0 to 1", least, most);
}

static char *write_tally(const log_tally *tally)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int code = out != NULL ? ROSTER_OK : roster_python_fail(ROSTER_ENOMEM, "out of memory");
    if (out != NULL)
        log_tally_write_json(tally, out);
    return roster_python_concluded(code, out, &text);
}

char *roster_python_tally(const roster_python_question *asked)
{
    log_wishes wishes;
    log_reader *log = NULL;
    log_tally *tally = NULL;
    damages found = {.table = asked->table != NULL};
    int code = read_log(asked, &wishes);
    if (code == ROSTER_OK)
        code = log_open(&log, asked->paths, asked->n_paths, &wishes, roster_python_error());
    if (code == ROSTER_OK) {
        log_on_damage(log, note_damage, &found);
        code = log_tally_read(&tally, log, roster_python_error());
    }
    if (code == ROSTER_OK)
        code = check_tally(tally, &found, asked->skip_bad);
    char *text = code == ROSTER_OK ? write_tally(tally) : NULL;
    log_tally_free(tally);
    log_close(log);
    return text;
}
