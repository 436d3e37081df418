/*
 * test_certificate.c: rounds played in stretches are the rounds that would have been played one by one.
 *
 * Usage: test_certificate [instances rounds]. The plain form is the agent that learns round by round, which
 * test_oracle.c holds to the literal form.
 */
#include "support.h"

#include "arms.h"
#include "stretch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t instances = 6, rounds = 4000;

/* The expert of every round. */
typedef struct diary {
    uint32_t *k;
    size_t n, stretches;
} diary;

static bool note_round(void *context, const roster_step *step)
{
    diary *d = context;
    d->k[d->n++] = (uint32_t)step->event->expert;
    return true;
}

static uint64_t no_limit(void *context, size_t episode, uint64_t t)
{
    (void)context;
    (void)episode;
    (void)t;
    return UINT64_MAX;
}

static bool note_stretch(void *context, size_t episode, uint64_t t, size_t k, uint64_t n, double regret)
{
    diary *d = context;
    (void)episode;
    (void)regret;
    assert_int_equal(t, d->n + n);
    for (uint64_t i = 0; i < n; i++)
        d->k[d->n++] = (uint32_t)k;
    d->stretches++;
    return true;
}

/* An agent with its settings; NULL ends the list. */
typedef struct contender {
    const char *name;
    roster_setting settings[8];
} contender;

static const contender contenders[] = {
    {"d-ucb", {{"C", .02, NULL}}},
    {"d-ucb", {{"C", .5, NULL}}},
    {"d-ucb", {{"C", .3, NULL}}},
    {"d-ucb", {{"C", .02, NULL}, {"support", 0, "shared"}}},
    {"ed-ucb", {{"C", .02, NULL}, {"p_V", .01, NULL}, {"p_X", .02, NULL}, {"xi", 1e-5, NULL}}},
    {"ed-ucb", {{"C", .3, NULL}, {"p_V", .05, NULL}, {"p_X", .02, NULL}, {"xi", 2e-3, NULL}, {"support", 0, "shared"}}},
    {"direct", {{NULL, 0, NULL}}},
    {"direct", {{"kappa", .1, NULL}, {"eta", 1, NULL}, {"margin", .01, NULL}}},
    {"direct", {{"contexts", 0, "learnt"}}},
    {"ucb", {{NULL, 0, NULL}}},
    {"kl-ucb", {{NULL, 0, NULL}}},
};
enum { CONTENDERS = sizeof contenders / sizeof *contenders };

/* Stretches per round of each contender, over all duels. */
static size_t all_stretches[CONTENDERS], all_rounds[CONTENDERS];

static void duel(const roster_experts *experts, const roster_world *world, size_t c, size_t length, uint64_t seed)
{
    roster_episode episode = {.world = world, .rounds = length};
    roster_study study = {.experts = experts,
                          .episodes = &episode,
                          .n_episodes = 1,
                          .agent = contenders[c].name,
                          .settings = contenders[c].settings,
                          .samples = 1000000,
                          .seed = seed};
    diary one = {.k = calloc(length, sizeof *one.k)}, many = {.k = calloc(length, sizeof *many.k)};
    roster_watch watch = {no_limit, note_stretch, &many};
    roster_outcome a, b;
    roster_error err;
    assert_non_null(one.k);
    assert_non_null(many.k);
    assert_ok(roster_simulate(&study, 0, note_round, &one, &a, NULL, &err), &err);
    assert_ok(roster_simulate_stretches(&study, 0, &watch, &b, NULL, &err), &err);
    assert_int_equal(one.n, length);
    assert_int_equal(many.n, length);
    for (size_t t = 0; t < length; t++)
        if (one.k[t] != many.k[t])
            fail_msg("%s %zu: round %zu of seed %llu: expert %u, in stretches %u", contenders[c].name, c, t + 1,
                     (unsigned long long)seed, one.k[t], many.k[t]);
    assert_true(a.rounds == b.rounds && a.best_rounds == b.best_rounds);
    assert_close(b.regret, a.regret, 1e-9);
    all_stretches[c] += many.stretches;
    all_rounds[c] += length;
    free(one.k);
    free(many.k);
}

/* Bernoulli rewards, or lists of three. */
static roster_world *new_world(const instance *self, const roster_experts *experts, roster_rng *rng, bool lists)
{
    roster_world *world;
    roster_error err;
    size_t cells = self->x * self->v;
    double *values = calloc(3 * cells, sizeof *values);
    roster_list *list = calloc(cells, sizeof *list);
    for (size_t i = 0; i < 3 * cells; i++)
        values[i] = roster_rng_uniform(rng);
    for (size_t i = 0; i < cells; i++)
        list[i] = (roster_list){values + 3 * i, 3};
    assert_ok(lists ? roster_world_create_lists(&world, experts, self->p, list, &err)
                    : roster_world_create(&world, experts, self->p, self->means, &err),
              &err);
    free(values);
    free(list);
    return world;
}

