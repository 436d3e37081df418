/*
 * policies.c: the list of policies, from their names.
 *
 * Labels of the roster and of --actions are entered before the log's, so that a label's number is the roster's own.
 *
 * Paper: none. Cost: names.
 * Check: tests/cli/evaluate.t.
 */
#include "policy_internal.h"

#include "common_error.h"
#include "grow.h"
#include "nearest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ACTIONS_MOST = 1 << 20 };

static bool enter(log_labels *labels, const char *text)
{
    return log_labels_add(labels, text, strlen(text)) != LOG_NONE;
}

static bool find_largest(policies *self)
{
    size_t rows = self->n_experts * self->n_contexts;
    self->most = calloc(rows, sizeof *self->most);
    for (size_t row = 0; self->most != NULL && row < rows; row++)
        for (size_t v = 0; v < self->n_roster_actions; v++) {
            double pi =
                roster_experts_probability(self->roster.experts, row / self->n_contexts, row % self->n_contexts, v);
            self->most[row] = pi > self->most[row] ? pi : self->most[row];
        }
    return self->most != NULL;
}

/* Numbers the names of the roster; title: where they are from. */
static int enter_roster(policies *self, const char *title, roster_error *err)
{
    char text[32];
    const roster_experts *e = self->roster.experts;
    bool room = true;
    self->n_experts = roster_experts_count(e);
    self->n_contexts = roster_experts_contexts(e);
    self->n_roster_actions = roster_experts_actions(e);
    for (size_t k = 0; k < self->n_experts; k++)
        room = room && enter(log_experts(self->log), roster_experts_name(e, k));
    for (size_t x = 0; x < self->n_contexts; x++)
        room = room && enter(log_contexts(self->log), roster_tables_context(&self->roster, x, text, sizeof text));
    for (size_t v = 0; v < self->n_roster_actions; v++)
        room = room && enter(log_actions(self->log), roster_tables_action(&self->roster, v, text, sizeof text));
    if (!room || !find_largest(self))
        return common_fail_memory(err);
    if (log_labels_count(log_experts(self->log)) != self->n_experts ||
        log_labels_count(log_contexts(self->log)) != self->n_contexts ||
        log_labels_count(log_actions(self->log)) != self->n_roster_actions)
        return common_fail(err, ROSTER_EINVAL, "%s: two experts, contexts or actions have the same name", title);
    return ROSTER_OK;
}

static int read_roster(policies *self, const char *path, roster_error *err)
{
    int code = roster_tables_read(&self->roster, path, err);
    return code == ROSTER_OK ? enter_roster(self, path, err) : code;
}

int policies_take_tables(policies *self, const roster_tables *tables, roster_error *err)
{
    self->roster = (roster_tables){tables->experts, tables->contexts, tables->actions, NULL, NULL};
    return enter_roster(self, "the experts", err);
}

static int read_label_lines(policies *self, const char *path, FILE *file, roster_error *err)
{
    char line[LOG_LABEL_LONGEST + 3];
    size_t n = 0;
    for (int lines = 0; fgets(line, sizeof line, file) != NULL; lines++) {
        size_t size = strcspn(line, "\r\n");
        if (lines == ACTIONS_MOST)
            return common_fail(err, ROSTER_EINVAL, "--actions: %s has more than %d lines", path, ACTIONS_MOST);
        if (size > LOG_LABEL_LONGEST)
            return common_fail(err, ROSTER_EINVAL, "%s: an action is longer than %d bytes", path, LOG_LABEL_LONGEST);
        if (line[size] == '\0' && !feof(file))
            return common_fail(err, ROSTER_EINVAL, "--actions: %s is no text: it holds a byte 0", path);
        line[size] = '\0';
        n += size > 0;
        if (size > 0 && !enter(log_actions(self->log), line))
            return common_fail_memory(err);
    }
    if (ferror(file))
        return common_fail(err, ROSTER_EINVAL, "%s cannot be read: %s", path, strerror(errno));
    return n > 0 ? ROSTER_OK
                 : common_fail(err, ROSTER_EINVAL, "--actions: %s is empty, must name an action per line", path);
}

