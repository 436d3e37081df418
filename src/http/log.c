/*
 * log.c: what happens, one JSON object per line of stderr.
 *
 * Paper: none.
 */
#include "inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static void put_time(service_text *line)
{
    char text[40], whole[24];
    int64_t now = server_now();
    time_t seconds = (time_t)(now / 1000000);
    struct tm utc;
    gmtime_r(&seconds, &utc);
    strftime(whole, sizeof whole, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text, sizeof text, "%s.%06dZ", whole, (int)(now % 1000000));
    service_put_string(line, text);
}

void server_log(const server *self, server_level level, const char *event, ...)
{
    static const char *const levels[] = {"error", "info", "request"};
    service_text line = {0};
    const char *key;
    va_list args;
    if (level > self->options->log)
        return;
    service_put_text(&line, "{\"time\":");
    put_time(&line);
    service_put_text(&line, ",\"level\":");
    service_put_string(&line, levels[level]);
    service_put_text(&line, ",\"event\":");
    service_put_string(&line, event);
    va_start(args, event);
    while ((key = va_arg(args, const char *)) != NULL) {
        bool number = key[0] == '#';
        const char *value = va_arg(args, const char *);
        service_put_text(&line, ",");
        service_put_string(&line, key + number);
        service_put_text(&line, ":");
        if (number)
            service_put_text(&line, value);
        else
            service_put_string(&line, value);
    }
    va_end(args);
    service_put_text(&line, "}\n");
    /* One write: lines of several threads do not mix. Where nobody can read it there is nobody to tell. */
    ssize_t written = line.data != NULL ? write(STDERR_FILENO, line.data, line.used) : 0;
    (void)written;
    service_text_free(&line);
}