static void random_instances(void **state)
{
    (void)state;
    roster_rng rng;
    roster_rng_init(&rng, 5, 0, 0);
    for (size_t i = 0; i < instances; i++) {
        instance self;
        size_t n = random_size(&rng, 2, 24);
        instance_random(&self, &rng, n, random_size(&rng, 1, 8), random_size(&rng, 2, 8), i % 3 == 0 ? .1 : .02);
        roster_world *world = new_world(&self, self.experts, &rng, i % 2 == 1);
        for (size_t c = 0; c < CONTENDERS; c++)
            duel(self.experts, world, c, rounds, i);
        roster_world_free(world);
        instance_free(&self);
    }
    for (size_t c = 0; c < CONTENDERS; c++) {
        print_message("%s %zu: a stretch is %.1f rounds long\n", contenders[c].name, c,
                      (double)all_rounds[c] / (double)all_stretches[c]);
        if (strcmp(contenders[c].name, "direct") != 0 || contenders[c].settings[0].name == NULL)
            assert_true(all_stretches[c] * 5 < all_rounds[c] * 4); /* else all of this would be of no use */
    }
}

/* Every expert is the first one, but for `shift` of probability that goes from one action to another. */
static void near_ties_of(double shift, uint64_t seed)
{
    enum { N = 6, X = 3, V = 4 };
    double pi[N * X * V], p[X] = {.5, .3, .2}, means[X * V];
    roster_experts *experts;
    roster_world *world;
    roster_rng rng;
    roster_error err;
    roster_rng_init(&rng, seed, 0, 0);
    for (size_t i = 0; i < X * V; i++)
        means[i] = roster_rng_uniform(&rng);
    for (size_t x = 0; x < X; x++)
        random_distribution(&rng, V, .05, pi + x * V);
    for (size_t k = 1; k < N; k++) {
        memcpy(pi + k * X * V, pi, X * V * sizeof *pi);
        for (size_t x = 0; x < X; x++) {
            pi[k * X * V + x * V + k % V] += shift * (double)k;
            pi[k * X * V + x * V + (k + 1) % V] -= shift * (double)k;
        }
    }
    assert_ok(roster_experts_tables(&experts, N, X, V, pi, NULL, &err), &err);
    assert_ok(roster_world_create(&world, experts, p, means, &err), &err);
    for (size_t c = 0; c < CONTENDERS; c++)
        duel(experts, world, c, rounds, seed);
    roster_world_free(world);
    roster_experts_free(experts);
}

/* Experts that are each other's mirror images, and rewards that make sums equal: indices tie again and again. */
static void exact_ties(void **state)
{
    (void)state;
    static const double tenths[] = {0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1};
    enum { MOST = 8 };
    for (uint64_t seed = 0; seed < 200 * instances; seed++) {
        roster_experts *experts;
        roster_world *world;
        roster_rng rng;
        roster_error err;
        roster_list lists[MOST];
        double pi[MOST * MOST], first[MOST];
        roster_rng_init(&rng, seed, 0, 0);
        size_t n = seed % 2 == 0 ? 2 : 2 + (size_t)roster_rng_below(&rng, MOST - 1);
        random_distribution(&rng, n, .05, first);
        if (n == 2 && seed % 3 == 0)
            first[1] = 1 - (first[0] = .1 * (double)(1 + roster_rng_below(&rng, 9)));
        for (size_t i = 0; i < n * n; i++)
            pi[i] = first[(i / n + i % n) % n];
        for (size_t v = 0; v < n; v++)
            lists[v] = seed % 3 == 0 ? (roster_list){tenths + 10, 1} : (roster_list){tenths + seed % 5, 7 - seed % 5};
        assert_ok(roster_experts_tables(&experts, n, 1, n, pi, NULL, &err), &err);
        assert_ok(roster_world_create_lists(&world, experts, NULL, lists, &err), &err);
        for (size_t c = 0; c < CONTENDERS; c++)
            duel(experts, world, c, 400, seed);
        roster_world_free(world);
        roster_experts_free(experts);
    }
}

static void near_ties(void **state)
{
    (void)state;
    near_ties_of(0, 1);
    near_ties_of(1e-6, 2);
    near_ties_of(1e-4, 3);
}

static void many_experts(void **state)
{
    (void)state;
    instance self;
    roster_rng rng;
    roster_rng_init(&rng, 11, 0, 0);
    instance_random(&self, &rng, 1000, 5, 5, .05);
    roster_world *world = new_world(&self, self.experts, &rng, false);
    duel(self.experts, world, 0, 1500, 1);
    for (size_t c = CONTENDERS - 5; c < CONTENDERS; c++)
        duel(self.experts, world, c, 3000, 1);
    roster_world_free(world);
    instance_free(&self);
}

