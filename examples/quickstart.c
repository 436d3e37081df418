/*
 * quickstart.c: what sharing rewards between experts is worth.
 *
 * Five experts, four kinds of visitors, six actions, two episodes in which different experts are best. Every agent
 * meets the same worlds, 20 times; the table shows the mean regret at the end of each episode.
 */
#include <roster.h>
#include <stdio.h>

enum { N = 5, X = 4, V = 6, EPISODES = 2, RUNS = 20, ROUNDS = 20000 };

/* Rows of probabilities with a floor of .02, drawn once from a fixed seed. */
static void draw_rows(roster_rng *rng, size_t rows, double *pi)
{
    for (size_t row = 0; row < rows; row++) {
        double sum = 0;
        for (size_t v = 0; v < V; v++) {
            double u = roster_rng_uniform(rng);
            pi[row * V + v] = u * u * u;
            sum += u * u * u;
        }
        for (size_t v = 0; v < V; v++)
            pi[row * V + v] = .02 + (1 - V * .02) * pi[row * V + v] / sum;
    }
}

static int run_agent(const roster_experts *experts, const roster_episode *episodes, const char *name,
                     const roster_setting *settings, roster_error *err)
{
    roster_study study = {.experts = experts,
                          .episodes = episodes,
                          .n_episodes = EPISODES,
                          .agent = name,
                          .settings = settings,
                          .samples = 1000000000,
                          .seed = 1};
    double total[EPISODES] = {0}, best = 0;
    for (uint64_t run = 0; run < RUNS; run++) {
        roster_outcome outcome;
        double regret[EPISODES];
        int code = roster_simulate(&study, run, NULL, NULL, &outcome, regret, err);
        if (code != ROSTER_OK)
            return code;
        for (size_t e = 0; e < EPISODES; e++)
            total[e] += regret[e] / RUNS;
        best += (double)outcome.best_rounds / (double)outcome.rounds / RUNS;
    }
    printf("%-12s %12.1f %12.1f %15.1f%%\n", name, total[0], total[1], 100 * best);
    return ROSTER_OK;
}

int main(void)
{
    const roster_setting none[] = {{NULL, 0, NULL}};
    const roster_setting estimates[] = {{"p_V", .02, NULL}, {"p_X", 0, "uniform"}, {"xi", 1e-6, NULL}, {NULL, 0, NULL}};
    const char *const agents[] = {"d-ucb", "d-ucb-lite", "ed-ucb", "ucb", "kl-ucb", "uniform"};
    double pi[N * X * V], means[EPISODES][X * V];
    roster_world *worlds[EPISODES];
    roster_episode episodes[EPISODES];
    roster_experts *experts;
    roster_error err;
    roster_rng rng;

    roster_rng_init(&rng, 20, 0, ROSTER_ROLE_SETUP);
    draw_rows(&rng, N * X, pi);
    if (roster_experts_tables(&experts, N, X, V, pi, NULL, &err) != ROSTER_OK)
        return fprintf(stderr, "%s\n", err.msg), 1;
    for (size_t e = 0; e < EPISODES; e++) {
        for (size_t i = 0; i < X * V; i++)
            means[e][i] = roster_rng_uniform(&rng);
        if (roster_world_create(&worlds[e], experts, NULL, means[e], &err) != ROSTER_OK)
            return fprintf(stderr, "%s\n", err.msg), 1;
        episodes[e] = (roster_episode){.world = worlds[e], .rounds = ROUNDS};
    }
    printf("%d experts, %d episodes of %d rounds, mean of %d runs\n\n", N, EPISODES, ROUNDS, RUNS);
    printf("%-12s %12s %12s %16s\n", "agent", "regret 1", "regret 2", "on best expert");
    for (size_t a = 0; a < sizeof agents / sizeof *agents; a++) {
        const roster_setting *settings = agents[a][0] == 'e' ? estimates : none;
        if (run_agent(experts, episodes, agents[a], settings, &err) != ROSTER_OK)
            return fprintf(stderr, "%s\n", err.msg), 1;
    }
    for (size_t e = 0; e < EPISODES; e++)
        roster_world_free(worlds[e]);
    roster_experts_free(experts);
    return 0;
}
