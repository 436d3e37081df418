/*
 * log_erase.c: one event's id and features are erased: from the log, from memory, and from what is exported later.
 *
 *   open      the owner of the service: which campaigns have that name; refused while the event is open
 *   find      any thread: the records that have the id, and what their rows become
 *   say       the owner again: an erase record, which also takes the event's key out of memory
 *   rewrite   any thread, when a snapshot after that record is there: the rows' new content
 *
 * A decision or reward that was erased has the key (0, ERASED), no text, no reward_id, and zeros for features or
 * probabilities; all else stays, so that it is counted as before. An erase record says which records it is about, which
 * rows they are in, the SHA-256 of each row's new content, and where in memory keys are (log_erase_record.c). Nothing
 * in it can be turned back into the id.
 *
 * Paper: none.
 * Cost: of find that of reading the log up to the request; of say microseconds, and about a millisecond for an id among
 *       those that were forgotten.
 * Check: tests/http/erase.py, tests/unit/test_service_erase.c.
 */
#define _GNU_SOURCE
#include "log_erase.h"
#include "siphash.h"

#include <stdlib.h>
#include <string.h>

static void *append(service_list *self, const void *item, size_t size)
{
    if (!common_grow(&self->data, &self->room, self->n + 1, size))
        return NULL;
    return memcpy(self->data + self->n++ * size, item, size);
}

