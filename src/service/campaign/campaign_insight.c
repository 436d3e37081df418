/*
 * campaign_insight.c: what a campaign knows, for people: as JSON.
 *
 * Paper: none.
 *
 *   leader         the expert with the largest estimate; margin: how far it is ahead of the next
 *   interval       half of a 95% interval: sqrt(ln(2/0.05) / (2 samples)), samples being what the estimate is worth; or
 *                  the agent's own width where that is larger. The width alone would not do: with C as small as it is
 *                  in practice it says where to look next, not how sure one can be
 *   known          the leader's estimate less its interval is above every other's estimate plus interval
 *   rounds left    intervals fall as 1/sqrt(t): t (f^2 - 1) with f the largest (h_l + h_i) / (mu_l - mu_i)
 *   theory         tau of the smallest gap and the theorem's bound of the regret, as `roster explain` computes them,
 *                  with estimates in the place of values; the largest divergence is computed once per episode
 *
 * Cost: O(N^2 X V) for the first look at an episode, then O(N).
 * Check: tests/unit/test_service_store.c: insight_tells.
 */
#include "json_member.h"
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

static const double THEORY_MOST = 2e6; /* N^2 X V: every expert is compared with every other; about 25 ms */

/* What is shown of the experts. */
typedef struct view {
    service_past episode;
    const service_closed *experts; /* borrowed, [n] */
    double *gaps;                  /* owned, [n] */
    size_t leader;                 /* n: none is known */
    double margin, left, tau, bound;
    bool known;
} view;

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
    json_member_count(out, "clipped", n->clipped);
    json_member_count(out, "forgotten", n->forgotten);
    json_member_count(out, "episodes", n->episodes);
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

