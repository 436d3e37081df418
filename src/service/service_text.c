/*
 * service_text.c: text that grows, for answers.
 *
 * A number n / 10^k with small k is the nearest double of that division, so it is found by dividing back, without
 * printf; all others are written with 17 digits.
 *
 * Paper: none.
 * Cost: constant per letter; about 10 ns for a probability like 0.25.
 * Check: tests/unit/test_service_text.c.
 */
#include "service_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void service_text_free(service_text *self)
{
    free(self->data);
    *self = (service_text){0};
}

void service_text_clear(service_text *self)
{
    self->used = 0;
    self->failed = false;
    if (self->data != NULL)
        self->data[0] = '\0';
}

static bool make_room(service_text *self, size_t more)
{
    if (self->failed)
        return false;
    if (self->used + more + 1 <= self->room)
        return true;
    size_t room = 2 * self->room + more + 256;
    char *data = realloc(self->data, room);
    if (data == NULL) {
        self->failed = true;
        return false;
    }
    self->data = data;
    self->room = room;
    return true;
}

void service_put(service_text *self, const char *bytes, size_t size)
{
    if (!make_room(self, size))
        return;
    memcpy(self->data + self->used, bytes, size);
    self->used += size;
    self->data[self->used] = '\0';
}

void service_put_text(service_text *self, const char *text)
{
    service_put(self, text, strlen(text));
}

void service_put_string(service_text *self, const char *text)
{
    service_put(self, "\"", 1);
    for (const char *from = text; *text != '\0'; from = text) {
        while ((unsigned char)*text >= ' ' && *text != '"' && *text != '\\')
            text++;
        service_put(self, from, (size_t)(text - from));
        if (*text == '\0')
            break;
        char escape[8];
        int n = (unsigned char)*text < ' ' ? snprintf(escape, sizeof escape, "\\u%04x", (unsigned)*text)
                                           : snprintf(escape, sizeof escape, "\\%c", *text);
        service_put(self, escape, (size_t)n);
        text++;
    }
    service_put(self, "\"", 1);
}

void service_put_count(service_text *self, uint64_t count)
{
    char digits[20];
    size_t i = sizeof digits;
    do
        digits[--i] = (char)('0' + count % 10);
    while ((count /= 10) > 0);
    service_put(self, digits + i, sizeof digits - i);
}

/* number = n / 10^k for a small k; n is written with k digits behind the point. */
static bool put_decimal(service_text *self, double number)
{
    static const double power[] = {1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
    if (!(number < 1e6 && number > -1e6))
        return false;
    double size = fabs(number);
    for (int k = 0; k < 10; k++) {
        uint64_t n = (uint64_t)(size * power[k] + 0.5);
        if ((double)n / power[k] != size)
            continue;
        char digits[32];
        size_t i = sizeof digits;
        for (int d = 0; d <= k || n > 0; d++) {
            if (d == k && k > 0)
                digits[--i] = '.';
            digits[--i] = (char)('0' + n % 10);
            n /= 10;
        }
        if (number < 0)
            digits[--i] = '-';
        service_put(self, digits + i, sizeof digits - i);
        return true;
    }
    return false;
}

void service_put_number(service_text *self, double number)
{
    char digits[40];
    if (!(fabs(number) < INFINITY))
        service_put(self, "null", 4);
    else if (!put_decimal(self, number))
        service_put(self, digits, (size_t)snprintf(digits, sizeof digits, "%.17g", number));
}

void service_put_time(service_text *self, int64_t at)
{
    time_t seconds = (time_t)(at / SERVICE_MICRO);
    struct tm day = {.tm_mday = 1, .tm_year = 70};
    char text[64], whole[80];
    gmtime_r(&seconds, &day);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &day);
    int n = snprintf(whole, sizeof whole, "\"%s.%06dZ\"", text, (int)(at % SERVICE_MICRO));
    service_put(self, whole, (size_t)n);
}

void service_put_error(service_text *self, const service_error *err)
{
    service_put_text(self, "{\"error\":{\"code\":");
    service_put_string(self, service_code_word(err->code));
    service_put_text(self, ",\"message\":");
    service_put_string(self, err->msg);
    service_put_text(self, "}}");
}
