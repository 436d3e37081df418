/*
 * fuzz_api.c: random calls of the public interface, on random objects, with random arguments within their types.
 *
 * The input is a program: one byte picks a call, the following bytes its arguments. Objects live in a few places each;
 * a call uses what is there and puts there what it makes. Arguments are of any value their type has: sizes up to
 * SIZE_MAX, NAN, infinities, experts and contexts that do not exist, settings of any name, snapshots of other agents.
 * Only what C cannot check is kept: an array is as long as the call says, or the call must refuse before it reads.
 *
 * Whatever is called returns or refuses with a code and a sentence; a refused call leaves its agent as it was.
 * Run with max_allocation_size_mb, so that sizes nobody has are refused as a machine out of memory would.
 */
#include "api_evidence.h"
#include "api_guard.h"
#include "api_tally.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void keep_experts(player *p, size_t place, roster_experts *e)
{
    if (e == NULL)
        return;
    p->experts[place] = p->kept[p->n_kept++] = e;
}

static const char *const names[] = {"a", "b", "", "name", "\xff"};

static void make_tables(player *p)
{
    roster_error err;
    roster_experts *e = NULL;
    size_t n = small(p), x = small(p), v = small(p);
    const double *pi = numbers(p, n * x * v, v);
    const char *const *own = byte(p) % 4 == 0 ? names : NULL;
    if (byte(p) % 2 == 0)
        check(roster_experts_tables(&e, n, x, v, pi, own, &err), &err);
    else
        check(roster_experts_external(&e, n, x, v, pi, own, &err), &err);
    keep_experts(p, byte(p) % PLACES, e);
}

/* Shapes that are too large must be refused before a number is read. */
static void make_huge(player *p)
{
    roster_error err;
    roster_experts *e = NULL;
    roster_estimates *counts = NULL;
    size_t n = (size_t)u64(p), x = (size_t)u64(p), v = (size_t)u64(p);
    double cells = (double)n * (double)x * (double)v;
    if (cells > 0 && cells < 1e9)
        return;
    const double *pi = byte(p) % 2 == 0 ? p->numbers : NULL;
    roster_softmax model = {
        .experts = n, .actions = v, .features = x, .weights = pi, .floor = number(p), .sample = pi, .samples = 1};
    if (check(roster_experts_tables(&e, n, x, v, pi, NULL, &err), &err) == ROSTER_OK ||
        (x > 0 && check(roster_experts_external(&e, n, x, v, NULL, NULL, &err), &err) == ROSTER_OK) ||
        check(roster_estimates_create(&counts, n, x, v, NULL, &err), &err) == ROSTER_OK)
        abort();
    if (cells == 0 || cells > 0x1p64)
        if (check(roster_experts_softmax(&e, &model, &err), &err) == ROSTER_OK)
            abort();
}

static void make_softmax(player *p)
{
    roster_error err;
    roster_experts *e = NULL;
    static double weights[SMALL * SMALL * SMALL], bias[SMALL * SMALL], sample[SMALL * SMALL];
    roster_softmax m = {.experts = small(p), .actions = small(p), .features = small(p), .samples = small(p)};
    memcpy(weights, numbers(p, m.experts * m.actions * m.features, 1), sizeof weights);
    memcpy(bias, numbers(p, m.experts * m.actions, 1), sizeof bias);
    memcpy(sample, numbers(p, m.samples * m.features, 1), sizeof sample);
    m.weights = weights;
    m.bias = byte(p) % 2 == 0 ? bias : NULL;
    m.sample = sample;
    m.floor = number(p);
    check(roster_experts_softmax(&e, &m, &err), &err);
    keep_experts(p, byte(p) % PLACES, e);
}

