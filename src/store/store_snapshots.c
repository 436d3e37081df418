/*
 * store_snapshots.c: snapshots as files DIR/snapshot-NUMBER beside the database.
 *
 *   "ROSTERSS" | number | checksum of the log's row that holds record `number` | hash of the rest | the rest
 *   "ROSTERSM" | number | checksum | hash of the rest | MAC | the rest           with a key
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

static const char MAGIC[8] = {'R', 'O', 'S', 'T', 'E', 'R', 'S', 'S'},
                  SIGNED[8] = {'R', 'O', 'S', 'T', 'E', 'R', 'S', 'M'};
enum { HEAD = STORE_SNAPSHOT_HEAD, DIGITS = 20, NAME_SIZE = 48 };

static void set_kind(store_snapshot_start *head)
{
    bool is_signed = memcmp(head->bytes, SIGNED, sizeof SIGNED) == 0;
    bool is = is_signed || memcmp(head->bytes, MAGIC, sizeof MAGIC) == 0;
    head->size = is_signed ? HEAD + STORE_HASH : is ? HEAD : 0;
}

bool store_snapshot_parse(store_snapshot_start *self, const void *bytes, size_t size)
{
    *self = (store_snapshot_start){.size = 0};
    if (size < HEAD || size > sizeof self->bytes)
        return false;
    memcpy(self->bytes, bytes, size);
    set_kind(self);
    return self->size == size;
}

static const char HALF[] = "snapshot.half";

/* The number in a name that begins so; 0: there is none. */
static uint64_t number_of(const char *prefix, const char *name)
{
    uint64_t number = 0;
    size_t size = strlen(prefix);
    if (strncmp(name, prefix, size) != 0 || strlen(name) != size + DIGITS)
        return 0;
    for (name += size; *name >= '0' && *name <= '9'; name++)
        number = 10 * number + (uint64_t)(*name - '0');
    return *name == '\0' ? number : 0;
}

/* The largest number up to `most` in a name that begins so. */
static bool find(const store *self, const char *prefix, uint64_t most, uint64_t *number)
{
    DIR *directory = opendir(self->directory);
    *number = 0;
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        uint64_t found = number_of(prefix, entry->d_name);
        if (found <= most && found > *number)
            *number = found;
    }
    if (directory != NULL)
        closedir(directory);
    return *number > 0;
}

bool store_snapshot_find(const store *self, uint64_t most, uint64_t *number)
{
    return find(self, STORE_SNAPSHOT, most, number);
}

char *store_snapshot_path(const store *self, const char *prefix, uint64_t number)
{
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "%s%0*llu", prefix, DIGITS, (unsigned long long)number);
    return store_join(self->directory, name);
}

static char *path_of(const store *self, uint64_t number)
{
    return store_snapshot_path(self, STORE_SNAPSHOT, number);
}

int store_row_of(store *log, uint64_t number, uint64_t *checksum, bool *found, roster_error *err)
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

/* Synchronised piece by piece: a commit of the log at the same time would have to wait for all that is not yet on the
   disk. */
