/*
 * log_erase_record.c: what an erase record says, and what it does to memory.
 *
 *   text = n records | n rows | n places | records | rows: first, SHA-256 | places: campaign, list, place
 *
 * Numbers have 8 bytes, little endian. A place is where a key is in one of a campaign's lists, so that the record needs
 * no key: a replayed log has the same keys in the same places.
 *
 * Paper: none.
 * Check: tests/unit/test_service_erase.c.
 */
#include "log_erase.h"

#include "byte_order.h"

#include <stdlib.h>

enum { WORD = 8, HEAD = 3 * WORD, ROW = WORD + STORE_HASH, PLACE = 3 * WORD };
enum { IN_EVENTS, IN_OLD, IN_YOUNG, IN_JOINED, LISTS };

static void put(service_bytes *out, uint64_t x)
{
    byte_order_put(out->data + out->used, x, WORD);
    out->used += WORD;
}

static uint64_t word(const char *text, size_t at)
{
    return byte_order_get((const unsigned char *)text + at, WORD);
}

/* Where the parts of an erase record are. */
typedef struct parts_of {
    size_t records, rows, places;          /* how many */
    size_t records_at, rows_at, places_at; /* where    */
} parts_of;

static bool split(const service_record *r, parts_of *out)
{
    uint64_t most = r->text_size / WORD;
    if (r->text_size < HEAD)
        return false;
    uint64_t a = word(r->text, 0), b = word(r->text, WORD), c = word(r->text, 2 * WORD);
    if (a > most || b > most || c > most || HEAD + a * WORD + b * ROW + c * PLACE != r->text_size)
        return false;
    *out =
        (parts_of){(size_t)a, (size_t)b, (size_t)c, HEAD, HEAD + (size_t)a * WORD, HEAD + (size_t)(a * WORD + b * ROW)};
    return true;
}

size_t service_erase_records(const service_record *r)
{
    parts_of p;
    return split(r, &p) ? p.records : 0;
}

uint64_t service_erase_record(const service_record *r, size_t i)
{
    return word(r->text, HEAD + i * WORD);
}

size_t service_erase_rows(const service_record *r)
{
    parts_of p;
    return split(r, &p) ? p.rows : 0;
}

void service_erase_row(const service_record *r, size_t i, store_rewrite *out)
{
    parts_of p;
    split(r, &p);
    out->first = word(r->text, p.rows_at + i * ROW);
    memcpy(out->digest, r->text + p.rows_at + i * ROW + WORD, STORE_HASH);
}

static bool add_place(service_bytes *out, uint64_t *n, uint32_t campaign, uint64_t which, uint64_t place)
{
    if (place == UINT64_MAX)
        return true;
    if (!service_bytes_reserve(out, PLACE))
        return false;
    put(out, campaign);
    put(out, which);
    put(out, place);
    ++*n;
    return true;
}

/* The place of that decision among the events, UINT64_MAX: none. */
static uint64_t place_of(const service_table *t, uint64_t decision)
{
    uint64_t low = t->tail, high = t->end;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (service_table_at(t, middle)->decision < decision)
            low = middle + 1;
        else
            high = middle;
    }
    bool is = low < t->end && service_table_at(t, low)->decision == decision;
    return is ? low - t->tail : UINT64_MAX;
}

static bool add_places(const service_erase *self, const service_campaign *c, service_bytes *out, uint64_t *n)
{
    service_key key;
    bool fits = true;
    for (size_t i = 0; i < self->decisions.n && fits; i++)
        fits = add_place(out, n, c->number, IN_EVENTS, place_of(&c->table, service_list_number(&self->decisions, i)));
    for (size_t i = 0; i < self->names.n && fits; i++) {
        memcpy(&key, self->names.data + i * sizeof key, sizeof key);
        fits = add_place(out, n, c->number, IN_JOINED, service_table_place(&c->joined, key));
    }
    if (fits && service_key_make(&key, c->draws, self->id, self->id_size, NULL) == SERVICE_OK) {
        const service_forgotten *f = &c->forgotten;
        fits = add_place(out, n, c->number, IN_OLD, service_keys_place(&f->old, f->secret, key)) &&
               add_place(out, n, c->number, IN_YOUNG, service_keys_place(&f->young, f->secret, key));
    }
    return fits;
}

