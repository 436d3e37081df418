/*
 * server_log.c: what happens, one JSON object per line of stderr.
 *
 * Lines go into memory, from where a thread writes them: a pipe that nobody reads, or a slow terminal, holds up nobody.
 * When the memory is full lines are dropped and counted, and a line says so once there is room again.
 *
 * Paper: none.
 * Check: tests/http/log_lines.py.
 */
#include "http_internal.h"

#include <errno.h>
#include <stdarg.h>
#include <time.h>
#include <unistd.h>

enum { MEMORY_MOST = 256 << 10, STOP_MILLISECONDS = 1000 };

/* Of the process, as stderr is. A thread that hangs in a write outlives every server. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake, idle;
    common_text lines; /* not yet with the thread */
    bool started, writes;
    uint64_t dropped;
    uint64_t told; /* of these */
} log_state = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER};

static void begin_line(common_text *line, server_level level, const char *event)
{
    static const char *const levels[] = {"error", "info", "request"};
    common_put_text(line, "{\"time\":");
    common_put_time(line, server_now());
    common_put_text(line, ",\"level\":");
    common_put_string(line, levels[level]);
    common_put_text(line, ",\"event\":");
    common_put_string(line, event);
}

/* With the lock held: says how many were dropped, once there is room. */
static void tell_dropped(void)
{
    if (log_state.dropped == log_state.told)
        return;
    common_text *lines = &log_state.lines;
    begin_line(lines, SERVER_LOG_ERRORS, "log-lines-dropped");
    common_put_text(lines, ",\"lines\":");
    common_put_count(lines, log_state.dropped - log_state.told);
    common_put_text(lines, "}\n");
    log_state.told = log_state.dropped;
}

static void write_all(const common_text *text)
{
    for (size_t at = 0; at < text->used;) {
        ssize_t n = write(STDERR_FILENO, text->data + at, text->used - at);
        if (n < 0 && errno == EAGAIN)
            nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        else if (n < 0 && errno != EINTR)
            return; /* where nobody can read it there is nobody to tell */
        at += n > 0 ? (size_t)n : 0;
    }
}

static void *work(void *context)
{
    common_text own = {0};
    (void)context;
    pthread_mutex_lock(&log_state.lock);
    while (true) {
        log_state.writes = false;
        pthread_cond_signal(&log_state.idle);
        while (log_state.lines.used == 0)
            pthread_cond_wait(&log_state.wake, &log_state.lock);
        log_state.writes = true;
        tell_dropped();
        common_text taken = log_state.lines;
        common_text_clear(&own);
        log_state.lines = own;
        own = taken;
        pthread_mutex_unlock(&log_state.lock);
        write_all(&own);
        pthread_mutex_lock(&log_state.lock);
    }
    return NULL;
}

void server_log(const server *self, server_level level, const char *event, ...)
{
    common_text line = {0};
    const char *key;
    va_list args;
    if (level > self->options->log)
        return;
    begin_line(&line, level, event);
    va_start(args, event);
    while ((key = va_arg(args, const char *)) != NULL) {
        bool number = key[0] == '#';
        const char *value = va_arg(args, const char *);
        common_put_text(&line, ",");
        common_put_string(&line, key + number);
        common_put_text(&line, ":");
        if (number)
            common_put_text(&line, value);
        else
            common_put_string(&line, value);
    }
    va_end(args);
    common_put_text(&line, "}\n");
    pthread_mutex_lock(&log_state.lock);
    if (log_state.lines.used + line.used > MEMORY_MOST || line.failed)
        log_state.dropped++;
    else
        common_put(&log_state.lines, line.data, line.used);
    pthread_cond_signal(&log_state.wake);
    pthread_mutex_unlock(&log_state.lock);
    common_text_free(&line);
}

uint64_t server_log_dropped(void)
{
    pthread_mutex_lock(&log_state.lock);
    uint64_t dropped = log_state.dropped;
    pthread_mutex_unlock(&log_state.lock);
    return dropped;
}

int server_log_start(roster_error *err)
{
    pthread_t thread;
    pthread_condattr_t clock;
    if (log_state.started)
        return ROSTER_OK;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&log_state.idle, &clock);
    pthread_condattr_destroy(&clock);
    int code = server_thread_start(&thread, work, NULL, err);
    log_state.started = code == ROSTER_OK && pthread_detach(thread) == 0;
    return code;
}

void server_log_stop(void)
{
    struct timespec end;
    int late = 0;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += STOP_MILLISECONDS / 1000;
    pthread_mutex_lock(&log_state.lock);
    while (log_state.started && (log_state.lines.used > 0 || log_state.writes) && late == 0)
        late = pthread_cond_timedwait(&log_state.idle, &log_state.lock, &end);
    pthread_mutex_unlock(&log_state.lock);
}
