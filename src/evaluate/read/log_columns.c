/*
 * log_columns.c: which column of a log is what.
 *
 * A column is what the caller says it is; else it is guessed from its name, letters of either size. Columns pi_NAME and
 * a_NAME are policies: the probability that NAME gives to the action taken, the action that NAME would take. A tally is
 * known by its columns count and reward_sum.
 *
 * Paper: none. Cost: names x guesses, once per file.
 * Check: tests/cli/evaluate.t.
 */
#include "read_internal.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *const log_role_names[LOG_NAMED] = {"action", "reward", "cost",  "propensity", "expert",         "time",
                                               "id",     "drop",   "count", "reward_sum", "reward_squares", "by"};

/* In the order in which they are tried; an option comes before. */
static const char *const guesses[LOG_NAMED][8] = {
    [LOG_ACTION] = {"action", "item_id", "action_id", "arm", "variant", "a"},
    [LOG_REWARD] = {"reward", "click", "clicked", "conversion", "r", "y"},
    [LOG_COST] = {"cost"},
    [LOG_PROPENSITY] = {"propensity", "propensity_score", "pscore", "action_prob", "probability", "prob", "p"},
    [LOG_EXPERT] = {"expert"},
    [LOG_TIME] = {"timestamp", "time", "ts", "at"},
    [LOG_ID] = {"event_id", "eventid", "id"},
    [LOG_DROP] = {"drop", "pdrop"},
    [LOG_COUNT] = {"count"},
    [LOG_SUM] = {"reward_sum"},
    [LOG_SQUARES] = {"reward_squares"},
};

static size_t find(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return n;
}

static size_t guess(log_role role, const char *const *names, size_t n)
{
    for (const char *const *g = guesses[role]; *g != NULL; g++)
        for (size_t i = 0; i < n; i++)
            if (strcasecmp(names[i], *g) == 0)
                return i;
    return n;
}

static int refuse(log_reader *self, const char *what, const char *const *names, size_t n, roster_error *err)
{
    char columns[200] = "", one[40];
    for (size_t i = 0; i < n; i++) {
        size_t used = strlen(columns);
        snprintf(columns + used, sizeof columns - used, "%s'%s'", i > 0 ? ", " : "",
                 log_shown(names[i], strlen(names[i]), one, sizeof one));
        if (strlen(columns) > 120 && i + 1 < n) {
            strcat(columns, ", ...");
            break;
        }
    }
    return common_fail(err, ROSTER_EINVAL, "%s: %s; the columns are %s", log_title(self), what, columns);
}

static int add_slot(log_reader *self, log_role role, const char *name, size_t column, bool guessed, roster_error *err)
{
    const char *copy = common_arena_text(&self->arena, name);
    if (copy == NULL)
        return common_fail_memory(err);
    if (self->n_slots == LOG_SLOTS)
        return common_fail(err, ROSTER_EINVAL, "%s: more than %d columns are used", log_title(self), LOG_SLOTS);
    self->columns[self->n_slots] = (log_column){role, copy, guessed};
    self->slots[self->n_slots++] = (log_slot){.role = role, .name = copy, .guessed = guessed, .column = column};
    return ROSTER_OK;
}

static bool has(const log_reader *self, log_role role)
{
    for (size_t i = 0; i < self->n_slots; i++)
        if (self->slots[i].role == role)
            return true;
    return false;
}

/* A reward is not looked for where a cost is named, nor a cost where there is a reward. */
static bool is_wanted(const log_reader *self, int role)
{
    return self->wishes.columns[role] != NULL ||
           (role == LOG_REWARD ? self->wishes.columns[LOG_COST] == NULL : role != LOG_COST || !has(self, LOG_REWARD));
}

static int plan_named(log_reader *self, const char *const *names, size_t n, roster_error *err)
{
    int code = ROSTER_OK;
    for (int role = 0; code == ROSTER_OK && role < LOG_NAMED; role++) {
        if (!is_wanted(self, role))
            continue;
        const char *wished = self->wishes.columns[role];
        size_t at = wished != NULL ? find(wished, names, n) : guess((log_role)role, names, n);
        char what[200], shown[80];
        snprintf(what, sizeof what, "no column is named '%s', which --%s says",
                 log_shown(wished, wished != NULL ? strlen(wished) : 0, shown, sizeof shown), log_role_names[role]);
        if (wished != NULL && at == n)
            code = refuse(self, what, names, n, err);
        else if (at < n)
            code = add_slot(self, (log_role)role, names[at], at, wished == NULL, err);
    }
    return code;
}