static void put_head(common_text *out, const service_campaign *c)
{
    common_put_text(out, "{");
    json_member_text(out, "name", c->name);
    json_member_truth(out, "archived", c->archived);
    json_member_text(out, "agent", c->agent->name);
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

/* The largest estimate leads. */
static void find_leader(view *v, size_t n)
{
    v->leader = n;
    for (size_t k = 0; k < n; k++)
        if (!isnan(v->experts[k].insight.estimate) &&
            (v->leader == n || v->experts[k].insight.estimate > v->experts[v->leader].insight.estimate))
            v->leader = k;
}

/* Half of what people are told to trust. */
static double interval(const roster_insight *i)
{
    double half = sqrt(log(2 / 0.05) / (2 * i->samples));
    return i->width > half ? i->width : half;
}

static void find_margin(view *v, size_t n)
{
    const roster_insight *l = &v->experts[v->leader].insight;
    double widest = 0, t = (double)v->episode.learnt;
    v->margin = INFINITY;
    for (size_t k = 0; k < n; k++) {
        const roster_insight *i = &v->experts[k].insight;
        v->gaps[k] = l->estimate - i->estimate;
        if (k == v->leader)
            continue;
        v->margin = isnan(v->gaps[k]) ? v->margin : fmin(v->margin, v->gaps[k]);
        double ratio = (interval(l) + interval(i)) / v->gaps[k];
        widest = isnan(ratio) ? INFINITY : fmax(widest, ratio);
    }
    v->known = widest < 1;
    v->left = widest < 1 ? 0 : t * (widest * widest - 1);
}

/* The theorems, about an instance whose values are the estimates. */
static void find_theory(view *v, const service_campaign *c, const roster_agent *agent, service_theory *theory)
{
    roster_error err;
    bool lite = strstr(c->agent->name, "-lite") != NULL;
    double work = (double)c->n * (double)c->n * (double)c->x * (double)c->v;
    if (!theory->asked && work <= THEORY_MOST)
        theory->known = roster_agent_constants(agent, &theory->constants, &err) == ROSTER_OK;
    theory->asked = true;
    roster_constants k = theory->constants;
    if (isnan(k.gamma)) {
        k.gamma = 1;
        for (size_t i = 0; i < c->n; i++)
            k.gamma = fmin(k.gamma, v->experts[i].insight.estimate);
    }
    if (!theory->known || lite || !(k.gamma > 0) || !(v->margin > 0 && v->margin < INFINITY))
        return;
    v->tau = c->agent->empirical ? roster_theory_tau_empirical(&k, v->margin) : roster_theory_tau(&k, v->margin);
    int code = c->agent->empirical ? roster_theory_regret_empirical(&k, v->gaps, c->n, &v->bound, &err)
                                   : roster_theory_regret(&k, v->gaps, c->n, &v->bound, &err);
    v->bound = code == ROSTER_OK ? v->bound : NAN;
}

static void put_figures(common_text *out, const service_telling *t, size_t k)
{
    const service_campaign *c = t->campaign;
    const service_closed *f = t->figures != NULL ? &t->figures[k] : &c->closed[k];
    common_put_text(out, k > 0 ? ",{" : "[{"); /* a piece may begin here */
    put_expert(out, "name", c, k);
    json_member_count(out, "plays", f->plays);
    json_member_number(out, "share", t->decisions > 0 ? (double)f->plays / t->decisions : 0);
    json_member_number(out, "estimate", f->insight.estimate);
    json_member_number(out, "interval", interval(&f->insight));
    json_member_number(out, "width", f->insight.width);
    json_member_number(out, "index", f->index);
    json_member_number(out, "samples", f->insight.samples);
    json_member_number(out, "clipped", f->insight.clipped);
    common_put_text(out, "}");
}

static void put_summary(common_text *out, const service_campaign *c, const view *v)
{
    common_put_text(out, "]");
    put_expert(out, "leader", c, v->leader);
    json_member_number(out, "margin", v->margin);
    json_member_truth(out, "known", v->known);
    json_member_number(out, "rounds_left", v->left);
    json_member_number(out, "theory_rounds", v->tau);
    json_member_number(out, "regret_bound", v->bound);
}

/* What the agent says of the experts, or said when the campaign was archived. */
static void look(view *v, service_campaign *c)
{
    v->episode = last_episode(c);
    v->leader = c->n;
    v->margin = v->left = v->tau = v->bound = NAN;
    if (!c->freed && service_present(c)->agent == NULL)
        return;
    find_leader(v, c->n);
    if (v->leader == c->n)
        return;
    find_margin(v, c->n);
    if (!c->freed)
        find_theory(v, c, service_present(c)->agent, &service_present(c)->theory);
}

static void put_before(common_text *out, const service_campaign *c, const view *v)
{
    put_head(out, c);
    json_member_text(out, "context_probabilities", service_prior_word(v->episode.prior));
    put_controls(out, c);
    json_member_count(out, "rounds", v->episode.learnt);
    json_member_key(out, "experts");
}

static void put_behind(common_text *out, const service_campaign *c, const view *v)
{
    put_summary(out, c, v);
    put_episodes(out, c);
    if (c->next < INT64_MAX)
        json_member_time(out, "next_episode", c->next);
    else
        json_member_number(out, "next_episode", NAN);
    json_member_key(out, "description");
}

service_code service_telling_open(service_campaign *c, service_telling **out, service_error *err)
{
    service_telling *self = *out = calloc(1, sizeof *self);
    service_closed *figures = self != NULL && !c->freed ? service_figures_take(c) : NULL;
    view v = {.experts = c->freed ? c->closed : figures, .gaps = calloc(c->n, sizeof *v.gaps)};
    bool fits = self != NULL && v.experts != NULL && v.gaps != NULL;
    if (fits) {
        look(&v, c);
        *self = (service_telling){.campaign = c,
                                  .figures = figures,
                                  .decisions = (double)v.episode.decisions,
                                  .n = c->n,
                                  .size = c->text_size};
        put_before(&self->head, c, &v);
        put_behind(&self->tail, c, &v);
        fits = !self->head.failed && !self->tail.failed;
    } else {
        free(figures);
    }
    free(v.gaps);
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
    common_put(out, self->campaign->text + self->written, n);
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
