/*
 * test_service_choose.c: which expert decides: while rewards are late, under caps, and in campaigns that look alike.
 */
#include "service_support.h"

enum { EXPERTS = 5, LATE = 1000, DECISIONS = 4000 };

/* Five experts, each with an action of its own, so that nobody learns from another. */
#define STRANGERS                                                                                                      \
    "\"contexts\":[\"c0\",\"c1\"],\"actions\":5,\"experts\":["                                                         \
    "{\"name\":\"e0\",\"table\":[[1,0,0,0,0],[1,0,0,0,0]]},{\"name\":\"e1\",\"table\":[[0,1,0,0,0],[0,1,0,0,0]]},"     \
    "{\"name\":\"e2\",\"table\":[[0,0,1,0,0],[0,0,1,0,0]]},{\"name\":\"e3\",\"table\":[[0,0,0,1,0],[0,0,0,1,0]]},"     \
    "{\"name\":\"e4\",\"table\":[[0,0,0,0,1],[0,0,0,0,1]]}]"

typedef struct shares {
    unsigned plays[EXPERTS][2], total; /* by context */
} shares;

static unsigned of(const shares *s, size_t k)
{
    return s->plays[k][0] + s->plays[k][1];
}

/* Decisions with alternating contexts, whose rewards, 0.5, come so many decisions late. */
static shares play(service *self, service_campaign *c, size_t late, int64_t *now)
{
    static char ids[DECISIONS][24];
    shares s = {0};
    for (size_t i = 0; i < DECISIONS; i++) {
        *now += 1000;
        service_decision d = decided(self, c, NULL, i % 2, *now);
        strcpy(ids[i], d.id);
        s.plays[d.expert][i % 2]++;
        s.total++;
        if (i >= late)
            assert_int_equal(rewarded(self, c, ids[i - late], 0.5, *now), SERVICE_JOINED);
    }
    return s;
}

static void audited(store *log, service *self, int64_t now)
{
    service_error err;
    service_audited found;
    assert_done(service_commit(self, log, now, &err), &err);
    assert_done(service_audit(log, NULL, &found, &err), &err);
    assert_int_equal(found.records, service_last(self));
}

/* With rewards a thousand decisions late every expert gets its share, and the audit finds the same. */
static void late_rewards(void **state)
{
    (void)state;
    static const char *const agents[] = {"\"uniform\"", "\"ucb\"", "\"kl-ucb\"",
                                         "{\"agent\":\"d-ucb\",\"support\":\"shared\"}",
                                         "{\"agent\":\"d-ucb-lite\",\"support\":\"shared\"}"};
    log_directory directory;
    store *log = log_begin(&directory);
    service *self = fresh();
    int64_t now = SECOND;
    for (size_t a = 0; a < 5; a++) {
        char text[1000];
        snprintf(text, sizeof text, "{\"name\":\"c%zu\",\"agent\":%s,\"seed\":1," STRANGERS "}", a, agents[a]);
        shares s = play(self, created(self, text, now), LATE, &now);
        for (size_t k = 0; k < EXPERTS; k++) /* d-ucb learns which are worth the same, and then stays with one */
            if (of(&s, k) < (a < 3 ? DECISIONS / EXPERTS * 4 / 5 : LATE / EXPERTS))
                fail_msg("%s gave expert %zu %u of %u", agents[a], k, of(&s, k), s.total);
    }
    audited(log, self, now);
    service_free(self);
    log_end(log, &directory);
}

static void cap(service *self, service_campaign *c, const char *json, int64_t now)
{
    service_error err;
    assert_done(service_control_json(self, c, json, strlen(json), now, &err), &err);
}

static void assert_share(const shares *s, size_t k, double share)
{
    for (size_t x = 0; x < 2; x++) {
        double got = (double)s->plays[k][x] / (DECISIONS / 2);
        if (got < share - 0.05 || got > share + 0.05)
            fail_msg("expert %zu has a share of %g in context %zu, expected %g", k, got, x, share);
    }
}

