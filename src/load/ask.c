/*
 * ask.c: a single request and its answer, waiting; and what the service says when it refuses.
 *
 * Paper: none.
 */
#include "inside.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

enum { PATIENCE = 30000 }; /* milliseconds for an answer */

int drive_refused(const drive_connection *c, const char *what, roster_error *err)
{
    json_t *answer = json_loadb(c->in.data + c->head, c->length, 0, NULL);
    const char *sentence = json_string_value(json_object_get(json_object_get(answer, "error"), "message"));
    if (sentence != NULL)
        drive_fail(err, "the server refuses %s: %.380s", what, sentence);
    else
        drive_fail(err, "the server answers %s with status %d and no sentence", what, c->status);
    json_decref(answer);
    return ROSTER_EINVAL;
}

static drive_look wait_for_answer(drive_connection *c)
{
    drive_look look = drive_exchange(c);
    while (look == DRIVE_WAITS) {
        struct pollfd ready = {.fd = c->socket, .events = POLLIN};
        if (drive_wants_to_send(c))
            ready.events |= POLLOUT;
        int n = poll(&ready, 1, PATIENCE);
        if (n == 0 || (n < 0 && errno != EINTR))
            return DRIVE_BROKEN;
        look = drive_exchange(c);
    }
    return look;
}

int drive_ask(drive_connection *c, const drive_place *place, const char *method, const char *path,
              const drive_text *body, json_t **answer, roster_error *err)
{
    *answer = NULL;
    drive_request(c, place, method, path, body);
    if (c->out.failed || (body != NULL && body->failed))
        return drive_fail(err, "out of memory");
    if (!drive_connect(c, place))
        return drive_fail(err, "no server answers at http://%s: %s", place->name, strerror(errno));
    drive_look look = wait_for_answer(c);
    if (look != DRIVE_ANSWERED)
        return drive_fail(err, "http://%s gives no answer to %s %.200s%s", place->name, method, path,
                          look == DRIVE_NONSENSE ? " that HTTP knows" : "");
    if (c->closing)
        drive_close(c);
    *answer = json_loadb(c->in.data + c->head, c->length, 0, NULL);
    if (*answer == NULL)
        return drive_fail(err, "the answer of http://%s to %s %.200s is no JSON", place->name, method, path);
    return ROSTER_OK;
}
