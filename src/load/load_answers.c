/*
 * load_answers.c: what the service answers, compared with what it must answer.
 *
 *   a decision   of the event that was asked for, by an expert and with an action that exist; the propensity is the
 *                table's probability; the action is the one that seed, event and expert determine
 *   a reward     joined the first time, not the second; late or unknown only after the window, or when very many
 *                events came in between
 *
 * Paper: none.
 * Cost: O(V) per decision.
 * Check: tests/http/drive.py has a service that errs in every one of these ways.
 */
#include "load_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double OWN_WAIT = 3600;         /* the service's, where the campaign says nothing     */
static const double FAST = 1.1;              /* its time, drawn to the wall clock, may run so fast */
static const uint64_t FORGET_AFTER = 100000; /* later events, after which one may be forgotten     */

static const char *const words[LOAD_STATUSES] = {"joined", "duplicate", "late", "unknown", "out-of-range"};

const char *load_status_word(load_status status)
{
    return words[status];
}

static int contradiction(const load_item *item, roster_error *err, const char *what, const char *name)
{
    return common_fail(err, ROSTER_EINVAL, "the server contradicts itself: event %llu: %s%.100s",
                       (unsigned long long)item->event, what, name != NULL ? name : "");
}

/* The i-th part of an answer, which is a list, or one object for one item. NULL: it is neither. */
static const json_t *part_of(const json_t *answer, const load_connection *c, size_t i)
{
    if (json_is_array(answer))
        return json_array_size(answer) == c->n_items ? json_array_get(answer, i) : NULL;
    return c->n_items == 1 ? answer : NULL;
}

/* That it is no error, and about this event. */
static int check_part(const json_t *part, const load_item *item, roster_error *err)
{
    char id[24];
    const char *sentence = json_string_value(json_object_get(json_object_get(part, "error"), "message"));
    const char *given = json_string_value(json_object_get(part, "event_id"));
    snprintf(id, sizeof id, "%llu", (unsigned long long)item->event);
    if (sentence != NULL)
        return common_fail(err, ROSTER_EINVAL, "the server refuses event %s: %.400s", id, sentence);
    if (given == NULL || strcmp(given, id) != 0)
        return contradiction(item, err, "the answer in its place is about ", given != NULL ? given : "no event");
    return ROSTER_OK;
}

static int check_choice(const load *self, const load_item *item, size_t k, size_t v, double propensity,
                        roster_error *err)
{
    const load_users *u = &self->users;
    double p = u->pi[(k * u->x + item->context) * u->v + v];
    char what[200];
    if (!(p > 0))
        return contradiction(item, err, "its action is one that the expert never takes there", NULL);
    if (!(fabs(propensity - p) <= 1e-12)) {
        snprintf(what, sizeof what, "its propensity is %.17g, but the expert takes the action with %.17g", propensity,
                 p);
        return contradiction(item, err, what, NULL);
    }
    if (load_users_action(u, item, k) != v)
        return contradiction(item, err, "its action is not the one that the campaign's seed draws", NULL);
    return ROSTER_OK;
}

static int check_decision(const load *self, const load_connection *c, const json_t *part, const load_item *item,
                          size_t *k, size_t *v, roster_error *err)
{
    const char *expert = json_string_value(json_object_get(part, "expert"));
    const char *action = json_string_value(json_object_get(part, "action"));
    *k = load_names_find(&self->experts, expert);
    *v = load_names_find(&self->actions, action);
    if (*k == self->users.n)
        return contradiction(item, err, "there is no expert ", expert);
    if (*v == self->users.v)
        return contradiction(item, err, "there is no action ", action);
    if (json_is_true(json_object_get(part, "repeated")) && !c->tried)
        return contradiction(item, err, "it was decided before, though not asked for: do others use the campaign?",
                             NULL);
    return check_choice(self, item, *k, *v, json_number_value(json_object_get(part, "propensity")), err);
}

