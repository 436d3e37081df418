/*
 * campaign_evidence.c: what a campaign's events say about its experts: intervals that hold at every time, and whether
 * the reward depends on who acts.
 *
 *   value, low, high   of the mean reward, had the expert made every decision of the episode; the intervals of all
 *                      experts hold at all times with the probability `level`
 *   excluded           it is not the best; the best is ever excluded with a probability of at most 1 - level
 *   leader             the largest value of those not excluded; known: all others are excluded
 *   lost               sum over experts of decisions x (value of the leader - its value)
 *
 * Paper: none.
 *
 * The evidence learns exactly what the episode's agent learns. Of an event the probability of its action given the
 * expert that was chosen is known, and that is enough, however the expert came to be chosen.
 *
 * Every expert whose events it learns takes 64 N bytes. Where that would be more than EVIDENCE_BYTES, events of further
 * experts are passed over: which ones is known before they act, so that the intervals hold all the same. An event takes
 * 150 to 200 nanoseconds per expert: with more than EVIDENCE_EXPERTS nobody should wait for it, and there is none.
 *
 * All of that takes it that the reward depends on context and action, not on who acts. That is tested. Where an expert
 * fails the test, its agent judges it by its own plays, if it can, and all values are from own decisions alone.
 *
 * Experts that are estimates act here by their tables, so that these are known to the evidence, if not to the agent.
 * Where one was never seen in some context, it has no value, and there is no evidence.
 *
 * Cost: O(N) per event and per look.
 * Check: tests/unit/test_service_evidence.c.
 */
#include "json_member.h"
#include "service_internal.h"

#include <stdlib.h>

enum { EVIDENCE_EXPERTS = 10000, EVIDENCE_BYTES = 64 << 20, COLUMN = 64 };
enum { MODEL_CELLS = 50000 };           /* experts x contexts x actions: a look at all takes some milliseconds */
enum { CELL = 24, WATCHED = 450 };      /* bytes of a cell: of one expert in model test and past, of the alarms */
enum { PAST_CELLS = 1 << 21 };          /* experts x contexts x actions up to which evidence keeps the past      */
static const double MODEL_DELTA = 1e-3; /* of ever doubting an expert wrongly, at most */

/* An object that the experts do not allow is none. */
static int unless_refused(int code)
{
    return code == ROSTER_ENOMEM ? code : ROSTER_OK;
}

/* Estimates as the tables by which they act. */
static int take_tables(const service_campaign *c, service_episode_state *e, roster_error *err)
{
    size_t cells = c->x * c->v;
    double *pi = calloc(c->n * cells, sizeof *pi);
    if (pi == NULL)
        return common_fail_memory(err);
    for (size_t i = 0; i < c->n * cells; i++)
        pi[i] = roster_experts_probability(e->made, i / cells, i % cells / c->v, i % c->v);
    int code = roster_experts_tables(&e->acting, c->n, c->x, c->v, pi, c->experts_names.table.names, err);
    free(pi);
    return unless_refused(code);
}

int service_evidence_make(const service_campaign *c, service_episode_state *e, roster_error *err)
{
    int code = e->made != NULL ? take_tables(c, e, err) : ROSTER_OK;
    const roster_experts *experts = e->made != NULL ? e->acting : e->experts;
    if (code == ROSTER_OK && c->n <= EVIDENCE_EXPERTS && experts != NULL)
        code = unless_refused(roster_evidence_create(&e->evidence, experts, c->level, err));
    if (code == ROSTER_OK && c->kind == ROSTER_TABLES && c->n * c->x * c->v <= MODEL_CELLS && experts != NULL)
        code = unless_refused(roster_model_test_create(&e->model, experts, MODEL_DELTA, err));
    if (code == ROSTER_OK && e->model != NULL && e->evidence != NULL)
        code = roster_evidence_create_own(&e->own, experts, c->level, err);
    return code == ROSTER_OK ? service_alarm_make(c, e, err) : code;
}

void service_evidence_free(service_episode_state *e)
{
    roster_evidence_free(e->evidence);
    roster_evidence_free(e->own);
    roster_model_test_free(e->model);
    roster_alarms_free(e->watch);
    roster_experts_free(e->acting);
}

/* Whether events of the expert are learnt. */
static bool takes(const service_campaign *c, const service_episode_state *e, size_t k)
{
    return e->evidence != NULL &&
           (roster_evidence_plays(e->evidence, k) > 0 || (e->witnesses + 1) * COLUMN * c->n <= EVIDENCE_BYTES);
}

