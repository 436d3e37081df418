/*
 * error.c: the one way to say what went wrong, and the one place where text is formatted.
 *
 * Paper: none.
 *
 * A failing function returns the code it puts into the struct, so that a caller that passes NULL still learns it.
 *
 * Check: an unknown setting lists the known ones (tests/unit/test_settings.c: settings_refused).
 */
#include "base.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void append(char *text, size_t size, const char *format, va_list args)
{
    size_t used = strlen(text);
    vsnprintf(text + used, size - used, format, args);
}

void roster_append(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append(text, size, format, args);
    va_end(args);
}

int roster_fail(roster_error *err, int code, const char *format, ...)
{
    if (err != NULL) {
        va_list args;
        va_start(args, format);
        err->msg[0] = '\0';
        append(err->msg, sizeof err->msg, format, args);
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
