/*
 * test_service_warm.c: a campaign that starts with what a log says: its agent knows it, the log repeats it, and what is
 * said to be known rests on its own decisions alone.
 */
#include "service_support.h"

#include "service_internal.h"

#define ROW(expert, context, action, more)                                                                             \
    "{\"expert\":\"" expert "\",\"context\":\"" context "\",\"action\":\"" action "\"," more "}"
#define ROWS                                                                                                           \
    "[" ROW("e0", "day", "a", "\"propensity\":0.7,\"count\":40,\"reward_sum\":30") "," ROW(                            \
        "e1", "night", "b",                                                                                            \
        "\"count\":25,\"reward_sum\":2.5,\"reward_squares\":1.5") ","                                                  \
                                                                  "{\"expert\":2,\"context\":0,\"action\":\"2\","      \
                                                                  "\"count\":30,\"reward_sum\":3}]"
#define WARM(rows, rest) ",\"warm_start\":{\"rows\":" rows rest "}"

static const roster_tally_row rows[] = {{0, 0, 0, .7, 40, 30, 30}, {1, 1, 1, 0, 25, 2.5, 1.5}, {2, 0, 2, 0, 30, 3, 3}};

/* The agent of the library that has learnt the same, and is at the same place of its stream. */
static roster_agent *beside(const service_campaign *c, double discount)
{
    roster_agent *agent;
    roster_error err;
    roster_problem problem = {c->own, NULL, NULL};
    assert_ok(roster_agent_create(&agent, "d-ucb", &problem, NULL, c->draws, 0, &err), &err);
    if (discount > 0)
        assert_ok(roster_agent_learn_tally(agent, rows, 3, discount, &err), &err);
    return agent;
}

static void assert_knows(service_campaign *c, double discount)
{
    double u[3], w[3];
    roster_agent *agent = beside(c, discount);
    roster_agent_index(agent, u);
    roster_agent_index(service_present(c)->agent, w);
    assert_memory_equal(u, w, sizeof u);
    roster_agent_free(agent);
}

static void learns_the_rows(void **state)
{
    (void)state;
    service *self = fresh();
    assert_knows(created(self, SPEC_CAMPAIGN("cold", ""), SECOND), 0);
    assert_knows(created(self, SPEC_CAMPAIGN("warm", WARM(ROWS, "")), SECOND), 1);
    assert_knows(created(self, SPEC_CAMPAIGN("half", WARM(ROWS, ",\"discount\":0.5")), SECOND), .5);
    service_free(self);
}

/* Intervals, what is known, and what is watched for alarms begin with the campaign. */
static void evidence_starts_empty(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("warm", WARM(ROWS, "") ",\"restart\":\"alarm\""), SECOND);
    const service_episode_state *e = service_present(c);
    assert_int_equal(roster_evidence_rounds(e->evidence), 0);
    assert_int_equal(roster_alarms_rounds(e->watch), 0);
    assert_int_equal(roster_model_test_rounds(e->model), 0);
    service_closed *figures = service_figures_take(c);
    service_known known = service_know(c, figures);
    assert_false(known.known);
    for (size_t k = 0; k < 3; k++)
        assert_true(figures[k].plays == 0 && isnan(figures[k].low) && isnan(figures[k].high) && !figures[k].excluded);
    free(figures);
    assert_int_equal(e->learnt, 0);
    service_free(self);
}

static void play(service *self, service_campaign *c, int64_t *now, int rounds)
{
    static int round;
    for (int i = 0; i < rounds; i++) {
        char id[32];
        snprintf(id, sizeof id, "e%d", round++);
        decided(self, c, id, (size_t)i % 2, *now += SECOND);
        rewarded(self, c, id, i % 3 == 0, *now += SECOND);
    }
}

/* Another episode is another world: it starts cold. */
static void later_episodes_are_cold(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    int64_t now = SECOND;
    service_campaign *c = created(self, SPEC_CAMPAIGN("warm", WARM(ROWS, "")), now);
    play(self, c, &now, 10);
    assert_int_equal(roster_agent_rounds(service_present(c)->agent), 105);
    assert_done(service_episode_start(self, c, SERVICE_CALLED, now, NULL, &err), &err);
    assert_int_equal(roster_agent_rounds(service_present(c)->agent), 0);
    service_free(self);
}

