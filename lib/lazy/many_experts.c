/*
 * many_experts.c: D-UCB among very many experts, most of them inactive.
 *
 * Paper: none.
 *
 * certificate.c saves the rounds in which no rival can overtake; but when something must be computed, it computes all N
 * experts. With thousands of them nearly all are far behind, and stay so for a share of t rounds whatever happens. They
 * are inactive: no sample is applied to them, nothing is computed, until the time comes at which they could matter. The
 * choices are those of the plain form; only the work is less.
 *
 * Bar.     A number b below the leader's index. An active expert (active_set.c) has its exact index after every batch.
 *          An inactive one is known to have U_i <= b. So the leader of the active ones leads them all, as long as its
 *          index is above the bar; when it no longer is, all levels expire and the bar is set anew.
 *            (1)
 * Clock.   No sum S_i of an inactive expert can gain more by a sample of k in cell c with reward y than y G_k(c),
 *          G_k(c) = max over i != k of r/M, since the expert that plays is active, and no more than y 2 L, since what
 *          is larger does not pass. The clock advances by kappa plus the smaller of these at every sample. Let it
 *          advance by h in n rounds, n <= t/8. Z_i grows, eps_i grows by at most rho n of itself (certificate.c, (3)),
 *          so
 *            U_i(t+n) <= (S_i + h - kappa n)/Z_i + 3/2 eps_i (1 + rho n) <= U_i + h/Z_i                             (2)
 *          if 3/2 eps_i rho Z_i = 3/2 C W root rho <= kappa. So i may stay inactive until the clock has advanced by
 *            a_i = Z_i (b - U_i),   at most kappa t/8, which keeps n <= t/8.                                        (3)
 *          L is the largest that any level can become in t/8 rounds from each sample on, so a sample that passes when i
 *          is looked at was counted with enough. Where C is so large that L < 0, nothing passes at all.
 * Wheel.   Level j of the timer wheel expires whenever the clock passes a multiple of 2^j ticks; i is put into one with
 *          2^j ticks <= a_i. When a level expires, all lower ones do at the same moment: each has a batch of what was
 *          seen since it expired last, applies it to its members, and passes it on to the next level. Levels that have
 *          just expired have empty batches, and only into these can an expert be put.
 * Sums.    Of an inactive expert S_i need only be bounded from above, so a batch of k's is a sum of products in single
 *          precision,
 *            S_i += 1/M_ik sum_c s(c) pi_i(c)/pi_k(c)  over the cells with theta <= cap_i.                          (4)
 *          The bound holds while L_i <= cap_i. For most experts nothing lies outside that matters, and cap_i is
 *          infinite. For the others it is a little above L_i, which rises by at most n/Z_i in n rounds (certificate.c,
 *          (4)), so
 *            a_i <= kappa Z_i (cap_i - L_i);                                                                        (5)
 *          when it has come near, S_i is summed up anew below a higher cap.
 *          An expert that has expired and cannot stay inactive by these bounds is counted exactly, and is active.
 *
 * How much this saves: a_i is a share of t, so that an expert expires about ln t times, each time for one or two
 * products.
 *
 * Cost: a row of pi per expert, X V floats, and a column of 1/M for every expert that was ever played.
 * Check: the same choices as the plain form's (tests/unit/test_lazy_index.c: any_experts); (1) in every round
 *        (tests/unit/test_many_experts.c: any_64).
 */
#include "many_experts.h"

#include "active_set.h"
#include "timer_wheel.h"

#include <stdlib.h>

enum {
    MANY = 64,  /* experts that are                     */
    START = 16, /* rounds before that                   */
    TOP = 8     /* active at least: more cost more per batch, fewer let the bar be reached more often */
};

static const double KAPPA = 0.05;     /* what the clock advances by at every round, at least        */
static const double TICKS = 1024;     /* in a unit of the clock                                     */
static const double BRIEF = 0x1p-13;  /* of t: an expert to be looked at sooner by the clock is active */
static const double HEADROOM = 2;     /* of a cap above the level                                   */
static const double NEAR = 0.0625;    /* of the argument of W that its tangent may serve for        */
static const double ROUNDING = 1e-10; /* of an index                                                */

