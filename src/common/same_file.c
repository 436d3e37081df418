/*
 * same_file.c: files that are there are known by device and inode; others by their last name and their folder, which is
 * compared in the same way.
 *
 * Paper: none. Cost: two stat per folder that is missing.
 * Check: tests/cli/evaluate.t.
 */
#include "same_file.h"

#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* dirname and basename write into what they are given. */
static bool same_name(const char *a, const char *b)
{
    char *x = strdup(a), *y = strdup(b);
    bool same = x != NULL && y != NULL && strcmp(basename(x), basename(y)) == 0;
    free(x);
    free(y);
    return same;
}

static bool same_folder(const char *a, const char *b)
{
    char *x = strdup(a), *y = strdup(b);
    bool same = x != NULL && y != NULL && common_same_file(dirname(x), dirname(y));
    free(x);
    free(y);
    return same;
}

bool common_same_file(const char *a, const char *b)
{
    struct stat x, y;
    if (strcmp(a, b) == 0)
        return true;
    bool a_there = stat(a, &x) == 0, b_there = stat(b, &y) == 0;
    if (a_there && b_there)
        return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return a_there == b_there && same_name(a, b) && same_folder(a, b);
}
