/*
 * server_export.c: files of --export-before-drop: DIR/events-FIRST-LAST.jsonl, the records that were dropped at once.
 *
 * A server that is killed between an export and its drop leaves a file of records that are still in the log. The next
 * export begins with the same record and reaches further, so its file has them all and takes the place of the first:
 * whoever reads the folder finds every record once. The first is removed only where the new one really has its records:
 * it may also be of another log that was here before. What a killed export left half written goes too, before files
 * that are whole do: one that still runs can then not finish.
 *
 * Paper: none.
 * Cost: one reading of the folder, and of the two files where there are two.
 * Check: tests/http/retention.py.
 */
#define _GNU_SOURCE
#include "server_export.h"

#include "common_error.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char ENDING[] = ".jsonl", HALF[] = ".part";
enum { PREFIX_SIZE = 40, COMMAS = 3 };

void server_export_path(char *out, size_t size, const char *folder, uint64_t first, uint64_t last)
{
    snprintf(out, size, "%.4000s/events-%020llu-%020llu%s", folder, (unsigned long long)first, (unsigned long long)last,
             ENDING);
}

static bool ends_with(const char *text, const char *ending)
{
    size_t size = strlen(text), n = strlen(ending);
    return size >= n && strcmp(text + size - n, ending) == 0;
}

/* Number, time and kind of a record: what an erasure leaves as it was. */
static size_t head_of(const char *line, size_t size)
{
    size_t i = 0;
    for (int commas = 0; i < size && commas < COMMAS; i++)
        commas += line[i] == ',';
    return i;
}

/* Whether all records of the one are in the other, from its beginning. */
static bool is_in(FILE *one, FILE *other)
{
    char *a = NULL, *b = NULL;
    size_t room_a = 0, room_b = 0;
    bool same = true;
    for (ssize_t n; same && (n = getline(&a, &room_a, one)) > 0;) {
        ssize_t m = getline(&b, &room_b, other);
        size_t head = head_of(a, (size_t)n);
        same = m > 0 && head_of(b, (size_t)m) == head && memcmp(a, b, head) == 0;
    }
    same = same && feof(one);
    free(a);
    free(b);
    return same;
}

static void remove_if_in(int folder, const char *name, const char *path)
{
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    FILE *one = file >= 0 ? fdopen(file, "re") : NULL, *other = fopen(path, "re");
    if (one != NULL && other != NULL && is_in(one, other))
        unlinkat(folder, name, 0);
    if (one != NULL)
        fclose(one);
    else if (file >= 0)
        close(file);
    if (other != NULL)
        fclose(other);
}

/* Files of exports that began with that record: those half written, or else those that end before `last`. */
static void remove_those(DIR *folder, uint64_t first, uint64_t last, const char *path)
{
    char prefix[PREFIX_SIZE];
    size_t size = (size_t)snprintf(prefix, sizeof prefix, "events-%020llu-", (unsigned long long)first);
    rewinddir(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const char *name = entry->d_name;
        if (strncmp(name, prefix, size) != 0)
            continue;
        if (path == NULL && ends_with(name, HALF))
            unlinkat(dirfd(folder), name, 0);
        if (path != NULL && ends_with(name, ENDING) && strtoull(name + size, NULL, 10) < last)
            remove_if_in(dirfd(folder), name, path);
    }
}

void server_export_clean(const char *path, uint64_t first)
{
    DIR *folder = opendir(path);
    if (folder == NULL)
        return;
    remove_those(folder, first, 0, NULL);
    closedir(folder);
}

int server_export_replace(const char *folder, uint64_t first, uint64_t last, roster_error *err)
{
    char path[SERVER_EXPORT_PATH];
    DIR *directory = opendir(folder);
    if (directory == NULL)
        return common_fail(err, ROSTER_EINVAL, "the folder cannot be read: %s", strerror(errno));
    server_export_path(path, sizeof path, folder, first, last);
    remove_those(directory, first, 0, NULL);
    remove_those(directory, first, last, path);
    bool kept = fsync(dirfd(directory)) == 0 || errno == EINVAL; /* some file systems have no such thing */
    int why = errno;
    closedir(directory);
    return kept ? ROSTER_OK : common_fail(err, ROSTER_EINVAL, "the folder cannot be synchronised: %s", strerror(why));
}
