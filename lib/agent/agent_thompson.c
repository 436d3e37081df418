/*
 * agent_thompson.c: Thompson sampling, the randomised yardstick that shares nothing between experts.
 *
 * Paper: Yardstick (Thompson sampling). Thompson 1933; Agrawal and Goyal: Analysis of Thompson sampling for the
 * multi-armed bandit problem (2012).
 *
 *   n_i, s_i            plays of expert i and the sum of their rewards
 *   theta_i             ~ Beta(1 + s_i, 1 + n_i - s_i), drawn anew every round;  play argmax_i theta_i
 *
 * The draw of round t + 1 is a pure function of the stream, t and i (rng.h), so that choosing is a read. While
 * decisions wait for their rewards each is a draw of its own, by the caller's u.
 *
 * Cost: two gamma numbers per expert and round.
 * Departs: rewards between 0 and 1 are added to s_i as they are. Agrawal and Goyal toss a coin with that probability
 * and learn 0 or 1, which their proof needs. The mean is the same, the state additive, and learning draws nothing.
 * Check: s = (2, 1, .4), n = (2, 1, 2) have posterior means 3/4, 2/3 and 1.4/4 (tests/unit/test_yardsticks.c:
 *        thompson_posterior).
 */
#include "rng.h"
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

typedef struct thompson {
    const roster_setup *setup; /* borrowed */
    roster_tally tally;        /* one cell per expert */
    double *theta;             /* owned, [n]: of the next round */
    size_t leader;
} thompson;

/* theta_i of the next round; `salt` makes other draws of it. */
static double draw(const void *self, size_t i, uint64_t salt)
{
    const thompson *s = self;
    if (roster_is_retired(s->setup->experts, i))
        return -INFINITY;
    double plays = (double)s->tally.plays[i], won = roster_tally_mass(&s->tally, i);
    roster_rng rng = roster_rng_of(s->setup->stream, i, s->tally.t, salt);
    return roster_rng_beta(&rng, 1 + won, 1 + (won < plays ? plays - won : 0));
}

static void refresh(thompson *self)
{
    for (size_t i = 0; i < self->tally.n; i++)
        self->theta[i] = draw(self, i, 0);
    self->leader = roster_largest(self->theta, self->tally.n);
}

static int init(void *self, const roster_setup *setup, roster_error *err)
{
    thompson *s = self;
    (void)err;
    s->setup = setup;
    s->theta = roster_alloc(setup->experts->n, sizeof *s->theta);
    if (roster_tally_init_arms(&s->tally, setup->experts->n) != ROSTER_OK || s->theta == NULL)
        return ROSTER_ENOMEM;
    refresh(s);
    return ROSTER_OK;
}

static void fini(void *self)
{
    roster_tally_fini(&((thompson *)self)->tally);
    free(((thompson *)self)->theta);
}

static void reset(void *self)
{
    roster_tally_reset_arms(&((thompson *)self)->tally);
    refresh(self);
}

static int learn(void *self, const roster_sample *sample)
{
    roster_tally_learn_arm(&((thompson *)self)->tally, sample->k, 1, sample->s);
    refresh(self);
    return ROSTER_OK;
}

static size_t choose(const void *self)
{
    return ((const thompson *)self)->leader;
}

static size_t choose_waiting(const void *self, const uint64_t *waiting, double u)
{
    (void)waiting;
    return roster_waiting_largest(self, draw, ((const thompson *)self)->tally.n, u);
}

static void scores(const void *self, double *u)
{
    const thompson *s = self;
    memcpy(u, s->theta, s->tally.n * sizeof *u);
}

/* The width is what chance has put on the posterior's mean, or taken from it. */
static void insight(const void *self, size_t i, roster_insight *out)
{
    const thompson *s = self;
    double plays = (double)s->tally.plays[i];
    out->samples = plays;
    out->clipped = 0;
    if (plays == 0)
        return;
    out->estimate = (1 + roster_tally_mass(&s->tally, i)) / (2 + plays);
    out->width = s->theta[i] - out->estimate;
}

static void save(const void *self, roster_writer *w)
{
    roster_tally_save(&((const thompson *)self)->tally, w);
}

static int load(void *self, roster_reader *r)
{
    int code = roster_tally_load_arms(&((thompson *)self)->tally, r);
    if (code == ROSTER_OK && !r->failed)
        refresh(self);
    return code;
}

static int merge(void *self, const void *from)
{
    roster_tally_merge_arms(&((thompson *)self)->tally, &((const thompson *)from)->tally);
    refresh(self);
    return ROSTER_OK;
}

static int adopt(void *self, const void *from, size_t n)
{
    (void)n;
    return merge(self, from);
}

static int learn_tally(void *self, const roster_tally_row *rows, size_t n)
{
    roster_tally_learn_rows(&((thompson *)self)->tally, rows, n);
    refresh(self);
    return ROSTER_OK;
}

static const roster_param *const params[] = {NULL};

const roster_agent_type roster_agent_thompson = {
    .info = {.name = "thompson",
             .source = "Thompson 1933",
             .summary = "plays each expert with the probability that it is the best, from its own rewards alone",
             .params = params,
             .additive = true},
    .blind = true,
    .state_size = sizeof(thompson),
    .init = init,
    .fini = fini,
    .reset = reset,
    .learn = learn,
    .choose = choose,
    .choose_waiting = choose_waiting,
    .index = scores,
    .insight = insight,
    .save = save,
    .load = load,
    .merge = merge,
    .adopt = adopt,
    .learn_tally = learn_tally,
};
