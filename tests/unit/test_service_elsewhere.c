/*
 * test_service_elsewhere.c: experts that act elsewhere: chosen here, told what they did, learnt when both that and the
 * reward are there.
 */
#include "service_internal.h"
#include "service_support.h"

#define MODELS "\"kind\":\"external\",\"experts\":[\"old\",{\"name\":\"new\"},\"bold\"]"
#define OPEN(rest) "{\"name\":\"ads\"," MODELS ",\"seed\":3" rest "}"
#define LISTED(rest) "{\"name\":\"ads\"," MODELS ",\"actions\":[\"a\",\"b\"],\"seed\":3" rest "}"

static service_decision chosen(service *self, service_campaign *c, const char *id, int64_t now)
{
    service_decision d;
    service_error err;
    assert_done(service_choose_only(self, c, id, id != NULL ? strlen(id) : 0, now, &d, &err), &err);
    return d;
}

static service_code tell(service *self, service_campaign *c, const char *id, const char *action, const double *pi,
                         size_t n, int64_t now, bool *repeated, service_error *err)
{
    double propensity;
    service_deed deed = {id, strlen(id), action, strlen(action), pi, n};
    return service_acted(self, c, &deed, now, &propensity, repeated, err);
}

static void told(service *self, service_campaign *c, const char *id, const char *action, const double *pi, int64_t now)
{
    service_error err;
    bool repeated;
    assert_done(tell(self, c, id, action, pi, 3, now, &repeated, &err), &err);
    assert_false(repeated);
}

/* The answer to a body. */
static common_text asked(service *self, service_campaign *c, service_call call, const char *body)
{
    common_text out = {0};
    size_t items;
    service_error err;
    service_slice all = {0};
    service_code code = service_call_slice(self, c, call, body, strlen(body), 0, &all, &out, &items, &err);
    if (code != SERVICE_OK) {
        common_text_free(&out);
        common_put_text(&out, err.msg);
    }
    common_put(&out, "", 1);
    return out;
}

static void assert_answer(service *self, service_campaign *c, service_call call, const char *body, const char *expected)
{
    common_text out = asked(self, c, call, body);
    assert_string_equal(out.data, expected);
    common_text_free(&out);
}

static const double pi[3] = {0.5, 0.25, 0.125};

static void steps(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, OPEN(""), 0);
    service_decision d = chosen(self, c, NULL, 0);
    assert_string_equal(d.id, "#1");
    assert_true(d.expert < 3 && d.propensity == 0);
    told(self, c, "#1", "a17", pi, SECOND);
    assert_int_equal(counted(self, c).learnt, 0);
    assert_int_equal(rewarded(self, c, "#1", 1, SECOND), SERVICE_JOINED);
    assert_int_equal(counted(self, c).learnt, 1);
    assert_int_equal(service_evidence_rounds(c), 1);
    assert_string_equal(roster_agent_about(service_present(c)->agent)->name, "mixture");
    service_free(self);
}

/* A reward that comes before the action waits for it; what is learnt then is the same. */
static void reward_before_action(void **state)
{
    (void)state;
    size_t sizes[2];
    void *agents[2];
    for (int early = 0; early < 2; early++) {
        service *self = fresh();
        service_campaign *c = created(self, OPEN(""), 0);
        for (int i = 0; i < 50; i++) {
            char id[16];
            snprintf(id, sizeof id, "e%d", i);
            chosen(self, c, id, i);
            if (early)
                assert_int_equal(rewarded(self, c, id, i % 3 / 2.0, i), SERVICE_JOINED);
            assert_int_equal(counted(self, c).learnt, i);
            told(self, c, id, i % 2 ? "a" : "b", pi, i);
            if (!early)
                assert_int_equal(rewarded(self, c, id, i % 3 / 2.0, i), SERVICE_JOINED);
            assert_int_equal(rewarded(self, c, id, 1, i), SERVICE_DUPLICATE);
            assert_int_equal(counted(self, c).learnt, i + 1);
        }
        const roster_agent *agent = service_present(c)->agent;
        sizes[early] = roster_agent_save(agent, NULL, 0);
        agents[early] = malloc(sizes[early]);
        roster_agent_save(agent, agents[early], sizes[early]);
        service_free(self);
    }
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(agents[0], agents[1], sizes[0]);
    free(agents[0]);
    free(agents[1]);
}

