/*
 * server_time.c: the server's own time (server_clock.c) and the clocks of the machine; POST /v1/clock.
 *
 * The steady clock is the one that also counts while the machine sleeps: windows are over then, too.
 *
 * Paper: none.
 * Check: tests/http/clock.py.
 */
#include "server_commits.h"

#include "json_member.h"

#include <jansson.h>
#include <stdio.h>
#include <time.h>

static int64_t steady(void)
{
    struct timespec t;
    clock_gettime(CLOCK_BOOTTIME, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static void say(const server *self, server_level level, const char *event, int64_t micro, const char *message)
{
    char seconds[32];
    snprintf(seconds, sizeof seconds, "%.3f", (double)micro * 1e-6);
    server_log(self, level, event, "#seconds", seconds, "message", message, (char *)NULL);
}

void server_time_begin(server *self)
{
    int64_t wall = server_now(), last = service_now(self->engine);
    server_time_start(&self->time, wall, steady(), last);
    if (self->turns != NULL)
        return;
    if (last - wall > 1000000)
        say(self, SERVER_LOG_ERRORS, "clock-behind-log", last - wall,
            "the log's last record is in the future; if this machine's clock is right, stop and run roster repair "
            "clock");
}

int64_t server_service_time(const server *self)
{
    return self->turns != NULL ? server_turns_time(self) : server_time_now(&self->time, steady());
}

double server_time_ahead(const server *self)
{
    return (double)server_time_offset(&self->time, steady()) * 1e-6;
}

void server_time_check(server *self)
{
    if (self->turns != NULL) /* the database's clock counts */
        return;
    int64_t now = steady();
    int64_t step = server_time_compare(&self->time, server_now(), now);
    if (step != 0)
        say(self, SERVER_LOG_ERRORS, "clock-stepped", step,
            step > 0 ? "the machine's clock was set forward; POST /v1/clock takes it over at once"
                     : "the machine's clock was set back; the server's time runs slower until the clock has caught up");
}

/* {"adopt": true} and nothing else. */
static bool asks_to_adopt(const server_request *q)
{
    json_t *json = q->body != NULL ? json_loadb(q->body, q->used, JSON_REJECT_DUPLICATES, NULL) : NULL;
    bool asks = json_is_object(json) && json_object_size(json) == 1 && json_is_true(json_object_get(json, "adopt"));
    json_decref(json);
    return asks;
}

void server_post_clock(server *self, server_request *q)
{
    if (self->turns != NULL) {
        server_refuse(q, 409, "conflict", "the database's clock counts: set that one");
        return;
    }
    if (!asks_to_adopt(q)) {
        server_refuse(q, 400, "invalid", "the body must be {\"adopt\": true}");
        return;
    }
    int64_t gained = server_time_adopt(&self->time, server_now(), steady());
    if (gained > 0)
        say(self, SERVER_LOG_INFO, "clock-adopted", gained, "the machine's clock was taken over by request");
    q->status = 200;
    common_put_text(&q->text, "{");
    json_member_time(&q->text, "time", server_service_time(self));
    json_member_number(&q->text, "adopted_seconds", (double)gained * 1e-6);
    json_member_number(&q->text, "offset_seconds", server_time_ahead(self));
    common_put_text(&q->text, "}");
}
