/* http_parse.c: requests as clients send them, cut anywhere; and all that could be read in two ways, refused. */
#include "http_parse.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parses a copy that ends where its memory does, so that a look beyond it shows. */
static http_result parse(http_head *head, char **bytes, const char *text, size_t size, size_t seen)
{
    *bytes = malloc(size > 0 ? size : 1);
    assert_non_null(*bytes);
    memcpy(*bytes, text, size);
    return http_parse_head(head, *bytes, size, seen);
}

typedef struct good {
    const char *text, *method, *path, *query, *host;
    uint64_t length;
    bool chunked, keep, expects, old;
} good;

static const good accepted[] = {
    {"GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/", NULL, "a", 0, false, true, false, false},
    {"GET / HTTP/1.1\r\nHost:\r\n\r\n", "GET", "/", NULL, "", 0, false, true, false, false},
    {"HEAD /x?y=1&z HTTP/1.1\r\nhost: a:80\r\n\r\n", "HEAD", "/x", "y=1&z", "a:80", 0, false, true, false, false},
    {"POST /v1/%73hop%2Fx%20 HTTP/1.1\r\nHost: [::1]:7\r\nContent-Length: 12\r\n\r\n", "POST", "/v1/shop%2Fx ", NULL,
     "[::1]:7", 12, false, true, false, false},
    {"POST / HTTP/1.1\r\nHOST: \t a \t\r\nTransfer-Encoding: Chunked\r\nConnection: x , Close\r\n\r\n", "POST", "/",
     NULL, "a", 0, true, false, false, false},
    {"POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 18446744073709551615\r\n\r\n", "POST", "/",
     NULL, "a", UINT64_MAX, false, true, true, false},
    {"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n", "POST", "/", NULL, "a",
     UINT64_MAX, false, true, false, false},
    {"GET / HTTP/1.0\r\n\r\n", "GET", "/", NULL, NULL, 0, false, false, false, true},
    {"GET / HTTP/1.0\r\nConnection: keep-alive\r\nExpect: 100-continue\r\n\r\n", "GET", "/", NULL, NULL, 0, false, true,
     false, true},
    {"\r\n\r\nGET http://b.c:9/d?e HTTP/1.1\r\nHost: a\r\nConnection: keep-alive\r\nConnection: close\r\n\r\n", "GET",
     "/d", "e", "b.c:9", 0, false, false, false, false},
    {"OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS", "*", NULL, "a", 0, false, true, false, false},
    {"GET /\"\\^|~ HTTP/1.9\r\nHost: a\r\nX: \xc3\xa4\t\r\n\r\n", "GET", "/\"\\^|~", NULL, "a", 0, false, true, false,
     false},
};

static void assert_text(const char *got, const char *wanted)
{
    assert_int_equal(got == NULL, wanted == NULL);
    if (wanted != NULL)
        assert_string_equal(got, wanted);
}

static void check_good(const good *g, const http_head *head)
{
    assert_int_equal(head->size, strlen(g->text));
    assert_text(head->method, g->method);
    assert_text(head->path, g->path);
    assert_text(head->query, g->query);
    assert_text(head->host, g->host);
    assert_true(head->length == g->length);
    assert_int_equal(head->chunked, g->chunked);
    assert_int_equal(head->keep, g->keep);
    assert_int_equal(head->expects, g->expects);
    assert_int_equal(head->old, g->old);
}

/* Every request is understood, whatever follows it, and wherever it was cut before; and not before its last byte. */
static void heads_are_read(void **state)
{
    static const char *const rest[] = {"", "{}", "\r\n", "GET / HTTP/1.1\r\n\r\n"};
    (void)state;
    for (size_t i = 0; i < sizeof accepted / sizeof accepted[0]; i++)
        for (size_t cut = 0; cut <= strlen(accepted[i].text); cut++) {
            const char *text = accepted[i].text;
            http_head head;
            char *bytes, all[400];
            http_result first = parse(&head, &bytes, text, cut, 0);
            free(bytes);
            assert_int_equal(first, cut < strlen(text) ? HTTP_MORE : HTTP_WHOLE);
            for (size_t r = 0; r < 4; r++) {
                int n = snprintf(all, sizeof all, "%s%s", text, rest[r]);
                assert_int_equal(parse(&head, &bytes, all, (size_t)n, cut < strlen(text) ? cut : 0), HTTP_WHOLE);
                check_good(&accepted[i], &head);
                free(bytes);
            }
        }
}

typedef struct bad {
    const char *text;
    unsigned status;
} bad;

#define FIRST "GET / HTTP/1.1\r\nHost: a\r\n"