/* With a default, events are learnt when their windows end: those that have acted. */
static void windows(void **state)
{
    (void)state;
    service *self = fresh();
    uint64_t records;
    service_error err;
    bool repeated;
    service_campaign *c = created(self, LISTED(",\"reward\":{\"wait\":10,\"default\":0}"), 0);
    chosen(self, c, "acted", 0);
    chosen(self, c, "silent", 0);
    chosen(self, c, "paid", 0);
    told(self, c, "acted", "a", pi, SECOND);
    assert_int_equal(rewarded(self, c, "paid", 1, SECOND), SERVICE_JOINED);
    assert_not(tell(self, c, "silent", "a", pi, 3, 10 * SECOND, &repeated, &err), &err, SERVICE_OVER,
               "the time to wait for event silent is over: nothing changed");
    assert_done(service_tick(self, 11 * SECOND, &records, &err), &err);
    service_counts n = counted(self, c);
    assert_int_equal(n.learnt, 1);
    assert_int_equal(n.defaulted, 1);
    assert_int_equal(n.unlearnt, 2);
    assert_int_equal(n.unacted, 2);
    assert_int_equal(n.open, 0);
    assert_not(tell(self, c, "paid", "a", pi, 3, 11 * SECOND, &repeated, &err), &err, SERVICE_OVER,
               "the time to wait for event paid is over: nothing changed");
    assert_done(tell(self, c, "acted", "a", pi, 3, 12 * SECOND, &repeated, &err), &err);
    assert_true(repeated);
    service_free(self);
}

static void told_again(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    bool repeated;
    static const double other[3] = {0.5, 0.25, 0.25};
    service_campaign *c = created(self, OPEN(""), 0);
    service_decision d = chosen(self, c, "e", 0), again = chosen(self, c, "e", SECOND);
    assert_true(again.repeated && again.expert == d.expert);
    told(self, c, "e", "a17", pi, SECOND);
    frozen f = frozen_state(self);
    assert_done(tell(self, c, "e", "a17", pi, 3, 0, &repeated, &err), &err);
    assert_true(repeated);
    assert_not(tell(self, c, "e", "a18", pi, 3, 0, &repeated, &err), &err, SERVICE_CONFLICT,
               "event_id e acted before, with another action or other probabilities");
    assert_not(tell(self, c, "e", "a17", other, 3, 0, &repeated, &err), &err, SERVICE_CONFLICT,
               "event_id e acted before, with another action or other probabilities");
    assert_frozen(self, &f);
    assert_true(chosen(self, c, "e", SECOND).repeated);
    service_free(self);
}

static void refused(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    bool repeated;
    service_decision d;
    service_campaign *c = created(self, LISTED(""), 0);
    service_campaign *tables = created(self, SPEC_CAMPAIGN("shop", ""), 0);
    double wrong[3] = {0.5, NAN, 0.125};
    uint32_t k = chosen(self, c, "e", 0).expert;
    frozen f = frozen_state(self);
    assert_not(tell(self, c, "e", "a", wrong, 3, 0, &repeated, &err), &err, SERVICE_NOT_DISTRIBUTION,
               "probabilities[1] is nan, must be a probability");
    wrong[1] = -0.25;
    assert_not(tell(self, c, "e", "a", wrong, 3, 0, &repeated, &err), &err, SERVICE_NOT_DISTRIBUTION,
               "probabilities[1] is -0.25, must be a probability");
    wrong[1] = 1.25;
    assert_not(tell(self, c, "e", "a", wrong, 3, 0, &repeated, &err), &err, SERVICE_NOT_DISTRIBUTION,
               "probabilities[1] is 1.25, must be a probability");
    wrong[1] = 0.5;
    wrong[k] = 0;
    assert_int_equal(tell(self, c, "e", "a", wrong, 3, 0, &repeated, &err), SERVICE_NOT_DISTRIBUTION);
    assert_non_null(strstr(err.msg, "was chosen and took the action"));
    assert_not(tell(self, c, "e", "a", pi, 2, 0, &repeated, &err), &err, SERVICE_NOT_DISTRIBUTION,
               "probabilities has 2 numbers, must have 3: each expert's probability of the action");
    assert_not(tell(self, c, "e", "c", pi, 3, 0, &repeated, &err), &err, SERVICE_INVALID,
               "action is \"c\", which campaign ads does not list");
    assert_not(tell(self, c, "f", "a", pi, 3, 0, &repeated, &err), &err, SERVICE_NO_EVENT,
               "campaign ads knows no event f: choose first");
    assert_not(tell(self, tables, "e", "a", pi, 3, 0, &repeated, &err), &err, SERVICE_INVALID,
               "campaign shop evaluates its experts itself: use decide");
    assert_not(service_choose_only(self, tables, NULL, 0, 0, &d, &err), &err, SERVICE_INVALID,
               "campaign shop evaluates its experts itself: use decide");
    assert_frozen(self, &f);
    service_free(self);
}

