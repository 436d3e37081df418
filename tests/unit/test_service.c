/*
 * test_service.c: the engine's first steps: a campaign decides, rewards join, ids repeat.
 */
#include "service_support.h"

static void a_campaign_decides(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("shop", ""), SECOND);
    service_decision d = decided(self, c, NULL, 0, 2 * SECOND);
    assert_string_equal(d.id, "#1");
    assert_int_equal(d.episode, 0);
    assert_true(d.propensity > 0 && d.propensity <= 1);
    assert_int_equal(rewarded(self, c, "#1", 1, 3 * SECOND), SERVICE_JOINED);
    assert_int_equal(rewarded(self, c, "#1", 1, 3 * SECOND), SERVICE_DUPLICATE);
    assert_int_equal(rewarded(self, c, "#2", 1, 3 * SECOND), SERVICE_UNKNOWN);
    service_counts n = counted(self, c);
    assert_int_equal(n.decisions, 1);
    assert_int_equal(n.learnt, 1);
    assert_int_equal(n.open, 0);
    assert_int_equal(n.remembered, 1);
    service_free(self);
}

static void ids_are_idempotent(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, SPEC_CAMPAIGN("shop", ""), 0);
    service_decision first = decided(self, c, "order-1", 1, 0), again = decided(self, c, "order-1", 1, SECOND);
    service_request q = {.id = "order-1", .id_size = 7, .number = 0};
    service_error err;
    assert_true(again.repeated && !first.repeated);
    assert_int_equal(again.expert, first.expert);
    assert_int_equal(again.action, first.action);
    assert_true(again.propensity == first.propensity);
    assert_int_equal(service_pending(self), 2);
    assert_not(service_decide(self, c, &q, SECOND, &again, &err), &err, SERVICE_CONFLICT,
               "event_id order-1 was decided with another context before");
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_campaign_decides),
        cmocka_unit_test(ids_are_idempotent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