static void read_experts(player *p)
{
    const roster_experts *e = p->experts[byte(p) % PLACES];
    if (e == NULL)
        return;
    size_t n = roster_experts_count(e), X = roster_experts_contexts(e), k = (size_t)u64(p),
           v = roster_experts_actions(e);
    double m[SMALL], prior[SMALL * SMALL];
    roster_error_bounds bounds = {number(p), number(p), number(p)};
    (void)strlen(roster_experts_name(e, k));
    roster_experts_probability(e, k, (size_t)u64(p), (size_t)u64(p));
    roster_experts_floor(e);
    memcpy(prior, numbers(p, X, X), sizeof prior);
    roster_divergence_column(e, byte(p) % 2 == 0 ? prior : NULL, byte(p) % 2 == 0, k, m);
    roster_divergence_lower_column(e, &bounds, k, m);
    if (roster_experts_kind(e) == ROSTER_SOFTMAX && k < n) {
        double pi[SMALL];
        numbers(p, roster_experts_features(e), 1);
        roster_experts_distribution(e, k, p->numbers, pi);
        if (roster_experts_draw(pi, v, number(p)) >= v)
            abort();
    }
}

static void make_estimates(player *p)
{
    roster_error err;
    size_t place = byte(p) % PLACES;
    roster_estimates_free(p->estimates[place]);
    check(roster_estimates_create(&p->estimates[place], small(p), small(p), small(p), byte(p) % 4 == 0 ? names : NULL,
                                  &err),
          &err);
}

static void use_estimates(player *p)
{
    roster_error err;
    roster_estimates *counts = p->estimates[byte(p) % PLACES];
    const roster_experts *truth = p->experts[byte(p) % PLACES];
    if (counts == NULL)
        return;
    uint8_t what = byte(p) % 4;
    if (what == 0)
        check(roster_estimates_add(counts, (size_t)u64(p), (size_t)u64(p), (size_t)u64(p), u64(p), &err), &err);
    if (what == 1 && truth != NULL)
        check(roster_estimates_draw(counts, truth, NULL, u64(p), &p->rng, &err), &err);
    if (what == 2) {
        roster_estimates_count(counts, (size_t)u64(p), (size_t)u64(p), (size_t)u64(p));
        roster_estimates_min_samples(counts);
        roster_estimates_xi(counts, number(p));
        roster_estimates_xi_exact(counts, number(p));
    }
    roster_experts *e = NULL;
    if (what == 3)
        check(roster_estimates_experts(counts, &e, &err), &err);
    keep_experts(p, byte(p) % PLACES, e);
}

static const char *agent_name(player *p)
{
    size_t i = byte(p) % 16, known = 0;
    while (roster_agent_info_at(known) != NULL)
        known++;
    return i < known ? roster_agent_info_at(i)->name : i == 15 ? NULL : "nobody";
}

/* At most six settings of any name and value. */
static void any_settings(player *p, roster_setting *s)
{
    static const char *const keys[] = {"C", "beta", "gamma", "p_V", "p_X", "xi", "support", "speed"};
    static const char *const words[] = {"theory", "tight", "uniform", "full", "shared", "", "none"};
    size_t n = byte(p) % 7;
    for (size_t i = 0; i < n; i++)
        s[i] = (roster_setting){keys[byte(p) % 8], number(p), byte(p) % 3 == 0 ? words[byte(p) % 7] : NULL};
    s[n] = (roster_setting){NULL, 0, NULL};
}

/* Settings that this agent takes. */
static const roster_setting *good_settings(const char *name)
{
    static const roster_setting known[] = {{"C", .5, NULL}, {NULL, 0, NULL}};
    static const roster_setting estimated[] = {
        {"C", .5, NULL}, {"p_V", .01, NULL}, {"p_X", .05, NULL}, {"xi", 1e-4, NULL}, {NULL, 0, NULL}};
    return name == NULL ? NULL : name[0] == 'e' ? estimated : name[0] == 'd' ? known : NULL;
}

static void make_agent(player *p)
{
    roster_error err;
    size_t place = byte(p) % PLACES;
    roster_setting settings[8];
    double values[SMALL], prior[SMALL * SMALL];
    roster_problem problem = {.experts = p->experts[byte(p) % PLACES]};
    uint8_t how = byte(p);
    any_settings(p, settings);
    if (problem.experts != NULL && how % 2 == 0) {
        memcpy(prior, numbers(p, roster_experts_contexts(problem.experts), roster_experts_contexts(problem.experts)),
               sizeof prior);
        problem.context_probabilities = prior;
    }
    if (problem.experts != NULL && how / 2 % 2 == 0) {
        memcpy(values, numbers(p, SMALL, SMALL), sizeof values);
        problem.values = values;
    }
    roster_agent_free(p->agents[place]);
    const char *name = agent_name(p);
    const roster_setting *with = how / 4 % 3 == 0 ? settings : how / 4 % 3 == 1 ? NULL : good_settings(name);
    check(roster_agent_create(&p->agents[place], name, &problem, with, u64(p), u64(p), &err), &err);
}

