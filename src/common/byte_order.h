/*
 * byte_order.h: whole numbers as bytes, little endian, whatever the machine's own order.
 */
#ifndef ROSTER_BYTE_ORDER_H
#define ROSTER_BYTE_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* The lowest n bytes of x, n at most 8. */
static inline void byte_order_put(unsigned char *to, uint64_t x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (unsigned char)(x >> 8 * i);
}

static inline uint64_t byte_order_get(const unsigned char *from, size_t n)
{
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++)
        x |= (uint64_t)from[i] << 8 * i;
    return x;
}

#endif
