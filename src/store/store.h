/*
 * store.h: the durable event log: numbered records in rows, and snapshots. It knows nothing of what they say.
 *
 * A record has a number (its sequence number, from 1, without gaps). Records are written in rows: a row is what one
 * transaction makes durable, `count` records from number `first` on, as bytes that the caller understands. Every row
 * carries a checksum over its numbers, its bytes and the checksum of the row before, so that no bit of the log can
 * change and no row go or move without notice.
 *
 * A log is in a directory, on SQLite, or in a PostgreSQL database that an URL names.
 *
 * One directory is one log. One process writes at a time (a lock file, which has its number in it, sees to that);
 * others may read meanwhile. A file beside the log, the high-water mark, says how far it was written: a log that ends
 * before its mark or before a snapshot lost records, and is not continued unless that loss is accepted by its size.
 *
 * With a key every row also carries a MAC, chained: without the key nobody can change a row and make it fit again.
 *
 * A database is one log, too, to which any number of processes append by turns (store_turn.h). Nothing is dropped from
 * it or erased in it, and there is no mark: its own last record is in a row that changes with every append.
 *
 * Threads: a store is used by one thread at a time. A second thread, or a second process, opens its own to read.
 */
#ifndef ROSTER_STORE_H
#define ROSTER_STORE_H

#include <roster.h>

/* Codes beyond those of roster.h: what an operator has to act upon. */
enum {
    STORE_EFULL = 16,     /* the disk is full; nothing was written, what was before can be read           */
    STORE_EREADONLY = 17, /* the directory or the file may not be written                                 */
    STORE_EBUSY = 18,     /* another process has it open for writing                                      */
    STORE_EIO = 19        /* anything else the file system or the database refused                        */
};
/* ROSTER_EDAMAGED: the database is no database, of another version, or broken. */

typedef struct store store;

typedef enum store_mode {
    STORE_READ,    /* must exist; changes nothing                                            */
    STORE_DURABLE, /* creates what is missing; a row that was appended survives power loss  */
    STORE_OS       /* the same, but it survives the process only, not the machine            */
} store_mode;

/* A secret that rows are signed with. */
enum { STORE_KEY_LEAST = 32, STORE_KEY_MOST = 4096, STORE_HASH = 32 };
typedef struct store_key {
    unsigned char bytes[STORE_KEY_MOST];
    size_t size;
} store_key;

/* All bytes of the file, STORE_KEY_LEAST to STORE_KEY_MOST. */
int store_key_read(store_key *out, const char *path, roster_error *err);

typedef struct store_options {
    store_mode mode;
    /* Copied; NULL: none. A log whose rows are signed is not continued without its key. With it, snapshots of a log
       with signed rows must be signed too, and others are passed over. */
    const store_key *key;
    uint64_t
        accept_loss; /* go on though so many records are missing; 0: never. What is newer is set aside, see below */
} store_options;

/* Whether a log's place is a database: postgresql://... or postgres://... */
bool store_is_url(const char *place);

/* The place as people may see it: the password of a URL is left out. For the caller to free; NULL: err says why. */
char *store_place(const char *place, roster_error *err);

/* Opens the log in the directory, or in the database that the URL names. Allocates; *out is owned by the caller, NULL
   on failure.

   ROSTER_EDAMAGED where records are missing, unless the mode is STORE_READ (store_whole tells then). Where the loss is
   accepted, snapshots of records that are missing, the old high-water mark, and a journal without its database get the
   word "lost-" before their names. */
int store_open_with(store **out, const char *place, const store_options *options, roster_error *err);
/* The same without key and without loss. */
int store_open(store **out, const char *place, store_mode mode, roster_error *err);
/* Whether the log reaches as far as its high-water mark and its snapshots say, as of opening; ROSTER_EDAMAGED and how
   many records are missing otherwise. */
int store_whole(const store *self, roster_error *err);
/* Where it is, for people: the database's file, or its URL without a password. */
const char *store_name(const store *self);
/* NULL is fine. */
void store_close(store *self);
/* In a child made by fork: lets go of the lock, which is the parent's. Of the log the child may use
   store_snapshot_write and nothing else, not even store_close. */
void store_forked(store *self);

typedef struct store_row {
    uint64_t first, count; /* numbers of its records: first .. first + count - 1         */
    int64_t at;            /* when, microseconds since 1970                              */
    const void *records;   /* borrowed                                                   */
    size_t size;
    uint64_t checksum;        /* as it stands in the log; store_append computes it and ignores what is given */
    uint64_t before;          /* checksum of the row before, 0 for the first; set by store_read only         */
    const unsigned char *mac; /* borrowed, [STORE_HASH]; NULL: the row has none; set by store_read only */
    /* Borrowed, [STORE_HASH]: something in the row was erased; this is the SHA-256 of what its records were, which
       checksum, head and MAC are of. NULL: the row is as it was written. Set by store_read only. */
    const unsigned char *digest;
} store_row;

/* The checksum that a row must have. */
uint64_t store_checksum(const store_row *row);

/* Number of the last record in the log, 0 where there is none: as of opening, and of what was appended since. */
uint64_t store_last(const store *self);
/* Makes the row durable as the mode says. row->first must be store_last + 1, row->count at least 1. On failure nothing
   is written and the same row may be given again. */
int store_append(store *self, const store_row *row, roster_error *err);
/* The row that holds record `number`, or the first one after it. *found is false past the end. Its bytes are borrowed
   until the next call on this store. Checksums are for the caller to compare: a damaged row can still be read. */
