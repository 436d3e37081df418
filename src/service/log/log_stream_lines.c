/*
 * log_stream_lines.c: a record as a line of JSON.
 *
 * Paper: none.
 * Check: tests/unit/test_service_store.c: events_stream; tests/unit/test_service_elsewhere.c: exported.
 */
#include "log_stream_lines.h"

#include "log_erase.h"

#include <string.h>

void service_line_id(common_text *out, const service_record *r)
{
    char id[SERVICE_ID_MOST + 1];
    service_record_id(r, id);
    if (service_key_is_erased(r->key))
        common_put_text(out, "null,\"erased\":true");
    else
        common_put_string(out, id);
}

void service_line_numbers(common_text *out, const double *x, size_t n)
{
    common_put_text(out, "[");
    for (size_t i = 0; i < n; i++) {
        common_put_text(out, i > 0 ? "," : "");
        common_put_number(out, x[i]);
    }
    common_put_text(out, "]");
}

void service_line_name(common_text *out, const service_names *names, size_t i)
{
    common_put_text(out, i < names->table.n && names->quoted != NULL ? names->quoted[i] : "null");
}

static void put_decide(common_text *out, const service_campaign *c, const service_record *r)
{
    common_put_text(out, ",\"event_id\":");
    service_line_id(out, r);
    common_put_text(out, ",\"episode\":");
    common_put_count(out, r->episode);
    common_put_text(out, ",\"expert\":");
    service_line_name(out, &c->experts_names, r->expert);
    if (r->kind == SERVICE_RECORD_DECIDE) {
        common_put_text(out, ",\"action\":");
        service_line_name(out, &c->actions, r->action);
        common_put_text(out, ",\"propensity\":");
        common_put_number(out, r->propensity);
    }
    common_put_text(out, ",\"how\":");
    common_put_string(out, service_how_word(r->how));
    if (c->kind == ROSTER_TABLES) {
        common_put_text(out, ",\"context\":");
        service_line_name(out, &c->contexts, r->context);
        return;
    }
    if (service_key_is_erased(r->key) || r->kind == SERVICE_RECORD_CHOOSE)
        return;
    common_put_text(out, c->kind == ROSTER_SOFTMAX ? ",\"features\":" : ",\"probabilities\":");
    if (c->kind == ROSTER_SOFTMAX) {
        service_line_numbers(out, r->numbers, r->n);
        return;
    }
    for (size_t k = 0; k < r->n / c->v; k++) {
        common_put_text(out, k > 0 ? "," : "[");
        service_line_numbers(out, r->numbers + k * c->v, c->v);
    }
    common_put_text(out, "]");
}

/* The action of an acted record, as JSON. */
void service_line_action(common_text *out, const service_campaign *c, const service_record *r)
{
    char label[SERVICE_ID_MOST + 1];
    size_t size = r->label_size <= SERVICE_ID_MOST ? r->label_size : 0;
    memcpy(label, size > 0 ? r->label : "", size);
    label[size] = '\0';
    if (c->open)
        common_put_string(out, label);
    else
        service_line_name(out, &c->actions, r->action);
}

static void put_acted(common_text *out, const service_campaign *c, const service_record *r)
{
    bool erased = service_key_is_erased(r->key);
    common_put_text(out, ",\"event_id\":");
    service_line_id(out, r);
    common_put_text(out, ",\"expert\":");
    service_line_name(out, &c->experts_names, r->expert);
    common_put_text(out, ",\"action\":");
    service_line_action(out, c, r);
    common_put_text(out, ",\"propensity\":");
    common_put_number(out, r->propensity);
    if (!erased) {
        common_put_text(out, ",\"probabilities\":");
        service_line_numbers(out, r->numbers, r->n);
    }
    common_put_text(out, ",\"reward\":");
    common_put_number(out, r->raw);
    common_put_text(out, ",\"learnt\":");
    common_put_number(out, r->reward);
    common_put_text(out, ",\"decision\":");
    common_put_count(out, r->decision);
}

static void put_context_of(common_text *out, const service_campaign *c, const service_record *r)
{
    if (c->kind == ROSTER_TABLES) {
        common_put_text(out, ",\"context\":");
        service_line_name(out, &c->contexts, r->context);
    } else if (!service_key_is_erased(r->key)) {
        common_put_text(out, c->kind == ROSTER_SOFTMAX ? ",\"features\":" : ",\"probabilities\":");
        service_line_numbers(out, r->numbers, r->n);
    }
}

static void put_observed(common_text *out, const service_campaign *c, const service_record *r)
{
    common_put_text(out, ",\"event_id\":");
    service_line_id(out, r);
    common_put_text(out, ",\"episode\":");
    common_put_count(out, r->episode);
    common_put_text(out, ",\"would_choose\":");
    service_line_name(out, &c->experts_names, r->expert);
    common_put_text(out, ",\"expert\":");
    service_line_name(out, &c->experts_names, r->served);
    common_put_text(out, ",\"action\":");
    service_line_action(out, c, r);
    common_put_text(out, ",\"propensity\":");
    common_put_number(out, r->propensity > 0 ? r->propensity : NAN);
    put_context_of(out, c, r);
}

