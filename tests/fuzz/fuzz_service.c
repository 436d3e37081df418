/*
 * fuzz_service.c: whatever input the engine gets, it is refused with a sentence or done; and whatever was done,
 * replaying it gives the same state.
 *
 * The first byte picks the target: bodies of decide and of reward, descriptions, controls, samples, bytes of a row,
 * bytes of a snapshot. Records and snapshots come without the envelopes that guard them against accidents, so that the
 * fuzzer gets past these to the code that reads. Built with a small EXPERIMENT_NUMBERS_MOST; descriptions with numbers
 * of six digits or large exponents are left out, as in fuzz_experiment.c.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const campaigns[] = {
    "{\"name\":\"t\",\"contexts\":[\"x\",\"y\"],\"actions\":2,\"experts\":[{\"table\":[[0.9,0.1],[0.5,0.5]]},{"
    "\"table\":"
    "[[0.5,0.5],[0.2,0.8]]}],\"agent\":\"d-ucb\",\"seed\":1,\"reward\":{\"wait\":2,\"default\":0,\"events_most\":8},"
    "\"episodes\":{\"rounds\":5}}",
    "{\"name\":\"s\",\"kind\":\"softmax\",\"actions\":2,\"features\":2,\"floor\":0.1,\"experts\":[{\"weights\":[[1,0],["
    "0,1]]},"
    "{\"weights\":[[0,0],[1,1]]}],\"sample\":[[0,1],[1,0]],\"agent\":\"d-ucb\",\"seed\":2}",
    "{\"name\":\"e\",\"kind\":\"external\",\"contexts\":2,\"actions\":2,\"experts\":[{\"table\":[[0.9,0.1],[0.5,0.5]]},"
    "{\"table\":[[0.5,0.5],[0.2,0.8]]}],\"agent\":\"ucb\",\"seed\":3}",
    "{\"name\":\"o\",\"kind\":\"external\",\"experts\":[\"p\",\"q\"],\"seed\":4}"};
enum { CAMPAIGNS = sizeof campaigns / sizeof *campaigns };
static const char roster[] = "{\"name\":\"r\",\"contexts\":2,\"actions\":2,\"experts\":[{},{}]}";

static service *make(void)
{
    service *self;
    service_campaign *c;
    bool is_new;
    if (service_open(&self, NULL, NULL) != SERVICE_OK ||
        service_roster_create(self, roster, sizeof roster - 1, 0, &is_new, NULL) != SERVICE_OK)
        abort();
    for (size_t i = 0; i < CAMPAIGNS; i++)
        if (service_campaign_create(self, campaigns[i], strlen(campaigns[i]), 0, &c, &is_new, NULL) != SERVICE_OK)
            abort();
    return self;
}

static void check(service_code code, const service_error *err)
{
    if (code != SERVICE_OK && (err->msg[0] == '\0' || err->code != code))
        abort();
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool has_large_numbers(const char *text, size_t size)
{
    for (size_t i = 0, digits = 0; i < size; i++) {
        digits = is_digit(text[i]) ? digits + 1 : 0;
        bool exponent =
            (text[i] == 'e' || text[i] == 'E') && i + 1 < size && (is_digit(text[i + 1]) || text[i + 1] == '+');
        if (digits > 5 || exponent)
            return true;
    }
    return false;
}

/* Experts that act elsewhere: the text says which are chosen, or what one did. */
static service_code tell(service *self, service_campaign *c, bool acted, const char *text, size_t size, int64_t now,
                         common_text *out, service_error *err)
{
    service_slice all = {0};
    service_decision d;
    size_t items;
    if (acted)
        service_choose_only(self, c, "x", 1, now, &d, err);
    return service_call_slice(self, c, acted ? SERVICE_CALL_ACTED : SERVICE_CALL_CHOOSE, text, size, now, &all, out,
                              &items, err);
}

