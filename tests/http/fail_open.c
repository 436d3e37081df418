/*
 * fail_open.c: a log that nobody else can open: put before the program by LD_PRELOAD, roster.db cannot be opened for
 * reading alone while the file named by FAIL_OPEN exists. For tests/http/erase.py.
 *
 * Paper: none.
 */
#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS /* under which open is another name of open64 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_unless(const char *path, int flags, mode_t mode)
{
    static const char log[] = "roster.db";
    const char *gate = getenv("FAIL_OPEN");
    size_t size = strlen(path), n = sizeof log - 1;
    if (gate != NULL && (flags & O_ACCMODE) == O_RDONLY && size >= n && strcmp(path + size - n, log) == 0 &&
        access(gate, F_OK) == 0) {
        errno = EMFILE;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static mode_t mode_of(int flags, va_list rest)
{
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_unless(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return open_unless(path, flags, mode);
}
