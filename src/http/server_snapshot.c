/*
 * server_snapshot.c: the state beside the log, written by a child.
 *
 * The loop only forks: the child has a copy of the whole state, as it was at that moment, and puts it into bytes and
 * those into a file while the loop goes on. What the copy shows must be durable first: the child waits at a pipe until
 * it is told the checksum of the row with its last record, which is known when that row is in the log.
 *
 * The child uses no database, no stream, no thread and no signal; it keeps no file of the parent but the pipe, steps
 * back behind the parent's work (nice), and dies with it. One at a time; one that takes too long is killed; a failure
 * is counted, and tried again after a minute.
 *
 * Paper: none.
 * Cost: for the loop that of fork, a few milliseconds per GB; memory for what changes while the child works, and in the
 *       child for the bytes.
 * Check: tests/http/snapshots.py, tests/http/durability.py; bench/stalls.py measures.
 */
#define _GNU_SOURCE
#include "server_commits.h"
#include "server_erase.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS_MOST = 600, AGAIN_SECONDS = 60, NICE = 10, EXIT_NEVER_TOLD = 99 };

struct server_snapshot {
    pid_t child;             /* 0: none                                                  */
    int pipe;                /* to it; -1: it was told                                   */
    uint64_t number, before; /* of records: this snapshot's, and of the one before it    */
    int64_t begun, again;    /* when; not before that time, after a failure              */
    bool wanted;             /* one more, whether it is due or not                       */
};

static void fail(server *self, const char *why)
{
    self->measures.snapshot_failures++;
    server_log(self, SERVER_LOG_ERRORS, "snapshot-failed", "message", why, (char *)NULL);
}

/* While the server serves. It is tried again later. */
static void fail_serving(server *self, const char *why)
{
    fail(self, why);
    server_erase_failed(self, SERVICE_STORE, "no snapshot can be written");
}

/* Every file but the pipe, and whatever is on 0, 1 and 2, is the parent's alone. */
static int keep_only(int pipe)
{
    enum { KEPT = 3 };
    if (pipe != KEPT && dup2(pipe, KEPT) < 0)
        return -1;
    close_range(KEPT + 1, ~0U, 0);
    return KEPT;
}

static bool read_all(int file, void *to, size_t size)
{
    for (size_t used = 0; used < size;) {
        ssize_t n = read(file, (char *)to + used, size - used);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        used += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* The child. Its exit code is that of what went wrong. */
static _Noreturn void write_snapshot(server *self, int pipe, pid_t parent)
{
    void *bytes;
    size_t size;
    service_error refused;
    roster_error wrong;
    store_end at = {0};
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_NEVER_TOLD);
    store_forked(self->log);
    pipe = keep_only(pipe);
    setpriority(PRIO_PROCESS, 0, NICE); /* only now: what it keeps open meanwhile does not end for others */
    if (service_snapshot_take(self->engine, &bytes, &size, &at.last, &refused) != SERVICE_OK)
        _exit(ROSTER_ENOMEM);
    if (!read_all(pipe, &at.checksum, sizeof at.checksum))
        _exit(EXIT_NEVER_TOLD);
    _exit(store_snapshot_write(self->log, at, bytes, size, &wrong));
}

static const char *reason_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGKILL ? "the process that wrote it was killed"
                                           : "the process that wrote it crashed";
    switch (WEXITSTATUS(status)) {
    case ROSTER_ENOMEM:
        return "out of memory";
    case STORE_EFULL:
        return "the disk is full";
    case STORE_EREADONLY:
        return "the folder may not be written";
    case EXIT_NEVER_TOLD:
        return "its last records could not be made durable";
    default:
        return "the file cannot be written";
    }
}

static void end_child(server *self, int status)
{
    server_snapshot *s = self->snapshot;
    s->child = 0;
    if (s->pipe >= 0)
        close(s->pipe);
    s->pipe = -1;
    if (status == 0) {
        self->measures.snapshots++;
        server_erase_snapshot(self, s->number);
        server_retention_begin(self, s->number);
        return;
    }
    store_snapshot_clean(self->log);
    service_snapshot_mark(self->engine, s->before);
    s->again = server_clock() + (int64_t)AGAIN_SECONDS * 1000000;
    fail_serving(self, reason_of(status));
}