static void learn(player *p)
{
    roster_error err;
    roster_agent *agent = p->agents[byte(p) % PLACES];
    double row[SMALL];
    if (agent == NULL)
        return;
    for (size_t n = 1 + byte(p) % 16; n > 0; n--) {
        roster_event event = any_event(p, roster_agent_experts(agent), roster_agent_choose(agent), row);
        uint64_t before = print(agent);
        if (check(roster_agent_learn(agent, &event, &err), &err) != ROSTER_OK && print(agent) != before)
            abort();
    }
}

static void look(player *p)
{
    roster_agent *agent = p->agents[byte(p) % PLACES];
    roster_error err;
    double u[SMALL];
    roster_insight insight;
    roster_constants constants;
    if (agent == NULL)
        return;
    size_t n = roster_experts_count(roster_agent_experts(agent));
    if (roster_agent_choose(agent) >= n)
        abort();
    roster_agent_index(agent, u);
    roster_agent_insight(agent, (size_t)u64(p), &insight);
    roster_agent_setting(agent, byte(p) % 2 == 0 ? "C" : "nothing");
    check(roster_agent_constants(agent, &constants, &err), &err);
    if (byte(p) % 2 == 0)
        check(roster_agent_reserve(agent, (size_t)u64(p), &err), &err);
    if (byte(p) % 4 == 0)
        roster_agent_reset(agent, u64(p));
}

static void save_and_load(player *p)
{
    roster_error err;
    roster_agent *from = p->agents[byte(p) % PLACES], *into = p->agents[byte(p) % PLACES];
    if (from != NULL && byte(p) % 2 == 0) {
        size_t n = roster_agent_save(from, p->bytes, BYTES);
        p->n_bytes = n <= BYTES ? n : 0;
    }
    if (byte(p) % 4 == 0 && p->n_bytes > 0)
        p->bytes[u64(p) % p->n_bytes] ^= byte(p);
    size_t n = byte(p) % 4 == 0 ? (size_t)u64(p) % (p->n_bytes + 1) : p->n_bytes;
    if (into == NULL)
        return;
    uint64_t before = print(into);
    if (check(roster_agent_load(into, byte(p) % 8 == 0 ? NULL : p->bytes, n, &err), &err) != ROSTER_OK &&
        print(into) != before)
        abort();
}

static void merge(player *p)
{
    roster_error err;
    roster_agent *into = p->agents[byte(p) % PLACES];
    const roster_agent *from = p->agents[byte(p) % PLACES];
    if (into == NULL || from == NULL)
        return;
    if (roster_agent_save(into, NULL, 0) + roster_agent_save(from, NULL, 0) > BYTES)
        return; /* kept samples of both are kept: an agent merged into itself doubles, time after time */
    uint64_t before = print(into);
    if (check(roster_agent_merge(into, from, &err), &err) != ROSTER_OK && print(into) != before)
        abort();
}

static void make_world(player *p)
{
    roster_error err;
    size_t place = byte(p) % PLACES;
    const roster_experts *e = p->experts[byte(p) % PLACES];
    roster_world *world = NULL;
    static double values[SMALL * SMALL], prior[SMALL * SMALL];
    roster_list lists[SMALL * SMALL];
    size_t cells = e != NULL ? roster_experts_contexts(e) * roster_experts_actions(e) : 0;
    memcpy(prior, numbers(p, e != NULL ? roster_experts_contexts(e) : 0, e != NULL ? roster_experts_contexts(e) : 1),
           sizeof prior);
    for (size_t i = 0; i < cells; i++) {
        values[i] = number(p);
        lists[i] = (roster_list){byte(p) % 16 == 0 ? NULL : values, byte(p) % (i + 1)};
    }
    const double *with = byte(p) % 2 == 0 ? prior : NULL;
    if (byte(p) % 2 == 0)
        check(roster_world_create(&world, e, with, byte(p) % 16 == 0 ? NULL : values, &err), &err);
    else
        check(roster_world_create_lists(&world, e, with, byte(p) % 16 == 0 ? NULL : lists, &err), &err);
    if (world != NULL)
        p->worlds[place] = p->kept_worlds[p->n_kept_worlds++] = world;
}

