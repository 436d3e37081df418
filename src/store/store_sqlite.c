/*
 * store_sqlite.c: the event log in one SQLite file, DIR/roster.db.
 *
 *   log(first, count, at, records, checksum)     a row per commit
 *
 * Paper: none.
 *
 * The journal is a write-ahead log: readers never wait for the writer, and a commit is one write and one fsync of it
 * (synchronous = FULL; with STORE_OS only checkpoints are synchronised). DIR/lock is held by the one process that
 * writes: SQLite itself would let writers take turns, and two engines would then each miss what the other wrote.
 *
 * Cost: per row one fsync and about 1.1 times its bytes, twice (journal, then file).
 * Check: tests/unit/test_store.c.
 */
#include "store_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { APPLICATION = 0x726f7374, VERSION = 1, CHECKPOINT_PAGES = 4000 };

int store_say(roster_error *err, int code, const char *format, const char *a, const char *b)
{
    if (err != NULL) {
        err->code = code;
        snprintf(err->msg, sizeof err->msg, format, a, b);
    }
    return code;
}

/* What the database refused, as a code and a sentence an operator can act upon. */
int store_fail(const store *self, int why, roster_error *err)
{
    const char *path = self->path, *words = self->db != NULL ? sqlite3_errmsg(self->db) : sqlite3_errstr(why);
    switch (why & 0xff) {
    case SQLITE_NOMEM:
        return store_say(err, ROSTER_ENOMEM, "out of memory%.0s%.0s", path, words);
    case SQLITE_FULL:
        return store_say(err, STORE_EFULL, "%.200s cannot grow: %.160s; make room, earlier data can still be read",
                         path, "the disk is full");
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return store_say(err, STORE_EREADONLY, "%.200s cannot be written: %.160s", path, words);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return store_say(err, STORE_EBUSY, "%.200s is in use by another process: %.160s", path, words);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return store_say(err, ROSTER_EDAMAGED, "%.200s is damaged: %.160s; restore a backup", path, words);
    default:
        return store_say(err, STORE_EIO, "%.200s cannot be used: %.160s", path, words);
    }
}

static int run(store *self, const char *sql, roster_error *err)
{
    int why = sqlite3_exec(self->db, sql, NULL, NULL, NULL);
    return why == SQLITE_OK ? ROSTER_OK : store_fail(self, why, err);
}

/* The one number that a statement gives. */
static int ask(store *self, const char *sql, sqlite3_int64 *out, roster_error *err)
{
    sqlite3_stmt *statement = NULL;
    int why = sqlite3_prepare_v2(self->db, sql, -1, &statement, NULL);
    if (why == SQLITE_OK)
        why = sqlite3_step(statement);
    *out = why == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;
    int code = why == SQLITE_ROW || why == SQLITE_DONE ? ROSTER_OK : store_fail(self, why, err);
    sqlite3_finalize(statement);
    return code;
}

char *store_join(const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s", directory, name);
    return path;
}

/* The directory is made where it is missing, and held for this process. */
static int hold(store *self, const char *directory, roster_error *err)
{
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return store_say(err, errno == ENOSPC ? STORE_EFULL : STORE_EREADONLY, "%.200s cannot be made: %.160s",
                         directory, strerror(errno));
    char *path = store_join(directory, "lock");
    if (path == NULL)
        return store_say(err, ROSTER_ENOMEM, "out of memory%.0s%.0s", "", "");
    self->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int why = errno;
    free(path);
    if (self->lock < 0)
        return store_say(err, why == ENOSPC ? STORE_EFULL : STORE_EREADONLY, "%.200s cannot be written: %.160s",
                         directory, strerror(why));
    if (flock(self->lock, LOCK_EX | LOCK_NB) != 0)
        return store_say(err, STORE_EBUSY, "%.200s is in use: another process writes to it%.0s", directory, "");
    if (ftruncate(self->lock, 0) == 0)
        dprintf(self->lock, "%ld\n", (long)getpid()); /* for operators; nothing depends on it */
    return ROSTER_OK;
}

