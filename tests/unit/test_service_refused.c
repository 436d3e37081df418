/*
 * test_service_refused.c: whatever is wrong with a campaign's description or with a request is refused with a code and
 * a sentence, and nothing changes.
 */
#include "service_support.h"

#include <math.h>

#define EXPERTS "\"contexts\":[\"x\",\"y\"],\"actions\":2,\"experts\":[{\"table\":[[0.9,0.1],[0.5,0.5]]}]"
#define SOFTMAX "\"kind\":\"softmax\",\"actions\":2,\"features\":2,"
#define NAME "{\"name\":\"n\","

typedef struct wrong {
    const char *json, *sentence;
    service_code code;
} wrong;

static const wrong descriptions[] = {
    {"", "campaign is empty, must hold JSON", SERVICE_SYNTAX},
    {"{\"name\":\"a\",\"name\":\"a\"}", "campaign:1:18: duplicate object key near '\"name\"'", SERVICE_SYNTAX},
    {"7", "campaign: the document is a number, must be an object", SERVICE_INVALID},
    {"{}", "campaign: 'name' is missing", SERVICE_INVALID},
    {"{\"name\":\".n\"}",
     "campaign: name is \".n\", must be 1 to 64 letters, digits, '.', '_' or '-', not beginning with a dot",
     SERVICE_INVALID},
    {NAME "\"expert\":1}", "campaign: unknown key 'expert'; did you mean 'experts'?", SERVICE_INVALID},
    {NAME "\"seed\":-1}", "campaign: seed is -1, must be a whole number from 0 to 9223372036854775807",
     SERVICE_INVALID},
    {NAME "\"seed\":1,\"stream\":\"a b\"}", "campaign: stream must be up to 128 bytes of printable ASCII, no space",
     SERVICE_INVALID},
    {NAME "\"description\":1," EXPERTS "}", "campaign: description is a number, must be a string", SERVICE_INVALID},
    {NAME EXPERTS ",\"level\":1}", "campaign: level is 1, must be in [0.5, 0.999999]", SERVICE_INVALID},
    {NAME EXPERTS ",\"level\":\"high\"}", "campaign: level is a string, must be a number", SERVICE_INVALID},
    {NAME EXPERTS ",\"restart\":\"often\"}", "campaign: restart is \"often\", must be \"alarm\", or left out",
     SERVICE_INVALID},
    {NAME EXPERTS ",\"agent\":\"best\"}", "campaign: agent is \"best\", must be one of " ALL_AGENTS, SERVICE_INVALID},
    {NAME EXPERTS ",\"agent\":{\"agent\":\"d-ucb\",\"Q\":1}}",
     "campaign: agent: d-ucb has no setting 'Q'; it takes C, gamma, support, verify", SERVICE_INVALID},
    {NAME EXPERTS ",\"agent\":{\"agent\":\"d-ucb\",\"C\":[]}}",
     "campaign: agent.C is a list, must be a number or a string", SERVICE_INVALID},
    {NAME EXPERTS ",\"agent\":{\"agent\":\"d-ucb\",\"C\":-1}}",
     "campaign: agent: C is -1, must be a number above 0 and at most 1e+100 or \"theory\"", SERVICE_INVALID},
    {NAME "\"kind\":\"neural\"," EXPERTS ",\"agent\":\"ucb\"}",
     "campaign: kind is \"neural\", must be \"tables\", \"softmax\" or \"external\"", SERVICE_INVALID},
    {NAME "\"features\":2," EXPERTS ",\"agent\":\"ucb\"}",
     "campaign: features is for campaigns whose \"kind\" is \"softmax\"", SERVICE_INVALID},
    {NAME "\"contexts\":1,\"actions\":2,\"experts\":[{\"table\":[[0.9,0.2]]}],\"agent\":\"ucb\"}",
     "campaign: experts[0].table[0] sums to 1.1, must be 1", SERVICE_INVALID},
    {NAME "\"roster\":\"r\",\"agent\":\"ucb\"}", "campaign: roster is \"r\", which is not a roster", SERVICE_INVALID},
    {NAME "\"roster\":\"r\"," EXPERTS ",\"agent\":\"ucb\"}",
     "campaign: contexts comes from the roster: leave it out where \"roster\" is given", SERVICE_INVALID},
    {NAME "\"roster\":\"old\",\"agent\":\"d-ucb\"}",
     "campaign: agent is d-ucb, but the experts of roster old are known from samples alone: use one "
     "of " EMPIRICAL_AGENTS,
     SERVICE_INVALID},
    {NAME "\"roster\":\"old\",\"agent\":{\"agent\":\"ed-ucb\",\"C\":0}}",
     "C is 0, must be a number above 0 and at most 1e+100 or \"theory\"", SERVICE_INVALID},
    {NAME EXPERTS ",\"agent\":\"ucb\",\"context_probabilities\":\"often\"}",
     "campaign: context_probabilities is \"often\", must be a list, \"seen\" or \"uniform\"", SERVICE_INVALID},
    {NAME EXPERTS ",\"agent\":\"ucb\",\"context_probabilities\":[1,1]}",
     "campaign: context_probabilities sums to 2, must be 1", SERVICE_INVALID},
    {NAME EXPERTS ",\"agent\":\"ucb\",\"context_probabilities\":[1]}",
     "campaign: context_probabilities has 1 entries, must have 2, one per context", SERVICE_INVALID},
    {NAME "\"kind\":\"external\"," EXPERTS ",\"agent\":\"ucb\",\"context_probabilities\":\"seen\"}",
     "campaign: context_probabilities is for campaigns with finitely many contexts: leave it out, the sample stands "
     "for it",
     SERVICE_INVALID},
    {NAME EXPERTS ",\"agent\":\"ucb\",\"fallback\":\"x\"}", "campaign: fallback is \"x\", which is not an expert",
     SERVICE_INVALID},
    {NAME SOFTMAX "\"contexts\":2,\"agent\":\"ucb\"}",
     "campaign: contexts are not for experts over features: give \"sample\" instead", SERVICE_INVALID},
    {NAME SOFTMAX "\"experts\":[{\"weights\":[[1,2]]}],\"sample\":[[1,2]],\"agent\":\"ucb\"}",
     "campaign: experts[0].weights has 1 entries, must have 2, one per action", SERVICE_INVALID},
    {NAME SOFTMAX "\"experts\":[{\"weights\":[[1,2],[1]]}],\"sample\":[[1,2]],\"agent\":\"ucb\"}",
     "campaign: experts[0].weights[1] has 1 entries, must have 2, one per feature", SERVICE_INVALID},
    {NAME SOFTMAX "\"experts\":[{\"weights\":[[1,2],[1,2]]}],\"sample\":[],\"agent\":\"ucb\"}",
     "campaign: sample is an empty list, must not be empty", SERVICE_INVALID},
    {NAME SOFTMAX "\"experts\":[{\"weights\":[[1,2],[1,2]]}],\"sample\":[[1,2]],\"floor\":0.7,\"agent\":\"ucb\"}",
     "campaign: floor is 0.7, must be in [0, 0.5]", SERVICE_INVALID},
};

