/*
 * event_scan.c: the JSON of decide and reward bodies, read without building a tree.
 *
 *   body     item | [item, ..]
 *   decide   {"event_id": id, "context": name | number, "features": [..], "probabilities": [[..], ..], "actions": [..]}
 *   reward   {"event_id": id, "reward": number, "reward_id": id}
 *   choose   {"event_id": id}
 *   observed {"event_id": id, "context": .. | "features": .. | "probabilities": .., "action": name,
 *            "propensity": number, "expert": name}
 *   acted    {"event_id": id, "action": name, "probabilities": [..] | {..}, "actions": [..] | {..}}
 *
 * Paper: none.
 *
 * Strict JSON of which only these keys are known, each at most once; what is no JSON is refused with the byte where
 * that was found, a value of another type with its key. Strings without escapes are borrowed from the body.
 *
 * Cost: about 2 ns per byte.
 * Check: like jansson on random texts (tests/unit/test_service_parts.c: as_jansson_reads); tests/fuzz/fuzz_service.c.
 */
#include "service_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

service_scan *service_scan_create(void)
{
    return calloc(1, sizeof(service_scan));
}

void service_scan_free(service_scan *self)
{
    if (self == NULL)
        return;
    free(self->items);
    free(self->numbers);
    free(self->labels);
    free(self->rows);
    free(self->row_names);
    free(self->letters);
    free(self);
}

/* What is left of the last body goes, and with it what a large one needed. */
static void scan_clear(service_scan *s)
{
    s->n = s->n_numbers = s->n_labels = s->n_rows = s->letters_used = 0;
    size_t most = s->items_room * sizeof *s->items;
    most = s->numbers_room * sizeof *s->numbers > most ? s->numbers_room * sizeof *s->numbers : most;
    most = s->labels_room * sizeof *s->labels > most ? s->labels_room * sizeof *s->labels : most;
    most = s->rows_room * sizeof *s->rows > most ? s->rows_room * sizeof *s->rows : most;
    if (most <= SERVICE_BUFFER_KEPT && s->letters_room <= SERVICE_BUFFER_KEPT)
        return;
    free(s->items);
    free(s->numbers);
    free(s->labels);
    free(s->rows);
    free(s->row_names);
    free(s->letters);
    *s = (service_scan){0};
}

service_code service_scan_keep_number(service_scan *s, double x)
{
    if (s->n_numbers >= SERVICE_NUMBERS_MOST)
        return service_fail(s->err, SERVICE_LIMIT, "the body has more than %d numbers", SERVICE_NUMBERS_MOST);
    if (!common_grow(&s->numbers, &s->numbers_room, s->n_numbers + 1, sizeof *s->numbers))
        return service_no_memory(s->err);
    s->numbers[s->n_numbers++] = x;
    return SERVICE_OK;
}

service_code service_scan_a_number(service_scan *s, const char *verb, double *x)
{
    char first = service_scan_next(s);
    bool is = first == '-' || (first >= '0' && first <= '9');
    return is ? service_scan_number(s, x) : service_scan_other(s, verb, "a number");
}

/* VERB: how the list belongs to its key, as service_scan_other says it. */
service_code service_scan_list(service_scan *s, const char *verb, size_t *n)
{
    service_code code = SERVICE_OK;
    *n = 0;
    if (!service_scan_take(s, '['))
        return service_scan_other(s, verb, "a list of numbers");
    if (service_scan_take(s, ']'))
        return SERVICE_OK;
    do {
        double x;
        code = service_scan_a_number(s, "has", &x);
        if (code == SERVICE_OK)
            code = service_scan_keep_number(s, x);
        ++*n;
    } while (code == SERVICE_OK && service_scan_take(s, ','));
    return code != SERVICE_OK || service_scan_take(s, ']') ? code : service_scan_wrong(s, "',' or ']'");
}

/* A name, or a number from 0. */
static service_code context(service_scan *s, service_item *item)
{
    service_request *q = &item->request;
    double x;
    item->has_context = true;
    if (service_scan_next(s) == '"')
        return service_scan_string(s, &q->context, &q->context_size);
    service_code code = service_scan_a_number(s, "is", &x);
    if (code == SERVICE_OK && !(x >= 0 && x <= 4294967295.0 && x == floor(x)))
        return service_fail(s->err, SERVICE_INVALID, "context is %g, must be a name or a whole number from 0", x);
    q->number = code == SERVICE_OK ? (size_t)x : 0;
    return code;
}

