/*
 * test_service_ids.c: numbers that the service gives out, ids that clients choose, and ids that were forgotten.
 */
#include "service_support.h"

#include "service_internal.h"

#define AT(s) ((int64_t)((s)*1e6))

static service_code decide(service *self, service_campaign *c, const char *id, service_error *err)
{
    service_decision d;
    service_request q = {.id = id, .id_size = strlen(id)};
    return service_decide(self, c, &q, 0, &d, err);
}

static void numbers_never_end(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("n", ""), 0);
    service_error err;
    service_status status;
    decided(self, c, "9223372036854775807", 0, 0);
    decided(self, c, "18446744073709551615", 0, 0);
    decided(self, c, "1", 0, 0);
    assert_string_equal(decided(self, c, NULL, 0, 0).id, "#1");
    assert_string_equal(decided(self, c, NULL, 0, 0).id, "#2");
    /* "1" and "#1" are two events. */
    assert_int_equal(rewarded(self, c, "1", 1, 0), SERVICE_JOINED);
    assert_int_equal(rewarded(self, c, "#1", 1, 0), SERVICE_JOINED);
    assert_true(decided(self, c, "#2", 0, 0).repeated);
    assert_int_equal(rewarded(self, c, "#3", 1, 0), SERVICE_UNKNOWN);
    assert_int_equal(rewarded(self, c, "2", 1, 0), SERVICE_UNKNOWN);
    assert_not(decide(self, c, "#3", &err), &err, SERVICE_INVALID,
               "event_id is #3, which campaign n did not give out: leave it out, or choose one that does not begin "
               "with #");
    assert_not(decide(self, c, "#03", &err), &err, SERVICE_INVALID,
               "event_id is #03, but only numbers that the service gave out begin with #");
    assert_not(service_reward(self, c, "#x", 2, 1, 0, &status, &err), &err, SERVICE_INVALID,
               "event_id is #x, but only numbers that the service gave out begin with #");
    const char beside[] = {'#', 's', 'e', 'c', 'r', 'e', 't'}; /* what follows the id is another's */
    assert_not(service_reward(self, c, beside, 1, 1, 0, &status, &err), &err, SERVICE_INVALID,
               "event_id is #, but only numbers that the service gave out begin with #");
    /* What a log of 0.1 may hold: its largest number was a client's. Numbers go on behind it. */
    c->issued = INT64_MAX;
    assert_string_equal(decided(self, c, NULL, 0, 0).id, "#9223372036854775808");
    assert_int_equal(rewarded(self, c, "#9223372036854775808", 1, 0), SERVICE_JOINED);
    service_free(self);
}

/* Undoes x ^ x >> by. */
static uint64_t unshift(uint64_t x, int by)
{
    uint64_t out = x;
    for (int done = by; done < 64; done += by)
        out = x ^ out >> by;
    return out;
}

static uint64_t inverse(uint64_t odd)
{
    uint64_t x = odd;
    for (int i = 0; i < 6; i++)
        x *= 2 - odd * x;
    return x;
}

static size_t count_segments(const service_table *t)
{
    size_t n = 1;
    for (size_t i = 1; i < (size_t)1 << t->depth; i++)
        n += t->segments[i] != t->segments[i - 1];
    return n;
}

/* Keys made such that a hash without a secret sends them all to one place spread over the table as random ones do: as
   many segments, each of which is at most half full. */