/* One step stays: a matrix over the campaign's actions. */
static void one_step(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    bool repeated;
    service_decision d;
    static const double matrix[] = {0.5, 0.5, 0.25, 0.75, 1, 0};
    double column[3];
    service_campaign *c = created(self, LISTED(""), 0);
    service_request q = {.id = "e", .id_size = 1, .probabilities = matrix, .n_experts = 3, .n_actions = 2};
    assert_done(service_decide(self, c, &q, 0, &d, &err), &err);
    for (size_t k = 0; k < 3; k++)
        column[k] = matrix[2 * k + d.action];
    assert_done(tell(self, c, "e", d.action == 0 ? "a" : "b", column, 3, 0, &repeated, &err), &err);
    assert_true(repeated && chosen(self, c, "e", 0).repeated);
    chosen(self, c, "f", 0);
    q.id = "f";
    assert_not(service_decide(self, c, &q, 0, &d, &err), &err, SERVICE_CONFLICT,
               "event_id f was chosen before, and waits for what its expert did: send that to acted");
    service_free(self);
}

static void bodies(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, OPEN(",\"fallback\":\"new\""), 0);
    service_error err;
    assert_done(service_control_json(self, c, "{\"pin\":\"new\"}", 13, 0, &err), &err);
    assert_answer(self, c, SERVICE_CALL_CHOOSE, "{}",
                  "{\"event_id\":\"#1\",\"episode\":0,\"expert\":\"new\",\"how\":\"pinned\"}");
    assert_answer(self, c, SERVICE_CALL_CHOOSE, "[{\"event_id\":\"x\"},{\"event_id\":7},{}]",
                  "[{\"event_id\":\"x\",\"episode\":0,\"expert\":\"new\",\"how\":\"pinned\"},{\"event_id\":\"7\","
                  "\"episode\":0,\"expert\":\"new\",\"how\":\"pinned\"},{\"event_id\":\"#2\",\"episode\":0,\"expert\":"
                  "\"new\",\"how\":\"pinned\"}]");
    assert_answer(self, c, SERVICE_CALL_CHOOSE, "{\"context\":1}", "unknown key 'context'; known is event_id");
    assert_answer(self, c, SERVICE_CALL_ACTED, "{\"event_id\":\"x\",\"action\":\"a\",\"probabilities\":[0.5,0.25,1]}",
                  "{\"event_id\":\"x\",\"status\":\"acted\",\"propensity\":0.25}");
    assert_answer(self, c, SERVICE_CALL_ACTED,
                  "[{\"event_id\":\"x\",\"action\":\"a\",\"probabilities\":{\"bold\":1,\"old\":0.5,\"new\":0.25}},"
                  "{\"event_id\":7,\"action\":17,\"actions\":[\"17\",17,\"a\\u0062\"]},"
                  "{\"event_id\":\"#1\",\"action\":\"b\",\"actions\":{\"old\":\"a\",\"bold\":\"b\",\"new\":\"b\"}},"
                  "{\"event_id\":\"#2\",\"action\":\"b\",\"actions\":{\"old\":\"b\",\"bold\":\"b\",\"new\":\"a\"}}]",
                  "[{\"event_id\":\"x\",\"status\":\"acted\",\"propensity\":0.25,\"repeated\":true},"
                  "{\"event_id\":\"7\",\"status\":\"acted\",\"propensity\":1},"
                  "{\"event_id\":\"#1\",\"status\":\"acted\",\"propensity\":1},{\"error\":{\"code\":\"not-a-"
                  "distribution\",\"message\":\"probabilities[1] is 0, but expert new was chosen and took the "
                  "action\"}}]");
    static const char *const wrong[][2] = {
        {"{\"action\":\"a\",\"probabilities\":[1,1,1]}", "'event_id' is missing: say which event took which action"},
        {"{\"event_id\":\"#2\",\"probabilities\":[1,1,1]}", "'action' is missing: say which event took which action"},
        {"{\"event_id\":\"#2\",\"action\":\"a\"}",
         "give either probabilities, each expert's of the action taken, or actions, what each expert would have done"},
        {"{\"event_id\":\"#2\",\"action\":\"a\",\"probabilities\":[1,1,1],\"actions\":[1,1,1]}",
         "give either probabilities, each expert's of the action taken, or actions, what each expert would have done"},
        {"{\"event_id\":\"#2\",\"action\":\"a\",\"probabilities\":[1,1]}",
         "probabilities has 2 entries, must have 3, one per expert"},
        {"{\"event_id\":\"#2\",\"action\":\"a\",\"probabilities\":[1,-1,1]}",
         "probabilities has -1 for expert new, must be a probability"},
        {"{\"event_id\":\"#2\",\"action\":\"a\",\"probabilities\":{\"old\":1,\"new\":1,\"bald\":1}}",
         "probabilities has \"bald\", which is not an expert of campaign ads"},
        {"{\"event_id\":\"#2\",\"action\":\"a\",\"probabilities\":{\"old\":1,\"new\":1,\"old\":1}}",
         "probabilities has expert old twice"},
        {"{\"event_id\":\"#2\",\"action\":\"a\",\"probabilities\":[1,[1],1]}",
         "probabilities has a list, must be a list of numbers, or an object of numbers by expert"},
        {"{\"event_id\":\"#2\",\"action\":\"a\",\"actions\":\"a\"}",
         "actions is a string, must be a list of names, or an object of names by expert"},
        {"{\"event_id\":\"#2\",\"action\":\"\",\"actions\":[1,2,3]}",
         "action has 0 bytes, must have 1 to 128 bytes of UTF-8 without control characters"},
        {"{\"event_id\":\"#2\",\"action\":\"\\u0001\",\"actions\":[1,2,3]}",
         "action has 1 bytes, must have 1 to 128 bytes of UTF-8 without control characters"},
        {"{\"event_id\":\"#2\",\"action\":\"a\",\"actions\":{\"old\":1",
         "the body ends after byte 48, where ',' or '}' was expected"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        frozen f = frozen_state(self);
        assert_answer(self, c, SERVICE_CALL_ACTED, wrong[i][0], wrong[i][1]);
        assert_frozen(self, &f);
    }
    assert_answer(self, c, SERVICE_CALL_DECIDE, "{\"probabilities\":[[1],[1],[1]]}",
                  "'actions' is missing: probabilities of expert old is a list without names");
    service_free(self);
}