service_code service_scan_digits(service_scan *s, const char *what, const char **out, size_t *size)
{
    if (service_scan_next(s) == '"')
        return service_scan_string(s, out, size);
    const char *from = s->at, *end = service_scan_is_digit(s, s->at) ? service_scan_number_end(s) : NULL;
    for (const char *at = from; end != NULL && at < end; at++)
        if (*at < '0' || *at > '9')
            end = NULL;
    if (end == NULL)
        return service_scan_other(s, "is", what);
    *out = from;
    *size = (size_t)(end - from);
    s->at = end;
    return SERVICE_OK;
}

enum {
    EVENT_ID = 1,
    CONTEXT = 2,
    FEATURES = 4,
    PROBABILITIES = 8,
    REWARD = 16,
    REWARD_ID = 32,
    ACTION = 64,
    ACTIONS = 128,
    OF_ACTION = 256, /* probabilities of the action taken alone */
    PROPENSITY = 512,
    EXPERT = 1024
};

/* What each call knows. */
static const unsigned known_of[] = {[SERVICE_CALL_DECIDE] = EVENT_ID | CONTEXT | FEATURES | PROBABILITIES | ACTIONS,
                                    [SERVICE_CALL_REWARD] = EVENT_ID | REWARD | REWARD_ID,
                                    [SERVICE_CALL_CHOOSE] = EVENT_ID,
                                    [SERVICE_CALL_ACTED] = EVENT_ID | ACTION | ACTIONS | OF_ACTION,
                                    [SERVICE_CALL_OBSERVED] = EVENT_ID | CONTEXT | FEATURES | ACTION | ACTIONS |
                                                              OF_ACTION | PROPENSITY | EXPERT};

static const struct {
    const char *name;
    unsigned bit;
    const char *must; /* be */
} keys[] = {{"event_id", EVENT_ID, "a string or a whole number from 0"},
            {"context", CONTEXT, "a name or a whole number from 0"},
            {"features", FEATURES, "a list of numbers"},
            {"probabilities", PROBABILITIES, "a list of rows, or an object of rows by expert"},
            {"reward", REWARD, "a number"},
            {"reward_id", REWARD_ID, "a string"},
            {"action", ACTION, "a string or a whole number from 0"},
            {"actions", ACTIONS, "a list of names, or an object of names by expert"},
            {"probabilities", OF_ACTION, "a list of numbers, or an object of numbers by expert"},
            {"propensity", PROPENSITY, "a number"},
            {"expert", EXPERT, "the name of an expert"}};

static service_code read_value(service_scan *s, service_item *item, unsigned bit)
{
    if (bit == EVENT_ID)
        return service_scan_digits(s, "an event_id (a string)", &item->request.id, &item->request.id_size);
    if (bit == ACTION)
        return service_scan_digits(s, "an action (a string)", &item->action.text, &item->action.size);
    if (bit == ACTIONS)
        return service_scan_deeds(s, item);
    if (bit == EXPERT)
        return service_scan_next(s) == '"' ? service_scan_string(s, &item->expert.text, &item->expert.size)
                                           : service_scan_other(s, "is", "a string");
    if (bit == PROPENSITY) {
        item->has_propensity = true;
        return service_scan_a_number(s, "is", &item->propensity);
    }
    if (bit == OF_ACTION)
        return service_scan_probabilities(s, item);
    if (bit == CONTEXT)
        return context(s, item);
    if (bit == REWARD_ID)
        return service_scan_next(s) == '"' ? service_scan_string(s, &item->reward_id, &item->reward_id_size)
                                           : service_scan_other(s, "is", "a string");
    if (bit == REWARD) {
        item->has_reward = true;
        return service_scan_a_number(s, "is", &item->reward);
    }
    if (bit == PROBABILITIES)
        return service_scan_rows(s, item);
    item->numbers = s->n_numbers;
    return service_scan_list(s, "is", &item->request.n_features);
}

static service_code unknown_key(service_scan *s, unsigned allowed, const char *key, size_t size)
{
    char names[120] = "";
    unsigned left = allowed;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (!(keys[i].bit & allowed))
            continue;
        left &= ~keys[i].bit;
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s%s", used == 0 ? "" : left == 0 ? " and " : ", ", keys[i].name);
    }
    return service_fail(s->err, SERVICE_INVALID, "unknown key '%.*s'; known %s %s", (int)(size < 40 ? size : 40), key,
                        allowed == EVENT_ID ? "is" : "are", names);
}

