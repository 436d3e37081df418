/*
 * csv_writer.c: fields of CSV (RFC 4180): those with commas, quotes or line breaks are quoted.
 *
 * Paper: none.
 * Check: Python's csv reads back what was written (tools/check-report).
 */
#include "csv_writer.h"

#include <string.h>

void csv_put_field(FILE *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != 0; text++)
        fprintf(out, "%s%c", *text == '"' ? "\"" : "", *text);
    fputc('"', out);
}