static void descriptions(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"{\"name\":\"c\",\"kind\":\"external\",\"experts\":[\"a\",\"a\"],\"seed\":1}",
         "campaign: experts[1] is 'a', a name that is already taken"},
        {"{\"name\":\"c\",\"kind\":\"external\",\"experts\":[{\"names\":\"a\"}],\"seed\":1}",
         "campaign: unknown key 'names' in experts[0]; did you mean 'name'?"},
        {"{\"name\":\"c\",\"kind\":\"external\",\"experts\":[],\"seed\":1}", "campaign: experts is an empty list"},
        {"{\"name\":\"c\",\"kind\":\"external\",\"contexts\":2,\"experts\":[\"a\"],\"seed\":1}",
         "campaign: contexts need a \"table\" of every expert: leave them out, or give these"},
        {"{\"name\":\"c\",\"kind\":\"external\",\"agent\":\"d-ucb\",\"experts\":[\"a\"],\"seed\":1}",
         "campaign: agent: "},
        {"{\"name\":\"c\",\"kind\":\"external\",\"restart\":\"alarm\",\"experts\":[\"a\"],\"seed\":1}",
         "campaign: restart is for campaigns with finitely many contexts: leave it out"}};
    service *self = fresh();
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        service_campaign *c;
        service_error err;
        bool created;
        assert_int_not_equal(service_campaign_create(self, wrong[i][0], strlen(wrong[i][0]), 0, &c, &created, &err),
                             SERVICE_OK);
        if (strncmp(err.msg, wrong[i][1], strlen(wrong[i][1])) != 0)
            fail_msg("said %s", err.msg);
    }
    service_free(self);
}

