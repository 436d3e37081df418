/*
 * store_postgres_link.c: a connection to PostgreSQL: statements in one round trip, with an end to patience.
 *
 * Paper: none.
 *
 * Whatever fails closes the connection, so that a transaction is never left half way: what became of one whose COMMIT
 * was sent is for the next connection to find out (store_turn.h).
 *
 * Cost: a round trip, whatever the number of statements.
 * Check: tests/unit/test_postgres.c.
 */
#include "store_postgres.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TYPE_BYTES = 17, TYPE_NUMBER = 20, TYPE_TEXT = 25, BINARY = 1 };

/* ---- parameters and answers, in network order ---- */

void store_put_number(store_statement *self, int64_t number)
{
    store_parameter *to = &self->parameters[self->n++];
    *to = (store_parameter){.type = TYPE_NUMBER};
    for (int i = 0; i < 8; i++)
        to->number[i] = (unsigned char)((uint64_t)number >> 8 * (7 - i));
}

void store_put_bytes(store_statement *self, const void *bytes, size_t size)
{
    self->parameters[self->n++] = (store_parameter){.type = TYPE_BYTES, .bytes = bytes, .size = size};
}

void store_put_text(store_statement *self, const char *text)
{
    self->parameters[self->n++] = (store_parameter){.type = TYPE_TEXT, .bytes = text, .size = strlen(text)};
}

int64_t store_number_at(const PGresult *rows, int row, int column)
{
    const unsigned char *bytes = (const unsigned char *)PQgetvalue(rows, row, column);
    uint64_t number = 0;
    for (int i = 0, n = PQgetlength(rows, row, column); i < n; i++)
        number = number << 8 | bytes[i];
    return (int64_t)number;
}

/* ---- what went wrong ---- */

/* The first line, without "ERROR:". */
static void put_words(char out[200], const char *message)
{
    const char *at = strstr(message, "ERROR:  ");
    at = at != NULL ? at + 8 : message;
    snprintf(out, 200, "%.*s", (int)strcspn(at, "\n"), at);
}

/* As a code and a sentence. */
static int fail(store *self, const char *message, roster_error *err)
{
    static const struct {
        const char *state;
        int code;
        const char *remedy;
    } known[] = {
        {"53100", STORE_EFULL, "make room, earlier data can still be read"},
        {"25006", STORE_EREADONLY, "name a server that can be written"},
        {"42501", STORE_EREADONLY, "grant the role what docs/replicas.md says"},
        {"53300", STORE_EBUSY, "allow the role more connections"},
    };
    char words[200];
    put_words(words, message);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(self->server->state, known[i].state) == 0)
            return common_fail(err, known[i].code, "%.160s cannot be used: %.200s; %s", self->path, words,
                               known[i].remedy);
    return common_fail(err, STORE_EIO, "%.160s cannot be used: %.200s", self->path, words);
}

void store_link_close(store *self)
{
    PQfinish(self->server->link);
    self->server->link = NULL;
    self->server->in_turn = false;
}

static int fail_link(store *self, roster_error *err)
{
    int code = fail(self, PQerrorMessage(self->server->link), err);
    store_link_close(self);
    return code;
}

/* ---- connecting ---- */

/* Of host, port, database and user as the URL gives them, or as libpq has them otherwise. */
char *store_link_name(const char *url, roster_error *err)
{
    char *why = NULL, *name = malloc(strlen(url) + 200);
    const char *host = "", *port = "", *user = "", *database = "";
    PQconninfoOption *options = name != NULL ? PQconninfoParse(url, &why) : NULL;
    for (const PQconninfoOption *o = options; o != NULL && o->keyword != NULL; o++) {
        const char **to = strcmp(o->keyword, "host") == 0     ? &host
                          : strcmp(o->keyword, "port") == 0   ? &port
                          : strcmp(o->keyword, "user") == 0   ? &user
                          : strcmp(o->keyword, "dbname") == 0 ? &database
                                                              : NULL;
        if (to != NULL && o->val != NULL)
            *to = o->val;
    }
    if (options != NULL)
        sprintf(name, "postgresql://%s%s%s%s%s/%s", user, user[0] != '\0' ? "@" : "", host, port[0] != '\0' ? ":" : "",
                port, database);
    else
        common_fail(err, ROSTER_EINVAL, "the URL of the database cannot be used: %.*s",
                    why != NULL ? (int)strcspn(why, "\n") : 13, why != NULL ? why : "out of memory");
    PQconninfoFree(options);
    PQfreemem(why);
    if (options == NULL) {
        free(name);
        name = NULL;
    }
    return name;
}

/* What is no failure is not said. */
static void ignore(void *context, const char *message)
{
    (void)context, (void)message;
}

/* What the URL says goes before what is said here. */
static int connect(store *self, roster_error *err)
{
    const char *session = self->mode != STORE_READ ? "read-write" : "any";
    const char *const keys[] = {"application_name", "connect_timeout", "target_session_attrs", "dbname", NULL};
    const char *const values[] = {"roster", "5", session, self->server->url, NULL};
    self->server->state[0] = '\0';
    self->server->in_turn = false;
    self->server->link = PQconnectdbParams(keys, values, 1);
    if (self->server->link == NULL)
        return common_fail_memory(err);
    if (PQstatus(self->server->link) != CONNECTION_OK || PQsetnonblocking(self->server->link, 1) != 0)
        return fail_link(self, err);
    PQsetNoticeProcessor(self->server->link, ignore, NULL);
    return ROSTER_OK;
}

