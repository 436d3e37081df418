/*
 * evaluation.c: sums over the events of a log, per policy and cell, and the intervals that grow with it.
 *
 *   w          pi / p
 *   c          1 / (1 - d), the events that an event stands for which was kept at rate 1 - d: sums are those of c
 *              events alike, and intervals are as wide as the kept ones make them (value_intervals.c). The order of
 *              events says nothing of those that were dropped: where d varies no interval is valid at any time
 *   v          the weight as the estimator takes it: min(w, level) of clipped, w where w <= level of switch-dr,
 *              level w / (w^2 + level) of dros
 *   y          (r - low) / (high - low)
 *   psi        m + w (y - m), m the mean y before the event (1/2 at first); of the difference to what was served
 *              (w - 1)(y - m). Clipped towards caution: min(w, clip) y below, 1 - min(w, clip)(1 - y) above
 *   reach      the largest w possible: told by the log's complete probabilities or by the experts' tables; else the
 *              policy's largest probability over the smallest propensity that is possible, or was seen until now
 *
 * Paper: none. Beyond it: SPEC-2, sections 15 and 18.
 * Cost: O(1) per event and policy; memory for cells and policies, not for events.
 * Check: (p, r, pi, count) = (.2, 1, .3, 1), (.2, 2, .1, 2): SNIPS 1.4, IPS 7/6 (tests/unit/test_evaluation.c:
 * two_lines); Open Bandit's sample: tests/unit/test_evaluation.c: obd_*.
 */
#include "value_internal.h"

#include "grow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SUMS_MOST = 1 << 26, FIRST_BIN = -14 };

evaluation *evaluation_create(const policies *list, const evaluate_settings *settings)
{
    evaluation *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    self->list = list;
    self->settings = *settings;
    self->n = policies_count(list);
    self->tracked = calloc(self->n, sizeof *self->tracked);
    self->least_reward = INFINITY;
    self->most_reward = -INFINITY;
    self->least_propensity = settings->least_propensity > 0 ? settings->least_propensity : INFINITY;
    self->step = 1;
    roster_sequence_init(&self->served, settings->delta, false);
    bool room = self->tracked != NULL;
    for (size_t i = 0; room && i < self->n; i++) {
        tracked *t = &self->tracked[i];
        t->points = calloc(EVALUATE_POINTS + 1, sizeof *t->points);
        room = t->points != NULL;
        roster_sequence_init(&t->value, settings->delta, false);
        roster_sequence_init(&t->difference, settings->delta, true);
        t->value_high = t->value;
        t->difference_high = t->difference;
    }
    if (room)
        return self;
    evaluation_free(self);
    return NULL;
}

void evaluation_free(evaluation *self)
{
    if (self == NULL)
        return;
    for (size_t i = 0; self->tracked != NULL && i < self->n; i++) {
        cells_free(&self->tracked[i].targets);
        cells_free(&self->tracked[i].unbounded);
        free(self->tracked[i].points);
    }
    free(self->tracked);
    free(self->sums);
    cells_free(&self->cells);
    free(self);
}

/* The sums of a cell, made where it is new. NULL: no memory, or too many. */
static double *sums_of(evaluation *self, const log_event *e, uint32_t *at)
{
    size_t each = self->n * SUMS, before = self->cells.n;
    *at = cells_add(&self->cells, e->context, e->action);
    self->full = self->cells.n > SUMS_MOST / (each > 0 ? each : 1);
    if (*at == CELLS_END || self->full ||
        !common_grow(&self->sums, &self->sums_room, self->cells.n * each + 1, sizeof *self->sums))
        return NULL;
    if (self->cells.n > before)
        memset(self->sums + before * each, 0, each * sizeof *self->sums);
    return self->sums + *at * each;
}

static void add_six(double *sums, double count, double w, double reward, double squares)
{
    double cw = count * w, cw2 = cw * w;
    sums[0] += cw;
    sums[1] += cw * reward;
    sums[2] += cw * squares;
    sums[3] += cw2;
    sums[4] += cw2 * reward;
    sums[5] += cw2 * squares;
}

