/*
 * lazy_index.c: D-UCB among very many experts, most of them asleep.
 *
 * Paper: none.
 *
 * certificate.c saves the rounds in which nobody can overtake; but when something must be computed, it computes all N experts.
 * With thousands of them nearly all are far behind, and stay so for a share of t rounds whatever happens. They sleep: no
 * sample is applied to them, nothing is computed, until the time comes at which they could matter. The choices are
 * those of the plain form; only the work is less.
 *
 * Bar.     A number b below the leader's index. Who is awake (active_set.c) has its exact index whenever something is looked
 *          at. Who is asleep is known to have U_i <= b. So the leader of those awake leads them all, as long as its index
 *          is above the bar; when it no longer is, all wake up and the bar is set anew.                             (1)
 * Clock.   No sum S_i of those asleep can gain more by a sample of k in cell c with reward y than y G_k(c), G_k(c) =
 *          max over i != k of r/M, since who plays is awake, and no more than y 2 L, since what is larger does not pass.
 *          The clock advances by kappa plus the smaller of these at every sample. Let it advance by h in n rounds, n <=
 *          t/8. Z_i grows, eps_i grows by at most rho n of itself (certificate.c, (3)), so
 *            U_i(t+n) <= (S_i + h - kappa n)/Z_i + 3/2 eps_i (1 + rho n) <= U_i + h/Z_i                             (2)
 *          if 3/2 eps_i rho Z_i = 3/2 C W root rho <= kappa. So i may sleep until the clock has advanced by
 *            a_i = Z_i (b - U_i),   at most kappa t/8, which keeps n <= t/8.                                        (3)
 *          L is the largest that anybody's level can become in t/8 rounds from each sample on, so a sample that
 *          passes when i wakes was counted with enough. Where C is so large that L < 0, nothing passes at all.
 * Rings.   Ring j wakes whenever the clock passes a multiple of 2^j ticks; i sleeps in one with 2^j ticks <= a_i. When
 *          a ring wakes, all lower ones do at the same moment: each has a batch of what was seen since it woke last,
 *          applies it to its members, and hands it on to the next ring. Rings that have just woken have empty batches, and
 *          only into these can anybody be put.
 * Sums.    Asleep, S_i need only be bounded from above, so a batch of k's is a sum of products in single precision,
 *            S_i += 1/M_ik sum_c s(c) pi_i(c)/pi_k(c)  over the cells with theta <= cap_i.                          (4)
 *          The bound holds while L_i <= cap_i. For most experts nothing lies outside that matters, and cap_i is
 *          infinite. For the others it is a little above L_i, which rises by at most n/Z_i in n rounds (certificate.c, (4)), so
 *            a_i <= kappa Z_i (cap_i - L_i);                                                                        (5)
 *          when it has come near, S_i is summed up anew below a higher cap.
 *          Who wakes and cannot go on sleeping by these bounds is counted exactly, and is awake.
 *
 * How much this saves: a_i is a share of t, so that an expert wakes about ln t times, each time for one or two products.
 *
 * Cost: a row of pi per expert, X V floats, and a column of 1/M for everybody who was ever played.
 * Check: the same choices as the plain form's (tests/unit/test_lazy_index.c).
 */
#include "lazy_index.h"
#include "timer_wheel.h"

#include <stdlib.h>

enum {
    CROWD = 64, /* experts that are one    */
    START = 16, /* rounds before that      */
    TOP = 8     /* awake at least: more cost more per stretch, fewer let the bar be reached more often */
};

static const double KAPPA = 0.05;     /* what the clock advances by at every round, at least     */
static const double TICKS = 1024;     /* in a unit of the clock                                  */
static const double BRIEF = 0x1p-13;  /* of t: whoever would sleep less of the clock stays awake */
static const double HEADROOM = 2;     /* of a cap above the level                                */
static const double NEAR = 0.0625;    /* of the argument of W that its tangent may serve for     */
static const double ROUNDING = 1e-10; /* of an index                                             */

struct roster_lazy_index {
    roster_greedy *g; /* borrowed */
    roster_active_set active;
    roster_timer_wheel wheel;
    double *gain; /* owned, [slots][X V]: G_k, at the place of k's cells in the tally */
    size_t room;
    double bar, clock;
    double most; /* 2 L, the largest that anybody's can become in the next t/8 rounds    */
    double rho;  /* of certificate.c                                                           */
};

static const roster_clipped *est(const roster_lazy_index *self)
{
    return &self->g->est;
}

/* ---- who sleeps ---- */

