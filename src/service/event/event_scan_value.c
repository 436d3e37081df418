/*
 * event_scan_value.c: strings and numbers of a body, as strict JSON writes them.
 *
 * Strings without escapes are borrowed from the body; of others the meaning is kept beside it.
 *
 * A number of at most 15 digits without an exponent is exact: an integer divided once by a power of ten. All others go
 * to strtod.
 *
 * Paper: none.
 * Cost: about 2 ns per byte.
 * Check: like jansson on random texts (tests/unit/test_service_parts.c: as_jansson_reads); tests/fuzz/fuzz_service.c.
 */
#include "service_internal.h"

#include "utf8.h"

#include <stdlib.h>
#include <string.h>

service_code service_scan_wrong(service_scan *s, const char *expected)
{
    if (s->at >= s->end)
        return service_fail(s->err, SERVICE_SYNTAX, "the body ends after byte %zu, where %s was expected",
                            (size_t)(s->end - s->start), expected);
    return service_fail(s->err, SERVICE_SYNTAX, "byte %zu of the body is '%c', where %s was expected",
                        (size_t)(s->at - s->start), *s->at, expected);
}

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four hexadecimal digits; -1: they are not. */
static int32_t quad(service_scan *s)
{
    int32_t code = 0;
    for (int i = 0; i < 4; i++, s->at++) {
        int digit = s->at < s->end ? hex(*s->at) : -1;
        if (digit < 0)
            return -1;
        code = 16 * code + digit;
    }
    return code;
}

/* A code of \uXXXX, two of them where it is a pair. 0: wrong. */
static uint32_t unicode(service_scan *s)
{
    int32_t high = quad(s);
    if (high < 0xd800 || high > 0xdfff)
        return high > 0 ? (uint32_t)high : 0;
    if (high > 0xdbff || s->end - s->at < 6 || s->at[0] != '\\' || s->at[1] != 'u')
        return 0;
    s->at += 2;
    int32_t low = quad(s);
    if (low < 0xdc00 || low > 0xdfff)
        return 0;
    return 0x10000 + (((uint32_t)high - 0xd800) << 10) + ((uint32_t)low - 0xdc00);
}

/* The rest of a string that has escapes, from `from` on; there is room for it all. */
static service_code unescape(service_scan *s, const char *from, const char **out, size_t *size)
{
    static const char plain[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    char *to = s->letters + s->letters_used, *start = to;
    memcpy(to, from, (size_t)(s->at - from));
    to += s->at - from;
    while (s->at < s->end && *s->at != '"') {
        if ((unsigned char)*s->at < ' ')
            return service_scan_wrong(s, "no control character");
        if (*s->at != '\\') {
            *to++ = *s->at++;
            continue;
        }
        s->at++;
        const char *found = s->at < s->end && *s->at != '\0' ? strchr(plain, *s->at) : NULL;
        if (found != NULL) {
            *to++ = meant[found - plain];
            s->at++;
        } else if (s->at < s->end && *s->at == 'u') {
            s->at++;
            uint32_t code = unicode(s);
            if (code == 0)
                return service_scan_wrong(s, "the code of a character");
            to += utf8_put(code, to);
        } else {
            return service_scan_wrong(s, "an escape");
        }
    }
    if (s->at >= s->end)
        return service_scan_wrong(s, "the end of a string");
    s->at++;
    *out = start;
    *size = (size_t)(to - start);
    s->letters_used = (size_t)(to - s->letters);
    return SERVICE_OK;
}

service_code service_scan_string(service_scan *s, const char **out, size_t *size)
{
    if (!service_scan_take(s, '"'))
        return service_scan_wrong(s, "a string");
    const char *from = s->at;
    while (s->at < s->end && *s->at != '"' && *s->at != '\\' && (unsigned char)*s->at >= ' ')
        s->at++;
    if (s->at < s->end && *s->at == '"') {
        *out = from;
        *size = (size_t)(s->at++ - from);
        return SERVICE_OK;
    }
    if (s->at >= s->end || *s->at != '\\')
        return service_scan_wrong(s, "the end of a string");
    size_t most = (size_t)(s->end - s->start) + 4; /* strings without escapes are shorter than with: all fit */
    if (s->letters_room < most) {
        char *more = s->letters_used == 0 ? realloc(s->letters, most) : NULL;
        if (more == NULL)
            return service_no_memory(s->err);
        s->letters = more;
        s->letters_room = most;
    }
    return unescape(s, from, out, size);
}

/* Where a number ends, by the grammar of JSON; NULL: it is none. */
const char *service_scan_number_end(const service_scan *s)
{
    const char *at = s->at;
    at += at < s->end && *at == '-';
    if (!service_scan_is_digit(s, at))
        return NULL;
    if (*at == '0')
        at++;
    else
        while (service_scan_is_digit(s, at))
            at++;
    if (at < s->end && *at == '.') {
        if (!service_scan_is_digit(s, ++at))
            return NULL;
        while (service_scan_is_digit(s, at))
            at++;
    }
    if (at < s->end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < s->end && (*at == '+' || *at == '-');
        if (!service_scan_is_digit(s, at))
            return NULL;
        while (service_scan_is_digit(s, at))
            at++;
    }
    return at;
}

/* Few digits and no exponent: exact with one division. */
static bool simple(const char *at, const char *end, double *out)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    bool minus = *at == '-';
    uint64_t n = 0;
    int digits = 0, behind = 0;
    bool point = false;
    for (at += minus; at < end; at++) {
        if (*at == '.') {
            point = true;
            continue;
        }
        if (*at == 'e' || *at == 'E' || ++digits > 15)
            return false;
        n = 10 * n + (uint64_t)(*at - '0');
        behind += point;
    }
    double size = (double)n / power[behind];
    *out = minus ? -size : size;
    return true;
}