#define RULES(r) NAME EXPERTS ",\"agent\":\"ucb\"," r "}"
static const wrong rules[] = {
    {RULES("\"reward\":1"), "campaign: reward is a number, must be an object", SERVICE_INVALID},
    {RULES("\"reward\":{\"waits\":1}"), "campaign: unknown key 'waits' in reward; did you mean 'wait'?",
     SERVICE_INVALID},
    {RULES("\"reward\":{\"range\":[0]}"),
     "campaign: reward.range must be a list of two numbers, the least and the largest reward", SERVICE_INVALID},
    {RULES("\"reward\":{\"range\":[1,1]}"), "campaign: reward.range is [1, 1], must have the least reward first",
     SERVICE_INVALID},
    {RULES("\"reward\":{\"range\":[1,2],\"default\":0}"), "campaign: reward.default is 0, must be in [1, 2]",
     SERVICE_INVALID},
    {RULES("\"reward\":{\"wait\":0}"), "campaign: reward.wait is 0, must be in [0.001, 3.16224e+07]", SERVICE_INVALID},
    {RULES("\"reward\":{\"combine\":\"mean\"}"),
     "campaign: reward.combine is \"mean\", must be one of \"first\", \"sum\", \"max\"", SERVICE_INVALID},
    {RULES("\"reward\":{\"combine\":\"sum\",\"learn\":\"on-arrival\"}"),
     "campaign: reward.learn is \"on-arrival\", must be \"at-close\" where rewards are combined", SERVICE_INVALID},
    {RULES("\"reward\":{\"events_most\":0}"),
     "campaign: reward.events_most is 0, must be a whole number from 1 to 100000000", SERVICE_INVALID},
    {RULES("\"episodes\":{\"rounds\":0}"),
     "campaign: episodes.rounds is 0, must be a whole number from 1 to 1000000000000000", SERVICE_INVALID},
    {RULES("\"episodes\":{\"schedule\":[{\"at\":\"24:00\"}]}"),
     "campaign: episodes.schedule[0].at is \"24:00\", must be a time like \"03:00\"", SERVICE_INVALID},
    {RULES("\"episodes\":{\"schedule\":[{\"at\":\"12:00\",\"days\":[\"day\"]}]}"),
     "campaign: episodes.schedule[0].days[0] is \"day\", must be one of \"mon\", \"tue\", \"wed\", \"thu\", \"fri\", "
     "\"sat\", \"sun\"",
     SERVICE_INVALID},
};

