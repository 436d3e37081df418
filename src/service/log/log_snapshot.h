/*
 * log_snapshot.h: what the two files that write and read snapshots share.
 */
#ifndef ROSTER_SERVICE_LOG_SNAPSHOT_H
#define ROSTER_SERVICE_LOG_SNAPSHOT_H

#include "log_codec.h"
#include "service_internal.h"

#include <stdlib.h>

/* Numbers of 32 bits take 64 here. */
static inline void wide(codec *c, uint32_t *x)
{
    uint64_t w = *x;
    u64(c, &w);
    *x = (uint32_t)w;
}

static inline void flag(codec *c, bool *x)
{
    uint8_t w = *x;
    u8(c, &w);
    *x = w != 0;
}

static inline void u64s(codec *c, uint64_t *x, size_t n)
{
    for (size_t i = 0; i < n && !c->failed; i++)
        u64(c, &x[i]);
}

static inline void f64s(codec *c, double *x, size_t n)
{
    for (size_t i = 0; i < n && !c->failed; i++)
        f64(c, &x[i]);
}

/* Memory for something that is being read and takes at least `least` bytes. */
static inline void *take(codec *c, size_t n, size_t size, size_t least)
{
    if (c->failed || (least > 0 && (size_t)(c->end - c->in) / least < n)) {
        c->failed = true;
        return NULL;
    }
    void *memory = calloc(n > 0 ? n : 1, size);
    c->failed = c->memory = memory == NULL;
    return memory;
}

/* log_snapshot_episode.c; present: the campaign's present one. */
void service_snapshot_episode(codec *c, service_campaign *k, service_episode_state *e, bool present);
void service_snapshot_alarm(codec *c, service_alarm *a);

#endif
