/*
 * fail.c: one sentence about what is wrong.
 *
 * Paper: none.
 */
#include "inside.h"

#include <stdarg.h>

int data_fail(roster_error *err, const char *format, ...)
{
    va_list args;
    if (err == NULL)
        return ROSTER_EINVAL;
    err->code = ROSTER_EINVAL;
    va_start(args, format);
    vsnprintf(err->msg, sizeof err->msg, format, args);
    va_end(args);
    return ROSTER_EINVAL;
}

int data_fail_memory(roster_error *err)
{
    if (err != NULL) {
        err->code = ROSTER_ENOMEM;
        snprintf(err->msg, sizeof err->msg, "out of memory");
    }
    return ROSTER_ENOMEM;
}
