/*
 * campaign_insight.c: a campaign as JSON: what it is, what happened, what is known.
 *
 * Paper: none.
 *
 * Of each expert: value, low, high and whether it is excluded, from the evidence (campaign_evidence.c); estimate, width
 * and index, by which the agent chooses and which are no statement about the expert's value.
 *
 * Cost: O(N).
 * Check: tests/unit/test_service_store.c: insight_tells; tests/unit/test_service_evidence.c.
 */
#include "json_member.h"
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE = 96 << 10 }; /* bytes, about: half a millisecond */

/* The text, as far as it depends on what may change: what is borrowed never does. */
struct service_telling {
    const service_campaign *campaign; /* borrowed */
    common_text head, tail;           /* owned: before the experts, and behind them */
    service_closed *figures;          /* owned, [n]; NULL: those of a freed campaign, which stay */
    double decisions;
    size_t n, next;       /* experts */
    size_t size, written; /* of the description */
};

static void put_expert(common_text *out, const char *name, const service_campaign *c, size_t k)
{
    json_member_key(out, name);
    common_put_text(out, k < c->n ? c->experts_names.quoted[k] : "null");
}

static void put_counters(common_text *out, const service_campaign *c)
{
    const service_counts *n = &c->counts;
    json_member_open(out, "counters", '{');
    json_member_count(out, "decisions", n->decisions);
    json_member_count(out, "repeated", n->repeated);
    for (unsigned how = 1; how <= SERVICE_FALLBACK; how++)
        json_member_count(out, service_how_word(how), n->how[how]);
    json_member_open(out, "rewards", '{');
    for (int i = 0; i < SERVICE_STATUSES; i++)
        json_member_count(out, service_status_word((service_status)i), n->rewards[i]);
    common_put_text(out, "}");
    json_member_count(out, "learnt", n->learnt);
    json_member_count(out, "defaulted", n->defaulted);
    json_member_count(out, "unlearnt", n->unlearnt);
    json_member_count(out, "crowded", n->crowded);
    json_member_count(out, "unacted", n->unacted);
    json_member_count(out, "observed", n->observed);
    json_member_count(out, "clipped", n->clipped);
    json_member_count(out, "forgotten", n->forgotten);
    json_member_count(out, "episodes", n->episodes);
    json_member_count(out, "alarms", n->alarms[0] + n->alarms[1]);
    json_member_count(out, "open", n->open);
    json_member_count(out, "remembered", c->table.end - c->table.tail - n->open);
    json_member_number(out, "reward", n->reward);
    common_put_text(out, "}");
}

/* The present episode, or the last one of an archived campaign. */
static service_past last_episode(const service_campaign *c)
{
    if (c->freed)
        return c->last;
    const service_episode_state *e = service_present(c);
    return service_episode_figures(e);
}

/* The agent at work, which auto chose. */
static const roster_agent_info *chosen_of(const service_campaign *c)
{
    const roster_agent *agent = c->freed ? NULL : service_present(c)->agent;
    const roster_agent_info *chosen = agent != NULL ? roster_agent_about(agent) : c->chosen;
    return chosen != NULL ? chosen : c->agent;
}

static void put_head(common_text *out, const service_campaign *c)
{
    common_put_text(out, "{");
    json_member_text(out, "name", c->name);
    json_member_truth(out, "archived", c->archived);
    json_member_text(out, "agent", c->agent->name);
    json_member_text(out, "chosen", chosen_of(c)->name);
    json_member_count(out, "episode", last_episode(c).number);
    put_counters(out, c);
}

void service_campaigns_part(const service *self, size_t from, size_t most, common_text *out)
{
    size_t end = most < self->n_campaigns - from ? from + most : self->n_campaigns;
    for (size_t i = from; i < end; i++) {
        common_put_text(out, i > 0 ? "," : "");
        put_head(out, self->campaigns[i]);
        json_member_count(out, "experts", self->campaigns[i]->n);
        common_put_text(out, "}");
    }
}

void service_campaigns_json(const service *self, common_text *out)
{
    common_put_text(out, "{\"campaigns\":[");
    service_campaigns_part(self, 0, self->n_campaigns, out);
    common_put_text(out, "]}");
}

