/*
 * load_users.c: the users: which context each has, what an action earns, and when the reward is sent.
 *
 * Event n of a campaign is round n of the study's run 0, as `roster run` plays it: in the first episode its block of
 * the world's stream draws the context, the action and the reward. The service draws the action itself, of every event
 * from the first episode's stream. Later episodes have streams of their own for contexts and rewards.
 *
 * What becomes of a reward (lost, sent twice, how late) is drawn from a third stream, so that the same users come
 * whatever happens to their rewards.
 *
 * Paper: Section 2. Cost: O(X) per user at most.
 * Check: tests/http/drive.py compares 100000 choices with those of `roster run`.
 */
#include "load_internal.h"
#include "zero_gap.h"

#include <stdlib.h>

/* Far from the roles of all episodes. */
static const uint64_t FATE = ROSTER_ROLE_SETUP + ROSTER_ROLES * (UINT64_C(1) << 40);

static const roster_episode *episode_of(const load_users *self, uint32_t e)
{
    const roster_study *study = self->options->study;
    return &study->episodes[e % study->n_episodes];
}

static void begin_episode(load_users *self, uint32_t e)
{
    const roster_episode *episode = episode_of(self, e);
    uint64_t seed = self->options->study->seed;
    double best = 0;
    roster_rng length;
    roster_rng_init(&length, seed, 0, ROSTER_ROLE_SETUP + ROSTER_ROLES * (uint64_t)e);
    roster_rng_init(&self->stream, seed, 0, ROSTER_ROLE_WORLD + ROSTER_ROLES * (uint64_t)e);
    self->rounds = episode->rounds;
    if (episode->min_rounds > 0)
        self->rounds = episode->min_rounds + roster_rng_below(&length, episode->rounds - episode->min_rounds + 1);
    self->episode = e;
    self->round = 0;
    roster_world_values(episode->world, self->values);
    for (size_t k = 0; k < self->n; k++)
        best = self->values[k] > best ? self->values[k] : best;
    for (size_t k = 0; k < self->n; k++)
        self->gaps[k] = best - self->values[k] > COMMON_ZERO_GAP ? best - self->values[k] : 0;
}

int load_users_init(load_users *self, const load_options *options, const roster_experts *known, roster_error *err)
{
    size_t n = roster_experts_count(known), x = roster_experts_contexts(known), v = roster_experts_actions(known);
    *self = (load_users){.options = options, .n = n, .x = x, .v = v};
    self->pi = calloc(n * x * v, sizeof *self->pi);
    self->values = calloc(n, sizeof *self->values);
    self->gaps = calloc(n, sizeof *self->gaps);
    if (self->pi == NULL || self->values == NULL || self->gaps == NULL)
        return common_fail(err, ROSTER_EINVAL, "out of memory");
    for (size_t i = 0; i < n * x * v; i++)
        self->pi[i] = roster_experts_probability(known, i / v / x, i / v % x, i % v);
    roster_rng_init(&self->actions, options->study->seed, 0, ROSTER_ROLE_WORLD);
    roster_rng_init(&self->fate, options->study->seed, 0, FATE);
    begin_episode(self, 0);
    return ROSTER_OK;
}

void load_users_fini(load_users *self)
{
    free(self->pi);
    free(self->values);
    free(self->gaps);
}

/* The word'th uniform number of a block. */
static double uniform_of(const roster_rng *stream, uint64_t block, unsigned word)
{
    roster_rng copy = *stream;
    roster_rng_seek(&copy, block);
    for (unsigned i = 0; i < word; i++)
        roster_rng_u64(&copy);
    return roster_rng_uniform(&copy);
}

bool load_users_next(load_users *self, load_item *item)
{
    if (self->round == self->rounds)
        return false;
    roster_event event;
    self->round++;
    self->event++;
    roster_world_round(episode_of(self, self->episode)->world, &self->stream, self->round, 0, &event);
    *item = (load_item){.event = self->event,
                        .episode = self->episode,
                        .context = (uint32_t)event.context,
                        .luck = uniform_of(&self->stream, self->round, 2)};
    return true;
}

void load_users_turn(load_users *self)
{
    begin_episode(self, self->episode + 1);
}

void load_users_skip(load_users *self, uint64_t event)
{
    while (self->event < event) {
        uint64_t left = self->rounds - self->round, step = event - self->event < left ? event - self->event : left;
        self->event += step;
        self->round += step;
        if (self->event < event)
            load_users_turn(self);
    }
}

void load_users_earn(const load_users *self, load_item *item, size_t v)
{
    roster_list list;
    double mean = roster_world_reward(episode_of(self, item->episode)->world, item->context, v, &list);
    if (list.values == NULL) {
        item->reward = item->luck < mean ? 1 : 0;
        return;
    }
    size_t i = (size_t)(item->luck * (double)list.n);
    item->reward = list.values[i < list.n ? i : list.n - 1];
}

size_t load_users_action(const load_users *self, const load_item *item, size_t k)
{
    return roster_experts_draw(self->pi + (k * self->x + item->context) * self->v, self->v,
                               uniform_of(&self->actions, item->event, 1));
}

static double between(const load_options *o, double u)
{
    return o->delay_least + u * (o->delay_most - o->delay_least);
}

load_fate load_users_fate(const load_users *self, uint64_t event)
{
    const load_options *o = self->options;
    roster_rng fate = self->fate;
    roster_rng_seek(&fate, event);
    double lost = roster_rng_uniform(&fate), twice = roster_rng_uniform(&fate), late = roster_rng_uniform(&fate);
    return (load_fate){.lost = lost < o->loss,
                       .twice = twice < o->duplicates,
                       .delay = between(o, late),
                       .again = between(o, roster_rng_uniform(&fate))};
}
