/*
 * event_decide.c: from a request to a decision.
 *
 * Paper: none.
 *
 * An event_id that was decided before is answered as it was then, as long as the event is known. An event without one
 * gets the next number n as "#n"; ids that clients choose do not begin with "#", so that they never meet.
 *
 * A request is refused before anything changes: the expert is chosen first, in the episode that is due if one is. Then
 * come the records: the episode, the decision, windows that ended, and, where there are too many open events, the
 * oldest one's early end.
 *
 * Where the chosen expert acts elsewhere, the request and its record have the expert alone, and the event waits for
 * what it did (event_acted.c).
 *
 * Cost: about a microsecond with five experts.
 * Check: tests/unit/test_service.c, tests/unit/test_service_refused.c.
 */
#include "service_internal.h"

#include <float.h>
#include <string.h>

static service_code find_context(const service_campaign *c, const service_request *q, service_choice *choice,
                                 service_error *err)
{
    size_t x = q->number;
    if (q->features != NULL || q->probabilities != NULL)
        return service_fail(err, SERVICE_INVALID, "campaign %s has finitely many contexts: give \"context\" alone",
                            c->name);
    if (q->context != NULL)
        x = name_table_find(&c->contexts.table, q->context, q->context_size);
    if (q->context != NULL && x == SIZE_MAX)
        return service_fail(err, SERVICE_UNKNOWN_CONTEXT, "context is \"%.*s\", which campaign %s does not know",
                            (int)(q->context_size < 60 ? q->context_size : 60), q->context, c->name);
    if (x >= c->x)
        return service_fail(err, SERVICE_UNKNOWN_CONTEXT, "context is %zu, must be below %zu or a name", x, c->x);
    choice->context = (uint32_t)x;
    return SERVICE_OK;
}

static service_code check_features(const service_campaign *c, const service_request *q, service_choice *choice,
                                   service_error *err)
{
    if (q->context != NULL || q->probabilities != NULL || q->features == NULL)
        return service_fail(err, SERVICE_INVALID, "campaign %s has experts over features: give \"features\" alone",
                            c->name);
    if (q->n_features != c->d)
        return service_fail(err, SERVICE_INVALID, "features has %zu numbers, must have %zu", q->n_features, c->d);
    for (size_t i = 0; i < c->d; i++)
        if (!(fabs(q->features[i]) <= 1e100))
            return service_fail(err, SERVICE_INVALID, "features[%zu] is %g, must be a number of at most 1e100 in size",
                                i, q->features[i]);
    choice->numbers = q->features;
    return SERVICE_OK;
}

static service_code check_matrix(const service_campaign *c, const service_request *q, service_choice *choice,
                                 service_error *err)
{
    if (q->context != NULL || q->features != NULL || q->probabilities == NULL)
        return service_fail(err, SERVICE_INVALID,
                            "campaign %s has experts that the caller evaluates: give \"probabilities\" alone", c->name);
    if (q->n_experts != c->n || q->n_actions != c->v)
        return service_fail(err, SERVICE_NOT_DISTRIBUTION,
                            "probabilities has %zu rows of %zu, must have %zu, one per expert, of %zu, one per action",
                            q->n_experts, q->n_actions, c->n, c->v);
    for (size_t k = 0; k < c->n; k++) {
        double sum = 0;
        for (size_t a = 0; a < c->v; a++) {
            double p = q->probabilities[k * c->v + a];
            if (!(p == 0 || (p >= DBL_MIN && p <= 1)))
                return service_fail(err, SERVICE_NOT_DISTRIBUTION,
                                    "probabilities[%zu][%zu] is %g, must be a probability", k, a, p);
            sum += p;
        }
        if (!(fabs(sum - 1) <= 1e-9))
            return service_fail(err, SERVICE_NOT_DISTRIBUTION, "probabilities[%zu] sums to %.12g, must be 1", k, sum);
    }
    choice->numbers = q->probabilities;
    return SERVICE_OK;
}