static void refuse_all(const wrong *list, size_t n)
{
    static const char roster[] = "{\"name\":\"old\",\"contexts\":1,\"actions\":1,\"experts\":[{}]}";
    service *self = fresh();
    service_error err;
    bool is_new;
    assert_done(service_roster_create(self, roster, strlen(roster), 0, &is_new, &err), &err);
    frozen before = frozen_state(self);
    for (size_t i = 0; i < n; i++) {
        service_campaign *c;
        assert_not(service_campaign_create(self, list[i].json, strlen(list[i].json), 0, &c, &is_new, &err), &err,
                   list[i].code, list[i].sentence);
        assert_null(c);
        assert_false(is_new);
    }
    assert_int_equal(service_campaign_count(self), 0);
    assert_frozen(self, &before);
    service_free(self);
}

static void descriptions_refused(void **state)
{
    (void)state;
    refuse_all(descriptions, sizeof descriptions / sizeof *descriptions);
}

static void rules_refused(void **state)
{
    (void)state;
    refuse_all(rules, sizeof rules / sizeof *rules);
}

static void names_are_taken_once(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *first = created(self, SPEC_CAMPAIGN("a", ""), 0), *c;
    service_error err;
    bool is_new;
    const char *same = SPEC_CAMPAIGN("a", ""), *other = SPEC_CAMPAIGN("a", ",\"fallback\":\"e1\"");
    assert_done(service_campaign_create(self, same, strlen(same), 5, &c, &is_new, &err), &err);
    assert_ptr_equal(c, first);
    assert_false(is_new);
    assert_not(service_campaign_create(self, other, strlen(other), 5, &c, &is_new, &err), &err, SERVICE_EXISTS,
               "campaign a exists with another description");
    /* Without a seed one is made, and the same text again is the same campaign. */
    const char *free_seed = "{\"name\":\"b\"," EXPERTS ",\"agent\":\"ucb\"}";
    first = created(self, free_seed, 5);
    assert_done(service_campaign_create(self, free_seed, strlen(free_seed), 99, &c, &is_new, &err), &err);
    assert_ptr_equal(c, first);
    for (int i = 0; i < 3000; i++) {
        char text[400];
        snprintf(text, sizeof text, "{\"name\":\"many-%d\"," EXPERTS ",\"agent\":\"ucb\"}", i);
        c = created(self, text, 6);
        assert_ptr_equal(service_campaign_find(self, service_campaign_name(c), strlen(service_campaign_name(c))), c);
    }
    assert_int_equal(service_campaign_count(self), 3002);
    assert_null(service_campaign_find(self, "many", 4));
    assert_null(service_campaign_at(self, 3002));
    service_free(self);
}

