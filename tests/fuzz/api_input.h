/*
 * api_input.h: the input of fuzz_api.c as a program's arguments: numbers of any value their type has, with a liking for
 * the ends of the types, and arrays that are distributions more often than chance would make them.
 */
#ifndef ROSTER_API_INPUT_H
#define ROSTER_API_INPUT_H

#include "roster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 4, SMALL = 5, NUMBERS = 512, BYTES = 1 << 16, ROUNDS_MOST = 200 };

/* The input, and what has been made so far. */
typedef struct player {
    const uint8_t *data;
    size_t left;
    roster_experts *experts[PLACES];
    roster_estimates *estimates[PLACES];
    roster_agent *agents[PLACES];      /* agents[i] lives on the experts that it borrowed, which stay until the end */
    roster_evidence *evidence[PLACES]; /* in the same way */
    roster_world *worlds[PLACES];
    roster_experts *kept[256];
    roster_world *kept_worlds[256];
    size_t n_kept, n_kept_worlds;
    roster_rng rng;
    double numbers[NUMBERS];
    uint64_t counts[NUMBERS];
    unsigned char bytes[BYTES];
    size_t n_bytes; /* of the snapshot that was saved last */
    uint64_t seen;  /* rounds seen by the observer         */
} player;

static inline uint8_t byte(player *p)
{
    return p->left > 0 ? (p->left--, *p->data++) : 0;
}

static inline uint64_t u64(player *p)
{
    static const uint64_t ends[] = {0,
                                    1,
                                    2,
                                    3,
                                    UINT64_MAX,
                                    UINT64_MAX - 1,
                                    UINT64_MAX / 2 + 1,
                                    UINT64_MAX / 8,
                                    UINT64_MAX / 8 + 1,
                                    UINT64_C(1) << 32,
                                    UINT64_C(1) << 53,
                                    1000000};
    uint8_t kind = byte(p);
    if (kind < 128)
        return kind % SMALL;
    if (kind < 240)
        return ends[kind % (sizeof ends / sizeof *ends)];
    uint64_t value = 0;
    for (int i = 0; i < 8; i++)
        value = value << 8 | byte(p);
    return value;
}

static inline double number(player *p)
{
    static const double odd[] = {0,         1,        .5,       1e-300, 5e-324, -1, NAN,  INFINITY,
                                 -INFINITY, 1 + 1e-9, 1 - 1e-9, 1e300,  1e100,  2,  0.02, 1e-9};
    uint8_t kind = byte(p);
    if (kind < 64)
        return odd[kind % (sizeof odd / sizeof *odd)];
    if (kind < 250)
        return kind / 250.;
    uint64_t bits = 0;
    double value;
    for (int i = 0; i < 8; i++)
        bits = bits << 8 | byte(p);
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline size_t small(player *p)
{
    return 1 + byte(p) % SMALL;
}

/* n random numbers, or where the input says so rows of v that sum to 1. */
static inline const double *numbers(player *p, size_t n, size_t v)
{
    bool rows = byte(p) % 8 != 0;
    for (size_t i = 0; i < n && i < NUMBERS; i++)
        p->numbers[i] = rows ? 1 + byte(p) : number(p);
    for (size_t first = 0; rows && first + v <= n && first + v <= NUMBERS; first += v) {
        double sum = 0;
        for (size_t i = 0; i < v; i++)
            sum += p->numbers[first + i] = byte(p) % 7 == 6 ? 0 : p->numbers[first + i];
        for (size_t i = 0; i < v; i++)
            p->numbers[first + i] = sum > 0 ? p->numbers[first + i] / sum : i == 0;
    }
    return p->numbers;
}

/* What fails says why. */
static inline int check(int code, const roster_error *err)
{
    bool known = code == ROSTER_OK || code == ROSTER_ENOMEM || code == ROSTER_EINVAL || code == ROSTER_EDAMAGED;
    if (!known || (code != ROSTER_OK && (err->code != code || err->msg[0] == '\0')))
        abort();
    return code;
}

/* One event that is possible, or anything. */
static inline roster_event any_event(player *p, const roster_experts *e, size_t k, double *row)
{
    roster_event event = {.expert = k, .reward = byte(p) / 255.};
    size_t contexts = roster_experts_contexts(e);
    event.context = contexts > 0 ? byte(p) % contexts : 0;
    event.action = byte(p) % roster_experts_actions(e);
    for (size_t i = 0; i < SMALL; i++)
        row[i] = number(p);
    event.features = event.probabilities = row;
    if (byte(p) % 2 == 0)
        return event;
    event = (roster_event){(size_t)u64(p), (size_t)u64(p), (size_t)u64(p), number(p), number(p), NULL, NULL};
    event.features = byte(p) % 2 == 0 ? row : NULL;
    event.probabilities = byte(p) % 2 == 0 ? row : NULL;
    return event;
}

#endif