service_code service_check_context(const service_campaign *c, const service_request *q, service_choice *choice,
                                   service_error *err)
{
    return c->kind == ROSTER_TABLES ? find_context(c, q, choice, err) : check_features(c, q, choice, err);
}

static service_code check_request(const service_campaign *c, const service_request *q, service_choice *choice,
                                  service_error *err)
{
    *choice = (service_choice){0};
    if (c->open)
        return service_fail(err, SERVICE_INVALID,
                            "campaign %s lists no actions: give \"probabilities\" by action, or use choose and acted",
                            c->name);
    return c->kind == ROSTER_EXTERNAL ? check_matrix(c, q, choice, err) : service_check_context(c, q, choice, err);
}

/* How many of a decision's numbers the table keeps. */
static size_t kept_of(const service_campaign *c)
{
    return c->kind == ROSTER_SOFTMAX ? c->d : c->kind == ROSTER_EXTERNAL ? c->n : 0;
}

/* What the table keeps of a decision's numbers: features, or each expert's probability of the action. */
static void keep_numbers(const service_campaign *c, const double *numbers, uint32_t action, double *to)
{
    for (size_t i = 0; i < kept_of(c); i++)
        to[i] = c->kind == ROSTER_SOFTMAX ? numbers[i] : numbers[i * c->v + action];
}

/* The event is the one that was decided: same context. */
static bool is_same(const service_campaign *c, const service_event *event, const service_choice *choice)
{
    const double *kept = service_table_numbers(&c->table, event);
    for (size_t i = 0; i < kept_of(c); i++) {
        size_t j = c->kind == ROSTER_SOFTMAX ? i : i * c->v + event->action;
        if (kept[i] != choice->numbers[j])
            return false;
    }
    return event->context == choice->context;
}

static void answer(const service_event *event, const char *id, size_t size, service_decision *out)
{
    memcpy(out->id, id, size);
    out->id[size] = '\0';
    out->episode = event->episode;
    out->expert = event->expert;
    out->action = event->action;
    out->propensity = event->propensity;
    out->how = (service_how)event->how;
    out->repeated = out->forgotten = false;
}

static service_code was_observed(const service_request *q, service_error *err)
{
    return service_fail(err, SERVICE_CONFLICT, "event_id %.*s was observed before, not decided", (int)q->id_size,
                        q->id);
}

static service_code repeated(service_campaign *c, const service_event *event, const service_request *q,
                             service_decision *out)
{
    answer(event, q->id, q->id_size, out);
    out->repeated = true;
    c->counts.repeated++;
    return SERVICE_OK;
}

static service_code repeat(service_campaign *c, const service_event *event, const service_request *q,
                           const service_choice *choice, service_decision *out, service_error *err)
{
    if (event->how == SERVICE_OBSERVED)
        return was_observed(q, err);
    if (event->waits)
        return service_fail(err, SERVICE_CONFLICT,
                            "event_id %.*s was chosen before, and waits for what its expert did: send that to acted",
                            (int)q->id_size, q->id);
    if (!is_same(c, event, choice))
        return service_fail(err, SERVICE_CONFLICT, "event_id %.*s was decided with another context before",
                            (int)q->id_size, q->id);
    return repeated(c, event, q, out);
}

/* What an event is called. */
typedef struct naming {
    const char *id; /* borrowed, or `number` */
    size_t size;
    service_key key;
    service_event *event; /* known already; NULL: new                     */
    bool forgotten;       /* it is not known any more, but was decided before */
    char number[24];
} naming;

/* The next number, written. */
static void number_event(const service_campaign *c, naming *out)
{
    char *at = out->number + sizeof out->number - 1;
    *at = '\0';
    out->key = (service_key){c->issued + 1, 0};
    for (uint64_t n = out->key.a; n > 0; n /= 10)
        *--at = (char)('0' + n % 10);
    *--at = '#';
    out->id = at;
    out->size = (size_t)(out->number + sizeof out->number - 1 - at);
    out->event = NULL;
    out->forgotten = false;
}

