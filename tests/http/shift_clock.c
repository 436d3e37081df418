/*
 * shift_clock.c: a wall clock that is wrong by as many seconds as the file named by SHIFT_CLOCK says, from one moment
 * to the next. Preloaded into a program that knows nothing of it.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t which, struct timespec *out)
{
    int code = (int)syscall(SYS_clock_gettime, which, out);
    const char *path = getenv("SHIFT_CLOCK");
    FILE *file = which == CLOCK_REALTIME && path != NULL ? fopen(path, "re") : NULL;
    long seconds = 0;
    if (file == NULL)
        return code;
    if (fscanf(file, "%ld", &seconds) == 1)
        out->tv_sec += seconds;
    fclose(file);
    return code;
}
