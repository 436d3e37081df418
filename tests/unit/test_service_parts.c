/*
 * test_service_parts.c: the parts of the engine by themselves: numbers as text, ids, the table of events, records as
 * bytes, the scanner of bodies.
 */
#include "service_support.h"

#include "service_internal.h"

#include <jansson.h>

static void numbers_read_back(void **state)
{
    (void)state;
    static const double fixed[] = {0,          1,        -1,  0.5,  0.25,   0.1,       0.3, 1e-9,
                                   123456.789, 999999.5, 1e6, 1e22, 1e-300, 0.1 + 0.2, -0.7};
    common_text text = {0};
    roster_rng rng;
    roster_rng_init(&rng, 3, 0, 9);
    for (int i = 0; i < 20000; i++) {
        double x = i < 15 ? fixed[i] : i % 2 ? roster_rng_uniform(&rng) : (double)roster_rng_below(&rng, 100000) / 1000;
        common_text_clear(&text);
        common_put_number(&text, x);
        assert_true(strtod(text.data, NULL) == x);
    }
    common_text_clear(&text);
    for (int i = 0; i < 6; i++) {
        common_put_number(&text, fixed[i]);
        common_put_text(&text, " ");
    }
    common_put_number(&text, NAN);
    common_put_number(&text, INFINITY);
    common_put_count(&text, UINT64_MAX);
    common_put_string(&text, "a\"\\\n\x01z");
    common_put_string(&text, "\xc3\xa4\xff\xc3");
    common_put_time(&text, INT64_C(1700000000123456));
    assert_string_equal(text.data, "0 1 -1 0.5 0.25 0.1 nullnull18446744073709551615\"a\\\"\\\\\\u000a\\u0001z\""
                                   "\"\xc3\xa4\\ufffd\\ufffd\""
                                   "\"2023-11-14T22:13:20.123456Z\"");
    common_text_free(&text);
}

static void ids_are_hashed(void **state)
{
    (void)state;
    service_error err;
    service_key key, other;
    const char *const ids[] = {"1", "42", "#1", "9223372036854775807", "x"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        assert_done(service_key_make(&key, 7, ids[i], strlen(ids[i]), &err), &err);
        assert_int_equal(key.b >> 63, 1);
        assert_done(service_key_make(&other, 8, ids[i], strlen(ids[i]), &err), &err);
        assert_false(service_key_equal(key, other));
    }
    assert_true(service_key_draws(7, "") == 7 && service_key_draws(7, "a") != service_key_draws(7, "b"));
    /* The action's number of block n is the second of block n of the world's stream, the expert's the fourth. */
    roster_rng rng;
    roster_rng_init(&rng, 7, 0, ROSTER_ROLE_WORLD);
    roster_rng_seek(&rng, 42);
    roster_rng_u64(&rng);
    service_uniforms u = service_key_uniforms((service_key){42, 0}, 7);
    assert_true(u.action == roster_rng_uniform(&rng));
    roster_rng_u64(&rng);
    assert_true(u.expert == roster_rng_uniform(&rng));
}

static void like_a_list(void **state)
{
    (void)state;
    enum { MOST = 3000 };
    service_table table = {.width = 2};
    service_key keys[MOST];
    roster_rng rng;
    size_t first = 0, last = 0;
    roster_rng_init(&rng, 5, 0, 9);
    while (last < MOST) {
        bool push = last - first < 2 || roster_rng_below(&rng, 100) < (last < 2000 ? 60 : 45);
        if (push) {
            keys[last] = (service_key){roster_rng_below(&rng, 4) == 0 ? last : roster_rng_u64(&rng) << 40, last << 32};
            assert_true(service_table_reserve(&table));
            service_event *event = service_table_push(&table, keys[last]);
            event->decision = last;
            service_table_numbers(&table, event)[1] = (double)last;
            last++;
        } else {
            table.head = table.tail + 1;
            service_table_drop(&table);
            first++;
        }
        for (int i = 0; i < 5; i++) {
            size_t any = (size_t)roster_rng_below(&rng, last);
            service_event *event = service_table_find(&table, keys[any]);
            assert_int_equal(event != NULL, any >= first);
            assert_true(event == NULL || event->decision == any);
            assert_true(event == NULL || service_table_numbers(&table, event)[1] == (double)any);
        }
    }
    service_table_free(&table);
}

