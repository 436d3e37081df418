/*
 * store.c: the functions of store.h, for whichever kind of store a log is in.
 *
 * Paper: none.
 * Check: tests/unit/test_store.c for SQLite, tests/unit/test_postgres.c for PostgreSQL: the same rows, read alike.
 */
#include "store_postgres.h"

#include <stdlib.h>
#include <string.h>

bool store_is_url(const char *place)
{
    return strncmp(place, "postgresql://", 13) == 0 || strncmp(place, "postgres://", 11) == 0;
}

char *store_place(const char *place, roster_error *err)
{
    if (store_is_url(place))
        return store_link_name(place, err);
    char *copy = malloc(strlen(place) + 1);
    if (copy == NULL)
        common_fail_memory(err);
    else
        strcpy(copy, place);
    return copy;
}

int store_open_with(store **out, const char *place, const store_options *options, roster_error *err)
{
    return store_is_url(place) ? store_postgres_open(out, place, options, err)
                               : store_sqlite_open(out, place, options, err);
}

int store_open(store **out, const char *place, store_mode mode, roster_error *err)
{
    return store_open_with(out, place, &(store_options){.mode = mode}, err);
}

void store_close(store *self)
{
    if (self != NULL)
        self->type->close(self);
}

void store_forked(store *self)
{
    self->type->forked(self);
}

int store_whole(const store *self, roster_error *err)
{
    return self->type->whole(self, err);
}

store_end store_ends(const store *self)
{
    return (store_end){self->last, self->checksum};
}

uint64_t store_last(const store *self)
{
    return self->last;
}

const char *store_name(const store *self)
{
    return self->path;
}

int store_append(store *self, const store_row *row, roster_error *err)
{
    return self->type->append(self, row, err);
}

int store_read(store *self, uint64_t number, store_row *row, bool *found, roster_error *err)
{
    return self->type->read(self, number, row, found, err);
}

void store_rest(store *self)
{
    if (self != NULL)
        self->type->rest(self);
}

int store_snapshot_put(store *self, uint64_t number, const void *bytes, size_t size, roster_error *err)
{
    return self->type->snapshot_put(self, number, bytes, size, err);
}

int store_snapshot_write(const store *self, store_end at, const void *bytes, size_t size, roster_error *err)
{
    return self->type->snapshot_write(self, at, bytes, size, err);
}

void store_snapshot_clean(const store *self)
{
    self->type->snapshot_clean(self);
}

int store_snapshot_get(store *self, uint64_t most, uint64_t *number, void **bytes, size_t *size, bool *found,
                       roster_error *err)
{
    return self->type->snapshot_get(self, most, number, bytes, size, found, err);
}

const store_cut *store_cut_of(const store *self)
{
    return &self->cut;
}

void store_cut_read(store *self)
{
    self->type->cut_read(self);
}

int store_check(store *self, roster_error *err)
{
    return self->type->check(self, err);
}

void store_state_get(store *self, store_state *out)
{
    self->type->state_get(self, out);
}

void store_limit(store *self, uint64_t bytes)
{
    self->type->limit(self, bytes);
}
