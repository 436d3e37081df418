/*
 * store_mac.c: what cannot be forged: the head of a log, and rows signed with a key.
 *
 *   digest(row) = SHA-256(records as they were written)
 *   head        = SHA-256(head before | first | count | at | digest), of no row: zeros
 *   mac         = HMAC-SHA-256(key, kind of link | link | first | count | at | digest)
 *   snapshot    = HMAC-SHA-256(key, 'S' | its head | SHA-256(the rest))
 *
 * Paper: none.
 *
 * A row's checksum finds accidents; anybody who changes the row can compute it anew. The head is to be
 * kept elsewhere. The mac needs the key: it is linked to the mac of the row before, so that rows cannot be left out
 * or moved either. The first row that has one is linked to the head of all rows before it, so that a log which began
 * without a key is vouched for as a whole from then on. That the last rows are missing is told by neither: that takes a
 * head that was kept, or the high-water mark.
 *
 * Cost: about 4 nanoseconds per byte, with a key only.
 * Check: the head of two rows, computed with other means (tests/unit/test_store_mac.c:
 *        the_head_is_what_anyone_computes).
 */
#include "store_internal.h"

#include <errno.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(STORE_HASH == crypto_hash_sha256_BYTES && STORE_HASH == crypto_auth_hmacsha256_BYTES, "one size");
enum { NUMBERS = 24, LINK_HEAD = 'H', LINK_MAC = 'M', SNAPSHOT = 'S' };

int store_key_read(store_key *out, const char *path, roster_error *err)
{
    FILE *file = fopen(path, "rb");
    *out = (store_key){.size = 0};
    if (file == NULL)
        return common_fail(err, ROSTER_EINVAL, "the key file %.200s cannot be read: %s", path, strerror(errno));
    out->size = fread(out->bytes, 1, sizeof out->bytes, file);
    int wrong = ferror(file) ? errno : 0; /* a folder can be opened, but not read */
    bool whole = wrong == 0 && fgetc(file) == EOF;
    fclose(file);
    if (wrong != 0)
        return common_fail(err, ROSTER_EINVAL, "the key file %.200s cannot be read: %s", path, strerror(wrong));
    if (whole && out->size >= STORE_KEY_LEAST)
        return ROSTER_OK;
    sodium_memzero(out, sizeof *out);
    return common_fail(err, ROSTER_EINVAL, "the key file %.200s must have 32 to 4096 bytes", path);
}

static void put_numbers(const store_row *row, unsigned char out[NUMBERS])
{
    byte_order_put(out, row->first, 8);
    byte_order_put(out + 8, row->count, 8);
    byte_order_put(out + 16, (uint64_t)row->at, 8);
}

void store_digest(const void *bytes, size_t size, unsigned char out[STORE_HASH])
{
    crypto_hash_sha256(out, bytes != NULL ? bytes : (const void *)"", size);
}

/* Of what the records were when the row was written. */
static void digest(const store_row *row, unsigned char out[STORE_HASH])
{
    if (row->digest != NULL)
        memcpy(out, row->digest, STORE_HASH);
    else
        store_digest(row->records, row->size, out);
}

void store_head_add(store_head *self, const store_row *row)
{
    unsigned char bytes[STORE_HASH + NUMBERS + STORE_HASH];
    memcpy(bytes, self->hash, STORE_HASH);
    put_numbers(row, bytes + STORE_HASH);
    digest(row, bytes + STORE_HASH + NUMBERS);
    crypto_hash_sha256(self->hash, bytes, sizeof bytes);
    self->records = row->first + row->count - 1;
}

static void mac_of(const store_key *key, unsigned char kind, const unsigned char link[STORE_HASH], const store_row *row,
                   unsigned char out[STORE_HASH])
{
    crypto_auth_hmacsha256_state state;
    unsigned char bytes[1 + STORE_HASH + NUMBERS + STORE_HASH] = {kind};
    memcpy(bytes + 1, link, STORE_HASH);
    put_numbers(row, bytes + 1 + STORE_HASH);
    digest(row, bytes + 1 + STORE_HASH + NUMBERS);
    crypto_auth_hmacsha256_init(&state, key->bytes, key->size);
    crypto_auth_hmacsha256_update(&state, bytes, sizeof bytes);
    crypto_auth_hmacsha256_final(&state, out);
    sodium_memzero(&state, sizeof state);
}

static int wrong(roster_error *err, const char *what, const store_row *row)
{
    return common_fail(err, ROSTER_EDAMAGED, "the row of records %llu to %llu: %s", (unsigned long long)row->first,
                       (unsigned long long)(row->first + row->count - 1), what);
}

