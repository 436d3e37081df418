/*
 * python_snapshot.c: what looks at the events beside an agent, as bytes behind the agent's own snapshot.
 *
 * Paper: none.
 *
 *   agent | evidence | test | alarms | "ROSTERWA" | own | bytes of evidence, test, alarms; 0 where there is none
 *
 * All numbers are 8 bytes, little endian. Each part has a checksum of its own; the trailer is right when the sizes in
 * it fit. An agent's snapshot alone, as the C library writes it, can be loaded too: then evidence starts afresh, which
 * is true of the rounds it has seen.
 *
 * Cost: linear in the state.
 * Check: tests/python/test_evidence.py.
 */
#include "python_watch.h"

#include <math.h>
#include <string.h>

static const char MAGIC[8] = {'R', 'O', 'S', 'T', 'E', 'R', 'W', 'A'};
enum { PARTS = 3, TRAILER = sizeof MAGIC + 8 + PARTS * 8 };

static void put(unsigned char *at, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        at[i] = (unsigned char)(number >> 8 * i);
}

static uint64_t get(const unsigned char *at)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uint64_t)at[i] << 8 * i;
    return number;
}

/* Each part's bytes into buf, if there is room for them, one behind the other; returns all of them. */
static size_t put_parts(const roster_python_watch *self, unsigned char *buf, size_t size, size_t bytes[PARTS])
{
    size_t used = 0;
    for (int i = 0; i < PARTS; i++) {
        unsigned char *at = used <= size ? buf + used : NULL;
        size_t room = used <= size ? size - used : 0;
        bytes[i] = 0;
        if (i == 0 && self->evidence != NULL)
            bytes[i] = roster_evidence_save(self->evidence, at, room);
        if (i == 1 && self->test != NULL)
            bytes[i] = roster_model_test_save(self->test, at, room);
        if (i == 2 && self->alarms != NULL)
            bytes[i] = roster_alarms_save(self->alarms, at, room);
        used += bytes[i];
    }
    return used;
}

size_t roster_python_watch_save(const roster_python_watch *self, unsigned char *buf, size_t size)
{
    size_t bytes[PARTS];
    if (self->lost || (self->evidence == NULL && self->alarms == NULL))
        return 0;
    size_t used = put_parts(self, buf, size, bytes);
    if (used <= size && TRAILER <= size - used) {
        memcpy(buf + used, MAGIC, sizeof MAGIC);
        put(buf + used + 8, self->own);
        for (size_t i = 0; i < PARTS; i++)
            put(buf + used + 16 + 8 * i, bytes[i]);
    }
    return used + TRAILER;
}

size_t roster_python_watch_part(const unsigned char *buf, size_t size)
{
    const unsigned char *trailer = size >= TRAILER ? buf + size - TRAILER : NULL;
    if (trailer == NULL || memcmp(trailer, MAGIC, sizeof MAGIC) != 0 || get(trailer + 8) > 1)
        return 0;
    uint64_t used = TRAILER;
    for (size_t i = 0; i < PARTS; i++) {
        uint64_t bytes = get(trailer + 16 + 8 * i);
        if (bytes > size - used)
            return 0;
        used += bytes;
    }
    return (size_t)used;
}

/* Of what is asked for, what the part has. */
static int load_parts(roster_python_watch *self, const unsigned char *part, const unsigned char *trailer)
{
    roster_error *err = roster_python_error();
    int code = ROSTER_OK;
    size_t evidence = get(trailer + 16), test = get(trailer + 24), alarms = get(trailer + 32);
    if (self->evidence != NULL && evidence > 0)
        code = roster_evidence_load(self->evidence, part, evidence, err);
    if (code == ROSTER_OK && self->test != NULL && test > 0)
        code = roster_model_test_load(self->test, part + evidence, test, err);
    if (code == ROSTER_OK && self->alarms != NULL && alarms > 0)
        code = roster_alarms_load(self->alarms, part + evidence + test, alarms, err);
    for (unsigned kind = ROSTER_CONTEXTS_CHANGED; self->alarms != NULL && kind <= ROSTER_REWARDS_CHANGED; kind <<= 1)
        if (code == ROSTER_OK && !roster_python_watch_keep(self, kind))
            code = roster_python_fail(ROSTER_ENOMEM, "out of memory");
    return code;
}

int roster_python_watch_load(roster_python_watch *self, const unsigned char *part, size_t size)
{
    roster_python_watch fresh;
    const double level = self->evidence != NULL ? roster_evidence_level(self->evidence) : NAN;
    const unsigned char *trailer = size > 0 ? part + size - TRAILER : NULL;
    bool own = trailer != NULL && get(trailer + 8) != 0;
    int code = roster_python_watch_init(&fresh, self->experts, level, self->own_at_first || own, self->alarms != NULL);
    fresh.own_at_first = self->own_at_first;
    if (code == ROSTER_OK && trailer != NULL)
        code = load_parts(&fresh, part, trailer);
    if (code != ROSTER_OK) {
        roster_python_watch_fini(&fresh);
        return code;
    }
    roster_python_watch_fini(self);
    *self = fresh;
    return ROSTER_OK;
}
