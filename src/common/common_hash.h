/*
 * common_hash.h: hashes that find and compare, none that withstands an attacker.
 */
#ifndef ROSTER_COMMON_HASH_H
#define ROSTER_COMMON_HASH_H

#include <stddef.h>
#include <stdint.h>

/* FNV-1a with 64 bits. */
uint64_t common_hash_fnv(const void *bytes, size_t size);

#endif
