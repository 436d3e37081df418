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

static char directory[64];

static inline int set_up(void **state)
{
    (void)state;
    strcpy(directory, "store_XX"
                      "XXXX");
    assert_non_null(mkdtemp(directory));
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
    DIR *open = opendir(directory);
    for (struct dirent *entry; open != NULL && (entry = readdir(open)) != NULL;)
        if (unlink(path_to(entry->d_name)) != 0 && entry->d_name[0] != '.')
            rmdir(path_to(entry->d_name));
    closedir(open);
    assert_int_equal(rmdir(directory), 0);
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

#endif