static int read_actions(policies *self, const char *actions, roster_error *err)
{
    char text[32];
    if (actions[strspn(actions, "0123456789")] == '\0') {
        unsigned long long n = strtoull(actions, NULL, 10);
        if (n < 1 || n > ACTIONS_MOST)
            return common_fail(err, ROSTER_EINVAL, "--actions is %s, must be a number from 1 to %d, or a file", actions,
                               ACTIONS_MOST);
        for (unsigned long long v = 0; v < n; v++) {
            snprintf(text, sizeof text, "%llu", v);
            if (!enter(log_actions(self->log), text))
                return common_fail_memory(err);
        }
        return ROSTER_OK;
    }
    FILE *file = fopen(actions, "r");
    if (file == NULL)
        return common_fail(err, ROSTER_EINVAL, "--actions: %s cannot be read: %s", actions, strerror(errno));
    int code = read_label_lines(self, actions, file, err);
    fclose(file);
    return code;
}

int policies_take_actions(policies *self, const char *const *labels, size_t n, roster_error *err)
{
    if (n == 0)
        return common_fail(err, ROSTER_EINVAL, "--actions is an empty list, must name an action at least");
    for (size_t i = 0; i < n; i++)
        if (!enter(log_actions(self->log), labels[i]))
            return common_fail_memory(err);
    policies_fix_actions(self);
    return ROSTER_OK;
}

int policies_create(policies **out, log_reader *log, const char *roster, const char *actions, roster_error *err)
{
    policies *self = calloc(1, sizeof *self);
    *out = NULL;
    if (self == NULL)
        return common_fail_memory(err);
    self->log = log;
    int code = roster != NULL ? read_roster(self, roster, err) : ROSTER_OK;
    if (code == ROSTER_OK && actions != NULL)
        code = read_actions(self, actions, err);
    self->n_actions = actions != NULL ? log_labels_count(log_actions(log)) : 0;
    if (code == ROSTER_OK)
        *out = self;
    else
        policies_free(self);
    return code;
}

void policies_free(policies *self)
{
    if (self == NULL)
        return;
    roster_tables_free(&self->roster);
    common_arena_free(&self->arena);
    cells_free(&self->seen);
    free(self->best);
    free(self->most);
    free(self->list);
    free(self);
}

static bool is_listed(const policies *self, const char *name)
{
    for (size_t i = 0; i < self->n; i++)
        if (strcmp(self->list[i].name, name) == 0)
            return true;
    return false;
}

static int append(policies *self, policy p, const char *name, roster_error *err)
{
    if (is_listed(self, name))
        return common_fail(err, ROSTER_EINVAL, "--policy %s is given twice, or stands for two policies", name);
    p.name = common_arena_text(&self->arena, name);
    if (p.name == NULL || !common_grow(&self->list, &self->room, self->n + 1, sizeof *self->list))
        return common_fail_memory(err);
    self->learns = self->learns || p.greedy;
    self->list[self->n++] = p;
    return ROSTER_OK;
}

static int append_always(policies *self, const char *name, roster_error *err)
{
    const char *label = name + strlen("always:");
    size_t size = strlen(label), before = log_labels_count(log_actions(self->log));
    if (size == 0 || size > LOG_LABEL_LONGEST)
        return common_fail(err, ROSTER_EINVAL, "--policy %.40s: always:ACTION needs an action", name);
    policy p = {.kind = POLICY_ACTION, .action = log_labels_add(log_actions(self->log), label, size)};
    if (p.action == LOG_NONE)
        return common_fail_memory(err);
    if (self->n_actions > 0 && p.action >= before)
        return common_fail(err, ROSTER_EINVAL, "--policy %.80s: there is no such action among --actions", name);
    return append(self, p, name, err);
}

