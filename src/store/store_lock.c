/*
 * store_lock.c: DIR/lock, which the one process that writes holds.
 *
 * Paper: none.
 *
 * SQLite itself would let writers take turns, and two engines would then each miss what the other wrote. The lock is
 * flock's: it ends with the process however that ends. The file has the process's number in it for operators while the
 * lock is held; it is emptied before the lock is let go. A process that was killed leaves its number behind: a number
 * in a file that nobody holds means nothing, so ask flock first.
 *
 * A folder that is created here is for its owner alone, since the log holds what clients sent; one that is there keeps
 * its permissions.
 *
 * Check: tests/unit/test_store.c: the_lock_names_its_holder, a_new_folder_is_its_owners.
 */
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

int store_lock(store *self, const char *directory, roster_error *err)
{
    bool made = mkdir(directory, 0700) == 0;
    if (!made && errno != EEXIST)
        return common_fail(err, errno == ENOSPC ? STORE_EFULL : STORE_EREADONLY, "%.200s cannot be created: %.160s",
                           directory, strerror(errno));
    if (made) /* as far as the folder around it may be read; a new folder could be gone after a power failure */
        store_synchronise_file(directory, "/..");
    char *path = store_join(directory, "lock");
    if (path == NULL)
        return common_fail_memory(err);
    self->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    int why = errno;
    free(path);
    if (self->lock < 0)
        return common_fail(err, why == ENOSPC ? STORE_EFULL : STORE_EREADONLY, "%.200s cannot be written: %.160s",
                           directory, strerror(why));
    if (flock(self->lock, LOCK_EX | LOCK_NB) != 0) {
        close(self->lock);
        self->lock = -1;
        return common_fail(err, STORE_EBUSY, "%.200s is in use: another process writes to it", directory);
    }
    if (ftruncate(self->lock, 0) == 0)
        dprintf(self->lock, "%ld\n", (long)getpid());
    return ROSTER_OK;
}

void store_unlock(store *self)
{
    if (self->lock < 0)
        return;
    if (ftruncate(self->lock, 0) != 0)
        errno = 0; /* its number stays, as after a kill */
    close(self->lock);
    self->lock = -1;
}

void store_sqlite_forked(store *self)
{
    if (self->lock >= 0)
        close(self->lock);
    self->lock = -1;
    self->file = NULL;
}