static void put_retain(common_text *out, const service_retain *retain)
{
    json_member_key(out, "retain");
    if (retain->events == 0 && retain->time == 0) {
        common_put_text(out, "null");
        return;
    }
    common_put_text(out, "{");
    if (retain->events > 0)
        json_member_number(out, "events", (double)retain->events);
    else
        json_member_number(out, "days", (double)retain->time / (86400 * (double)SERVICE_MICRO));
    common_put_text(out, "}");
}

static void put_controls(common_text *out, const service_campaign *c)
{
    json_member_open(out, "controls", '{');
    json_member_text(out, "mode", c->shadow ? "shadow" : "live");
    json_member_truth(out, "learning", !c->paused);
    put_expert(out, "pin", c, c->pin);
    put_expert(out, "fallback", c, c->fall_back);
    json_member_open(out, "cap", '{');
    bool first = true;
    for (size_t k = 0; c->caps != NULL && k < c->n; k++)
        if (c->caps[k] < 1) {
            common_put_text(out, first ? "" : ",");
            common_put_text(out, c->experts_names.quoted[k]);
            common_put_text(out, ":");
            common_put_number(out, c->caps[k]);
            first = false;
        }
    common_put_text(out, "}");
    put_retain(out, &c->retain);
    common_put_text(out, "}");
}

static void put_episode(common_text *out, const service_past *p, bool agent)
{
    json_member_open(out, NULL, '{');
    json_member_count(out, "number", p->number);
    json_member_text(out, "reason", service_reason_word(p->reason));
    json_member_text(out, "context_probabilities", service_prior_word(p->prior));
    json_member_time(out, "at", p->at);
    json_member_count(out, "decisions", p->decisions);
    json_member_count(out, "learnt", p->learnt);
    json_member_number(out, "reward", p->reward);
    json_member_truth(out, "agent", agent);
    common_put_text(out, "}");
}

static void put_episodes(common_text *out, const service_campaign *c)
{
    uint32_t last = last_episode(c).number;
    uint32_t first = last >= SERVICE_EPISODES_KEPT ? last - SERVICE_EPISODES_KEPT + 1 : 0;
    json_member_open(out, "episodes", '[');
    for (uint32_t i = first; i <= last; i++) {
        const service_episode_state *e = service_episode_find(c, i);
        service_past p = i == last ? last_episode(c) : c->past[i % SERVICE_EPISODES_KEPT];
        if (e != NULL)
            p = service_episode_figures(e);
        put_episode(out, &p, e != NULL && e->agent != NULL);
    }
    common_put_text(out, "]");
}

static void put_figures(common_text *out, const service_telling *t, size_t k)
{
    const service_campaign *c = t->campaign;
    const service_closed *f = t->figures != NULL ? &t->figures[k] : &c->closed[k];
    common_put_text(out, k > 0 ? ",{" : "[{"); /* a piece may begin here */
    put_expert(out, "name", c, k);
    json_member_count(out, "plays", f->plays);
    json_member_number(out, "share", t->decisions > 0 ? (double)f->plays / t->decisions : 0);
    json_member_number(out, "value", f->value);
    json_member_number(out, "low", f->low);
    json_member_number(out, "high", f->high);
    json_member_number(out, "samples", f->insight.samples);
    json_member_truth(out, "excluded", f->excluded);
    json_member_number(out, "worse_by", f->worse);
    json_member_number(out, "estimate", f->insight.estimate);
    json_member_number(out, "width", f->insight.width);
    json_member_number(out, "index", f->index);
    json_member_number(out, "clipped", f->insight.clipped);
    common_put_text(out, "}");
}

static void put_left(common_text *out, const service_known *known)
{
    json_member_key(out, "rounds_left");
    if (!(known->left_high < INFINITY)) {
        common_put_text(out, "null");
        return;
    }
    common_put_text(out, "{");
    json_member_number(out, "low", known->left_low);
    json_member_number(out, "high", known->left_high);
    common_put_text(out, "}");
}

static void put_summary(common_text *out, const service_campaign *c, const service_known *known)
{
    common_put_text(out, "]");
    put_expert(out, "leader", c, known->leader);
    json_member_number(out, "margin", known->margin);
    json_member_truth(out, "known", known->known);
    put_left(out, known);
    json_member_number(out, "lost", known->lost);
}