/* The event that takes most of the slack, of those with rewards 0 and 1. */
static roster_event worst_event(const instance *self, const roster_certificate *certificate)
{
    roster_event worst = {.expert = certificate->k};
    double least = INFINITY;
    for (size_t i = 0; i < 2 * self->x * self->v; i++) {
        size_t cell = i / 2;
        double reward = (double)(i % 2), change = reward * certificate->gain[cell] - certificate->loss[cell];
        if (change < least) {
            least = change;
            worst = (roster_event){
                .expert = certificate->k, .context = cell / self->v, .action = cell % self->v, .reward = reward};
        }
    }
    return worst;
}

/* Whatever the world does, even what is worst for the leader, the choice does not change while there is slack. */
static void certified_against_the_worst(void **state)
{
    (void)state;
    roster_rng rng;
    size_t held = 0;
    roster_rng_init(&rng, 9, 0, 0);
    for (size_t i = 0; i < 4 * instances; i++) {
        instance self;
        roster_agent *agent;
        roster_error err;
        size_t c = i % CONTENDERS;
        instance_random(&self, &rng, random_size(&rng, 2, 12), 3, 4, .05);
        roster_problem problem = {self.experts, self.p, NULL};
        assert_ok(roster_agent_create(&agent, contenders[c].name, &problem, contenders[c].settings, i, 0, &err), &err);
        double gain[12], loss[12] = {0};
        for (size_t cell = 0; cell < 12; cell++)
            gain[cell] = 1;
        for (size_t t = 0; t < rounds;) {
            roster_certificate certificate = {.gain = gain, .loss = loss};
            roster_lazy *lazy;
            assert_ok(roster_lazy_create(&lazy, agent, &err), &err);
            roster_lazy_certify(lazy, &certificate);
            roster_lazy_free(lazy);
            bool worst = roster_rng_below(&rng, 2) == 0;
            for (uint64_t b = 0; b < certificate.rounds && certificate.slack > 0; b++, t++) {
                if (roster_agent_choose(agent) != certificate.k)
                    fail_msg("%s: round %zu: the choice is no longer %zu, %.17g of slack left", contenders[c].name, t,
                             certificate.k, certificate.slack);
                held += b > 0;
                roster_event event =
                    worst ? worst_event(&self, &certificate) : random_event(&self, &rng, certificate.k, true);
                event.propensity = 0;
                assert_ok(roster_agent_learn(agent, &event, &err), &err);
                size_t cell = event.context * self.v + event.action;
                certificate.slack += event.reward * certificate.gain[cell] - certificate.cost - certificate.loss[cell];
            }
        }
        roster_agent_free(agent);
        instance_free(&self);
    }
    assert_true(held > instances * rounds / 4);
}

/* What UCB and KL-UCB know of arms that did not play bounds their index, though it was computed long ago; and the
   largest leads. */
static void arms_stay_within_bounds(void **state)
{
    (void)state;
    enum { N = 8 };
    roster_rng rng;
    roster_rng_init(&rng, 13, 0, 0);
    for (size_t c = CONTENDERS - 2; c < CONTENDERS; c++) {
        instance self;
        roster_agent *agent;
        roster_error err;
        double u[N], widest = 0;
        instance_random(&self, &rng, N, 3, 4, .05);
        roster_problem problem = {self.experts, self.p, NULL};
        assert_ok(roster_agent_create(&agent, contenders[c].name, &problem, NULL, 1, 0, &err), &err);
        const roster_arms *a = agent->state;
        for (size_t t = 0; t < rounds; t++) {
            roster_event event = random_event(&self, &rng, roster_agent_choose(agent), true);
            event.propensity = 0;
            assert_ok(roster_agent_learn(agent, &event, &err), &err);
            roster_agent_index(agent, u);
            assert_int_equal(roster_agent_choose(agent), roster_leader(u, N));
            for (size_t i = 0; i < N && a->all_played; i++) {
                const roster_arm *arm = &a->arms[i];
                double x = a->ln_f - arm->at, most = arm->u + arm->slope * x, least = most - arm->bend * x * x;
                assert_true(u[i] <= most + 1e-14 && u[i] >= least - 1e-14);
                widest = fmax(widest, most - least);
            }
        }
        assert_true(widest > 1e-6); /* else no arm was long out of play */
        roster_agent_free(agent);
        instance_free(&self);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instances),
        cmocka_unit_test(exact_ties),
        cmocka_unit_test(near_ties),
        cmocka_unit_test(many_experts),
        cmocka_unit_test(certified_against_the_worst),
        cmocka_unit_test(arms_stay_within_bounds),
    };
    if (argc > 2) {
        instances = (size_t)atol(argv[1]);
        rounds = (size_t)atol(argv[2]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
