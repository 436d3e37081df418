/*
 * store_support.h: what the tests of store/ share: a log in a directory of its own, which goes with the test.
 */
#ifndef ROSTER_STORE_SUPPORT_H
#define ROSTER_STORE_SUPPORT_H

#include "support.h"

#include "store.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static folder_path directory;

static inline int set_up(void **state)
{
    (void)state;
    folder_make(directory, "store");
    return 0;
}

/* DIRECTORY/NAME; one of four, used in turns. */
static inline const char *path_to(const char *name)
{
    static char paths[4][384];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", directory, name);
    return path;
}

static inline void forget(const char *name)
{
    unlink(path_to(name));
}

static inline int tear_down(void **state)
{
    (void)state;
    chmod(directory, 0777);
    folder_remove(directory);
    return 0;
}

static inline store *opened(store_mode mode)
{
    store *self;
    roster_error err;
    assert_ok(store_open(&self, directory, mode, &err), &err);
    return self;
}

static inline int append(store *self, uint64_t count, const char *bytes, roster_error *err)
{
    store_row row = {.first = store_last(self) + 1, .count = count, .at = 7, .records = bytes, .size = strlen(bytes)};
    return store_append(self, &row, err);
}

/* A file of the log under another name. */
static inline void copy(const char *from, const char *to)
{
    static char bytes[1 << 20];
    FILE *in = fopen(path_to(from), "rb"), *out = fopen(path_to(to), "wb");
    assert_true(in != NULL && out != NULL);
    size_t n = fread(bytes, 1, sizeof bytes, in);
    assert_true(n < sizeof bytes);
    assert_int_equal(fwrite(bytes, 1, n, out), n);
    fclose(in);
    fclose(out);
}

static inline bool there(const char *name)
{
    return access(path_to(name), F_OK) == 0;
}

/* That opening says how many are missing; with the wrong number accepted too. */
static inline void assert_missing(uint64_t left, uint64_t known)
{
    store *self;
    roster_error err;
    char words[200];
    snprintf(words, sizeof words, "roster.db ends with record %llu, but %llu were written: %llu %s missing",
             (unsigned long long)left, (unsigned long long)known, (unsigned long long)(known - left),
             known - left == 1 ? "is" : "are");
    for (uint64_t accepted = 0; accepted < 2; accepted++) {
        store_options options = {.mode = STORE_DURABLE, .accept_loss = accepted * (known - left + 1)};
        assert_int_equal(store_open_with(&self, directory, &options, &err), ROSTER_EDAMAGED);
        assert_null(self);
        assert_non_null(strstr(err.msg, words));
    }
    int code = store_open(&self, directory, STORE_READ, &err);
    if (code == ROSTER_OK)
        code = store_whole(self, &err);
    assert_int_equal(code, ROSTER_EDAMAGED);
    assert_non_null(strstr(err.msg, words));
    store_close(self);
}

/* The loss is accepted; the log goes on from what is left, and is whole when it is opened again. */
static inline void assert_accepted(uint64_t left, uint64_t known)
{
    store *self;
    roster_error err;
    store_row row;
    bool found;
    store_options options = {.mode = STORE_DURABLE, .accept_loss = known - left};
    assert_ok(store_open_with(&self, directory, &options, &err), &err);
    assert_int_equal(store_last(self), left);
    assert_ok(append(self, 1, "after the loss", &err), &err);
    store_close(self);
    self = opened(STORE_DURABLE);
    assert_ok(store_whole(self, &err), &err);
    assert_ok(store_read(self, left + 1, &row, &found, &err), &err);
    assert_true(found && store_checksum(&row) == row.checksum);
    assert_memory_equal(row.records, "after the loss", row.size);
    store_close(self);
}

#endif
