/*
 * common_error.c: one sentence about what is wrong.
 *
 * Paper: none.
 * Check: tests/unit/test_common.c: sentences_are_cut.
 */
#include "common_error.h"

#include <stdio.h>

size_t common_vformat(char *out, size_t size, const char *format, va_list args)
{
    int n = vsnprintf(out, size, format, args);
    if (n < 0 && size > 0)
        out[0] = '\0';
    return n < 0 ? 0 : (size_t)n;
}

/* Parts of a sentence come from files and from the network, and it is shown on a terminal: no control characters. */
static void clean(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

int common_vfail(roster_error *err, int code, const char *format, va_list args)
{
    if (err != NULL) {
        err->code = code;
        common_vformat(err->msg, sizeof err->msg, format, args);
        clean(err->msg);
    }
    return code;
}

int common_fail(roster_error *err, int code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    common_vfail(err, code, format, args);
    va_end(args);
    return code;
}

int common_fail_memory(roster_error *err)
{
    return common_fail(err, ROSTER_ENOMEM, "out of memory");
}