static void crafted_keys_spread(void **state)
{
    (void)state;
    enum { MANY = 40000 };
    service *self = fresh(), *other = fresh();
    const uint64_t c1 = UINT64_C(0xff51afd7ed558ccd), c2 = UINT64_C(0x9fb21c651e98df25);
    service_table crafted = {.secret = {self->secret[0], self->secret[1]}}, random = crafted;
    roster_rng rng;
    roster_rng_init(&rng, 1, 0, 0);
    for (uint64_t i = 0; i < MANY; i++) {
        uint64_t h = unshift(i << 20, 29) * inverse(c1);
        assert_true(service_table_reserve(&crafted) && service_table_reserve(&random));
        service_table_push(&crafted, (service_key){unshift(h, 32) * inverse(c2), 0});
        service_table_push(&random, (service_key){roster_rng_u64(&rng), roster_rng_u64(&rng)});
    }
    size_t expected = count_segments(&random), got = count_segments(&crafted);
    assert_true(expected > 100);
    assert_in_range(got, expected * 3 / 4, expected * 4 / 3);
    assert_true(self->secret[0] != other->secret[0]);
    service_table_free(&crafted);
    service_table_free(&random);
    service_free(self);
    service_free(other);
}

/* An id that is decided anew after it was forgotten says so, also after a start. */
static void the_forgotten_are_marked(void **state)
{
    (void)state;
    log_directory directory;
    store *log = log_begin(&directory);
    service *self = fresh(), *again;
    service_campaign *c = created(self, SPEC_CAMPAIGN("f", ",\"reward\":{\"wait\":1,\"remember\":1}"), 0);
    service_error err;
    service_audited found;
    assert_false(decided(self, c, "a", 0, AT(1)).forgotten);
    assert_false(decided(self, c, NULL, 0, AT(1)).forgotten);
    assert_false(decided(self, c, "b", 0, AT(4)).forgotten);
    service_decision d = decided(self, c, "a", 0, AT(5));
    assert_true(d.forgotten && !d.repeated);
    d = decided(self, c, "a", 0, AT(5.5));
    assert_true(d.repeated && !d.forgotten);
    assert_true(decided(self, c, "#1", 0, AT(5.5)).forgotten);
    assert_int_equal(counted(self, c).forgotten, 2);
    assert_done(service_commit(self, log, AT(6), &err), &err);
    assert_done(service_snapshot(self, log, &err), &err);
    assert_done(service_open(&again, log, &err), &err);
    assert_same_state(self, again);
    c = service_campaign_at(again, 0);
    common_text text = {0};
    size_t items;
    static const char body[] = "{\"event_id\":\"b\",\"context\":0}";
    assert_done(service_decide_json(again, c, body, strlen(body), AT(20), &text, &items, &err), &err);
    assert_non_null(strstr(text.data, ",\"repeated\":\"forgotten\"}"));
    assert_done(service_commit(again, log, AT(20), &err), &err);
    assert_done(service_audit(log, NULL, &found, &err), &err);
    common_text_free(&text);
    service_free(self);
    service_free(again);
    log_end(log, &directory);
}

/* At least the last 65536 are kept, and twice as many at most. */
static void the_list_is_bounded(void **state)
{
    (void)state;
    service_forgotten f = {.secret = {1, 2}};
    for (uint64_t i = 1; i <= 5 * SERVICE_FORGOTTEN; i++) {
        assert_true(service_forgotten_reserve(&f, 1));
        service_forgotten_add(&f, (service_key){i, 1});
        service_forgotten_add(&f, (service_key){i, 1});
        assert_true(service_forgotten_has(&f, (service_key){i, 1}));
        if (i > SERVICE_FORGOTTEN)
            assert_true(service_forgotten_has(&f, (service_key){i - SERVICE_FORGOTTEN + 1, 1}));
        if (i > 2 * SERVICE_FORGOTTEN)
            assert_false(service_forgotten_has(&f, (service_key){i - 2 * SERVICE_FORGOTTEN, 1}));
    }
    assert_true(service_forgotten_reserve(&f, 5 * SERVICE_FORGOTTEN));
    assert_int_equal(f.young.room, SERVICE_FORGOTTEN);
    assert_int_equal(f.old.room, SERVICE_FORGOTTEN);
    service_forgotten_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_never_end),
        cmocka_unit_test(crafted_keys_spread),
        cmocka_unit_test(the_forgotten_are_marked),
        cmocka_unit_test(the_list_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
