/*
 * test_service_menu.c: actions that come with a request: sparse rows and top lists do what dense rows do.
 */
#include "service_internal.h"
#include "service_support.h"

#define OPEN "{\"name\":\"ads\",\"kind\":\"external\",\"experts\":[\"old\",\"new\"],\"seed\":3}"
#define LISTED                                                                                                         \
    "{\"name\":\"ads\",\"kind\":\"external\",\"experts\":[\"old\",\"new\"],\"actions\":[\"a\",\"b\",\"c\"],\"seed\":"  \
    "3}"

static service_code ask(service *self, service_campaign *c, const char *body, common_text *out, service_error *err)
{
    size_t items;
    service_slice all = {0};
    return service_call_slice(self, c, SERVICE_CALL_DECIDE, body, strlen(body), 0, &all, out, &items, err);
}

/* The answer, as JSON for the caller to release. */
static json_t *asked(service *self, service_campaign *c, const char *body)
{
    common_text out = {0};
    service_error err;
    assert_done(ask(self, c, body, &out, &err), &err);
    json_t *json = json_loadb(out.data, out.used, 0, NULL);
    assert_non_null(json);
    common_text_free(&out);
    return json;
}

enum { ACTIONS = 16, FORMS = 4 };

/* Eighths over the first eight of sixteen actions, and halves of what is left over the others: exact in any order. */
static void draw_row(roster_rng *rng, double *row)
{
    for (size_t a = 0; a < ACTIONS; a++)
        row[a] = a < 8 ? 0 : 1 / 16.0;
    for (int i = 0; i < 4; i++)
        row[roster_rng_below(rng, 8)] += 1 / 8.0;
}

static void put_row(common_text *out, const double *row, int form)
{
    char text[40];
    common_put_text(out, form == 0 ? "[" : form == 1 ? "{" : form == 2 ? "{\"top\":{" : "{\"tail\":0.5,\"top\":{");
    bool first = true;
    for (size_t a = 0; a < (form < 2 ? ACTIONS : 8); a++) {
        if (form == 1 && row[a] == 0)
            continue;
        if (form == 0)
            snprintf(text, sizeof text, "%s%.17g", first ? "" : ",", row[a]);
        else
            snprintf(text, sizeof text, "%s\"a%zu\":%.17g", first ? "" : ",", a, row[a]);
        common_put_text(out, text);
        first = false;
    }
    common_put_text(out, form == 0 ? "]" : form == 1 ? "}" : form == 2 ? "},\"tail\":0.5}" : "}}");
}

static void put_body(common_text *out, double rows[2][ACTIONS], int form, bool named)
{
    common_put_text(out, "{\"actions\":[");
    for (int a = 0; a < ACTIONS; a++) {
        char text[16];
        snprintf(text, sizeof text, "%s\"a%d\"", a > 0 ? "," : "", a);
        common_put_text(out, text);
    }
    common_put_text(out, named ? "],\"probabilities\":{\"new\":" : "],\"probabilities\":[");
    put_row(out, rows[named ? 1 : 0], form);
    common_put_text(out, named ? ",\"old\":" : ",");
    put_row(out, rows[named ? 0 : 1], form);
    common_put_text(out, named ? "}}" : "]}");
    common_put(out, "", 1);
}

/* The same decisions, probabilities and states, however the rows are written. */
static void all_forms_agree(void **state)
{
    (void)state;
    service *services[FORMS + 1];
    service_campaign *c[FORMS + 1];
    roster_rng rng;
    roster_rng_init(&rng, 5, 0, 99);
    for (int f = 0; f <= FORMS; f++) {
        services[f] = fresh();
        c[f] = created(services[f], OPEN, 0);
    }
    for (int i = 0; i < 300; i++) {
        double rows[2][ACTIONS], chosen[2];
        json_t *first = NULL;
        draw_row(&rng, rows[0]);
        draw_row(&rng, rows[1]);
        for (int f = 0; f <= FORMS; f++) {
            common_text body = {0};
            put_body(&body, rows, f % FORMS, f == FORMS);
            json_t *json = asked(services[f], c[f], body.data);
            size_t a = (size_t)atoi(json_string_value(json_object_get(json, "action")) + 1);
            size_t k = strcmp(json_string_value(json_object_get(json, "expert")), "old") == 0 ? 0 : 1;
            assert_true(json_number_value(json_object_get(json, "propensity")) == rows[k][a]);
            const service_event *event = service_table_at(&c[f]->table, c[f]->table.end - 1);
            memcpy(chosen, service_table_numbers(&c[f]->table, event), sizeof chosen);
            assert_true(chosen[0] == rows[0][a] && chosen[1] == rows[1][a]);
            assert_true(first == NULL || json_equal(first, json));
            rewarded(services[f], c[f], json_string_value(json_object_get(json, "event_id")), a % 2 ? 1 : 0.25, 0);
            if (first == NULL)
                first = json;
            else
                json_decref(json);
            common_text_free(&body);
        }
        json_decref(first);
    }
    for (int f = 1; f <= FORMS; f++)
        assert_same_state(services[0], services[f]);
    for (int f = 0; f <= FORMS; f++)
        service_free(services[f]);
}

