/*
 * test_simulate.c: the loop (lib/sim/simulate.c): regret, streams, observers, episodes, and sampling the experts first.
 */
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const roster_setting shared[] = {{"support", 0, "shared"}, {NULL, 0, NULL}};
/* SPEC section 10: what the toy's agents on estimates are told. */
static const roster_setting toy_empirical[] = {
    {"support", 0, "shared"}, {"p_V", .05, NULL}, {"p_X", .1, NULL}, {"gamma", .1, NULL}, {NULL, 0, NULL}};

/* An observer that keeps what it sees and checks what always holds. */
enum { ROOM = 20000 };
typedef struct record {
    uint64_t stop_after; /* 0: never */
    const char *agent;   /* NULL: not looked at */
    size_t count, without_agent;
    struct seen {
        size_t episode;
        uint64_t t;
        roster_event event;
        double regret;
    } seen[ROOM];
} record;

static bool keep(void *context, const roster_step *step)
{
    record *r = context;
    struct seen now = {step->episode, step->t, *step->event, step->regret};
    assert_true(r->count < ROOM);
    if (r->count > 0) { /* every round, in order */
        const struct seen *last = &r->seen[r->count - 1];
        bool next_round = now.episode == last->episode && now.t == last->t + 1;
        bool next_episode = now.episode == last->episode + 1 && now.t == 1;
        assert_true(next_round || next_episode);
        assert_true(now.regret >= last->regret);
    } else {
        assert_true(now.episode == 0 && now.t == 1 && now.regret >= 0);
    }
    if (step->agent == NULL) {
        assert_int_equal(r->without_agent, r->count); /* only at the start */
        r->without_agent++;
    } else { /* a fresh agent in every episode */
        uint64_t sampled = now.episode == 0 ? r->without_agent : 0;
        assert_int_equal(roster_agent_rounds(step->agent) + sampled, step->t);
        assert_true(r->agent == NULL || strcmp(roster_agent_about(step->agent)->name, r->agent) == 0);
    }
    r->seen[r->count++] = now;
    return r->count != r->stop_after;
}

/* A run; r, unless NULL, is filled anew. */
static roster_outcome simulate(const roster_study *study, uint64_t run, record *r, double *by_episode)
{
    roster_outcome outcome;
    roster_error err;
    if (r != NULL)
        r->count = r->without_agent = 0;
    assert_ok(roster_simulate(study, run, r != NULL ? keep : NULL, r, &outcome, by_episode, &err), &err);
    return outcome;
}

static void oracle_has_no_regret(void **state)
{
    (void)state;
    toy_study t;
    double by_episode[2] = {-1, -1};
    toy_init(&t, "oracle", NULL, 5000);
    roster_outcome outcome = simulate(&t.study, 3, NULL, by_episode);
    assert_true(outcome.regret == 0 && outcome.rounds == 10000 && outcome.best_rounds == 10000 && outcome.xi == 0);
    assert_true(by_episode[0] == 0 && by_episode[1] == 0);
    toy_fini(&t);
}

/* The gaps are .48 and .08, each paid in half of the rounds; one standard deviation of 2e5 coins is .22 percent. */
static void uniform_pays_the_mean_gap(void **state)
{
    (void)state;
    enum { ROUNDS = 200000 };
    toy_study t;
    double by_episode[2];
    toy_init(&t, "uniform", NULL, ROUNDS);
    roster_outcome outcome = simulate(&t.study, 1, NULL, by_episode);
    assert_close(by_episode[0] / ROUNDS, .24, .01);
    assert_close(by_episode[1] / ROUNDS, .04, .01);
    assert_true(by_episode[0] + by_episode[1] == outcome.regret);
    assert_int_equal(outcome.rounds, 2 * ROUNDS);
    assert_close((double)outcome.best_rounds / (2 * ROUNDS), .5, .01);
    toy_fini(&t);
}

static bool same_sequence(const record *a, const record *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; i < a->count && same; i++) {
        const roster_event *one = &a->seen[i].event, *other = &b->seen[i].event;
        same = one->expert == other->expert && one->context == other->context && one->action == other->action &&
               one->reward == other->reward && a->seen[i].regret == b->seen[i].regret;
    }
    return same;
}

