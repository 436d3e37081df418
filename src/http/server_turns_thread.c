/*
 * server_turns_thread.c: the thread that talks to the database: one command of the loop at a time.
 *
 * Paper: none.
 *
 * Whether a COMMIT that was not answered took place is found out by the next turn: the row is in the log, with this
 * writer and its checksum; or it is not and the log ends where it did, and the row is appended now; or others went on,
 * and the engine has to forget the row.
 *
 * Check: tests/http/replicas.py, tests/http/replica_faults.py.
 */
#include "server_turns.h"

#include "grow.h"

#include <stdlib.h>
#include <string.h>

enum { PIECE_ROWS = 64, PIECE_BYTES = 2 << 20 }; /* that the loop folds at one time */

void turns_rows_clear(turns_rows *self)
{
    for (size_t i = 0; i < self->n; i++)
        free((void *)self->rows[i].records);
    free(self->rows);
    *self = (turns_rows){0};
}

static bool keep(turns_rows *self, const store_row *row)
{
    void *bytes = malloc(row->size + 1);
    if (bytes == NULL || !common_grow(&self->rows, &self->room, self->n + 1, sizeof *self->rows)) {
        free(bytes);
        return false;
    }
    memcpy(bytes, row->records, row->size);
    self->rows[self->n] = *row;
    self->rows[self->n].records = bytes;
    self->rows[self->n].mac = NULL;
    self->n++;
    self->bytes += row->size;
    return true;
}

static turns_outcome failed(int code)
{
    return code == ROSTER_EDAMAGED ? TURNS_LOST : TURNS_DOWN;
}

/* What others appended since. */
static turns_outcome follow(server_turns *self)
{
    store *log = self->server->log;
    bool found = true;
    while (self->rows.n < PIECE_ROWS && self->rows.bytes < PIECE_BYTES) {
        store_row row;
        int code = store_read(log, store_last(log) + 1, &row, &found, &self->wrong);
        if (code != ROSTER_OK)
            return failed(code);
        if (!found)
            return TURNS_DONE;
        if (!keep(&self->rows, &row)) {
            common_fail_memory(&self->wrong);
            return TURNS_LOST;
        }
    }
    return TURNS_MORE;
}

/* The database is behind what was acknowledged: it was restored, or a standby took over that had not got all of it. */
static turns_outcome lose(server_turns *self)
{
    store_end known = store_ends(self->server->log);
    self->lost = known.last > self->turn.head.last ? known.last - self->turn.head.last : 0;
    common_fail(&self->wrong, ROSTER_EDAMAGED,
                "the log in the database ends with record %llu and is not the one that this server knows up to %llu",
                (unsigned long long)self->turn.head.last, (unsigned long long)known.last);
    return TURNS_LOST;
}

static turns_outcome take(server_turns *self)
{
    store *log = self->server->log;
    if (store_turn_begin(log, 1, &self->turn, &self->wrong) != ROSTER_OK)
        return TURNS_DOWN;
    turns_outcome outcome = follow(self);
    store_end known = store_ends(log);
    if (outcome == TURNS_DONE && (known.last != self->turn.head.last || known.checksum != self->turn.head.checksum))
        outcome = lose(self);
    if (outcome != TURNS_DONE)
        store_turn_cancel(log);
    return outcome;
}

/* In a turn: the row is in the log, if it is this store's. */
static turns_outcome look_for(server_turns *self, store_row *row, bool *is_there)
{
    store *log = self->server->log;
    bool found;
    row->before = store_ends(log).checksum;
    row->checksum = store_checksum(row);
    int code = store_turn_has(log, row, is_there, &self->wrong);
    if (code == ROSTER_OK && *is_there) /* and so the store knows it, too */
        code = store_read(log, row->first, row, &found, &self->wrong);
    return code == ROSTER_OK ? TURNS_DONE : failed(code);
}

static turns_outcome resolve(server_turns *self)
{
    store *log = self->server->log;
    store_row row = self->row;
    bool is_there = false;
    if (store_turn_begin(log, 1, &self->turn, &self->wrong) != ROSTER_OK)
        return TURNS_DOWN;
    turns_outcome outcome = look_for(self, &row, &is_there);
    store_end known = store_ends(log), head = self->turn.head;
    if (outcome == TURNS_DONE && !is_there && known.last == head.last && known.checksum == head.checksum)
        return store_turn_append(log, &self->row, &self->wrong) == ROSTER_OK ? TURNS_DONE : TURNS_DOWN;
    if (outcome == TURNS_DONE && !is_there)
        outcome = lose(self);
    self->was_in = outcome == TURNS_DONE;
    store_turn_cancel(log);
    return outcome;
}

static bool goes_on(void *context, uint64_t records)
{
    const server *self = context;
    (void)records;
    return !atomic_load(&self->cancelled);
}

/* On a connection of its own, from the newest snapshot. */
static turns_outcome rebuild(server_turns *self)
{
    server *owner = self->server;
    const store_options how = {.mode = owner->options->mode, .key = owner->options->key};
    store *log;
    service_error refused;
    if (store_open_with(&log, owner->options->data, &how, &self->wrong) != ROSTER_OK)
        return TURNS_DOWN;
    if (service_open_watched(&self->rebuilt, log, goes_on, owner, &refused) != SERVICE_OK) {
        common_fail(&self->wrong, ROSTER_EDAMAGED, "%s", refused.msg);
        store_close(log);
        return TURNS_DOWN;
    }
    store_close(owner->log);
    owner->log = log;
    return TURNS_DONE;
}

void turns_run(server_turns *self, turns_command command)
{
    store *log = self->server->log;
    self->outcome = TURNS_DONE;
    self->wrong = (roster_error){0};
    self->lost = 0;
    self->was_in = false;
    if (command == TURNS_TAKE)
        self->outcome = take(self);
    else if (command == TURNS_APPEND)
        self->outcome = store_turn_append(log, &self->row, &self->wrong) == ROSTER_OK ? TURNS_DONE : TURNS_DOWN;
    else if (command == TURNS_CANCEL)
        store_turn_cancel(log);
    else if (command == TURNS_TAIL)
        self->outcome = follow(self);
    else if (command == TURNS_STATE)
        store_state_get(log, &self->state);
    else if (command == TURNS_RESOLVE)
        self->outcome = resolve(self);
    else
        self->outcome = rebuild(self);
    self->end = store_ends(self->server->log);
}
