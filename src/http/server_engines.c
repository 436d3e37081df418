/*
 * server_engines.c: another engine in the place of the one that served, while requests are under way.
 *
 * The old one stays until no request that began with it is under way and no job runs that could point into it.
 *
 * Paper: none.
 * Check: tests/http/replica_faults.py.
 */
#include "server_turns.h"

#include <stdlib.h>

struct server_retired {
    service *engine; /* owned */
    server_retired *next;
};

void server_replace_engine(server *self, service *engine)
{
    server_retired *old = malloc(sizeof *old);
    if (old != NULL) { /* without memory it is never freed, since something may point into it */
        *old = (server_retired){self->engine, self->retired};
        self->retired = old;
    }
    server_episodes_refuse(self);
    server_lists_refuse(self);
    server_snapshot_forget(self);
    self->engine = engine;
    service_snapshot_every(engine, self->options->snapshot_every);
    service_limit(engine, &self->options->limits);
}

static bool is_used(const server *self, const service *engine)
{
    for (const server_connection *c = self->connections; c != NULL; c = c->after)
        if (c->request.engine == engine && server_is_busy(c, true))
            return true;
    return false;
}

void server_free_retired(server *self)
{
    server_retired **at = &self->retired;
    while (*at != NULL && self->jobs_under_way == 0) {
        server_retired *one = *at;
        if (is_used(self, one->engine)) {
            at = &one->next;
            continue;
        }
        *at = one->next;
        service_free(one->engine);
        free(one);
    }
}

void server_free_engines(server *self)
{
    for (server_retired *one = self->retired, *next; one != NULL; one = next) {
        next = one->next;
        service_free(one->engine);
        free(one);
    }
    self->retired = NULL;
    service_free(self->engine);
    self->engine = NULL;
}