/* Shares are those of the caps, in each of two contexts that alternate. */
static void caps_are_drawn(void **state)
{
    (void)state;
    static const struct {
        const char *agent, *caps;
        double expected[EXPERTS];
    } cases[] = {
        {"\"uniform\"", "{\"cap\":{\"e0\":0.1,\"e1\":0.15}}", {0.1, 0.15, 0.25, 0.25, 0.25}},
        {"\"ucb\"", "{\"cap\":{\"e0\":0.1,\"e1\":0.15}}", {0.1, 0.15, 0.25, 0.25, 0.25}},
        {"\"kl-ucb\"", "{\"cap\":{\"e0\":0.5,\"e1\":0.5,\"e2\":0,\"e3\":0,\"e4\":0}}", {0.5, 0.5, 0, 0, 0}},
        {"{\"agent\":\"d-ucb\",\"support\":\"shared\"}",
         "{\"cap\":{\"e3\":0.05}}",
         {0.2375, 0.2375, 0.2375, 0.05, 0.2375}},
    };
    log_directory directory;
    store *log = log_begin(&directory);
    service *self = fresh();
    int64_t now = SECOND;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        snprintf(text, sizeof text, "{\"name\":\"c%zu\",\"agent\":%s,\"seed\":1," STRANGERS "}", i, cases[i].agent);
        service_campaign *c = created(self, text, now);
        cap(self, c, cases[i].caps, now);
        shares s = play(self, c, DECISIONS, &now);
        for (size_t k = 0; k < EXPERTS; k++)
            assert_share(&s, k, cases[i].expected[k]);
    }
    audited(log, self, now);
    service_free(self);
    log_end(log, &directory);
}

/* The best gets its cap in either context, the next best the rest, though nothing new is learnt. */
static void the_leader_is_capped(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c = created(self, "{\"name\":\"c\",\"agent\":\"ucb\",\"seed\":1," STRANGERS "}", 0);
    int64_t now = SECOND;
    for (int i = 0; i < 2000; i++) {
        service_decision d = decided(self, c, NULL, 0, now += 1000);
        rewarded(self, c, d.id, d.expert == 2 ? 1 : d.expert == 4 ? 0.5 : 0, now);
    }
    cap(self, c, "{\"cap\":{\"e2\":0.3}}", now);
    unsigned plays[EXPERTS][2] = {{0}}, how[SERVICE_FALLBACK + 1] = {0};
    for (size_t i = 0; i < 400; i++) {
        service_decision d = decided(self, c, NULL, i % 2, now += 1000);
        rewarded(self, c, d.id, d.expert == 2 ? 1 : d.expert == 4 ? 0.5 : 0, now);
        plays[d.expert][i % 2]++;
        how[d.how]++;
    }
    for (size_t x = 0; x < 2; x++) {
        assert_in_range(plays[2][x], 40, 80);
        assert_true(plays[4][x] > 80);
    }
    assert_int_equal(how[SERVICE_CAPPED] + how[SERVICE_AGENT], 400);
    assert_true(how[SERVICE_CAPPED] > 200);
    service_free(self);
}

static unsigned same_actions(service *self, service_campaign *a, service_campaign *b)
{
    unsigned same = 0;
    for (int i = 0; i < 200; i++) {
        char id[24];
        snprintf(id, sizeof id, i % 2 == 0 ? "order-%d" : "%d", i + 1);
        service_decision one = decided(self, a, id, 0, 0), two = decided(self, b, id, 0, 0);
        assert_int_equal(one.expert, two.expert);
        same += one.action == two.action;
    }
    return same;
}

/* Campaigns that differ in their names alone do not make the same decisions; with the same stream they do. */
static void names_are_part_of_the_key(void **state)
{
    (void)state;
    service *self = fresh();
    service_campaign *c[4] = {created(self, SPEC_CAMPAIGN("a", ""), 0), created(self, SPEC_CAMPAIGN("b", ""), 0),
                              created(self, SPEC_CAMPAIGN("c", ",\"stream\":\"s\""), 0),
                              created(self, SPEC_CAMPAIGN("d", ",\"stream\":\"s\""), 0)};
    service_error err;
    for (size_t i = 0; i < 4; i++)
        cap(self, c[i], "{\"pin\":\"e1\"}", 0);
    assert_in_range(same_actions(self, c[0], c[1]), 50, 100); /* 0.38 are alike by chance */
    assert_int_equal(same_actions(self, c[2], c[3]), 200);
    common_text text = {0};
    assert_done(service_campaign_json(self, c[0], &text, &err), &err);
    assert_non_null(strstr(text.data, "\"stream\":\"a\""));
    common_text_free(&text);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_rewards),
        cmocka_unit_test(caps_are_drawn),
        cmocka_unit_test(the_leader_is_capped),
        cmocka_unit_test(names_are_part_of_the_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
