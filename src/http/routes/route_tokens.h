/*
 * route_tokens.h: the tokens that requests carry, and what each may be used for.
 */
#ifndef ROSTER_HTTP_ROUTE_TOKENS_H
#define ROSTER_HTTP_ROUTE_TOKENS_H

#include <roster.h>

#include <stdbool.h>

typedef enum server_role { SERVER_PUBLIC, SERVER_CLIENT, SERVER_ADMIN } server_role;

enum { SERVER_TOKENS_MOST = 64, SERVER_TOKEN_LEAST = 16, SERVER_TOKEN_MOST = 128 };

typedef struct server_token {
    server_role role;
    unsigned char word[SERVER_TOKEN_MOST]; /* the rest is zero */
    char *campaigns;                       /* owned: names with a comma before and after each; NULL: all */
    double rate;                           /* requests per second, 0: any number */
    double left;                           /* requests that may be made at once */
    int64_t filled;                        /* when that was computed, by server_clock */
} server_token;

typedef struct server_tokens {
    size_t n;
    server_token all[SERVER_TOKENS_MOST];
} server_tokens;

/* On failure self is empty. */
int server_tokens_read(server_tokens *self, const char *path, roster_error *err);
void server_tokens_free(server_tokens *self);
/* The token of that text, NULL: it is none of them. Takes the same time whatever is right about it. */
server_token *server_tokens_find(server_tokens *self, const char *text);
/* Whether the token may be used for that campaign. */
bool server_token_covers(const server_token *self, const char *campaign, size_t size);
/* Takes one request of the token's rate. 0: it may be made; else the seconds after which to ask again. */
unsigned server_token_take(server_token *self, int64_t now);

#endif
