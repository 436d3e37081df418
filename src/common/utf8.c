/*
 * utf8.c: characters of a text in UTF-8 (RFC 3629).
 *
 * Paper: none. Cost: a few steps per byte.
 * Check: tests/unit/test_common.c: utf8_*.
 */
#include "utf8.h"

size_t utf8_character(const char *text, size_t size)
{
    const unsigned char *s = (const unsigned char *)text;
    if (size == 0)
        return 0;
    size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
    if (n == 0 || n > size)
        return 0;
    for (size_t i = 1; i < n; i++)
        if (!utf8_continues(text[i]))
            return 0;
    bool longer = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
    bool outside = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
    return longer || outside ? 0 : n;
}

bool utf8_is_valid(const char *text, size_t size)
{
    for (size_t i = 0, n; i < size; i += n)
        if ((n = utf8_character(text + i, size - i)) == 0)
            return false;
    return true;
}

bool utf8_continues(char byte)
{
    return ((unsigned char)byte & 0xc0) == 0x80;
}

size_t utf8_columns(const char *text, size_t size)
{
    size_t n = 0;
    for (size_t i = 0; i < size; i++)
        n += !utf8_continues(text[i]);
    return n;
}

size_t utf8_put(uint32_t c, char *to)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((n == 2 ? 0xc0 : n == 3 ? 0xe0 : 0xf0) | c);
    return n;
}