/* Whether the child has ended, or has taken too long. */
static void check_child(server *self)
{
    server_snapshot *s = self->snapshot;
    int status = 0;
    if (s->child == 0)
        return;
    if (waitpid(s->child, &status, WNOHANG) == s->child)
        end_child(self, status);
    else if (server_clock() - s->begun > (int64_t)SECONDS_MOST * 1000000)
        kill(s->child, SIGKILL);
}

void server_snapshot_committed(server *self)
{
    server_snapshot *s = self->snapshot;
    if (s == NULL || s->child == 0 || s->pipe < 0 ||
        s->number > service_last(self->engine) - service_pending(self->engine))
        return;
    /* The commit that just ended was the first after which it is durable: it is in the last row. */
    uint64_t checksum = server_log_end(self).checksum;
    ssize_t n = write(s->pipe, &checksum, sizeof checksum); /* where the child is gone, its end says so */
    (void)n;
    close(s->pipe);
    s->pipe = -1;
}

/* A child that no signal reaches but SIGKILL: handlers would write to what is another file there, and a signal to all
   processes of a group is for the parent, which ends the child itself. */
static pid_t fork_deaf(void)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pid_t child = fork();
    int why = errno;
    if (child != 0)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return child;
}

static void begin(server *self)
{
    server_snapshot *s = self->snapshot;
    int ends[2];
    pid_t parent = getpid();
    s->again = server_clock() + (int64_t)AGAIN_SECONDS * 1000000;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        fail_serving(self, "no file can be opened");
        return;
    }
    pid_t child = fork_deaf();
    int why = errno;
    if (child == 0)
        write_snapshot(self, ends[0], parent);
    close(ends[0]);
    if (child < 0) {
        close(ends[1]);
        fail_serving(self, why == ENOMEM ? "out of memory" : "no process can be started");
        return;
    }
    *s = (server_snapshot){.child = child,
                           .pipe = ends[1],
                           .number = service_last(self->engine),
                           .before = service_snapshot_number(self->engine),
                           .begun = server_clock()};
    service_snapshot_mark(self->engine, s->number);
    if (service_pending(self->engine) == 0)
        server_snapshot_committed(self);
}

void server_snapshot_if_due(server *self)
{
    if (self->snapshot == NULL && (self->snapshot = calloc(1, sizeof *self->snapshot)) == NULL)
        return;
    check_child(self);
    server_snapshot *s = self->snapshot;
    if (s->child == 0 && (s->wanted || service_snapshot_due(self->engine)) && server_clock() >= s->again)
        begin(self);
}

void server_snapshot_want(server *self)
{
    server_snapshot *s = self->snapshot;
    if (s == NULL || s->child != 0)
        return;
    s->wanted = true;
    if (server_clock() < s->again)
        server_erase_failed(self, SERVICE_STORE, "the last snapshot could not be written");
}

void server_snapshot_forget(server *self)
{
    server_snapshot *s = self->snapshot;
    if (s == NULL || s->child == 0 || s->pipe < 0)
        return;
    close(s->pipe); /* the child is never told that its records are durable, and ends */
    s->pipe = -1;
}

void server_snapshot_last(server *self)
{
    service_error err;
    server_snapshot *s = self->snapshot;
    if (s != NULL && s->child != 0) {
        int status = 0;
        kill(s->child, SIGKILL);
        while (waitpid(s->child, &status, 0) < 0 && errno == EINTR)
            continue;
        if (s->pipe >= 0)
            close(s->pipe);
        store_snapshot_clean(self->log);
    }
    free(s);
    self->snapshot = NULL;
    /* Where others have the same state, theirs may be stored already: then the two are compared. */
    bool new = self->commits == &server_commits_by_turns || service_last(self->engine) > self->state.snapshot;
    if (service_pending(self->engine) == 0 && service_last(self->engine) > 0 &&
        new &&service_snapshot(self->engine, self->log, &err) != SERVICE_OK)
        fail(self, err.msg);
}
