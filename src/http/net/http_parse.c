/*
 * http_parse.c: see http_parse.h.
 *
 *   head   method SP target SP HTTP/1.x CRLF (name ":" value CRLF)* CRLF
 *   target "/..." | "http://host/..." | "*"
 *
 * Paper: none.
 * Cost: every byte of a head is looked at two or three times, however it is cut into pieces.
 * Check: tests/unit/test_http_parse.c (every request cut at every byte), tests/fuzz/fuzz_http.c.
 */
#include "http_parse.h"

#include <string.h>
#include <strings.h>

enum { EMPTY_MOST = 16 }; /* bytes of empty lines before a request */

static http_result wrong(http_head *self, unsigned status, const char *sentence)
{
    self->status = status;
    self->wrong = sentence;
    return HTTP_WRONG;
}

/* RFC 9110: letters of methods and names of headers. */
static bool is_token(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* The code of %XX; -1: it is none, or NUL. */
static int percent(const char *at)
{
    int high = hex(at[1]), low = high >= 0 ? hex(at[2]) : -1;
    return low >= 0 && high * 16 + low > 0 ? high * 16 + low : -1;
}

/* ---- where the head ends ---- */

/* Bytes of the head from `start` on; 0: its end is not there yet. */
static size_t find_end(http_head *self, const char *bytes, size_t start, size_t size, size_t seen)
{
    const char *at = bytes + (seen > start ? seen : start), *end = bytes + size, *lf;
    for (; (lf = memchr(at, '\n', (size_t)(end - at))) != NULL; at = lf + 1) {
        if (lf == bytes + start || lf[-1] != '\r') {
            wrong(self, 400, "a line ends with LF alone, must end with CR LF");
            return 0;
        }
        if (lf - bytes >= (ptrdiff_t)start + 3 && lf[-2] == '\n')
            return (size_t)(lf + 1 - bytes);
    }
    return 0;
}

static http_result check_method(http_head *self, const char *bytes, size_t size)
{
    size_t n = 0;
    while (n < size && n <= HTTP_METHOD_MOST && is_token(bytes[n]))
        n++;
    return n == size || (n > 0 && n <= HTTP_METHOD_MOST && bytes[n] == ' ')
               ? HTTP_WHOLE
               : wrong(self, 400, "a request must begin with a method and a space");
}

/* Whether what is there can become a request. */
static http_result check_begun(http_head *self, const char *bytes, size_t start, size_t size)
{
    if (size < HTTP_HEAD_MOST)
        return HTTP_MORE;
    return memchr(bytes + start, '\n', HTTP_HEAD_MOST - start) == NULL
               ? wrong(self, 414, "the request line is too long: a head can have 16 kB")
               : wrong(self, 431, "the headers are too large: a head can have 16 kB");
}

/* ---- the request line ---- */

/* Ends the text at c and returns what follows; NULL: there is no c. */
static char *cut(char *text, char c)
{
    char *at = strchr(text, c);
    if (at == NULL)
        return NULL;
    *at = '\0';
    return at + 1;
}

static http_result read_version(http_head *self, const char *version)
{
    if (strncmp(version, "HTTP/", 5) != 0 || version[5] < '0' || version[5] > '9' || version[6] != '.' ||
        version[7] < '0' || version[7] > '9' || version[8] != '\0')
        return wrong(self, 400, "the request line must end with HTTP/1.1");
    if (version[5] != '1')
        return wrong(self, 505, "this server talks HTTP/1.1");
    self->old = version[7] == '0';
    self->keep = !self->old;
    return HTTP_WHOLE;
}

/* %2F stays: it is part of a name, not between names. */
static void decode_path(char *path)
{
    char *to = path;
    for (const char *at = path; *at != '\0'; at++) {
        int code = *at == '%' ? percent(at) : -1;
        if (code > 0 && code != '/') {
            *to++ = (char)code;
            at += 2;
        } else {
            *to++ = *at;
        }
    }
    *to = '\0';
}

static http_result read_target(http_head *self, char *target)
{
    for (const char *at = target; *at != '\0'; at++)
        if (*at <= ' ' || *at > '~' || (*at == '%' && percent(at) < 0))
            return wrong(self, 400, "the target has letters that must be percent-encoded, or a wrong or NUL code");
    if (strncasecmp(target, "http://", 7) == 0) {
        /* The authority moves to the front, so that it can be ended before the path. */
        size_t n = strcspn(target + 7, "/?");
        memmove(target, target + 7, n);
        self->host = target;
        target[n] = '\0';
        target += 7 + n;
        if (*target != '/')
            return wrong(self, 400, "the target has no path");
    }
    if (*target != '/' && strcmp(target, "*") != 0)
        return wrong(self, 400, "the target must begin with /");
    self->query = cut(target, '?');
    decode_path(target);
    self->path = target;
    return HTTP_WHOLE;
}

static http_result read_request_line(http_head *self, char *line)
{
    char *target = cut(line, ' '), *version = target != NULL ? cut(target, ' ') : NULL;
    self->method = line;
    if (version == NULL)
        return wrong(self, 400, "the request line must be METHOD TARGET HTTP/1.1");
    http_result result = read_version(self, version);
    return result == HTTP_WHOLE ? read_target(self, target) : result;
}

/* ---- headers ---- */

static http_result read_length(http_head *self, const char *value)
{
    uint64_t n = 0;
    if (*value == '\0')
        return wrong(self, 400, "Content-Length must be a whole number");
    for (; *value != '\0'; value++) {
        if (*value < '0' || *value > '9')
            return wrong(self, 400, "Content-Length must be a whole number");
        uint64_t digit = (uint64_t)(*value - '0');
        n = n > (UINT64_MAX - digit) / 10 ? UINT64_MAX : 10 * n + digit;
    }
    self->length = n;
    return HTTP_WHOLE;
}

/* Whether one of the words in the list, commas between, is this one. */
static bool has_word(const char *list, const char *word)
{
    size_t size = strlen(word);
    while (*list != '\0') {
        list += strspn(list, " \t,");
        size_t n = strcspn(list, " \t,");
        if (n == size && strncasecmp(list, word, n) == 0)
            return true;
        list += n;
    }
    return false;
}

static http_result read_host(http_head *self, const char *value)
{
    static const char others[] = ".-_:[]%~!$&'()*+,;=";
    for (const char *at = value; *at != '\0'; at++)
        if (!(is_token(*at) || strchr(others, *at) != NULL))
            return wrong(self, 400, "Host is not a valid name");
    self->host = self->host != NULL ? self->host : value; /* that of the target goes before */
    return HTTP_WHOLE;
}

/* The headers that say how the request is to be read; each may come once. */
enum { HOST, LENGTH, ENCODING, CONNECTION, EXPECT, FRAMING };
static const char *const framing[FRAMING] = {"Host", "Content-Length", "Transfer-Encoding", "Connection", "Expect"};

static http_result read_field(http_head *self, int which, const char *value)
{
    if (which == HOST)
        return read_host(self, value);
    if (which == LENGTH)
        return read_length(self, value);
    if (which == ENCODING) {
        self->chunked = true;
        return strcasecmp(value, "chunked") == 0 ? HTTP_WHOLE
                                                 : wrong(self, 501, "the only Transfer-Encoding known is chunked");
    }
    if (which == CONNECTION) {
        self->keep = !has_word(value, "close") && (self->keep || has_word(value, "keep-alive"));
        return HTTP_WHOLE;
    }
    self->expects = !self->old;
    return strcasecmp(value, "100-continue") == 0 ? HTTP_WHOLE
                                                  : wrong(self, 417, "the only expectation known is 100-continue");
}

static http_result check_framing(http_head *self, unsigned seen)
{
    if (seen & 1u << LENGTH && seen & 1u << ENCODING)
        return wrong(self, 400, "Content-Length and Transfer-Encoding contradict each other: give one");
    if (seen & 1u << ENCODING && self->old)
        return wrong(self, 400, "HTTP/1.0 has no Transfer-Encoding");
    if (!(seen & 1u << HOST) && !self->old)
        return wrong(self, 400, "a request of HTTP/1.1 needs a Host header");
    return HTTP_WHOLE;
}

/* One header line, without its end. */
static http_result take_field(http_head *self, char *line, unsigned *seen)
{
    size_t name = 0;
    while (is_token(line[name]))
        name++;
    if (name == 0 || line[name] != ':')
        return wrong(self, 400, "a header line must be a name, a colon and a value, all on one line");
    if (self->n_fields == HTTP_FIELDS_MOST)
        return wrong(self, 431, "there are more than 100 header lines");
    char *value = line + name + 1, *end = value + strlen(value);
    line[name] = '\0';
    value += strspn(value, " \t");
    while (end > value && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';
    for (const char *at = value; at < end; at++)
        if (((unsigned char)*at < ' ' && *at != '\t') || *at == 0x7f)
            return wrong(self, 400, "a header has control characters in it");
    self->fields[self->n_fields++] = (http_field){line, value};
    for (int i = 0; i < FRAMING; i++)
        if (strcasecmp(line, framing[i]) == 0) {
            /* Connection is a list and may come in several lines. */
            if (*seen & 1u << i && i != CONNECTION)
                return wrong(self, 400, "a header that says how to read the request comes twice");
            *seen |= 1u << i;
            return read_field(self, i, value);
        }
    return HTTP_WHOLE;
}

http_result http_parse_head(http_head *self, char *bytes, size_t size, size_t seen)
{
    size_t start = 0;
    memset(self, 0, offsetof(http_head, fields));
    self->n_fields = 0;
    memset(&self->n_fields, 0, sizeof *self - offsetof(http_head, n_fields));
    while (start < EMPTY_MOST && size - start >= 2 && bytes[start] == '\r' && bytes[start + 1] == '\n')
        start += 2; /* a few empty lines before a request are allowed */
    if (size - start == 0 || (size - start == 1 && bytes[start] == '\r'))
        return HTTP_MORE;
    self->size = find_end(self, bytes, start, size < HTTP_HEAD_MOST ? size : HTTP_HEAD_MOST, seen);
    if (self->status != 0)
        return HTTP_WRONG;
    if (check_method(self, bytes + start, size - start) == HTTP_WRONG)
        return HTTP_WRONG;
    if (self->size == 0)
        return check_begun(self, bytes, start, size);
    if (memchr(bytes, '\0', self->size) != NULL)
        return wrong(self, 400, "there is a NUL in the head");

    http_result result = HTTP_WHOLE;
    unsigned fields = 0;
    char *line = bytes + start, *end = bytes + self->size - 2; /* at the empty line */
    while (line < end && result == HTTP_WHOLE) {
        char *next = strchr(line, '\n') + 1;
        next[-2] = '\0';
        if (strchr(line, '\r') != NULL)
            return wrong(self, 400, "there is a CR within a line");
        result = self->method == NULL ? read_request_line(self, line) : take_field(self, line, &fields);
        line = next;
    }
    return result == HTTP_WHOLE ? check_framing(self, fields) : result;
}

const char *http_field_of(const http_head *self, const char *name)
{
    for (size_t i = 0; i < self->n_fields; i++)
        if (strcasecmp(self->fields[i].name, name) == 0)
            return self->fields[i].value;
    return NULL;
}

/* ---- the query ---- */

static size_t decode_argument(const char *from, size_t n, char *room, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < n && used < size; i++) {
        int code = from[i] == '%' && n - i > 2 ? percent(from + i) : -1;
        room[used++] = code > 0 ? (char)code : from[i] == '+' ? ' ' : from[i];
        i += code > 0 ? 2 : 0;
    }
    return used;
}

int http_argument(const char *query, const char *name, char *room, size_t size)
{
    size_t length = strlen(name);
    for (const char *at = query; at != NULL && *at != '\0'; at += *at == '&') {
        size_t n = strcspn(at, "&"), key = strcspn(at, "=&");
        if (key == length && strncmp(at, name, key) == 0) {
            const char *value = at + key + (at[key] == '=');
            size_t used = decode_argument(value, (size_t)(at + n - value), room, size);
            if (used == size)
                return -1;
            room[used] = '\0';
            return 1;
        }
        at += n;
    }
    return 0;
}

/* ---- chunks ---- */

enum { SIZE, EXTENSION, SIZE_LF, DATA, DATA_CR, DATA_LF, TRAILER, TRAILER_LINE, TRAILER_LF, END_LF };

/* The next state after a byte that is not data; -1: the byte is wrong. */
static int step(http_chunks *self, char c)
{
    bool visible = (unsigned char)c >= ' ' && c != 0x7f;
    switch (self->state) {
    case SIZE:
        if (hex(c) >= 0 && self->digits < 15) {
            self->left = self->left * 16 + (uint64_t)hex(c);
            self->digits++;
            return SIZE;
        }
        return self->digits == 0 ? -1 : c == ';' ? EXTENSION : c == '\r' ? SIZE_LF : -1;
    case EXTENSION:
        return c == '\r' ? SIZE_LF : visible || c == '\t' ? EXTENSION : -1;
    case SIZE_LF:
        return c != '\n' ? -1 : self->left > 0 ? DATA : TRAILER;
    case DATA_CR:
        return c == '\r' ? DATA_LF : -1;
    case DATA_LF:
        return c == '\n' ? SIZE : -1;
    case TRAILER:
        return c == '\r' ? END_LF : is_token(c) ? TRAILER_LINE : -1;
    case TRAILER_LINE:
        return c == '\r' ? TRAILER_LF : visible || c == '\t' ? TRAILER_LINE : -1;
    default:
        return c == '\n' ? TRAILER : -1;
    }
}

http_chunk http_parse_chunk(http_chunks *self, const char *bytes, size_t size, size_t *used, size_t *n)
{
    *n = 0;
    for (*used = 0; *used < size;) {
        if (self->state == DATA) {
            *n = self->left < size - *used ? (size_t)self->left : size - *used;
            *used += *n;
            self->left -= *n;
            if (self->left == 0)
                self->state = DATA_CR;
            return HTTP_CHUNK_DATA;
        }
        char c = bytes[(*used)++];
        if (self->state == END_LF)
            return c == '\n' ? HTTP_CHUNK_END : HTTP_CHUNK_WRONG;
        if (self->state == DATA_LF)
            *self = (http_chunks){.state = DATA_LF};
        self->state = step(self, c);
        if (self->state < 0 || ++self->line > HTTP_LINE_MOST)
            return HTTP_CHUNK_WRONG;
    }
    return HTTP_CHUNK_MORE;
}