static service_code name_event(const service_campaign *c, const service_request *q, int64_t now, naming *out,
                               service_error *err)
{
    if (q->id == NULL && c->issued == UINT64_MAX)
        return service_fail(err, SERVICE_LIMIT, "campaign %s has no numbers left: give an event_id", c->name);
    if (q->id == NULL) {
        number_event(c, out);
        return SERVICE_OK;
    }
    out->id = q->id;
    out->size = q->id_size;
    service_code code = service_key_find(c, q->id, q->id_size, now, &out->key, &out->event, err);
    if (code == SERVICE_OK && out->event == NULL && out->key.b == 0 && out->key.a > c->issued)
        return service_fail(err, SERVICE_INVALID,
                            "event_id is %.*s, which campaign %s did not give out: leave it out, or choose one that "
                            "does not begin with #",
                            (int)q->id_size, q->id, c->name);
    out->forgotten = code == SERVICE_OK && out->event == NULL && service_was_forgotten(c, out->key);
    return code;
}

/* How many numbers stand in the record of a decision. */
static size_t numbers_of(const service_campaign *c)
{
    return c->kind == ROSTER_SOFTMAX ? c->d : c->kind == ROSTER_EXTERNAL ? c->n * c->v : 0;
}

/* What later steps need, so that the first does not change anything where the next would fail. */
static bool reserve(service *self, service_campaign *c, const service_record *r)
{
    service_record episode = {.kind = SERVICE_RECORD_EPISODE};
    uint64_t n = c->table.end - c->table.tail + 1;
    return service_bytes_reserve(&self->batch, service_record_room(r) + service_record_room(&episode)) &&
           service_table_reserve(&c->table) && (r->key.b == 0 || service_forgotten_reserve(&c->forgotten, n));
}

static service_code choose(service_campaign *c, const service_episode_state *e, service_kind kind, service_uniforms u,
                           service_choice *choice, service_error *err)
{
    return kind == SERVICE_RECORD_CHOOSE ? service_choose_expert(c, e, u, choice, err)
                                         : service_choose(c, e, u, choice, err);
}

/* Chooses and records; an episode that is due begins. */
static service_code decide(service *self, service_campaign *c, service_kind kind, const naming *n,
                           service_choice *choice, int64_t now, service_error *err)
{
    service_record r = {.kind = kind, .campaign = c->number, .at = now, .key = n->key};
    service_uniforms u = service_key_uniforms(service_key_block(c, n->key, n->id, n->size), c->draws);
    service_episode_state draft;
    service_reason why;
    bool due = service_episode_is_due(c, now, &why) && service_episode_fits(self, c); /* else it stays due */
    service_code code = due ? service_episode_draft(c, why, NULL, now, &draft, err) : SERVICE_OK;
    if (code != SERVICE_OK)
        return code;
    r.text = n->id;
    r.text_size = n->size;
    r.n = kind == SERVICE_RECORD_DECIDE ? numbers_of(c) : 0;
    r.episode = due ? draft.number : service_present(c)->number;
    r.flag = n->forgotten;
    code = choose(c, due ? &draft : service_present(c), kind, u, choice, err);
    if (code == SERVICE_OK && !reserve(self, c, &r))
        code = service_no_memory(err);
    if (code != SERVICE_OK && due)
        service_episode_free(&draft);
    else if (due)
        code = service_episode_start(self, c, why, now, &draft, err);
    if (code != SERVICE_OK)
        return code;
    r.expert = choice->expert;
    r.action = choice->action;
    r.context = choice->context;
    r.propensity = choice->propensity;
    r.how = (uint8_t)choice->how;
    r.numbers = choice->numbers;
    return service_do(self, &r, err);
}

/* Windows that ended are closed, and those of the oldest events where there are too many. What fails for lack of memory
   is done next time. */
void service_tidy(service *self, service_campaign *c, int64_t now)
{
    const service_table *t = &c->table;
    service_error later;
    service_code code = service_close_due(self, c, now, &later);
    while (code == SERVICE_OK && t->end - t->tail > c->rules.events_most && t->tail == t->head)
        code = service_close_early(self, c, 1, SERVICE_CLOSE_CROWDED, now, &later);
}

