/*
 * error.c: the last failure of every thread, where Python looks for its sentence.
 *
 * Paper: none.
 */
#include "python.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

roster_error *roster_python_error(void)
{
    static _Thread_local roster_error last;
    return &last;
}

int roster_python_fail(int code, const char *format, ...)
{
    roster_error *err = roster_python_error();
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(err->msg, sizeof err->msg, format, arguments);
    va_end(arguments);
    err->code = code;
    return code;
}

void roster_python_free(char *text)
{
    free(text);
}
