/*
 * server_trim.c: memory that large campaigns let go of goes back to the system.
 *
 * The heap keeps what is freed in small pieces: a million events would stay resident when their campaign is archived.
 * A job trims it, since that takes milliseconds; at most once per second, and only when there is much to give back.
 *
 * Paper: none.
 * Check: tests/http/archived.py.
 */
#include "http_internal.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

enum { LEAST = 16 << 20 }; /* bytes */

static void trim(server_job *job, store **reader)
{
    (void)job;
    (void)reader;
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

static void trimmed(server *self, server_job *job)
{
    self->trims = false;
    free(job);
}

void server_trim_want(server *self, size_t bytes)
{
    self->let_go += bytes;
}

void server_trim_if_due(server *self)
{
    self->let_go += service_let_go(self->engine);
    server_job *job = self->let_go >= LEAST && !self->trims ? malloc(sizeof *job) : NULL;
    if (job == NULL)
        return;
    *job = (server_job){.run = trim, .done = trimmed};
    self->let_go = 0;
    self->trims = true;
    server_job_start(self, job);
}
