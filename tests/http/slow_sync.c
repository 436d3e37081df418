/*
 * slow_sync.c: a disk that takes its time: put before the program by LD_PRELOAD, fdatasync and fsync wait a moment
 * while the file named by SLOW_SYNC exists. For tests/http/slow_disk.py.
 *
 * Paper: none.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void wait_for_disk(void)
{
    const char *path = getenv("SLOW_SYNC");
    for (int i = 0; i < 200 && path != NULL && access(path, F_OK) == 0; i++)
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
}

int fdatasync(int file)
{
    wait_for_disk();
    return (int)syscall(SYS_fdatasync, file);
}

int fsync(int file)
{
    wait_for_disk();
    return (int)syscall(SYS_fsync, file);
}