size_t value_bin(double w)
{
    int exponent;
    if (!(w > 0))
        return 0;
    frexp(w, &exponent);
    exponent -= FIRST_BIN;
    return exponent < 1 ? 1 : exponent > EVALUATE_BINS - 1 ? EVALUATE_BINS - 1 : (size_t)exponent;
}

/* An event of weight w, kept at a rate. */
static void add_weight(tracked *t, const evaluate_settings *s, double w, double count, double kept)
{
    bool levelled = s->estimator == EVALUATE_CLIPPED || s->estimator == EVALUATE_SWITCH;
    double level = s->clip > 0 ? s->clip : levelled ? s->level : INFINITY, own = w / kept;
    t->largest = own > t->largest ? own : t->largest;
    t->squares += count * own * own;
    t->clipped += w > level && !s->frequencies ? count : 0;
    t->bins[value_bin(own)] += count;
}

/* One step of the intervals that hold at every time. */
static void follow(evaluation *self, tracked *t, double w, double y, double m, double reach)
{
    double clip = self->settings.clip;
    t->reach = reach > t->reach ? reach : t->reach;
    if (!(clip > 0)) {
        roster_sequence_add(&t->value, m + w * (y - m), reach);
        roster_sequence_add(&t->difference, (w - 1) * (y - m), reach > 1 ? reach : 1);
        return;
    }
    w = w < clip ? w : clip;
    reach = clip > 1 ? clip : 1;
    roster_sequence_add(&t->value, w * y, reach);
    roster_sequence_add(&t->value_high, 1 - w * (1 - y), reach);
    roster_sequence_add(&t->difference, (w - 1) * y, reach);
    roster_sequence_add(&t->difference_high, (1 - w) * (1 - y), reach);
}

/* The propensity as far as it can be told before the event, where none is logged. */
static double progressive(const evaluation *self, const log_event *e)
{
    uint32_t at = cells_find(&self->cells, e->context, e->action);
    double actions = (double)policies_actions(self->list);
    double n = at != CELLS_END ? self->cells.list[at].n : 0;
    double all = e->context < self->cells.n_contexts ? self->cells.contexts[e->context].n : 0;
    return (n + 1 / actions) / (all + 1);
}

/* An event in one of a policy's tables of cells. */
static bool count_target(cells *in, const log_event *e, uint32_t action, double count)
{
    uint32_t at = cells_add(in, e->context, action);
    if (at != CELLS_END)
        cells_count(in, at, count, e->reward, e->squares);
    return at != CELLS_END;
}

static bool add_policy(evaluation *self, size_t i, const log_event *e, const policy_view *view, double p, double *sums)
{
    const evaluate_settings *s = &self->settings;
    tracked *t = &self->tracked[i];
    bool logged = policies_get(self->list, i)->kind == POLICY_LOGGED;
    double kept = 1 - e->drop, count = e->count / kept;
    double w = logged ? 1 : view->pi / p, summed = s->frequencies && !logged ? view->pi : w;
    add_six(sums, count, summed, e->reward, e->squares);
    if (!s->frequencies) { /* else the weight is not known before the end */
        add_six(sums + SUM_CLIPPED, count, w < s->level ? w : s->level, e->reward, e->squares);
        add_six(sums + SUM_SWITCH, count, w <= s->level ? w : 0, e->reward, e->squares);
        add_six(sums + SUM_DROS, count, s->level * w / (w * w + s->level), e->reward, e->squares);
    }
    sums[SUM_PI] += count * view->pi;
    sums[SUM_PIR] += count * view->pi * e->reward;
    sums[SUM_PIR2] += count * view->pi * e->squares;
    add_weight(t, s, w, e->count, kept);
    bool known = logged || !isnan(view->reach);
    double reach = logged ? 1 : known ? view->reach : view->most / self->least_propensity;
    if (s->interval == EVALUATE_ANYTIME) {
        double span = s->high - s->low, m = self->lines > 0 ? (self->reward / self->events - s->low) / span : 0.5;
        self->assumed = self->assumed || !known;
        reach = reach < w ? w : reach; /* probabilities that were rounded when they were logged */
        follow(self, t, w, (e->reward - s->low) / span, m, reach);
    }
    return (!isinf(reach) || count_target(&t->unbounded, e, view->action, count)) &&
           (view->action == LOG_NONE || count_target(&t->targets, e, view->action, count));
}