static service_code read_key(service_scan *s, unsigned allowed, unsigned *seen, unsigned *bit)
{
    const char *key;
    size_t size;
    service_code code = service_scan_string(s, &key, &size);
    if (code != SERVICE_OK)
        return code;
    *bit = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if ((keys[i].bit & allowed) && strlen(keys[i].name) == size && memcmp(keys[i].name, key, size) == 0) {
            *bit = keys[i].bit;
            s->key = keys[i].name;
            s->must = keys[i].must;
        }
    if (*bit == 0)
        return unknown_key(s, allowed, key, size);
    if (*seen & *bit)
        return service_fail(s->err, SERVICE_SYNTAX, "key '%.*s' is given twice", (int)size, key);
    *seen |= *bit;
    return service_scan_take(s, ':') ? SERVICE_OK : service_scan_wrong(s, "':'");
}

static service_code new_item(service_scan *s, service_item **out)
{
    if (s->n >= SERVICE_ITEMS_MOST)
        return service_fail(s->err, SERVICE_LIMIT, "the list has more than %d items", SERVICE_ITEMS_MOST);
    if (!common_grow(&s->items, &s->items_room, s->n + 1, sizeof *s->items))
        return service_no_memory(s->err);
    *out = &s->items[s->n++];
    **out = (service_item){.from = s->at, .numbers = SIZE_MAX, .labels.from = s->n_labels};
    return SERVICE_OK;
}

static service_code read_item(service_scan *s, unsigned allowed)
{
    service_item *item = NULL;
    unsigned seen = 0, bit = 0;
    service_code code = new_item(s, &item);
    if (code != SERVICE_OK)
        return code;
    if (!service_scan_take(s, '{'))
        return service_scan_wrong(s, "an object");
    if (service_scan_take(s, '}'))
        return SERVICE_OK;
    do {
        code = service_scan_next(s) == '"' ? read_key(s, allowed, &seen, &bit) : service_scan_wrong(s, "a key");
        if (code == SERVICE_OK)
            code = read_value(s, item, bit);
    } while (code == SERVICE_OK && service_scan_take(s, ','));
    item->labels.n = s->n_labels - item->labels.from;
    if (code == SERVICE_OK && (seen & FEATURES) && (seen & PROBABILITIES))
        return service_fail(s->err, SERVICE_INVALID, "features and probabilities are both given: give one of them");
    return code != SERVICE_OK || service_scan_take(s, '}') ? code : service_scan_wrong(s, "',' or '}'");
}

/* Numbers have stopped moving: requests can point to theirs. */
static void point(service_scan *s)
{
    static const double none = 0;
    for (size_t i = 0; i < s->n; i++) {
        service_request *q = &s->items[i].request;
        if (s->items[i].numbers == SIZE_MAX)
            continue;
        const double *at = s->numbers != NULL ? s->numbers + s->items[i].numbers : &none;
        bool features = q->n_experts == 0;
        q->features = features ? at : NULL;
        q->probabilities = features ? NULL : at;
    }
}

static void begin(service_scan *s, const char *body, size_t size, size_t at, service_error *err)
{
    scan_clear(s);
    s->start = body;
    s->at = body + at;
    s->end = body + size;
    s->err = err;
    s->more = false;
}

/* The next items, `most` where it is a list. */
static service_code read_items(service_scan *s, unsigned allowed, size_t most)
{
    service_code code;
    do {
        code = read_item(s, allowed);
        s->more = code == SERVICE_OK && s->list && service_scan_take(s, ',');
    } while (s->more && s->n < most);
    return code;
}

static service_code read_body(service_scan *s, const char *body, size_t size, unsigned allowed, service_error *err)
{
    begin(s, body, size, 0, err);
    s->list = service_scan_take(s, '[');
    service_code code = SERVICE_OK;
    if (!s->list || !service_scan_take(s, ']')) {
        code = read_items(s, allowed, SIZE_MAX);
        if (code == SERVICE_OK && s->list && !service_scan_take(s, ']'))
            code = service_scan_wrong(s, "',' or ']'");
    }
    service_scan_skip(s);
    if (code == SERVICE_OK && s->at != s->end)
        code = service_scan_wrong(s, "nothing more");
    point(s);
    return code;
}

service_code service_scan_call(service_scan *s, service_call call, const char *body, size_t size, service_error *err)
{
    return read_body(s, body, size, known_of[call], err);
}

service_code service_scan_on(service_scan *s, service_call call, const char *body, size_t size, size_t at, size_t most,
                             service_error *err)
{
    begin(s, body, size, at, err);
    s->list = true;
    service_code code = read_items(s, known_of[call], most);
    point(s);
    return code;
}
