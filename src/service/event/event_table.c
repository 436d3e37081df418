/*
 * event_table.c: the events of a campaign that are open or still remembered, in the order of their decisions.
 *
 * Events lie in chunks of 16, since windows of one campaign all last equally long and so end in the order in which
 * they began: a chunk is allocated when its first event comes and freed when its last one goes. The index by key is
 * extendible hashing: small segments of open addressing, found by the first `depth` bits of the key's hash, of which
 * one that gets full is split in two. In a segment a gap is closed by moving back what follows it.
 *
 *   hash: 32 bits, keyed   segment = segments[hash >> (32 - depth)]       slot = hash mod slots, or the next free one
 *
 * No operation ever moves more than one segment's entries, however many events there are: a table of millions grows
 * without a pause. (Lists of pointers do double as a whole: 1 MB for 2 million events.) Keys whose hashes begin alike
 * cannot make the list of segments large: beyond 4 times what is usual a segment grows in place of being split.
 *
 * A key may be pushed again while an expired event has it still: the index then leads to the younger one.
 *
 * Paper: none.
 * Cost: a few memory accesses per event; 80 to 112 bytes each, and 8 per number of an event that has some.
 * Check: against a plain list (tests/unit/test_service_parts.c: like_a_list, table_gives_memory_back).
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 16, FIRST_SLOTS = 32, SLOTS_MOST = 512, PER_SEGMENT = 32 };

#define IN_USE UINT32_C(0x80000000) /* in a slot's lower half; its other bits are the event's number, modulo 2^31 */

struct service_segment {
    uint32_t depth; /* bits of the hash that all its keys share */
    uint32_t slots, used;
    uint64_t index[]; /* upper half: the hash, so that no event is looked at to find another, or to move entries */
};

static size_t chunk_bytes(const service_table *self)
{
    return CHUNK * (sizeof(service_event) + self->width * sizeof(double));
}

static size_t segment_bytes(uint32_t slots)
{
    return sizeof(service_segment) + slots * sizeof(uint64_t);
}

static void release_segment(service_table *self, service_segment *s)
{
    self->bytes -= segment_bytes(s->slots);
    free(s);
}

void service_table_free(service_table *self)
{
    size_t n = self->segments != NULL ? (size_t)1 << self->depth : 0;
    for (size_t i = 0, next; i < n; i = next) {
        next = i + ((size_t)1 << (self->depth - self->segments[i]->depth));
        free(self->segments[i]);
    }
    for (size_t i = 0; i < self->n_chunks; i++)
        free(self->chunks[i]);
    free(self->spare);
    free(self->segments);
    free(self->chunks);
    *self = (service_table){.width = self->width, .secret = {self->secret[0], self->secret[1]}};
}

service_event *service_table_at(const service_table *self, uint64_t i)
{
    unsigned char *chunk = self->chunks[i / CHUNK & (self->n_chunks - 1)];
    return (service_event *)(void *)(chunk + i % CHUNK * (chunk_bytes(self) / CHUNK));
}

double *service_table_numbers(const service_table *self, const service_event *event)
{
    (void)self;
    return (double *)(void *)((unsigned char *)(uintptr_t)event + sizeof *event);
}

static uint32_t hash_of(const service_table *self, service_key key)
{
    return (uint32_t)(service_key_place(key, self->secret) >> 32);
}

static service_segment **segment_at(const service_table *self, uint32_t hash)
{
    return &self->segments[self->depth > 0 ? hash >> (32 - self->depth) : 0];
}

static uint64_t slot_value(uint64_t i, uint32_t hash)
{
    return (uint64_t)hash << 32 | (uint32_t)i | IN_USE;
}

static uint32_t hash_in(uint64_t value)
{
    return (uint32_t)(value >> 32);
}

/* The event behind a slot: the one of its last 31 bits that is in the table. */
static service_event *event_of(const service_table *self, uint64_t value)
{
    return service_table_at(self, self->tail + (((uint32_t)value - (uint32_t)self->tail) & ~IN_USE));
}

/* Where the key is, or the free slot where it would be. */
static uint32_t probe(const service_table *self, const service_segment *s, service_key key, uint32_t hash)
{
    uint32_t i = hash & (s->slots - 1);
    while (s->index[i] != 0 &&
           !(hash_in(s->index[i]) == hash && service_key_equal(event_of(self, s->index[i])->key, key)))
        i = (i + 1) & (s->slots - 1);
    return i;
}

service_event *service_table_find(const service_table *self, service_key key)
{
    if (self->segments == NULL)
        return NULL;
    uint32_t hash = hash_of(self, key);
    const service_segment *s = *segment_at(self, hash);
    uint32_t i = probe(self, s, key, hash);
    return s->index[i] != 0 ? event_of(self, s->index[i]) : NULL;
}

uint64_t service_table_place(const service_table *self, service_key key)
{
    if (self->segments == NULL)
        return UINT64_MAX;
    uint32_t hash = hash_of(self, key);
    const service_segment *s = *segment_at(self, hash);
    uint64_t value = s->index[probe(self, s, key, hash)];
    return value != 0 ? (((uint32_t)value - (uint32_t)self->tail) & ~IN_USE) : UINT64_MAX;
}

static service_segment *make_segment(service_table *self, uint32_t depth, uint32_t slots)
{
    service_segment *s = calloc(1, segment_bytes(slots));
    if (s == NULL)
        return NULL;
    s->depth = depth;
    s->slots = slots;
    self->bytes += segment_bytes(slots);
    return s;
}

