/*
 * test_service_rewards.c: what becomes of rewards and of events without one: windows, defaults, combining, memory.
 */
#include "service_support.h"

#define AT(s) ((int64_t)((s)*1e6))

static void windows_end(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("w", ",\"reward\":{\"wait\":10,\"remember\":5}"), 0);
    decided(self, c, "a", 0, AT(1));
    decided(self, c, "b", 0, AT(2));
    decided(self, c, NULL, 0, AT(3));
    assert_int_equal(service_next(self), AT(11));
    assert_int_equal(rewarded(self, c, "b", 0.5, AT(10.9)), SERVICE_JOINED);
    assert_int_equal(rewarded(self, c, "a", 0.5, AT(11)), SERVICE_LATE);
    assert_int_equal(rewarded(self, c, "b", 0.5, AT(12.5)), SERVICE_DUPLICATE);
    assert_int_equal(rewarded(self, c, "#1", 0.5, AT(12.5)), SERVICE_JOINED);
    service_counts n = counted(self, c);
    assert_int_equal(n.learnt, 2);
    assert_int_equal(n.unlearnt, 1);
    assert_int_equal(n.open, 0);
    /* Forgotten: what the service numbered is late for ever, other ids are unknown. */
    assert_int_equal(rewarded(self, c, "a", 0.5, AT(16)), SERVICE_UNKNOWN);
    assert_int_equal(rewarded(self, c, "b", 0.5, AT(17)), SERVICE_UNKNOWN);
    assert_int_equal(rewarded(self, c, "#1", 0.5, AT(18)), SERVICE_LATE);
    assert_int_equal(rewarded(self, c, "#2", 0.5, AT(18)), SERVICE_UNKNOWN);
    n = counted(self, c);
    assert_int_equal(n.remembered, 0);
    assert_int_equal(n.rewards[SERVICE_LATE], 2);
    /* An id that is no longer known is a new event. */
    assert_false(decided(self, c, "a", 1, AT(19)).repeated);
    service_free(self);
}

static void the_clock_never_goes_back(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("w", ",\"reward\":{\"wait\":10}"), AT(100));
    decided(self, c, "a", 0, AT(50));
    assert_int_equal(service_next(self), AT(110));
    decided(self, c, "b", 0, -5);
    decided(self, c, "c", 0, INT64_MAX);
    assert_int_equal(rewarded(self, c, "a", 1, 0), SERVICE_UNKNOWN);
    service_free(self);
}

static void defaults_are_learnt_at_close(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c =
        created(self, SPEC_CAMPAIGN("d", ",\"reward\":{\"range\":[-1,3],\"wait\":10,\"default\":0}"), 0);
    service_error err;
    uint64_t records;
    decided(self, c, "a", 0, AT(1));
    decided(self, c, "b", 0, AT(2));
    assert_int_equal(rewarded(self, c, "b", 3, AT(3)), SERVICE_JOINED);
    assert_int_equal(rewarded(self, c, "b", 3, AT(3)), SERVICE_DUPLICATE);
    assert_int_equal(rewarded(self, c, "a", 3.5, AT(3)), SERVICE_OUT_OF_RANGE);
    assert_int_equal(counted(self, c).learnt, 0);
    assert_done(service_tick(self, AT(11), &records, &err), &err);
    assert_int_equal(records, 1);
    service_counts n = counted(self, c);
    assert_int_equal(n.learnt, 1);
    assert_int_equal(n.defaulted, 1);
    assert_true(n.reward == 0.25);
    assert_done(service_tick(self, AT(13), &records, &err), &err);
    n = counted(self, c);
    assert_int_equal(n.learnt, 2);
    assert_int_equal(n.defaulted, 1);
    assert_true(n.reward == 1.25);
    assert_done(service_tick(self, AT(14), &records, &err), &err);
    assert_int_equal(records, 0);
    service_free(self);
}

static double combined(const char *how, double range)
{
    char text[1200];
    service *self = fresh();
    snprintf(text, sizeof text, SPEC_CAMPAIGN("s", ",\"reward\":{\"range\":[0,%g],\"wait\":10,\"combine\":\"%s\"}"),
             range, how);
    service_campaign *c = created(self, text, 0);
    service_error err;
    uint64_t records;
    decided(self, c, "a", 0, AT(1));
    static const double rewards[] = {1, 4, 2};
    for (int i = 0; i < 3; i++)
        assert_int_equal(rewarded(self, c, "a", rewards[i], AT(2)),
                         i > 0 && strcmp(how, "first") == 0 ? SERVICE_DUPLICATE : SERVICE_JOINED);
    assert_done(service_tick(self, AT(11), &records, &err), &err);
    assert_int_equal(rewarded(self, c, "a", 1, AT(12)), strcmp(how, "first") == 0 ? SERVICE_DUPLICATE : SERVICE_LATE);
    double reward = counted(self, c).reward;
    assert_int_equal(counted(self, c).learnt, 1);
    service_free(self);
    return reward;
}

static void rewards_combine(void **state)
{
    (void)state;
    assert_true(combined("first", 10) == 0.1);
    assert_true(combined("sum", 10) == 0.7);
    assert_true(combined("max", 10) == 0.4);
    assert_true(combined("sum", 5) == 1); /* no more than the largest there is */
}

