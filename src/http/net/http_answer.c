/*
 * http_answer.c: what is answered: refusals, and the first lines of every answer.
 *
 * Paper: none.
 * Check: tests/http/.
 */
#include "http_internal.h"

#include <stdio.h>

static void refuse(server_request *q, unsigned status, const char *code, const char *message)
{
    q->refused = true;
    q->status = status;
    q->type = NULL;
    common_text_clear(&q->text);
    service_put_refusal(&q->text, code, message);
}

void server_refuse(server_request *q, unsigned status, const char *code, const char *format, ...)
{
    char sentence[480];
    va_list args;
    va_start(args, format);
    common_vformat(sentence, sizeof sentence, format, args);
    va_end(args);
    q->retry = q->retry > 0 ? q->retry : status == 503;
    refuse(q, status, code, sentence);
}

void server_refuse_engine(server_request *q, const service_error *err)
{
    unsigned status = (unsigned)service_code_status(err->code);
    q->retry = status == 503 || status == 429;
    refuse(q, status, service_code_word(err->code), err->msg);
}

void server_add_header(server_request *q, const char *name, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    common_vformat(q->room_for_value, sizeof q->room_for_value, format, args);
    va_end(args);
    q->header = name;
    q->value = q->room_for_value;
}

bool server_query_count(server_request *q, const char *key, uint64_t least, uint64_t most, uint64_t *out)
{
    char text[24];
    int there = http_argument(q->query, key, text, sizeof text);
    if (there == 0)
        return true;
    uint64_t n = 0;
    const char *at = text;
    for (; there > 0 && *at >= '0' && *at <= '9' && n <= (UINT64_MAX - 9) / 10; at++)
        n = 10 * n + (uint64_t)(*at - '0');
    if (there < 0 || at == text || *at != '\0' || n < least || n > most) {
        server_refuse(q, 400, "invalid", "%s must be a whole number from %llu to %llu", key, (unsigned long long)least,
                      (unsigned long long)most);
        return false;
    }
    *out = n;
    return true;
}

static const char *reason_of(unsigned status)
{
    static const struct {
        unsigned status;
        const char *reason;
    } all[] = {{200, "OK"},
               {201, "Created"},
               {400, "Bad Request"},
               {401, "Unauthorized"},
               {403, "Forbidden"},
               {404, "Not Found"},
               {405, "Method Not Allowed"},
               {409, "Conflict"},
               {410, "Gone"},
               {413, "Content Too Large"},
               {414, "URI Too Long"},
               {415, "Unsupported Media Type"},
               {417, "Expectation Failed"},
               {422, "Unprocessable Content"},
               {429, "Too Many Requests"},
               {431, "Request Header Fields Too Large"},
               {500, "Internal Server Error"},
               {501, "Not Implemented"},
               {503, "Service Unavailable"},
               {505, "HTTP Version Not Supported"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].status == status)
            return all[i].reason;
    return "Other";
}

static void put_pair(common_text *out, const char *name, const char *value)
{
    common_put_text(out, name);
    common_put(out, ": ", 2);
    common_put_text(out, value);
    common_put(out, "\r\n", 2);
}

void server_put_head(server *self, const server_request *q, common_text *out)
{
    common_put_text(out, "HTTP/1.1 ");
    common_put_count(out, q->status);
    common_put(out, " ", 1);
    common_put_text(out, reason_of(q->status));
    common_put(out, "\r\n", 2);
    put_pair(out, "Date", self->date);
    put_pair(out, "Content-Type", q->type != NULL ? q->type : "application/json");
    if (q->stream == NULL) {
        common_put_text(out, "Content-Length: ");
        common_put_count(out, q->text.used);
        common_put(out, "\r\n", 2);
    } else if (!q->old) {
        put_pair(out, "Transfer-Encoding", "chunked");
    }
    common_put_text(out, "Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n");
    put_pair(out, "X-Request-Id", q->id);
    if (q->header != NULL)
        put_pair(out, q->header, q->value);
    if (q->retry > 0) {
        common_put_text(out, "Retry-After: ");
        common_put_count(out, q->retry);
        common_put(out, "\r\n", 2);
    }
    if (!q->keep)
        put_pair(out, "Connection", "close");
    else if (q->old)
        put_pair(out, "Connection", "keep-alive");
    common_put(out, "\r\n", 2);
}

void server_answered(server *self, server_request *q)
{
    enum { LEFT = 499 }; /* nobody is answered with that: the connection ended before the request was whole, or ran */
    if (q->told)
        return;
    q->told = true;
    unsigned status = q->status > 0 ? q->status : LEFT;
    size_t which = q->route != NULL ? (size_t)(q->route - server_routes) : SERVER_ROUTES_MOST;
    double seconds = (double)(server_clock() - q->begun) * 1e-6;
    self->measures.requests[which][status / 100 % SERVER_STATUS_CLASSES]++;
    server_measure(&self->measures.seconds[which], seconds);
    if (self->options->log < SERVER_LOG_REQUESTS)
        return;
    char number[16], time[32];
    snprintf(number, sizeof number, "%u", status);
    snprintf(time, sizeof time, "%.6f", seconds);
    server_log(self, SERVER_LOG_REQUESTS, "request", "client", q->connection->peer, "id", q->id, "route",
               q->route != NULL ? q->route->id : "none", "path", q->path, "#status", number, "#seconds", time,
               q->connection->socket < 0 ? "#whole" : (char *)NULL, "false", (char *)NULL);
}