static void same_seed_and_run_same_history(void **state)
{
    (void)state;
    static const char *const agents[3] = {"d-ucb", "ed-ucb", "uniform"};
    static const roster_setting *const settings[3] = {shared, toy_empirical, NULL};
    static record a[1], b[1];
    for (size_t c = 0; c < 3; c++) {
        toy_study t;
        toy_init(&t, agents[c], settings[c], 500);
        t.study.samples = 100000;
        roster_outcome one = simulate(&t.study, 4, a, NULL), two = simulate(&t.study, 4, b, NULL);
        assert_true(one.regret == two.regret && one.best_rounds == two.best_rounds && one.xi == two.xi);
        assert_true(same_sequence(a, b));
        roster_outcome unseen = simulate(&t.study, 4, NULL, NULL);
        assert_true(unseen.regret == one.regret && unseen.best_rounds == one.best_rounds);
        simulate(&t.study, 5, b, NULL);
        assert_false(same_sequence(a, b));
        t.study.seed = 8;
        simulate(&t.study, 4, b, NULL);
        assert_false(same_sequence(a, b));
        toy_fini(&t);
    }
}

/* Contexts do not depend on the agent; neither do action and reward where the same expert does. Episodes differ. */
static void all_agents_meet_the_same_world(void **state)
{
    (void)state;
    toy_study t;
    static record a[1], b[1];
    size_t together = 0, like_before = 0;
    toy_init(&t, "ucb", NULL, 2000);
    t.episodes[1].world = t.worlds[0];
    simulate(&t.study, 2, a, NULL);
    t.study.agent = "uniform";
    simulate(&t.study, 2, b, NULL);
    for (size_t i = 0; i < a->count; i++) {
        const roster_event *one = &a->seen[i].event, *other = &b->seen[i].event;
        assert_int_equal(one->context, other->context);
        if (one->expert == other->expert) {
            assert_true(one->action == other->action && one->reward == other->reward);
            together++;
        }
        like_before += i >= 2000 && one->context == a->seen[i - 2000].event.context;
    }
    assert_in_range(together, 1000, 3000);
    assert_in_range(like_before, 920, 1100); /* .55^2 + .45^2 = .505 of 2000, standard deviation 22 */
    toy_fini(&t);
}

/* Of an agent that throws coins, half of the choices are the same in another run, seed or episode. */
static void agents_draw_from_streams_of_their_own(void **state)
{
    (void)state;
    static record r[3];
    size_t like[3] = {0};
    toy_study t;
    toy_init(&t, "uniform", NULL, 2000);
    simulate(&t.study, 0, &r[0], NULL);
    simulate(&t.study, 1, &r[1], NULL);
    t.study.seed = 8;
    simulate(&t.study, 0, &r[2], NULL);
    for (size_t i = 0; i < 2000; i++) {
        size_t k = r[0].seen[i].event.expert;
        like[0] += k == r[1].seen[i].event.expert;
        like[1] += k == r[2].seen[i].event.expert;
        like[2] += k == r[0].seen[2000 + i].event.expert;
    }
    for (size_t i = 0; i < 3; i++)
        assert_in_range(like[i], 890, 1110); /* standard deviation 22 */
    toy_fini(&t);
}

static bool compare(void *context, const roster_step *step)
{
    double got[3], expected[3];
    roster_error err;
    assert_ok(roster_agent_learn(context, step->event, &err), &err);
    roster_agent_index(step->agent, got);
    roster_agent_index(context, expected);
    assert_memory_equal(got, expected, sizeof got);
    return true;
}

static void agent_is_told_the_world_s_contexts(void **state)
{
    (void)state;
    static const double means[6] = {.2, .4, .9, .7, .1, .5};
    roster_experts *experts = spec_experts(); /* of which divergences depend on the contexts, unlike the toy's */
    roster_world *world;
    roster_agent *mirror;
    roster_outcome outcome;
    roster_error err;
    assert_ok(roster_world_create(&world, experts, spec_p, means, &err), &err);
    roster_episode episode = {.world = world, .rounds = 200};
    roster_study study = {.experts = experts, .episodes = &episode, .n_episodes = 1, .agent = "d-ucb"};
    roster_problem problem = {experts, spec_p, NULL};
    assert_ok(roster_agent_create(&mirror, "d-ucb", &problem, NULL, 0, 0, &err), &err);
    assert_ok(roster_simulate(&study, 0, compare, mirror, &outcome, NULL, &err), &err);
    assert_int_equal(roster_agent_rounds(mirror), 200);
    roster_agent_free(mirror);
    roster_world_free(world);
    roster_experts_free(experts);
}