/* The entries of a segment go where the list of segments says now; it is freed. */
static void redistribute(service_table *self, service_segment *from)
{
    for (uint32_t i = 0; i < from->slots; i++) {
        if (from->index[i] == 0)
            continue;
        service_segment *to = *segment_at(self, hash_in(from->index[i]));
        uint32_t slot = hash_in(from->index[i]) & (to->slots - 1);
        while (to->index[slot] != 0)
            slot = (slot + 1) & (to->slots - 1);
        to->index[slot] = from->index[i];
        to->used++;
    }
    release_segment(self, from);
}

/* The list of segments, twice as long. */
static bool deepen(service_table *self)
{
    size_t n = (size_t)1 << self->depth;
    service_segment **more = malloc(2 * n * sizeof(service_segment *));
    if (more == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        more[2 * i] = more[2 * i + 1] = self->segments[i];
    free(self->segments);
    self->segments = more;
    self->depth++;
    return true;
}

/* Room in the segment of that hash: twice as many slots while it is small, else it is split. */
static bool relieve(service_table *self, uint32_t hash)
{
    service_segment *s = *segment_at(self, hash);
    bool usual = ((uint64_t)PER_SEGMENT << self->depth) <= self->end - self->tail;
    bool splits = s->slots >= SLOTS_MOST && (s->depth < self->depth || usual);
    if (splits && s->depth == self->depth && !deepen(self))
        return false;
    service_segment *one = make_segment(self, s->depth + splits, splits ? s->slots : 2 * s->slots);
    service_segment *two = splits && one != NULL ? make_segment(self, s->depth + 1, s->slots) : one;
    if (two == NULL) {
        if (one != NULL)
            release_segment(self, one);
        return false;
    }
    size_t n = (size_t)1 << (self->depth - s->depth);
    size_t first = (size_t)(segment_at(self, hash) - self->segments) & ~(n - 1);
    for (size_t i = 0; i < n; i++)
        self->segments[first + i] = i < n / 2 ? one : two;
    redistribute(self, s);
    return true;
}

/* The list of chunks, twice as long: chunk b stands at b modulo its length. */
static bool lengthen(service_table *self)
{
    size_t n = self->n_chunks > 0 ? 2 * self->n_chunks : 1;
    unsigned char **more = calloc(n, sizeof *more);
    if (more == NULL)
        return false;
    for (uint64_t b = self->tail / CHUNK; self->end > self->tail && b <= (self->end - 1) / CHUNK; b++)
        more[b & (n - 1)] = self->chunks[b & (self->n_chunks - 1)];
    free(self->chunks);
    self->chunks = more;
    self->n_chunks = n;
    return true;
}

/* The chunk of the next event. */
static bool reserve_chunk(service_table *self)
{
    uint64_t first = self->tail / CHUNK, block = self->end / CHUNK;
    if (block - first >= self->n_chunks && !lengthen(self))
        return false;
    unsigned char **at = &self->chunks[block & (self->n_chunks - 1)];
    if (*at != NULL)
        return true;
    *at = self->spare != NULL ? self->spare : malloc(chunk_bytes(self));
    self->bytes += self->spare == NULL && *at != NULL ? chunk_bytes(self) : 0;
    self->spare = NULL;
    return *at != NULL;
}

bool service_table_reserve(service_table *self)
{
    if (self->segments == NULL) {
        service_segment **list = malloc(sizeof(service_segment *));
        service_segment *first = list != NULL ? make_segment(self, 0, FIRST_SLOTS) : NULL;
        if (first == NULL) {
            free(list);
            return false;
        }
        list[0] = first;
        self->segments = list;
        self->depth = 0;
    }
    const service_segment *due = *segment_at(self, self->due);
    if (due->used * 2 > due->slots && !relieve(self, self->due))
        return false;
    return reserve_chunk(self);
}

service_event *service_table_push(service_table *self, service_key key)
{
    uint32_t hash = hash_of(self, key);
    uint64_t i = self->end++;
    service_event *event = service_table_at(self, i);
    service_segment *s = *segment_at(self, hash);
    uint32_t slot = probe(self, s, key, hash);
    s->used += s->index[slot] == 0;
    s->index[slot] = slot_value(i, hash);
    if (s->used * 2 > s->slots)
        self->due = hash;
    memset(event, 0, chunk_bytes(self) / CHUNK);
    event->key = key;
    event->raw = NAN;
    return event;
}

static void close_gap(service_segment *s, uint32_t gap)
{
    uint32_t mask = s->slots - 1;
    s->index[gap] = 0;
    s->used--;
    for (uint32_t i = (gap + 1) & mask; s->index[i] != 0; i = (i + 1) & mask) {
        uint32_t home = hash_in(s->index[i]) & mask;
        if (((i - home) & mask) < ((i - gap) & mask))
            continue; /* it is not beyond its home if moved */
        s->index[gap] = s->index[i];
        s->index[i] = 0;
        gap = i;
    }
}

void service_table_rename(service_table *self, uint64_t i, service_key key)
{
    service_event *event = service_table_at(self, i);
    uint32_t hash = hash_of(self, event->key);
    service_segment *s = *segment_at(self, hash);
    uint32_t slot = probe(self, s, event->key, hash);
    if (s->index[slot] == slot_value(i, hash))
        close_gap(s, slot);
    event->key = key;
}

void service_table_drop(service_table *self)
{
    service_key key = service_table_at(self, self->tail)->key;
    uint32_t hash = hash_of(self, key);
    uint64_t block = self->tail / CHUNK;
    service_segment *s = *segment_at(self, hash);
    uint32_t slot = probe(self, s, key, hash);
    if (s->index[slot] == slot_value(self->tail, hash))
        close_gap(s, slot);
    if (++self->tail / CHUNK == block)
        return;
    unsigned char **at = &self->chunks[block & (self->n_chunks - 1)];
    if (self->spare == NULL) {
        self->spare = *at;
    } else {
        free(*at);
        self->bytes -= chunk_bytes(self);
    }
    *at = NULL;
}
