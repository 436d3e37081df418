/*
 * route_guard.c: whether a request may be made at all.
 *
 * A browser lets any page send requests to this server, though not read the answers. What gives such requests away:
 * Origin is another than the Host; Sec-Fetch-Site says cross-site; a form cannot say application/json. Requests of
 * programs have neither Origin nor Sec-Fetch-Site.
 *
 * Paper: none.
 * Check: tests/http/guard.py.
 */
#include "http_internal.h"

#include <string.h>
#include <strings.h>

static bool check_host(server *self, server_request *q, const http_head *head)
{
    if (head->host != NULL && !server_knows_host(self, q->connection->listener, head->host)) {
        server_refuse(
            q, 403, "wrong-host",
            "the Host header is not a name of this server, which listens on loopback; allow it with roster serve "
            "--host NAME");
        return false;
    }
    return true;
}

/* The page's own requests are of the same origin: scheme://HOST. */
static bool is_foreign(const http_head *head)
{
    const char *origin = http_field_of(head, "Origin"), *site = http_field_of(head, "Sec-Fetch-Site");
    if (site != NULL && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
        return true;
    if (origin == NULL)
        return false;
    const char *name = strstr(origin, "://");
    return name == NULL || head->host == NULL || strcasecmp(name + 3, head->host) != 0;
}

/* A token that is bound to campaigns sees no other, and nothing that tells about all. */
static bool is_covered(const server_request *q, const server_token *token)
{
    static const char campaigns[] = "/v1/campaigns/{";
    if (token->campaigns == NULL || q->route->role == SERVER_PUBLIC)
        return true;
    return strncmp(q->route->path, campaigns, strlen(campaigns)) == 0 &&
           server_token_covers(token, q->name, q->name_size);
}

static bool check_rate(server *self, server_request *q, server_token *token)
{
    q->retry = server_token_take(token, q->begun);
    if (q->retry == 0)
        return true;
    self->measures.limited++;
    server_refuse(q, 429, "rate-limit", "this token may make %g requests a second: ask again later", token->rate);
    return false;
}

static bool check_token(server *self, server_request *q, const http_head *head)
{
    const char *given = http_field_of(head, "Authorization");
    bool bearer = given != NULL && strncasecmp(given, "Bearer ", 7) == 0;
    if (self->tokens.n == 0)
        return true;
    server_token *token = bearer ? server_tokens_find(&self->tokens, given + 7) : NULL;
    if (token == NULL) {
        q->header = "WWW-Authenticate";
        q->value = "Bearer realm=\"roster\"";
        server_refuse(q, 401, "unauthorized",
                      given == NULL ? "a token is needed: Authorization: Bearer TOKEN"
                      : !bearer     ? "the Authorization header must be: Bearer TOKEN"
                                    : "the token of the Authorization header is not known");
    } else if (token->role < q->route->role) {
        server_refuse(q, 403, "forbidden", "this token may decide, reward and read metrics; this call is for admins");
    } else if (!is_covered(q, token)) {
        server_refuse(q, 403, "forbidden", "this token is for other campaigns");
    } else {
        return check_rate(self, q, token);
    }
    return false;
}

static bool check_content(server_request *q, const http_head *head)
{
    const char *type = http_field_of(head, "Content-Type");
    size_t length = type != NULL ? strcspn(type, "; \t") : 0;
    if (q->route->request == NULL ||
        (length == strlen("application/json") && strncasecmp(type, "application/json", length) == 0))
        return true;
    server_refuse(q, 415, "media-type", "the Content-Type is %.60s, must be application/json",
                  type != NULL ? type : "missing");
    return false;
}

bool server_guard(server *self, server_request *q, const http_head *head)
{
    if (!check_host(self, q, head))
        return false;
    if (q->route->role == SERVER_PUBLIC)
        return true;
    if (is_foreign(head)) {
        server_refuse(q, 403, "cross-site", "requests from pages of other sites are not answered");
        return false;
    }
    return check_token(self, q, head) && check_content(q, head);
}
