/*
 * python_error.c: the last failure of every thread, where Python looks for its sentence.
 *
 * Paper: none.
 */
#include "python.h"

#include "common_error.h"

#include <stdlib.h>

roster_error *roster_python_error(void)
{
    static _Thread_local roster_error last;
    return &last;
}

int roster_python_fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    common_vfail(roster_python_error(), code, format, arguments);
    va_end(arguments);
    return code;
}

void roster_python_free(char *text)
{
    free(text);
}
