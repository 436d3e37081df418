/*
 * bench_floor.c: the bare world, as fast as we can write it: the floor that agents are measured against.
 *
 * The same random numbers and the same law as lib/sim/world.c: a Philox block per round, whose first three words draw
 * context, action and reward; contexts and actions by inversion through guides of one byte per slice of [0, 1).
 *
 * Paper: none. Cost: a Philox block, which is most of it, two looks at a guide and a comparison.
 * Check: the same rewards as the library's world (tests/unit/test_bench_floor.c: floor_is_the_world).
 */
#include "bench_floor.h"

#include "common_error.h"

#include <Random123/philox.h>

#include <stdio.h>
#include <stdlib.h>

enum { SLICES = 256, MOST = 255 };

/* Running sums, the last above 1, and for each slice the first outcome that it can come to. */
typedef struct wheel {
    double *sums; /* owned */
    uint8_t at[SLICES];
} wheel;

struct floor_world {
    size_t x, v;
    wheel context;
    wheel *action; /* owned, [x]   */
    double *means; /* owned, [x v] */
};

static int wheel_init(wheel *self, const double *p, size_t n)
{
    double sum = 0;
    self->sums = calloc(n, sizeof *self->sums);
    if (self->sums == NULL)
        return ROSTER_ENOMEM;
    size_t last = 0;
    for (size_t i = 0; i < n; i++) {
        self->sums[i] = sum += p[i];
        last = p[i] > 0 ? i : last;
    }
    for (size_t i = last; i < n; i++)
        self->sums[i] = 2;
    uint8_t i = 0;
    for (size_t slice = 0; slice < SLICES; slice++) {
        while ((double)slice / SLICES >= self->sums[i])
            i++;
        self->at[slice] = i;
    }
    return ROSTER_OK;
}

static inline size_t spin(const wheel *self, uint64_t word)
{
    double u = (double)(word >> 11) * 0x1p-53;
    size_t i = self->at[word >> 56];
    while (u >= self->sums[i])
        i++;
    return i;
}

static int fill(floor_world *self, const roster_experts *experts, const roster_world *world, const double *p, size_t k)
{
    double row[MOST];
    int code = wheel_init(&self->context, p, self->x);
    for (size_t x = 0; x < self->x && code == ROSTER_OK; x++) {
        for (size_t v = 0; v < self->v; v++) {
            row[v] = roster_experts_probability(experts, k, x, v);
            self->means[x * self->v + v] = roster_world_reward(world, x, v, NULL);
        }
        code = wheel_init(&self->action[x], row, self->v);
    }
    return code;
}

int floor_create(floor_world **out, const roster_experts *experts, const roster_world *world, const double *p, size_t k,
                 roster_error *err)
{
    size_t x = roster_experts_contexts(experts), v = roster_experts_actions(experts);
    *out = NULL;
    if (x > MOST || v > MOST)
        return common_fail(err, ROSTER_EINVAL, "there are %zu contexts and %zu actions, must be at most %d", x, v,
                           MOST);
    floor_world *self = calloc(1, sizeof *self);
    if (self != NULL) {
        self->x = x;
        self->v = v;
        self->action = calloc(x, sizeof *self->action);
        self->means = calloc(x * v, sizeof *self->means);
    }
    if (self == NULL || self->action == NULL || self->means == NULL || fill(self, experts, world, p, k) != ROSTER_OK) {
        floor_free(self);
        return common_fail_memory(err);
    }
    *out = self;
    return ROSTER_OK;
}

void floor_free(floor_world *self)
{
    if (self == NULL)
        return;
    for (size_t x = 0; self->action != NULL && x < self->x; x++)
        free(self->action[x].sums);
    free(self->context.sums);
    free(self->action);
    free(self->means);
    free(self);
}

double floor_run(const floor_world *self, uint64_t seed, uint64_t run, uint64_t rounds)
{
    const philox4x64_key_t key = {{seed, ROSTER_ROLE_WORLD}};
    double sum = 0;
    for (uint64_t t = 1; t <= rounds; t++) {
        philox4x64_ctr_t counter = {{t, run, 0, 0}}, words = philox4x64(counter, key);
        size_t x = spin(&self->context, words.v[0]), v = spin(&self->action[x], words.v[1]);
        sum += (double)(words.v[2] >> 11) * 0x1p-53 < self->means[x * self->v + v] ? 1 : 0;
    }
    return sum;
}
