/*
 * envelope.c: what stands around every snapshot, so that a wrong one is refused before it is read.
 *
 * Paper: none.
 *
 *   "ROSTERSN" | format version | name of what it is of, padded to 16 | fingerprint | content | checksum
 *
 * All numbers are 8 bytes, little endian. The fingerprint ties the content to what it was made for, the checksum to
 * itself. The format is PLAIN, or PACKED where the content has runs of zeros that are written as one (bytes.c): what
 * was learnt of few of many cells is as short as that. Both are read.
 *
 * Check: every single changed byte is refused (tests/unit/test_snapshot.c: damaged_snapshots_refused).
 */
#include "base.h"

#include <string.h>

static const char MAGIC[8] = {'R', 'O', 'S', 'T', 'E', 'R', 'S', 'N'};
enum { PLAIN = 2, PACKED = 3, NAME_SIZE = 16, HEADER = sizeof MAGIC + 8 + NAME_SIZE + 8, CHECKSUM = 8 };

void roster_envelope_begin(roster_writer *w, const roster_envelope *envelope)
{
    char padded[NAME_SIZE] = "";
    memcpy(padded, envelope->name, strlen(envelope->name));
    roster_put_bytes(w, MAGIC, sizeof MAGIC);
    roster_put_u64(w, PLAIN);
    roster_put_bytes(w, padded, sizeof padded);
    roster_put_u64(w, envelope->fingerprint);
    roster_put_packed(w, true);
}

size_t roster_envelope_end(roster_writer *w)
{
    roster_put_packed(w, false);
    if (w->packed && w->data != NULL && w->size >= HEADER)
        w->data[sizeof MAGIC] = PACKED; /* the first byte of its number */
    bool fits = w->data != NULL && w->used <= w->size && CHECKSUM <= w->size - w->used;
    roster_put_u64(w, fits ? roster_hash(ROSTER_HASH_START, w->data, w->used) : 0);
    return w->used;
}

static int damaged(roster_error *err, const char *why)
{
    return roster_fail(err, ROSTER_EDAMAGED, "the snapshot %s", why);
}

int roster_envelope_open(roster_reader *r, const void *buf, size_t size, const roster_envelope *envelope,
                         roster_error *err)
{
    *r = (roster_reader){.data = buf, .size = buf != NULL ? size : 0};
    if (r->size < HEADER + CHECKSUM || memcmp(r->data, MAGIC, sizeof MAGIC) != 0)
        return damaged(err, "is not a roster snapshot: it must begin with ROSTERSN and be complete");
    r->size -= CHECKSUM;
    roster_reader end = {.data = r->data + r->size, .size = CHECKSUM};
    if (roster_get_u64(&end) != roster_hash(ROSTER_HASH_START, r->data, r->size))
        return damaged(err, "is damaged: its checksum does not fit its content");
    roster_get_bytes(r, sizeof MAGIC);
    uint64_t format = roster_get_u64(r);
    if (format != PLAIN && format != PACKED)
        return damaged(err, "has a format version that this library does not read");
    const char *name = (const char *)roster_get_bytes(r, NAME_SIZE);
    if (strncmp(name, envelope->name, NAME_SIZE) != 0)
        return roster_fail(err, ROSTER_EDAMAGED, "the snapshot is of agent %.16s, not of %s", name, envelope->name);
    if (roster_get_u64(r) != envelope->fingerprint)
        return roster_fail(err, ROSTER_EDAMAGED, "the snapshot is of %s", envelope->other);
    if (format == PACKED)
        roster_get_packed(r);
    return r->failed ? roster_fail_inconsistent(err) : ROSTER_OK;
}

int roster_fail_inconsistent(roster_error *err)
{
    return damaged(err, "is damaged: its content is inconsistent");
}