/* The log of some events, as lines or DSJSON. */
static common_text streamed(service *self, store *log, service_campaign *c, service_format format)
{
    common_text out = {0};
    uint64_t next = 0, after;
    service_error err;
    assert_done(service_commit(self, log, SECOND, &err), &err);
    do {
        after = next;
        assert_done(service_events(self, log, c, after, 1000, format, &out, &next, &err), &err);
    } while (next != after);
    common_put(&out, "", 1);
    return out;
}

static void exported(void **state)
{
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    service *self = fresh();
    service_error err;
    service_campaign *c = created(self, OPEN(""), 0);
    assert_done(service_control_json(self, c, "{\"pin\":\"new\"}", 13, 0, &err), &err);
    chosen(self, c, "one", 0);
    chosen(self, c, "two", 0);
    rewarded(self, c, "two", 1, 0);
    told(self, c, "two", "a\"7", pi, 0);
    told(self, c, "one", "b", pi, 0);
    rewarded(self, c, "one", 0, 0);
    common_text lines = streamed(self, log, c, SERVICE_LINES);
    assert_non_null(strstr(lines.data, "\"kind\":\"choose\",\"campaign\":\"ads\",\"event_id\":\"one\",\"episode\":0,"
                                       "\"expert\":\"new\",\"how\":\"pinned\"}\n"));
    assert_non_null(strstr(lines.data,
                           "\"kind\":\"acted\",\"campaign\":\"ads\",\"event_id\":\"two\",\"expert\":\"new\","
                           "\"action\":\"a\\\"7\",\"propensity\":0.25,\"probabilities\":[0.5,0.25,0.125],"
                           "\"reward\":1,\"learnt\":1,\"decision\":4}\n"));
    assert_non_null(strstr(lines.data, "\"action\":\"b\",\"propensity\":0.25,\"probabilities\":[0.5,0.25,0.125],"
                                       "\"reward\":null,\"learnt\":null,\"decision\":3}\n"));
    assert_non_null(strstr(lines.data, "\"reward\":0,\"status\":\"joined\",\"learnt\":0,\"decision\":7}\n"));
    common_text_free(&lines);
    lines = streamed(self, log, c, SERVICE_DSJSON);
    size_t n = 0;
    for (const char *at = lines.data; (at = strchr(at, '\n')) != NULL; at++)
        n++;
    assert_int_equal(n, 2);
    assert_non_null(strstr(lines.data, "{\"_label_cost\":-1,\"_label_probability\":0.25,\"_label_Action\":1,"));
    assert_non_null(strstr(lines.data, "\"a\":[1],\"p\":[0.25],\"c\":{\"_multi\":[{\"action\":{\"name\":\"b\"}}]}"));
    common_text_free(&lines);
    service_free(self);
    log_end(log, &directory);
}