/* A key that comes again while the old event is not dropped yet leads to the new one, and the drop leaves it alone. */
static void table_knows_the_younger(void **state)
{
    (void)state;
    service_table table = {0};
    service_key key = {1, 2};
    for (uint64_t i = 0; i < 2; i++) {
        assert_true(service_table_reserve(&table));
        service_table_push(&table, key)->decision = i;
    }
    table.head = 1;
    service_table_drop(&table);
    assert_int_equal(service_table_find(&table, key)->decision, 1);
    table.head = 2;
    service_table_drop(&table);
    assert_null(service_table_find(&table, key));
    service_table_free(&table);
}

/* Memory follows the number of events, up and, but for the index, down. */
static void table_gives_memory_back(void **state)
{
    (void)state;
    enum { MANY = 200000 };
    service_table table = {0};
    for (uint64_t i = 0; i < MANY; i++) {
        uint64_t before = table.bytes;
        assert_true(service_table_reserve(&table));
        service_table_push(&table, (service_key){i, 0});
        assert_true(table.bytes - before < 8192); /* never more than a segment and a chunk at a time */
    }
    assert_in_range(table.bytes, 72 * MANY, 96 * MANY);
    table.head = table.end;
    while (table.tail < table.end)
        service_table_drop(&table);
    assert_true(table.bytes < 24 * MANY);
    service_table_free(&table);
    assert_int_equal(table.bytes, 0);
}

static service_record sample_record(service_kind kind)
{
    static const double numbers[] = {0.25, -1e300, 3};
    static const service_closing closings[] = {{5, 0.5, 1}, {9, 1, 0}};
    static const service_observation observations[] = {{1, 2, 3, 4}, {5, 6, 7, UINT64_C(1) << 40}};
    service_record r = {.kind = kind, .campaign = 77, .at = INT64_C(1700000000000000)};
    if (kind == SERVICE_RECORD_CAMPAIGN || kind == SERVICE_RECORD_ROSTER) {
        r.text = "{\"name\":\"x\"}";
        r.text_size = 12;
    } else if (service_kind_has_event(kind)) {
        r.key = (service_key){12345, UINT64_C(1) << 63};
        r.text = "order-1";
        r.text_size = 7;
        r.decision = 9;
        r.raw = 2.5;
        r.reward = 0.125;
        r.how = r.status = 3;
    }
    if (kind == SERVICE_RECORD_ACTED || kind == SERVICE_RECORD_OBSERVED) {
        r.label = "a17";
        r.label_size = 3;
    }
    if (kind == SERVICE_RECORD_DECIDE || kind == SERVICE_RECORD_ACTED || kind == SERVICE_RECORD_OBSERVED) {
        r.episode = 3;
        r.expert = 1;
        r.action = 2;
        r.context = 5;
        r.propensity = 0.3;
        r.numbers = numbers;
        r.n = 3;
    }
    r.closings = kind == SERVICE_RECORD_CLOSE ? closings : NULL;
    r.observations = kind == SERVICE_RECORD_SAMPLES ? observations : NULL;
    r.n = r.closings != NULL || r.observations != NULL ? 2 : r.n;
    return r;
}

/* Every kind comes back and gives the same bytes again; every changed bit and every missing byte is noticed. */
static void records_come_back(void **state)
{
    (void)state;
    for (int kind = 1; kind < SERVICE_KINDS; kind++) {
        service_record r = sample_record((service_kind)kind), back;
        service_bytes bytes = {0}, again = {0};
        service_parts parts = {0};
        service_error err;
        size_t used = 0;
        assert_true(service_bytes_reserve(&bytes, service_record_room(&r)));
        service_record_encode(&r, &bytes);
        assert_true(bytes.used <= service_record_room(&r));
        assert_done(service_record_decode(bytes.data, bytes.used, &used, &parts, &back, &err), &err);
        assert_int_equal(used, bytes.used);
        assert_int_equal(back.kind, kind);
        assert_true(back.at == r.at && back.campaign == 77 && back.n == r.n);
        assert_true(service_bytes_reserve(&again, service_record_room(&back)));
        service_record_encode(&back, &again);
        assert_int_equal(again.used, bytes.used);
        assert_memory_equal(again.data, bytes.data, bytes.used);
        for (size_t bit = 0; bit < 8 * bytes.used; bit++) {
            bytes.data[bit / 8] = (unsigned char)(bytes.data[bit / 8] ^ 1u << bit % 8);
            used = 0;
            assert_int_equal(service_record_decode(bytes.data, bytes.used, &used, &parts, &back, &err),
                             SERVICE_DAMAGED);
            bytes.data[bit / 8] = (unsigned char)(bytes.data[bit / 8] ^ 1u << bit % 8);
        }
        for (size_t cut = 0; cut < bytes.used; cut++) {
            used = 0;
            assert_int_equal(service_record_decode(bytes.data, cut, &used, &parts, &back, &err), SERVICE_DAMAGED);
        }
        service_parts_free(&parts);
        free(bytes.data);
        free(again.data);
    }
}

