/*
 * html_writer.h: text inside of HTML.
 */
#ifndef ROSTER_HTML_WRITER_H
#define ROSTER_HTML_WRITER_H

#include <stdio.h>

/* The text between two tags: nothing in it is taken for a tag or an entity. */
void html_put_text(FILE *out, const char *text);

#endif
