/*
 * log_paths.c: no file is named twice as a part of one log: its events would count twice.
 *
 * Paper: none. Cost: that of sorting the files.
 * Check: tests/cli/evaluate.t.
 */
#include "read_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct known {
    dev_t device;
    ino_t inode;
    size_t place; /* among the paths */
} known;

static int compare(const void *left, const void *right)
{
    const known *a = left, *b = right;
    if (a->device != b->device)
        return a->device < b->device ? -1 : 1;
    if (a->inode != b->inode)
        return a->inode < b->inode ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

int log_check_paths(const char *const *paths, size_t n, roster_error *err)
{
    known *all = calloc(n + 1, sizeof *all);
    struct stat there;
    size_t found = 0;
    int code = all != NULL ? ROSTER_OK : common_fail_memory(err);
    for (size_t i = 0; all != NULL && i < n; i++)
        if (stat(strcmp(paths[i], "-") == 0 ? "/dev/stdin" : paths[i], &there) == 0)
            all[found++] = (known){there.st_dev, there.st_ino, i};
    if (found > 1)
        qsort(all, found, sizeof *all, compare);
    for (size_t i = 1; code == ROSTER_OK && i < found; i++)
        if (all[i].device == all[i - 1].device && all[i].inode == all[i - 1].inode)
            code = common_fail(err, ROSTER_EINVAL,
                               "%.200s and %.200s are one file, whose events would count twice: "
                               "name it once",
                               paths[all[i - 1].place], paths[all[i].place]);
    free(all);
    return code;
}