struct roster_many_experts {
    roster_ranking *ranking; /* borrowed */
    const roster_lazy_simd *simd;
    roster_active_set active;
    roster_timer_wheel wheel;
    double *gain; /* owned, [slots][X V]: G_k, at the place of k's cells in the tally */
    size_t room;
    double bar, clock;
    double most; /* 2 L, the largest that any can become in the next t/8 rounds          */
    double rho;  /* of certificate.c                                                     */
};

static const roster_clipped *est(const roster_many_experts *self)
{
    return &self->ranking->est;
}

/* ---- for how long an expert stays inactive ---- */

/* At least W_i: W is concave, so its tangent at an earlier point is above it, and close while that is near; where it is
   not, that point moves here. */
static double bound_w(roster_many_experts *self, size_t i)
{
    roster_inactive *one = &self->wheel.inactive[i];
    double u = 2 * one->z / est(self)->root, step = u - one->u;
    if (fabs(step) < NEAR * u)
        return one->w + one->w / (1 + one->w) * step / one->u;
    one->u = u;
    return one->w = roster_lambert_near(u, one->w);
}

/* At least U_i, where W_i is at most w. */
static double bound(const roster_many_experts *self, size_t i, double w)
{
    const roster_clipped *e = est(self);
    const roster_inactive *one = &self->wheel.inactive[i];
    return (one->s + 1.5 * e->prepared->problem.C * w * e->root) / one->z + ROUNDING;
}

/* (3) for an expert with that Z and index, and at most that W. */
static double allowance(const roster_many_experts *self, double z, double w, double u)
{
    const roster_clipped *e = est(self);
    double a = z * (self->bar - u), most = KAPPA * ROSTER_SHARE * (double)e->tally.t;
    bool slow = 1.5 * e->prepared->problem.C * w * e->root * self->rho <= KAPPA;
    return !(slow && a > 0) ? 0 : a < most ? a : most; /* a NAN keeps i active */
}

/* How little it may be. */
static double least(const roster_many_experts *self)
{
    double brief = BRIEF * (double)est(self)->tally.t;
    return brief > 1 / TICKS ? brief : 1 / TICKS;
}

/* (5) */
static double below_cap(const roster_many_experts *self, size_t i, double w, double a)
{
    double room = self->wheel.inactive[i].cap - w - est(self)->floor_level - ROSTER_LEVEL_ROUNDING;
    double most = KAPPA * self->wheel.inactive[i].z * room;
    return a < most ? a : most;
}

static double allowance_now(roster_many_experts *self, size_t i)
{
    double w = bound_w(self, i);
    return below_cap(self, i, w, allowance(self, self->wheel.inactive[i].z, w, bound(self, i, w)));
}

/* Chooses cap_i, where `all` is S_i when nothing is clipped: none, if i can stay inactive for long by that sum. A
   caller that finds a finite cap has to sum S_i up below it. */
static void choose_cap(roster_many_experts *self, size_t i, double all)
{
    self->wheel.inactive[i].s = all;
    self->wheel.inactive[i].cap = INFINITY;
    if (allowance_now(self, i) < 4 * least(self))
        self->wheel.inactive[i].cap = bound_w(self, i) + est(self)->floor_level + HEADROOM;
}

static void schedule(roster_many_experts *self, size_t i, double a, size_t last)
{
    size_t j = roster_highest_bit((uint64_t)(a * TICKS));
    roster_timer_wheel_schedule(&self->wheel, i, j < last ? j : last);
}

/* An expert that has expired stays inactive, in one of the levels 0..last; false where it cannot. */
static bool reschedule(roster_many_experts *self, size_t i, size_t last)
{
    roster_inactive *one = &self->wheel.inactive[i];
    double w = bound_w(self, i), uncapped = allowance(self, one->z, w, bound(self, i, w));
    double a = below_cap(self, i, w, uncapped);
    if (a < 0.5 * uncapped) {
        one->cap = INFINITY;
        roster_timer_wheel_sum_up(&self->wheel, i);
        choose_cap(self, i, one->s);
        if (one->cap < INFINITY)
            roster_timer_wheel_sum_up(&self->wheel, i);
        a = allowance_now(self, i);
    }
    if (!(a >= least(self)))
        return false;
    schedule(self, i, a, last);
    return true;
}