/* From the log, from a snapshot and the log behind it, and by the audit: the same. */
static void log_repeats_it(void **state)
{
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    service *self, *again;
    service_error err;
    service_audited audited;
    int64_t now = SECOND;
    assert_done(service_open(&self, log, &err), &err);
    service_campaign *c = created(self, SPEC_CAMPAIGN("warm", WARM(ROWS, ",\"discount\":0.75")), now);
    for (int part = 0; part < 3; part++) {
        play(self, c, &now, 20);
        assert_done(service_commit(self, log, now, &err), &err);
        assert_done(service_open(&again, log, &err), &err);
        assert_same_state(self, again);
        service_free(again);
        assert_done(service_audit(log, NULL, &audited, &err), &err);
        assert_int_equal(audited.records, service_last(self));
        if (part == 1)
            assert_done(service_snapshot(self, log, &err), &err);
    }
    service_free(self);
    log_end(log, &directory);
}

static void same_description_same_campaign(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c;
    service_error err;
    bool is_new;
    static const char same[] = SPEC_CAMPAIGN("warm", WARM(ROWS, "")),
                      other[] = SPEC_CAMPAIGN("warm", WARM(ROWS, ",\"discount\":0.5"));
    created(self, same, SECOND);
    assert_done(service_campaign_create(self, same, strlen(same), SECOND, &c, &is_new, &err), &err);
    assert_false(is_new);
    assert_not(service_campaign_create(self, other, strlen(other), SECOND, &c, &is_new, &err), &err, SERVICE_EXISTS,
               "campaign warm exists with another description");
    service_free(self);
}

typedef struct refusal {
    const char *json, *sentence;
} refusal;

#define ONE(more) SPEC_CAMPAIGN("w", WARM("[{" more "}]", ""))
#define PLACE "\"expert\":\"e0\",\"context\":\"day\",\"action\":\"a\","