/* An event that was not known. */
static service_code decide_new(service *self, service_campaign *c, service_kind kind, const naming *n,
                               service_choice *choice, int64_t now, service_decision *out, service_error *err)
{
    service_code code = service_limits_decide(self, c, err);
    if (code == SERVICE_OK && c->shadow)
        code = service_fail(err, SERVICE_CANNOT_SAY,
                            "campaign %s is in mode shadow and decides nothing: tell observed what was done, or set "
                            "its mode to live",
                            c->name);
    if (code == SERVICE_OK)
        code = decide(self, c, kind, n, choice, now, err);
    if (code != SERVICE_OK)
        return code;
    answer(service_table_at(&c->table, c->table.end - 1), n->id, n->size, out);
    out->forgotten = n->forgotten;
    service_tidy(self, c, now);
    return SERVICE_OK;
}

service_code service_decide(service *self, service_campaign *c, const service_request *q, int64_t now,
                            service_decision *out, service_error *err)
{
    naming n;
    service_choice choice;
    service_code code = service_ready(self, c, err);
    now = service_clock(self, now);
    if (code == SERVICE_OK)
        code = name_event(c, q, now, &n, err);
    if (code == SERVICE_OK)
        code = check_request(c, q, &choice, err);
    if (code != SERVICE_OK)
        return code;
    if (n.event != NULL)
        return repeat(c, n.event, q, &choice, out, err);
    return decide_new(self, c, SERVICE_RECORD_DECIDE, &n, &choice, now, out, err);
}

service_code service_choose_only(service *self, service_campaign *c, const char *id, size_t id_size, int64_t now,
                                 service_decision *out, service_error *err)
{
    naming n;
    service_choice choice = {0};
    service_request q = {.id = id, .id_size = id_size};
    service_code code = service_ready(self, c, err);
    now = service_clock(self, now);
    if (code == SERVICE_OK && c->kind != ROSTER_EXTERNAL)
        code = service_fail(err, SERVICE_INVALID, "campaign %s evaluates its experts itself: use decide", c->name);
    if (code == SERVICE_OK)
        code = name_event(c, &q, now, &n, err);
    if (code != SERVICE_OK)
        return code;
    if (n.event != NULL && n.event->how == SERVICE_OBSERVED)
        return was_observed(&q, err);
    if (n.event != NULL)
        return repeated(c, n.event, &q, out);
    return decide_new(self, c, SERVICE_RECORD_CHOOSE, &n, &choice, now, out, err);
}

/* That the record could have been made: what later code relies on. */
static service_code check_record(service *self, const service_campaign *c, const service_record *r, service_error *err)
{
    if (r->episode != service_present(c)->number)
        return service_differs(self, "episode", err, "is %u, must be %u", r->episode, service_present(c)->number);
    if (r->expert >= c->n)
        return service_differs(self, "expert", err, "is %u, must be below %zu", r->expert, c->n);
    if (r->action >= c->v)
        return service_differs(self, "action", err, "is %u, must be below %zu", r->action, c->v);
    if (r->kind == SERVICE_RECORD_CHOOSE && c->kind != ROSTER_EXTERNAL)
        return service_differs(self, "kind", err, "is choose, but the campaign evaluates its experts itself");
    if (r->n != (r->kind == SERVICE_RECORD_CHOOSE ? 0 : numbers_of(c)) ||
        (c->kind == ROSTER_TABLES ? r->context >= c->x : r->context != 0))
        return service_differs(self, "context", err, "is none of the campaign's");
    if (r->how > SERVICE_FALLBACK)
        return service_differs(self, "how", err, "is %u, must be below %d", r->how, SERVICE_FALLBACK + 1);
    if (service_event_find(c, r->key, r->at) != NULL)
        return service_differs(self, "event_id", err, "was decided before");
    return SERVICE_OK;
}