static void put_reward(common_text *out, const service_record *r)
{
    common_put_text(out, ",\"event_id\":");
    service_line_id(out, r);
    common_put_text(out, ",\"reward\":");
    common_put_number(out, r->raw);
    common_put_text(out, ",\"status\":");
    common_put_string(out, service_status_word((service_status)(r->status % SERVICE_STATUSES)));
    common_put_text(out, ",\"learnt\":");
    common_put_number(out, r->reward);
    common_put_text(out, ",\"decision\":");
    common_put_count(out, r->decision);
}

static void put_close(common_text *out, const service_record *r)
{
    common_put_text(out, r->flag ? ",\"early\":true,\"closed\":[" : ",\"early\":false,\"closed\":[");
    for (size_t i = 0; i < r->n; i++) {
        common_put_text(out, i > 0 ? ",{\"decision\":" : "{\"decision\":");
        common_put_count(out, r->closings[i].decision);
        common_put_text(out, ",\"learnt\":");
        common_put_number(out, r->closings[i].learnt ? r->closings[i].reward : NAN);
        if (!r->closings[i].learnt && !isnan(r->closings[i].reward)) {
            common_put_text(out, ",\"unlearnt\":");
            common_put_number(out, r->closings[i].reward);
        }
        common_put_text(out, "}");
    }
    common_put_text(out, "]");
}

static void put_control(common_text *out, const service_campaign *c, const service_record *r)
{
    static const char *const words[] = {"pin", "learning", "fallback", "cap", "retain", "mode"};
    common_put_text(out, ",\"control\":");
    common_put_string(out, words[r->what % 6]);
    common_put_text(out, ",\"expert\":");
    service_line_name(out, &c->experts_names, r->what == SERVICE_RETAIN ? SIZE_MAX : r->expert);
    common_put_text(out, ",\"value\":");
    if (r->what == SERVICE_MODE)
        common_put_text(out, r->reward != 0 ? "\"shadow\"" : "\"live\"");
    else if (r->what == SERVICE_LEARNING)
        common_put_text(out, r->reward != 0 ? "true" : "false");
    else
        common_put_number(out, r->what == SERVICE_CAP || r->what == SERVICE_RETAIN ? r->reward : NAN);
}

static void put_experts(common_text *out, const service_campaign *c, const service_record *r)
{
    common_put_text(out, ",\"retired\":");
    service_line_name(out, &c->experts_names, r->expert == UINT32_MAX ? SIZE_MAX : r->expert);
    common_put_text(out, ",\"expert\":");
    if (r->text_size > 0)
        common_put(out, r->text, r->text_size);
    else
        common_put_text(out, "null");
}

static void put_episode(common_text *out, const service_record *r)
{
    common_put_text(out, ",\"episode\":");
    common_put_count(out, r->episode);
    common_put_text(out, ",\"reason\":");
    common_put_string(out, service_reason_word(r->reason));
    common_put_text(out, ",\"context_probabilities\":");
    common_put_string(out, service_prior_word(r->prior));
}

/* One object per record. */
void service_line(common_text *out, const service_campaign *c, const service_record *r)
{
    common_put_text(out, "{\"number\":");
    common_put_count(out, r->number);
    common_put_text(out, ",\"at\":");
    common_put_time(out, r->at);
    common_put_text(out, ",\"kind\":");
    common_put_string(out, service_kind_word(r->kind));
    if (c != NULL) {
        common_put_text(out, ",\"campaign\":");
        common_put_string(out, c->name);
    }
    if (r->kind == SERVICE_RECORD_CAMPAIGN || r->kind == SERVICE_RECORD_ROSTER) {
        common_put_text(out, ",\"description\":");
        common_put(out, r->text, r->text_size);
    } else if (r->kind == SERVICE_RECORD_OBSERVED) {
        put_observed(out, c, r);
    } else if (service_kind_begins(r->kind)) {
        put_decide(out, c, r);
    } else if (r->kind == SERVICE_RECORD_ACTED) {
        put_acted(out, c, r);
    } else if (r->kind == SERVICE_RECORD_REWARD) {
        put_reward(out, r);
    } else if (r->kind == SERVICE_RECORD_CLOSE) {
        put_close(out, r);
    } else if (r->kind == SERVICE_RECORD_EPISODE) {
        put_episode(out, r);
    } else if (r->kind == SERVICE_RECORD_CONTROL) {
        put_control(out, c, r);
    } else if (r->kind == SERVICE_RECORD_EXPERTS) {
        put_experts(out, c, r);
    } else if (r->kind == SERVICE_RECORD_SAMPLES) {
        common_put_text(out, ",\"samples\":");
        common_put_count(out, r->n);
    } else if (r->kind == SERVICE_RECORD_DROP) {
        common_put_text(out, ",\"dropped\":");
        common_put_count(out, r->decision);
    } else if (r->kind == SERVICE_RECORD_ERASE) {
        common_put_text(out, ",\"erased_rows\":");
        common_put_count(out, service_erase_rows(r));
    } else if (r->kind == SERVICE_RECORD_CLOCK) {
        common_put_text(out, ",\"set_back_seconds\":");
        common_put_number(out, (double)r->shift * 1e-6);
    }
    common_put_text(out, "}\n");
}
