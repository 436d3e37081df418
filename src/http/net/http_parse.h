/*
 * http_parse.h: requests of HTTP/1.1 (RFC 9112) from bytes, strictly. No sockets, no memory of its own: bytes in, a
 * request out.
 *
 * What could be read in two ways is refused, because a proxy in front might read it in the other: a line that ends
 * with LF alone, a continued header line, a space before the colon, two Content-Length (even if equal), Content-Length
 * beside Transfer-Encoding, two Host. A connection ends with such a request: where the next one begins is not known.
 */
#ifndef ROSTER_SERVER_HTTP_PARSE_H
#define ROSTER_SERVER_HTTP_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HTTP_HEAD_MOST = 16 << 10, /* bytes of a request line with its headers */
    HTTP_FIELDS_MOST = 100,    /* header lines                             */
    HTTP_METHOD_MOST = 20,     /* letters of a method                      */
    HTTP_LINE_MOST = 4096      /* bytes of a chunk's first line, and of all trailers */
};

/* Both NUL-terminated, within the bytes that were parsed. */
typedef struct http_field {
    const char *name, *value;
} http_field;

/* Texts are NUL-terminated and point into the bytes that were parsed. */
typedef struct http_head {
    size_t size; /* bytes of the head, empty lines before it included */
    const char *method;
    const char *path;  /* without percent-encoding, but for %2F, which is no separator */
    const char *query; /* as it came; NULL: none */
    const char *host;  /* NULL: none, which HTTP/1.0 allows */
    http_field fields[HTTP_FIELDS_MOST];
    size_t n_fields;
    uint64_t length; /* of the body, 0 where it is chunked; UINT64_MAX: more than that */
    bool chunked;
    bool keep;    /* the connection stays open after the answer */
    bool expects; /* 100 Continue is wanted before the body     */
    bool old;     /* HTTP/1.0: keeping the connection must be said, chunks are not understood */

    /* of HTTP_WRONG */
    unsigned status;   /* 400, 414, 417, 431, 501, 505 */
    const char *wrong; /* a sentence */
} http_head;

typedef enum http_result { HTTP_MORE, HTTP_WHOLE, HTTP_WRONG } http_result;

/* A request's head from the first `size` bytes, of which the first `seen` were there at an earlier call that said
   HTTP_MORE. HTTP_WHOLE: the bytes now have NULs where texts end. */
http_result http_parse_head(http_head *self, char *bytes, size_t size, size_t seen);
/* The value of the first header of that name, whatever its case; NULL: there is none. */
const char *http_field_of(const http_head *self, const char *name);
/* The first argument of that name in the query, decoded into room. 1: it is there; 0: there is none; -1: it is longer.
   */
int http_argument(const char *query, const char *name, char *room, size_t size);

/* A body in chunks. Start with {0}. */
typedef struct http_chunks {
    int state;
    uint64_t left; /* of the chunk */
    size_t line;   /* bytes of the line, or of the trailers, so far */
    unsigned digits;
} http_chunks;

typedef enum http_chunk { HTTP_CHUNK_MORE, HTTP_CHUNK_DATA, HTTP_CHUNK_END, HTTP_CHUNK_WRONG } http_chunk;

/* Takes *used of the bytes. HTTP_CHUNK_DATA: the last *n of these are of the body, and more may follow; call again with
   what is left. */
http_chunk http_parse_chunk(http_chunks *self, const char *bytes, size_t size, size_t *used, size_t *n);

#endif
