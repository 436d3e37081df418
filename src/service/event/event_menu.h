/*
 * event_menu.h: the actions of one request, and what each expert does with them.
 */
#ifndef ROSTER_SERVICE_EVENT_MENU_H
#define ROSTER_SERVICE_EVENT_MENU_H

#include "event_scan.h"

enum { SERVICE_ACTIONS_MOST = 100000 }; /* of a request */

/* Starts as {0}. Arrays are owned, and used again by the next request. */
typedef struct service_menu {
    const service_scan *scan; /* borrowed while a request is looked at */
    const service_item *item;
    const service_campaign *campaign;
    size_t n;            /* actions                                                            */
    uint32_t *first;     /* [n]: the label that names the action                               */
    uint32_t *row_of;    /* [n]: 1 + the last row that named it                                */
    uint64_t *slots;     /* [n_slots], a power of 2: hash of a name, and 1 + its action below   */
    uint32_t *action_of; /* [n_labels]: which action a label of the item names                 */
    uint32_t *order;     /* [n experts]: which row is whose                                    */
    size_t first_room, row_of_room, n_slots, action_of_room, order_room;
    const uint64_t *secret; /* borrowed: of the hash, so that names that were chosen to collide do not */
} service_menu;

void service_menu_free(service_menu *self);
/* Reads the actions and rows of an item of the service's scan: every row a distribution over them. */
service_code service_menu_read(service *self, const service_item *item, const service_campaign *c, service_error *err);
/* The action that expert k takes at that uniform number. */
size_t service_menu_draw(service_menu *self, size_t k, double u);
/* Each expert's probability of the action. */
void service_menu_across(const service_menu *self, size_t action, double *pi);
const service_label *service_menu_name(const service_menu *self, size_t action);

#endif
