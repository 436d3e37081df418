/*
 * shift_clock.c: a wall clock that is wrong by as many seconds as the file named by SHIFT_CLOCK says, from one moment
 * to the next, and a steady one by SHIFT_STEADY. Preloaded into a program that knows nothing of it.
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
    const char *name = which == CLOCK_REALTIME ? "SHIFT_CLOCK" : which == CLOCK_MONOTONIC ? "SHIFT_STEADY" : NULL;
    const char *path = name != NULL ? getenv(name) : NULL;
    FILE *file = path != NULL ? fopen(path, "re") : NULL;
    long seconds = 0;
    if (file == NULL)
        return code;
    if (fscanf(file, "%ld", &seconds) == 1)
        out->tv_sec += seconds;
    fclose(file);
    return code;
}