static void use_world(player *p)
{
    const roster_world *world = p->worlds[byte(p) % PLACES];
    double mu[SMALL];
    roster_event event;
    roster_list list;
    if (world == NULL)
        return;
    roster_world_values(world, mu);
    roster_world_reward(world, (size_t)u64(p), (size_t)u64(p), byte(p) % 2 == 0 ? &list : NULL);
    roster_world_round(world, &p->rng, u64(p), (size_t)u64(p), &event);
}

static bool observe(void *context, const roster_step *step)
{
    player *p = context;
    (void)step;
    return ++p->seen < ROUNDS_MOST;
}

static bool progress(void *context, uint64_t rounds)
{
    (void)context;
    return rounds < ROUNDS_MOST;
}

/* A study of episodes in the worlds that there are; its settings and episodes are the caller's. */
static roster_study any_study(player *p, roster_episode *episodes, roster_setting *settings)
{
    any_settings(p, settings);
    size_t n = byte(p) % (SMALL + 1);
    for (size_t e = 0; e < n; e++)
        episodes[e] = (roster_episode){.world = p->worlds[byte(p) % PLACES],
                                       .rounds = u64(p),
                                       .min_rounds = byte(p) % 2 == 0 ? u64(p) : 0,
                                       .declaration = (roster_declaration)(byte(p) % 3)};
    const char *agent = agent_name(p);
    return (roster_study){.experts = p->experts[byte(p) % PLACES],
                          .episodes = byte(p) % 16 == 0 ? NULL : episodes,
                          .n_episodes = n,
                          .agent = agent,
                          .settings = byte(p) % 2 == 0 ? settings : good_settings(agent),
                          .samples = u64(p),
                          .sampling = byte(p) % 2 == 0 ? ROSTER_OFFLINE : ROSTER_ONLINE,
                          .seed = u64(p),
                          .restart = (roster_restart)(byte(p) % 3),
                          .model_test = byte(p) % 2 == 0,
                          .delta = byte(p) % 2 == 0 ? 0 : number(p)};
}

static void simulate(player *p)
{
    roster_error err;
    roster_episode episodes[SMALL];
    roster_setting settings[8];
    roster_outcome outcome;
    double regret[SMALL];
    roster_study study = any_study(p, episodes, settings);
    p->seen = 0;
    check(roster_simulate(&study, u64(p), observe, p, &outcome, byte(p) % 2 == 0 ? regret : NULL, &err), &err);
}

static void contest(player *p)
{
    roster_error err;
    roster_episode episodes[SMALL];
    roster_setting settings[8];
    roster_results *results = NULL, *more = NULL;
    roster_study studies[2] = {any_study(p, episodes, settings)};
    studies[1] = studies[0];
    studies[1].agent = agent_name(p);
    studies[1].seed += byte(p) % 16 == 0;
    roster_contest c = {.studies = byte(p) % 16 == 0 ? NULL : studies,
                        .agents = byte(p) % 3,
                        .first = u64(p),
                        .runs = u64(p),
                        .step = u64(p),
                        .threads = byte(p) % 3,
                        .points = (size_t)u64(p),
                        .progress = progress,
                        .context = p};
    if (c.points > 1000000 && c.points <= 10000000)
        return;
    check(roster_results_create(&c, &more, &err), &err);
    for (size_t e = 0; e < studies[0].n_episodes; e++)
        episodes[e].rounds %= ROUNDS_MOST; /* progress is asked every 16,384 rounds */
    c.runs %= 4;
    check(roster_contest_run(&c, &results, &err), &err);
    if (results != NULL && more != NULL)
        check(roster_results_add(results, more, &err), &err);
    for (size_t a = 0; results != NULL && a < results->agents; a++)
        roster_moments_sd(&results->total[a], byte(p) % 2 == 0 ? results->runs : u64(p));
    roster_results_free(results);
    roster_results_free(more);
}