/* At least W_i: W is concave, so its tangent at an earlier point is above it, and close while that is near. */
static double bound_w(roster_lazy_index *self, size_t i)
{
    double u = 2 * self->wheel.inactive[i].z / est(self)->root, w = self->wheel.inactive[i].w,
           step = u - self->wheel.inactive[i].u;
    if (fabs(step) < NEAR * u)
        return w + w / (1 + w) * step / self->wheel.inactive[i].u;
    self->wheel.inactive[i].u = u;
    return self->wheel.inactive[i].w = roster_lambert_near(u, w);
}

/* At least U_i, where W_i is at most w. */
static double bound(const roster_lazy_index *self, size_t i, double w)
{
    const roster_clipped *e = est(self);
    return (self->wheel.inactive[i].s + 1.5 * e->prepared->problem.C * w * e->root) / self->wheel.inactive[i].z +
           ROUNDING;
}

/* (3) for an expert with that Z and index, and at most that W. */
static double allowance(const roster_lazy_index *self, double z, double w, double u)
{
    const roster_clipped *e = est(self);
    double a = z * (self->bar - u), most = KAPPA * ROSTER_SHARE * (double)e->tally.t;
    bool slow = 1.5 * e->prepared->problem.C * w * e->root * self->rho <= KAPPA;
    return !(slow && a > 0) ? 0 : a < most ? a : most; /* a NAN keeps i awake */
}

/* How little it may be. */
static double least(const roster_lazy_index *self)
{
    double brief = BRIEF * (double)est(self)->tally.t;
    return brief > 1 / TICKS ? brief : 1 / TICKS;
}

/* (5) */
static double below_cap(const roster_lazy_index *self, size_t i, double w, double a)
{
    double room = self->wheel.inactive[i].cap - w - est(self)->floor_level - ROSTER_LEVEL_ROUNDING;
    double most = KAPPA * self->wheel.inactive[i].z * room;
    return a < most ? a : most;
}

static double allowance_now(roster_lazy_index *self, size_t i)
{
    double w = bound_w(self, i);
    return below_cap(self, i, w, allowance(self, self->wheel.inactive[i].z, w, bound(self, i, w)));
}

/* With `all`, S_i when nothing is clipped, does i sleep well? Else it needs a cap, and S_i below that. */
static bool needs_cap(roster_lazy_index *self, size_t i, double all)
{
    self->wheel.inactive[i].s = all;
    self->wheel.inactive[i].cap = INFINITY;
    if (allowance_now(self, i) >= 4 * least(self))
        return false;
    self->wheel.inactive[i].cap = bound_w(self, i) + est(self)->floor_level + HEADROOM;
    return true;
}

static void schedule(roster_lazy_index *self, size_t i, double a, size_t last)
{
    size_t j = roster_highest_bit((uint64_t)(a * TICKS));
    roster_timer_wheel_schedule(&self->wheel, i, j < last ? j : last);
}

/* Who has woken goes on sleeping, in one of the rings 0..last; false where it cannot. */
static bool reschedule(roster_lazy_index *self, size_t i, size_t last)
{
    double w = bound_w(self, i), uncapped = allowance(self, self->wheel.inactive[i].z, w, bound(self, i, w));
    double a = below_cap(self, i, w, uncapped);
    if (a < 0.5 * uncapped) {
        self->wheel.inactive[i].cap = INFINITY;
        roster_timer_wheel_sum_up(&self->wheel, i);
        if (needs_cap(self, i, self->wheel.inactive[i].s))
            roster_timer_wheel_sum_up(&self->wheel, i);
        a = allowance_now(self, i);
    }
    if (!(a >= least(self)))
        return false;
    schedule(self, i, a, last);
    return true;
}

/* Everybody who has woken goes on sleeping or is awake. */
static int settle(roster_lazy_index *self, size_t last)
{
    int code = ROSTER_OK;
    for (size_t word = 0; word < self->wheel.words; word++) {
        for (uint64_t left = self->wheel.expired[word]; left != 0 && code == ROSTER_OK; left &= left - 1) {
            size_t i = 64 * word + roster_lowest_bit(left);
            code = reschedule(self, i, last) ? ROSTER_OK : roster_active_set_activate(&self->active, i);
        }
        self->wheel.expired[word] = 0;
    }
    return code;
}

