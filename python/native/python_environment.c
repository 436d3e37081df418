/*
 * python_environment.c: the worlds of a study, to be played in by an agent written in Python.
 *
 * Paper: Section 2 (regret).
 *
 * The streams are those of the simulation: episode e of a run is (seed, run, role + 16 e) for the world and for its
 * length, and regret is counted in units of 2^-52. So an agent that makes the same choices has the same regret, to the
 * bit.
 *
 * Check: the library's d-ucb played from Python comes to the regret of the study (tests/python/test_environment.py).
 */
#include "python_study.h"

#include <math.h>
#include <stdlib.h>

__extension__ typedef unsigned __int128 u128;

struct roster_python_environment {
    const experiment_case *c; /* borrowed */
    size_t n, episode;
    uint64_t t, length;
    roster_rng stream;
    uint64_t *gaps; /* owned, [n]: in units of 2^-52 */
    double *values; /* owned, [n] */
    u128 regret;
};

roster_python_environment *roster_python_environment_create(const roster_python_study *study, size_t i)
{
    if (i >= study->file->n_cases) {
        roster_python_fail(ROSTER_EINVAL, "case is %zu, but there %s %zu", i, study->file->n_cases == 1 ? "is" : "are",
                           study->file->n_cases);
        return NULL;
    }
    roster_python_environment *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->c = &study->file->cases[i];
        self->n = roster_experts_count(self->c->experts);
        self->gaps = calloc(self->n, sizeof *self->gaps);
        self->values = calloc(self->n, sizeof *self->values);
    }
    if (self == NULL || self->gaps == NULL || self->values == NULL) {
        roster_python_fail(ROSTER_ENOMEM, "out of memory");
        roster_python_environment_free(self);
        return NULL;
    }
    return self;
}

void roster_python_environment_free(roster_python_environment *self)
{
    if (self == NULL)
        return;
    free(self->gaps);
    free(self->values);
    free(self);
}

static void find_gaps(roster_python_environment *self)
{
    double best = 0;
    roster_world_values(self->c->episodes[self->episode].world, self->values);
    for (size_t k = 0; k < self->n; k++)
        best = self->values[k] > best ? self->values[k] : best;
    for (size_t k = 0; k < self->n; k++) {
        double gap = best - self->values[k];
        self->gaps[k] = gap > 1e-12 ? (uint64_t)(gap * 0x1p52 + 0.5) : 0; /* less is rounding */
    }
}

uint64_t roster_python_environment_start(roster_python_environment *self, uint64_t seed, uint64_t run, size_t e)
{
    roster_rng length;
    self->length = 0;
    if (e >= self->c->n_episodes)
        return 0;
    const roster_episode *episode = &self->c->episodes[e];
    roster_rng_init(&length, seed, run, ROSTER_ROLE_SETUP + ROSTER_ROLES * (uint64_t)e);
    roster_rng_init(&self->stream, seed, run, ROSTER_ROLE_WORLD + ROSTER_ROLES * (uint64_t)e);
    self->length = episode->rounds;
    if (episode->min_rounds > 0)
        self->length = episode->min_rounds + roster_rng_below(&length, episode->rounds - episode->min_rounds + 1);
    self->episode = e;
    self->t = 0;
    self->regret = e > 0 ? self->regret : 0;
    find_gaps(self);
    return self->length;
}

int roster_python_environment_step(roster_python_environment *self, double k, roster_python_step *step)
{
    roster_event event;
    if (!(k >= 0 && k < (double)self->n && k == floor(k)))
        return roster_python_fail(ROSTER_EINVAL, "expert is %.17g, must be a whole number below %zu", k, self->n);
    if (self->t >= self->length)
        return roster_python_fail(ROSTER_EINVAL, "the episode is over; reset() starts the next");
    roster_world_round(self->c->episodes[self->episode].world, &self->stream, ++self->t, (size_t)k, &event);
    self->regret += self->gaps[event.expert];
    *step = (roster_python_step){self->episode, self->t,      event.expert,     event.context,
                                 event.action,  event.reward, event.propensity, (double)self->regret * 0x1p-52};
    return ROSTER_OK;
}
