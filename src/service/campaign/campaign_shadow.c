/*
 * campaign_shadow.c: a campaign that watches and decides nothing: what its experts would have earned in the place of
 * production, and which of them its agent would have chosen.
 *
 *   q        the probability with which production took the action: given, or that of the expert that served
 *   experts  the campaign's N and production itself, as number N, known by their probabilities of the action taken
 *   learnt   an observation with q > 0 and its reward: weights pi_i / q, as if "production" had acted
 *
 * Paper: none.
 *
 * Evidence and agent of the watch are the library's for experts that the caller evaluates (SPEC's intervals with
 * production's propensity; agent `mixture`), so that one form serves campaigns of all kinds. Who would have been chosen
 * is the expert with the largest index before the observation. Where it is known which expert served, the campaign's
 * own agent and evidence learn the observation too, and go on from there when the campaign goes live.
 *
 * Cost: O(N) per observation, for features O(N V); memory 64 N (N + 2) bytes, and 8 (N + 3) for each of the last
 *       SAMPLES observations.
 * Check: tests/unit/test_service_shadow.c.
 */
#include "campaign_shadow.h"

#include "json_member.h"

#include <stdlib.h>
#include <string.h>

static const double SAMPLES = 10000; /* that the watching agent keeps in full */

/* What watches an episode. */
struct service_watch {
    roster_experts *experts; /* owned, as are the next two */
    roster_evidence *evidence;
    roster_agent *agent;
    uint64_t *would;           /* owned, [n]: observations in which each would have been chosen */
    double *pi;                /* owned, [n + 1], for one call                                  */
    uint64_t observed, unused; /* unused: without a propensity                                   */
};

void service_watch_free(service_watch *self)
{
    if (self == NULL)
        return;
    roster_agent_free(self->agent);
    roster_evidence_free(self->evidence);
    roster_experts_free(self->experts);
    free(self->would);
    free(self->pi);
    free(self);
}

static int fill(service_watch *self, const service_campaign *c, uint32_t episode, roster_error *err)
{
    const roster_setting settings[] = {{"memory", SAMPLES, NULL}, {NULL, 0, NULL}};
    int code = roster_experts_external(&self->experts, c->n + 1, 0, 1, NULL, NULL, err);
    roster_problem problem = {self->experts, NULL, NULL};
    if (code == ROSTER_OK)
        code = roster_evidence_create(&self->evidence, self->experts, c->level, err);
    if (code == ROSTER_OK)
        code = roster_agent_create(&self->agent, "mixture", &problem, settings, c->draws, episode, err);
    return code;
}

service_code service_watch_make(const service_campaign *c, uint32_t episode, service_watch **out, service_error *err)
{
    roster_error wrong = {0};
    service_watch *self = *out = calloc(1, sizeof *self);
    int code = self != NULL ? ROSTER_OK : ROSTER_ENOMEM;
    if (code == ROSTER_OK) {
        self->would = calloc(c->n, sizeof *self->would);
        self->pi = calloc(c->n + 1, sizeof *self->pi);
        code = self->would != NULL && self->pi != NULL ? fill(self, c, episode, &wrong) : ROSTER_ENOMEM;
    }
    if (code == ROSTER_OK)
        return SERVICE_OK;
    service_watch_free(self);
    *out = NULL;
    return code == ROSTER_ENOMEM ? service_no_memory(err) : service_pass(&wrong, SERVICE_INVALID, err);
}

uint32_t service_watch_choice(const service_watch *self, const service_campaign *c)
{
    uint32_t best = 0;
    roster_agent_index(self->agent, self->pi);
    for (uint32_t k = 1; k < c->n; k++)
        best = self->pi[k] > self->pi[best] ? k : best;
    return best;
}

void service_watch_count(service_watch *self, uint32_t would, bool usable)
{
    self->would[would]++;
    self->observed++;
    self->unused += !usable;
}

uint64_t service_watch_bytes(const service_watch *self, const service_campaign *c)
{
    uint64_t n = c->n, kept = self != NULL ? roster_agent_rounds(self->agent) : 0;
    kept = kept < (uint64_t)SAMPLES ? kept : (uint64_t)SAMPLES;
    return self != NULL ? 64 * n * 4 + 8 * (n + 3) * kept : 0;
}

double *service_watch_room(service_watch *self)
{
    return self->pi;
}

int service_watch_prepare(service_watch *self, const service_campaign *c, roster_error *err)
{
    int code = roster_agent_reserve(self->agent, 1, err);
    return code == ROSTER_OK ? roster_evidence_prepare(self->evidence, c->n, err) : code;
}

int service_watch_learn(service_watch *self, const service_campaign *c, double q, double reward, roster_error *err)
{
    roster_event event = {.expert = c->n, .reward = reward, .propensity = q, .probabilities = self->pi};
    self->pi[c->n] = q;
    int code = roster_agent_learn(self->agent, &event, err);
    return code == ROSTER_OK ? roster_evidence_learn(self->evidence, &event, err) : code;
}