static void put_point(evaluation *self)
{
    for (size_t i = 0; i < self->n; i++) {
        roster_interval at = roster_sequence_interval(&self->tracked[i].value);
        double span = self->settings.high - self->settings.low;
        double high = roster_sequence_interval(&self->tracked[i].value_high).high;
        high = self->settings.clip > 0 ? high : at.high;
        self->tracked[i].points[self->n_points] =
            (evaluate_point){self->lines, self->settings.low + span * at.value,
                             self->settings.low + span * fmax(at.low, 0), self->settings.low + span * fmin(high, 1)};
    }
    self->n_points++;
}

/* When the points are full every other one is dropped, and from then on twice as many events lie between two. One more
   place is kept for the last. */
static void add_point(evaluation *self)
{
    if (self->settings.interval != EVALUATE_ANYTIME || ++self->since < self->step)
        return;
    self->since = 0;
    if (self->n_points == EVALUATE_POINTS) {
        for (size_t i = 0; i < self->n; i++)
            for (size_t j = 0; j < EVALUATE_POINTS / 2; j++)
                self->tracked[i].points[j] = self->tracked[i].points[2 * j + 1];
        self->n_points /= 2;
        self->step *= 2;
        self->since = self->step / 2;
        return;
    }
    put_point(self);
}

bool evaluation_add(evaluation *self, const log_event *e, const policy_view *views)
{
    const evaluate_settings *s = &self->settings;
    double p = s->frequencies ? progressive(self, e) : e->propensity, count = e->count / (1 - e->drop);
    uint32_t at;
    double *sums = sums_of(self, e, &at);
    if (sums == NULL)
        return false;
    self->drop_varies = self->drop_varies || (self->lines > 0 && e->drop != self->drop);
    self->drop = e->drop;
    self->most_each = 1 / (1 - e->drop) > self->most_each ? 1 / (1 - e->drop) : self->most_each;
    self->varying = self->varying || (e->n_choices > 0 && e->n_choices != policies_actions(self->list));
    self->least_propensity = p < self->least_propensity ? p : self->least_propensity;
    for (size_t i = 0; i < self->n; i++)
        if (!add_policy(self, i, e, &views[i], p, sums + i * SUMS))
            return false;
    if (s->interval == EVALUATE_ANYTIME)
        roster_sequence_add(&self->served, (e->reward - s->low) / (s->high - s->low), 1);
    cells_count(&self->cells, at, count, e->reward, e->squares);
    self->lines += e->count;
    self->events += count;
    self->reward += count * e->reward;
    self->squares += count * e->squares;
    self->least_reward = e->reward < self->least_reward ? e->reward : self->least_reward;
    self->most_reward = e->reward > self->most_reward ? e->reward : self->most_reward;
    add_point(self);
    return true;
}

void evaluation_end(evaluation *self)
{
    if (self->settings.interval == EVALUATE_ANYTIME && self->since > 0 && self->n_points <= EVALUATE_POINTS)
        put_point(self);
    self->since = 0;
}

bool evaluation_took_least(const evaluation *self)
{
    return self->assumed && self->settings.least_propensity == 0 && self->settings.clip == 0;
}

bool evaluation_drop_varies(const evaluation *self)
{
    return self->drop_varies;
}

void evaluation_forget_order(evaluation *self)
{
    self->settings.interval = EVALUATE_GAUSSIAN;
    self->n_points = 0;
}

bool evaluation_is_full(const evaluation *self)
{
    return self->full;
}

double evaluation_events(const evaluation *self)
{
    return self->events;
}

double evaluation_kept(const evaluation *self)
{
    return self->lines;
}

void evaluation_reward_range(const evaluation *self, double *least, double *most)
{
    *least = self->least_reward;
    *most = self->most_reward;
}

size_t evaluation_points(const evaluation *self, size_t i, const evaluate_point **points)
{
    *points = self->tracked[i].points;
    return self->n_points;
}

size_t evaluation_contexts(const evaluation *self)
{
    return self->cells.n_contexts;
}