static int set_up(store *self, roster_error *err)
{
    static const char tables[] =
        "BEGIN IMMEDIATE;"
        "CREATE TABLE IF NOT EXISTS log(first INTEGER PRIMARY KEY, count INTEGER NOT NULL, at INTEGER NOT NULL,"
        " records BLOB NOT NULL, checksum INTEGER NOT NULL);"
        "PRAGMA application_id = 1919906676; PRAGMA user_version = 1; COMMIT;";
    char sql[120];
    snprintf(sql, sizeof sql, "PRAGMA journal_mode = WAL; PRAGMA synchronous = %s; PRAGMA wal_autocheckpoint = %d",
             self->mode == STORE_DURABLE ? "FULL" : "NORMAL", CHECKPOINT_PAGES);
    int code = run(self, sql, err);
    return code == ROSTER_OK ? run(self, tables, err) : code;
}

/* That it is a log of ours; an empty file becomes one. */
static int check_kind(store *self, roster_error *err)
{
    sqlite3_int64 application, version, tables;
    int code = ask(self, "PRAGMA application_id", &application, err);
    if (code == ROSTER_OK)
        code = ask(self, "PRAGMA user_version", &version, err);
    if (code == ROSTER_OK)
        code = ask(self, "SELECT count(*) FROM sqlite_schema", &tables, err);
    if (code != ROSTER_OK)
        return code;
    if (tables == 0 && self->mode != STORE_READ)
        return set_up(self, err);
    if (application != APPLICATION)
        return store_say(err, ROSTER_EDAMAGED, "%.200s is no event log of roster%.0s", self->path, "");
    if (version != VERSION)
        return store_say(err, ROSTER_EDAMAGED, "%.200s is of another version than this program reads%.0s", self->path,
                         "");
    return self->mode != STORE_READ ? set_up(self, err) : ROSTER_OK;
}

/* Opens the database of that name. */
static int connect(store *self, const char *name, int flags, roster_error *err)
{
    int why = sqlite3_open_v2(name, &self->db, flags, NULL);
    if (why != SQLITE_OK && self->mode == STORE_READ && access(self->path, F_OK) != 0)
        return store_say(err, STORE_EIO, "%.200s is not there: no log was ever written%.0s", self->path, "");
    if (why != SQLITE_OK)
        return store_fail(self, why, err);
    sqlite3_busy_timeout(self->db, 5000);
    return check_kind(self, err);
}

static uint64_t bytes_of(const char *path, const char *ending)
{
    char name[4096];
    struct stat file;
    snprintf(name, sizeof name, "%s%s", path, ending);
    return stat(name, &file) == 0 ? (uint64_t)file.st_size : 0;
}

