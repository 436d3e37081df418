/*
 * siphash.h: SipHash-2-4 with 128 bits of output.
 */
#ifndef ROSTER_SERVICE_SIPHASH_H
#define ROSTER_SERVICE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

void service_siphash(uint64_t k0, uint64_t k1, const void *data, size_t size, uint64_t out[2]);

#endif