static const refusal refusals[] = {
    {SPEC_CAMPAIGN("w", ",\"warm_start\":[]"), "campaign: warm_start is a list, must be an object"},
    {SPEC_CAMPAIGN("w", ",\"warm_start\":{}"), "campaign: 'rows' is missing in warm_start"},
    {SPEC_CAMPAIGN("w", WARM("[]", "")), "campaign: warm_start.rows is an empty list, must not be empty"},
    {SPEC_CAMPAIGN("w", WARM(ROWS, ",\"discount\":0")),
     "campaign: warm_start.discount is 0, must be above 0 and at most 1"},
    {SPEC_CAMPAIGN("w", WARM(ROWS, ",\"discount\":2")),
     "campaign: warm_start.discount is 2, must be above 0 and at most 1"},
    {SPEC_CAMPAIGN("w", WARM(ROWS, ",\"log\":\"f\"")), "campaign: unknown key 'log' in warm_start"},
    {ONE("\"action\":\"a\",\"count\":1,\"reward_sum\":1"), "campaign: 'context' is missing in warm_start.rows[0]"},
    {ONE("\"context\":\"dusk\",\"action\":\"a\",\"count\":1,\"reward_sum\":1"),
     "campaign: warm_start.rows[0].context is \"dusk\", which is not a context"},
    {ONE("\"context\":2,\"action\":\"a\",\"count\":1,\"reward_sum\":1"),
     "campaign: warm_start.rows[0].context is 2, must be a whole number from 0 to 1"},
    {ONE("\"context\":\"day\",\"action\":\"d\",\"count\":1,\"reward_sum\":1"),
     "campaign: warm_start.rows[0].action is \"d\", which is not an action"},
    {ONE("\"context\":\"day\",\"action\":\"3\",\"count\":1,\"reward_sum\":1"),
     "campaign: warm_start.rows[0].action is \"3\", which is not an action"},
    {ONE("\"expert\":\"e9\",\"context\":\"day\",\"action\":\"a\",\"count\":1,\"reward_sum\":1"),
     "campaign: warm_start.rows[0].expert is \"e9\", which is not an expert: leave it out where none of these acted"},
    {ONE("\"context\":\"day\",\"action\":\"a\",\"count\":1,\"reward_sum\":1"),
     "campaign: warm_start: rows[0] has no expert, but d-ucb must know who acted; direct need not, where experts are "
     "tables"},
    {ONE(PLACE "\"reward_sum\":1"), "campaign: 'count' is missing in warm_start.rows[0]"},
    {ONE(PLACE "\"count\":0,\"reward_sum\":1"),
     "campaign: warm_start.rows[0].count is 0, must be a whole number from 1 to 9007199254740992"},
    {ONE(PLACE "\"count\":1.5,\"reward_sum\":1"),
     "campaign: warm_start.rows[0].count is 1.5, must be a whole number from 1 to 9007199254740992"},
    {ONE(PLACE "\"count\":2"), "campaign: 'reward_sum' is missing in warm_start.rows[0]"},
    {ONE(PLACE "\"count\":2,\"reward_sum\":3"),
     "campaign: warm_start: rows[0].sum is 3, must be in [0, count], since rewards are in [0, 1]"},
    {ONE(PLACE "\"count\":2,\"reward_sum\":1,\"reward_squares\":2"),
     "campaign: warm_start: rows[0].squares is 2, must be from sum^2/count, which is 0.5, to sum, which is 1"},
    {ONE(PLACE "\"propensity\":0.5,\"count\":2,\"reward_sum\":1"),
     "campaign: warm_start: rows[0].propensity is 0.5, but expert 0 takes action 0 there with 0.7"},
    {ONE(PLACE "\"rewards\":0.5,\"count\":2,\"reward_sum\":1"),
     "campaign: unknown key 'rewards' in warm_start.rows[0]; did you mean 'reward_sum'?"},
    {SPEC_CAMPAIGN("w", ",\"kind\":\"external\"" WARM(ROWS, "")),
     "campaign: warm_start.rows[0].context is for finitely many contexts: leave it out"},
};

static void refusals_change_nothing(void **state)
{
    (void)state;
    service *self = fresh();
    created(self, SPEC_CAMPAIGN("there", ""), SECOND);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        service_campaign *c;
        service_error err;
        bool is_new;
        frozen before = frozen_state(self);
        service_code code =
            service_campaign_create(self, refusals[i].json, strlen(refusals[i].json), SECOND, &c, &is_new, &err);
        assert_not(code, &err, SERVICE_INVALID, refusals[i].sentence);
        assert_null(c);
        assert_frozen(self, &before);
    }
    service_free(self);
}

/* An agent that must see events one by one says so; one that pools needs no experts in the rows. */
static void by_agent(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c;
    service_error err;
    bool is_new;
    static const char exp4[] = "{\"name\":\"x\",\"contexts\":1,\"actions\":2,\"experts\":[{\"table\":[[0.5,0.5]]},"
                               "{\"table\":[[0.1,0.9]]}],\"agent\":\"exp4\",\"seed\":1,\"warm_start\":{\"rows\":[{"
                               "\"expert\":0,\"action\":0,\"count\":3,\"reward_sum\":1}]}}";
    static const char pooled[] = "{\"name\":\"d\",\"contexts\":1,\"actions\":2,\"experts\":[{\"table\":[[0.5,0.5]]},"
                                 "{\"table\":[[0.1,0.9]]}],\"seed\":1,\"warm_start\":{\"rows\":[{"
                                 "\"expert\":null,\"action\":1,\"count\":3,\"reward_sum\":1}]}}";
    static const char arms[] =
        "{\"name\":\"u\",\"kind\":\"external\",\"contexts\":1,\"actions\":2,\"experts\":[{\"table\":[[0.5,0.5]]},"
        "{\"table\":[[0.1,0.9]]}],\"agent\":\"ucb\",\"seed\":1,\"warm_start\":{\"rows\":[{\"expert\":0,\"action\":0,"
        "\"count\":4,\"reward_sum\":1}]}}";
    assert_not(
        service_campaign_create(self, exp4, strlen(exp4), SECOND, &c, &is_new, &err), &err, SERVICE_INVALID,
        "campaign: warm_start: exp4 must see events one by one and cannot learn a tally; these can: " TALLY_AGENTS);
    c = created(self, pooled, SECOND);
    assert_int_equal(roster_agent_rounds(service_present(c)->agent), 3);
    c = created(self, arms, SECOND);
    assert_int_equal(roster_agent_rounds(service_present(c)->agent), 4);
    service_free(self);
}