/* A random text made of pieces that matter to a scanner of JSON. */
static void make_body(roster_rng *rng, char body[600])
{
    static const char *const pieces[] = {"{",
                                         "}",
                                         "[",
                                         "]",
                                         ",",
                                         ":",
                                         "\"event_id\"",
                                         "\"reward\"",
                                         "\"a\"",
                                         "\"\\u0041\\n\"",
                                         "1",
                                         "-0",
                                         "0.5",
                                         "1e3",
                                         "12345678901234567890",
                                         "0.1e-5",
                                         "01",
                                         "-",
                                         ".5",
                                         "1.",
                                         " ",
                                         "{\"event_id\":\"a\",\"reward\":0.25}",
                                         "null",
                                         "\"\\ud83d\\ude00\"",
                                         "\"\\x\"",
                                         "\""};
    size_t n = 1 + (size_t)roster_rng_below(rng, 9);
    bool frame = roster_rng_below(rng, 2);
    strcpy(body, frame ? "{\"event_id\":" : "");
    for (size_t j = 0; j < n; j++)
        strcat(body, pieces[roster_rng_below(rng, sizeof pieces / sizeof *pieces)]);
    if (frame)
        strcat(body, "}");
}

/* What the scanner accepted is what jansson reads. */
static void assert_same(const service_scan *scan, const json_t *json)
{
    assert_non_null(json);
    const json_t *one = json_is_array(json) ? json_array_get(json, 0) : json;
    assert_int_equal(scan->n, json_is_array(json) ? json_array_size(json) : 1);
    const json_t *reward = json_object_get(one, "reward"), *id = json_object_get(one, "event_id");
    if (scan->n > 0 && reward != NULL)
        assert_true(scan->items[0].reward == json_number_value(reward));
    if (scan->n > 0 && json_is_string(id)) {
        assert_int_equal(scan->items[0].request.id_size, json_string_length(id));
        assert_memory_equal(scan->items[0].request.id, json_string_value(id), json_string_length(id));
    }
}

