/*
 * campaign_control.c: what an operator sets by hand: pin, learning, fallback, caps, retain, mode. Each is a record
 * of its own; a call is checked as a whole before the first.
 *
 * Paper: none.
 *
 * Caps must leave an expert to decide: one expert without cap, or caps that sum to 1 or more.
 *
 * Check: tests/unit/test_service_episodes.c: controls_hold, controls_refused.
 */
#include "campaign_shadow.h"

#include <stdlib.h>
#include <string.h>

/* The settings of a call. */
typedef struct changes {
    bool pin, learning, fall_back, cap, retain, mode; /* whether it is set */
    uint32_t pinned, fallen_back;
    bool learns, shadow;
    double *caps; /* owned, [n]: as they will be */
    service_retain kept;
} changes;

static int read_expert(const service_campaign *c, const common_node *at, uint32_t *out, roster_error *err)
{
    const char *word;
    *out = UINT32_MAX;
    if (json_is_null(at->json))
        return ROSTER_OK;
    int code = common_word(at, &word, err);
    size_t k = code == ROSTER_OK ? name_table_find(&c->experts_names.table, word, strlen(word)) : SIZE_MAX;
    if (code == ROSTER_OK && k == SIZE_MAX)
        code = common_fail_at(at, err, "is \"%.40s\", which is not an expert of campaign %s", word, c->name);
    if (code == ROSTER_OK && service_expert_retired(c, k))
        code = common_fail_at(at, err, "is \"%.40s\", which has retired", word);
    *out = (uint32_t)k;
    return code;
}

static int check_caps(const service_campaign *c, const common_node *at, const double *caps, roster_error *err)
{
    double sum = 0;
    for (size_t k = 0; k < c->n; k++)
        sum += service_expert_retired(c, k) ? 0 : caps[k];
    return sum >= 1 ? ROSTER_OK
                    : common_fail_at(at, err, "leaves %g of the traffic without an expert: caps must sum to 1 or more",
                                     1 - sum);
}

static int read_caps(const service_campaign *c, const common_node *at, double *caps, roster_error *err)
{
    const char *key;
    json_t *value;
    int code = common_object(at, err);
    json_object_foreach(at->json, key, value)
    {
        common_node share = common_key(at, key);
        size_t k = name_table_find(&c->experts_names.table, key, strlen(key));
        if (k == SIZE_MAX)
            return common_fail_at(at, err, "has \"%.40s\", which is not an expert of campaign %s", key, c->name);
        if (service_expert_retired(c, k))
            return common_fail_at(at, err, "has \"%.40s\", which has retired", key);
        caps[k] = 1;
        if (!json_is_null(value))
            code = common_number_in(&share, 0, 1, &caps[k], err);
        if (code != ROSTER_OK)
            return code;
    }
    return code == ROSTER_OK ? check_caps(c, at, caps, err) : code;
}

static int read_changes(const service_campaign *c, const common_node *root, changes *out, roster_error *err)
{
    static const char *const known[] = {"pin", "learning", "fallback", "cap", "retain", "mode", NULL};
    common_node mode = common_key(root, "mode");
    common_node pin = common_key(root, "pin"), learning = common_key(root, "learning");
    common_node fallback = common_key(root, "fallback"), cap = common_key(root, "cap");
    int code = common_object(root, err);
    if (code == ROSTER_OK)
        code = common_keys(root, known, err);
    out->pin = pin.json != NULL;
    out->learning = learning.json != NULL;
    out->fall_back = fallback.json != NULL;
    out->cap = cap.json != NULL;
    common_node retain = common_key(root, "retain");
    out->retain = retain.json != NULL;
    if (code == ROSTER_OK && json_object_size(root->json) == 0)
        code = common_fail_at(root, err, "is empty, must have one of pin, learning, fallback, cap, retain and mode");
    if (code == ROSTER_OK && out->pin)
        code = read_expert(c, &pin, &out->pinned, err);
    if (code == ROSTER_OK && out->fall_back)
        code = read_expert(c, &fallback, &out->fallen_back, err);
    if (code == ROSTER_OK && out->learning && !json_is_boolean(learning.json))
        code = common_fail_at(&learning, err, "must be true or false");
    out->learns = json_is_true(learning.json);
    if (code == ROSTER_OK && out->retain)
        code = service_retain_read(&out->kept, &retain, err);
    out->mode = mode.json != NULL;
    if (code == ROSTER_OK && out->mode)
        code = service_read_mode(c, &mode, &out->shadow, err);
    return code == ROSTER_OK && out->cap ? read_caps(c, &cap, out->caps, err) : code;
}

static service_code set(service *self, const service_campaign *c, service_what what, uint32_t expert, double value,
                        int64_t now, service_error *err)
{
    service_record r = {.kind = SERVICE_RECORD_CONTROL,
                        .campaign = c->number,
                        .at = now,
                        .what = (uint8_t)what,
                        .expert = expert,
                        .reward = value};
    return service_do(self, &r, err);
}