static void theory(player *p)
{
    roster_error err;
    double bound, gaps[SMALL];
    roster_constants c = {number(p), number(p), number(p), number(p), number(p)};
    size_t n = byte(p) % (SMALL + 1);
    memcpy(gaps, numbers(p, SMALL, SMALL), sizeof gaps);
    roster_theory_w(number(p));
    roster_theory_C(number(p), number(p));
    roster_theory_C_empirical(number(p), number(p), number(p));
    roster_theory_xi(number(p), number(p), byte(p) % 2 == 0);
    roster_theory_samples_per_context((size_t)u64(p), number(p), number(p));
    roster_theory_samples_per_expert(number(p), number(p), (size_t)u64(p), (size_t)u64(p), number(p), number(p));
    roster_theory_tau_1(&c);
    roster_theory_tau(&c, number(p));
    roster_theory_T_clip(&c);
    roster_theory_tau_1_empirical(&c);
    roster_theory_tau_empirical(&c, number(p));
    roster_theory_play_probability(number(p));
    check(roster_theory_regret(&c, gaps, n, &bound, &err), &err);
    check(roster_theory_regret_empirical(&c, gaps, n, &bound, &err), &err);
    check(roster_theory_regret_lite(&c, gaps, n, number(p), number(p), &bound, &err), &err);
    roster_theory_regret_episodes(number(p), number(p), number(p), number(p), (size_t)u64(p));
    roster_theory_regret_order(number(p), (size_t)u64(p), number(p));
}

static void draw(player *p)
{
    size_t n = byte(p) % (SMALL + 1);
    uint8_t what = byte(p) % 6;
    if (what == 0)
        roster_rng_init(&p->rng, u64(p), u64(p), u64(p));
    if (what == 1)
        roster_rng_seek(&p->rng, u64(p));
    uint64_t below = u64(p);
    if (what == 2 && below > 0 && roster_rng_below(&p->rng, below) >= below)
        abort();
    uint64_t trials = u64(p);
    if (what == 3 && roster_rng_binomial(&p->rng, trials, number(p)) > trials)
        abort();
    if (what == 4)
        roster_rng_multinomial(&p->rng, u64(p), n, numbers(p, n, n > 0 ? n : 1), p->counts);
    if (what == 5)
        roster_rng_dirichlet(&p->rng, n, number(p), number(p), p->numbers);
}

static void finish(player *p)
{
    for (size_t i = 0; i < PLACES; i++) {
        roster_agent_free(p->agents[i]);
        roster_evidence_free(p->evidence[i]);
        roster_estimates_free(p->estimates[i]);
    }
    for (size_t i = 0; i < p->n_kept_worlds; i++)
        roster_world_free(p->kept_worlds[i]);
    for (size_t i = 0; i < p->n_kept; i++)
        roster_experts_free(p->kept[i]);
    free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static void (*const calls[])(player *) = {make_tables,
                                              make_huge,
                                              make_softmax,
                                              read_experts,
                                              make_estimates,
                                              use_estimates,
                                              make_agent,
                                              learn,
                                              look,
                                              save_and_load,
                                              merge,
                                              make_world,
                                              use_world,
                                              simulate,
                                              contest,
                                              theory,
                                              draw,
                                              guard,
                                              make_agent,
                                              learn,
                                              make_tables,
                                              make_evidence,
                                              learn_evidence,
                                              look_at_evidence,
                                              save_and_load_evidence,
                                              learn_tally};
    player *p = calloc(1, sizeof *p);
    if (p == NULL)
        return 0;
    p->data = data;
    p->left = size;
    for (size_t n = 0; p->left > 0 && n < 200; n++)
        calls[byte(p) % (sizeof calls / sizeof *calls)](p);
    finish(p);
    return 0;
}
