/*
 * test_service_simulation.c: a campaign and a simulated run with the same world and seed make the same choices.
 */
#include "service_support.h"

enum { ROUNDS = 100000 };

typedef struct played {
    unsigned char expert, action;
} played;

static bool observe(void *context, const roster_step *step)
{
    played *list = context;
    list[step->t - 1] = (played){(unsigned char)step->event->expert, (unsigned char)step->event->action};
    return true;
}

static void write_campaign(char *text, size_t size, const char *agent)
{
    size_t used =
        (size_t)snprintf(text, size,
                         "{\"name\":\"same\",\"contexts\":2,\"actions\":3,\"agent\":%s,\"seed\":11,\"stream\":\"\","
                         "\"context_probabilities\":[%.17g,%.17g],\"experts\":[",
                         agent, spec_p[0], spec_p[1]);
    for (size_t k = 0; k < 3; k++) {
        const double *pi = spec_pi + 6 * k;
        used += (size_t)snprintf(text + used, size - used, "%s{\"table\":[[%.17g,%.17g,%.17g],[%.17g,%.17g,%.17g]]}",
                                 k > 0 ? "," : "", pi[0], pi[1], pi[2], pi[3], pi[4], pi[5]);
    }
    snprintf(text + used, size - used, "]}");
}

static void same_choices(const char *agent, const roster_setting *settings, const char *json, bool own_ids)
{
    static played simulated[ROUNDS];
    static const double means[6] = {0.9, 0.5, 0.3, 0.2, 0.6, 0.8};
    roster_experts *experts = spec_experts();
    roster_world *world;
    roster_error err;
    assert_ok(roster_world_create(&world, experts, spec_p, means, &err), &err);
    roster_episode episode = {.world = world, .rounds = ROUNDS};
    roster_study study = {
        .experts = experts, .episodes = &episode, .n_episodes = 1, .agent = agent, .settings = settings, .seed = 11};
    roster_outcome outcome;
    assert_ok(roster_simulate(&study, 0, observe, simulated, &outcome, NULL, &err), &err);

    char text[2000];
    write_campaign(text, sizeof text, json);
    service *self = fresh();
    service_campaign *c = created(self, text, 0);
    roster_rng stream;
    roster_rng_init(&stream, 11, 0, ROSTER_ROLE_WORLD);
    for (uint64_t t = 1; t <= ROUNDS; t++) {
        roster_event event;
        char id[24];
        snprintf(id, sizeof id, "%s%llu", own_ids ? "" : "#", (unsigned long long)t);
        roster_world_round(world, &stream, t, 0, &event);
        service_decision d = decided(self, c, own_ids ? id : NULL, event.context, (int64_t)t * 1000);
        assert_string_equal(d.id, id);
        assert_int_equal(d.expert, simulated[t - 1].expert);
        assert_int_equal(d.action, simulated[t - 1].action);
        roster_world_round(world, &stream, t, d.expert, &event);
        assert_int_equal(rewarded(self, c, id, event.reward, (int64_t)t * 1000), SERVICE_JOINED);
        if (t % 1000 == 0) {
            store_row row;
            service_commit_begin(self, 0, &row);
            service_commit_end(self, true, NULL);
        }
    }
    service_free(self);
    roster_world_free(world);
    roster_experts_free(experts);
}

static void ducb(void **state)
{
    (void)state;
    static const roster_setting settings[] = {{"C", 0.05, NULL}, {NULL, 0, NULL}};
    same_choices("d-ucb", settings, "{\"agent\":\"d-ucb\",\"C\":0.05}", true);
}

static void ucb(void **state)
{
    (void)state;
    same_choices("ucb", NULL, "\"ucb\"", false);
}

static void ducb_lite(void **state)
{
    (void)state;
    same_choices("d-ucb-lite", NULL, "\"d-ucb-lite\"", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ducb),
        cmocka_unit_test(ucb),
        cmocka_unit_test(ducb_lite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
