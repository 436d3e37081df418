/*
 * test_service_upcoming.c: episodes that are prepared while the campaign goes on, and begin later.
 */
#include "service_support.h"

#include "service_internal.h"

static const char roster[] = ESTIMATED_ROSTER, estimated[] = ESTIMATED_CAMPAIGN, samples[] = ESTIMATED_SAMPLES;

static void sample(service *self, int64_t now)
{
    service_error err;
    uint64_t added;
    assert_done(service_roster_samples(self, "r", 1, samples, sizeof samples - 1, now, &added, &err), &err);
}

static service_campaign *created_estimated(service *self)
{
    service_error err;
    bool is_new;
    assert_done(service_roster_create(self, roster, sizeof roster - 1, 0, &is_new, &err), &err);
    sample(self, 0);
    return created(self, estimated, 0);
}

static service_upcoming *opened(service *self, service_campaign *c)
{
    service_upcoming *u;
    service_error err;
    assert_done(service_upcoming_open(self, c, &u, &err), &err);
    return u;
}

/* Prepares and admits; whether it has begun, as that number. */
static bool begun(service *self, service_upcoming *u, int64_t now, uint32_t expected)
{
    service_error err;
    uint32_t number;
    bool again;
    assert_done(service_upcoming_prepare(u, &err), &err);
    assert_done(service_upcoming_admit(self, u, now, &number, &again, &err), &err);
    if (!again)
        assert_int_equal(number, expected);
    return !again;
}

/* The log gives the same state. */
static void assert_replayed(service *self)
{
    log_directory directory;
    service_error err;
    service *other;
    service_audited audited;
    store *log = log_begin(&directory);
    assert_done(service_commit(self, log, 100 * SECOND, &err), &err);
    assert_done(service_open(&other, log, &err), &err);
    assert_same_state(self, other);
    assert_done(service_snapshot(self, log, &err), &err);
    assert_done(service_audit(log, NULL, &audited, &err), &err);
    assert_int_equal(audited.snapshots, 1);
    service_free(other);
    log_end(log, &directory);
}

/* Decisions that come while it is prepared are of the old one; then it is the same as one that begins at once. */
static void the_campaign_goes_on(void **state)
{
    (void)state;
    service *self = fresh(), *other = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("shop", ""), 0),
                     *d = created(other, SPEC_CAMPAIGN("shop", ""), 0);
    service_error err;
    uint32_t number;
    service_upcoming *u = opened(self, c);
    for (int64_t i = 1; i <= 4; i++) {
        assert_int_equal(decided(self, c, NULL, 0, i).episode, 0);
        assert_int_equal(decided(other, d, NULL, 0, i).episode, 0);
    }
    assert_int_equal(rewarded(self, c, "#1", 1, 5), SERVICE_JOINED);
    assert_int_equal(rewarded(other, d, "#1", 1, 5), SERVICE_JOINED);
    assert_true(begun(self, u, 6, 1));
    assert_done(service_episode(other, d, 6, &number, &err), &err);
    assert_int_equal(decided(self, c, NULL, 1, 7).episode, 1);
    assert_int_equal(decided(other, d, NULL, 1, 7).episode, 1);
    assert_same_state(self, other);
    service_upcoming_close(u);
    assert_replayed(self);
    service_free(self);
    service_free(other);
}

/* Another that began meanwhile: it is prepared for the number after that. */
static void others_begin_first(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("shop", ""), 0);
    service_upcoming *first = opened(self, c), *second = opened(self, c);
    assert_true(begun(self, first, SECOND, 1));
    uint64_t last = service_last(self);
    assert_false(begun(self, second, SECOND, 2));
    assert_int_equal(service_last(self), last);
    assert_true(begun(self, second, 2 * SECOND, 2));
    decided(self, c, NULL, 0, 3 * SECOND);
    service_upcoming_close(first);
    service_upcoming_close(second);
    assert_replayed(self);
    service_free(self);
}

/* It starts from what is known when it begins, and where more is known all the time it begins nevertheless. */
static void more_is_known(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created_estimated(self), *seen;
    service_upcoming *u = opened(self, c);
    sample(self, SECOND);
    assert_false(begun(self, u, SECOND, 1));
    assert_true(begun(self, u, SECOND, 1));
    assert_int_equal(service_present(c)->counts[0], 18);
    service_upcoming_close(u);
    u = opened(self, c);
    int tries = 1;
    for (sample(self, SECOND); !begun(self, u, SECOND, 2); tries++)
        sample(self, SECOND);
    assert_int_equal(tries, 3);
    service_upcoming_close(u);
    seen = created(self, SPEC_CAMPAIGN("seen", ",\"context_probabilities\":\"seen\""), SECOND);
    u = opened(self, seen);
    decided(self, seen, NULL, 1, SECOND);
    assert_false(begun(self, u, SECOND, 1));
    assert_true(begun(self, u, SECOND, 1));
    assert_true(service_present(seen)->p[1] == 1);
    service_upcoming_close(u);
    decided(self, c, NULL, 0, 2 * SECOND);
    assert_replayed(self);
    service_free(self);
}

/* An archived campaign begins none; its experts are there as long as somebody prepares with them. */
static void archived_meanwhile(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("shop", ""), 0);
    service_upcoming *first = opened(self, c), *second = opened(self, c), *third;
    service_error err;
    uint32_t number;
    bool again;
    assert_done(service_campaign_archive(self, c, SECOND, &err), &err);
    assert_true(c->freed && c->own != NULL);
    frozen before = frozen_state(self);
    assert_done(service_upcoming_prepare(first, &err), &err);
    assert_not(service_upcoming_admit(self, first, SECOND, &number, &again, &err), &err, SERVICE_ARCHIVED,
               "campaign shop is archived: it takes no more requests");
    assert_false(again);
    assert_not(service_upcoming_open(self, c, &third, &err), &err, SERVICE_ARCHIVED,
               "campaign shop is archived: it takes no more requests");
    assert_null(third);
    service_upcoming_close(first);
    assert_non_null(c->own);
    assert_done(service_upcoming_prepare(second, &err), &err);
    service_upcoming_close(second);
    assert_null(c->own);
    assert_frozen(self, &before);
    service_free(self);
}

/* One that is given up leaves nothing behind. */
static void given_up(void **state)
{
    (void)state;
    service *self = fresh();
    service_error err;
    service_campaign *c = created_estimated(self);
    frozen before = frozen_state(self);
    service_upcoming_close(opened(self, c));
    service_upcoming *u = opened(self, c);
    assert_done(service_upcoming_prepare(u, &err), &err);
    service_upcoming_close(u);
    assert_frozen(self, &before);
    service_upcoming_close(NULL);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_campaign_goes_on), cmocka_unit_test(others_begin_first), cmocka_unit_test(more_is_known),
        cmocka_unit_test(archived_meanwhile),   cmocka_unit_test(given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
