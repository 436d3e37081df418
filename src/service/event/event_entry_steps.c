/*
 * event_entry_steps.c: an item of choose, of acted and of observed, and its answer.
 *
 * Each expert's probability of the action taken comes as a list in the order of the experts, or by their names, all of
 * them; or as the action that each would have taken: then it is 1 or 0.
 *
 * Paper: none.
 * Check: tests/unit/test_service_elsewhere.c.
 */
#include "service_internal.h"

#include <string.h>

service_code service_choose_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                                 common_text *out, service_error *err)
{
    service_decision d;
    service_code code = service_choose_only(self, c, item->request.id, item->request.id_size, now, &d, err);
    if (code != SERVICE_OK)
        return code;
    service_put_chosen(out, c, &d);
    service_put_how(out, &d);
    return SERVICE_OK;
}

/* Which expert value i of a list is about; names NULL: the i-th. SIZE_MAX: none, and err says why. */
static size_t whose(const service_campaign *c, const char *key, const service_label *name, size_t i, service_error *err)
{
    size_t k = name == NULL ? i : name_table_find(&c->experts_names.table, name->text, name->size);
    if (k < c->n)
        return k;
    if (name != NULL)
        service_fail(err, SERVICE_INVALID, "%s has \"%.*s\", which is not an expert of campaign %s", key,
                     (int)(name->size < 40 ? name->size : 40), name->text, c->name);
    return SIZE_MAX;
}

static service_code wrong_count(const service_campaign *c, const char *key, size_t n, service_error *err)
{
    return service_fail(err, SERVICE_NOT_DISTRIBUTION, "%s has %zu entries, must have %zu, one per expert", key, n,
                        c->n);
}

/* Puts value i of `key` where it belongs; pi has -1 where nothing was said yet. */
static service_code put_value(const service_campaign *c, const char *key, const service_label *name, size_t i, double x,
                              double *pi, service_error *err)
{
    size_t k = whose(c, key, name, i, err);
    if (k == SIZE_MAX)
        return SERVICE_INVALID;
    if (pi[k] >= 0 || isnan(pi[k]))
        return service_fail(err, SERVICE_INVALID, "%s has expert %.60s twice", key, c->experts_names.table.names[k]);
    if (!(x >= 0))
        return service_fail(err, SERVICE_NOT_DISTRIBUTION, "%s has %g for expert %.60s, must be a probability", key, x,
                            c->experts_names.table.names[k]);
    pi[k] = x;
    return SERVICE_OK;
}

static service_code read_numbers(const service_scan *s, const service_campaign *c, const service_item *item, double *pi,
                                 service_error *err)
{
    service_code code = item->pi.n == c->n ? SERVICE_OK : wrong_count(c, "probabilities", item->pi.n, err);
    for (size_t i = 0; i < c->n && code == SERVICE_OK; i++)
        code = put_value(c, "probabilities", item->pi_named ? &s->labels[item->pi_names + i] : NULL, i,
                         s->numbers[item->pi.from + i], pi, err);
    return code;
}

static service_code read_deeds(const service_scan *s, const service_campaign *c, const service_item *item, double *pi,
                               service_error *err)
{
    service_code code = item->deeds.n == c->n ? SERVICE_OK : wrong_count(c, "actions", item->deeds.n, err);
    size_t stride = item->deeds_named ? 2 : 1;
    for (size_t i = 0; i < c->n && code == SERVICE_OK; i++) {
        const service_label *at = &s->labels[item->deeds.from + stride * i], *deed = at + stride - 1;
        bool same = deed->size == item->action.size && memcmp(deed->text, item->action.text, deed->size) == 0;
        code = put_value(c, "actions", item->deeds_named ? at : NULL, i, same, pi, err);
    }
    return code;
}

static service_code check_item(const service_item *item, service_error *err)
{
    if (item->request.id == NULL || item->action.text == NULL)
        return service_fail(err, SERVICE_INVALID, "'%s' is missing: say which event took which action",
                            item->request.id == NULL ? "event_id" : "action");
    if (item->has_probabilities == item->has_actions)
        return service_fail(err, SERVICE_INVALID,
                            "give either probabilities, each expert's of the action taken, or actions, what each "
                            "expert would have done");
    return SERVICE_OK;
}

/* Each expert's probability of the action taken, into the campaign's scratch. */
static service_code read_pi(service *self, service_campaign *c, const service_item *item, service_error *err)
{
    for (size_t k = 0; k < c->n; k++)
        c->scratch[k] = -1;
    return item->has_actions ? read_deeds(self->scan, c, item, c->scratch, err)
                             : read_numbers(self->scan, c, item, c->scratch, err);
}

