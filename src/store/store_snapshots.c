/*
 * store_snapshots.c: snapshots as files DIR/snapshot-NUMBER beside the database.
 *
 *   "ROSTERSS" | number | checksum of the log's row that holds record `number` | hash of the rest | the rest
 *
 * Paper: none.
 *
 * Files, since a large state in the database would keep rows waiting for as long as its writing takes. A file is
 * written under another name, synchronised and then renamed, so that a snapshot is whole or not there. The row's
 * checksum, which depends on all rows before, ties it to this very log: a backup of the database that is put in place
 * does not meet snapshots of what it never saw.
 *
 * Cost: that of writing and reading the file.
 * Check: tests/unit/test_store.c: snapshots_come_back, snapshots_of_another_log_are_passed_over.
 */
#include "store_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char MAGIC[8] = {'R', 'O', 'S', 'T', 'E', 'R', 'S', 'S'};
enum { HEAD = 32, KEPT = 2, DIGITS = 20, NAME_SIZE = 48 };
static const char PREFIX[] = "snapshot-", HALF[] = "snapshot.half";

/* The number in a snapshot's name; 0: it is none. */
static uint64_t number_of(const char *name)
{
    uint64_t number = 0;
    if (strncmp(name, PREFIX, sizeof PREFIX - 1) != 0 || strlen(name) != sizeof PREFIX - 1 + DIGITS)
        return 0;
    for (name += sizeof PREFIX - 1; *name >= '0' && *name <= '9'; name++)
        number = 10 * number + (uint64_t)(*name - '0');
    return *name == '\0' ? number : 0;
}

bool store_snapshot_find(const store *self, uint64_t most, uint64_t *number)
{
    DIR *directory = opendir(self->directory);
    *number = 0;
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        uint64_t found = number_of(entry->d_name);
        if (found <= most && found > *number)
            *number = found;
    }
    if (directory != NULL)
        closedir(directory);
    return *number > 0;
}

char *store_snapshot_path(const store *self, const char *prefix, uint64_t number)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%0*llu", prefix, DIGITS, (unsigned long long)number);
    return store_join(self->directory, name);
}

static char *path_of(const store *self, uint64_t number)
{
    return store_snapshot_path(self, PREFIX, number);
}

/* The checksum of the row that holds the record; *found is false where there is none. */
static int row_of(store *log, uint64_t number, uint64_t *checksum, bool *found, roster_error *err)
{
    store_row row;
    int code = store_read(log, number, &row, found, err);
    *found = code == ROSTER_OK && *found && row.first <= number;
    *checksum = *found ? row.checksum : 0;
    if (code == ROSTER_OK && !*found && number != 0 && number == log->cut.record) {
        *found = true;
        *checksum = log->cut.checksum;
    }
    return code;
}

static bool write_all(int file, const unsigned char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t n = write(file, bytes, size);
        if (n < 0 && errno != EINTR)
            return false;
        bytes += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* Under another name first, so that it is whole or not there; a name of this process, since a child of one that was
   killed may still be writing. */
static char *half_of(const store *self)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s-%ld", HALF, (long)getpid());
    return store_join(self->directory, name);
}

