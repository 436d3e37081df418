/*
 * store_checksum.c: the checksum of rows.
 *
 *   common_hash_words of the checksum of the row before, the row's numbers and its records
 *
 * Paper: none. It finds accidents; forgery is for store_mac.c.
 * Check: tests/unit/test_store.c: every_bit_counts.
 */
#include "store_internal.h"

uint64_t store_checksum(const store_row *row)
{
    uint64_t h = common_hash_step(row->before, row->first);
    h = common_hash_step(h, row->count);
    h = common_hash_step(h, (uint64_t)row->at);
    return common_hash_words(h, row->records, row->size);
}