int service_evidence_prepare(const service_campaign *c, service_episode_state *e, size_t k, roster_error *err)
{
    int code = takes(c, e, k) ? roster_evidence_prepare(e->evidence, k, err) : ROSTER_OK;
    if (code == ROSTER_OK && e->own != NULL)
        code = roster_evidence_prepare(e->own, k, err);
    return code == ROSTER_OK && e->model != NULL ? roster_model_test_prepare(e->model, k, err) : code;
}

void service_evidence_doubt(const service_campaign *c, service_episode_state *e)
{
    roster_verdict verdict;
    e->suspects = 0;
    for (size_t k = 0; k < c->n; k++) {
        roster_model_test_verdict(e->model, k, &verdict);
        if (verdict.rejected == 0)
            continue;
        e->suspects++;
        roster_agent_stand_alone(e->agent, k);
    }
}

int service_evidence_learn(const service_campaign *c, service_episode_state *e, const roster_event *event,
                           roster_error *err)
{
    bool rejects = false;
    int code = ROSTER_OK;
    if (takes(c, e, event->expert)) {
        e->witnesses += roster_evidence_plays(e->evidence, event->expert) == 0;
        code = roster_evidence_learn(e->evidence, event, err);
    }
    if (code == ROSTER_OK && e->own != NULL)
        code = roster_evidence_learn(e->own, event, err);
    if (code == ROSTER_OK && e->model != NULL)
        code = roster_model_test_learn(e->model, event, &rejects, err);
    if (rejects)
        service_evidence_doubt(c, e);
    return code == ROSTER_OK ? service_alarm_learn(c, e, event, err) : code;
}

void service_evidence_count(const service_campaign *c, service_episode_state *e)
{
    e->witnesses = 0;
    for (size_t k = 0; e->evidence != NULL && k < c->n; k++)
        e->witnesses += roster_evidence_plays(e->evidence, k) > 0;
    e->suspects = 0;
    for (size_t k = 0; e->model != NULL && k < c->n; k++) {
        roster_verdict verdict;
        roster_model_test_verdict(e->model, k, &verdict);
        e->suspects += verdict.rejected > 0;
    }
}

/* What is told: from own decisions alone once who acts makes a difference. NULL: nothing is known. */
static const roster_evidence *told_by(const service_episode_state *e)
{
    const roster_evidence *evidence = e->suspects > 0 && e->own != NULL ? e->own : e->evidence;
    return evidence != NULL && roster_evidence_rounds(evidence) > 0 ? evidence : NULL;
}

uint64_t service_evidence_bytes(const service_campaign *c, const service_episode_state *e)
{
    uint64_t cells = (uint64_t)c->x * c->v, columns = (e->witnesses + 2) * COLUMN * c->n;
    bool past = c->kind == ROSTER_TABLES && cells * c->n <= PAST_CELLS;
    return (e->evidence != NULL ? columns + (past ? e->witnesses * cells * CELL : 0) : 0) +
           (e->own != NULL ? columns : 0) + (e->model != NULL ? cells * CELL * c->n : 0) +
           (e->watch != NULL ? cells * WATCHED : 0);
}

uint64_t service_evidence_cost(const service_episode_state *e, size_t n)
{
    return e->evidence != NULL ? 200 * (uint64_t)n : 0;
}

void service_evidence_fill(const service_episode_state *e, size_t k, service_closed *to)
{
    roster_finding found;
    to->value = to->low = to->high = to->worse = NAN;
    to->excluded = false;
    to->from_past = 0;
    if (told_by(e) == NULL)
        return;
    roster_evidence_find(told_by(e), k, &found);
    to->value = found.value.value;
    to->low = found.value.low;
    to->high = found.value.high;
    to->worse = found.excluded ? found.worse : NAN;
    to->excluded = found.excluded;
    to->from_past = found.from_past;
}

/* A copy that has learnt the same. */
static int copy_of(const service_campaign *c, const roster_evidence *from, bool own, roster_evidence **out,
                   roster_error *err)
{
    const roster_experts *experts = roster_evidence_experts(from);
    size_t size = roster_evidence_save(from, NULL, 0);
    void *bytes = malloc(size);
    int code = bytes == NULL ? common_fail_memory(err)
               : own         ? roster_evidence_create_own(out, experts, c->level, err)
                             : roster_evidence_create(out, experts, c->level, err);
    if (code == ROSTER_OK) {
        roster_evidence_save(from, bytes, size);
        code = roster_evidence_load(*out, bytes, size, err);
    }
    free(bytes);
    return code;
}

