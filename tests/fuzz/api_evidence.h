/*
 * api_evidence.h: the calls of fuzz_api.c that are about evidence.
 */
#ifndef ROSTER_API_EVIDENCE_H
#define ROSTER_API_EVIDENCE_H

#include "api_input.h"

static inline void make_evidence(player *p)
{
    roster_error err;
    size_t place = byte(p) % PLACES;
    const roster_experts *e = p->experts[byte(p) % PLACES];
    roster_evidence_free(p->evidence[place]);
    if (byte(p) % 4 == 0)
        check(roster_evidence_create_own(&p->evidence[place], e, number(p), &err), &err);
    else
        check(roster_evidence_create(&p->evidence[place], e, number(p), &err), &err);
}

static inline uint64_t print_evidence(const roster_evidence *evidence)
{
    static unsigned char state[BYTES];
    size_t n = roster_evidence_save(evidence, state, sizeof state);
    uint64_t hash = n;
    for (size_t i = 0; i < n && n <= sizeof state; i++)
        hash = (hash ^ state[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static inline void learn_evidence(player *p)
{
    roster_error err;
    roster_evidence *evidence = p->evidence[byte(p) % PLACES];
    double row[SMALL], choice[NUMBERS];
    if (evidence == NULL)
        return;
    size_t n = roster_experts_count(roster_evidence_experts(evidence));
    for (size_t rounds = 1 + byte(p) % 16; rounds > 0; rounds--) {
        roster_event event = any_event(p, roster_evidence_experts(evidence), roster_evidence_leader(evidence), row);
        if (byte(p) % 4 == 0) {
            memcpy(choice, numbers(p, n, n), sizeof choice);
            event.choice = choice;
        }
        uint64_t before = print_evidence(evidence);
        if (check(roster_evidence_learn(evidence, &event, &err), &err) != ROSTER_OK &&
            print_evidence(evidence) != before)
            abort();
    }
}

/* Bounds in order, also where a snapshot was tampered with. */
static inline void look_at_evidence(player *p)
{
    roster_error err;
    roster_evidence *evidence = p->evidence[byte(p) % PLACES];
    const roster_evidence *from = p->evidence[byte(p) % PLACES];
    roster_finding f;
    if (evidence == NULL)
        return;
    roster_evidence_find(evidence, byte(p), &f);
    if (f.value.low > f.value.value || f.value.value > f.value.high || f.worse < 0)
        abort();
    roster_evidence_until(evidence, byte(p));
    roster_evidence_until_known(evidence);
    if (byte(p) % 4 == 0)
        check(roster_evidence_reserve(evidence, &err), &err);
    if (byte(p) % 4 == 0 && from != NULL)
        check(roster_evidence_merge(evidence, from, &err), &err);
    if (byte(p) % 8 == 0)
        roster_evidence_reset(evidence);
}

static inline void save_and_load_evidence(player *p)
{
    roster_error err;
    const roster_evidence *from = p->evidence[byte(p) % PLACES];
    roster_evidence *into = p->evidence[byte(p) % PLACES];
    if (from == NULL || into == NULL)
        return;
    size_t n = roster_evidence_save(from, p->bytes, BYTES);
    p->n_bytes = n <= BYTES ? n : 0;
    if (byte(p) % 4 == 0 && p->n_bytes > 0)
        p->bytes[u64(p) % p->n_bytes] ^= byte(p);
    check(roster_evidence_load(into, p->bytes, p->n_bytes, &err), &err);
}

#endif
