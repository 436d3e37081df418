/* ad_server.c: the whole of embedding roster: three models, one campaign, choose - act - learn. */
#include <roster.h>
#include <stdio.h>

enum { MODELS = 3, AUDIENCES = 2, ADS = 3 };

int main(void)
{
    /* How likely each model is to show each ad to each audience. */
    const double models[MODELS][AUDIENCES][ADS] = {
        {{.7, .2, .1}, {.1, .6, .3}}, {{.2, .5, .3}, {.4, .4, .2}}, {{.05, .05, .9}, {.3, .1, .6}}};
    const double clicks[AUDIENCES][ADS] = {{.02, .05, .01}, {.03, .02, .09}}; /* the campaign's secret */
    roster_error err;
    roster_experts *experts;
    roster_agent *agent;
    roster_rng rng;

    if (roster_experts_tables(&experts, MODELS, AUDIENCES, ADS, &models[0][0][0], NULL, &err) != ROSTER_OK ||
        roster_agent_create(&agent, "d-ucb", &(roster_problem){.experts = experts}, NULL, 1, 0, &err) != ROSTER_OK)
        return fprintf(stderr, "%s\n", err.msg), 1;

    roster_rng_init(&rng, 1, 0, ROSTER_ROLE_WORLD);
    for (int visitor = 0; visitor < 100000; visitor++) {
        size_t k = roster_agent_choose(agent);
        size_t audience = (size_t)roster_rng_below(&rng, AUDIENCES);
        size_t ad = roster_experts_draw(models[k][audience], ADS, roster_rng_uniform(&rng));
        roster_event event = {.expert = k, .context = audience, .action = ad};
        event.reward = roster_rng_uniform(&rng) < clicks[audience][ad];
        if (roster_agent_learn(agent, &event, &err) != ROSTER_OK)
            return fprintf(stderr, "%s\n", err.msg), 1;
    }
    printf("after 100000 visitors the campaign is served by %s\n",
           roster_experts_name(experts, roster_agent_choose(agent)));
    roster_agent_free(agent);
    roster_experts_free(experts);
    return 0;
}