service_code service_scan_number(service_scan *s, double *out)
{
    char digits[400];
    service_scan_skip(s);
    const char *end = service_scan_number_end(s);
    if (end == NULL)
        return service_scan_wrong(s, "a number");
    if (!simple(s->at, end, out)) {
        size_t size = (size_t)(end - s->at);
        if (size >= sizeof digits)
            return service_scan_wrong(s, "a number of fewer than 400 digits");
        memcpy(digits, s->at, size);
        digits[size] = '\0';
        *out = strtod(digits, NULL);
        if (!(fabs(*out) <= 1e308))
            return service_scan_wrong(s, "a number that is not too large");
    }
    s->at = end;
    return SERVICE_OK;
}

/* ---- values of another type than they must be ---- */

enum { DEPTH_MOST = 32 };

static bool is_whole(service_scan *s, unsigned depth);

static bool is_string(service_scan *s)
{
    const char *text;
    size_t size;
    return service_scan_next(s) == '"' && service_scan_string(s, &text, &size) == SERVICE_OK;
}

/* The rest of a list or an object, behind its bracket. */
static bool is_list(service_scan *s, bool object, unsigned depth)
{
    char end = object ? '}' : ']';
    if (service_scan_take(s, end))
        return true;
    do
        if ((object && !(is_string(s) && service_scan_take(s, ':'))) || !is_whole(s, depth))
            return false;
    while (service_scan_take(s, ','));
    return service_scan_take(s, end);
}

static bool is_word(service_scan *s, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(s->end - s->at) < size || memcmp(s->at, word, size) != 0)
        return false;
    s->at += size;
    return true;
}

/* Whether a value of JSON comes, which is passed over. */
static bool is_whole(service_scan *s, unsigned depth)
{
    char first = service_scan_next(s);
    if (first == '"')
        return is_string(s);
    if (first == '[' || first == '{') {
        s->at++;
        return depth < DEPTH_MOST && is_list(s, first == '{', depth + 1);
    }
    const char *end = service_scan_number_end(s);
    if (end == NULL)
        return is_word(s, "true") || is_word(s, "false") || is_word(s, "null");
    s->at = end;
    return true;
}

service_code service_scan_other(service_scan *s, const char *verb, const char *expected)
{
    service_error *err = s->err, local;
    char first = service_scan_next(s);
    const char *from = s->at;
    s->err = &local;
    bool whole = is_whole(s, 0);
    s->at = from;
    s->err = err;
    if (!whole)
        return service_scan_wrong(s, expected);
    const char *is = first == '"'                   ? "a string"
                     : first == '['                 ? "a list"
                     : first == '{'                 ? "an object"
                     : first == 'n'                 ? "null"
                     : first == 't' || first == 'f' ? "true or false"
                                                    : "a number";
    return service_fail(err, SERVICE_INVALID, "%s %s %s, must be %s", s->key, verb, is, s->must);
}
