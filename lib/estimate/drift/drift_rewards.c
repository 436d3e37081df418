/*
 * drift_rewards.c: does every cell still pay as it did?
 *
 * Paper: Beyond 17 (rewards).
 *
 *   for each cell and checkpoint, a = sum of its rewards, b = their number less that:
 *   lnKT(before) + lnKT(after) - lnML(all)  >=  ln(2 cells/delta) + ln(j (j + 1))
 *
 * For every law of rewards in [0, 1] and whatever is played: if a cell's mean never changes, that is ever so with
 * probability at most delta/(2 cells) (marginal.c says why), whichever rounds the cell was played in.
 *
 * A cell is computed only when it could be at its threshold. Let p = a/n when it was last computed, and h near p. A
 * reward since then has taken at most y ln(1/h) + (1 - y) ln(1/(1 - h)) from lnML; lnKT(before) stays, lnKT(after) only
 * falls; of a checkpoint made since, lnKT(before) is at most lnML of all that came before. So
 *
 *   slack = least over the checkpoints, and one yet to be made, of [ threshold - evidence ]  -  n KL(p, h)
 *
 * is what further rewards may take before anything has to be computed. And then nearly always this is enough:
 *
 *   lnKT(before) + lnKT(after) - lnML(all) <= d^2 (1/n_before + 1/n_after) / (p (1 - p)),  d = a_after - n_after p
 *
 * since KT <= ML and n KL(q, p) <= n (q - p)^2 / (p (1 - p)).
 *
 * Cost: a few operations a round; 24 short bounds for a cell once per ten or more of its rewards; 440 bytes per cell.
 * Check: tests/unit/test_alarms.c: alarms_equal_literal, every_reward_law_equals_literal.
 */
#include "drift.h"
#include "marginal.h"

#include <stdlib.h>
#include <string.h>

#define LN2 0.69314718055994530942
enum { SLOTS = ROSTER_CHECKPOINTS };

int roster_drift_rewards_init(roster_drift_rewards *self, size_t cells, double threshold)
{
    self->cells = cells;
    self->threshold = threshold;
    self->cell = roster_alloc(cells, sizeof *self->cell);
    self->rows = roster_alloc(roster_times(cells, (size_t)2 * SLOTS), sizeof *self->rows);
    if (self->cell == NULL || self->rows == NULL)
        return ROSTER_ENOMEM;
    roster_drift_rewards_reset(self);
    return ROSTER_OK;
}

void roster_drift_rewards_fini(roster_drift_rewards *self)
{
    free(self->cell);
    free(self->rows);
}

void roster_drift_rewards_reset(roster_drift_rewards *self)
{
    roster_checkpoints_reset(&self->points);
    for (size_t c = 0; c < self->cells; c++)
        self->cell[c] = (roster_drift_cell){.slack = self->threshold, .success = LN2, .failure = LN2};
}

static double sum_of(const roster_drift_cell *cell)
{
    double s = cell->s + cell->lo;
    return s < cell->n ? s : cell->n;
}

/* The cell's row with the checkpoints made since it was last played: its sums were then what they are now. */
static void fill_row(roster_drift_rewards *self, size_t c)
{
    const roster_checkpoints *p = &self->points;
    roster_drift_cell *cell = &self->cell[c];
    double *row = self->rows + c * 2 * SLOTS;
    for (size_t i = p->count; i > 0 && p->at[p->order[i - 1]] > cell->filled; i--) {
        row[p->order[i - 1]] = cell->n;
        row[SLOTS + p->order[i - 1]] = sum_of(cell);
    }
    cell->filled = p->block;
}

/* A difference of two sums, of n rewards. */
static double within(double s, double n)
{
    return s < 0 ? 0 : s < n ? s : n;
}

static double exact(double n1, double s1, double n2, double s2)
{
    return roster_ln_kt(s1, n1 - s1) + roster_ln_kt(s2, n2 - s2) - roster_ln_ml(s1 + s2, n1 + n2 - s1 - s2);
}

/* How likely one mean is, by an upper bound that is good enough as long as it is below `enough`; else exactly. */
static double two_means(double n1, double s1, double n, double s, double enough)
{
    double n2 = n - n1, p = s / n, d = s - s1 - n2 * p, spread = n1 * n2 * (s - s * p);
    if (!(spread > 0))
        return 0; /* nothing on one side, or all rewards alike */
    if (d * d * n * n < enough * spread)
        return d * d * n * n / spread;
    return exact(n1, within(s1, n1), n2, within(s - s1, n2));
}

