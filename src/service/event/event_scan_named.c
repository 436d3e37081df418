/*
 * event_scan_named.c: lists and objects of numbers and names in a body: of the experts, in their order or by name.
 *
 *   probabilities   [0.2, 0.7] | {"old": 0.2, "new": 0.7}
 *   actions         ["a17", "a3"] | {"old": "a17", "new": "a3"}
 *
 * Paper: none.
 * Cost: about 2 ns per byte.
 * Check: tests/unit/test_service_elsewhere.c; tests/fuzz/fuzz_service.c.
 */
#include "service_internal.h"

service_code service_scan_keep_label(service_scan *s, const char *text, size_t size)
{
    if (s->n_labels >= SERVICE_NUMBERS_MOST)
        return service_fail(s->err, SERVICE_LIMIT, "the body has more than %d names", SERVICE_NUMBERS_MOST);
    if (!common_grow(&s->labels, &s->labels_room, s->n_labels + 1, sizeof *s->labels))
        return service_no_memory(s->err);
    s->labels[s->n_labels++] = (service_label){text, size};
    return SERVICE_OK;
}

static service_code take_name(service_scan *s)
{
    const char *text;
    size_t size;
    service_code code = service_scan_string(s, &text, &size);
    return code == SERVICE_OK ? service_scan_keep_label(s, text, size) : code;
}

static service_code take_number(service_scan *s)
{
    double x;
    service_code code = service_scan_a_number(s, "has", &x);
    return code == SERVICE_OK ? service_scan_keep_number(s, x) : code;
}

/* An action: a string, or a whole number taken as its digits. */
static service_code take_action(service_scan *s)
{
    const char *text;
    size_t size;
    service_code code = service_scan_digits(s, "names of actions", &text, &size);
    return code == SERVICE_OK ? service_scan_keep_label(s, text, size) : code;
}

/* The values of a list or an object; *n of them. Names of an object are labels before the first value. */
static service_code take_all(service_scan *s, service_code (*take)(service_scan *s), size_t *n)
{
    bool object = service_scan_next(s) == '{';
    char end = object ? '}' : ']';
    service_code code = SERVICE_OK;
    *n = 0;
    if (!service_scan_take(s, object ? '{' : '['))
        return service_scan_other(s, "is", "a list or an object");
    if (service_scan_take(s, end))
        return SERVICE_OK;
    do {
        if (object)
            code = take_name(s);
        if (code == SERVICE_OK && object && !service_scan_take(s, ':'))
            code = service_scan_wrong(s, "':'");
        if (code == SERVICE_OK)
            code = take(s);
        ++*n;
    } while (code == SERVICE_OK && service_scan_take(s, ','));
    if (code != SERVICE_OK || service_scan_take(s, end))
        return code;
    return service_scan_wrong(s, object ? "',' or '}'" : "',' or ']'");
}

service_code service_scan_probabilities(service_scan *s, service_item *item)
{
    item->has_probabilities = true;
    item->pi_named = service_scan_next(s) == '{';
    item->pi.from = s->n_numbers;
    item->pi_names = s->n_labels;
    return take_all(s, take_number, &item->pi.n);
}

/* By name, labels come in pairs: expert, action. */
service_code service_scan_deeds(service_scan *s, service_item *item)
{
    item->has_actions = true;
    item->deeds_named = service_scan_next(s) == '{';
    item->deeds.from = s->n_labels;
    return take_all(s, take_action, &item->deeds.n);
}