static void send(service *self, uint8_t target, const char *text, size_t size, int64_t now)
{
    service_campaign *c = service_campaign_at(self, target / 8 % CAMPAIGNS), *made;
    common_text out = {0};
    service_error err = {0};
    service_status status;
    size_t items;
    uint64_t n;
    bool is_new, small = !has_large_numbers(text, size);
    service_code code = SERVICE_OK;
    if (target % 8 == 0 && target >= 128)
        code = tell(self, c, target >= 192, text, size, now, &out, &err);
    else if (target % 8 == 0)
        code = service_decide_json(self, c, text, size, now, &out, &items, &err);
    else if (target % 8 == 1)
        code = service_reward_json(self, c, text, size, now, &out, &items, &status, &err);
    else if (target % 8 == 2 && small)
        code = service_campaign_create(self, text, size, now, &made, &is_new, &err);
    else if (target % 8 == 3)
        code = service_control_json(self, c, text, size, now, &err);
    else if (target % 8 == 4)
        code = service_roster_samples(self, "r", 1, text, size, now, &n, &err);
    else if (target % 8 == 5 && small)
        code = service_roster_create(self, text, size, now, &is_new, &err);
    check(code, &err);
    common_text_free(&out);
}

/* What was done is in the batch: replayed, it is the same. */
static void replay(service *self)
{
    service *again;
    store_row row;
    service_error err = {0};
    void *a, *b;
    size_t n, m;
    uint64_t number;
    if (!service_commit_begin(self, 0, &row) || service_open(&again, NULL, NULL) != SERVICE_OK)
        abort();
    row.checksum = store_checksum(&row);
    again->verify = true;
    if (service_replay_row(again, &row, 1, &err) != SERVICE_OK ||
        service_snapshot_take(self, &a, &n, &number, &err) != SERVICE_OK ||
        service_snapshot_take(again, &b, &m, &number, &err) != SERVICE_OK || n != m || memcmp(a, b, n) != 0)
        abort();
    free(a);
    free(b);
    service_free(again);
}

/* Records by the fuzzer: each 16-bit length and bytes become one, with its envelope put right. */
static void apply(service *self, const uint8_t *data, size_t size)
{
    service_error err = {0};
    for (size_t at = 0; size - at >= 2;) {
        size_t n = data[at] | (size_t)data[at + 1] << 8, used = 0;
        at += 2;
        n = n < size - at ? n : size - at;
        unsigned char *bytes = malloc(n + 8);
        if (bytes == NULL)
            return;
        uint64_t envelope = n | (common_hash_words(1, data + at, n) >> 32) << 32;
        for (int i = 0; i < 8; i++)
            bytes[i] = (unsigned char)(envelope >> 8 * i);
        memcpy(bytes + 8, data + at, n);
        service_record r;
        service_code code = service_record_decode(bytes, n + 8, &used, &self->parts, &r, &err);
        check(code, &err);
        r.number = self->last + 1;
        bool heavy = r.kind == SERVICE_RECORD_CAMPAIGN || r.kind == SERVICE_RECORD_ROSTER;
        if (code == SERVICE_OK && !(heavy && has_large_numbers(r.text, r.text_size))) {
            code = service_apply(self, &r, &err);
            check(code, &err);
            self->last += code == SERVICE_OK;
        }
        free(bytes);
        at += n;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    uint8_t target = data[0];
    service *self = make();
    service_error err = {0};
    if (target % 8 == 6) {
        apply(self, data + 1, size - 1);
    } else if (target % 8 == 7) {
        service *other;
        if (service_open(&other, NULL, NULL) == SERVICE_OK)
            check(service_restore(other, data + 1, size - 1, &err), &err);
        service_free(other);
    } else {
        /* The body twice, with time between: ids repeat, windows end. */
        send(self, target, (const char *)data + 1, size - 1, 1000000);
        send(self, target, (const char *)data + 1, size - 1, 2000000);
        service_tick(self, 4000000, &(uint64_t){0}, NULL);
        replay(self);
    }
    service_free(self);
    return 0;
}
