/*
 * event_scan.h: the bodies of decide and reward, read into items.
 */
#ifndef ROSTER_SERVICE_EVENT_SCAN_H
#define ROSTER_SERVICE_EVENT_SCAN_H

#include "service.h"

/* One item of a body: what was there. Strings are borrowed from the body or from the scan. */
typedef struct service_item {
    service_request request;
    const char *reward_id;
    size_t reward_id_size;
    double reward;
    bool has_reward, has_context;
    size_t numbers; /* where they start */
} service_item;

typedef struct service_scan {
    const char *at, *start, *end;
    service_item *items; /* owned */
    size_t n, items_room;
    double *numbers; /* owned */
    size_t n_numbers, numbers_room;
    char *letters; /* owned: strings without their escapes */
    size_t letters_used, letters_room;
    bool list;
    service_error *err;
} service_scan;

service_scan *service_scan_create(void);
void service_scan_free(service_scan *self);
service_code service_scan_decide(service_scan *self, const char *body, size_t size, service_error *err);
service_code service_scan_reward(service_scan *self, const char *body, size_t size, service_error *err);

#endif