/* Every expert that has expired is scheduled again or active. */
static int settle(roster_many_experts *self, size_t last)
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

/* The sums of an active expert, as it would be inactive with. */
static void describe(roster_many_experts *self, size_t i)
{
    const roster_clipped *e = est(self);
    roster_inactive *one = &self->wheel.inactive[i];
    double inside = roster_clipped_sum(e, i);
    choose_cap(self, i, inside + roster_clip_heap_outside(&e->heaps[i], &e->tally, INFINITY));
    if (one->cap < INFINITY)
        one->s = inside + roster_clip_heap_outside(&e->heaps[i], &e->tally, one->cap);
}

/* Of the active experts those that can be inactive for some time are. */
static void deactivate(roster_many_experts *self, size_t last)
{
    roster_active_set *active = &self->active;
    const roster_clipped *e = est(self);
    for (size_t a = active->n; a-- > 0;) {
        size_t i = active->experts[a];
        roster_inactive *one = &self->wheel.inactive[i];
        one->z = roster_clipped_z(e, i);
        one->w = e->w[i];
        one->u = 2 * one->z / e->root;
        if (i == self->ranking->leader || allowance(self, one->z, e->w[i], self->ranking->u[i]) < 4 * least(self))
            continue;
        describe(self, i);
        double rest = allowance_now(self, i);
        if (!(rest >= 2 * least(self)))
            continue;
        schedule(self, i, rest, last);
        roster_active_set_deactivate(active, a);
    }
}

/* ---- the bar ---- */

/* The largest numbers so far, falling, and their experts. */
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

/* As high as leaves TOP active, and the leader some room to fall. */
static double good_bar(const roster_many_experts *self)
{
    const roster_active_set *active = &self->active;
    best found = {.n = 0};
    for (size_t a = 0; a < active->n; a++)
        best_add(&found, self->ranking->u[active->experts[a]], active->experts[a]);
    double room = 4 / roster_clipped_z(est(self), found.i[0]), tie = 4 * roster_tie(found.u[0]);
    double below = found.u[0] - (room > tie ? room : tie), last = found.u[found.n - 1];
    return last < below ? last : below;
}

/* Of those that have expired, the first by their bounds are active: there the bar will be. */
static int activate_best(roster_many_experts *self)
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

/* (1): all levels expire, and the bar is set anew. */
static int set_bar(roster_many_experts *self)
{
    int code = roster_timer_wheel_expire(&self->wheel, ROSTER_WHEEL_LEVELS - 1);
    code = code == ROSTER_OK ? activate_best(self) : code;
    self->clock = 0; /* no expert is inactive by it now */
    self->bar = good_bar(self);
    code = code == ROSTER_OK ? settle(self, ROSTER_WHEEL_LEVELS - 1) : code;
    roster_active_set_lead(&self->active);
    deactivate(self, ROSTER_WHEEL_LEVELS - 1);
    return code;
}

static bool leader_is_above(const roster_many_experts *self)
{
    double u = self->ranking->u[self->ranking->leader];
    return u - 2 * roster_tie(u) > self->bar;
}

/* ---- rounds ---- */

static void set_time(roster_many_experts *self)
{
    const roster_clipped *e = est(self);
    double t = (double)e->tally.t;
    self->rho = roster_rho(t, e->ln_t);
    double level = roster_lambert(2 * (1 + ROSTER_SHARE) * t / e->root) + e->floor_level;
    self->most = level > 0 ? 2 * level : 0; /* below 0, where C is large, nothing passes: the clock never goes back */
}

static uint64_t ticks(const roster_many_experts *self)
{
    return (uint64_t)(self->clock * TICKS);
}