static const wrong requests[] = {
    {"", "the body ends after byte 0, where an object was expected", SERVICE_SYNTAX},
    {"{", "the body ends after byte 1, where a key was expected", SERVICE_SYNTAX},
    {"[{}", "the body ends after byte 3, where ',' or ']' was expected", SERVICE_SYNTAX},
    {"{\"context\":\"x\"} x", "byte 16 of the body is 'x', where nothing more was expected", SERVICE_SYNTAX},
    {"{\"context\":nan}", "byte 11 of the body is 'n', where a number was expected", SERVICE_SYNTAX},
    {"{\"context\":1e999}", "byte 11 of the body is '1', where a number that is not too large was expected",
     SERVICE_SYNTAX},
    {"{\"context\":\"x\",\"context\":\"y\"}", "key 'context' is given twice", SERVICE_SYNTAX},
    {"{\"context\":[[[[[[", "byte 11 of the body is '[', where a number was expected", SERVICE_SYNTAX},
    {"{\"contxt\":1}", "unknown key 'contxt'; known are event_id, context, features, probabilities and actions",
     SERVICE_INVALID},
    {"{}", "'context' is missing: campaign n decides by context", SERVICE_INVALID},
    {"{\"context\":1.5}", "context is 1.5, must be a name or a whole number from 0", SERVICE_INVALID},
    {"{\"context\":2}", "context is 2, must be below 2 or a name", SERVICE_UNKNOWN_CONTEXT},
    {"{\"context\":\"z\"}", "context is \"z\", which campaign n does not know", SERVICE_UNKNOWN_CONTEXT},
    {"{\"context\":\"\\u00e9\\n\"}", "context is \"???\", which campaign n does not know", SERVICE_UNKNOWN_CONTEXT},
    {"{\"context\":\"x\",\"features\":[1]}", "campaign n has finitely many contexts: give \"context\" alone",
     SERVICE_INVALID},
    {"{\"features\":[1],\"probabilities\":[[1]]}", "features and probabilities are both given: give one of them",
     SERVICE_INVALID},
    {"{\"context\":\"x\",\"event_id\":\"\"}", "event_id has 0 bytes, must have 1 to 128", SERVICE_INVALID},
    {"{\"context\":\"x\",\"event_id\":\"a b\"}", "event_id has byte 32 at 1, must be printable ASCII, no space",
     SERVICE_INVALID},
    {"{\"context\":\"x\",\"event_id\":1.5}", "event_id is a number, must be a string or a whole number from 0",
     SERVICE_INVALID},
    {"{\"event_id\":[\"a\"]}", "event_id is a list, must be a string or a whole number from 0", SERVICE_INVALID},
    {"{\"context\":{\"a\":[1,{}]}}", "context is an object, must be a name or a whole number from 0", SERVICE_INVALID},
    {"{\"context\":{\"a\":[1,{]}}", "byte 11 of the body is '{', where a number was expected", SERVICE_SYNTAX},
    {"{\"context\":null}", "context is null, must be a name or a whole number from 0", SERVICE_INVALID},
    {"{\"context\":nul}", "byte 11 of the body is 'n', where a number was expected", SERVICE_SYNTAX},
    {"{\"context\":-}", "byte 11 of the body is '-', where a number was expected", SERVICE_SYNTAX},
    {"{\"features\":\"1\"}", "features is a string, must be a list of numbers", SERVICE_INVALID},
    {"{\"features\":[1,true]}", "features has true or false, must be a list of numbers", SERVICE_INVALID},
    {"{\"probabilities\":3}", "probabilities is a number, must be a list of rows, or an object of rows by expert",
     SERVICE_INVALID},
    {"{\"probabilities\":[[1,\"\\u0041\"]]}",
     "probabilities has a string, must be a list of rows, or an object of rows by expert", SERVICE_INVALID},
    {"{\"probabilities\":[{}]}", "campaign n evaluates its experts itself: leave actions and probabilities out",
     SERVICE_INVALID},
    {"{\"event_id\":\"\\ud800\"}", "byte 19 of the body is '\"', where the code of a character was expected",
     SERVICE_SYNTAX},
};

static void requests_refused(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, NAME EXPERTS ",\"seed\":1,\"agent\":\"ucb\"}", 0);
    common_text text = {0};
    frozen before = frozen_state(self);
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
        service_error err;
        size_t items;
        assert_not(service_decide_json(self, c, requests[i].json, strlen(requests[i].json), 0, &text, &items, &err),
                   &err, requests[i].code, requests[i].sentence);
        assert_int_equal(text.used, 0);
    }
    assert_frozen(self, &before);
    common_text_free(&text);
    service_free(self);
}

