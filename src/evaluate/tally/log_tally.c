/*
 * log_tally.c: events that agree in expert, context, action, propensity, drop rate and policies, counted.
 *
 *   count, reward_sum, reward_squares   over the events of a group: all that estimates and intervals for one look need
 *
 * Paper: none. Cost: O(1) per event; memory for the groups, as many as there are different propensities and labels.
 * Check: tests/cli/tally.t.
 */
#include "log_tally.h"

#include "common_error.h"
#include "common_hash.h"
#include "common_json.h"
#include "csv_writer.h"
#include "grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIXED = 5, GROUPS_MOST = 1 << 24 };

struct log_tally {
    log_reader *log; /* borrowed */
    size_t width;    /* numbers of a key: context, action, expert, propensity, drop, policies; then the three sums */
    double *rows;    /* owned, [n][width + 3] */
    size_t n, room;
    uint32_t *slots; /* owned, [n_slots], a power of two: number + 1 of the group, 0: free */
    size_t n_slots;
    double events;
    double least, most; /* reward; of a tally's line the mean */
};

void log_tally_free(log_tally *self)
{
    if (self == NULL)
        return;
    free(self->rows);
    free(self->slots);
    free(self);
}

static double *row(const log_tally *self, size_t i)
{
    return self->rows + i * (self->width + 3);
}