static void assert_refuses(service *self, service_campaign *c, const char *body, service_code code,
                           const char *sentence)
{
    common_text out = {0};
    service_error err = {0};
    frozen f = frozen_state(self);
    assert_not(ask(self, c, body, &out, &err), &err, code, sentence);
    assert_frozen(self, &f);
    common_text_free(&out);
}

static void refused(void **state)
{
    (void)state;
    static const struct {
        const char *body, *sentence;
        service_code code;
    } wrong[] = {
        {"{\"probabilities\":[{\"a\":1}]}", "probabilities has 1 rows, must have 2, one per expert",
         SERVICE_NOT_DISTRIBUTION},
        {"{\"probabilities\":{\"old\":{\"a\":1},\"odd\":{\"a\":1}}}",
         "probabilities has \"odd\", which is not an expert of campaign ads", SERVICE_INVALID},
        {"{\"probabilities\":{\"old\":{\"a\":1},\"old\":{\"a\":1}}}",
         "probabilities has expert \"old\" of campaign ads twice", SERVICE_INVALID},
        {"{\"probabilities\":[{\"a\":0.5},{\"a\":1}]}", "probabilities of expert old sums to 0.5, must be 1",
         SERVICE_NOT_DISTRIBUTION},
        {"{\"probabilities\":[{\"a\":2},{\"a\":1}]}", "probabilities of expert old: 2 is no probability",
         SERVICE_NOT_DISTRIBUTION},
        {"{\"probabilities\":[{\"a\":1},{\"a\":-1,\"b\":2}]}", "probabilities of expert new: -1 is no probability",
         SERVICE_NOT_DISTRIBUTION},
        {"{\"probabilities\":[{\"a\":0.5,\"a\":0.5},{\"a\":1}]}", "probabilities of expert old: \"a\" is there twice",
         SERVICE_INVALID},
        {"{\"actions\":[\"b\"],\"probabilities\":[{\"a\":1},{\"b\":1}]}",
         "probabilities of expert old: \"a\" is none of the actions", SERVICE_INVALID},
        {"{\"actions\":[\"b\",\"b\"],\"probabilities\":[{\"b\":1},{\"b\":1}]}", "actions has \"b\" twice",
         SERVICE_INVALID},
        {"{\"actions\":[\"b\",\"\"],\"probabilities\":[{\"b\":1},{\"b\":1}]}",
         "an action has 0 bytes, must have 1 to 128 bytes of UTF-8 without control characters", SERVICE_INVALID},
        {"{\"actions\":[\"a\",\"b\"],\"probabilities\":[[1],[0,1]]}",
         "probabilities[1] has 2 numbers, the row before 1", SERVICE_NOT_DISTRIBUTION},
        {"{\"actions\":[\"a\",\"b\"],\"probabilities\":[[1],{\"a\":1}]}",
         "probabilities of expert old has 1 numbers, must have 2, one per action", SERVICE_NOT_DISTRIBUTION},
        {"{\"probabilities\":[{\"top\":{\"a\":0.5},\"tail\":0.5},{\"a\":1}]}",
         "'actions' is missing: probabilities of expert old has a tail, which the other actions share",
         SERVICE_INVALID},
        {"{\"actions\":[\"a\"],\"probabilities\":[{\"top\":{\"a\":0.5},\"tail\":0.5},{\"a\":1}]}",
         "probabilities of expert old has a tail of 0.5, but names every action", SERVICE_NOT_DISTRIBUTION},
        {"{\"actions\":[\"a\",\"b\"],\"probabilities\":[{\"top\":{\"a\":2},\"tail\":-1},{\"a\":1}]}",
         "probabilities of expert old: 2 is no probability", SERVICE_NOT_DISTRIBUTION},
        {"{\"actions\":[\"a\",\"b\"],\"probabilities\":[{\"top\":{\"a\":1},\"rest\":0},{\"a\":1}]}",
         "probabilities has a row with 'top', which may have 'tail', a number, and nothing else", SERVICE_INVALID},
        {"{\"actions\":[\"a\",\"b\"],\"probabilities\":[{\"a\":0,\"top\":{\"a\":1}},{\"a\":1}]}",
         "probabilities has a row with 'top', which may have 'tail', a number, and nothing else", SERVICE_INVALID},
        {"{\"actions\":{\"old\":\"a\"},\"probabilities\":[{\"a\":1},{\"a\":1}]}",
         "actions is an object, must be a list of names", SERVICE_INVALID},
        {"{\"probabilities\":[{\"a\":\"b\"},{\"a\":1}]}",
         "probabilities has a string, must be a list of rows, or an object of rows by expert", SERVICE_INVALID},
        {"{}", "campaign ads lists no actions: give \"probabilities\" by action, or use choose and acted",
         SERVICE_INVALID}};
    service *self = fresh();
    service_campaign *c = created(self, OPEN, 0), *shop = created(self, SPEC_CAMPAIGN("shop", ""), 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refuses(self, c, wrong[i].body, wrong[i].code, wrong[i].sentence);
    assert_refuses(self, shop, "{\"context\":0,\"actions\":[\"a\"]}", SERVICE_INVALID,
                   "campaign shop evaluates its experts itself: leave actions and probabilities out");
    service_free(self);
}

/* Campaigns that list their actions take rows over some of these. */
static void listed(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, LISTED, 0);
    json_t *json = asked(self, c, "{\"event_id\":\"x\",\"probabilities\":[{\"c\":1},{\"c\":1}]}");
    assert_string_equal(json_string_value(json_object_get(json, "action")), "c");
    json_decref(json);
    assert_refuses(self, c, "{\"probabilities\":[{\"d\":1},{\"c\":1}]}", SERVICE_INVALID,
                   "action \"d\" is none that campaign ads lists");
    json = asked(self, c, "{\"probabilities\":[[0,0,1],[0,0,1]]}");
    assert_string_equal(json_string_value(json_object_get(json, "action")), "c");
    json_decref(json);
    service_free(self);
}

