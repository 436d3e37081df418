/*
 * common_text.c: text that grows, plain and as JSON.
 *
 * A number n / 10^k with small k is the nearest double of that division, so it is found by dividing back, without
 * printf; all others are written with 17 digits.
 *
 * Paper: none.
 * Cost: constant per letter; about 10 ns for a probability like 0.25.
 * Check: tests/unit/test_common.c: text_grows, numbers_are_short; tests/unit/test_service_parts.c.
 */
#include "common_text.h"

#include "common_error.h"
#include "grow.h"
#include "json_escape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void common_text_free(common_text *self)
{
    free(self->data);
    *self = (common_text){0};
}

void common_text_clear(common_text *self)
{
    self->used = 0;
    self->failed = false;
    if (self->data != NULL)
        self->data[0] = '\0';
}

bool common_text_reserve(common_text *self, size_t more)
{
    self->failed = self->failed || !common_grow(&self->data, &self->room, self->used + more + 1, 1);
    return !self->failed;
}

void common_put(common_text *self, const char *bytes, size_t size)
{
    if (!common_text_reserve(self, size))
        return;
    memcpy(self->data + self->used, bytes, size);
    self->used += size;
    self->data[self->used] = '\0';
}

void common_put_text(common_text *self, const char *text)
{
    common_put(self, text, strlen(text));
}

void common_put_format(common_text *self, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    size_t n = common_vformat(NULL, 0, format, args);
    va_end(args);
    if (common_text_reserve(self, n))
        self->used += common_vformat(self->data + self->used, n + 1, format, again);
    va_end(again);
}

void common_put_string(common_text *self, const char *text)
{
    common_put(self, "\"", 1);
    for (json_piece piece; *text != '\0';) {
        text += json_piece_take(&piece, text, false);
        common_put(self, piece.bytes, piece.size);
    }
    common_put(self, "\"", 1);
}

void common_put_count(common_text *self, uint64_t count)
{
    char digits[20];
    size_t i = sizeof digits;
    do
        digits[--i] = (char)('0' + count % 10);
    while ((count /= 10) > 0);
    common_put(self, digits + i, sizeof digits - i);
}

/* number = n / 10^k for a small k; n is written with k digits behind the point. */
static bool put_decimal(common_text *self, double number)
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
        common_put(self, digits + i, sizeof digits - i);
        return true;
    }
    return false;
}

void common_put_number(common_text *self, double number)
{
    char digits[40];
    if (!(fabs(number) < INFINITY))
        common_put(self, "null", 4);
    else if (!put_decimal(self, number))
        common_put(self, digits, (size_t)snprintf(digits, sizeof digits, "%.17g", number));
}

void common_put_time(common_text *self, int64_t at)
{
    time_t seconds = (time_t)(at / 1000000);
    struct tm day = {.tm_mday = 1, .tm_year = 70};
    char text[64];
    gmtime_r(&seconds, &day);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &day);
    common_put_format(self, "\"%s.%06dZ\"", text, (int)(at % 1000000));
}
