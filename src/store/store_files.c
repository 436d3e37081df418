/*
 * store_files.c: the files of a log's directory: named, renamed, synchronised.
 *
 * Paper: none.
 * Check: tests/unit/test_store_loss.c.
 */
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int store_fail_file(const char *path, int why, roster_error *err)
{
    int code = why == ENOSPC || why == EDQUOT  ? STORE_EFULL
               : why == EACCES || why == EROFS ? STORE_EREADONLY
                                               : STORE_EIO;
    return common_fail(err, code, "%.200s cannot be written: %.160s", path, strerror(why));
}

char *store_join(const char *directory, const char *name)
{
    size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    if (path != NULL)
        snprintf(path, size, "%s/%s", directory, name);
    return path;
}

uint64_t store_bytes_of(const char *path, const char *ending)
{
    char name[4096];
    struct stat file;
    snprintf(name, sizeof name, "%s%s", path, ending);
    return stat(name, &file) == 0 ? (uint64_t)file.st_size : 0;
}

bool store_synchronise_file(const char *path, const char *ending)
{
    char name[4096];
    snprintf(name, sizeof name, "%s%s", path, ending);
    int file = open(name, O_RDONLY | O_CLOEXEC);
    bool done = file >= 0 ? fsync(file) == 0 : errno == ENOENT;
    if (file >= 0)
        close(file);
    return done;
}

bool store_synchronise_directory(const store *self)
{
    return store_synchronise_file(self->directory, "");
}

/* Through the file that SQLite has open. A process that closes the database under its own name loses its locks on it,
   all of them: the next to come, a backup or an audit, would take itself for the last and remove the journal. A child
   made by fork has neither that file nor locks. */
static bool synchronise_database(const store *self)
{
    if (self->file == NULL)
        return store_synchronise_file(self->path, "");
    return self->file->pMethods->xSync(self->file, SQLITE_SYNC_NORMAL) == SQLITE_OK;
}

bool store_synchronise(const store *self)
{
    return store_synchronise_file(self->path, "-wal") && synchronise_database(self) &&
           store_synchronise_directory(self);
}

int store_rename(const store *self, const char *from, const char *to, roster_error *err)
{
    char *before = store_join(self->directory, from), *after = store_join(self->directory, to);
    int code = before != NULL && after != NULL ? ROSTER_OK : common_fail_memory(err);
    if (code == ROSTER_OK && rename(before, after) != 0 && errno != ENOENT)
        code = store_fail_file(before, errno, err);
    free(before);
    free(after);
    return code;
}
