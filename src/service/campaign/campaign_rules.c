/*
 * campaign_rules.c: how long to wait for rewards, what they are worth, and when episodes begin.
 *
 *   "reward":   {"range": [low, high], "wait": seconds, "default": reward | null, "combine": "first" | "sum" | "max",
 *                "learn": "on-arrival" | "at-close", "remember": seconds, "events_most": count}
 *   "episodes": {"rounds": count, "schedule": [{"at": "HH:MM[:SS]", "days": ["mon", ..]}, ..]}      times are UTC
 *
 * Paper: none.
 *
 *   mapped = (raw - low) / (high - low)
 *
 * Left out: range [0, 1], wait an hour, no default, first, remember as long as wait, 1,000,000 events; learn at-close
 * with a default and for sum and max, else on-arrival; no rounds, no schedule.
 *
 * Check: tests/unit/test_service_refused.c: rules_refused; tests/unit/test_service_rewards.c.
 */
#include "service_internal.h"

#include <stdio.h>
#include <string.h>

static const double WAIT_MOST = 366.0 * 86400;
static const char *const days[] = {"mon", "tue", "wed", "thu", "fri", "sat", "sun", NULL};

/* One of the words; else all of them are named. */
static int read_word(const common_node *at, const char *const *words, size_t *which, roster_error *err)
{
    const char *word;
    int code = common_word(at, &word, err);
    if (code != ROSTER_OK)
        return code;
    for (*which = 0; words[*which] != NULL; ++*which)
        if (strcmp(words[*which], word) == 0)
            return ROSTER_OK;
    char known[80] = "";
    for (size_t i = 0, used = 0; words[i] != NULL && used < sizeof known; i++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s\"%s\"", i > 0 ? ", " : "", words[i]);
    return common_fail_at(at, err, "is \"%.40s\", must be one of %s", word, known);
}

static int read_range(service_rules *self, const common_node *at, roster_error *err)
{
    common_node low = common_item(at, 0), high = common_item(at, 1);
    int code = at->json != NULL && json_array_size(at->json) != 2
                   ? common_fail_at(at, err, "must be a list of two numbers, the least and the largest reward")
                   : ROSTER_OK;
    self->low = 0;
    self->high = 1;
    if (code != ROSTER_OK || at->json == NULL)
        return code;
    code = common_number_in(&low, -1e100, 1e100, &self->low, err);
    if (code == ROSTER_OK)
        code = common_number_in(&high, -1e100, 1e100, &self->high, err);
    if (code == ROSTER_OK && !(self->low < self->high))
        code = common_fail_at(at, err, "is [%g, %g], must have the least reward first", self->low, self->high);
    return code;
}

static int read_seconds(const common_node *at, double low, double otherwise, int64_t *out, roster_error *err)
{
    double seconds = otherwise;
    int code = at->json != NULL ? common_number_in(at, low, WAIT_MOST, &seconds, err) : ROSTER_OK;
    *out = code == ROSTER_OK ? (int64_t)(seconds * (double)SERVICE_MICRO + 0.5) : 0;
    return code;
}

static int read_learning(service_rules *self, const common_node *reward, roster_error *err)
{
    static const char *const combines[] = {"first", "sum", "max", NULL};
    static const char *const learns[] = {"on-arrival", "at-close", NULL};
    common_node combine = common_key(reward, "combine"), learn = common_key(reward, "learn");
    common_node otherwise = common_key(reward, "default");
    size_t which = 0;
    int code = combine.json != NULL ? read_word(&combine, combines, &which, err) : ROSTER_OK;
    self->combine = which == 1 ? SERVICE_COMBINE_SUM : which == 2 ? SERVICE_COMBINE_MAX : SERVICE_COMBINE_FIRST;
    self->otherwise = NAN;
    if (code == ROSTER_OK && otherwise.json != NULL && !json_is_null(otherwise.json))
        code = common_number_in(&otherwise, self->low, self->high, &self->otherwise, err);
    which = self->combine != SERVICE_COMBINE_FIRST || !isnan(self->otherwise);
    if (code == ROSTER_OK && learn.json != NULL)
        code = read_word(&learn, learns, &which, err);
    self->at_close = which == 1;
    if (code == ROSTER_OK && !self->at_close && self->combine != SERVICE_COMBINE_FIRST)
        code = common_fail_at(&learn, err, "is \"on-arrival\", must be \"at-close\" where rewards are combined");
    return code;
}