static void refuse_decide(service *self, service_campaign *c, const char *json, service_code code, const char *sentence)
{
    common_text text = {0};
    service_error err;
    size_t items;
    assert_not(service_decide_json(self, c, json, strlen(json), 0, &text, &items, &err), &err, code, sentence);
}

static void numbers_refused(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *e = created(self, "{\"name\":\"e\",\"kind\":\"external\"," EXPERTS ",\"agent\":\"ucb\"}", 0);
    service_campaign *s = created(self,
                                  "{\"name\":\"s\"," SOFTMAX "\"experts\":[{\"weights\":[[1,2],[1,2]]}],\"sample\":"
                                  "[[1,2]],\"agent\":\"ucb\"}",
                                  0);
    frozen before = frozen_state(self);
    refuse_decide(self, e, "{\"context\":0}", SERVICE_INVALID,
                  "'context' is given, but campaign e decides by probabilities");
    refuse_decide(self, e, "{}", SERVICE_INVALID,
                  "campaign e has experts that the caller evaluates: give \"probabilities\" alone");
    refuse_decide(self, e, "{\"probabilities\":[[0.5,0.4]]}", SERVICE_NOT_DISTRIBUTION,
                  "probabilities[0] sums to 0.9, must be 1");
    refuse_decide(self, e, "{\"probabilities\":[[1.5,-0.5]]}", SERVICE_NOT_DISTRIBUTION,
                  "probabilities[0][0] is 1.5, must be a probability");
    refuse_decide(self, e, "{\"probabilities\":[[1]]}", SERVICE_NOT_DISTRIBUTION,
                  "probabilities has 1 rows of 1, must have 1, one per expert, of 2, one per action");
    refuse_decide(self, e, "{\"probabilities\":[[1,0],[1]]}", SERVICE_NOT_DISTRIBUTION,
                  "probabilities[1] has 1 numbers, the row before 2");
    refuse_decide(self, s, "{\"features\":[1]}", SERVICE_INVALID, "features has 1 numbers, must have 2");
    refuse_decide(self, s, "{\"features\":[]}", SERVICE_INVALID, "features has 0 numbers, must have 2");
    refuse_decide(self, s, "{\"features\":[1,1e200]}", SERVICE_INVALID,
                  "features[1] is 1e+200, must be a number of at most 1e100 in size");
    refuse_decide(self, s, "{\"probabilities\":[[1,0]]}", SERVICE_INVALID,
                  "campaign s has experts over features: give \"features\" alone");
    assert_frozen(self, &before);
    service_free(self);
}

static void rewards_refused(void **state)
{
    (void)state;
    static const wrong list[] = {
        {"{\"event_id\":\"a\"}", "'reward' is missing: a reward needs both event_id and reward", SERVICE_INVALID},
        {"{\"reward\":1}", "'event_id' is missing: a reward needs both event_id and reward", SERVICE_INVALID},
        {"{\"event_id\":\"a\",\"reward\":\"1\"}", "reward is a string, must be a number", SERVICE_INVALID},
        {"{\"event_id\":\"a\",\"reward\":\"1}", "byte 25 of the body is '\"', where a number was expected",
         SERVICE_SYNTAX},
        {"{\"event_id\":\"a\",\"reward\":1,\"reward_id\":[]}", "reward_id is a list, must be a string",
         SERVICE_INVALID},
        {"{\"event_id\":\"a\",\"context\":\"x\"}", "unknown key 'context'; known are event_id, reward and reward_id",
         SERVICE_INVALID},
        {"{\"event_id\":\"a\",\"reward\":1e305}", "reward is 1e+305, must be a number", SERVICE_INVALID},
    };
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("r", ""), 0);
    frozen before = frozen_state(self);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        common_text text = {0};
        service_error err;
        service_status status;
        size_t items;
        assert_not(service_reward_json(self, c, list[i].json, strlen(list[i].json), 0, &text, &items, &status, &err),
                   &err, list[i].code, list[i].sentence);
    }
    assert_frozen(self, &before);
    service_free(self);
}

/* A campaign whose experts are known in context x alone, with all that could change when somebody asks for y: the table
   is full, windows are over, and an episode is due by rounds and by the schedule. */