/* 0, or what the file system refused. */
static int write_half(const char *half, bool durable, const unsigned char head[HEAD], const void *bytes, size_t size)
{
    int file = open(half, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    bool done = write_all(file, head, HEAD) && write_all(file, bytes, size) && (!durable || fsync(file) == 0);
    int why = done ? 0 : errno;
    return close(file) != 0 && done ? errno : why;
}

static int write_file(const store *self, const char *path, const unsigned char head[HEAD], const void *bytes,
                      size_t size, roster_error *err)
{
    bool durable = self->mode == STORE_DURABLE;
    char *half = half_of(self);
    if (half == NULL)
        return common_fail_memory(err);
    int why = write_half(half, durable, head, bytes, size);
    if (why == 0 && (rename(half, path) != 0 || (durable && !store_synchronise_directory(self))))
        why = errno;
    if (why != 0)
        unlink(half);
    free(half);
    return why == 0 ? ROSTER_OK : store_fail_file(path, why, err);
}

/* Those before the newest ones. */
static void thin(const store *self)
{
    uint64_t number = 0, most = UINT64_MAX;
    for (int i = 0; store_snapshot_find(self, most, &number); i++) {
        char *path = i >= KEPT ? path_of(self, number) : NULL;
        if (path != NULL)
            unlink(path);
        free(path);
        most = number - 1;
    }
}

int store_snapshot_write(const store *self, store_end at, const void *bytes, size_t size, roster_error *err)
{
    unsigned char head[HEAD];
    /* A snapshot that survives the machine must not be of rows that do not. */
    if (self->mode == STORE_OS && !store_synchronise(self))
        return store_fail_file(self->path, errno, err);
    memcpy(head, MAGIC, sizeof MAGIC);
    byte_order_put(head + 8, at.last, 8);
    byte_order_put(head + 16, at.checksum, 8);
    byte_order_put(head + 24, store_hash(at.checksum, bytes, size), 8);
    char *path = path_of(self, at.last);
    int code = path != NULL ? write_file(self, path, head, bytes, size, err) : common_fail_memory(err);
    free(path);
    store_mark_sync(self);
    if (code == ROSTER_OK)
        thin(self);
    return code;
}

int store_snapshot_put(store *self, uint64_t number, const void *bytes, size_t size, roster_error *err)
{
    store *reader;
    store_end at = {.last = number};
    bool found;
    if (self->mode == STORE_READ)
        return common_fail(err, ROSTER_EINVAL, "a log opened for reading cannot be written");
    int code = store_open(&reader, self->directory, STORE_READ, err);
    if (code == ROSTER_OK)
        code = row_of(reader, number, &at.checksum, &found, err);
    store_close(reader);
    if (code != ROSTER_OK)
        return code;
    if (!found)
        return common_fail(err, ROSTER_EINVAL, "the snapshot is of a record that is not in the log");
    return store_snapshot_write(self, at, bytes, size, err);
}

uint64_t store_snapshot_newest(const store *self)
{
    uint64_t number = 0, most = UINT64_MAX;
    for (; store_snapshot_find(self, most, &number); most = number - 1) {
        unsigned char head[HEAD] = {0};
        char *path = path_of(self, number);
        FILE *file = path != NULL ? fopen(path, "rb") : NULL;
        bool is = file != NULL && fread(head, 1, HEAD, file) == HEAD && memcmp(head, MAGIC, sizeof MAGIC) == 0 &&
                  byte_order_get(head + 8, 8) == number;
        if (file != NULL)
            fclose(file);
        free(path);
        if (is)
            return number;
    }
    return 0;
}

int store_snapshot_set_aside(const store *self, uint64_t last, roster_error *err)
{
    uint64_t number;
    int code = ROSTER_OK;
    while (code == ROSTER_OK && store_snapshot_find(self, UINT64_MAX, &number) && number > last) {
        char from[NAME_SIZE], to[NAME_SIZE];
        snprintf(from, sizeof from, "%s%0*llu", PREFIX, DIGITS, (unsigned long long)number);
        snprintf(to, sizeof to, "lost-%.40s", from);
        code = store_rename(self, from, to, err);
    }
    return code;
}

void store_snapshot_clean(const store *self)
{
    DIR *directory = opendir(self->directory);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        bool half = strncmp(entry->d_name, HALF, sizeof HALF - 1) == 0;
        char *path = half ? store_join(self->directory, entry->d_name) : NULL;
        if (path != NULL)
            unlink(path);
        free(path);
    }
    if (directory != NULL)
        closedir(directory);
}

/* The file's bytes after its head; NULL and ROSTER_OK where it cannot be used. */
static int read_file(const char *path, unsigned char head[HEAD], void **bytes, size_t *size, roster_error *err)
{
    FILE *file = fopen(path, "rb");
    long end = -1;
    int code = ROSTER_OK;
    *bytes = NULL;
    if (file != NULL && fread(head, 1, HEAD, file) == HEAD && fseek(file, 0, SEEK_END) == 0)
        end = ftell(file);
    if (end >= HEAD && fseek(file, HEAD, SEEK_SET) == 0) {
        *size = (size_t)end - HEAD;
        *bytes = malloc(*size > 0 ? *size : 1);
        code = *bytes != NULL ? ROSTER_OK : common_fail_memory(err);
    }
    if (*bytes != NULL && fread(*bytes, 1, *size, file) != *size) {
        free(*bytes);
        *bytes = NULL;
    }
    if (file != NULL)
        fclose(file);
    return code;
}

static int load(store *self, const char *prefix, uint64_t number, void **bytes, size_t *size, roster_error *err)
{
    unsigned char head[HEAD];
    uint64_t checksum;
    bool found;
    char *path = store_snapshot_path(self, prefix, number);
    int code = path != NULL ? read_file(path, head, bytes, size, err) : common_fail_memory(err);
    free(path);
    if (code == ROSTER_OK && *bytes != NULL)
        code = row_of(self, number, &checksum, &found, err);
    if (code != ROSTER_OK || *bytes == NULL)
        return code;
    if (found && memcmp(head, MAGIC, sizeof MAGIC) == 0 && byte_order_get(head + 8, 8) == number &&
        byte_order_get(head + 16, 8) == checksum && byte_order_get(head + 24, 8) == store_hash(checksum, *bytes, *size))
        return ROSTER_OK;
    free(*bytes);
    *bytes = NULL;
    return ROSTER_OK;
}

int store_snapshot_get(store *self, uint64_t most, uint64_t *number, void **bytes, size_t *size, bool *found,
                       roster_error *err)
{
    int code = ROSTER_OK;
    uint64_t base = self->cut.snapshot <= most ? self->cut.snapshot : 0;
    *bytes = NULL;
    while (code == ROSTER_OK && *bytes == NULL && store_snapshot_find(self, most, number)) {
        code = load(self, PREFIX, *number, bytes, size, err);
        most = *number - 1;
    }
    if (code == ROSTER_OK && *bytes == NULL && base > 0) {
        *number = base;
        code = load(self, "base-", base, bytes, size, err);
    }
    if (code != ROSTER_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    *found = *bytes != NULL;
    return code;
}