/* Where rewards add up, one that has a name counts once, however often it is sent. */
static void named_rewards_count_once(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c =
        created(self, SPEC_CAMPAIGN("n", ",\"reward\":{\"range\":[0,10],\"wait\":10,\"combine\":\"sum\"}"), 0);
    static const struct {
        const char *id, *name;
        service_status status;
    } sent[] = {{"a", "r1", SERVICE_JOINED}, {"a", "r1", SERVICE_DUPLICATE}, {"b", "r1", SERVICE_JOINED},
                {"a", "r2", SERVICE_JOINED}, {"a", NULL, SERVICE_JOINED},    {"a", NULL, SERVICE_JOINED}};
    service_error err;
    service_status status;
    uint64_t records;
    decided(self, c, "a", 0, AT(1));
    decided(self, c, "b", 0, AT(1));
    for (size_t i = 0; i < 6; i++) {
        assert_done(service_reward_once(self, c, sent[i].id, 1, sent[i].name, sent[i].name != NULL ? 2 : 0, 1, AT(2),
                                        &status, NULL, &err),
                    &err);
        assert_int_equal(status, sent[i].status);
    }
    assert_not(service_reward_once(self, c, "a", 1, "x y", 3, 1, AT(2), &status, NULL, &err), &err, SERVICE_INVALID,
               "reward_id has byte 32 at 1, must be printable ASCII, no space");
    assert_done(service_tick(self, AT(12), &records, &err), &err);
    assert_true(counted(self, c).reward == 0.4 + 0.1);
    service_free(self);
}

/* A sum that leaves the range counts as its end; the answer to the reward says so, and it is counted. */
static void sums_are_clipped(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c =
        created(self, SPEC_CAMPAIGN("n", ",\"reward\":{\"range\":[-10,10],\"wait\":10,\"combine\":\"sum\"}"), 0);
    static const struct {
        double reward;
        bool clipped;
    } sent[] = {{7, false}, {7, true}, {-5, false}, {10, true}};
    service_error err;
    service_status status;
    uint64_t records;
    size_t items;
    decided(self, c, "a", 0, AT(1));
    for (size_t i = 0; i < 4; i++) {
        bool clipped;
        assert_done(service_reward_once(self, c, "a", 1, NULL, 0, sent[i].reward, AT(2), &status, &clipped, &err),
                    &err);
        assert_int_equal(status, SERVICE_JOINED);
        assert_int_equal(clipped, sent[i].clipped);
    }
    common_text text = {0};
    assert_done(
        service_reward_json(self, c, "{\"event_id\":\"a\",\"reward\":1}", 27, AT(2), &text, &items, &status, &err),
        &err);
    assert_string_equal(text.data, "{\"event_id\":\"a\",\"status\":\"joined\",\"clipped\":true}");
    assert_int_equal(counted(self, c).clipped, 3);
    common_text_clear(&text);
    assert_done(service_campaign_json(self, c, &text, &err), &err);
    assert_non_null(strstr(text.data, "\"clipped\":3,\"forgotten\":0"));
    assert_done(service_tick(self, AT(12), &records, &err), &err);
    assert_true(counted(self, c).reward == 1);
    common_text_free(&text);
    service_free(self);
}

static void room_is_bounded(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c =
        created(self, SPEC_CAMPAIGN("r", ",\"reward\":{\"wait\":1000,\"default\":0,\"events_most\":3}"), 0);
    for (int i = 1; i <= 10; i++)
        decided(self, c, NULL, 0, AT(i));
    service_counts n = counted(self, c);
    assert_int_equal(n.open + n.remembered, 3);
    assert_int_equal(n.crowded, 7);
    assert_int_equal(n.defaulted, 7);
    assert_int_equal(rewarded(self, c, "#7", 1, AT(11)), SERVICE_LATE);
    assert_int_equal(rewarded(self, c, "#9", 1, AT(11)), SERVICE_JOINED);
    service_free(self);
}

/* Memory follows the events that are open or remembered, not those that ever were. */
static void memory_does_not_grow(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("m", ",\"reward\":{\"wait\":1,\"default\":0}"), 0);
    size_t after[2], size;
    for (int half = 0; half < 2; half++) {
        for (int64_t i = 1; i <= 20000; i++) {
            int64_t now = (20000 * half + i) * 10000;
            service_decision d = decided(self, c, NULL, (size_t)i % 2, now);
            if (i % 3 == 0)
                rewarded(self, c, d.id, 1, now);
            store_row row;
            service_commit_begin(self, now, &row);
            service_commit_end(self, true, NULL);
        }
        free(state_of(self, &size));
        after[half] = size;
        assert_true(counted(self, c).open + counted(self, c).remembered <= 201);
    }
    assert_int_equal(after[0], after[1]);
    assert_int_equal(service_pending_bytes(self), 0);
    service_free(self);
}

static void archived_campaigns_rest(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("old", ",\"reward\":{\"wait\":10,\"default\":1}"), 0);
    service_error err;
    service_decision d;
    service_status status;
    service_request q = {.number = 0};
    decided(self, c, "a", 0, AT(1));
    assert_done(service_campaign_archive(self, c, AT(2), &err), &err);
    assert_true(service_campaign_archived(c));
    assert_int_equal(counted(self, c).learnt, 1);
    assert_int_equal(counted(self, c).open, 0);
    assert_not(service_decide(self, c, &q, AT(3), &d, &err), &err, SERVICE_ARCHIVED,
               "campaign old is archived: it takes no more requests");
    assert_int_equal(service_reward(self, c, "a", 1, 1, AT(3), &status, &err), SERVICE_ARCHIVED);
    assert_int_equal(service_campaign_archive(self, c, AT(3), &err), SERVICE_ARCHIVED);
    assert_int_equal(service_next(self), INT64_MAX);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_end),
        cmocka_unit_test(the_clock_never_goes_back),
        cmocka_unit_test(defaults_are_learnt_at_close),
        cmocka_unit_test(rewards_combine),
        cmocka_unit_test(named_rewards_count_once),
        cmocka_unit_test(sums_are_clipped),
        cmocka_unit_test(room_is_bounded),
        cmocka_unit_test(memory_does_not_grow),
        cmocka_unit_test(archived_campaigns_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