static void observer_sees_every_round(void **state)
{
    (void)state;
    static const double gaps[2][2] = {{0, .48}, {0, .08}};
    toy_study t;
    static record r[1];
    double by_episode[2] = {0}, sums[2] = {0};
    uint64_t best = 0;
    toy_init(&t, "ucb", NULL, 3000);
    r->agent = "ucb";
    roster_outcome outcome = simulate(&t.study, 9, r, by_episode);
    assert_int_equal(r->count, 6000);
    for (size_t i = 0; i < r->count; i++) {
        assert_int_equal(r->seen[i].episode, i / 3000);
        assert_int_equal(r->seen[i].t, i % 3000 + 1);
        sums[i / 3000] += gaps[i / 3000][r->seen[i].event.expert];
        best += r->seen[i].event.expert == 0;
    }
    assert_true(outcome.regret == r->seen[5999].regret && outcome.regret > 0);
    assert_int_equal(outcome.best_rounds, best);
    assert_close(by_episode[0], sums[0], 1e-11);
    assert_close(by_episode[1], sums[1], 1e-11);
    assert_close(by_episode[0] + by_episode[1], outcome.regret, 1e-14);
    assert_int_equal(r->without_agent, 0);
    toy_fini(&t);
}

static void observer_can_stop(void **state)
{
    (void)state;
    static const uint64_t stops[] = {1, 2999, 3000, 3001, 5000};
    toy_study t;
    static record all[1], r[1];
    toy_init(&t, "ucb", NULL, 3000);
    simulate(&t.study, 9, all, NULL);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
        double by_episode[2] = {-1, -1};
        r->stop_after = stops[i];
        roster_outcome outcome = simulate(&t.study, 9, r, by_episode);
        assert_int_equal(outcome.rounds, stops[i]);
        assert_int_equal(r->count, stops[i]);
        assert_true(outcome.regret == all->seen[stops[i] - 1].regret);
        assert_close(by_episode[0], all->seen[stops[i] < 3000 ? stops[i] - 1 : 2999].regret, 0);
        assert_true(stops[i] > 3000 || by_episode[1] == 0);
    }
    toy_fini(&t);
}

/* Within the bounds, the same for every agent, other in other runs and episodes, every length about equally often. */
static void random_lengths(void **state)
{
    (void)state;
    enum { LOW = 5, HIGH = 9, RUNS = 1000 };
    toy_study t;
    static record r[1];
    unsigned count[HIGH + 1] = {0}, alike = 0;
    toy_init(&t, "ucb", NULL, HIGH);
    t.episodes[0].min_rounds = t.episodes[1].min_rounds = LOW;
    for (uint64_t run = 0; run < RUNS; run++) {
        uint64_t lengths[2] = {0}, again[2] = {0};
        t.study.agent = "ucb";
        simulate(&t.study, run, r, NULL);
        for (size_t i = 0; i < r->count; i++)
            lengths[r->seen[i].episode] = r->seen[i].t;
        t.study.agent = "oracle";
        assert_int_equal(simulate(&t.study, run, r, NULL).rounds, lengths[0] + lengths[1]);
        for (size_t i = 0; i < r->count; i++)
            again[r->seen[i].episode] = r->seen[i].t;
        for (size_t e = 0; e < 2; e++) {
            assert_in_range(lengths[e], LOW, HIGH);
            assert_int_equal(lengths[e], again[e]);
            count[lengths[e]]++;
        }
        alike += lengths[0] == lengths[1];
    }
    for (size_t length = LOW; length <= HIGH; length++)
        assert_in_range(count[length], 320, 480); /* standard deviation 18 */
    assert_in_range(alike, 140, 260);             /* standard deviation 13 */
    t.episodes[0].min_rounds = t.episodes[1].min_rounds = HIGH;
    assert_int_equal(simulate(&t.study, 0, NULL, NULL).rounds, 2 * HIGH);
    toy_fini(&t);
}

/* Whether the agent holds an expert better than another, having seen one with a reward and one without. */
static bool prefers(const roster_study *study)
{
    static const double values[2] = {.1, .9};
    const roster_problem problem = {.experts = study->experts, .values = values};
    const roster_event events[] = {{.expert = 0, .reward = 1}, {.expert = 1, .context = 1}};
    double u[2];
    roster_agent *agent;
    roster_error err;
    assert_ok(roster_agent_create(&agent, study->agent, &problem, study->settings, 1, 0, &err), &err);
    for (size_t i = 0; i < 2; i++)
        assert_ok(roster_agent_learn(agent, &events[i], &err), &err);
    roster_agent_index(agent, u);
    roster_agent_free(agent);
    return u[0] != u[1];
}