static service_campaign *about_to_change(service *self, const char *more)
{
    static const char roster[] = "{\"name\":\"old\",\"contexts\":[\"x\",\"y\"],\"actions\":2,\"experts\":[{},{}]}";
    static const char samples[] = "[{\"expert\":0,\"context\":0,\"action\":0,\"count\":50},{\"expert\":0,\"context\":0,"
                                  "\"action\":1,\"count\":50},{\"expert\":1,\"context\":0,\"action\":0,\"count\":50},"
                                  "{\"expert\":1,\"context\":0,\"action\":1,\"count\":50}]";
    char text[600];
    service_error err;
    bool is_new;
    uint64_t added;
    assert_done(service_roster_create(self, roster, strlen(roster), 0, &is_new, &err), &err);
    assert_done(service_roster_samples(self, "old", 3, samples, strlen(samples), 0, &added, &err), &err);
    snprintf(text, sizeof text,
             "{\"name\":\"l\",\"roster\":\"old\",\"seed\":1,\"agent\":{\"agent\":\"ed-ucb\",\"p_V\":0.05,\"p_X\":0.3,"
             "\"xi\":0.01}%s}",
             more);
    service_campaign *c = created(self, text, 0);
    for (int64_t i = 1; i <= 3; i++)
        decided(self, c, NULL, 0, i * SECOND);
    return c;
}

static void refused_decisions_change_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *rules;
        int64_t at;
    } cases[] = {
        {",\"reward\":{\"events_most\":3}", 4},                         /* an eviction          */
        {",\"reward\":{\"wait\":10,\"default\":0}", 50},                /* windows that end     */
        {",\"reward\":{\"wait\":10,\"remember\":0,\"default\":0}", 50}, /* and are forgotten    */
        {",\"episodes\":{\"rounds\":3}", 4},                            /* an episode by rounds */
        {",\"episodes\":{\"schedule\":[{\"at\":\"00:01\"}]}", 90},      /* and by the clock     */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        service *self = fresh();
        service_campaign *c = about_to_change(self, cases[i].rules);
        service_error err;
        service_decision d;
        service_request q = {.number = 1};
        frozen before = frozen_state(self);
        assert_int_equal(service_decide(self, c, &q, cases[i].at * SECOND, &d, &err), SERVICE_CANNOT_SAY);
        q.id = "mine";
        q.id_size = 4;
        assert_int_equal(service_decide(self, c, &q, cases[i].at * SECOND, &d, &err), SERVICE_CANNOT_SAY);
        assert_frozen(self, &before);
        if (cases[i].at < 10)
            assert_int_equal(rewarded(self, c, "#1", 1, cases[i].at * SECOND), SERVICE_JOINED);
        service_free(self);
    }
}

/* Whatever else is refused, in a state in which a request that is not would change much. */
static void refusals_change_nothing(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = about_to_change(self, ",\"reward\":{\"wait\":10,\"default\":0},\"episodes\":{\"rounds\":3}");
    service_campaign *gone = created(self, SPEC_CAMPAIGN("gone", ""), 3 * SECOND), *other;
    const int64_t now = 50 * SECOND;
    service_error err;
    service_status status;
    service_decision d;
    service_request conflict = {.id = "#1", .id_size = 2, .number = 1}, beyond = {.number = 2};
    service_request invented = {.id = "#9", .id_size = 2};
    bool is_new;
    uint64_t added;
    uint32_t episode;
    const char *exists = SPEC_CAMPAIGN("l", ""), *samples = "[{\"expert\":0,\"context\":0,\"action\":7}]";
    static const char roster[] = "{\"name\":\"old\",\"contexts\":1,\"actions\":1,\"experts\":[{}]}";
    assert_done(service_campaign_archive(self, gone, 3 * SECOND, &err), &err);
    frozen before = frozen_state(self);
    assert_int_equal(service_decide(self, c, &conflict, 5 * SECOND, &d, &err), SERVICE_CONFLICT);
    assert_int_equal(service_decide(self, c, &beyond, now, &d, &err), SERVICE_UNKNOWN_CONTEXT);
    assert_int_equal(service_decide(self, c, &invented, now, &d, &err), SERVICE_INVALID);
    assert_int_equal(service_reward(self, c, "a b", 3, 1, now, &status, &err), SERVICE_INVALID);
    assert_int_equal(service_reward(self, c, "#1", 2, NAN, now, &status, &err), SERVICE_INVALID);
    assert_int_equal(service_control_json(self, c, "{\"pin\":\"z\"}", 11, now, &err), SERVICE_INVALID);
    assert_int_equal(service_roster_samples(self, "old", 3, samples, strlen(samples), now, &added, &err),
                     SERVICE_INVALID);
    assert_int_equal(service_roster_samples(self, "new", 3, samples, strlen(samples), now, &added, &err),
                     SERVICE_NO_ROSTER);
    assert_int_equal(service_campaign_create(self, exists, strlen(exists), now, &other, &is_new, &err), SERVICE_EXISTS);
    assert_int_equal(service_roster_create(self, roster, strlen(roster), now, &is_new, &err), SERVICE_EXISTS);
    beyond.number = 0;
    assert_int_equal(service_decide(self, gone, &beyond, now, &d, &err), SERVICE_ARCHIVED);
    assert_int_equal(service_reward(self, gone, "#1", 2, 1, now, &status, &err), SERVICE_ARCHIVED);
    assert_int_equal(service_episode(self, gone, now, &episode, &err), SERVICE_ARCHIVED);
    assert_int_equal(service_campaign_archive(self, gone, now, &err), SERVICE_ARCHIVED);
    assert_frozen(self, &before);
    service_free(self);
}