static size_t probe(const log_tally *self, const double *key)
{
    uint64_t hash = common_hash_words(0, key, self->width * sizeof *key);
    size_t at = (size_t)(hash * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (self->n_slots - 1);
    while (self->slots[at] != 0 && memcmp(row(self, self->slots[at] - 1), key, self->width * sizeof *key) != 0)
        at = (at + 1) & (self->n_slots - 1);
    return at;
}

static bool reserve(log_tally *self)
{
    if (!common_grow(&self->rows, &self->room, (self->n + 1) * (self->width + 3), sizeof *self->rows))
        return false;
    if (2 * (self->n + 1) <= self->n_slots)
        return true;
    size_t n_slots = self->n_slots > 0 ? 2 * self->n_slots : 1024;
    uint32_t *slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    free(self->slots);
    self->slots = slots;
    self->n_slots = n_slots;
    for (size_t i = 0; i < self->n; i++)
        slots[probe(self, row(self, i))] = (uint32_t)i + 1;
    return true;
}

static int add(log_tally *self, const log_event *e, double *key, roster_error *err)
{
    const double fixed[FIXED] = {e->context, e->action, e->expert, isnan(e->propensity) ? 0 : e->propensity, e->drop};
    memcpy(key, fixed, sizeof fixed);
    memcpy(key + FIXED, e->policies, (self->width - FIXED) * sizeof *key);
    if (!reserve(self))
        return common_fail_memory(err);
    size_t at = probe(self, key);
    if (self->slots[at] == 0) {
        if (self->n == GROUPS_MOST)
            return common_fail(
                err, ROSTER_EINVAL,
                "there are more than %d groups: propensities, contexts or policies differ too much for a "
                "tally; evaluate the log itself",
                GROUPS_MOST);
        memcpy(row(self, self->n), key, self->width * sizeof *key);
        memset(row(self, self->n) + self->width, 0, 3 * sizeof *key);
        self->slots[at] = (uint32_t)++self->n;
    }
    double *sums = row(self, self->slots[at] - 1) + self->width;
    sums[0] += e->count;
    sums[1] += e->count * e->reward;
    sums[2] += e->count * e->squares;
    self->events += e->count;
    self->least = fmin(self->least, e->reward);
    self->most = fmax(self->most, e->reward);
    return ROSTER_OK;
}

int log_tally_read(log_tally **out, log_reader *log, roster_error *err)
{
    const log_policy *policies;
    log_event e;
    int code = ROSTER_OK, more = 1;
    log_tally *self = calloc(1, sizeof *self);
    *out = NULL;
    if (self == NULL)
        return common_fail_memory(err);
    self->log = log;
    self->least = INFINITY;
    self->most = -INFINITY;
    self->width = FIXED + log_policies(log, &policies);
    double *key = calloc(self->width, sizeof *key);
    if (key == NULL)
        code = common_fail_memory(err);
    while (code == ROSTER_OK && (more = log_next(log, &e, err)) > 0)
        code = add(self, &e, key, err);
    code = code == ROSTER_OK && more < 0 ? err->code : code;
    free(key);
    if (code == ROSTER_OK)
        *out = self;
    else
        log_tally_free(self);
    return code;
}

size_t log_tally_groups(const log_tally *self)
{
    return self->n;
}

double log_tally_events(const log_tally *self)
{
    return self->events;
}

void log_tally_reward_range(const log_tally *self, double *least, double *most)
{
    *least = self->least;
    *most = self->most;
}

/* Which of the fixed columns there are. */
static void find_columns(const log_tally *self, bool has[FIXED])
{
    for (int c = 0; c < FIXED; c++)
        has[c] = c == 1;
    for (size_t i = 0; i < self->n; i++) {
        const double *key = row(self, i);
        has[0] = has[0] || log_labels_count(log_contexts(self->log)) > 0;
        has[2] = has[2] || key[2] != LOG_NONE;
        has[3] = has[3] || key[3] > 0;
        has[4] = has[4] || key[4] > 0;
    }
}

static void put_label(log_labels *labels, double number, FILE *out)
{
    csv_put_field(out, number < (double)log_labels_count(labels) ? log_labels_name(labels, (uint32_t)number) : "");
}

/* As short as it can be written and be read as the same. */
static void put_number(double number, FILE *out)
{
    char text[32];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    fputs(text, out);
}

static void put_row(const log_tally *self, const bool has[FIXED], const double *key, FILE *out)
{
    const log_policy *policies;
    size_t n = log_policies(self->log, &policies);
    log_labels *const labels[] = {log_contexts(self->log), log_actions(self->log), log_experts(self->log)};
    for (int c = 0; c < FIXED; c++) {
        if (has[c] && c < 3)
            put_label(labels[c], key[c], out);
        else if (has[c])
            put_number(key[c], out);
        if (has[c])
            fputc(',', out);
    }
    for (size_t i = 0; i < n; i++) {
        if (policies[i].is_action)
            put_label(labels[1], key[FIXED + i], out);
        else
            put_number(key[FIXED + i], out);
        fputc(',', out);
    }
    for (size_t k = 0; k < 3; k++) {
        put_number(key[self->width + k], out);
        fputc(k < 2 ? ',' : '\n', out);
    }
}

void log_tally_write(const log_tally *self, FILE *out)
{
    static const char *const names[FIXED] = {"context", "action", "expert", "propensity", "drop"};
    const log_policy *policies;
    size_t n = log_policies(self->log, &policies);
    bool has[FIXED];
    find_columns(self, has);
    for (int c = 0; c < FIXED; c++)
        if (has[c])
            fprintf(out, "%s,", names[c]);
    for (size_t i = 0; i < n; i++) {
        char name[400];
        snprintf(name, sizeof name, "%s%.300s", policies[i].is_action ? "a_" : "pi_", policies[i].name);
        csv_put_field(out, name);
        fputc(',', out);
    }
    fputs("count,reward_sum,reward_squares\n", out);
    for (size_t i = 0; i < self->n; i++)
        put_row(self, has, row(self, i), out);
}

/* Label `number` where there is one. */
static void emit_label(common_json *e, const char *key, log_labels *labels, double number)
{
    if (number < (double)log_labels_count(labels))
        common_json_text(e, key, log_labels_name(labels, (uint32_t)number));
}

void log_tally_write_json(const log_tally *self, FILE *out)
{
    common_json e = {.out = out};
    common_json_open_lines(&e, NULL, '[');
    for (size_t i = 0; i < self->n; i++) {
        const double *key = row(self, i), *sums = key + self->width;
        common_json_open(&e, NULL, '{');
        emit_label(&e, "context", log_contexts(self->log), key[0]);
        emit_label(&e, "action", log_actions(self->log), key[1]);
        emit_label(&e, "expert", log_experts(self->log), key[2]);
        if (key[3] > 0)
            common_json_number(&e, "propensity", key[3]);
        common_json_count(&e, "count", (uint64_t)sums[0]);
        common_json_number(&e, "reward_sum", sums[1]);
        common_json_number(&e, "reward_squares", sums[2]);
        common_json_close(&e);
    }
    common_json_close(&e);
    common_json_end(&e);
}