static bool write_all(int file, const unsigned char *bytes, size_t size, bool durable)
{
    enum { PIECE = 1 << 20 };
    while (size > 0) {
        ssize_t n = write(file, bytes, size < PIECE ? size : PIECE);
        if ((n < 0 && errno != EINTR) || (n > 0 && durable && size > PIECE && fdatasync(file) != 0))
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
static int write_half(const char *half, bool durable, const store_snapshot_start *head, const void *bytes, size_t size)
{
    int file = open(half, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    bool done = write_all(file, head->bytes, head->size, durable) && write_all(file, bytes, size, durable);
    done = done && (!durable || fsync(file) == 0);
    int why = done ? 0 : errno;
    return close(file) != 0 && done ? errno : why;
}

static int write_file(const store *self, const char *path, const store_snapshot_start *head, const void *bytes,
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

/* Those before that one, but for the newest `kept`. */
static void remove_before(const store *self, uint64_t before, int kept)
{
    uint64_t number = 0, most = UINT64_MAX;
    for (int i = 0; store_snapshot_find(self, most, &number); i++) {
        char *path = i >= kept && number < before ? path_of(self, number) : NULL;
        if (path != NULL)
            unlink(path);
        free(path);
        most = number - 1;
    }
}

void store_snapshot_remove(const store *self, uint64_t before)
{
    remove_before(self, before, 0);
}

void store_snapshot_begin(const store *self, store_end at, const void *bytes, size_t size, store_snapshot_start *out)
{
    *out = (store_snapshot_start){.size = self->key != NULL ? HEAD + STORE_HASH : HEAD};
    memcpy(out->bytes, self->key != NULL ? SIGNED : MAGIC, sizeof MAGIC);
    byte_order_put(out->bytes + 8, at.last, 8);
    byte_order_put(out->bytes + 16, at.checksum, 8);
    byte_order_put(out->bytes + 24, common_hash_words(at.checksum, bytes, size), 8);
    if (self->key != NULL)
        store_sign_snapshot(self, out->bytes, HEAD, bytes, size, out->bytes + HEAD);
}

/* Its file, signed where there is a key. */
static int write_signed(const store *self, const char *prefix, store_end at, const void *bytes, size_t size,
                        roster_error *err)
{
    store_snapshot_start head;
    store_snapshot_begin(self, at, bytes, size, &head);
    char *path = store_snapshot_path(self, prefix, at.last);
    int code = path != NULL ? write_file(self, path, &head, bytes, size, err) : common_fail_memory(err);
    free(path);
    return code;
}

int store_sqlite_snapshot_write(const store *self, store_end at, const void *bytes, size_t size, roster_error *err)
{
    /* A snapshot that survives the machine must not be of rows that do not. */
    if (self->mode == STORE_OS && !store_synchronise(self))
        return store_fail_file(self->path, errno, err);
    int code = write_signed(self, STORE_SNAPSHOT, at, bytes, size, err);
    store_mark_sync(self);
    if (code == ROSTER_OK)
        remove_before(self, UINT64_MAX, STORE_SNAPSHOTS_KEPT);
    return code;
}

int store_sqlite_snapshot_put(store *self, uint64_t number, const void *bytes, size_t size, roster_error *err)
{
    store *reader;
    store_end at = {.last = number};
    bool found;
    if (self->mode == STORE_READ)
        return common_fail(err, ROSTER_EINVAL, "a log opened for reading cannot be written");
    int code = store_open(&reader, self->directory, STORE_READ, err);
    if (code == ROSTER_OK)
        code = store_row_of(reader, number, &at.checksum, &found, err);
    store_close(reader);
    if (code != ROSTER_OK)
        return code;
    if (!found)
        return common_fail(err, ROSTER_EINVAL, "the snapshot is of a record that is not in the log");
    return store_snapshot_write(self, at, bytes, size, err);
}

/* False: it is none of a snapshot. */
static bool read_head(FILE *file, store_snapshot_start *out)
{
    *out = (store_snapshot_start){.size = 0};
    if (fread(out->bytes, 1, HEAD, file) != HEAD)
        return false;
    set_kind(out);
    size_t more = out->size > HEAD ? out->size - HEAD : 0;
    return out->size > 0 && fread(out->bytes + HEAD, 1, more, file) == more;
}

uint64_t store_snapshot_newest(const store *self)
{
    uint64_t number = 0, most = UINT64_MAX;
    for (; store_snapshot_find(self, most, &number); most = number - 1) {
        store_snapshot_start head = {.size = 0};
        char *path = path_of(self, number);
        FILE *file = path != NULL ? fopen(path, "rb") : NULL;
        bool is = file != NULL && read_head(file, &head) && byte_order_get(head.bytes + 8, 8) == number;
        if (file != NULL)
            fclose(file);
        free(path);
        if (is)
            return number;
    }
    return 0;
}

static int set_aside(const store *self, const char *prefix, uint64_t last, roster_error *err)
{
    uint64_t number;
    int code = ROSTER_OK;
    while (code == ROSTER_OK && find(self, prefix, UINT64_MAX, &number) && number > last) {
        char from[NAME_SIZE], to[NAME_SIZE];
        snprintf(from, sizeof from, "%s%0*llu", prefix, DIGITS, (unsigned long long)number);
        snprintf(to, sizeof to, "lost-%.40s", from);
        code = store_rename(self, from, to, err);
    }
    return code;
}

int store_snapshot_set_aside(const store *self, uint64_t last, roster_error *err)
{
    int code = set_aside(self, STORE_SNAPSHOT, last, err);
    return code == ROSTER_OK ? set_aside(self, STORE_BASE, last, err) : code;
}

void store_sqlite_snapshot_clean(const store *self)
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
static int read_file(const char *path, store_snapshot_start *head, void **bytes, size_t *size, roster_error *err)
{
    FILE *file = fopen(path, "rb");
    long end = -1;
    int code = ROSTER_OK;
    *bytes = NULL;
    if (file != NULL && read_head(file, head) && fseek(file, 0, SEEK_END) == 0)
        end = ftell(file);
    if (end >= (long)head->size && fseek(file, (long)head->size, SEEK_SET) == 0) {
        *size = (size_t)end - head->size;
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

/* Whether it may be trusted: it was signed with the key, or there is no key, or nothing in the log is signed yet. */
static bool is_trusted(const store *self, const store_snapshot_start *head, const void *bytes, size_t size)
{
    unsigned char mac[STORE_HASH];
    if (self->key == NULL || !self->signed_rows)
        return true;
    if (head->size == HEAD)
        return false;
    store_sign_snapshot(self, head->bytes, HEAD, bytes, size, mac);
    return store_same_mac(mac, head->bytes + HEAD);
}

bool store_snapshot_fits(const store *self, const store_snapshot_start *head, store_end at, const void *bytes,
                         size_t size)
{
    return byte_order_get(head->bytes + 8, 8) == at.last && byte_order_get(head->bytes + 16, 8) == at.checksum &&
           byte_order_get(head->bytes + 24, 8) == common_hash_words(at.checksum, bytes, size) &&
           is_trusted(self, head, bytes, size);
}

static int load(store *self, const char *prefix, uint64_t number, void **bytes, size_t *size, roster_error *err)
{
    store_snapshot_start head = {.size = 0};
    uint64_t checksum;
    bool found;
    char *path = store_snapshot_path(self, prefix, number);
    int code = path != NULL ? read_file(path, &head, bytes, size, err) : common_fail_memory(err);
    free(path);
    if (code == ROSTER_OK && *bytes != NULL)
        code = store_row_of(self, number, &checksum, &found, err);
    if (code != ROSTER_OK || *bytes == NULL)
        return code;
    if (found && store_snapshot_fits(self, &head, (store_end){number, checksum}, *bytes, *size))
        return ROSTER_OK;
    free(*bytes);
    *bytes = NULL;
    return ROSTER_OK;
}

int store_base_sign(store *self, roster_error *err)
{
    void *bytes = NULL;
    size_t size = 0;
    store_end at = {.last = self->cut.snapshot};
    bool found = false;
    int code = at.last > 0 ? load(self, STORE_BASE, at.last, &bytes, &size, err) : ROSTER_OK;
    if (code == ROSTER_OK && bytes != NULL)
        code = store_row_of(self, at.last, &at.checksum, &found, err);
    if (code == ROSTER_OK && found)
        code = write_signed(self, STORE_BASE, at, bytes, size, err);
    free(bytes);
    return code;
}

int store_sqlite_snapshot_get(store *self, uint64_t most, uint64_t *number, void **bytes, size_t *size, bool *found,
                              roster_error *err)
{
    int code = ROSTER_OK;
    uint64_t base = self->cut.snapshot <= most ? self->cut.snapshot : 0;
    *bytes = NULL;
    while (code == ROSTER_OK && *bytes == NULL && store_snapshot_find(self, most, number)) {
        code = load(self, STORE_SNAPSHOT, *number, bytes, size, err);
        most = *number - 1;
    }
    if (code == ROSTER_OK && *bytes == NULL && base > 0) {
        *number = base;
        code = load(self, STORE_BASE, base, bytes, size, err);
    }
    if (code != ROSTER_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    *found = *bytes != NULL;
    return code;
}