static void every_code_has_its_word(void **state)
{
    (void)state;
    for (int code = SERVICE_OK; code <= SERVICE_DAMAGED; code++) {
        int status = service_code_status((service_code)code);
        assert_true(strlen(service_code_word((service_code)code)) > 1);
        assert_true(code == SERVICE_OK ? status == 200 : status >= 400 && status < 600);
    }
    for (int status = 0; status < SERVICE_STATUSES; status++)
        assert_true(strlen(service_status_word((service_status)status)) > 1);
    assert_int_equal(service_status_http(SERVICE_LATE), 410);
}

/* Eight levels and not nine, wherever a body is read as a tree; brackets in strings do not count. */
static void deep_bodies_refused(void **state)
{
    (void)state;
    static const char deep[] = "{\"a\":{\"a\":{\"a\":{\"a\":[[[[[1]]]]]}}}}",
                      fine[] = "{\"[[[[[[[[[\\\"[\":[[[[[[[1]]]]]]]}";
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("deep", ""), 0), *none;
    service_error err;
    uint64_t added;
    bool is_new;
    static const char roster[] = "{\"name\":\"r\",\"contexts\":1,\"actions\":1,\"experts\":[{}]}";
    assert_done(service_roster_create(self, roster, strlen(roster), 0, &is_new, &err), &err);
    assert_not(service_campaign_create(self, deep, strlen(deep), 0, &none, &is_new, &err), &err, SERVICE_SYNTAX,
               "campaign: byte 24 opens more than 8 levels, the most that is allowed");
    assert_not(service_roster_create(self, deep, strlen(deep), 0, &is_new, &err), &err, SERVICE_SYNTAX,
               "roster: byte 24 opens more than 8 levels, the most that is allowed");
    assert_not(service_roster_samples(self, "r", 1, deep, strlen(deep), 0, &added, &err), &err, SERVICE_SYNTAX,
               "samples: byte 24 opens more than 8 levels, the most that is allowed");
    assert_not(service_control_json(self, c, deep, strlen(deep), 0, &err), &err, SERVICE_SYNTAX,
               "controls: byte 24 opens more than 8 levels, the most that is allowed");
    assert_int_not_equal(service_control_json(self, c, fine, strlen(fine), 0, &err), SERVICE_SYNTAX);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(descriptions_refused),    cmocka_unit_test(rules_refused),
        cmocka_unit_test(names_are_taken_once),    cmocka_unit_test(requests_refused),
        cmocka_unit_test(numbers_refused),         cmocka_unit_test(rewards_refused),
        cmocka_unit_test(every_code_has_its_word), cmocka_unit_test(refused_decisions_change_nothing),
        cmocka_unit_test(refusals_change_nothing), cmocka_unit_test(deep_bodies_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