/* There is room for all the records; the mode and the first cap are what may need memory: they come first, so that
   hardly ever only a part is set. */
static service_code set_all(service *self, const service_campaign *c, const changes *to, int64_t now,
                            service_error *err)
{
    service_code code = SERVICE_OK;
    if (to->mode && to->shadow != c->shadow)
        code = set(self, c, SERVICE_MODE, UINT32_MAX, to->shadow, now, err);
    for (size_t k = 0; code == SERVICE_OK && to->cap && k < c->n; k++)
        if (to->caps[k] != (c->caps != NULL ? c->caps[k] : 1))
            code = set(self, c, SERVICE_CAP, (uint32_t)k, to->caps[k], now, err);
    if (code == SERVICE_OK && to->pin)
        code = set(self, c, SERVICE_PIN, to->pinned, 0, now, err);
    if (code == SERVICE_OK && to->learning)
        code = set(self, c, SERVICE_LEARNING, UINT32_MAX, to->learns, now, err);
    if (code == SERVICE_OK && to->fall_back)
        code = set(self, c, SERVICE_FALL_BACK, to->fallen_back, 0, now, err);
    if (code == SERVICE_OK && to->retain) /* which of the two is said by the expert's place */
        code = set(self, c, SERVICE_RETAIN, to->kept.events > 0 ? 1 : 0,
                   to->kept.events > 0 ? (double)to->kept.events : (double)to->kept.time, now, err);
    return code;
}

service_code service_control_json(service *self, service_campaign *c, const char *text, size_t size, int64_t now,
                                  service_error *err)
{
    changes to = {0};
    json_t *json = NULL;
    roster_error wrong;
    service_code code = service_ready(self, c, err);
    if (code != SERVICE_OK)
        return code;
    code = service_load_body(&json, text, size, "controls", err);
    if (code != SERVICE_OK)
        return code;
    to.caps = calloc(c->n, sizeof *to.caps);
    for (size_t k = 0; to.caps != NULL && k < c->n; k++)
        to.caps[k] = c->caps != NULL ? c->caps[k] : 1;
    common_node root = common_root("controls", json);
    now = service_clock(self, now);
    if (to.caps == NULL)
        code = service_no_memory(err);
    else if (read_changes(c, &root, &to, &wrong) != ROSTER_OK)
        code = service_pass(&wrong, SERVICE_INVALID, err);
    if (code == SERVICE_OK)
        code = service_close_due(self, c, now, err);
    service_record one = {.kind = SERVICE_RECORD_CONTROL};
    if (code == SERVICE_OK && !service_bytes_reserve(&self->batch, (c->n + 5) * service_record_room(&one)))
        code = service_no_memory(err);
    if (code == SERVICE_OK)
        code = set_all(self, c, &to, now, err);
    free(to.caps);
    json_decref(json);
    return code;
}

static service_code set_cap(service_campaign *c, const service_record *r, service_error *err)
{
    if (c->caps == NULL) {
        c->caps = calloc(c->n, sizeof *c->caps);
        if (c->caps == NULL)
            return service_no_memory(err);
        for (size_t k = 0; k < c->n; k++)
            c->caps[k] = 1;
    }
    c->caps[r->expert] = r->reward;
    return SERVICE_OK;
}

/* What was watched in this episode stays, whatever the mode. */
static service_code set_mode(service_campaign *c, bool shadow, service_error *err)
{
    service_episode_state *e = service_present(c);
    service_code code = shadow && e->shadow == NULL ? service_watch_make(c, e->number, &e->shadow, err) : SERVICE_OK;
    if (code == SERVICE_OK)
        c->shadow = shadow;
    return code;
}

service_code service_apply_control(service *self, service_campaign *c, service_record *r, service_error *err)
{
    bool none = r->expert == UINT32_MAX;
    if (r->what > SERVICE_MODE || (r->what == SERVICE_RETAIN && r->expert > 1) ||
        (r->what != SERVICE_RETAIN && r->expert >= c->n && (!none || r->what == SERVICE_CAP)))
        return service_differs(self, "expert", err, "is %u, must be below %zu", r->expert, c->n);
    service_code code = SERVICE_OK;
    if (r->what == SERVICE_MODE)
        code = set_mode(c, r->reward != 0, err);
    else if (r->what == SERVICE_PIN)
        c->pin = r->expert;
    else if (r->what == SERVICE_LEARNING)
        c->paused = r->reward == 0;
    else if (r->what == SERVICE_FALL_BACK)
        c->fall_back = r->expert;
    else if (r->what == SERVICE_RETAIN && !(r->reward >= 0 && r->reward <= 0x1p60))
        return service_differs(self, "retain", err, "is %g, must be a count or a time", r->reward);
    else if (r->what == SERVICE_RETAIN)
        c->retain = (service_retain){.time = r->expert == 0 ? (int64_t)r->reward : 0,
                                     .events = r->expert == 1 ? (uint64_t)r->reward : 0};
    else
        code = set_cap(c, r, err);
    if (code == SERVICE_OK)
        service_forget(c, r->at);
    return code;
}