static int read_reward(service_rules *self, const common_node *root, roster_error *err)
{
    static const char *const known[] = {"range", "wait",     "default",     "combine",
                                        "learn", "remember", "events_most", NULL};
    common_node at = common_key(root, "reward"), range = common_key(&at, "range");
    common_node wait = common_key(&at, "wait"), remember = common_key(&at, "remember");
    common_node most = common_key(&at, "events_most");
    int code = at.json != NULL ? common_object(&at, err) : ROSTER_OK;
    if (code == ROSTER_OK)
        code = common_keys(&at, known, err);
    if (code == ROSTER_OK)
        code = read_range(self, &range, err);
    if (code == ROSTER_OK)
        code = read_seconds(&wait, 0.001, 3600, &self->wait, err);
    if (code == ROSTER_OK)
        code = read_seconds(&remember, 0, (double)self->wait / (double)SERVICE_MICRO, &self->remember, err);
    self->events_most = 1000000;
    if (code == ROSTER_OK && most.json != NULL)
        code = common_count(&most, 1, 100000000, &self->events_most, err);
    return code == ROSTER_OK ? read_learning(self, &at, err) : code;
}

static bool two_digits(const char *text, int most, int *out)
{
    if (text[0] < '0' || text[0] > '9' || text[1] < '0' || text[1] > '9')
        return false;
    *out = 10 * (text[0] - '0') + text[1] - '0';
    return *out <= most;
}

static int read_clock(const common_node *at, int32_t *second, roster_error *err)
{
    const char *text;
    int h = 0, m = 0, s = 0;
    int code = common_word(at, &text, err);
    if (code != ROSTER_OK)
        return code;
    size_t size = strlen(text);
    bool right = (size == 5 || size == 8) && two_digits(text, 23, &h) && text[2] == ':' && two_digits(text + 3, 59, &m);
    if (right && size == 8)
        right = text[5] == ':' && two_digits(text + 6, 59, &s);
    *second = 3600 * h + 60 * m + s;
    return right ? ROSTER_OK : common_fail_at(at, err, "is \"%.40s\", must be a time like \"03:00\"", text);
}

static int read_days(const common_node *at, uint8_t *bits, roster_error *err)
{
    size_t n = 0;
    *bits = 0x7f;
    int code = at->json != NULL ? common_list(at, &n, err) : ROSTER_OK;
    for (size_t i = 0; code == ROSTER_OK && i < n; i++) {
        common_node day = common_item(at, i);
        size_t which = 0;
        code = read_word(&day, days, &which, err);
        *bits = (uint8_t)((i > 0 ? *bits : 0) | 1u << which);
    }
    return code;
}

static int read_schedule(service_rules *self, const common_node *list, roster_error *err)
{
    static const char *const known[] = {"at", "days", NULL};
    int code = common_list(list, &self->n_times, err);
    if (code == ROSTER_OK && self->n_times > SERVICE_SCHEDULE_MOST)
        code = common_fail_at(list, err, "has %zu entries, must have at most %d", self->n_times, SERVICE_SCHEDULE_MOST);
    for (size_t i = 0; code == ROSTER_OK && i < self->n_times; i++) {
        common_node entry = common_item(list, i), at = common_key(&entry, "at");
        common_node on = common_key(&entry, "days");
        code = common_object(&entry, err);
        if (code == ROSTER_OK)
            code = common_keys(&entry, known, err);
        if (code == ROSTER_OK)
            code = read_clock(&at, &self->times[i].second, err);
        if (code == ROSTER_OK)
            code = read_days(&on, &self->times[i].days, err);
    }
    return code;
}

int service_rules_read(service_rules *self, const common_node *root, roster_error *err)
{
    static const char *const known[] = {"rounds", "schedule", NULL};
    common_node at = common_key(root, "episodes"), rounds = common_key(&at, "rounds");
    common_node schedule = common_key(&at, "schedule");
    *self = (service_rules){0};
    int code = read_reward(self, root, err);
    if (code != ROSTER_OK || at.json == NULL)
        return code;
    code = common_object(&at, err);
    if (code == ROSTER_OK)
        code = common_keys(&at, known, err);
    if (code == ROSTER_OK && rounds.json != NULL)
        code = common_count(&rounds, 1, EXPERIMENT_ROUNDS_MOST, &self->rounds, err);
    return code == ROSTER_OK && schedule.json != NULL ? read_schedule(self, &schedule, err) : code;
}

int64_t service_rules_next(const service_rules *self, int64_t at)
{
    const int64_t day = 86400 * SERVICE_MICRO;
    int64_t today = at / day - (at % day < 0), next = INT64_MAX;
    for (size_t i = 0; i < self->n_times; i++)
        for (int64_t d = today; d <= today + 7; d++) {
            int64_t when = d * day + self->times[i].second * SERVICE_MICRO;
            int64_t weekday = ((d + 3) % 7 + 7) % 7; /* 1970 began on a Thursday */
            if (when > at && (self->times[i].days >> weekday & 1)) {
                next = when < next ? when : next;
                break;
            }
        }
    return next;
}

double service_rules_map(const service_rules *self, double raw)
{
    double mapped = (raw - self->low) / (self->high - self->low);
    return mapped < 0 ? 0 : mapped > 1 ? 1 : mapped;
}