/* Of those awake whoever can sleep for some time does. */
static void deactivate(roster_lazy_index *self, size_t last)
{
    roster_active_set *active = &self->active;
    const roster_clipped *e = est(self);
    for (size_t a = active->n; a-- > 0;) {
        size_t i = active->experts[a];
        double inside = roster_clipped_sum(e, i);
        self->wheel.inactive[i].z = roster_clipped_z(e, i);
        self->wheel.inactive[i].w = e->w[i];
        self->wheel.inactive[i].u = 2 * self->wheel.inactive[i].z / e->root;
        if (i == self->g->leader ||
            allowance(self, self->wheel.inactive[i].z, e->w[i], self->g->u[i]) < 4 * least(self))
            continue;
        if (needs_cap(self, i, inside + roster_clip_heap_outside(&e->heaps[i], &e->tally, INFINITY)))
            self->wheel.inactive[i].s =
                inside + roster_clip_heap_outside(&e->heaps[i], &e->tally, self->wheel.inactive[i].cap);
        double rest = allowance_now(self, i);
        if (!(rest >= 2 * least(self)))
            continue;
        schedule(self, i, rest, last);
        roster_active_set_deactivate(active, a);
    }
}

/* ---- the bar ---- */

/* The largest numbers so far, falling, and whose they are. */
typedef struct best {
    double u[TOP + 1];
    size_t i[TOP + 1], n;
} best;

static void best_add(best *self, double u, size_t i)
{
    size_t at = self->n;
    for (; at > 0 && self->u[at - 1] < u; at--) {
        self->u[at] = self->u[at - 1];
        self->i[at] = self->i[at - 1];
    }
    self->u[at] = u;
    self->i[at] = i;
    self->n += self->n < TOP;
}

/* As high as leaves TOP awake, and the leader some room to fall. */
static double good_bar(const roster_lazy_index *self)
{
    const roster_active_set *active = &self->active;
    best found = {.n = 0};
    for (size_t a = 0; a < active->n; a++)
        best_add(&found, self->g->u[active->experts[a]], active->experts[a]);
    double room = 4 / roster_clipped_z(est(self), found.i[0]), tie = 4 * roster_tie(found.u[0]);
    double below = found.u[0] - (room > tie ? room : tie), last = found.u[found.n - 1];
    return last < below ? last : below;
}

/* Of those who have woken, the first by their bounds are awake: there the bar will be. */
static int activate_best(roster_lazy_index *self)
{
    best found = {.n = 0};
    int code = ROSTER_OK;
    for (size_t word = 0; word < self->wheel.words; word++)
        for (uint64_t left = self->wheel.expired[word]; left != 0; left &= left - 1) {
            size_t i = 64 * word + roster_lowest_bit(left);
            best_add(&found, bound(self, i, bound_w(self, i)), i);
        }
    for (size_t j = 0; j < found.n && code == ROSTER_OK; j++) {
        self->wheel.expired[found.i[j] / 64] &= ~(UINT64_C(1) << found.i[j] % 64);
        code = roster_active_set_activate(&self->active, found.i[j]);
    }
    return code;
}

/* (1): everybody wakes up, and the bar is set anew. */
static int set_bar(roster_lazy_index *self)
{
    int code = roster_timer_wheel_expire(&self->wheel, ROSTER_WHEEL_LEVELS - 1);
    code = code == ROSTER_OK ? activate_best(self) : code;
    self->clock = 0; /* nobody sleeps by it now */
    self->bar = good_bar(self);
    code = code == ROSTER_OK ? settle(self, ROSTER_WHEEL_LEVELS - 1) : code;
    roster_active_set_lead(&self->active);
    deactivate(self, ROSTER_WHEEL_LEVELS - 1);
    return code;
}

static bool leader_is_above(const roster_lazy_index *self)
{
    double u = self->g->u[self->g->leader];
    return u - 2 * roster_tie(u) > self->bar;
}

/* ---- rounds ---- */

static void set_time(roster_lazy_index *self)
{
    const roster_clipped *e = est(self);
    double t = (double)e->tally.t;
    self->rho = roster_rho(t, e->ln_t);
    double level = roster_lambert(2 * (1 + ROSTER_SHARE) * t / e->root) + e->floor_level;
    self->most = level > 0 ? 2 * level : 0; /* below 0, where C is large, nothing passes: the clock never goes back */
}

static uint64_t ticks(const roster_lazy_index *self)
{
    return (uint64_t)(self->clock * TICKS);
}

/* G_k of the next slot's expert k. */
static int open_slot(roster_lazy_index *self, size_t slot)
{
    const roster_prepared *prepared = est(self)->prepared;
    size_t k = self->active.played[slot], n = self->wheel.n, cells = self->wheel.cells;
    const double *m = prepared->inverse_m[k];
    void *gain = self->gain;
    int code = roster_grow(&gain, &self->room, slot * cells, cells, sizeof *self->gain);
    self->gain = gain;
    if (code != ROSTER_OK || roster_timer_wheel_open_slot(&self->wheel) != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t c = 0; c < cells; c++) {
        const double *pi = prepared->problem.experts->pi + c * n;
        double below = prepared->simd->largest_product(pi, m, k);
        double above = prepared->simd->largest_product(pi + k + 1, m + k + 1, n - k - 1);
        self->gain[slot * cells + c] = prepared->inverse_pi[k][c] * (above > below ? above : below);
    }
    return ROSTER_OK;
}