static void as_jansson_reads(void **state)
{
    (void)state;
    service_scan *scan = service_scan_create();
    roster_rng rng;
    size_t accepted = 0;
    roster_rng_init(&rng, 6, 0, 9);
    for (int i = 0; i < 200000; i++) {
        char body[600];
        service_error err = {0};
        make_body(&rng, body);
        service_code code = service_scan_call(scan, SERVICE_CALL_REWARD, body, strlen(body), &err);
        json_t *json = json_loads(body, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
        if (code == SERVICE_OK)
            assert_same(scan, json);
        else
            assert_true(err.msg[0] != '\0');
        accepted += code == SERVICE_OK;
        json_decref(json);
    }
    assert_true(accepted > 1000);
    service_scan_free(scan);
}

/* One large body or batch does not cost its memory for ever. */
static void buffers_are_given_back(void **state)
{
    (void)state;
    enum { ITEMS = 10000, EACH = 23 };
    static char body[ITEMS * EACH + 2];
    service_error err = {0};
    service_scan *scan = service_scan_create();
    body[0] = '[';
    for (size_t i = 0; i < ITEMS; i++)
        snprintf(body + 1 + i * EACH, EACH + 1, "{\"event_id\":\"%06zu\"}%c ", i, i + 1 < ITEMS ? ',' : ' ');
    body[ITEMS * EACH + 1] = ']';
    assert_int_equal(service_scan_call(scan, SERVICE_CALL_DECIDE, body, sizeof body, &err), SERVICE_OK);
    assert_int_equal(scan->n, ITEMS);
    assert_true(scan->items_room * sizeof *scan->items > SERVICE_BUFFER_KEPT);
    assert_int_equal(service_scan_call(scan, SERVICE_CALL_DECIDE, "{}", 2, &err), SERVICE_OK);
    assert_true(scan->items_room * sizeof *scan->items < SERVICE_BUFFER_KEPT);
    service_scan_free(scan);

    service_bytes bytes = {0};
    assert_true(service_bytes_reserve(&bytes, SERVICE_BUFFER_KEPT / 2));
    service_bytes_clear(&bytes);
    assert_true(bytes.room > 0);
    assert_true(service_bytes_reserve(&bytes, 2 * SERVICE_BUFFER_KEPT));
    bytes.used = 1;
    service_bytes_clear(&bytes);
    assert_int_equal(bytes.room + bytes.used, 0);
}

static void bodies_are_answered(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("j", ",\"reward\":{\"wait\":10}"), 0);
    common_text text = {0};
    service_error err;
    service_status status;
    size_t items;
    static const char decide[] = "[{\"event_id\":\"7\",\"context\":\"day\"}, {\"context\":1}, {\"context\":\"noon\"},"
                                 "{\"event_id\":7,\"context\":0}]";
    assert_done(service_decide_json(self, c, decide, strlen(decide), 0, &text, &items, &err), &err);
    assert_int_equal(items, 4);
    json_t *json = json_loads(text.data, 0, NULL);
    assert_int_equal(json_array_size(json), 4);
    json_t *first = json_array_get(json, 0), *second = json_array_get(json, 1), *last = json_array_get(json, 3);
    assert_string_equal(json_string_value(json_object_get(first, "event_id")), "7");
    assert_string_equal(json_string_value(json_object_get(second, "event_id")), "#1");
    assert_int_equal(json_integer_value(json_object_get(first, "episode")), 0);
    assert_true(json_number_value(json_object_get(first, "propensity")) > 0);
    assert_non_null(strstr(text.data,
                           "{\"error\":{\"code\":\"unknown-context\",\"message\":\"context is \\\"noon\\\", which "
                           "campaign j does not know\"}}"));
    assert_true(json_is_true(json_object_get(last, "repeated")));
    assert_string_equal(json_string_value(json_object_get(last, "action")),
                        json_string_value(json_object_get(first, "action")));
    json_decref(json);
    static const char reward[] =
        "[{\"event_id\":\"7\",\"reward\":1},{\"event_id\":\"7\",\"reward\":1},{\"event_id\":\"q\\\"\","
        "\"reward\":1},{\"event_id\":\"#1\",\"reward\":9},{\"reward\":1}]";
    common_text_clear(&text);
    assert_done(service_reward_json(self, c, reward, strlen(reward), 0, &text, &items, &status, &err), &err);
    assert_string_equal(
        text.data,
        "[{\"event_id\":\"7\",\"status\":\"joined\"},"
        "{\"event_id\":\"7\",\"status\":\"duplicate\",\"message\":\"the event's reward was counted before: nothing "
        "changed\"},"
        "{\"event_id\":\"q\\\"\",\"status\":\"unknown\",\"message\":\"the service knows no event with this event_id\"},"
        "{\"event_id\":\"#1\",\"status\":\"out-of-range\",\"message\":\"the reward is not in the campaign's range\"},"
        "{\"error\":{\"code\":\"invalid\",\"message\":\"'event_id' is missing: a reward needs both event_id and "
        "reward\"}}]");
    common_text_clear(&text);
    assert_done(service_reward_json(self, c, "{\"event_id\":\"#1\",\"reward\":1}", 28, 11 * SECOND, &text, &items,
                                    &status, &err),
                &err);
    assert_int_equal(status, SERVICE_LATE);
    common_text_clear(&text);
    assert_done(service_decide_json(self, c, "[]", 2, 0, &text, &items, &err), &err);
    assert_string_equal(text.data, "[]");
    common_text_free(&text);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_read_back),
        cmocka_unit_test(ids_are_hashed),
        cmocka_unit_test(like_a_list),
        cmocka_unit_test(table_knows_the_younger),
        cmocka_unit_test(table_gives_memory_back),
        cmocka_unit_test(records_come_back),
        cmocka_unit_test(as_jansson_reads),
        cmocka_unit_test(buffers_are_given_back),
        cmocka_unit_test(bodies_are_answered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