static bool write_text(const service_erase *self, const service *from, service_bytes *out)
{
    uint64_t places = 0;
    bool fits = service_bytes_reserve(out, HEAD + self->records.n * WORD + self->rows.n * ROW);
    if (!fits)
        return false;
    put(out, self->records.n);
    put(out, self->rows.n);
    put(out, 0);
    for (size_t i = 0; i < self->records.n; i++)
        put(out, service_list_number(&self->records, i));
    for (size_t i = 0; i < self->rows.n; i++) {
        store_rewrite row;
        memcpy(&row, self->rows.data + i * sizeof row, sizeof row);
        put(out, row.first);
        memcpy(out->data + out->used, row.digest, STORE_HASH);
        out->used += STORE_HASH;
    }
    for (size_t i = 0; i < self->n_campaigns && fits; i++)
        if (!from->campaigns[self->campaigns[i]]->freed)
            fits = add_places(self, from->campaigns[self->campaigns[i]], out, &places);
    size_t end = out->used;
    out->used = 2 * WORD;
    put(out, places);
    out->used = end;
    return fits;
}

service_code service_erase_say(service *self, service_erase *what, int64_t now, service_error *err)
{
    service_bytes text = {0};
    service_record r = {.kind = SERVICE_RECORD_ERASE,
                        .campaign = what->campaigns[what->n_campaigns - 1],
                        .at = service_clock(self, now)};
    service_code code = service_ready(self, NULL, err);
    if (code == SERVICE_OK && !write_text(what, self, &text))
        code = service_no_memory(err);
    r.text = (const char *)text.data;
    r.text_size = text.used;
    if (code == SERVICE_OK)
        code = service_do(self, &r, err);
    what->record = r.number;
    free(text.data);
    return code;
}

uint64_t service_erased(const service *self)
{
    return self->erased;
}

static service_table *table_of(service_campaign *c, uint64_t which)
{
    return which == IN_EVENTS ? &c->table : &c->joined;
}

static service_keys *keys_of(service_campaign *c, uint64_t which)
{
    return which == IN_OLD ? &c->forgotten.old : &c->forgotten.young;
}

/* That there is such a place, and that what is there may be erased. */
static bool check_place(const service *self, uint64_t campaign, uint64_t which, uint64_t place)
{
    if (campaign >= self->n_campaigns || which >= LISTS || self->campaigns[campaign]->freed)
        return false;
    service_campaign *c = self->campaigns[campaign];
    if (which == IN_OLD || which == IN_YOUNG)
        return place < keys_of(c, which)->n;
    const service_table *t = table_of(c, which);
    return place < t->end - t->tail && (which == IN_JOINED || service_table_at(t, t->tail + place)->settled);
}

static void erase_place(service_campaign *c, uint64_t which, uint64_t place, service_key key)
{
    if (which == IN_OLD || which == IN_YOUNG) {
        service_keys_replace(keys_of(c, which), c->forgotten.secret, (size_t)place, key);
        return;
    }
    service_table *t = table_of(c, which);
    service_event *event = service_table_at(t, t->tail + place);
    service_table_rename(t, t->tail + place, key);
    memset(service_table_numbers(t, event), 0, t->width * sizeof(double));
}

service_code service_apply_erase(service *self, service_campaign *c, service_record *r, service_error *err)
{
    parts_of p;
    (void)c;
    bool right = split(r, &p);
    for (size_t i = 0; right && i < p.places; i++) {
        size_t at = p.places_at + i * PLACE;
        right = check_place(self, word(r->text, at), word(r->text, at + WORD), word(r->text, at + 2 * WORD));
    }
    for (size_t i = 0; right && i < p.records; i++)
        right = word(r->text, p.records_at + i * WORD) < r->number;
    if (!right)
        return service_differs(self, "erased", err, "is not what could be erased");
    for (size_t i = 0; i < p.places; i++) {
        size_t at = p.places_at + i * PLACE;
        erase_place(self->campaigns[word(r->text, at)], word(r->text, at + WORD), word(r->text, at + 2 * WORD),
                    (service_key){r->number, SERVICE_ERASED | i});
    }
    self->erased = r->number;
    return SERVICE_OK;
}
