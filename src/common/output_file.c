/*
 * output_file.c: files that appear whole or not at all, one by one or several of a folder together.
 *
 * The text goes into a temporary file in the folder of the target, is forced to disk, and then takes the target's name:
 * a reader meanwhile sees the old file or the new one. Missing folders are created, and removed again if nothing comes
 * of it. A target that is no plain file (a pipe, a device), or is what standard output goes to, cannot be replaced and
 * is written directly. Of a symbolic link the file that it leads to is replaced, where there is one.
 *
 * Paper: none. Cost: two fsync per file: its bytes and its name.
 * Check: tests/unit/test_output_file.c: file_*.
 */
#define _GNU_SOURCE
#include "output_file.h"

#include "common_error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST = 4000 }; /* path, in bytes */

static int fail(roster_error *err, const char *path, const char *what, int number)
{
    return common_fail(err, ROSTER_EINVAL, "%.300s cannot be %s: %s", path, what, strerror(number));
}

/* The folders of self->path that are missing. A length is that of a path with what stands above it. */
static int create_folders(output_file *self)
{
    char folder[sizeof self->path];
    for (size_t i = 1; self->path[i] != '\0'; i++) {
        if (self->path[i] != '/')
            continue;
        memcpy(folder, self->path, i);
        folder[i] = '\0';
        if (mkdir(folder, 0777) == 0)
            self->created = self->created > 0 ? self->created : i;
        else if (errno != EEXIST)
            return errno;
    }
    return 0;
}

/* Those that create_folders created, from the last; what others have put something into stays. */
static void remove_folders(output_file *self)
{
    char folder[sizeof self->path];
    for (size_t i = strlen(self->path); self->created > 0 && i >= self->created; i--) {
        if (self->path[i] != '/')
            continue;
        memcpy(folder, self->path, i);
        folder[i] = '\0';
        rmdir(folder);
    }
    self->created = 0;
}

/* A file of its own beside the target, with the rights that a new file has. -1 and errno on failure. */
static int open_beside(output_file *self)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        snprintf(self->temporary, sizeof self->temporary, "%.4000s.%ld-%u.part", self->path, (long)getpid(), attempt);
        int fd = open(self->temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* The plain file that self->path leads to is self->path then. False and errno on failure. */
static bool follow(output_file *self)
{
    char *path = realpath(self->path, NULL);
    bool fits = path != NULL && strlen(path) <= LONGEST;
    if (fits)
        strcpy(self->path, path);
    else if (path != NULL)
        errno = ENAMETOOLONG;
    free(path);
    return fits;
}

static int open_target(output_file *self)
{
    struct stat there, link, standard;
    if (stat(self->path, &there) != 0)
        return open_beside(self);
    if (!S_ISREG(there.st_mode))
        return open(self->path, O_WRONLY);
    if (fstat(STDOUT_FILENO, &standard) == 0 && standard.st_dev == there.st_dev && standard.st_ino == there.st_ino)
        return dup(STDOUT_FILENO); /* others write there too, before and after */
    bool leads = lstat(self->path, &link) == 0 && S_ISLNK(link.st_mode);
    return !leads || follow(self) ? open_beside(self) : -1;
}

int output_file_open(output_file *self, const char *path, roster_error *err)
{
    *self = (output_file){.stream = NULL};
    if (path[0] == '\0' || strlen(path) > LONGEST)
        return fail(err, path, "created", path[0] == '\0' ? ENOENT : ENAMETOOLONG);
    strcpy(self->path, path);
    int number = create_folders(self);
    int fd = number == 0 ? open_target(self) : -1;
    self->stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (self->stream != NULL)
        return ROSTER_OK;
    number = number != 0 ? number : errno;
    if (fd >= 0)
        close(fd);
    if (fd < 0)
        self->temporary[0] = '\0';
    output_file_abandon(self);
    return fail(err, path, "created", number);
}

/* The name is in the folder, and so on disk once that is. */
static bool keep_name(const char *path)
{
    char folder[sizeof((output_file *)0)->path];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    strcpy(slash != NULL ? slash + 1 : folder, slash != NULL ? "" : ".");
    int fd = open(folder, O_RDONLY | O_DIRECTORY);
    bool kept = fd >= 0 && (fsync(fd) == 0 || errno == EINVAL); /* some file systems have no such thing */
    if (fd >= 0)
        close(fd);
    return kept;
}

int output_file_commit(output_file *self, roster_error *err)
{
    bool direct = self->temporary[0] == '\0';
    errno = 0;
    bool written = fflush(self->stream) == 0 && !ferror(self->stream) && (direct || fsync(fileno(self->stream)) == 0);
    int number = errno;
    if (fclose(self->stream) != 0 && written) {
        written = false;
        number = errno;
    }
    self->stream = NULL;
    if (written && !direct && rename(self->temporary, self->path) != 0) {
        written = false;
        number = errno;
    }
    if (written) {
        self->temporary[0] = '\0';
        self->created = 0;
        return direct || keep_name(self->path) ? ROSTER_OK : fail(err, self->path, "forced to disk", errno);
    }
    output_file_abandon(self);
    /* A write that failed earlier has left its mark on the stream, but no number. */
    return fail(err, self->path, "written", number != 0 ? number : EIO);
}

void output_file_abandon(output_file *self)
{
    if (self->stream != NULL)
        fclose(self->stream);
    if (self->temporary[0] != '\0')
        unlink(self->temporary);
    remove_folders(self);
    self->stream = NULL;
    self->temporary[0] = '\0';
}

int output_folder_open(output_folder *self, const char *folder, const char *const *names, size_t n, roster_error *err)
{
    int code = ROSTER_OK;
    *self = (output_folder){.n = n};
    for (size_t i = 0; i < n && code == ROSTER_OK; i++) {
        char path[sizeof self->files[i].path];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        code = output_file_open(&self->files[i], path, err);
    }
    if (code != ROSTER_OK)
        output_folder_abandon(self);
    return code;
}

int output_folder_commit(output_folder *self, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t i = 0; i < self->n; i++) {
        if (code == ROSTER_OK)
            code = output_file_commit(&self->files[i], err);
        else
            output_file_abandon(&self->files[i]);
    }
    return code;
}

/* From the last, so that a folder that the first has created is empty when its turn comes. */
void output_folder_abandon(output_folder *self)
{
    for (size_t i = self->n; i-- > 0;)
        output_file_abandon(&self->files[i]);
}