/* ---- statements ---- */

static int64_t milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Until the socket can be read, or also written; false: it took too long. */
static bool wait_for(PGconn *link, bool also_write, int64_t until)
{
    struct pollfd one = {.fd = PQsocket(link), .events = (short)(POLLIN | (also_write ? POLLOUT : 0))};
    int64_t left = until - milliseconds();
    return left > 0 && poll(&one, 1, (int)left) != 0;
}

static bool send_one(PGconn *link, const store_statement *s)
{
    Oid types[STORE_PARAMETERS];
    const char *values[STORE_PARAMETERS];
    int sizes[STORE_PARAMETERS], formats[STORE_PARAMETERS];
    for (int i = 0; i < s->n; i++) {
        const store_parameter *p = &s->parameters[i];
        types[i] = p->type;
        values[i] = p->type == TYPE_NUMBER ? (const char *)p->number : p->bytes;
        sizes[i] = p->type == TYPE_NUMBER ? (int)sizeof p->number : (int)p->size;
        formats[i] = BINARY;
    }
    return PQsendQueryParams(link, s->sql, s->n, types, values, sizes, formats, BINARY) == 1;
}

static bool send_all(PGconn *link, const store_statement *statements, size_t n, int64_t until)
{
    int left = 1;
    if (PQenterPipelineMode(link) != 1)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!send_one(link, &statements[i]))
            return false;
    if (PQpipelineSync(link) != 1)
        return false;
    while ((left = PQflush(link)) > 0)
        if (!wait_for(link, true, until) || PQconsumeInput(link) != 1)
            return false;
    return left == 0;
}

/* The next result, which may be NULL; false: the connection is of no use any more. */
static bool take(PGconn *link, int64_t until, PGresult **out)
{
    while (PQisBusy(link))
        if (!wait_for(link, false, until) || PQconsumeInput(link) != 1)
            return false;
    *out = PQgetResult(link);
    return true;
}

/* The results in order, each followed by NULL, and then that of the end of all. */
static bool take_all(PGconn *link, size_t n, PGresult **results, int64_t until)
{
    for (size_t i = 0; i < n; i++) {
        PGresult *end = NULL;
        if (!take(link, until, &results[i]) || results[i] == NULL || !take(link, until, &end) || end != NULL) {
            PQclear(end);
            return false;
        }
    }
    PGresult *sync = NULL;
    bool is = take(link, until, &sync) && PQresultStatus(sync) == PGRES_PIPELINE_SYNC;
    PQclear(sync);
    return is && PQexitPipelineMode(link) == 1;
}

/* The first that was refused; NULL: none. */
static const PGresult *refused(PGresult *const *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        ExecStatusType status = results[i] != NULL ? PQresultStatus(results[i]) : PGRES_COMMAND_OK;
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
            return results[i];
    }
    return NULL;
}

static int fail_all(store *self, PGresult **results, size_t n, bool late, roster_error *err)
{
    const PGresult *wrong = refused(results, n);
    const char *state = wrong != NULL ? PQresultErrorField(wrong, PG_DIAG_SQLSTATE) : NULL;
    const char *words = wrong != NULL ? PQresultErrorMessage(wrong) : PQerrorMessage(self->server->link);
    snprintf(self->server->state, sizeof self->server->state, "%s", state != NULL ? state : "");
    int code = fail(self, late ? "it does not answer" : words[0] != '\0' ? words : "the connection was lost", err);
    for (size_t i = 0; i < n; i++) {
        PQclear(results[i]);
        results[i] = NULL;
    }
    return code;
}

/* On failure the connection is gone, too, unless all that is wrong is the order of transactions. */
static int run(store *self, const store_statement *statements, size_t n, PGresult **results, roster_error *err)
{
    int64_t until = milliseconds() + 1000 * STORE_PATIENCE;
    PGconn *link = self->server->link;
    bool answered = send_all(link, statements, n, until) && take_all(link, n, results, until);
    if (answered && refused(results, n) == NULL)
        return ROSTER_OK;
    int code = fail_all(self, results, n, !answered && milliseconds() >= until, err);
    PGresult *undone = NULL;
    bool goes_on = answered && strcmp(self->server->state, STORE_UNORDERED) == 0 &&
                   send_all(link, &(store_statement){.sql = "ROLLBACK"}, 1, until) && take_all(link, 1, &undone, until);
    PQclear(undone);
    if (!goes_on)
        store_link_close(self);
    self->server->in_turn = false;
    return code;
}

int store_link_run(store *self, const store_statement *statements, size_t n, PGresult **results, roster_error *err)
{
    enum { MOST = 8 };
    PGresult *own[MOST] = {NULL};
    for (size_t i = 0; results != NULL && i < n; i++)
        results[i] = NULL;
    int code = self->server->link != NULL ? ROSTER_OK : connect(self, err);
    if (code == ROSTER_OK)
        code = run(self, statements, n, results != NULL ? results : own, err);
    for (size_t i = 0; i < MOST; i++)
        PQclear(own[i]);
    return code;
}

int store_link_ask(store *self, const store_statement *statement, PGresult **result, roster_error *err)
{
    return store_link_run(self, statement, 1, result, err);
}
