/*
 * event_scan.h: the bodies of decide and reward, read into items.
 */
#ifndef ROSTER_SERVICE_EVENT_SCAN_H
#define ROSTER_SERVICE_EVENT_SCAN_H

#include "service_elsewhere.h"

/* A text of the body. */
typedef struct service_label {
    const char *text;
    size_t size;
} service_label;

/* Some of the scan's numbers or labels. */
typedef struct service_span {
    size_t from, n;
} service_span;

/* What one expert does with the actions of a request (event_menu.c). */
typedef struct service_row {
    service_span numbers;
    size_t labels; /* where the names of the actions start, one per number; SIZE_MAX: all actions, in their order */
    double tail;   /* which the others share; NAN: none */
} service_row;

/* One item of a body: what was there. Strings are borrowed from the body or from the scan. */
typedef struct service_item {
    const char *from; /* where it begins in the body */
    service_request request;
    const char *reward_id;
    size_t reward_id_size;
    double reward;
    bool has_reward, has_context;
    size_t numbers; /* where they start */
    /* Of decide, where actions come with the request: */
    service_span rows;   /* n 0: none but a matrix of numbers */
    service_span labels; /* all of the item                   */
    /* Of acted; actions and pi_named also of rows: */
    service_label action;
    service_label expert; /* that served */
    double propensity;
    bool has_probabilities, has_actions, has_propensity;
    bool pi_named, deeds_named; /* by expert; else in their order                                                 */
    size_t pi_names;            /* where the labels start that say whose probabilities they are                    */
    service_span pi, deeds;     /* numbers; labels: the action each would have taken, behind the expert where named */
} service_item;

typedef struct service_scan {
    const char *at, *start, *end;
    service_item *items; /* owned */
    size_t n, items_room;
    double *numbers; /* owned */
    size_t n_numbers, numbers_room;
    service_label *labels; /* owned */
    size_t n_labels, labels_room;
    service_row *rows;        /* owned */
    service_label *row_names; /* owned: of experts, by row where they are named */
    size_t n_rows, rows_room, row_names_room;
    char *letters; /* owned: strings without their escapes */
    size_t letters_used, letters_room;
    bool list;
    bool more;              /* items of the list come after these, from `at` on */
    const char *key, *must; /* which is read, and what its value must be */
    service_error *err;
} service_scan;

service_scan *service_scan_create(void);
void service_scan_free(service_scan *self);
/* The body of any call. */
service_code service_scan_call(service_scan *self, service_call call, const char *body, size_t size,
                               service_error *err);
/* Of a list that was read as a whole before: the items from that byte on, `most` of them. */
service_code service_scan_on(service_scan *self, service_call call, const char *body, size_t size, size_t at,
                             size_t most, service_error *err);

/* ---- event_scan.c, for the files below ---- */

service_code service_scan_keep_number(service_scan *s, double x);
/* A number; VERB: how it belongs to its key, as service_scan_other says it. */
service_code service_scan_a_number(service_scan *s, const char *verb, double *x);
/* A list of numbers, which are kept. VERB: how it belongs to its key. */
service_code service_scan_list(service_scan *s, const char *verb, size_t *n);
/* A string, or a whole number taken as its digits; `what` it must be. */
service_code service_scan_digits(service_scan *s, const char *what, const char **out, size_t *size);

/* ---- event_scan_named.c, event_scan_rows.c ---- */

service_code service_scan_keep_label(service_scan *s, const char *text, size_t size);

/* "probabilities" of one action: numbers, or an object of numbers by expert. */
service_code service_scan_probabilities(service_scan *s, service_item *item);
/* "probabilities" of decide: a matrix of numbers; or rows, of which some are objects or named. */
service_code service_scan_rows(service_scan *s, service_item *item);
/* "actions": names, or an object of names by expert. */
service_code service_scan_deeds(service_scan *s, service_item *item);

/* ---- event_scan_value.c, for event_scan.c ---- */

static inline void service_scan_skip(service_scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r'))
        s->at++;
}

/* The next letter that counts; 0 at the end. */
static inline char service_scan_next(service_scan *s)
{
    service_scan_skip(s);
    return s->at < s->end ? *s->at : '\0';
}

static inline bool service_scan_take(service_scan *s, char c)
{
    if (service_scan_next(s) != c || s->at >= s->end)
        return false;
    s->at++;
    return true;
}

static inline bool service_scan_is_digit(const service_scan *s, const char *at)
{
    return at < s->end && *at >= '0' && *at <= '9';
}

/* Says what was expected where the scan is. SERVICE_SYNTAX. */
service_code service_scan_wrong(service_scan *s, const char *expected);
/* Something else comes than what was expected: SERVICE_INVALID and "KEY is a string, must be .." where that is a value
   (VERB: "is" or "has"), else as service_scan_wrong. */
service_code service_scan_other(service_scan *s, const char *verb, const char *expected);
service_code service_scan_string(service_scan *s, const char **out, size_t *size);
/* Where a number ends, by the grammar of JSON; NULL: it is none. */
const char *service_scan_number_end(const service_scan *s);
service_code service_scan_number(service_scan *s, double *out);

#endif