static bool has_number(const service_list *self, uint64_t number)
{
    size_t low = 0, high = self->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (service_list_number(self, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < self->n && service_list_number(self, low) == number;
}

void service_erase_close(service_erase *self)
{
    if (self == NULL)
        return;
    free(self->campaigns);
    free(self->records.data);
    free(self->decisions.data);
    free(self->names.data);
    free(self->rows.data);
    service_parts_free(&self->parts);
    free(self);
}

/* ---- what it is about ---- */

/* {"event_id": "..."} */
static service_code read_id(service_erase *self, const char *body, size_t size, service_error *err)
{
    json_t *json;
    service_code code = service_load_body(&json, body, size, "the request", err);
    if (code != SERVICE_OK)
        return code;
    const json_t *id = json_object_get(json, "event_id");
    size_t length = json_is_string(id) ? json_string_length(id) : 0;
    service_key key;
    if (!json_is_object(json) || json_object_size(json) != 1 || !json_is_string(id))
        code = service_fail(err, SERVICE_INVALID, "the request must be {\"event_id\": \"...\"}");
    else
        code = service_key_make(&key, 0, json_string_value(id), length, err);
    if (code == SERVICE_OK)
        memcpy(self->id, json_string_value(id), self->id_size = length);
    json_decref(json);
    return code;
}

/* Of campaigns that share the name all but one are archived. */
static bool find_campaigns(service_erase *self, const service *from)
{
    service_list found = {0};
    for (uint32_t i = 0; i < from->n_campaigns; i++)
        if (strcmp(from->campaigns[i]->name, self->name) == 0 && append(&found, &i, sizeof i) == NULL) {
            free(found.data);
            return false;
        }
    self->campaigns = (uint32_t *)(void *)found.data;
    self->n_campaigns = found.n;
    return true;
}

/* Whether an event of that id waits for its reward. */
static bool is_open(const service *from, const service_erase *self, int64_t now)
{
    for (size_t i = 0; i < self->n_campaigns; i++) {
        const service_campaign *c = from->campaigns[self->campaigns[i]];
        service_event *event = NULL;
        service_key key;
        service_error none;
        if (!c->freed && service_key_find(c, self->id, self->id_size, now, &key, &event, &none) == SERVICE_OK &&
            event != NULL && !event->settled)
            return true;
    }
    return false;
}

service_code service_erase_open(const service *from, const service_campaign *c, const char *body, size_t size,
                                int64_t now, service_erase **out, service_error *err)
{
    service_erase *self = *out = calloc(1, sizeof *self);
    service_code code = service_ready(from, NULL, err);
    if (code != SERVICE_OK || self == NULL) {
        service_erase_close(self);
        *out = NULL;
        return code != SERVICE_OK ? code : service_no_memory(err);
    }
    strcpy(self->name, c->name);
    self->until = from->last;
    code = read_id(self, body, size, err);
    if (code == SERVICE_OK && !find_campaigns(self, from))
        code = service_no_memory(err);
    if (code == SERVICE_OK && is_open(from, self, now))
        code = service_fail(err, SERVICE_OPEN,
                            "event %s is open: send its reward, or wait until its window ends, and erase it then",
                            self->id);
    if (code != SERVICE_OK) {
        service_erase_close(self);
        *out = NULL;
    }
    return code;
}

uint64_t service_erase_until(const service_erase *self)
{
    return self->until;
}

size_t service_erase_count(const service_erase *self)
{
    return self->records.n;
}

const char *service_erase_id(const service_erase *self)
{
    return self->id;
}

/* ---- rows ---- */

static bool is_wanted(const service_erase *self, const service_record *r)
{
    char id[SERVICE_ID_MOST + 1];
    bool of = false;
    if (!service_kind_has_event(r->kind) || r->number > self->until)
        return false;
    for (size_t i = 0; i < self->n_campaigns && !of; i++)
        of = self->campaigns[i] == r->campaign;
    service_record_id(r, id);
    return of && strcmp(id, self->id) == 0;
}

static void blank(service_record *r, service_parts *parts)
{
    r->key = (service_key){0, SERVICE_ERASED};
    r->name = (service_key){0, 0};
    r->text_size = 0;
    if (r->n > 0) /* of kinds with an event, features or probabilities */
        memset(parts->numbers, 0, r->n * sizeof *parts->numbers);
}

/* Goes through a row. With `out` its new content is made; else what is wanted in it is noted. */
static service_code walk(service_erase *self, const store_row *row, service_bytes *out, service_error *err)
{
    size_t used = 0;
    service_code code = SERVICE_OK;
    for (uint64_t i = 0; i < row->count && code == SERVICE_OK; i++) {
        service_record r;
        size_t start = used;
        code = service_record_decode(row->records, row->size, &used, &self->parts, &r, err);
        r.number = row->first + i;
        if (code != SERVICE_OK)
            return code;
        bool taken = out != NULL ? has_number(&self->records, r.number) : is_wanted(self, &r);
        if (out == NULL && taken &&
            (append(&self->records, &r.number, sizeof r.number) == NULL ||
             (service_kind_begins(r.kind) && append(&self->decisions, &r.number, sizeof r.number) == NULL) ||
             (r.name.b != 0 && append(&self->names, &r.name, sizeof r.name) == NULL)))
            return service_no_memory(err);
        if (out == NULL)
            continue;
        if (taken)
            blank(&r, &self->parts);
        size_t most = taken ? service_record_room(&r) : used - start;
        if (!service_bytes_reserve(out, most))
            return service_no_memory(err);
        if (taken) {
            service_record_encode(&r, out);
        } else {
            memcpy(out->data + out->used, (const unsigned char *)row->records + start, used - start);
            out->used += used - start;
        }
    }
    return code;
}

/* A row that has something to erase, with the hash of what it becomes. */
static service_code note_row(service_erase *self, const store_row *row, service_error *err)
{
    size_t before = self->records.n;
    service_bytes content = {0};
    store_rewrite to = {.first = row->first};
    service_code code = walk(self, row, NULL, err);
    if (code != SERVICE_OK || self->records.n == before)
        return code;
    code = walk(self, row, &content, err);
    store_digest(content.data, content.used, to.digest);
    free(content.data);
    if (code == SERVICE_OK && append(&self->rows, &to, sizeof to) == NULL)
        code = service_no_memory(err);
    return code;
}

service_code service_erase_find(service_erase *self, store *log, service_error *err)
{
    service_code code = SERVICE_OK;
    store_row row = {0};
    bool found = true, number = strchr("#0123456789", self->id[0]) != NULL; /* which may be there without its text */
    store_cut_read(log);
    for (uint64_t next = 1; code == SERVICE_OK && found && next <= self->until; next = row.first + row.count) {
        roster_error wrong;
        if (store_read(log, next, &row, &found, &wrong) != ROSTER_OK)
            code = service_pass(&wrong, SERVICE_STORE, err);
        else if (found && (number || memmem(row.records, row.size, self->id, self->id_size) != NULL))
            code = note_row(self, &row, err);
    }
    return code;
}

static int rewrite(void *context, const store_row *row, void **bytes, size_t *size, roster_error *err)
{
    service_bytes content = {0};
    service_error wrong;
    service_code code = walk(context, row, &content, &wrong);
    *bytes = content.data;
    *size = content.used;
    if (code == SERVICE_OK)
        return ROSTER_OK;
    err->code = code == SERVICE_MEMORY ? ROSTER_ENOMEM : ROSTER_EDAMAGED;
    memcpy(err->msg, wrong.msg, sizeof err->msg < sizeof wrong.msg ? sizeof err->msg : sizeof wrong.msg);
    err->msg[sizeof err->msg - 1] = '\0';
    return err->code;
}

int service_erase_make(service_erase *self, const char *directory, uint64_t snapshot, roster_error *err)
{
    const store_erasure what = {.record = self->record,
                                .snapshot = snapshot,
                                .rows = (const store_rewrite *)(const void *)self->rows.data,
                                .n = self->rows.n,
                                .rewrite = rewrite,
                                .context = self};
    return store_erase(directory, &what, err);
}

/* ---- one that was not made ---- */

/* What an erase record says. */
static service_code take(service_erase *self, const service_record *r, service_error *err)
{
    bool fits = true;
    for (size_t i = 0; i < service_erase_records(r) && fits; i++) {
        uint64_t number = service_erase_record(r, i);
        fits = append(&self->records, &number, sizeof number) != NULL;
    }
    for (size_t i = 0; i < service_erase_rows(r) && fits; i++) {
        store_rewrite to;
        service_erase_row(r, i, &to);
        fits = append(&self->rows, &to, sizeof to) != NULL;
    }
    return fits ? SERVICE_OK : service_no_memory(err);
}

service_code service_erase_load(store *log, uint64_t record, service_erase **out, service_error *err)
{
    service_erase *self = *out = calloc(1, sizeof *self);
    store_row row;
    roster_error wrong;
    service_record r = {0};
    bool found;
    size_t used = 0;
    service_code code = SERVICE_OK;
    if (self == NULL)
        return service_no_memory(err);
    self->record = record;
    store_rest(log); /* what was read before shows the log as it was then */
    store_cut_read(log);
    if (record <= store_cut_of(log)->record) /* it was dropped, and all rows that it is about with it */
        return SERVICE_OK;
    if (store_read(log, record, &row, &found, &wrong) != ROSTER_OK)
        return service_pass(&wrong, SERVICE_STORE, err);
    for (uint64_t i = row.first; found && i <= record && code == SERVICE_OK; i++)
        code = service_record_decode(row.records, row.size, &used, &self->parts, &r, err);
    if (code == SERVICE_OK && r.kind != SERVICE_RECORD_ERASE)
        code = service_fail(err, SERVICE_DAMAGED, "record %llu is not an erase record", (unsigned long long)record);
    return code == SERVICE_OK ? take(self, &r, err) : code;
}

/* ---- whether it was asked for before ---- */

static uint64_t mark_of(const service *self, const service_erase *what)
{
    char both[sizeof what->name + sizeof what->id] = {0};
    uint64_t hash[2];
    memcpy(both, what->name, sizeof what->name);
    memcpy(both + sizeof what->name, what->id, sizeof what->id);
    siphash_bytes(self->secret[0], self->secret[1], both, sizeof both, hash);
    return hash[0];
}

void service_erase_remember(service *self, const service_erase *what)
{
    self->asked.marks[self->asked.n++ % SERVICE_ASKED] = mark_of(self, what);
}

bool service_erase_was_asked(const service *self, const service_erase *what)
{
    uint64_t mark = mark_of(self, what);
    for (size_t i = 0; i < SERVICE_ASKED && i < self->asked.n; i++)
        if (self->asked.marks[i] == mark)
            return true;
    return false;
}