/* Erased: the id and what the experts would have done, in both records; the action and its propensity stay. */
static void erased(void **state)
{
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    service *self = fresh(), *again;
    service_error err;
    roster_error wrong;
    service_erase *e;
    service_audited found;
    service_campaign *c = created(self, OPEN(""), 0);
    chosen(self, c, "user-1", 0);
    assert_done(service_commit(self, log, 0, &err), &err);
    assert_not(service_erase_open(self, c, "{\"event_id\":\"user-1\"}", 21, 0, &e, &err), &err, SERVICE_OPEN,
               "event user-1 is open: send its reward, or wait until its window ends, and erase it then");
    told(self, c, "user-1", "b", pi, 0);
    rewarded(self, c, "user-1", 1, 0);
    assert_done(service_commit(self, log, 0, &err), &err);
    assert_done(service_erase_open(self, c, "{\"event_id\":\"user-1\"}", 21, 0, &e, &err), &err);
    assert_done(service_erase_find(e, log, &err), &err);
    assert_int_equal(service_erase_count(e), 3);
    assert_done(service_erase_say(self, e, 0, &err), &err);
    assert_done(service_commit(self, log, 0, &err), &err);
    assert_done(service_snapshot(self, log, &err), &err);
    assert_ok(service_erase_make(e, directory.path, service_last(self), &wrong), &wrong);
    service_erase_close(e);
    common_text lines = streamed(self, log, c, SERVICE_LINES);
    assert_null(strstr(lines.data, "user-1"));
    assert_non_null(strstr(lines.data, "\"kind\":\"acted\",\"campaign\":\"ads\",\"event_id\":null,\"erased\":true,"));
    assert_null(strstr(lines.data, "probabilities"));
    common_text_free(&lines);
    store_close(log);
    log = log_open(&directory, STORE_OS);
    assert_done(service_open(&again, log, &err), &err);
    assert_same_state(self, again);
    assert_done(service_audit(log, NULL, &found, &err), &err);
    service_free(again);
    service_free(self);
    log_end(log, &directory);
}

/* Somebody who knows the format writes something else, and puts all checksums right. */
static void forgeries(void **state)
{
    (void)state;
    static const char *const fields[] = {"expert",     "how",           "expert", "decision",
                                         "propensity", "probabilities", "reward", "action"};
    service *self = fresh();
    service_campaign *c = created(self, OPEN(""), 0);
    store_row row;
    for (int i = 0; i < 20; i++) {
        char id[16];
        snprintf(id, sizeof id, "x%d", i);
        chosen(self, c, id, i);
        rewarded(self, c, id, i % 3 / 2.0, i);
        told(self, c, id, "a", pi, i);
    }
    assert_true(service_commit_begin(self, 0, &row));
    for (size_t f = 0; f < sizeof fields / sizeof *fields; f++) {
        service_bytes forged = {0};
        service_parts parts = {0};
        service *other = fresh();
        service_error err;
        size_t used = 0;
        bool done = false;
        for (uint64_t i = 0; i < row.count; i++) {
            service_record r;
            assert_done(service_record_decode(row.records, row.size, &used, &parts, &r, &err), &err);
            if (i > 10 && !done && r.kind == (f < 2 ? SERVICE_RECORD_CHOOSE : SERVICE_RECORD_ACTED)) {
                r.expert = f == 0 || f == 2 ? (r.expert + 1) % 3 : r.expert;
                r.how = f == 1 ? SERVICE_PINNED : r.how;
                r.decision += f == 3;
                r.propensity = f == 4 ? r.propensity * (1 + 1e-15) : r.propensity;
                parts.numbers[0] = f == 5 ? 2 : parts.numbers[0];
                r.reward = f == 6 ? r.reward + 0.25 : r.reward;
                r.label_size = f == 7 ? 0 : r.label_size;
                done = true;
            }
            assert_true(service_bytes_reserve(&forged, service_record_room(&r)));
            service_record_encode(&r, &forged);
        }
        store_row copy = {.first = 1, .count = row.count, .records = forged.data, .size = forged.used};
        copy.checksum = store_checksum(&copy);
        other->verify = true;
        assert_int_equal(service_replay_row(other, &copy, 1, &err), SERVICE_DAMAGED);
        assert_string_equal(other->field, fields[f]);
        assert_non_null(strstr(err.msg, "campaign ads, event "));
        service_free(other);
        service_parts_free(&parts);
        free(forged.data);
    }
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps),     cmocka_unit_test(reward_before_action),
        cmocka_unit_test(windows),   cmocka_unit_test(told_again),
        cmocka_unit_test(refused),   cmocka_unit_test(one_step),
        cmocka_unit_test(bodies),    cmocka_unit_test(descriptions),
        cmocka_unit_test(exported),  cmocka_unit_test(erased),
        cmocka_unit_test(forgeries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
