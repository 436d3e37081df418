/*
 * event_scan.c: the JSON of decide and reward bodies, read without building a tree.
 *
 *   body     item | [item, ..]
 *   decide   {"event_id": id, "context": name | number, "features": [..], "probabilities": [[..], ..]}
 *   reward   {"event_id": id, "reward": number, "reward_id": id}
 *
 * Paper: none.
 *
 * Strict JSON of which only these keys are known, each at most once; anything else is refused with the byte where it
 * was found. Strings without escapes are borrowed from the body.
 *
 * A number of at most 15 digits and a power of ten up to 22 is exact: an integer divided or multiplied once. All others
 * go to strtod.
 *
 * Cost: about 2 ns per byte.
 * Check: like jansson on random texts (tests/unit/test_service_parts.c: as_jansson_reads); tests/fuzz/fuzz_service.c.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

service_scan *service_scan_create(void)
{
    return calloc(1, sizeof(service_scan));
}

void service_scan_free(service_scan *self)
{
    if (self == NULL)
        return;
    free(self->items);
    free(self->numbers);
    free(self->letters);
    free(self);
}

/* What is left of the last body goes, and with it what a large one needed. */
static void scan_clear(service_scan *s)
{
    s->n = s->n_numbers = s->letters_used = 0;
    size_t most = s->items_room * sizeof *s->items;
    most = s->numbers_room * sizeof *s->numbers > most ? s->numbers_room * sizeof *s->numbers : most;
    if (most <= SERVICE_BUFFER_KEPT && s->letters_room <= SERVICE_BUFFER_KEPT)
        return;
    free(s->items);
    free(s->numbers);
    free(s->letters);
    *s = (service_scan){0};
}

static service_code wrong(service_scan *s, const char *expected)
{
    if (s->at >= s->end)
        return service_fail(s->err, SERVICE_SYNTAX, "the body ends after byte %zu, where %s was expected",
                            (size_t)(s->end - s->start), expected);
    return service_fail(s->err, SERVICE_SYNTAX, "byte %zu of the body is '%c', where %s was expected",
                        (size_t)(s->at - s->start), *s->at, expected);
}

static void skip(service_scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\n' || *s->at == '\t' || *s->at == '\r'))
        s->at++;
}

/* The next letter that counts; 0 at the end. */
static char next(service_scan *s)
{
    skip(s);
    return s->at < s->end ? *s->at : '\0';
}

static bool take(service_scan *s, char c)
{
    if (next(s) != c || s->at >= s->end)
        return false;
    s->at++;
    return true;
}

static bool is_digit(const service_scan *s, const char *at)
{
    return at < s->end && *at >= '0' && *at <= '9';
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

static size_t put_utf8(uint32_t c, char *to)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0) | c);
    return n;
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
            return wrong(s, "no control character");
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
                return wrong(s, "the code of a character");
            to += put_utf8(code, to);
        } else {
            return wrong(s, "an escape");
        }
    }
    if (s->at >= s->end)
        return wrong(s, "the end of a string");
    s->at++;
    *out = start;
    *size = (size_t)(to - start);
    s->letters_used = (size_t)(to - s->letters);
    return SERVICE_OK;
}

