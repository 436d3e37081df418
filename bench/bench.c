/*
 * bench.c: what a round costs.
 *
 * ns per round (choose + learn, through the public interface) for every agent at N = 5, 64, 1024, on tables and on
 * features, and how that grows from round 1e3 to round 1e6 (or as far as three seconds go). Events are made ahead, so
 * that only the agent is timed, and few, so that they stay in the cache.
 * Times are the median of several stretches; the growth is a ratio within one run, because machines are noisy.
 */
#include <roster.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { X = 10, V = 10, D = 10, EVENTS = 256, STRETCHES = 15 };

typedef struct bench {
    size_t n;
    bool features;
    roster_experts *experts;
    double values[1024], rows[EVENTS][D];
    roster_event *events; /* [EVENTS][n]: what would happen if expert k were chosen */
} bench;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void must(int code, const roster_error *err)
{
    if (code == ROSTER_OK)
        return;
    fprintf(stderr, "bench: %s\n", err->msg);
    exit(1);
}

static void make_tables(bench *b, roster_rng *rng)
{
    roster_error err;
    double *pi = malloc(b->n * X * V * sizeof *pi);
    for (size_t row = 0; row < b->n * X; row++) {
        double sum = 0;
        for (size_t v = 0; v < V; v++)
            sum += pi[row * V + v] = roster_rng_uniform(rng);
        for (size_t v = 0; v < V; v++)
            pi[row * V + v] = .01 + (1 - V * .01) * pi[row * V + v] / sum;
    }
    must(roster_experts_tables(&b->experts, b->n, X, V, pi, NULL, &err), &err);
    free(pi);
}

static void make_features(bench *b, roster_rng *rng)
{
    roster_error err;
    double *weights = malloc(b->n * V * D * sizeof *weights);
    for (size_t i = 0; i < b->n * V * D; i++)
        weights[i] = roster_rng_uniform(rng) - .5;
    roster_softmax model = {.experts = b->n,
                            .actions = V,
                            .features = D,
                            .weights = weights,
                            .floor = .01,
                            .sample = &b->rows[0][0],
                            .samples = 100};
    must(roster_experts_softmax(&b->experts, &model, &err), &err);
    free(weights);
}

static roster_event make_event(const bench *b, roster_rng *rng, size_t i, size_t k)
{
    double pi[V];
    size_t x = (size_t)roster_rng_below(rng, X);
    for (size_t v = 0; v < V && !b->features; v++)
        pi[v] = roster_experts_probability(b->experts, k, x, v);
    if (b->features)
        roster_experts_distribution(b->experts, k, b->rows[i], pi);
    size_t v = roster_experts_draw(pi, V, roster_rng_uniform(rng));
    double mean = .2 + .05 * (double)((x + v) % 10) + .1 * (double)k / (double)b->n;
    return (roster_event){
        .expert = k, .context = x, .action = v, .reward = roster_rng_uniform(rng) < mean, .features = b->rows[i]};
}

static void setup(bench *b, size_t n, bool features)
{
    roster_rng rng;
    roster_rng_init(&rng, 5, n, ROSTER_ROLE_SETUP);
    *b = (bench){.n = n, .features = features};
    for (size_t i = 0; i < EVENTS; i++)
        for (size_t f = 0; f < D; f++)
            b->rows[i][f] = 2 * roster_rng_uniform(&rng) - 1;
    (features ? make_features : make_tables)(b, &rng);
    b->events = malloc(EVENTS * n * sizeof *b->events);
    for (size_t i = 0; i < EVENTS; i++)
        for (size_t k = 0; k < n; k++)
            b->events[i * n + k] = make_event(b, &rng, i, k);
    for (size_t k = 0; k < n; k++)
        b->values[k] = (double)k / (double)n;
}

static void teardown(bench *b)
{
    roster_experts_free(b->experts);
    free(b->events);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Rounds up to `until`; the median ns per round of the stretches. */
static double play(const bench *b, roster_agent *agent, uint64_t until)
{
    double times[STRETCHES];
    roster_error err;
    uint64_t rounds = (until - roster_agent_rounds(agent)) / STRETCHES;
    for (size_t s = 0; s < STRETCHES; s++) {
        double start = now();
        for (uint64_t i = 0; i < rounds; i++) {
            size_t event = (size_t)(roster_agent_rounds(agent) % EVENTS), k = roster_agent_choose(agent);
            must(roster_agent_learn(agent, &b->events[event * b->n + k], &err), &err);
        }
        times[s] = (now() - start) / (double)rounds;
    }
    qsort(times, STRETCHES, sizeof *times, by_size);
    return times[STRETCHES / 2];
}

static roster_agent *create(const bench *b, const roster_agent_info *info, double C)
{
    const roster_setting known[] = {{"C", C, NULL}, {NULL, 0, NULL}};
    const roster_setting estimates[] = {
        {"C", C, NULL}, {"p_V", .01, NULL}, {"p_X", 0, "uniform"}, {"xi", 1e-6, NULL}, {NULL, 0, NULL}};
    const roster_setting *settings = info->params[0] == NULL ? NULL : info->empirical ? estimates : known;
    roster_problem problem = {.experts = b->experts, .values = b->values};
    roster_error err;
    roster_agent *agent;
    must(roster_agent_create(&agent, info->name, &problem, settings, 1, 0, &err), &err);
    return agent;
}

/* One line of the table: early, late and their ratio. Stops after about three seconds. */
static double measure(const bench *b, const roster_agent_info *info, double C, double last)
{
    roster_agent *agent = create(b, info, C);
    uint64_t begin = 16 * b->n > 1000 ? 16 * b->n : 1000; /* past the first plays, whose means of 0 and 1 are special */
    play(b, agent, begin);
    double early = play(b, agent, 2 * begin), end = 3e9 / early;
    end = end < last ? end : last;
    play(b, agent, (uint64_t)(end * .9));
    double late = play(b, agent, (uint64_t)end);
    printf("%-12s %-9s %6zu %6g %12.1f %12.1f %12.0f %8.2f\n", info->name, b->features ? "features" : "tables", b->n, C,
           early, late, end, late / early);
    fflush(stdout);
    roster_agent_free(agent);
    return late / early;
}

/* Every agent; those whose samples are clipped with C = 0.02, where few are, and with C = 1, where many move in and
   out. */
static double measure_all(const bench *b, double last)
{
    double largest = 0;
    for (size_t a = 0; roster_agent_info_at(a) != NULL; a++) {
        const roster_agent_info *info = roster_agent_info_at(a);
        double growth = measure(b, info, .02, last);
        largest = growth > largest ? growth : largest;
        growth = info->params[0] != NULL ? measure(b, info, 1, last) : 0;
        largest = growth > largest ? growth : largest;
    }
    return largest;
}

int main(int argc, char **argv)
{
    const size_t sizes[] = {5, 64, 1024};
    double last = argc > 1 ? strtod(argv[1], NULL) : 1e6;
    bench *b = malloc(sizeof *b);
    printf("ns per round (choose + learn), X = %d, V = %d; early: from round max(1e3, 16N) on; late: up to round t\n\n",
           X, V);
    printf("%-12s %-9s %6s %6s %12s %12s %12s %8s\n", "agent", "contexts", "N", "C", "early", "late", "t", "growth");
    double largest = 0;
    for (int features = 0; features < 2; features++)
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            setup(b, sizes[s], features == 1);
            double growth = measure_all(b, last);
            largest = growth > largest ? growth : largest;
            teardown(b);
        }
    printf("\nlargest growth: %.2f (flat: at most 1.3)\n", largest);
    free(b);
    return 0;
}