/* The slack starts anew after the cell was computed; least: that of the checkpoints. */
static void set_slack(roster_drift_cell *cell, double least)
{
    double n = cell->n, s = sum_of(cell), h = (s + 0.5) / (n + 1), d = s / n - h;
    cell->slack = least - n * d * d / (h * (1 - h));
    cell->success = -roster_ln(h);
    cell->failure = -roster_ln(1 - h);
}

/* All checkpoints of a cell; the one with the most evidence goes into *change if that is more than is there. */
static void examine(roster_drift_rewards *self, size_t c, roster_change *change)
{
    const roster_checkpoints *p = &self->points;
    roster_drift_cell *cell = &self->cell[c];
    const double *row = self->rows + c * 2 * SLOTS; /* filled: the cell was played in this block */
    double n = cell->n, s = sum_of(cell), least = self->threshold;
    least += p->count > 0 ? p->price[p->order[p->count - 1]] : 0;
    for (size_t i = 0; i < p->count; i++) {
        size_t slot = p->order[i];
        double threshold = self->threshold + p->price[slot], n1 = row[slot], s1 = row[SLOTS + slot];
        double room = threshold - two_means(n1, s1, n, s, threshold / 2);
        least = room < least ? room : least;
        if (room > 0 || self->threshold - room <= change->evidence)
            continue;
        double s2 = within(s - s1, n - n1);
        *change = (roster_change){.evidence = self->threshold - room,
                                  .which = c,
                                  .since = p->at[slot] * ROSTER_BLOCK,
                                  .before = s1 / n1,
                                  .after = s2 / (n - n1),
                                  .n_before = n1,
                                  .n_after = n - n1};
    }
    set_slack(cell, least);
}

bool roster_drift_rewards_learn(roster_drift_rewards *self, const size_t *cells, const double *rewards,
                                roster_change *change)
{
    for (size_t r = 0; r < ROSTER_BLOCK; r++) {
        roster_drift_cell *cell = &self->cell[cells[r]];
        fill_row(self, cells[r]);
        cell->n++;
        roster_add(&cell->s, &cell->lo, rewards[r]);
        cell->slack -= rewards[r] * cell->success + (1 - rewards[r]) * cell->failure;
    }
    self->points.block++;
    change->evidence = -INFINITY;
    for (size_t r = 0; r < ROSTER_BLOCK; r++)
        if (self->cell[cells[r]].slack < 0)
            examine(self, cells[r], change);
    if (change->evidence >= self->threshold) {
        roster_drift_rewards_reset(self);
        return true;
    }
    roster_checkpoints_add(&self->points);
    return false;
}

void roster_drift_rewards_save(const roster_drift_rewards *self, roster_writer *w)
{
    const roster_checkpoints *p = &self->points;
    roster_checkpoints_save(p, w);
    for (size_t c = 0; c < self->cells; c++) {
        const roster_drift_cell *cell = &self->cell[c];
        const double *row = self->rows + c * 2 * SLOTS;
        roster_put_double(w, cell->n);
        if (cell->n == 0)
            continue;
        roster_put_double(w, cell->s);
        roster_put_double(w, cell->lo);
        for (size_t i = 0; i < p->count; i++) {
            bool since = p->at[p->order[i]] > cell->filled;
            roster_put_double(w, since ? cell->n : row[p->order[i]]);
            roster_put_double(w, since ? sum_of(cell) : row[SLOTS + p->order[i]]);
        }
    }
}

static void load_cell(roster_drift_rewards *self, size_t c, roster_reader *r)
{
    roster_drift_cell *cell = &self->cell[c];
    double *row = self->rows + c * 2 * SLOTS;
    cell->s = roster_get_double(r);
    cell->lo = roster_get_double(r);
    r->failed |= !(cell->s >= 0 && cell->s <= cell->n * (1 + 1e-9) && fabs(cell->lo) <= 1e-9 * cell->n);
    for (size_t i = 0; i < self->points.count && !r->failed; i++) {
        row[i] = roster_get_double(r);
        row[SLOTS + i] = roster_get_double(r);
        r->failed |= !(row[i] >= 0 && row[i] <= cell->n && row[SLOTS + i] >= 0 && row[SLOTS + i] <= row[i]);
    }
    cell->slack = -1; /* to be computed when it is next played: what was kept of it does not change an alarm */
    cell->filled = self->points.block;
}

void roster_drift_rewards_load(roster_drift_rewards *self, roster_reader *r)
{
    roster_checkpoints_load(&self->points, r);
    for (size_t c = 0; c < self->cells && !r->failed; c++) {
        double n = self->cell[c].n = roster_get_double(r);
        r->failed |= !(n >= 0 && n <= 0x1p62 && floor(n) == n);
        if (n > 0 && !r->failed)
            load_cell(self, c, r);
    }
}
