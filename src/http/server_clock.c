/*
 * server_clock.c: the time that campaigns follow: steady, and drawn slowly to the wall clock.
 *
 *   now(s) = base + d + clip(behind, -d/10, d/10)      d = s - since, s: the steady clock
 *
 * Paper: none.
 *
 * Windows close by this time, so it must not jump when somebody sets the machine's clock, nor stand still when that was
 * ahead once. It runs within 10% of the steady clock's rate, at most a tenth of the time being used to take over a
 * difference: an hour takes ten. That bounds what a wrong wall clock can do until somebody notices: for each minute
 * that it is wrong, six seconds. An operator who knows that the wall clock is right can have a forward difference taken
 * over at once.
 *
 * A step is a difference of more than a second between what the two clocks counted since they were last compared.
 *
 * Check: tests/unit/test_clock.c.
 */
#include "server_clock.h"

enum { SECOND = 1000000, STEP = SECOND, SHARE = 10 };

static void anchor(server_time *self, int64_t base, int64_t wall, int64_t steady)
{
    self->base = base;
    self->since = self->compared = steady;
    self->behind = wall - base;
    self->wall = wall;
}

void server_time_start(server_time *self, int64_t wall, int64_t steady, int64_t last)
{
    self->steps = 0;
    anchor(self, wall > last ? wall : last, wall, steady);
}

int64_t server_time_now(const server_time *self, int64_t steady)
{
    int64_t passed = steady > self->since ? steady - self->since : 0, most = passed / SHARE;
    int64_t over = self->behind > most ? most : self->behind < -most ? -most : self->behind;
    return self->base + passed + over;
}

int64_t server_time_compare(server_time *self, int64_t wall, int64_t steady)
{
    int64_t step = (wall - self->wall) - (steady - self->compared);
    anchor(self, server_time_now(self, steady), wall, steady);
    if (step <= STEP && step >= -STEP)
        return 0;
    self->steps++;
    return step;
}

int64_t server_time_offset(const server_time *self, int64_t steady)
{
    return server_time_now(self, steady) - self->wall - (steady - self->compared);
}

int64_t server_time_adopt(server_time *self, int64_t wall, int64_t steady)
{
    int64_t now = server_time_now(self, steady), gained = wall > now ? wall - now : 0;
    anchor(self, now + gained, wall, steady);
    return gained;
}