int service_read_mode(const service_campaign *c, const common_node *at, bool *shadow, roster_error *err)
{
    const char *word;
    *shadow = false;
    int code = common_word(at, &word, err);
    if (code != ROSTER_OK)
        return code;
    *shadow = strcmp(word, "shadow") == 0;
    if (!*shadow && strcmp(word, "live") != 0)
        return common_fail_at(at, err, "is \"%.40s\", must be \"live\" or \"shadow\"", word);
    if (*shadow && c->n > SERVICE_SHADOW_EXPERTS)
        return common_fail_at(at, err, "is shadow, which is for at most %d experts", SERVICE_SHADOW_EXPERTS);
    return ROSTER_OK;
}

service_code service_watch_fit(const service_campaign *c, service_episode_state *e, service_error *err)
{
    if (c->shadow && e->shadow == NULL)
        return service_watch_make(c, e->number, &e->shadow, err);
    if (!c->shadow) {
        service_watch_free(e->shadow);
        e->shadow = NULL;
    }
    return SERVICE_OK;
}

/* ---- as JSON ---- */

static void put_value(common_text *out, const service_watch *self, size_t i, roster_finding *found)
{
    *found = (roster_finding){.value = {NAN, NAN, NAN}};
    if (roster_evidence_rounds(self->evidence) > 0)
        roster_evidence_find(self->evidence, i, found);
    json_member_number(out, "value", found->value.value);
    json_member_number(out, "low", found->value.low);
    json_member_number(out, "high", found->value.high);
}

void service_watch_json(const service_campaign *c, const service_watch *self, common_text *out)
{
    roster_finding found;
    json_member_key(out, "shadow");
    if (self == NULL) {
        common_put_text(out, "null");
        return;
    }
    common_put_text(out, "{");
    json_member_count(out, "observed", self->observed);
    json_member_count(out, "unusable", self->unused);
    json_member_count(out, "rounds", roster_evidence_rounds(self->evidence));
    json_member_open(out, "production", '{');
    put_value(out, self, c->n, &found);
    common_put_text(out, "}");
    json_member_open(out, "experts", '[');
    for (size_t k = 0; k < c->n; k++) {
        json_member_open(out, NULL, '{');
        json_member_key(out, "name");
        common_put_text(out, c->experts_names.quoted[k]);
        put_value(out, self, k, &found);
        json_member_truth(out, "excluded", found.excluded);
        json_member_count(out, "would_choose", self->would[k]);
        common_put_text(out, "}");
    }
    common_put_text(out, "]}");
}

/* ---- in snapshots ---- */

static size_t save_agent(const service_watch *self, void *buf, size_t size)
{
    return roster_agent_save(self->agent, buf, size);
}

static size_t save_evidence(const service_watch *self, void *buf, size_t size)
{
    return roster_evidence_save(self->evidence, buf, size);
}

static void put_part(codec *c, const service_watch *self, size_t (*save)(const service_watch *, void *, size_t))
{
    uint64_t n = save(self, NULL, 0);
    u64(c, &n);
    if (!c->failed && !service_bytes_reserve(c->out, (size_t)n))
        c->failed = c->memory = true;
    if (c->failed)
        return;
    save(self, c->out->data + c->out->used, (size_t)n);
    c->out->used += (size_t)n;
}

static void get_part(codec *c, service_watch *self, bool agent)
{
    uint64_t n = 0;
    roster_error wrong = {0};
    u64(c, &n);
    if (c->failed || !claim(c, (size_t)n))
        return;
    int code = agent ? roster_agent_load(self->agent, c->in, (size_t)n, &wrong)
                     : roster_evidence_load(self->evidence, c->in, (size_t)n, &wrong);
    c->failed |= code != ROSTER_OK;
    c->memory |= code == ROSTER_ENOMEM;
    c->in += n;
}

void service_snapshot_watch(codec *c, const service_campaign *k, uint32_t episode, service_watch **at)
{
    bool has = *at != NULL;
    service_error err;
    flag(c, &has);
    if (!has || c->failed)
        return;
    if (!writes(c)) {
        service_code code = service_watch_make(k, episode, at, &err);
        c->failed |= code != SERVICE_OK;
        c->memory |= code == SERVICE_MEMORY;
    }
    if (c->failed)
        return;
    service_watch *self = *at;
    u64(c, &self->observed);
    u64(c, &self->unused);
    u64s(c, self->would, k->n);
    if (writes(c)) {
        put_part(c, self, save_agent);
        put_part(c, self, save_evidence);
    } else {
        get_part(c, self, true);
        get_part(c, self, false);
    }
}