static void every_agent_runs(void **state)
{
    (void)state;
    size_t agents = 0;
    static record r[1];
    for (; roster_agent_info_at(agents) != NULL; agents++) {
        const roster_agent_info *info = roster_agent_info_at(agents);
        roster_setting settings[SETTINGS];
        toy_study t;
        double by_episode[2];
        toy_init(&t, info->name, settings_taken(info, toy_empirical, settings), 3000);
        t.study.samples = 1000000;
        r->agent = roster_agent_stand_in(info->name, t.experts)->name;
        roster_outcome outcome = simulate(&t.study, 6, r, by_episode);
        assert_int_equal(outcome.rounds, 6000);
        assert_close(by_episode[0] + by_episode[1], outcome.regret, 1e-14);
        assert_true(info->empirical ? outcome.xi == roster_theory_xi(.05, .1, false) : outcome.xi == 0);
        if (prefers(&t.study)) /* agents that learn or know do better than chance */
            assert_true(outcome.regret < .5 * (.24 + .04) * 3000);
        toy_fini(&t);
    }
    assert_true(agents > 0);
}

/* SPEC section 6: X = V = 10, N = E = 5, T = 5e5, p_X = .05, p_V = .02, gamma = .3. */
static const roster_setting spec_6[] = {{"p_V", .02, NULL}, {"p_X", .05, NULL}, {"gamma", .3, NULL}, {NULL, 0, NULL}};
static const roster_setting spec_6_tight[] = {
    {"p_V", .02, NULL}, {"p_X", .05, NULL}, {"gamma", .3, NULL}, {"xi", 0, "tight"}, {NULL, 0, NULL}};

static void theory_budget(void **state)
{
    (void)state;
    static record r[1];
    instance in;
    roster_world *world;
    roster_episode episodes[5];
    roster_rng rng;
    roster_error err;
    roster_rng_init(&rng, 1, 1, ROSTER_ROLE_SETUP);
    instance_random(&in, &rng, 5, 10, 10, .1);
    assert_ok(roster_world_create(&world, in.experts, NULL, in.means, &err), &err);
    for (size_t e = 0; e < 5; e++)
        episodes[e] = (roster_episode){.world = world, .rounds = e == 3 ? 500000 : 1000}; /* T is the longest */
    roster_study study = {.experts = in.experts,
                          .episodes = episodes,
                          .n_episodes = 5,
                          .agent = "ed-ucb",
                          .settings = spec_6,
                          .seed = 12};
    r->stop_after = 3500;
    for (size_t tight = 0; tight < 2; tight++) {
        study.settings = tight ? spec_6_tight : spec_6;
        study.sampling = ROSTER_OFFLINE;
        roster_outcome outcome = simulate(&study, 0, r, NULL);
        assert_true(outcome.rounds == 3500 && r->without_agent == 0); /* the samples cost no round */
        assert_close(outcome.xi, tight ? 5.99999999460e-07 : 2.39999999136e-06, 1e-11);
        /* Drawn online the same budget does not fit, and the sentence tells what it was. */
        double n = roster_theory_samples_per_context(10, 5e5, outcome.xi);
        double A = roster_theory_samples_per_expert(n, .05, 10, 5, 5e5, 5);
        char sentence[200];
        assert_close(A, tight ? 16 * 1.9188e15 : 1.9188e15, 2e-5);
        snprintf(sentence, sizeof sentence,
                 "online sampling needs %.6g rounds (5 experts, %.0f samples each), but the "
                 "first episode has 1000",
                 5 * ceil(A), ceil(A));
        study.sampling = ROSTER_ONLINE;
        toy_refused(&study, sentence);
    }
    roster_world_free(world);
    instance_free(&in);
}

