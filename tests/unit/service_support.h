/*
 * service_support.h: what the tests of the decision service share: a campaign, a log in a directory of its own.
 */
#ifndef ROSTER_SERVICE_SUPPORT_H
#define ROSTER_SERVICE_SUPPORT_H

#include "support.h"

#include "service.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECOND INT64_C(1000000)

/* SPEC's instance, with whatever rules follow. */
#define SPEC_CAMPAIGN(name, rest)                                                                                      \
    "{\"name\":\"" name "\",\"contexts\":[\"day\",\"night\"],\"actions\":[\"a\",\"b\",\"c\"],\"experts\":["            \
    "{\"name\":\"e0\",\"table\":[[0.7,0.2,0.1],[0.1,0.6,0.3]]},"                                                       \
    "{\"name\":\"e1\",\"table\":[[0.2,0.5,0.3],[0.3,0.3,0.4]]},"                                                       \
    "{\"name\":\"e2\",\"table\":[[0.1,0.1,0.8],[0.5,0.25,0.25]]}],\"agent\":\"d-ucb\",\"seed\":7" rest "}"

/* A roster known from samples alone, some samples, and a campaign of it. */
#define ESTIMATED_ROSTER                                                                                               \
    "{\"name\":\"r\",\"contexts\":[\"x\"],\"actions\":[\"a\",\"b\"],\"experts\":[{\"name\":\"p\"},{\"name\":\"q\"}]}"
#define ESTIMATED_SAMPLES                                                                                              \
    "[{\"expert\":\"p\",\"context\":\"x\",\"action\":\"a\",\"count\":9},"                                              \
    "{\"expert\":\"p\",\"context\":\"x\",\"action\":\"b\",\"count\":5},"                                               \
    "{\"expert\":\"q\",\"context\":\"x\",\"action\":\"a\",\"count\":5},"                                               \
    "{\"expert\":\"q\",\"context\":\"x\",\"action\":\"b\",\"count\":7}]"
#define ESTIMATED_CAMPAIGN                                                                                             \
    "{\"name\":\"c\",\"roster\":\"r\",\"seed\":1,\"fallback\":\"p\",\"agent\":"                                        \
    "{\"agent\":\"ed-ucb\",\"p_V\":0.05,\"p_X\":0.3,\"xi\":0.01}}"

typedef struct log_directory {
    char path[64];
} log_directory;

static inline void log_make(log_directory *self)
{
    folder_make(self->path, "service");
}

static inline void log_remove(const log_directory *self)
{
    folder_remove(self->path);
}

static inline store *log_open(const log_directory *self, store_mode mode)
{
    store *log;
    roster_error err;
    assert_ok(store_open(&log, self->path, mode, &err), &err);
    return log;
}

/* A log of its own, and its end. */
static inline store *log_begin(log_directory *self)
{
    log_make(self);
    return log_open(self, STORE_OS);
}

static inline void log_end(store *log, const log_directory *self)
{
    store_close(log);
    log_remove(self);
}

static inline void assert_done(service_code code, const service_error *err)
{
    if (code != SERVICE_OK)
        print_error("%s: %s\n", service_code_word(code), err->msg);
    assert_int_equal(code, SERVICE_OK);
}

static inline void assert_not(service_code code, const service_error *err, service_code expected, const char *sentence)
{
    sentence = sentence_with_agents(sentence);
    if (code == SERVICE_OK || strcmp(err->msg, sentence) != 0)
        print_error("said:     %s\nexpected: %s\n", code != SERVICE_OK ? err->msg : "nothing", sentence);
    assert_int_equal(code, expected);
    assert_int_equal(err->code, expected);
    assert_string_equal(err->msg, sentence);
}

static inline service *fresh(void)
{
    service *self;
    service_error err;
    assert_done(service_open(&self, NULL, &err), &err);
    return self;
}

static inline service_campaign *created(service *self, const char *json, int64_t now)
{
    service_campaign *c;
    service_error err;
    bool is_new;
    assert_done(service_campaign_create(self, json, strlen(json), now, &c, &is_new, &err), &err);
    return c;
}

static inline service_decision decided(service *self, service_campaign *c, const char *id, size_t context, int64_t now)
{
    service_decision d;
    service_error err;
    service_request q = {.id = id, .id_size = id != NULL ? strlen(id) : 0, .number = context};
    assert_done(service_decide(self, c, &q, now, &d, &err), &err);
    return d;
}

static inline service_status rewarded(service *self, service_campaign *c, const char *id, double reward, int64_t now)
{
    service_status status;
    service_error err;
    assert_done(service_reward(self, c, id, strlen(id), reward, now, &status, &err), &err);
    return status;
}

static inline service_counts counted(const service *self, const service_campaign *c)
{
    service_counts counts;
    service_count(self, c, &counts);
    return counts;
}

/* The state as bytes, for the caller to free. */
static inline void *state_of(service *self, size_t *size)
{
    void *bytes;
    uint64_t number;
    service_error err;
    assert_done(service_snapshot_take(self, &bytes, size, &number, &err), &err);
    return bytes;
}

/* A state as it was. */
typedef struct frozen {
    void *bytes;
    size_t size;
    uint64_t last;
} frozen;

static inline frozen frozen_state(service *self)
{
    frozen f = {.last = service_last(self)};
    f.bytes = state_of(self, &f.size);
    return f;
}

/* Nothing has changed since, and no record was made. */
static inline void assert_frozen(service *self, frozen *f)
{
    size_t size;
    void *bytes = state_of(self, &size);
    assert_int_equal(service_last(self), f->last);
    assert_int_equal(size, f->size);
    assert_memory_equal(bytes, f->bytes, size);
    free(bytes);
    free(f->bytes);
}

static inline void assert_same_state(service *a, service *b)
{
    size_t n, m;
    unsigned char *x = state_of(a, &n), *y = state_of(b, &m);
    for (size_t i = 0; i < n && i < m; i++)
        if (x[i] != y[i]) {
            print_error("states differ at byte %zu of %zu and %zu\n", i, n, m);
            break;
        }
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

#endif