static int learn_decision(load *self, load_item item, size_t k, size_t v, double asked, roster_error *err)
{
    load_figures *f = self->figures;
    load_fate fate = load_users_fate(&self->users, item.event);
    load_users_earn(&self->users, &item, v);
    f->decisions++;
    f->plays[k]++;
    f->regret += self->users.gaps[k];
    f->best += self->users.gaps[k] == 0;
    f->reward += item.reward;
    f->lost += fate.lost;
    item.decided = asked;
    item.due = self->heard + fate.delay;
    return fate.lost || load_queue_add(&self->queue, &item) ? ROSTER_OK
                                                            : common_fail(err, ROSTER_EINVAL, "out of memory");
}

int load_take_decisions(load *self, load_connection *c, roster_error *err)
{
    if (c->status != 200)
        return load_refused(c, "a decision", err);
    json_t *answer = json_loadb(c->in.data + c->head, c->length, 0, NULL);
    int code = ROSTER_OK;
    for (size_t i = 0; code == ROSTER_OK && i < c->n_items; i++) {
        size_t k = 0, v = 0;
        const json_t *part = part_of(answer, c, i);
        code = check_part(part, &c->items[i], err);
        if (code == ROSTER_OK)
            code = check_decision(self, c, part, &c->items[i], &k, &v, err);
        if (code == ROSTER_OK)
            code = learn_decision(self, c->items[i], k, v, c->began, err);
        self->figures->repeated += json_is_true(json_object_get(part, "repeated"));
    }
    json_decref(answer);
    return code;
}

/* Whether that can be said of the reward. */
static int check_status(const load *self, const load_connection *c, const load_item *item, load_status status,
                        roster_error *err)
{
    double wait = self->options->wait > 0 ? self->options->wait : OWN_WAIT;
    bool soon = self->heard < item->decided + wait / FAST && self->users.event < item->event + FORGET_AFTER;
    if (status == LOAD_OUT_OF_RANGE)
        return contradiction(item, err, "its reward is in [0, 1], but the answer says out of range", NULL);
    if (status == LOAD_JOINED && item->again)
        return contradiction(item, err, "its reward was sent twice and joined twice", NULL);
    if (status == LOAD_DUPLICATE && !item->again && !c->tried)
        return contradiction(item, err, "its reward was sent once, but the answer says duplicate", NULL);
    if ((status == LOAD_LATE || status == LOAD_UNKNOWN) && soon && !item->again)
        return contradiction(item, err, "its reward came within the window, but the answer says ", words[status]);
    return ROSTER_OK;
}

static int take_reward(load *self, const load_connection *c, const json_t *part, load_item item, roster_error *err)
{
    const char *word = json_string_value(json_object_get(part, "status"));
    int status = 0;
    while (status < LOAD_STATUSES && (word == NULL || strcmp(words[status], word) != 0))
        status++;
    if (status == LOAD_STATUSES)
        return contradiction(&item, err, "its reward has no status that is known: ", word);
    self->figures->statuses[status]++;
    int code = check_status(self, c, &item, (load_status)status, err);
    load_fate fate = load_users_fate(&self->users, item.event);
    if (code != ROSTER_OK || item.again || !fate.twice)
        return code;
    item.again = true;
    item.due = self->heard + fate.again;
    return load_queue_add(&self->queue, &item) ? ROSTER_OK : common_fail(err, ROSTER_EINVAL, "out of memory");
}

int load_take_rewards(load *self, load_connection *c, roster_error *err)
{
    json_t *answer = json_loadb(c->in.data + c->head, c->length, 0, NULL);
    int code = ROSTER_OK;
    for (size_t i = 0; code == ROSTER_OK && i < c->n_items; i++) {
        const json_t *part = part_of(answer, c, i);
        code = check_part(part != NULL ? part : answer, &c->items[i], err);
        if (code == ROSTER_OK)
            code = take_reward(self, c, part, c->items[i], err);
    }
    json_decref(answer);
    return code;
}
