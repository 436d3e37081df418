/*
 * json_escape.h: what a text becomes between the quotes of a JSON string, piece by piece. Inline, because answers to
 * requests are made of such strings.
 */
#ifndef ROSTER_JSON_ESCAPE_H
#define ROSTER_JSON_ESCAPE_H

#include "utf8.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

typedef struct json_piece {
    const char *bytes; /* of the text, or of `escape` */
    size_t size;
    char escape[8];
} json_piece;

/* Whether a byte stands for itself: ASCII but for controls, quotes and backslashes. For HTML '<' and DEL do not. */
static inline bool json_is_plain(char c, bool html)
{
    return (unsigned char)c >= ' ' && (unsigned char)c < 0x80 && c != '"' && c != '\\' &&
           !(html && (c == '<' || c == 0x7f));
}

/* The first piece of a text that is not empty: bytes that stand for themselves, or a character that is escaped. What is
   no character, such as one that was cut, is told as U+FFFD. Returns how many bytes of the text that is. */
static inline size_t json_piece_take(json_piece *self, const char *text, bool html)
{
    size_t n = 0;
    while (json_is_plain(text[n], html))
        n++;
    self->bytes = text;
    self->size = n > 0 ? n : utf8_character(text, strnlen(text, 4));
    if (self->size > 1 || n == 1)
        return self->size;
    if (self->size == 0)
        snprintf(self->escape, sizeof self->escape, "\\ufffd");
    else if (*text == '"' || *text == '\\')
        snprintf(self->escape, sizeof self->escape, "\\%c", *text);
    else
        snprintf(self->escape, sizeof self->escape, "\\u%04x", (unsigned)*text);
    self->bytes = self->escape;
    self->size = strlen(self->escape);
    return 1;
}

#endif
