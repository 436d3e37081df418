/*
 * api_guard.h: alarms and the test of the model, for fuzz_api.c.
 */
#ifndef ROSTER_API_GUARD_H
#define ROSTER_API_GUARD_H

#include "api_input.h"

/* Alarms and the test of the model, on events of any kind; saved, changed and loaded. */
static inline void guard(player *p)
{
    roster_error err;
    const roster_experts *e = p->experts[byte(p) % PLACES];
    roster_alarms *alarms = NULL;
    roster_model_test *test = NULL;
    roster_alarm alarm;
    roster_verdict verdict;
    char text[64];
    double delta = byte(p) % 4 == 0 ? number(p) : .01;
    check(roster_alarms_create(&alarms, e, delta, &err), &err);
    check(roster_model_test_create(&test, e, delta, &err), &err);
    for (size_t n = byte(p); n > 0 && e != NULL; n--) {
        roster_event event = {.expert = (size_t)u64(p), .context = (size_t)u64(p), .action = (size_t)u64(p)};
        unsigned raised;
        bool rejects;
        event.reward = number(p);
        if (alarms != NULL)
            check(roster_alarms_learn(alarms, &event, &raised, &err), &err);
        if (test != NULL)
            check(roster_model_test_learn(test, &event, &rejects, &err), &err);
    }
    if (alarms != NULL) {
        roster_alarms_last(alarms, byte(p) % 4, &alarm);
        size_t n = roster_alarms_save(alarms, p->bytes, BYTES);
        p->bytes[u64(p) % BYTES] ^= byte(p) % 2;
        check(roster_alarms_load(alarms, p->bytes, n <= BYTES ? n : 0, &err), &err);
    }
    if (test != NULL) {
        roster_model_test_verdict(test, (size_t)u64(p), &verdict);
        roster_model_test_sentence(test, byte(p) % SMALL, text, byte(p) % sizeof text);
        size_t n = roster_model_test_save(test, p->bytes, BYTES);
        check(roster_model_test_load(test, p->bytes, n <= BYTES ? n : 0, &err), &err);
        check(roster_model_test_merge(test, test, &err), &err);
    }
    p->n_bytes = 0;
    roster_alarms_free(alarms);
    roster_model_test_free(test);
}

#endif