/* The contexts or the features that the caller names; where there are none a column "context" is one. */
static int plan_lists(log_reader *self, const char *const *names, size_t n, roster_error *err)
{
    static const char *const context[] = {"context"};
    const log_wishes *w = &self->wishes;
    bool guessed = w->n_contexts == 0 && find("context", names, n) < n;
    const char *const *contexts = guessed ? context : w->contexts;
    size_t n_contexts = guessed ? 1 : w->n_contexts;
    int code = ROSTER_OK;
    for (size_t i = 0; code == ROSTER_OK && i < n_contexts + w->n_features; i++) {
        const char *name = i < n_contexts ? contexts[i] : w->features[i - n_contexts];
        char what[200], shown[80];
        snprintf(what, sizeof what, "no column is named '%s', which --%s says",
                 log_shown(name, strlen(name), shown, sizeof shown), i < n_contexts ? "context" : "features");
        size_t at = find(name, names, n);
        code = at == n ? refuse(self, what, names, n, err)
                       : add_slot(self, i < n_contexts ? LOG_CONTEXT : LOG_FEATURE, name, at, guessed, err);
        if (code == ROSTER_OK && i >= n_contexts)
            self->slots[self->n_slots - 1].place = self->n_features++;
    }
    return code;
}

static int plan_policies(log_reader *self, const char *const *names, size_t n, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t i = 0; code == ROSTER_OK && i < n; i++) {
        bool is_action = strncmp(names[i], "a_", 2) == 0;
        size_t prefix = is_action ? 2 : strncmp(names[i], "pi_", 3) == 0 ? 3 : 0;
        if (prefix == 0 || names[i][prefix] == '\0')
            continue;
        code = add_slot(self, is_action ? LOG_POLICY_ACTION : LOG_POLICY_PROBABILITY, names[i], i, false, err);
        if (code != ROSTER_OK)
            break;
        log_slot *slot = &self->slots[self->n_slots - 1];
        slot->place = self->n_policies;
        self->policies[self->n_policies++] = (log_policy){slot->name + prefix, is_action};
    }
    return code;
}

static int check_twice(log_reader *self, const char *const *names, size_t n, roster_error *err)
{
    for (size_t s = 0; s < self->n_slots; s++)
        for (size_t i = self->slots[s].column + 1; i < n; i++)
            if (strcmp(names[i], self->slots[s].name) == 0)
                return common_fail(err, ROSTER_EINVAL, "%s: two columns are named '%.80s'", log_title(self), names[i]);
    return ROSTER_OK;
}

static int check_needed(log_reader *self, const char *const *names, size_t n, roster_error *err)
{
    self->tally = has(self, LOG_COUNT) && has(self, LOG_SUM);
    if (!has(self, LOG_ACTION))
        return refuse(self, "no column looks like the action: --action NAME says which it is", names, n, err);
    if (self->tally && !has(self, LOG_SQUARES))
        return refuse(self, "a tally needs the column reward_squares", names, n, err);
    if (!self->tally && !has(self, LOG_REWARD) && !has(self, LOG_COST))
        return refuse(self, "no column looks like the reward: --reward NAME says which it is", names, n, err);
    if (!self->tally && has(self, LOG_REWARD) && has(self, LOG_COST))
        return refuse(self, "--cost and --reward cannot be used together", names, n, err);
    return check_twice(self, names, n, err);
}

int log_plan(log_reader *self, const char *const *names, size_t n, roster_error *err)
{
    int code = plan_named(self, names, n, err);
    if (code == ROSTER_OK)
        code = plan_lists(self, names, n, err);
    if (code == ROSTER_OK)
        code = plan_policies(self, names, n, err);
    if (code == ROSTER_OK)
        code = check_needed(self, names, n, err);
    self->n_fields = n;
    self->planned = code == ROSTER_OK;
    return code;
}

int log_find_again(log_reader *self, const char *const *names, size_t n, roster_error *err)
{
    for (size_t s = 0; s < self->n_slots; s++) {
        char what[200], shown[80];
        size_t at = find(self->slots[s].name, names, n);
        snprintf(what, sizeof what, "no column is named '%s', which the file before it has",
                 log_shown(self->slots[s].name, strlen(self->slots[s].name), shown, sizeof shown));
        if (at == n)
            return refuse(self, what, names, n, err);
        self->slots[s].column = at;
    }
    self->n_fields = n;
    return check_twice(self, names, n, err);
}
