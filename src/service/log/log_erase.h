/*
 * log_erase.h: what log_erase.c and log_erase_record.c share, and what the audit asks of an erase record.
 */
#ifndef ROSTER_SERVICE_ERASE_H
#define ROSTER_SERVICE_ERASE_H

#include "service_internal.h"

#include <string.h>

/* Something of which there are more and more. */
typedef struct service_list {
    unsigned char *data; /* owned */
    size_t n, room;
} service_list;

struct service_erase {
    char name[SERVICE_NAME_MOST + 1], id[SERVICE_ID_MOST + 1];
    size_t id_size;
    uint32_t *campaigns; /* owned: of that name */
    size_t n_campaigns;
    uint64_t until;         /* the last record that it is about */
    uint64_t record;        /* the erase record; 0: not said    */
    service_list records;   /* uint64_t, ascending              */
    service_list decisions; /* uint64_t, of these               */
    service_list names;     /* service_key, of rewards          */
    service_list rows;      /* store_rewrite                    */
    service_parts parts;
};

static inline uint64_t service_list_number(const service_list *self, size_t i)
{
    uint64_t x;
    memcpy(&x, self->data + i * sizeof x, sizeof x);
    return x;
}

service_code service_apply_erase(service *self, service_campaign *c, service_record *record, service_error *err);
/* Records and rows that an erase record is about; none where it makes no sense. */
size_t service_erase_records(const service_record *record);
uint64_t service_erase_record(const service_record *record, size_t i);
size_t service_erase_rows(const service_record *record);
void service_erase_row(const service_record *record, size_t i, store_rewrite *out);

#endif
