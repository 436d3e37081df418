/*
 * error.c: the one way to say what went wrong.
 *
 * A failing function returns the code it puts into the struct, so that callers who pass NULL still learn it.
 */
#include "base.h"

#include <stdarg.h>
#include <stdio.h>

int roster_fail(roster_error *err, int code, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->msg, sizeof err->msg, format, args);
        va_end(args);
        err->code = code;
    }
    return code;
}

int roster_fail_memory(roster_error *err)
{
    return roster_fail(err, ROSTER_ENOMEM, "out of memory");
}

const char *roster_version(void)
{
    return ROSTER_VERSION;
}