static void offline_samples(void **state)
{
    (void)state;
    static const roster_setting told[] = {
        {"support", 0, "shared"}, {"p_V", .05, NULL}, {"p_X", .1, NULL}, {"xi", .01, NULL}, {NULL, 0, NULL}};
    static const double first_only[2] = {1, 0};
    toy_study t;
    static record a[1], b[1];
    toy_init(&t, "ed-ucb", told, 1000);
    t.study.samples = 50000;
    roster_outcome outcome = simulate(&t.study, 0, a, NULL);
    assert_true(outcome.xi == .01 && outcome.rounds == 2000 && a->without_agent == 0);
    t.study.samples = 20; /* other estimates, another history on the same world */
    simulate(&t.study, 0, b, NULL);
    assert_false(same_sequence(a, b));
    for (size_t i = 0; i < a->count; i++)
        assert_int_equal(a->seen[i].event.context, b->seen[i].event.context);
    t.study.samples = 50000; /* nothing is known of context 1 */
    t.study.prior = first_only;
    simulate(&t.study, 0, b, NULL);
    assert_false(same_sequence(a, b));
    toy_fini(&t);
}

static void online_sampling(void **state)
{
    (void)state;
    enum { SAMPLES = 400 };
    toy_study t;
    static record r[1];
    double by_episode[2];
    toy_init(&t, "ed-ucb", toy_empirical, 3000);
    t.study.samples = SAMPLES;
    t.study.sampling = ROSTER_ONLINE;
    roster_outcome outcome = simulate(&t.study, 0, r, by_episode);
    assert_true(outcome.rounds == 6000 && r->count == 6000 && r->without_agent == 2 * SAMPLES);
    unsigned plays[2] = {0};
    for (size_t i = 0; i < 2 * SAMPLES; i++)
        plays[r->seen[i].event.expert]++;
    assert_true(plays[0] == SAMPLES && plays[1] == SAMPLES);
    assert_close(r->seen[2 * SAMPLES - 1].regret, .48 * SAMPLES, 1e-12); /* expert 1 plays its share and it counts */
    assert_true(by_episode[0] >= .48 * SAMPLES - 1e-9);
    assert_true(outcome.xi == roster_theory_xi(.05, .1, false));
    r->stop_after = SAMPLES; /* stopping while sampling ends the run */
    outcome = simulate(&t.study, 0, r, by_episode);
    assert_true(outcome.rounds == SAMPLES && r->count == SAMPLES && by_episode[1] == 0);
    r->stop_after = 0;
    t.study.samples = 1500; /* exactly the first episode: the agent's first round is in the second */
    outcome = simulate(&t.study, 0, r, by_episode);
    assert_true(outcome.rounds == 6000 && r->without_agent == 3000);
    toy_fini(&t);
}

/* A tally is known before the first round of the first episode, and of that alone. */
static bool first_rounds(void *context, const roster_step *step)
{
    uint64_t *seen = context;
    if (step->t == 1)
        seen[step->episode] = roster_agent_rounds(step->agent);
    return true;
}

static void warm_start(void **state)
{
    (void)state;
    const roster_tally_row row = {.expert = 1, .context = 0, .action = 1, .count = 1000, .sum = 300, .squares = 300};
    toy_study t;
    roster_outcome outcome;
    roster_error err;
    uint64_t seen[2] = {0};
    toy_init(&t, "ucb", NULL, 50);
    t.study.warm_rows = &row;
    t.study.n_warm_rows = 1;
    assert_ok(roster_simulate(&t.study, 0, first_rounds, seen, &outcome, NULL, &err), &err);
    assert_true(seen[0] == 1001 && seen[1] == 1);
    t.study.warm_discount = .25;
    assert_ok(roster_simulate(&t.study, 0, first_rounds, seen, &outcome, NULL, &err), &err);
    assert_true(seen[0] == 251 && seen[1] == 1);
    toy_fini(&t);
    toy_init(&t, "exp4", NULL, 50);
    t.study.warm_rows = &row;
    t.study.n_warm_rows = 1;
    toy_refused(&t.study, "exp4 must see events one by one and cannot learn a tally; these can: " TALLY_AGENTS);
    toy_fini(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oracle_has_no_regret),
        cmocka_unit_test(uniform_pays_the_mean_gap),
        cmocka_unit_test(same_seed_and_run_same_history),
        cmocka_unit_test(all_agents_meet_the_same_world),
        cmocka_unit_test(agents_draw_from_streams_of_their_own),
        cmocka_unit_test(agent_is_told_the_world_s_contexts),
        cmocka_unit_test(observer_sees_every_round),
        cmocka_unit_test(observer_can_stop),
        cmocka_unit_test(random_lengths),
        cmocka_unit_test(every_agent_runs),
        cmocka_unit_test(theory_budget),
        cmocka_unit_test(offline_samples),
        cmocka_unit_test(online_sampling),
        cmocka_unit_test(warm_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