/* What the agent takes for the probabilities of contexts: where it is told nothing, some learn them. */
static const char *contexts_word(const service_campaign *c, const service_past *episode)
{
    const roster_param *const *params = chosen_of(c)->params;
    for (size_t i = 0; params[i] != NULL && episode->prior == SERVICE_UNIFORM; i++)
        if (strcmp(params[i]->name, "contexts") == 0)
            return "learnt";
    return service_prior_word(episode->prior);
}

static void put_before(common_text *out, const service_campaign *c, const service_past *episode)
{
    put_head(out, c);
    json_member_text(out, "context_probabilities", contexts_word(c, episode));
    put_controls(out, c);
    json_member_count(out, "rounds", episode->learnt);
    json_member_count(out, "evidence_rounds", service_evidence_rounds(c));
    json_member_number(out, "level", c->level);
    json_member_key(out, "experts");
}

/* What the description that is told leaves out: it may have a million rows. */
static void put_warm(common_text *out, const warm_start *warm)
{
    if (warm->n == 0) {
        json_member_key(out, "warm_start");
        common_put_text(out, "null");
        return;
    }
    json_member_open(out, "warm_start", '{');
    json_member_count(out, "rows", warm->n);
    json_member_number(out, "discount", warm->discount);
    common_put_text(out, "}");
}

static void put_behind(common_text *out, const service_campaign *c, const service_known *known)
{
    put_summary(out, c, known);
    service_model_json(c, out);
    service_watch_json(c, c->freed ? NULL : service_present(c)->shadow, out);
    put_episodes(out, c);
    json_member_key(out, "restart");
    common_put_text(out, c->restart ? "\"alarm\"" : "null");
    service_alarms_json(c, out);
    if (c->next < INT64_MAX)
        json_member_time(out, "next_episode", c->next);
    else
        json_member_number(out, "next_episode", NAN);
    put_warm(out, &c->warm);
    json_member_key(out, "description");
}

service_code service_telling_open(service_campaign *c, service_telling **out, service_error *err)
{
    service_telling *self = *out = calloc(1, sizeof *self);
    service_closed *figures = self != NULL && !c->freed ? service_figures_take(c) : NULL;
    bool fits = self != NULL && (figures != NULL || c->freed);
    if (fits) {
        service_past episode = last_episode(c);
        service_known known = service_know(c, figures != NULL ? figures : c->closed);
        *self = (service_telling){.campaign = c,
                                  .figures = figures,
                                  .decisions = (double)episode.decisions,
                                  .n = c->n,
                                  .size = c->shown_size};
        put_before(&self->head, c, &episode);
        put_behind(&self->tail, c, &known);
        fits = !self->head.failed && !self->tail.failed;
    } else {
        free(figures);
    }
    if (fits)
        return SERVICE_OK;
    service_telling_close(self);
    *out = NULL;
    return service_no_memory(err);
}

static void put_once(common_text *out, common_text *part)
{
    if (part->used > 0)
        common_put(out, part->data, part->used);
    common_text_free(part);
}

bool service_telling_next(service_telling *self, common_text *out)
{
    size_t end = out->used + PIECE;
    put_once(out, &self->head);
    while (self->next < self->n && out->used < end && !out->failed)
        put_figures(out, self, self->next++);
    if (self->next < self->n)
        return !out->failed;
    put_once(out, &self->tail);
    size_t left = self->size - self->written, room = out->used < end ? end - out->used : 0;
    size_t n = left < room ? left : room;
    common_put(out, self->campaign->shown + self->written, n);
    self->written += n;
    if (n < left)
        return !out->failed;
    common_put_text(out, "}");
    return false;
}

size_t service_telling_bytes(const service_telling *self)
{
    return sizeof *self + self->head.room + self->tail.room +
           (self->figures != NULL ? self->n * sizeof *self->figures : 0);
}

void service_telling_close(service_telling *self)
{
    if (self == NULL)
        return;
    common_text_free(&self->head);
    common_text_free(&self->tail);
    free(self->figures);
    free(self);
}

service_code service_campaign_json(service *self, service_campaign *c, common_text *out, service_error *err)
{
    service_telling *telling;
    (void)self;
    service_code code = service_telling_open(c, &telling, err);
    while (code == SERVICE_OK && service_telling_next(telling, out))
        continue;
    service_telling_close(telling);
    return code == SERVICE_OK && out->failed ? service_no_memory(err) : code;
}