/* Experts that are known from samples alone. */
static void estimated_experts(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_campaign *c;
    bool is_new;
    const char *fine = "{\"name\":\"c\",\"roster\":\"r\",\"seed\":1,\"agent\":\"direct\",\"warm_start\":{\"rows\":[{"
                       "\"expert\":\"q\",\"action\":\"b\",\"count\":50,\"reward_sum\":20}]}}";
    const char *late = "{\"name\":\"l\",\"roster\":\"r\",\"seed\":1,\"fallback\":\"p\",\"agent\":{\"agent\":\"ed-ucb\","
                       "\"p_V\":0.05,\"p_X\":0.3,\"xi\":\"data\"},\"warm_start\":{\"rows\":[{\"expert\":\"q\","
                       "\"action\":\"b\",\"count\":50,\"reward_sum\":20}]}}";
    assert_done(service_roster_create(self, ESTIMATED_ROSTER, strlen(ESTIMATED_ROSTER), SECOND, &is_new, &err), &err);
    c = created(self, fine, SECOND);
    assert_int_equal(roster_agent_rounds(service_present(c)->agent), 50);
    frozen before = frozen_state(self);
    assert_int_equal(service_campaign_create(self, late, strlen(late), SECOND, &c, &is_new, &err), SERVICE_INVALID);
    assert_non_null(strstr(err.msg, "campaign: warm_start needs an agent from the start: "));
    assert_frozen(self, &before);
    service_free(self);
}

static json_t *told(service *self, service_campaign *c)
{
    common_text text = {0};
    service_error err;
    assert_done(service_campaign_json(self, c, &text, &err), &err);
    json_t *json = json_loadb(text.data, text.used, 0, NULL);
    common_text_free(&text);
    assert_non_null(json);
    return json;
}

static void assert_told(service *self, service_campaign *c, int n, double discount)
{
    json_t *json = told(self, c), *description = json_object_get(json, "description");
    json_t *wanted = n > 0 ? json_pack("{s:i, s:f}", "rows", n, "discount", discount) : json_null();
    json_t *warm = json_object_get(json, "warm_start");
    assert_true(n > 0 ? json_equal(warm, wanted) : json_is_null(warm));
    assert_null(json_object_get(description, "warm_start"));
    assert_string_equal(json_string_value(json_object_get(description, "name")), c->name);
    assert_int_equal(json_array_size(json_object_get(description, "experts")), 3);
    json_decref(wanted);
    json_decref(json);
}

/* Pages ask for a campaign every few seconds; the record has the rows. */
static void rows_are_not_told(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_campaign *c = created(self, SPEC_CAMPAIGN("half", WARM(ROWS, ",\"discount\":0.5")), SECOND);
    assert_told(self, created(self, SPEC_CAMPAIGN("cold", ""), SECOND), 0, 1);
    assert_told(self, c, 3, .5);
    assert_non_null(strstr(c->text, "reward_squares"));
    assert_done(service_campaign_archive(self, c, 2 * SECOND, &err), &err);
    assert_true(c->freed);
    assert_told(self, c, 3, .5);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learns_the_rows),
        cmocka_unit_test(evidence_starts_empty),
        cmocka_unit_test(later_episodes_are_cold),
        cmocka_unit_test(log_repeats_it),
        cmocka_unit_test(by_agent),
        cmocka_unit_test(same_description_same_campaign),
        cmocka_unit_test(refusals_change_nothing),
        cmocka_unit_test(estimated_experts),
        cmocka_unit_test(rows_are_not_told),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