static service_code verify_id(service *self, const service_campaign *c, const service_record *r, service_error *err)
{
    service_key key = r->key;
    service_code code = r->key.b != 0 ? service_key_make(&key, c->draws, r->text, r->text_size, err) : SERVICE_OK;
    if (code != SERVICE_OK || !service_key_equal(key, r->key))
        return service_differs(self, "event_id", err, "does not fit its hash");
    if (r->version == 1)
        return SERVICE_OK;
    if (r->key.b == 0 && r->key.a > c->issued + 1)
        return service_differs(self, "event_id", err, "is a number that was not given out");
    bool forgotten = service_was_forgotten(c, r->key);
    if (r->flag != forgotten)
        return service_differs(self, "repeated", err, "is %u, must be %d", r->flag, forgotten);
    return SERVICE_OK;
}

static service_code verify(service *self, service_campaign *c, const service_record *r, service_error *err)
{
    if (c->shadow)
        return service_differs(self, "kind", err, "is a decision, but the campaign was in mode shadow");
    service_choice choice = {.context = r->context, .numbers = r->numbers};
    unsigned alarm = service_present(c)->alarm.why;
    if (alarm != 0 && c->n_episodes < SERVICE_EPISODES_LIVE) /* else it waits for those to go */
        return service_differs(self, "episode", err, "is %u, but an alarm (%s) ended it", r->episode,
                               service_reason_word(alarm));
    service_code code = verify_id(self, c, r, err);
    if (code == SERVICE_OK && r->version == 1)
        code = service_choose_first(c, service_key_uniforms(r->key, c->seed), &choice, err);
    else if (code == SERVICE_OK)
        code =
            choose(c, service_present(c), r->kind,
                   service_key_uniforms(service_key_block(c, r->key, r->text, r->text_size), c->draws), &choice, err);
    if (code != SERVICE_OK)
        return code;
    if (choice.expert != r->expert)
        return service_differs(self, "expert", err, "is %u, must be %u", r->expert, choice.expert);
    if (choice.how != (service_how)r->how)
        return service_differs(self, "how", err, "is %u, must be %u", r->how, (unsigned)choice.how);
    if (choice.action != r->action)
        return service_differs(self, "action", err, "is %u, must be %u", r->action, choice.action);
    if (choice.propensity != r->propensity)
        return service_differs(self, "propensity", err, "is %.17g, must be %.17g", r->propensity, choice.propensity);
    return SERVICE_OK;
}

service_code service_apply_decide(service *self, service_campaign *c, service_record *r, service_error *err)
{
    service_table *t = &c->table;
    service_code code = check_record(self, c, r, err);
    if (code == SERVICE_OK && self->verify)
        code = verify(self, c, r, err);
    if (code != SERVICE_OK)
        return code;
    if (!service_table_reserve(t) || (r->key.b != 0 && !service_forgotten_reserve(&c->forgotten, t->end - t->tail + 1)))
        return service_no_memory(err);
    service_forget(c, r->at);
    service_forget_down_to(c, c->rules.events_most - 1);
    service_episode_state *e = service_present(c);
    service_event *event = service_table_push(t, r->key);
    event->decision = r->number;
    event->at = r->at;
    event->propensity = r->propensity;
    event->expert = r->expert;
    event->action = r->action;
    event->context = r->context;
    event->episode = r->episode;
    event->how = r->how;
    event->first = r->version == 1;
    event->waits = r->kind == SERVICE_RECORD_CHOOSE;
    if (!event->waits)
        keep_numbers(c, r->numbers, r->action, service_table_numbers(t, event));
    e->decisions++;
    e->open++;
    e->plays[r->expert]++;
    e->waiting[r->expert]++;
    if (c->seen != NULL)
        c->seen[r->context]++;
    if (r->key.b == 0 && r->key.a > c->issued)
        c->issued = r->key.a;
    c->counts.decisions++;
    service_retain_count(&c->retain, r->number);
    c->counts.how[r->how]++;
    c->counts.open++;
    c->counts.forgotten += r->flag != 0;
    return SERVICE_OK;
}
