/*
 * test_service_choose.c: which expert decides: while rewards are late, under caps, and in campaigns that look alike.
 */
#include "service_internal.h"
#include "service_traffic.h"

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

/* Who is drawn by the rule of event_choose.c, written down literally. */
static size_t literal_draw(const service_campaign *c, double *u, double number, service_how *how)
{
    double left = 1, bound = INFINITY;
    size_t first = c->n;
    for (size_t i = 0; i < c->n; i++)
        u[i] = fmin(u[i], 1e301);
    while (true) {
        double high = -INFINITY, level = 0, before = -1;
        for (size_t i = 0; i < c->n; i++)
            high = u[i] < bound ? fmax(high, u[i]) : high;
        double low = high - 1e-12 * (1 + fabs(high));
        if (high == -INFINITY)
            break;
        while (level > before) {
            double taken = 0, free = 0;
            before = level;
            for (size_t i = 0; i < c->n; i++) {
                bool tied = u[i] >= low && u[i] <= high;
                taken += tied && c->caps[i] <= level ? c->caps[i] : 0;
                free += tied && c->caps[i] > level;
            }
            level = free > 0 ? (left - taken) / free : level;
        }
        for (size_t i = 0; i < c->n; i++)
            if (u[i] >= low && u[i] <= high) {
                double part = fmin(c->caps[i], level);
                first = first < c->n ? first : i;
                *how = u[first] <= high ? SERVICE_AGENT : SERVICE_CAPPED;
                if (number < part)
                    return i;
                number -= part;
                left -= part;
            }
        bound = low;
    }
    *how = SERVICE_AGENT;
    return first;
}

/* A campaign of n experts, with caps from `cap` / n to twice that if they vary; seconds of a decision. */
static double draw_many(size_t n, double cap, bool varied, bool checked)
{
    service *self = fresh();
    common_text text = {0}, caps = {0};
    char word[100];
    common_put_text(&text,
                    "{\"name\":\"c\",\"contexts\":[\"x\"],\"actions\":2,\"agent\":\"ucb\",\"seed\":1,\"experts\":[");
    common_put_text(&caps, "{\"cap\":{");
    for (size_t k = 0; k < n; k++) {
        double share = cap / (double)n * (varied ? 1 + (double)(k * 7 % 11) / 11 : 1);
        snprintf(word, sizeof word, "%s{\"name\":\"e%zu\",\"table\":[[0.5,0.5]]}", k > 0 ? "," : "", k);
        common_put_text(&text, word);
        snprintf(word, sizeof word, "%s\"e%zu\":%.17g", k > 0 ? "," : "", k, share);
        common_put_text(&caps, word);
    }
    common_put_text(&text, "]}");
    common_put_text(&caps, "}}");
    service_campaign *c = created(self, text.data, 0);
    double *u = malloc(n * sizeof *u), begun = 0;
    for (size_t i = 0; i < 4 * n; i++) { /* sums of the same rewards in another order, near ties; or no ties at all */
        service_decision d = decided(self, c, NULL, 0, SECOND);
        double near = 0.1 * (double)(1 + (i / n + i % 3) % 3), apart = (double)(i * 7919 % 100003) / 100003;
        rewarded(self, c, d.id, checked ? near : apart, SECOND);
    }
    service_error err;
    assert_done(service_control_json(self, c, caps.data, caps.used, SECOND, &err), &err);
    enum { DRAWS = 50 };
    for (int i = 0; i < 2 * DRAWS; i++) {
        service_uniforms uniforms = {.expert = (i + .5) / (2 * DRAWS), .action = .5};
        service_choice choice = {0};
        service_how how = SERVICE_PINNED;
        begun = i == DRAWS ? thread_seconds() : begun;
        assert_done(service_choose(c, service_present(c), uniforms, &choice, &err), &err);
        if (!checked)
            continue;
        roster_agent_index_waiting(service_present(c)->agent, service_present(c)->waiting, u);
        assert_int_equal(choice.expert, literal_draw(c, u, uniforms.expert, &how));
        assert_int_equal(choice.how, how);
        if (i % 3 == 0)
            decided(self, c, NULL, 0, SECOND);
    }
    double seconds = (thread_seconds() - begun) / DRAWS;
    free(u);
    common_text_free(&text);
    common_text_free(&caps);
    service_free(self);
    return seconds;
}

/* Draws under many caps are those of the rule. */
static void caps_of_many(void **state)
{
    (void)state;
    static const double caps[] = {1 + 1e-9, 1.001, 1.5, 5, 100};
    for (size_t i = 0; i < sizeof caps / sizeof *caps; i++)
        for (int varied = 0; varied < 2; varied++) {
            draw_many(7, fmin(caps[i], 3), varied, true);
            draw_many(200, caps[i], varied, true);
        }
}

/* Four times as many experts take about four times as long, not sixteen times. */
static void caps_cost_little(void **state)
{
    (void)state;
    double few = draw_many(500, 1.001, true, false), many = draw_many(2000, 1.001, true, false);
    if (many > 9 * few)
        fail_msg("a decision among 2000 takes %g s, among 500 %g s", many, few);
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

/* Every expert keeps its share of the decisions, with and without caps, but never more than its cap. */
static void shares_are_kept(void **state)
{
    (void)state;
    static const char *const caps[] = {"{\"cap\":{\"p\":null}}", "{\"cap\":{\"p\":0.5,\"q\":0.02}}"};
    static const double least[2][3] = {{0.08, 0.08, 0.08}, {0.08, 0.01, 0.08}};
    static const double most[2][3] = {{0.85, 0.85, 0.85}, {0.53, 0.03, 0.85}};
    enum { N = 4000 };
    for (int i = 0; i < 2; i++) {
        service *self = fresh();
        service_error err;
        double plays[3] = {0};
        service_campaign *c = created(self,
                                      "{\"name\":\"v\"," TRAFFIC_EXPERTS ",\"agent\":{\"agent\":\"direct\","
                                      "\"verify\":0.1},\"seed\":1}",
                                      0);
        assert_done(service_control_json(self, c, caps[i], strlen(caps[i]), 0, &err), &err);
        for (int j = 0; j < N; j++) {
            service_decision d = decided(self, c, NULL, (size_t)j % 2, j);
            rewarded(self, c, d.id, d.action == 0, j);
            plays[d.expert] += 1.0 / N;
        }
        for (size_t k = 0; k < 3; k++)
            assert_true(plays[k] > least[i][k] && plays[k] < most[i][k]);
        service_free(self);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_rewards),         cmocka_unit_test(caps_are_drawn),
        cmocka_unit_test(the_leader_is_capped), cmocka_unit_test(caps_of_many),
        cmocka_unit_test(caps_cost_little),     cmocka_unit_test(names_are_part_of_the_key),
        cmocka_unit_test(shares_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