/* G_k of the next slot's expert k. */
static int open_slot(roster_many_experts *self, size_t slot)
{
    const roster_prepared *prepared = est(self)->prepared;
    size_t k = self->active.played[slot], n = self->wheel.n, cells = self->wheel.cells;
    const double *m = prepared->inverse_m[k];
    if (roster_grow(&self->gain, &self->room, slot * cells, cells, sizeof *self->gain) != ROSTER_OK ||
        roster_timer_wheel_open_slot(&self->wheel) != ROSTER_OK)
        return ROSTER_ENOMEM;
    for (size_t c = 0; c < cells; c++) {
        const double *pi = prepared->problem.experts->pi + c * n;
        double below = self->simd->largest_product(pi, m, k);
        double above = self->simd->largest_product(pi + k + 1, m + k + 1, n - k - 1);
        self->gain[slot * cells + c] = prepared->inverse_pi[k][c] * (above > below ? above : below);
    }
    return ROSTER_OK;
}

/* The active experts and the wheel learn the batch, and the clock advances. */
static int absorb(roster_many_experts *self, const roster_batch *batch)
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
static int advance_wheel(roster_many_experts *self, size_t last)
{
    int code = roster_timer_wheel_expire(&self->wheel, last);
    code = code == ROSTER_OK ? settle(self, last) : code;
    roster_active_set_lead(&self->active);
    double bar = self->active.n > 2 * TOP ? good_bar(self) : self->bar;
    self->bar = bar > self->bar ? bar : self->bar; /* a higher one asks nothing of the inactive */
    if (leader_is_above(self))
        deactivate(self, last);
    return code;
}

int roster_many_experts_learn(roster_many_experts *self, const roster_batch *batch)
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

void roster_many_experts_certify(const roster_many_experts *self, double *rivals, roster_certificate *certificate)
{
    size_t first = est(self)->tally.first[self->ranking->leader];
    if (first == ROSTER_NO_CELL) {
        roster_certificate_for_one_round(certificate, self->ranking->leader);
        return;
    }
    size_t j = roster_timer_wheel_lowest(&self->wheel);
    j = j < ROSTER_WHEEL_LEVELS ? j : ROSTER_WHEEL_LEVELS - 1;
    double next = (double)(((ticks(self) >> j) + 1) << j) / TICKS;
    roster_inactive_bounds inactive = {self->bar, next - self->clock, KAPPA, self->most, self->gain + first};
    roster_active_set_certify(&self->active, self->simd, rivals, &inactive, certificate);
}

int roster_many_experts_activate_all(roster_many_experts *self)
{
    int code = ROSTER_OK;
    for (size_t j = 0; j < ROSTER_WHEEL_LEVELS; j++) {
        roster_wheel_level *level = &self->wheel.levels[j];
        for (size_t word = 0; word < self->wheel.words && level->members > 0; word++)
            for (uint64_t left = level->bits[word]; left != 0 && code == ROSTER_OK; left &= left - 1)
                code = roster_active_set_activate(&self->active, 64 * word + roster_lowest_bit(left));
    }
    return code;
}

/* ---- life ---- */

bool roster_many_experts_pays(const roster_ranking *ranking)
{
    const roster_prepared *prepared = ranking->est.prepared;
    return prepared->problem.experts->n >= MANY && ranking->est.tally.t >= START && ranking->est.tally.block > 0 &&
           !prepared->problem.shared && !prepared->problem.empirical &&
           prepared->least >= 1e-30; /* whose inverse is well within single precision */
}

int roster_many_experts_create(roster_many_experts **out, roster_ranking *ranking)
{
    roster_many_experts *self = *out = roster_alloc(1, sizeof *self);
    if (self == NULL)
        return ROSTER_ENOMEM;
    self->ranking = ranking;
    self->simd = roster_lazy_simd_choose(ranking->est.prepared->avx2);
    int code = roster_active_set_init(&self->active, ranking);
    if (code == ROSTER_OK)
        code = roster_timer_wheel_init(&self->wheel, &ranking->est, self->simd, self->active.played);
    for (size_t slot = 0; slot < self->active.n_played && code == ROSTER_OK; slot++)
        code = open_slot(self, slot);
    if (code != ROSTER_OK)
        return code;
    set_time(self);
    return set_bar(self);
}

void roster_many_experts_free(roster_many_experts *self)
{
    if (self == NULL)
        return;
    roster_timer_wheel_fini(&self->wheel);
    roster_active_set_fini(&self->active);
    free(self->gain);
    free(self);
}
