/*
 * fuzz_http.c: whatever bytes come from a socket, they are a request or are refused with a sentence, however they are
 * cut into pieces: piece by piece the result is that of all at once, no text reaches beyond the bytes, and what was
 * accepted can be read in one way only.
 *
 * The first byte is the size of the pieces. Behind the head, what the request says is its body is read as chunks.
 */
#include "http_parse.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool holds)
{
    if (!holds)
        abort();
}

static void check_text(const char *text, const char *bytes, size_t size)
{
    must(text >= bytes && text < bytes + size && memchr(text, '\0', size - (size_t)(text - bytes)) != NULL);
}

static void check_head(const http_head *head, const char *bytes, size_t size)
{
    size_t lengths = 0, hosts = 0, encodings = 0;
    char room[20];
    must(head->size <= size && head->size <= HTTP_HEAD_MOST && head->n_fields <= HTTP_FIELDS_MOST);
    check_text(head->method, bytes, head->size);
    check_text(head->path, bytes, head->size);
    must(head->path[0] == '/' || strcmp(head->path, "*") == 0);
    if (head->query != NULL)
        check_text(head->query, bytes, head->size);
    http_argument(head->query, "after", room, sizeof room);
    for (size_t i = 0; i < head->n_fields; i++) {
        const char *name = head->fields[i].name;
        check_text(name, bytes, head->size);
        check_text(head->fields[i].value, bytes, head->size);
        must(strpbrk(head->fields[i].value, "\r\n") == NULL && strpbrk(name, " \t\r\n:") == NULL);
        must(http_field_of(head, name) != NULL);
        lengths += strlen(name) == 14 && http_field_of(head, "content-length") == head->fields[i].value;
        hosts += strlen(name) == 4 && http_field_of(head, "host") == head->fields[i].value;
        encodings += strlen(name) == 17 && http_field_of(head, "transfer-encoding") == head->fields[i].value;
    }
    must(lengths + encodings <= 1 && hosts <= 1 && (hosts == 1 || head->old));
    must(!head->chunked || (encodings == 1 && head->length == 0));
}

/* Copies end where their memory does. */
static http_result parse(http_head *head, char **copy, const char *bytes, size_t size, size_t seen)
{
    *copy = malloc(size + (size == 0));
    must(*copy != NULL);
    memcpy(*copy, bytes, size);
    return http_parse_head(head, *copy, size, seen);
}

static void check_pieces(const char *bytes, size_t size, size_t step, const http_head *whole, http_result result)
{
    for (size_t seen = 0, there = step < size ? step : size;; there = there + step < size ? there + step : size) {
        http_head head;
        char *copy;
        http_result piece = parse(&head, &copy, bytes, there, seen);
        if (piece == HTTP_WHOLE)
            must(result == HTTP_WHOLE && head.size == whole->size && head.length == whole->length &&
                 head.chunked == whole->chunked && head.keep == whole->keep && head.n_fields == whole->n_fields);
        free(copy);
        if (piece != HTTP_MORE || there == size) {
            must(piece == result);
            return;
        }
        seen = there;
    }
}

/* The hash of the joined body, and how it ended. */
static http_chunk join(const char *bytes, size_t size, size_t step, uint64_t *hash, size_t *used)
{
    http_chunks chunks = {0};
    http_chunk what = HTTP_CHUNK_MORE;
    *hash = 0;
    for (*used = 0; *used < size && what != HTTP_CHUNK_END && what != HTTP_CHUNK_WRONG;) {
        size_t piece = size - *used < step ? size - *used : step, taken, n;
        what = http_parse_chunk(&chunks, bytes + *used, piece, &taken, &n);
        must(taken <= piece && n <= taken && taken > 0);
        *used += taken;
        for (size_t i = *used - n; i < *used; i++)
            *hash = *hash * 31 + (unsigned char)bytes[i];
    }
    return what == HTTP_CHUNK_DATA ? HTTP_CHUNK_MORE : what;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t step = 1 + data[0] % 64, used, used_in_pieces;
    const char *bytes = (const char *)data + 1;
    uint64_t hash, hash_in_pieces;
    http_head head;
    char *copy;
    size--;
    http_result result = parse(&head, &copy, bytes, size, 0);
    if (result == HTTP_WHOLE)
        check_head(&head, copy, size);
    if (result == HTTP_WRONG)
        must(head.status >= 400 && head.status < 600 && head.wrong != NULL);
    check_pieces(bytes, size, step, &head, result);
    free(copy);
    size_t body = result == HTTP_WHOLE ? head.size : 0;
    http_chunk what = join(bytes + body, size - body, size, &hash, &used);
    must(join(bytes + body, size - body, step, &hash_in_pieces, &used_in_pieces) == what);
    must(what == HTTP_CHUNK_WRONG || (hash == hash_in_pieces && used == used_in_pieces));
    return 0;
}
