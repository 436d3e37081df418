/*
 * load_ask.c: a single request and its answer, waiting; and what the service says when it refuses.
 *
 * Paper: none.
 */
#include "load_internal.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

enum { PATIENCE = 30000 }; /* milliseconds for an answer */

int load_refused(const load_connection *c, const char *what, roster_error *err)
{
    json_t *answer = json_loadb(c->in.data + c->head, c->length, 0, NULL);
    const char *sentence = json_string_value(json_object_get(json_object_get(answer, "error"), "message"));
    if (sentence != NULL)
        common_fail(err, ROSTER_EINVAL, "the server refuses %s: %.380s", what, sentence);
    else
        common_fail(err, ROSTER_EINVAL, "the server answers %s with status %d and no message", what, c->status);
    json_decref(answer);
    return ROSTER_EINVAL;
}

static load_outcome wait_for_answer(load_connection *c)
{
    load_outcome outcome = load_exchange(c);
    while (outcome == LOAD_WAITS) {
        struct pollfd ready = {.fd = c->socket, .events = POLLIN};
        if (load_wants_to_send(c))
            ready.events |= POLLOUT;
        int n = poll(&ready, 1, PATIENCE);
        if (n == 0 || (n < 0 && errno != EINTR))
            return LOAD_BROKEN;
        outcome = load_exchange(c);
    }
    return outcome;
}

int load_ask(load_connection *c, const load_place *place, const char *method, const char *path, const common_text *body,
             json_t **answer, roster_error *err)
{
    *answer = NULL;
    load_request(c, place, method, path, body);
    if (c->out.failed || (body != NULL && body->failed))
        return common_fail(err, ROSTER_EINVAL, "out of memory");
    if (!load_connect(c, place))
        return common_fail(err, ROSTER_EINVAL, "no server answers at http://%s: %s", place->name, strerror(errno));
    load_outcome outcome = wait_for_answer(c);
    if (outcome != LOAD_ANSWERED)
        return common_fail(err, ROSTER_EINVAL, "http://%s gives %s to %s %.200s", place->name,
                           outcome == LOAD_NONSENSE ? "no valid HTTP answer" : "no answer", method, path);
    if (c->closing)
        load_close(c);
    *answer = json_loadb(c->in.data + c->head, c->length, 0, NULL);
    if (*answer == NULL)
        return common_fail(err, ROSTER_EINVAL, "the answer of http://%s to %s %.200s is not JSON", place->name, method,
                           path);
    return ROSTER_OK;
}