int store_read(store *self, uint64_t number, store_row *row, bool *found, roster_error *err);
/* Lets go of what was read: nothing is borrowed any more. Call it after reading and before waiting, since what is
   being read cannot be removed from the journal. NULL is fine. */
void store_rest(store *self);

/* The head of a log: a cryptographic hash (SHA-256) of all rows up to one, each with the head before it. A copy
   that is kept elsewhere shows later that no row up to there was changed or taken away. Start with {0}. */
typedef struct store_head {
    uint64_t records; /* number of the last record in it */
    unsigned char hash[STORE_HASH];
} store_head;

void store_head_add(store_head *self, const store_row *row);

/* MACs of rows in a log, checked in order. Start with {.key = the key, or NULL: then they are only counted}.

     mac = HMAC-SHA-256(key, kind of link | link | first | count | at | SHA-256(records))
     link = the mac of the row before; for the first row that has one, the head of all rows before */
typedef struct store_macs {
    const store_key *key; /* borrowed */
    uint64_t rows;        /* that carry a MAC */
    unsigned char link[STORE_HASH];
} store_macs;

/* `before` is the head of all rows before. ROSTER_EDAMAGED: the MAC is wrong, or is missing after rows that have one.
   */
int store_macs_add(store_macs *self, const store_head *before, const store_row *row, roster_error *err);

/* The last record in the log and the checksum of its row. */
typedef struct store_end {
    uint64_t last, checksum;
} store_end;

store_end store_ends(const store *self);

/* A snapshot: state after record `number`, which must be in the log. Older ones but one are thrown away. It is a file
   of its own beside the database: another thread may write it while rows are appended. */
int store_snapshot_put(store *self, uint64_t number, const void *bytes, size_t size, roster_error *err);
/* The same; `at` is the record, and the checksum of the row that holds it. It does not use the database, so that a
   child made by fork may call it. */
int store_snapshot_write(const store *self, store_end at, const void *bytes, size_t size, roster_error *err);
/* Removes what was left half written by one that is gone. */
void store_snapshot_clean(const store *self);
/* The newest snapshot of a record up to `most` that is whole. *bytes is allocated, for the caller to free; NULL and
   *found false where there is none. A snapshot that is damaged, or of a log that went on differently, is passed
   over; where none is left, the base of a log whose beginning was dropped is the last resort. */
int store_snapshot_get(store *self, uint64_t most, uint64_t *number, void **bytes, size_t *size, bool *found,
                       roster_error *err);

/* Where the log begins, after rows were dropped: the row of `record` is the last that was. And where the audit begins,
   after rows were dropped or something in them erased. */
typedef struct store_cut {
    uint64_t record;      /* 0: none was dropped                                            */
    uint64_t checksum;    /* of that row                                                    */
    uint64_t snapshot;    /* the base: the state after this record, in a file of its own    */
    uint64_t signed_rows; /* how many of the dropped rows had a MAC                         */
    uint64_t erased;      /* the last erasure that was made: its record, 0: none            */
    unsigned char head[STORE_HASH],
        link[STORE_HASH]; /* of all rows up to there; the MAC that the next one is linked to */
} store_cut;

/* As it was when it was last read. */
const store_cut *store_cut_of(const store *self);
/* Reads it again, since a process that writes may have made another. */
void store_cut_read(store *self);
/* Keeps a snapshot, which must be there, as the base of a cut that is to come. */
int store_cut_keep(store *self, uint64_t snapshot, roster_error *err);
/* A cut after the last row whose records are all up to `most`, never the log's last row, with a snapshot as its base
   that is of a record not before. Reads what would be dropped. */
int store_cut_find(store *self, uint64_t most, uint64_t snapshot, store_cut *out, roster_error *err);
/* Makes it. In a thread of the process that writes, beside it. */
int store_cut_make(const char *directory, const store_cut *cut, roster_error *err);

/* SHA-256. */
void store_digest(const void *bytes, size_t size, unsigned char out[STORE_HASH]);

/* Rows that get other content. Checksums, heads and MACs stay those of what the rows were. */
typedef struct store_rewrite {
    uint64_t first;                   /* of the row                 */
    unsigned char digest[STORE_HASH]; /* SHA-256 of the new content */
} store_rewrite;

typedef struct store_erasure {
    uint64_t record;   /* that says so in the log                                           */
    uint64_t snapshot; /* the new base: of a record not before that one; older snapshots go */
    const store_rewrite *rows;
    size_t n;
    /* The new content of a row, for the caller of it to free. */
    int (*rewrite)(void *context, const store_row *row, void **bytes, size_t *size, roster_error *err);
    void *context;
} store_erasure;

/* Makes it, once more where it was made in part. In a thread of the process that writes, beside it. What the rows were
   is overwritten in the database and removed from the journal; STORE_EBUSY where somebody reads that for too long. */
int store_erase(const char *directory, const store_erasure *what, roster_error *err);

/* The database's own check of its pages; ROSTER_EDAMAGED with a sentence where something is wrong. Reads it all. */
int store_check(store *self, roster_error *err);

typedef struct store_state {
    uint64_t records, rows; /* in the log; rows appended by this store */
    uint64_t bytes;         /* of the database and its journal on disk */
    uint64_t snapshot;      /* number of the last snapshot, 0: none    */
    uint64_t lost;          /* records whose loss was accepted when it was opened */
    uint64_t writers;       /* that appended to a shared log within its last minute */
} store_state;

/* For people and metrics. */
void store_state_get(store *self, store_state *out);
/* Lets the database grow to that many bytes and no further (STORE_EFULL then); 0: as far as the disk goes. */
void store_limit(store *self, uint64_t bytes);

#endif