static void decided_again(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_decision d;
    service_campaign *c = created(self, OPEN, 0);
    static const char body[] = "{\"event_id\":\"x\",\"probabilities\":[{\"a\":0.5,\"b\":0.5},{\"b\":0.25,\"a\":0.75}]}";
    json_t *first = asked(self, c, body), *again = asked(self, c, body);
    assert_true(json_is_true(json_object_get(again, "repeated")));
    json_object_del(again, "repeated");
    assert_true(json_equal(first, again));
    assert_refuses(self, c, "{\"event_id\":\"x\",\"probabilities\":[{\"a\":0.25,\"b\":0.75},{\"b\":0.5,\"a\":0.5}]}",
                   SERVICE_CONFLICT, "event_id x was decided with other actions or probabilities before");
    assert_refuses(self, c, "{\"event_id\":\"x\",\"probabilities\":[{\"c\":1},{\"c\":1}]}", SERVICE_CONFLICT,
                   "event_id x was decided with other actions or probabilities before");
    json_decref(first);
    json_decref(again);
    /* One that was chosen before acts. */
    assert_done(service_choose_only(self, c, "y", 1, 0, &d, &err), &err);
    first = asked(self, c, "{\"event_id\":\"y\",\"probabilities\":[{\"c\":1},{\"c\":1}]}");
    assert_null(json_object_get(first, "repeated"));
    assert_string_equal(json_string_value(json_object_get(first, "action")), "c");
    json_decref(first);
    service_free(self);
}

/* 100,000 actions, and one too many; only the numbers of the action taken are in the log. */
static void very_many(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, OPEN, 0);
    service_error err;
    for (int n = SERVICE_ACTIONS_MOST; n <= SERVICE_ACTIONS_MOST + 1; n++) {
        common_text body = {0}, out = {0};
        common_put_text(&body, "{\"actions\":[");
        for (int i = 0; i < n; i++) {
            char text[24];
            snprintf(text, sizeof text, "%s\"item-%d\"", i > 0 ? "," : "", i);
            common_put_text(&body, text);
        }
        common_put_text(&body, "],\"probabilities\":[{\"top\":{\"item-7\":0.5},\"tail\":0.5},{\"item-99999\":1}]}");
        common_put(&body, "", 1);
        size_t before = service_pending_bytes(self);
        service_code code = ask(self, c, body.data, &out, &err);
        if (n == SERVICE_ACTIONS_MOST)
            assert_done(code, &err);
        else
            assert_not(code, &err, SERVICE_LIMIT, "the request has more than 100000 actions");
        assert_in_range(service_pending_bytes(self) - before, n == SERVICE_ACTIONS_MOST ? 100 : 0, 400);
        common_text_free(&body);
        common_text_free(&out);
    }
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_forms_agree), cmocka_unit_test(refused),   cmocka_unit_test(listed),
        cmocka_unit_test(decided_again),   cmocka_unit_test(very_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
