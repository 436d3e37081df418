/*
 * guard.c: whether a request may be made at all.
 *
 * A browser lets any page send requests to this server, though not read the answers. What gives such requests away:
 * Origin is another than the Host; Sec-Fetch-Site says cross-site; a form cannot say application/json. Requests of
 * programs have neither Origin nor Sec-Fetch-Site.
 *
 * Paper: none.
 * Check: tests/http/guard.py.
 */
#include "inside.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *header(const server_request *q, const char *name)
{
    return MHD_lookup_connection_value(q->connection, MHD_HEADER_KIND, name);
}

static bool check_host(server *self, server_request *q)
{
    const char *host = header(q, "Host");
    if (host != NULL && !server_knows_host(self, host)) {
        server_refuse(q, 403, "wrong-host",
                      "this server listens on loopback and is not called by the name of the Host header; roster serve "
                      "--host NAME allows another name");
        return false;
    }
    return true;
}

/* The page's own requests are of the same origin: scheme://HOST. */
static bool is_foreign(const server_request *q)
{
    const char *origin = header(q, "Origin"), *site = header(q, "Sec-Fetch-Site"), *host = header(q, "Host");
    if (site != NULL && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0)
        return true;
    if (origin == NULL)
        return false;
    const char *name = strstr(origin, "://");
    return name == NULL || host == NULL || strcasecmp(name + 3, host) != 0;
}

static bool check_token(server *self, server_request *q)
{
    const char *given = header(q, "Authorization");
    bool bearer = given != NULL && strncasecmp(given, "Bearer ", 7) == 0;
    if (self->tokens.n == 0)
        return true;
    server_role role = bearer ? server_tokens_role(&self->tokens, given + 7) : SERVER_PUBLIC;
    if (role >= q->route->role)
        return true;
    if (role == SERVER_PUBLIC) {
        q->header = "WWW-Authenticate";
        q->value = "Bearer realm=\"roster\"";
        server_refuse(q, 401, "unauthorized",
                      given == NULL ? "a token is needed: Authorization: Bearer TOKEN"
                                    : "the token of the Authorization header is not known");
    } else {
        server_refuse(q, 403, "forbidden", "this token may decide, reward and read metrics; this call is for admins");
    }
    return false;
}

static bool check_content(server_request *q)
{
    const char *type = header(q, "Content-Type");
    size_t length = type != NULL ? strcspn(type, "; \t") : 0;
    if (strcmp(q->route->method, "POST") != 0 ||
        (length == strlen("application/json") && strncasecmp(type, "application/json", length) == 0))
        return true;
    server_refuse(q, 415, "media-type", "the Content-Type is %.60s, must be application/json",
                  type != NULL ? type : "missing");
    return false;
}

bool server_guard(server *self, server_request *q)
{
    if (!check_host(self, q))
        return false;
    if (q->route->role == SERVER_PUBLIC)
        return true;
    if (is_foreign(q)) {
        server_refuse(q, 403, "cross-site", "requests from pages of other sites are not answered");
        return false;
    }
    return check_token(self, q) && check_content(q);
}