static int refuse(const policies *self, const char *name, roster_error *err)
{
    const log_policy *columns;
    size_t n = log_policies(self->log, &columns);
    common_nearest near = {name, NULL, 0};
    static const char *const words[] = {"uniform", "greedy", "logged"};
    for (size_t i = 0; i < 3; i++)
        common_nearest_try(&near, words[i]);
    for (size_t i = 0; i < n; i++)
        common_nearest_try(&near, columns[i].name);
    for (size_t k = 0; k < self->n_experts; k++)
        common_nearest_try(&near, roster_experts_name(self->roster.experts, k));
    return common_fail(
        err, ROSTER_EINVAL,
        "--policy %.80s is neither uniform, greedy, logged, always:ACTION, an expert of --experts, nor a "
        "column pi_%.40s or a_%.40s of the log%s%s%s",
        name, name, name, near.best != NULL ? "; did you mean '" : "", near.best != NULL ? near.best : "",
        near.best != NULL ? "'?" : "");
}

int policies_add(policies *self, const char *name, roster_error *err)
{
    const log_policy *columns;
    size_t n = log_policies(self->log, &columns);
    if (strncmp(name, "always:", 7) == 0)
        return append_always(self, name, err);
    for (size_t k = 0; k < self->n_experts; k++)
        if (strcmp(roster_experts_name(self->roster.experts, k), name) == 0)
            return append(self, (policy){.kind = POLICY_TABLE, .place = k, .action = LOG_NONE}, name, err);
    for (size_t i = 0; i < n; i++)
        if (strcmp(columns[i].name, name) == 0)
            return append(
                self,
                (policy){.kind = columns[i].is_action ? POLICY_ACTION : POLICY_COLUMN, .place = i, .action = LOG_NONE},
                name, err);
    if (strcmp(name, "uniform") == 0)
        return append(self, (policy){.kind = POLICY_UNIFORM, .action = LOG_NONE}, name, err);
    if (strcmp(name, "logged") == 0)
        return append(self, (policy){.kind = POLICY_LOGGED, .action = LOG_NONE}, name, err);
    if (strcmp(name, "greedy") == 0)
        return append(self, (policy){.kind = POLICY_ACTION, .greedy = true, .action = LOG_NONE}, name, err);
    return refuse(self, name, err);
}

int policies_add_experts(policies *self, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t k = 0; code == ROSTER_OK && k < self->n_experts; k++)
        code = policies_add(self, roster_experts_name(self->roster.experts, k), err);
    return code;
}

int policies_add_default(policies *self, roster_error *err)
{
    const log_policy *columns;
    size_t n = log_policies(self->log, &columns);
    int code = policies_add_experts(self, err);
    for (size_t i = 0; code == ROSTER_OK && i < n; i++)
        code = is_listed(self, columns[i].name)
                   ? common_fail(err, ROSTER_EINVAL,
                                 "column %s%.80s has the name of another column's policy, or of an expert: rename it",
                                 columns[i].is_action ? "a_" : "pi_", columns[i].name)
                   : policies_add(self, columns[i].name, err);
    return code == ROSTER_OK && self->n == 0 ? policies_add(self, "uniform", err) : code;
}

const roster_experts *policies_experts(const policies *self)
{
    return self->roster.experts;
}

size_t policies_count(const policies *self)
{
    return self->n;
}

const policy *policies_get(const policies *self, size_t i)
{
    return &self->list[i];
}

bool policies_need_actions(const policies *self)
{
    for (size_t i = 0; i < self->n; i++)
        if (self->list[i].kind == POLICY_UNIFORM)
            return self->n_actions == 0;
    return false;
}

size_t policies_actions(const policies *self)
{
    return self->n_actions > 0 ? self->n_actions : log_labels_count(log_actions(self->log));
}

size_t policies_contexts(const policies *self)
{
    return self->n_contexts;
}

void policies_fix_actions(policies *self)
{
    self->n_actions = log_labels_count(log_actions(self->log));
}