service_code service_acted_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                                common_text *out, service_error *err)
{
    double propensity;
    bool repeated;
    service_code code = service_ready(self, c, err); /* it may have been archived since the list began */
    if (code == SERVICE_OK)
        code = check_item(item, err);
    if (code == SERVICE_OK)
        code = read_pi(self, c, item, err);
    service_deed deed = {.id = item->request.id,
                         .id_size = item->request.id_size,
                         .action = item->action.text,
                         .action_size = item->action.size,
                         .probabilities = c->scratch,
                         .n = c->n};
    if (code == SERVICE_OK)
        code = service_acted(self, c, &deed, now, &propensity, &repeated, err);
    if (code != SERVICE_OK)
        return code;
    service_put_id(out, deed.id, deed.id_size);
    common_put_text(out, ",\"status\":\"acted\",\"propensity\":");
    common_put_number(out, propensity);
    common_put_text(out, repeated ? ",\"repeated\":true}" : "}");
    return SERVICE_OK;
}

static service_code check_sight(const service_campaign *c, const service_item *item, service_error *err)
{
    bool numbers = item->has_probabilities || item->has_actions;
    if (item->request.id == NULL || item->action.text == NULL)
        return service_fail(err, SERVICE_INVALID, "'%s' is missing: say which action was taken for which event",
                            item->request.id == NULL ? "event_id" : "action");
    if (c->kind == ROSTER_EXTERNAL && (item->has_context || item->numbers != SIZE_MAX))
        return service_fail(err, SERVICE_INVALID,
                            "campaign %s has experts that run elsewhere: give probabilities or actions, no context",
                            c->name);
    if (c->kind == ROSTER_EXTERNAL && item->has_probabilities == item->has_actions)
        return service_fail(err, SERVICE_INVALID,
                            "give either probabilities, each expert's of the action taken, or actions, what each "
                            "expert would have done");
    if (c->kind != ROSTER_EXTERNAL && numbers)
        return service_fail(err, SERVICE_INVALID,
                            "campaign %s evaluates its experts itself: leave actions and probabilities out", c->name);
    if (c->kind == ROSTER_TABLES && !item->has_context && item->numbers == SIZE_MAX && c->x > 1)
        return service_fail(err, SERVICE_INVALID, "'context' is missing: campaign %s decides by context", c->name);
    if (item->has_propensity && !(item->propensity > 0 && item->propensity <= 1))
        return service_fail(err, SERVICE_NOT_DISTRIBUTION,
                            "propensity is %g, must be above 0 and at most 1: leave it out where it is not known",
                            item->propensity);
    return SERVICE_OK;
}

static void put_seen(common_text *out, const service_campaign *c, const service_seen *seen)
{
    common_put_text(out, "{\"event_id\":");
    common_put_string(out, seen->id);
    common_put_text(out, ",\"status\":\"observed\",\"episode\":");
    common_put_count(out, seen->episode);
    common_put_text(out, ",\"would_choose\":");
    common_put_text(out, c->experts_names.quoted[seen->would]);
    common_put_text(out, seen->usable ? ",\"usable\":true" : ",\"usable\":false,\"message\":");
    if (!seen->usable)
        common_put_string(out,
                          "it is stored and counted, but says nothing about other experts: give the propensity, or "
                          "the expert that served");
    common_put_text(out, seen->repeated ? ",\"repeated\":true}" : "}");
}

service_code service_observed_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                                   common_text *out, service_error *err)
{
    service_seen seen;
    service_sight sight = {.request = item->request,
                           .action = item->action.text,
                           .action_size = item->action.size,
                           .propensity = item->has_propensity ? item->propensity : 0,
                           .expert = UINT32_MAX};
    service_code code = service_ready(self, c, err); /* it may have been archived since the list began */
    if (code == SERVICE_OK)
        code = check_sight(c, item, err);
    if (code == SERVICE_OK && c->kind == ROSTER_EXTERNAL) {
        code = read_pi(self, c, item, err);
        sight.probabilities = c->scratch;
        sight.n = c->n;
    }
    if (code == SERVICE_OK && item->expert.text != NULL) {
        size_t k = whose(c, "expert", &item->expert, 0, err);
        sight.expert = (uint32_t)k;
        code = k != SIZE_MAX ? SERVICE_OK : SERVICE_INVALID;
    }
    if (code == SERVICE_OK)
        code = service_observe(self, c, &sight, now, &seen, err);
    if (code == SERVICE_OK)
        put_seen(out, c, &seen);
    return code;
}