int store_macs_add(store_macs *self, const store_head *before, const store_row *row, roster_error *err)
{
    unsigned char mac[STORE_HASH];
    if (row->mac == NULL)
        return self->rows == 0 ? ROSTER_OK : wrong(err, "its MAC is missing, though rows before it have one", row);
    if (self->key != NULL) {
        mac_of(self->key, self->rows == 0 ? LINK_HEAD : LINK_MAC, self->rows == 0 ? before->hash : self->link, row,
               mac);
        if (sodium_memcmp(mac, row->mac, STORE_HASH) != 0)
            return wrong(err, "its MAC does not fit: the row, one before it, or the key is another", row);
    }
    memcpy(self->link, row->mac, STORE_HASH);
    self->rows++;
    return ROSTER_OK;
}

/* The head of all rows before that one. */
static int head_before(store *self, uint64_t first, store_head *out, roster_error *err)
{
    store_row row;
    bool found = true;
    int code = ROSTER_OK;
    out->records = self->cut.record;
    memcpy(out->hash, self->cut.head, STORE_HASH);
    while (code == ROSTER_OK && found && out->records + 1 < first) {
        code = store_read(self, out->records + 1, &row, &found, err);
        if (code == ROSTER_OK && found)
            store_head_add(out, &row);
    }
    return code;
}

/* That the last row was signed with this key. */
static int check_last(store *self, roster_error *err)
{
    store_row row;
    store_macs macs = {.key = self->key};
    store_head head = {0};
    bool found;
    if (self->last == self->cut.record) { /* it was dropped, and all after it is lost */
        memcpy(self->link, self->cut.link, STORE_HASH);
        return ROSTER_OK;
    }
    int code = store_read(self, self->last, &row, &found, err);
    uint64_t first = row.first;
    bool begins = first == self->cut.record + 1; /* the row before it was dropped, or never was */
    if (code == ROSTER_OK && !begins)
        code = store_read(self, first - 1, &row, &found, err);
    if (code == ROSTER_OK && begins && self->cut.signed_rows > 0) {
        macs.rows = 1;
        memcpy(macs.link, self->cut.link, STORE_HASH);
    } else if (code == ROSTER_OK && !begins && row.mac != NULL) {
        macs.rows = 1;
        memcpy(macs.link, row.mac, STORE_HASH);
    } else if (code == ROSTER_OK) {
        code = head_before(self, first, &head, err);
    }
    if (code == ROSTER_OK)
        code = store_read(self, first, &row, &found, err);
    if (code == ROSTER_OK)
        code = store_macs_add(&macs, &head, &row, err);
    memcpy(self->link, macs.link, STORE_HASH);
    return code;
}

int store_key_copy(store *self, const store_key *key, roster_error *err)
{
    if (key == NULL)
        return ROSTER_OK;
    self->key = malloc(sizeof *self->key);
    if (self->key == NULL)
        return common_fail_memory(err);
    *self->key = *key;
    return ROSTER_OK;
}

int store_sign_with(store *self, const store_key *key, roster_error *err)
{
    store_head head;
    if (key == NULL)
        return self->signed_rows
                   ? common_fail(err, ROSTER_EINVAL, "%.200s is signed with a key: give it with --key FILE", self->path)
                   : ROSTER_OK;
    int code = store_key_copy(self, key, err);
    if (code != ROSTER_OK || self->signed_rows)
        return code == ROSTER_OK ? check_last(self, err) : code;
    code = store_base_sign(self, err);
    if (code == ROSTER_OK)
        code = head_before(self, self->last + 1, &head, err);
    if (code == ROSTER_OK)
        memcpy(self->link, head.hash, STORE_HASH);
    return code;
}

void store_sign(const store *self, const store_row *row, unsigned char mac[STORE_HASH])
{
    mac_of(self->key, self->signed_rows ? LINK_MAC : LINK_HEAD, self->link, row, mac);
}

void store_sign_snapshot(const store *self, const unsigned char *head, size_t size, const void *bytes, size_t n,
                         unsigned char mac[STORE_HASH])
{
    crypto_auth_hmacsha256_state state;
    const unsigned char kind = SNAPSHOT;
    unsigned char hash[STORE_HASH];
    store_digest(bytes, n, hash);
    crypto_auth_hmacsha256_init(&state, self->key->bytes, self->key->size);
    crypto_auth_hmacsha256_update(&state, &kind, 1);
    crypto_auth_hmacsha256_update(&state, head, size);
    crypto_auth_hmacsha256_update(&state, hash, sizeof hash);
    crypto_auth_hmacsha256_final(&state, mac);
    sodium_memzero(&state, sizeof state);
}

bool store_same_mac(const unsigned char a[STORE_HASH], const unsigned char b[STORE_HASH])
{
    return sodium_memcmp(a, b, STORE_HASH) == 0;
}

void store_key_free(store *self)
{
    if (self->key != NULL)
        sodium_memzero(self->key, sizeof *self->key);
    free(self->key);
    self->key = NULL;
}
