/*
 * service_words.c: what enums are called in JSON.
 *
 * Paper: none.
 * Check: tests/unit/test_service_store.c: insight_tells.
 */
#include "service_internal.h"

const char *service_how_word(unsigned how)
{
    static const char *const words[] = {"agent", "pinned", "capped", "fallback"};
    return how < sizeof words / sizeof *words ? words[how] : "?";
}

const char *service_reason_word(unsigned reason)
{
    static const char *const words[] = {"first", "called", "rounds", "scheduled", "contexts", "rewards"};
    return reason < sizeof words / sizeof *words ? words[reason] : "?";
}

const char *service_prior_word(unsigned prior)
{
    static const char *const words[] = {"uniform", "declared", "seen"};
    return prior < sizeof words / sizeof *words ? words[prior] : "?";
}
