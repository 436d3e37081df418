/*
 * route_openapi.c: the document of /openapi.json (OpenAPI 3.1), made from the table of routes and schemas.json.
 *
 * Paper: none.
 * Check: tests/http/openapi.py: every path and method of it answers as it says.
 */
#include "http_internal.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    unsigned status;
    const char *meaning;
} meanings[] = {
    {200, "Done."},
    {201, "Created."},
    {400, "The body is not JSON, a value in it is wrong, or the query has an unknown parameter."},
    {401, "A token is needed, or is not known."},
    {403, "The token does not suffice, or the request comes from a page of another site."},
    {404, "There is no such campaign, roster or event."},
    {409, "It exists with other content, or the reward was told before."},
    {410, "It is archived, or the reward comes too late."},
    {413, "The body is too large."},
    {415, "The Content-Type is not application/json."},
    {422, "A value cannot be used here."},
    {429, "The token has made more requests than its rate allows, or the campaign is full."},
    {503, "The server is starting or stopping, the log cannot be written, or there is too much to do."},
};

static const char *meaning_of(unsigned status)
{
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (meanings[i].status == status)
            return meanings[i].meaning;
    return "";
}

static bool is_type(const char *answer)
{
    return strchr(answer, '/') != NULL;
}

static json_t *reference(const char *schema)
{
    return json_pack("{s:s+}", "$ref", "#/components/schemas/", schema);
}

/* {"application/json": {"schema": ..}} */
static json_t *content(const char *answer)
{
    if (is_type(answer))
        return json_pack("{s:{s:{s:s}}}", answer, "schema", "type", "string");
    return json_pack("{s:{s:o}}", "application/json", "schema", reference(answer));
}

static void put_answer(json_t *responses, const server_route *route, unsigned status)
{
    char key[16];
    /* A single reward's status is the answer's status: these are no errors. */
    bool outcome = strcmp(route->id, "reward") == 0 && status != 400 && status < 500 && status > 403 && status != 413;
    json_t *refused = outcome ? json_pack("{s:[o,o]}", "anyOf", reference(route->answer), reference("Error")) : NULL;
    snprintf(key, sizeof key, "%u", status);
    json_t *body = status < 300 ? content(route->answer)
                                : json_pack("{s:{s:o}}", "application/json", "schema",
                                            refused != NULL ? refused : reference("Error"));
    json_t *answer = json_pack("{s:s, s:o}", "description", meaning_of(status), "content", body);
    if (status == 429 || status == 503)
        json_object_set_new(answer, "headers",
                            json_pack("{s:{s:s, s:{s:s, s:i}}}", "Retry-After", "description",
                                      "Seconds after which to try again.", "schema", "type", "integer", "minimum", 1));
    json_object_set_new(responses, key, answer);
}

static json_t *responses_of(const server_route *route)
{
    json_t *responses = json_object();
    char *end;
    for (const char *at = route->statuses; *at != '\0'; at = end)
        put_answer(responses, route, (unsigned)strtoul(at, &end, 10));
    if (route->role > SERVER_PUBLIC) {
        static const unsigned any[] = {401, 403, 429, 503};
        for (size_t i = 0; i < sizeof any / sizeof any[0]; i++)
            put_answer(responses, route, any[i]);
    }
    put_answer(responses, route, 400);
    if (route->request != NULL) {
        put_answer(responses, route, 413);
        put_answer(responses, route, 415);
    }
    return responses;
}

static bool is_word(const char *name, size_t size, const char *word)
{
    return size == strlen(word) && strncmp(name, word, size) == 0;
}

/* What values of an argument are accepted, as route_events.c reads them. */
static json_t *schema_of(const char *name, size_t size)
{
    if (is_word(name, size, "after"))
        return json_pack("{s:s, s:i, s:I}", "type", "integer", "minimum", 0, "maximum", (json_int_t)INT64_MAX);
    if (is_word(name, size, "limit"))
        return json_pack("{s:s, s:i, s:i}", "type", "integer", "minimum", 1, "maximum", SERVER_LINES_MOST);
    if (is_word(name, size, "dry_run"))
        return json_pack("{s:s}", "type", "boolean");
    if (is_word(name, size, "format"))
        return json_pack("{s:[s, s]}", "enum", "lines", "dsjson");
    return json_pack("{s:s}", "type", "string");
}

static json_t *parameter(const char *name, size_t size, const char *in, const char *about, size_t about_size)
{
    return json_pack("{s:s%, s:s, s:b, s:s%, s:o}", "name", name, size, "in", in, "required", strcmp(in, "path") == 0,
                     "description", about, about_size, "schema", schema_of(name, size));
}

static json_t *parameters_of(const server_route *route)
{
    json_t *list = json_array();
    for (const char *open = strchr(route->path, '{'); open != NULL; open = strchr(open + 1, '{')) {
        static const char about[] = "Its name.";
        json_array_append_new(list, parameter(open + 1, strcspn(open + 1, "}"), "path", about, strlen(about)));
    }
    for (const char *at = route->query; at != NULL && *at != '\0'; at += *at == '|') {
        size_t name = strcspn(at, ":"), about = strcspn(at + name + 1, "|");
        json_array_append_new(list, parameter(at, name, "query", at + name + 1, about));
        at += name + 1 + about;
    }
    return list;
}

static json_t *operation_of(const server_route *route)
{
    static const char *const roles[] = {"Needs no token.", "Needs a token of the role decide or admin.",
                                        "Needs a token of the role admin."};
    json_t *operation =
        json_pack("{s:s, s:s, s:s, s:o, s:o}", "operationId", route->id, "summary", route->summary, "description",
                  roles[route->role], "parameters", parameters_of(route), "responses", responses_of(route));
    if (route->request != NULL)
        json_object_set_new(operation, "requestBody",
                            json_pack("{s:b, s:o}", "required", 1, "content", content(route->request)));
    json_object_set_new(operation, "security",
                        route->role == SERVER_PUBLIC ? json_array() : json_pack("[{s:[]}, {}]", "token"));
    return operation;
}

static json_t *paths(void)
{
    json_t *all = json_object();
    for (size_t i = 0; i < server_n_routes; i++) {
        const server_route *route = &server_routes[i];
        char method[8] = "";
        for (size_t j = 0; route->method[j] != '\0' && j + 1 < sizeof method; j++)
            method[j] = (char)(route->method[j] | 0x20);
        json_t *path = json_object_get(all, route->path);
        if (path == NULL) {
            path = json_object();
            json_object_set_new(all, route->path, path);
        }
        json_object_set_new(path, method, operation_of(route));
    }
    return all;
}

char *server_openapi(void)
{
    json_error_t wrong;
    json_t *schemas = json_loadb((const char *)server_schemas, server_schemas_size, 0, &wrong);
    json_t *document = json_pack(
        "{s:s, s:{s:s, s:s, s:s}, s:o, s:{s:o, s:{s:{s:s, s:s}}}}", "openapi", "3.1.0", "info", "title",
        "roster: the decision service", "version", roster_version(), "description",
        "Decides among experts, waits for rewards and learns. Errors are {\"error\": {\"code\", \"message\"}}.",
        "paths", paths(), "components", "schemas", schemas, "securitySchemes", "token", "type", "http", "scheme",
        "bearer");
    char *text = document != NULL ? json_dumps(document, JSON_COMPACT) : NULL;
    json_decref(document);
    return text;
}