/* A log at rest in a directory that may not be written, where even reading would make a file: as it stands. */
static int connect_at_rest(store *self, roster_error *err)
{
    static const char end[] = "?immutable=1";
    char *name = malloc(3 * strlen(self->path) + sizeof end + 5), *to = name;
    if (name == NULL)
        return store_say(err, ROSTER_ENOMEM, "out of memory%.0s%.0s", "", "");
    to += sprintf(to, "file:");
    for (const char *from = self->path; *from != '\0'; from++)
        to += sprintf(to, strchr("%?#", *from) != NULL ? "%%%02x" : "%c", (unsigned char)*from);
    strcpy(to, end);
    sqlite3_close(self->db);
    self->db = NULL;
    int code = connect(self, name, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
    free(name);
    return code;
}

static int connect_any(store *self, roster_error *err)
{
    if (self->mode != STORE_READ)
        return connect(self, self->path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
    int code = connect(self, self->path, SQLITE_OPEN_READONLY, err);
    bool at_rest = self->db != NULL && bytes_of(self->path, "-wal") == 0;
    return code == STORE_EREADONLY && at_rest ? connect_at_rest(self, err) : code;
}

static int prepare(store *self, roster_error *err)
{
    static const char *const sql[STORE_STATEMENTS] = {
        [STORE_INSERT] = "INSERT INTO log VALUES(?1, ?2, ?3, ?4, ?5)",
        [STORE_AT] =
            "SELECT first, count, at, records, checksum FROM log WHERE first <= ?1 ORDER BY first DESC LIMIT 1",
        [STORE_AFTER] = "SELECT first, count, at, records, checksum FROM log WHERE first > ?1 ORDER BY first LIMIT 1",
        [STORE_BEFORE] = "SELECT checksum FROM log WHERE first < ?1 ORDER BY first DESC LIMIT 1",
    };
    for (int i = 0; i < STORE_STATEMENTS; i++) {
        int why = sqlite3_prepare_v3(self->db, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &self->statements[i], NULL);
        if (why != SQLITE_OK)
            return store_fail(self, why, err);
    }
    return ROSTER_OK;
}

/* Where the log ends. */
static int find_end(store *self, roster_error *err)
{
    sqlite3_int64 last, checksum;
    int code = ask(self, "SELECT first + count - 1 FROM log ORDER BY first DESC LIMIT 1", &last, err);
    if (code == ROSTER_OK)
        code = ask(self, "SELECT checksum FROM log ORDER BY first DESC LIMIT 1", &checksum, err);
    if (code == ROSTER_OK) {
        self->last = (uint64_t)last;
        self->checksum = (uint64_t)checksum;
    }
    return code;
}

int store_open(store **out, const char *directory, store_mode mode, roster_error *err)
{
    *out = NULL;
    store *self = calloc(1, sizeof *self);
    if (self == NULL)
        return store_say(err, ROSTER_ENOMEM, "out of memory%.0s%.0s", "", "");
    self->mode = mode;
    self->lock = -1;
    self->path = store_join(directory, "roster.db");
    self->directory = store_join(directory, ""); /* ends with a slash */
    int code = self->path != NULL && self->directory != NULL
                   ? ROSTER_OK
                   : store_say(err, ROSTER_ENOMEM, "out of memory%.0s%.0s", "", "");
    if (code == ROSTER_OK && mode != STORE_READ)
        code = hold(self, directory, err);
    if (code == ROSTER_OK)
        code = connect_any(self, err);
    if (code == ROSTER_OK)
        code = prepare(self, err);
    if (code == ROSTER_OK)
        code = find_end(self, err);
    if (code != ROSTER_OK) {
        store_close(self);
        return code;
    }
    *out = self;
    return ROSTER_OK;
}

void store_close(store *self)
{
    if (self == NULL)
        return;
    for (int i = 0; i < STORE_STATEMENTS; i++)
        sqlite3_finalize(self->statements[i]);
    sqlite3_close(self->db);
    if (self->lock >= 0)
        close(self->lock);
    free(self->path);
    free(self->directory);
    free(self);
}

uint64_t store_last(const store *self)
{
    return self->last;
}

void store_limit(store *self, uint64_t bytes)
{
    char sql[80];
    sqlite3_int64 size;
    if (ask(self, "PRAGMA page_size", &size, NULL) != ROSTER_OK || size <= 0)
        return;
    snprintf(sql, sizeof sql, "PRAGMA max_page_count = %llu",
             bytes > 0 ? (unsigned long long)(bytes / (uint64_t)size + 1) : 4294967294ULL);
    run(self, sql, NULL);
}

int store_check(store *self, roster_error *err)
{
    sqlite3_stmt *statement = NULL;
    char words[200] = "";
    int why = sqlite3_prepare_v2(self->db, "PRAGMA integrity_check(1)", -1, &statement, NULL);
    if (why == SQLITE_OK)
        why = sqlite3_step(statement);
    int code = why == SQLITE_ROW || why == SQLITE_DONE ? ROSTER_OK : store_fail(self, why, err);
    if (why == SQLITE_ROW && sqlite3_column_text(statement, 0) != NULL)
        snprintf(words, sizeof words, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_finalize(statement);
    if (code == ROSTER_OK && strcmp(words, "ok") != 0)
        return store_say(err, ROSTER_EDAMAGED, "%.200s is damaged: %.160s; restore a backup", self->path, words);
    return code;
}

void store_look(store *self, store_state *out)
{
    uint64_t snapshot = 0;
    store_snapshot_find(self, UINT64_MAX, &snapshot);
    *out = (store_state){.records = self->last,
                         .rows = self->rows,
                         .bytes = bytes_of(self->path, "") + bytes_of(self->path, "-wal"),
                         .snapshot = snapshot};
}