static const bad refused[] = {
    {"\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\n\r\n", 400},
    {"GET / HTTP/1.1\nHost: a\n\n", 400},
    {FIRST "X: y\n\r\n", 400},
    {FIRST "X: y\r\n\n", 400},
    {"\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {FIRST "X: a\r\n b\r\n\r\n", 400},
    {FIRST "X: a\r\n\tb\r\n\r\n", 400},
    {FIRST "X : a\r\n\r\n", 400},
    {FIRST ": a\r\n\r\n", 400},
    {FIRST "X\r\n\r\n", 400},
    {FIRST "X y: a\r\n\r\n", 400},
    {FIRST "X\xc3\xa4: a\r\n\r\n", 400},
    {FIRST "X: a\rb\r\n\r\n", 400},
    {FIRST "X: a\x01\r\n\r\n", 400},
    {FIRST "X: a\x7f\r\n\r\n", 400},
    {FIRST "Host: a\r\n\r\n", 400},
    {FIRST "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", 400},
    {FIRST "Content-Length: 5\r\nContent-Length: 5\r\n\r\n", 400},
    {FIRST "Content-Length: 5, 5\r\n\r\n", 400},
    {FIRST "Content-Length: +5\r\n\r\n", 400},
    {FIRST "Content-Length: -1\r\n\r\n", 400},
    {FIRST "Content-Length: 0x5\r\n\r\n", 400},
    {FIRST "Content-Length:\r\n\r\n", 400},
    {FIRST "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
    {FIRST "Transfer-Encoding: chunked\r\ncontent-length: 5\r\n\r\n", 400},
    {FIRST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
    {FIRST "Transfer-Encoding: gzip, chunked\r\n\r\n", 501},
    {FIRST "Transfer-Encoding: identity\r\n\r\n", 501},
    {FIRST "Transfer-Encoding:\r\n\r\n", 501},
    {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
    {FIRST "Expect: a-miracle\r\n\r\n", 417},
    {"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", 400},
    {"GET / HTTP/1.1\r\nHost: a@b\r\n\r\n", 400},
    {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
    {"GET / HTTP/1.10\r\nHost: a\r\n\r\n", 400},
    {"GET / http/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /\r\nHost: a\r\n\r\n", 400},
    {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400},
    {"GET / x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET http://a HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET https://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /% HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /%4 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /?a=%00 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"GET /\xc3\xa4 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"G@T / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {" GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"AMETHODOFMORETHANTWENTYLETTERS / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
    {"\x16\x03\x01\x02", 400},
};

/* Refused, also where it comes in two pieces: at the latest with its last byte. */
static void heads_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        size_t size = strlen(refused[i].text);
        for (size_t cut = 0; cut <= size; cut++) {
            http_head head;
            char *bytes;
            http_result result = parse(&head, &bytes, refused[i].text, cut, 0);
            assert_int_not_equal(result, HTTP_WHOLE);
            free(bytes);
            if (result == HTTP_MORE) {
                assert_true(cut < size);
                result = parse(&head, &bytes, refused[i].text, size, cut);
                free(bytes);
            }
            if (result != HTTP_WRONG || head.status != refused[i].status)
                print_error("%s: %u, expected %u\n", refused[i].text, head.status, refused[i].status);
            assert_int_equal(result, HTTP_WRONG);
            assert_int_equal(head.status, refused[i].status);
            assert_true(strlen(head.wrong) > 10);
        }
    }
}

static void nul_is_refused(void **state)
{
    static const char text[] = FIRST "X: a\0b\r\n\r\n", target[] = "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n";
    http_head head;
    char *bytes;
    (void)state;
    assert_int_equal(parse(&head, &bytes, text, sizeof text - 1, 0), HTTP_WRONG);
    free(bytes);
    assert_int_equal(parse(&head, &bytes, target, sizeof target - 1, 0), HTTP_WRONG);
    free(bytes);
}

/* A text of `size` bytes: the head, then as often as it fits, the filling. */
static http_result fill(http_head *head, const char *start, const char *filling, size_t size)
{
    char *text = malloc(size + strlen(filling) + strlen(start)), *bytes;
    size_t used = strlen(start);
    assert_non_null(text);
    memcpy(text, start, used);
    for (; used < size; used += strlen(filling))
        memcpy(text + used, filling, strlen(filling));
    http_result result = parse(head, &bytes, text, size, 0);
    free(bytes);
    free(text);
    return result;
}

static void large_heads_are_refused(void **state)
{
    http_head head;
    (void)state;
    assert_int_equal(fill(&head, "GET /", "x", HTTP_HEAD_MOST - 1), HTTP_MORE);
    assert_int_equal(fill(&head, "GET /", "x", HTTP_HEAD_MOST), HTTP_WRONG);
    assert_int_equal(head.status, 414);
    assert_int_equal(fill(&head, FIRST "X: ", "x", HTTP_HEAD_MOST - 1), HTTP_MORE);
    assert_int_equal(fill(&head, FIRST "X: ", "x", HTTP_HEAD_MOST), HTTP_WRONG);
    assert_int_equal(head.status, 431);
    assert_int_equal(fill(&head, FIRST, "X: y\r\n", 4 * HTTP_HEAD_MOST), HTTP_WRONG);
    assert_int_equal(head.status, 431);
    char text[2000] = FIRST, *bytes;
    for (int i = 0; i < HTTP_FIELDS_MOST; i++)
        strcat(text, "X: y\r\n");
    strcat(text, "\r\n");
    assert_int_equal(parse(&head, &bytes, text, strlen(text), 0), HTTP_WRONG);
    assert_int_equal(head.status, 431);
    free(bytes);
}

static void fields_are_found(void **state)
{
    static const char text[] = FIRST "Authorization:Bearer x\r\nX-A: 1\r\nx-a: 2\r\n\r\n";
    http_head head;
    char *bytes;
    (void)state;
    assert_int_equal(parse(&head, &bytes, text, strlen(text), 0), HTTP_WHOLE);
    assert_string_equal(http_field_of(&head, "authorization"), "Bearer x");
    assert_string_equal(http_field_of(&head, "X-A"), "1");
    assert_null(http_field_of(&head, "X"));
    free(bytes);
}

static void arguments_are_found(void **state)
{
    char room[8];
    (void)state;
    assert_int_equal(http_argument("a=1&bb=2%2b+x&c&a=3", "a", room, sizeof room), 1);
    assert_string_equal(room, "1");
    assert_int_equal(http_argument("a=1&bb=2%2b+x&c&a=3", "bb", room, sizeof room), 1);
    assert_string_equal(room, "2+ x");
    assert_int_equal(http_argument("a=1&bb=2&c&a=3", "c", room, sizeof room), 1);
    assert_string_equal(room, "");
    assert_int_equal(http_argument("a=1&bb=2", "b", room, sizeof room), 0);
    assert_int_equal(http_argument("&&=&a", "b", room, sizeof room), 0);
    assert_int_equal(http_argument(NULL, "b", room, sizeof room), 0);
    assert_int_equal(http_argument("a=1234567", "a", room, sizeof room), 1);
    assert_int_equal(http_argument("a=12345678", "a", room, sizeof room), -1);
}

/* The body of chunks that come `step` bytes at a time; *used: how many bytes they were. */
static http_chunk join(const char *text, size_t size, size_t step, char *body, size_t *used)
{
    http_chunks chunks = {0};
    http_chunk what = HTTP_CHUNK_MORE;
    size_t length = 0, taken, n;
    for (*used = 0; *used < size && (what == HTTP_CHUNK_MORE || what == HTTP_CHUNK_DATA);) {
        size_t piece = size - *used < step ? size - *used : step;
        what = http_parse_chunk(&chunks, text + *used, piece, &taken, &n);
        *used += taken;
        memcpy(body + length, text + *used - n, n);
        length += n;
    }
    body[length] = '\0';
    return what;
}

static void chunks_are_joined(void **state)
{
    static const char *const texts[] = {
        "5\r\nhello\r\n6;x=\"y\"\r\n world\r\n0\r\n\r\nGET", "00b\r\nhello world\r\n000\r\nX: y\r\nZ:\r\n\r\nGET",
        "1\r\nh\r\n1\r\ne\r\n1\r\nl\r\n1\r\nl\r\n1\r\no\r\n6\r\n world\r\n0;\r\n\r\nGET"};
    char body[100];
    size_t used;
    (void)state;
    for (size_t i = 0; i < 3; i++)
        for (size_t step = 1; step <= strlen(texts[i]); step++) {
            assert_int_equal(join(texts[i], strlen(texts[i]), step, body, &used), HTTP_CHUNK_END);
            assert_string_equal(body, "hello world");
            assert_string_equal(texts[i] + used, "GET");
        }
}

static void chunks_are_refused(void **state)
{
    static const char *const texts[] = {"\r\n",
                                        "x\r\n",
                                        "-1\r\n",
                                        "5 \r\nhello",
                                        "5\nhello",
                                        "5\r\nhellox\r\n",
                                        "5\r\nhello\n",
                                        "0\r\n\n",
                                        "0\r\nX: y\n\r\n",
                                        "0\r\n: y\r\n\r\n",
                                        "0\r\n x\r\n\r\n",
                                        "5;\x01\r\n",
                                        "1111111111111111\r\n",
                                        "5\r\rhello\r\n0\r\n\r\n"};
    char body[6000];
    size_t used;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (size_t step = 1; step <= strlen(texts[i]); step++)
            assert_int_equal(join(texts[i], strlen(texts[i]), step, body, &used), HTTP_CHUNK_WRONG);
    /* Neither a chunk's first line nor the trailers may go on for ever. */
    char text[HTTP_LINE_MOST + 100];
    memset(text, 'x', sizeof text);
    memcpy(text, "5;", 2);
    assert_int_equal(join(text, sizeof text, sizeof text, body, &used), HTTP_CHUNK_WRONG);
    for (size_t i = 3; i + 5 < sizeof text; i += 5)
        memcpy(text + i, "X:y\r\n", 5);
    memcpy(text, "0\r\n", 3);
    assert_int_equal(join(text, sizeof text, sizeof text, body, &used), HTTP_CHUNK_WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_are_read),    cmocka_unit_test(heads_are_refused),
        cmocka_unit_test(nul_is_refused),    cmocka_unit_test(large_heads_are_refused),
        cmocka_unit_test(fields_are_found),  cmocka_unit_test(arguments_are_found),
        cmocka_unit_test(chunks_are_joined), cmocka_unit_test(chunks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