int service_evidence_try(const service_campaign *c, const roster_experts *list, common_text *out, roster_error *err)
{
    const service_episode_state *e = service_present(c);
    const roster_evidence *told = told_by(e);
    size_t last = roster_experts_count(list) - 1;
    roster_evidence *copy = NULL;
    roster_finding found = {.value = {NAN, NAN, NAN}};
    int code = told != NULL ? copy_of(c, told, told == e->own, &copy, err) : ROSTER_OK;
    if (code == ROSTER_OK && copy != NULL)
        code = roster_evidence_set_experts(copy, list, err);
    if (code == ROSTER_OK && copy != NULL)
        roster_evidence_find(copy, last, &found);
    roster_evidence_free(copy);
    json_member_open(out, NULL, '{');
    json_member_text(out, "name", roster_experts_name(list, last));
    json_member_number(out, "value", found.value.value);
    json_member_number(out, "low", found.value.low);
    json_member_number(out, "high", found.value.high);
    json_member_count(out, "from_past", found.from_past);
    json_member_truth(out, "excluded", found.excluded);
    json_member_number(out, "level", c->level);
    common_put_text(out, "}");
    return code;
}

const char *service_expert(const service_campaign *c, size_t k, size_t most, double figures[3])
{
    service_closed of;
    if (c->archived || c->n > most || k >= c->n || told_by(service_present(c)) == NULL)
        return NULL;
    service_evidence_fill(service_present(c), k, &of);
    figures[0] = of.value;
    figures[1] = of.low;
    figures[2] = of.high;
    return c->experts_names.table.names[k];
}

/* The largest value of those not excluded. */
static size_t leader_of(const service_closed *figures, size_t n)
{
    size_t leader = n;
    for (size_t k = 0; k < n; k++)
        if (!figures[k].excluded && !figures[k].retired && !isnan(figures[k].value) &&
            (leader == n || figures[k].value > figures[leader].value))
            leader = k;
    return leader;
}

static void compare(service_known *out, const service_closed *figures, size_t n)
{
    const service_closed *leader = &figures[out->leader];
    out->known = true;
    out->lost = 0;
    for (size_t k = 0; k < n; k++) {
        if (k == out->leader)
            continue;
        double ahead = leader->value - figures[k].value;
        if (!figures[k].retired) {
            out->known = out->known && figures[k].excluded;
            out->margin = isnan(out->margin) || ahead < out->margin ? ahead : out->margin;
        }
        out->lost += (double)figures[k].plays * ahead;
    }
}

service_known service_know(const service_campaign *c, const service_closed *figures)
{
    service_known out = {.leader = leader_of(figures, c->n), .margin = NAN, .lost = NAN};
    out.left_low = out.left_high = INFINITY;
    if (out.leader == c->n)
        return out;
    compare(&out, figures, c->n);
    if (c->freed)
        return out;
    roster_interval left = roster_evidence_until_known(told_by(service_present(c)));
    out.left_low = left.low;
    out.left_high = isnan(left.high) ? INFINITY : left.high;
    return out;
}

/* ---- does the reward depend on who acts ---- */

static void put_suspects(common_text *out, const service_campaign *c, const roster_model_test *test, size_t *first)
{
    roster_verdict verdict;
    *first = c->n;
    json_member_open(out, "suspects", '[');
    for (size_t k = 0; test != NULL && k < c->n; k++) {
        roster_model_test_verdict(test, k, &verdict);
        if (verdict.rejected == 0)
            continue;
        *first = *first < c->n ? *first : k;
        json_member_key(out, NULL);
        common_put_text(out, c->experts_names.quoted[k]);
    }
    common_put_text(out, "]");
}

void service_model_json(const service_campaign *c, common_text *out)
{
    char sentence[480] = "So far the reward does not depend on who acts, only on context and action.";
    const roster_model_test *test = c->freed ? NULL : service_present(c)->model;
    size_t first;
    json_member_open(out, "model", '{');
    put_suspects(out, c, test, &first);
    if (first < c->n)
        roster_model_test_sentence(test, first, sentence, sizeof sentence);
    if (test != NULL && roster_model_test_rounds(test) > 0)
        json_member_text(out, "sentence", sentence);
    else
        json_member_number(out, "sentence", NAN);
    common_put_text(out, "}");
}

uint64_t service_evidence_rounds(const service_campaign *c)
{
    const roster_evidence *evidence = c->freed ? NULL : service_present(c)->evidence;
    return evidence != NULL ? roster_evidence_rounds(evidence) : 0;
}
