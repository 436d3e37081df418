/*
 * log_number.h: decimal numbers, read fast and exactly.
 */
#ifndef ROSTER_LOG_NUMBER_H
#define ROSTER_LOG_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* The text (which ends with a NUL after `size` bytes) as a finite number; false: it is none. The nearest double, as
   strtod has it; not accepted are spaces, hexadecimal digits, "inf" and "nan". */
bool log_number(const char *text, size_t size, double *out);

#endif
