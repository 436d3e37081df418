/*
 * store_high_water.c: DIR/high-water, how far the log was written.
 *
 *   last record | checksum of its row | hash of both
 *
 * Paper: none.
 *
 * A database that was truncated, deleted or put back to an older state, or whose journal was lost or damaged, is a
 * whole and shorter log to SQLite. The mark is written after a row is durable and never before, so a log that ends
 * before it lost records, and so did one that ends before its newest snapshot. The mark is written in place and
 * synchronised only with snapshots, when the journal is copied into the database, and at the end: after a power failure
 * it may be older than the log, which is no loss. With STORE_OS rows may be lost with the machine, as was agreed; the
 * mark is then written only where the log was synchronised before.
 *
 * A mark that is not whole counts as none.
 *
 * Cost: one write of 24 bytes per row.
 * Check: tests/unit/test_store_loss.c.
 */
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SIZE = 24 };
static const char NAME[] = "high-water";

static int open_mark(const store *self, int flags)
{
    char *path = store_join(self->directory, NAME);
    int file = path != NULL ? open(path, flags | O_CLOEXEC, 0666) : -1;
    free(path);
    return file;
}

void store_mark_read(store *self, store_end *mark)
{
    unsigned char bytes[SIZE];
    int file = open_mark(self, O_RDONLY);
    *mark = (store_end){0};
    if (file >= 0 && pread(file, bytes, SIZE, 0) == SIZE &&
        byte_order_get(bytes + 16, 8) == common_hash_words(0, bytes, 16))
        *mark = (store_end){byte_order_get(bytes, 8), byte_order_get(bytes + 8, 8)};
    if (file >= 0)
        close(file);
    uint64_t snapshot = store_snapshot_newest(self);
    self->known = snapshot > mark->last ? snapshot : mark->last;
}

static int compare_row(store *self, store_end mark, roster_error *err)
{
    store_row row;
    bool found;
    const store_cut *cut = &self->cut;
    if (mark.last <= cut->record) { /* that row was dropped since */
        self->other = mark.last == cut->record && mark.checksum != cut->checksum;
        return ROSTER_OK;
    }
    int code = store_read(self, mark.last, &row, &found, err);
    if (code == ROSTER_OK)
        self->other = !found || row.first + row.count - 1 != mark.last || row.checksum != mark.checksum;
    return code;
}

/* Rows after dropped or erased ones are of use only with a state that stands for those, and that is not newer. */
static int find_base(store *self, roster_error *err)
{
    uint64_t number = 0;
    void *bytes = NULL;
    size_t size = 0;
    bool found = false;
    const store_cut *cut = &self->cut;
    int code = cut->snapshot <= self->last ? store_snapshot_get(self, self->last, &number, &bytes, &size, &found, err)
                                           : ROSTER_OK;
    free(bytes);
    self->baseless = !found || number < cut->record;
    return code;
}

int store_mark_compare(store *self, store_end mark, roster_error *err)
{
    if (self->known < self->cut.snapshot)
        self->known = self->cut.snapshot;
    if (self->known > self->last && self->cut.snapshot > 0)
        return find_base(self, err);
    return mark.last > 0 && mark.last <= self->last ? compare_row(self, mark, err) : ROSTER_OK;
}

int store_sqlite_whole(const store *self, roster_error *err)
{
    uint64_t missing = self->known > self->last ? self->known - self->last : 0;
    if (self->other)
        return common_fail(
            err, ROSTER_EDAMAGED,
            "%.200s is not the log that was written here: it differs from %s; put a backup into an empty "
            "folder",
            self->path, NAME);
    if (missing == 0)
        return ROSTER_OK;
    char accept[100] = "";
    if (!self->baseless)
        snprintf(accept, sizeof accept, ", or accept the loss: roster serve --accept-loss %llu",
                 (unsigned long long)missing);
    return common_fail(err, ROSTER_EDAMAGED,
                       "%.200s ends with record %llu, but %llu were written: %llu %s missing%s; restore a backup into "
                       "an empty folder%s",
                       self->path, (unsigned long long)self->last, (unsigned long long)self->known,
                       (unsigned long long)missing, missing == 1 ? "is" : "are",
                       self->baseless ? ", and so is the state that stands for what was dropped or erased before" : "",
                       accept);
}

/* The journal as it is: SQLite will write over what it cannot read of it. */
static int keep_journal(const store *self, const char *name, roster_error *err)
{
    char block[65536];
    char *from = store_join(self->directory, "roster.db-wal"), *to = store_join(self->directory, name);
    FILE *in = from != NULL ? fopen(from, "rb") : NULL, *out = NULL;
    int code = from != NULL && to != NULL ? ROSTER_OK : common_fail_memory(err);
    if (code == ROSTER_OK && in != NULL && (out = fopen(to, "wb")) == NULL)
        code = store_fail_file(to, errno, err);
    for (size_t n; out != NULL && code == ROSTER_OK && (n = fread(block, 1, sizeof block, in)) > 0;)
        if (fwrite(block, 1, n, out) != n)
            code = store_fail_file(to, errno, err);
    if (out != NULL && code == ROSTER_OK && (fflush(out) != 0 || fsync(fileno(out)) != 0))
        code = store_fail_file(to, errno, err);
    if (out != NULL && fclose(out) != 0 && code == ROSTER_OK)
        code = store_fail_file(to, errno, err);
    if (in != NULL)
        fclose(in);
    free(from);
    free(to);
    return code;
}

static int accept_loss(store *self, roster_error *err)
{
    char journal[64], mark[64];
    snprintf(journal, sizeof journal, "lost-roster.db-wal-%llu", (unsigned long long)self->known);
    snprintf(mark, sizeof mark, "lost-%s-%llu", NAME, (unsigned long long)self->known);
    int code = keep_journal(self, journal, err);
    if (code == ROSTER_OK)
        code = store_snapshot_set_aside(self, self->last, err);
    if (code == ROSTER_OK)
        code = store_rename(self, NAME, mark, err);
    return code;
}

int store_mark_enforce(store *self, uint64_t accepted, roster_error *err)
{
    int code = store_whole(self, err);
    if (code == ROSTER_OK || self->other || self->baseless || accepted != self->known - self->last)
        return code;
    code = accept_loss(self, err);
    if (code == ROSTER_OK) {
        self->lost = accepted;
        self->known = self->last;
    }
    return code;
}

void store_mark_write(store *self)
{
    unsigned char bytes[SIZE];
    bool made = self->mark < 0;
    if (made)
        self->mark = open_mark(self, O_RDWR | O_CREAT);
    if (self->mark < 0)
        return;
    byte_order_put(bytes, self->last, 8);
    byte_order_put(bytes + 8, self->checksum, 8);
    byte_order_put(bytes + 16, common_hash_words(0, bytes, 16), 8);
    if (pwrite(self->mark, bytes, SIZE, 0) != SIZE) {
        close(self->mark); /* the disk is full: with the next row again */
        self->mark = -1;
    } else if (made) {
        store_mark_sync(self);
        store_synchronise_directory(self);
    }
}

void store_mark_sync(const store *self)
{
    int file = open_mark(self, O_RDONLY); /* by its name: a child that writes a snapshot keeps no file of its parent */
    if (file >= 0) {
        fdatasync(file);
        close(file);
    }
}