static service_code string(service_scan *s, const char **out, size_t *size)
{
    if (!take(s, '"'))
        return wrong(s, "a string");
    const char *from = s->at;
    while (s->at < s->end && *s->at != '"' && *s->at != '\\' && (unsigned char)*s->at >= ' ')
        s->at++;
    if (s->at < s->end && *s->at == '"') {
        *out = from;
        *size = (size_t)(s->at++ - from);
        return SERVICE_OK;
    }
    if (s->at >= s->end || *s->at != '\\')
        return wrong(s, "the end of a string");
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
static const char *number_end(const service_scan *s)
{
    const char *at = s->at;
    at += at < s->end && *at == '-';
    if (!is_digit(s, at))
        return NULL;
    if (*at == '0')
        at++;
    else
        while (is_digit(s, at))
            at++;
    if (at < s->end && *at == '.') {
        if (!is_digit(s, ++at))
            return NULL;
        while (is_digit(s, at))
            at++;
    }
    if (at < s->end && (*at == 'e' || *at == 'E')) {
        at++;
        at += at < s->end && (*at == '+' || *at == '-');
        if (!is_digit(s, at))
            return NULL;
        while (is_digit(s, at))
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

static service_code number(service_scan *s, double *out)
{
    char digits[400];
    skip(s);
    const char *end = number_end(s);
    if (end == NULL)
        return wrong(s, "a number");
    if (!simple(s->at, end, out)) {
        size_t size = (size_t)(end - s->at);
        if (size >= sizeof digits)
            return wrong(s, "a number of fewer than 400 digits");
        memcpy(digits, s->at, size);
        digits[size] = '\0';
        *out = strtod(digits, NULL);
        if (!(fabs(*out) <= 1e308))
            return wrong(s, "a number that is not too large");
    }
    s->at = end;
    return SERVICE_OK;
}

static service_code keep_number(service_scan *s, double x)
{
    if (s->n_numbers >= SERVICE_NUMBERS_MOST)
        return service_fail(s->err, SERVICE_LIMIT, "the body has more than %d numbers", SERVICE_NUMBERS_MOST);
    if (s->n_numbers == s->numbers_room) {
        size_t room = 2 * s->numbers_room + 64;
        double *more = realloc(s->numbers, room * sizeof *more);
        if (more == NULL)
            return service_no_memory(s->err);
        s->numbers = more;
        s->numbers_room = room;
    }
    s->numbers[s->n_numbers++] = x;
    return SERVICE_OK;
}

static service_code numbers(service_scan *s, size_t *n)
{
    service_code code = SERVICE_OK;
    *n = 0;
    if (!take(s, '['))
        return wrong(s, "a list of numbers");
    if (take(s, ']'))
        return SERVICE_OK;
    do {
        double x;
        code = number(s, &x);
        if (code == SERVICE_OK)
            code = keep_number(s, x);
        ++*n;
    } while (code == SERVICE_OK && take(s, ','));
    return code != SERVICE_OK || take(s, ']') ? code : wrong(s, "',' or ']'");
}

static service_code matrix(service_scan *s, service_request *q)
{
    service_code code = SERVICE_OK;
    if (!take(s, '['))
        return wrong(s, "a list of rows");
    q->n_experts = 0;
    do {
        size_t n;
        code = numbers(s, &n);
        if (code == SERVICE_OK && q->n_experts > 0 && n != q->n_actions)
            return service_fail(s->err, SERVICE_NOT_DISTRIBUTION,
                                "probabilities[%zu] has %zu numbers, the row before %zu", q->n_experts, n,
                                q->n_actions);
        q->n_actions = n;
        q->n_experts++;
    } while (code == SERVICE_OK && take(s, ','));
    return code != SERVICE_OK || take(s, ']') ? code : wrong(s, "',' or ']'");
}

/* A name, or a number from 0. */
static service_code context(service_scan *s, service_item *item)
{
    service_request *q = &item->request;
    double x;
    item->has_context = true;
    if (next(s) == '"')
        return string(s, &q->context, &q->context_size);
    service_code code = number(s, &x);
    if (code == SERVICE_OK && !(x >= 0 && x <= 4294967295.0 && x == floor(x)))
        return service_fail(s->err, SERVICE_INVALID, "context is %g, must be a name or a whole number from 0", x);
    q->number = code == SERVICE_OK ? (size_t)x : 0;
    return code;
}

/* Text, or a whole number taken as its digits. */
static service_code event_id(service_scan *s, service_request *q)
{
    if (next(s) == '"')
        return string(s, &q->id, &q->id_size);
    const char *from = s->at, *end = is_digit(s, s->at) ? number_end(s) : NULL;
    for (const char *at = from; end != NULL && at < end; at++)
        if (*at < '0' || *at > '9')
            end = NULL;
    if (end == NULL)
        return wrong(s, "an event_id (a string)");
    q->id = from;
    q->id_size = (size_t)(end - from);
    s->at = end;
    return SERVICE_OK;
}

enum { EVENT_ID = 1, CONTEXT = 2, FEATURES = 4, PROBABILITIES = 8, REWARD = 16, REWARD_ID = 32 };

static const struct {
    const char *name;
    unsigned bit;
} keys[] = {{"event_id", EVENT_ID},           {"context", CONTEXT}, {"features", FEATURES},
            {"probabilities", PROBABILITIES}, {"reward", REWARD},   {"reward_id", REWARD_ID}};

static service_code read_value(service_scan *s, service_item *item, unsigned bit)
{
    service_code code;
    if (bit == EVENT_ID)
        return event_id(s, &item->request);
    if (bit == CONTEXT)
        return context(s, item);
    if (bit == REWARD_ID)
        return string(s, &item->reward_id, &item->reward_id_size);
    if (bit == REWARD) {
        item->has_reward = true;
        return number(s, &item->reward);
    }
    item->numbers = s->n_numbers;
    code = bit == FEATURES ? numbers(s, &item->request.n_features) : matrix(s, &item->request);
    /* Told apart until the numbers have stopped moving. */
    if (bit == FEATURES)
        item->request.features = s->numbers;
    else
        item->request.probabilities = s->numbers;
    return code;
}

static service_code read_key(service_scan *s, unsigned allowed, unsigned *seen, unsigned *bit)
{
    const char *key;
    size_t size;
    service_code code = string(s, &key, &size);
    if (code != SERVICE_OK)
        return code;
    *bit = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if ((keys[i].bit & allowed) && strlen(keys[i].name) == size && memcmp(keys[i].name, key, size) == 0)
            *bit = keys[i].bit;
    if (*bit == 0)
        return service_fail(
            s->err, SERVICE_INVALID, "unknown key '%.*s'; known are %s", (int)(size < 40 ? size : 40), key,
            allowed & REWARD ? "event_id, reward and reward_id" : "event_id, context, features and probabilities");
    if (*seen & *bit)
        return service_fail(s->err, SERVICE_SYNTAX, "key '%.*s' is there twice", (int)size, key);
    *seen |= *bit;
    return take(s, ':') ? SERVICE_OK : wrong(s, "':'");
}

static service_code new_item(service_scan *s, service_item **out)
{
    if (s->n >= SERVICE_ITEMS_MOST)
        return service_fail(s->err, SERVICE_LIMIT, "the list has more than %d items", SERVICE_ITEMS_MOST);
    if (s->n == s->items_room) {
        size_t room = 2 * s->items_room + 16;
        service_item *more = realloc(s->items, room * sizeof *more);
        if (more == NULL)
            return service_no_memory(s->err);
        s->items = more;
        s->items_room = room;
    }
    *out = &s->items[s->n++];
    **out = (service_item){.numbers = SIZE_MAX};
    return SERVICE_OK;
}

static service_code read_item(service_scan *s, unsigned allowed)
{
    service_item *item = NULL;
    unsigned seen = 0, bit = 0;
    service_code code = new_item(s, &item);
    if (code != SERVICE_OK)
        return code;
    if (!take(s, '{'))
        return wrong(s, "an object");
    if (take(s, '}'))
        return SERVICE_OK;
    do {
        code = next(s) == '"' ? read_key(s, allowed, &seen, &bit) : wrong(s, "a key");
        if (code == SERVICE_OK)
            code = read_value(s, item, bit);
    } while (code == SERVICE_OK && take(s, ','));
    if (code == SERVICE_OK && (seen & FEATURES) && (seen & PROBABILITIES))
        return service_fail(s->err, SERVICE_INVALID, "features and probabilities are both there: give one of them");
    return code != SERVICE_OK || take(s, '}') ? code : wrong(s, "',' or '}'");
}

/* Numbers have stopped moving: requests can point to theirs. */
static void point(service_scan *s)
{
    static const double none = 0;
    for (size_t i = 0; i < s->n; i++) {
        service_request *q = &s->items[i].request;
        if (s->items[i].numbers == SIZE_MAX)
            continue;
        const double *at = s->numbers != NULL ? s->numbers + s->items[i].numbers : &none;
        bool features = q->n_experts == 0;
        q->features = features ? at : NULL;
        q->probabilities = features ? NULL : at;
    }
}

static service_code read_body(service_scan *s, const char *body, size_t size, unsigned allowed, service_error *err)
{
    scan_clear(s);
    s->at = s->start = body;
    s->end = body + size;
    s->err = err;
    s->list = take(s, '[');
    service_code code = SERVICE_OK;
    if (!s->list || !take(s, ']')) {
        do
            code = read_item(s, allowed);
        while (code == SERVICE_OK && s->list && take(s, ','));
        if (code == SERVICE_OK && s->list && !take(s, ']'))
            code = wrong(s, "',' or ']'");
    }
    skip(s);
    if (code == SERVICE_OK && s->at != s->end)
        code = wrong(s, "nothing more");
    point(s);
    return code;
}

service_code service_scan_decide(service_scan *s, const char *body, size_t size, service_error *err)
{
    return read_body(s, body, size, EVENT_ID | CONTEXT | FEATURES | PROBABILITIES, err);
}

service_code service_scan_reward(service_scan *s, const char *body, size_t size, service_error *err)
{
    return read_body(s, body, size, EVENT_ID | REWARD | REWARD_ID, err);
}
