/*
 * utf8.h: characters of a text in UTF-8.
 */
#ifndef ROSTER_UTF8_H
#define ROSTER_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the character at s, of which `size` may be read; 0: there is none (shortest form, no surrogates, at most
   U+10FFFF). */
size_t utf8_character(const char *s, size_t size);
bool utf8_is_valid(const char *text, size_t size);
/* Whether a byte continues a character. */
bool utf8_continues(char byte);
/* Characters of a text, each of which is taken to fill one column. */
size_t utf8_columns(const char *text, size_t size);
/* The character with that code, at most U+10FFFF; returns its bytes, at most 4. */
size_t utf8_put(uint32_t c, char *to);

#endif
