/*
 * log_stream_rows.c: rows of the log in memory, for streaming it.
 *
 * The loop, which streams, knows the campaigns and must not wait for a disk; a thread that reads the disk must not read
 * campaigns that change meanwhile. So the loop asks for a row that is missing here, and a thread reads it.
 *
 * Paper: none.
 * Cost: MEMORY_MOST bytes, or one row and the one being streamed where these are larger.
 * Check: tests/unit/test_service_store.c.
 */
#include "log_stream_rows.h"

#include "byte_order.h"

#include <stdlib.h>
#include <string.h>

/* What is read ahead must not push out what was asked for. */
enum { PAGES = 64, AHEAD_PAGES = 16, AHEAD = 256 << 10, MEMORY_MOST = 4 << 20 };

struct service_rows {
    service_page pages[PAGES];
    uint64_t turn;    /* of the last look */
    uint64_t current; /* the first record of the page being streamed, which stays */
    service_inside inside;
    uint64_t end; /* there was no record from here on when it was last read; 0: not known */
};

service_rows *service_rows_create(void)
{
    return calloc(1, sizeof(service_rows));
}

service_inside *service_rows_inside(service_rows *self)
{
    return &self->inside;
}

bool service_rows_are_inside(const service_rows *self)
{
    return self->inside.record != 0;
}

static void free_page(service_page *p)
{
    free(p->bytes);
    free(p->starts);
    *p = (service_page){0};
}

void service_rows_free(service_rows *self)
{
    for (size_t i = 0; self != NULL && i < PAGES; i++)
        free_page(&self->pages[i]);
    free(self);
}

const service_page *service_rows_find(service_rows *self, uint64_t number, bool current, bool *past_end)
{
    *past_end = self->end != 0 && number >= self->end;
    for (size_t i = 0; i < PAGES; i++) {
        service_page *p = &self->pages[i];
        if (p->count == 0 || number < p->from || number >= p->first + p->count)
            continue;
        p->used = ++self->turn;
        if (current)
            self->current = p->first;
        return p;
    }
    return NULL;
}

/* A free place; where there is none, or memory is short, of what was used longest ago. */
static service_page *make_place(service_rows *self, size_t size)
{
    service_page *place = NULL, *oldest;
    do {
        size_t memory = size;
        oldest = NULL;
        for (size_t i = 0; i < PAGES; i++) {
            service_page *p = &self->pages[i];
            memory += p->size;
            if (p->count == 0)
                place = p;
            else if (p->first != self->current && (oldest == NULL || p->used < oldest->used))
                oldest = p;
        }
        if (oldest == NULL || (place != NULL && memory <= MEMORY_MOST))
            break;
        free_page(oldest);
    } while (true);
    return place;
}

static service_code copy_row(service_rows *self, const store_row *row, uint64_t from, service_error *err)
{
    if (row->count == 0 || row->count > row->size / 8)
        return service_fail(err, SERVICE_DAMAGED, "the row of record %llu is damaged", (unsigned long long)row->first);
    service_page *p = make_place(self, row->size);
    p->bytes = malloc(row->size + 1);
    p->starts = calloc((size_t)row->count, sizeof *p->starts);
    if (p->bytes == NULL || p->starts == NULL) {
        free_page(p);
        return service_no_memory(err);
    }
    memcpy(p->bytes, row->records, row->size);
    *p = (service_page){p->bytes, p->starts, from, row->first, 0, row->size, ++self->turn};
    for (size_t at = 0; p->count < row->count && row->size - at >= 8; p->count++) {
        size_t size = 8 + (size_t)byte_order_get(p->bytes + at, 4);
        p->starts[p->count] = at;
        at = size <= row->size - at ? at + size : row->size;
    }
    return SERVICE_OK;
}

service_code service_rows_read(service_rows *self, store *log, uint64_t number, service_error *err)
{
    service_code code = SERVICE_OK;
    store_row row;
    roster_error wrong;
    bool found, past_end;
    size_t size = 0;
    for (int i = 0; i < AHEAD_PAGES && size < AHEAD && code == SERVICE_OK; i++) {
        if (service_rows_find(self, number, false, &past_end) != NULL)
            break;
        if (store_read(log, number, &row, &found, &wrong) != ROSTER_OK)
            return service_pass(&wrong, SERVICE_STORE, err);
        found = found && row.first + row.count > number;
        if (!found) {
            self->end = number;
            break;
        }
        code = copy_row(self, &row, number, err);
        size += row.size;
        number = row.first + row.count;
    }
    return code;
}
