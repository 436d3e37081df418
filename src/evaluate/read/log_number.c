/*
 * log_number.c: decimal numbers.
 *
 * Digits of up to 2^53 times or by a power of ten up to 10^22 are one rounding of exact numbers, so the nearest double;
 * everything else is left to strtod.
 *
 * Paper: none. Cost: a step per letter.
 * Check: tests/unit/test_log_input.c: numbers_are_exact.
 */
#include "log_number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                              1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whether it is [+-] digits [. digits] [e [+-] digits]. */
static bool is_decimal(const char *at)
{
    bool some = false;
    at += *at == '-' || *at == '+';
    for (; is_digit(*at); at++)
        some = true;
    if (*at == '.')
        for (at++; is_digit(*at); at++)
            some = true;
    if (!some || (*at != 'e' && *at != 'E'))
        return some && *at == '\0';
    at++;
    at += *at == '-' || *at == '+';
    if (!is_digit(*at))
        return false;
    while (is_digit(*at))
        at++;
    return *at == '\0';
}

static bool by_strtod(const char *text, double *out)
{
    if (!is_decimal(text))
        return false;
    *out = strtod(text, NULL);
    return isfinite(*out);
}

bool log_number(const char *text, size_t size, double *out)
{
    const char *at = text;
    uint64_t digits = 0;
    bool negative = *at == '-';
    size_t n = 0, behind = 0;
    for (at += negative; is_digit(*at); at++, n++)
        digits = digits * 10 + (uint64_t)(*at - '0');
    if (*at == '.')
        for (at++; is_digit(*at); at++, n++, behind++)
            digits = digits * 10 + (uint64_t)(*at - '0');
    if (n == 0 || n > 18 || (size_t)(at - text) != size || digits > UINT64_C(1) << 53)
        return by_strtod(text, out);
    double number = (double)digits / tens[behind];
    *out = negative ? -number : number;
    return true;
}
