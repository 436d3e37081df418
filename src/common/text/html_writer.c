/*
 * html_writer.c: text inside of HTML.
 *
 * Paper: none. Cost: a few steps per byte.
 * Check: tests/cli/evaluate.t, tests/unit/test_report.c: hostile_labels_stay_text.
 */
#include "html_writer.h"

void html_put_text(FILE *out, const char *text)
{
    for (; *text != '\0'; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        default:
            fputc(*text, out);
        }
}