/* Those awake and the rings learn the batch, and the clock advances. */
static int absorb(roster_lazy_index *self, const roster_batch *batch)
{
    bool added;
    int code = roster_active_set_open(&self->active, batch->k, &added);
    size_t first = code == ROSTER_OK ? est(self)->tally.first[batch->k] : 0, slot = first / self->wheel.cells;
    if (code == ROSTER_OK && added)
        code = open_slot(self, slot);
    if (code != ROSTER_OK || roster_timer_wheel_learn(&self->wheel, slot, batch) != ROSTER_OK ||
        roster_active_set_learn(&self->active, batch) != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t j = 0; j < batch->n_touched; j++) {
        size_t c = batch->touched[j];
        double gain = self->gain[first + c];
        self->clock += batch->cells[c].s * (gain < self->most ? gain : self->most);
    }
    self->clock += KAPPA * (double)batch->n;
    return ROSTER_OK;
}

/* The clock has passed a multiple of 2^last ticks. */
static int advance_wheel(roster_lazy_index *self, size_t last)
{
    int code = roster_timer_wheel_expire(&self->wheel, last);
    code = code == ROSTER_OK ? settle(self, last) : code;
    roster_active_set_lead(&self->active);
    double bar = self->active.n > 2 * TOP ? good_bar(self) : self->bar;
    self->bar = bar > self->bar ? bar : self->bar; /* a higher one asks nothing of those asleep */
    if (leader_is_above(self))
        deactivate(self, last);
    return code;
}

int roster_lazy_index_learn(roster_lazy_index *self, const roster_batch *batch)
{
    uint64_t before = ticks(self);
    int code = absorb(self, batch);
    if (code != ROSTER_OK)
        return code;
    set_time(self);
    uint64_t passed = before ^ ticks(self);
    size_t last = passed != 0 ? roster_highest_bit(passed) : 0;
    if (passed != 0)
        code = advance_wheel(self, last < ROSTER_WHEEL_LEVELS - 1 ? last : ROSTER_WHEEL_LEVELS - 1);
    else
        roster_active_set_lead(&self->active);
    return code == ROSTER_OK && !leader_is_above(self) ? set_bar(self) : code;
}

void roster_lazy_index_certify(const roster_lazy_index *self, roster_certificate *certificate)
{
    size_t first = est(self)->tally.first[self->g->leader];
    if (first == ROSTER_NO_CELL) {
        roster_certificate_for_one_round(certificate, self->g->leader);
        return;
    }
    size_t j = roster_timer_wheel_lowest(&self->wheel);
    j = j < ROSTER_WHEEL_LEVELS ? j : ROSTER_WHEEL_LEVELS - 1;
    double next = (double)(((ticks(self) >> j) + 1) << j) / TICKS;
    roster_inactive_bounds inactive = {self->bar, next - self->clock, KAPPA, self->most, self->gain + first};
    roster_active_set_certify(&self->active, &inactive, certificate);
}

/* ---- life ---- */

bool roster_lazy_index_pays(const roster_greedy *g)
{
    const roster_estimator_problem *known = &g->est.prepared->problem;
    return known->experts->n >= CROWD && g->est.tally.t >= START && g->est.tally.block > 0 && !known->shared &&
           !known->empirical && g->est.prepared->least >= 1e-30; /* whose inverse is well within single precision */
}

int roster_lazy_index_create(roster_lazy_index **out, roster_greedy *g)
{
    roster_lazy_index *self = *out = roster_alloc(1, sizeof *self);
    if (self == NULL)
        return ROSTER_ENOMEM;
    self->g = g;
    int code = roster_active_set_init(&self->active, g);
    if (code == ROSTER_OK)
        code = roster_timer_wheel_init(&self->wheel, &g->est, self->active.played);
    for (size_t slot = 0; slot < self->active.n_played && code == ROSTER_OK; slot++)
        code = open_slot(self, slot);
    if (code != ROSTER_OK)
        return code;
    set_time(self);
    return set_bar(self);
}

void roster_lazy_index_free(roster_lazy_index *self)
{
    if (self == NULL)
        return;
    roster_timer_wheel_fini(&self->wheel);
    roster_active_set_fini(&self->active);
    free(self->gain);
    free(self);
}
