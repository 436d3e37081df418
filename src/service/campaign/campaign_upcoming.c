/*
 * campaign_upcoming.c: an episode that is prepared before it begins, so that its agent holds up nobody.
 *
 *   service_upcoming_open       the owner of the service: which number, frequencies and samples it starts from
 *   service_upcoming_prepare    any thread: experts from samples, divergences, agent; reads what never changes
 *   service_upcoming_admit      the owner again: makes the record; microseconds
 *
 * The record says that the episode begins with what is known then. So what was prepared is compared: where another
 * episode began, samples came in, or decisions did and the campaign follows the frequencies of contexts, it is prepared
 * again. Where that does not end, the third try makes it on the spot.
 *
 * Paper: none.
 * Check: tests/unit/test_service_upcoming.c, tests/http/episodes.py.
 */
#include "service_internal.h"

#include <stdlib.h>

enum { TRIES_MOST = 3 };

struct service_upcoming {
    service_campaign *campaign;    /* borrowed */
    service_episode_state episode; /* owned    */
    uint64_t samples, decisions;   /* of roster and campaign, when it was taken */
    int tries;
};

/* Whether an episode may begin. */
static service_code check(const service *self, const service_campaign *c, service_error *err)
{
    service_code code = service_ready(self, c, err);
    if (code != SERVICE_OK || !service_episode_waits(c))
        return code;
    return service_episode_busy(c, err);
}

static void drop(service_upcoming *self)
{
    service_episode_free(&self->episode);
    self->episode = (service_episode_state){0};
}

static service_code take(service_upcoming *self, service_error *err)
{
    const service_campaign *c = self->campaign;
    drop(self);
    self->samples = service_is_estimated(c) ? c->roster->samples : 0;
    self->decisions = c->counts.decisions;
    return service_episode_take(c, SERVICE_CALLED, NULL, 0, &self->episode, err);
}

/* Whether an episode that begins now would be another. */
static bool is_stale(const service_upcoming *self)
{
    const service_campaign *c = self->campaign;
    return self->episode.number != service_present(c)->number + 1 ||
           (service_is_estimated(c) && self->samples != c->roster->samples) ||
           (c->prior == SERVICE_SEEN && self->decisions != c->counts.decisions);
}

service_code service_upcoming_open(service *self, service_campaign *c, service_upcoming **out, service_error *err)
{
    service_code code = check(self, c, err);
    service_upcoming *made = code == SERVICE_OK ? calloc(1, sizeof *made) : NULL;
    *out = NULL;
    if (made == NULL)
        return code == SERVICE_OK ? service_no_memory(err) : code;
    made->campaign = c;
    c->upcoming++;
    code = take(made, err);
    if (code == SERVICE_OK)
        *out = made;
    else
        service_upcoming_close(made);
    return code;
}

service_code service_upcoming_prepare(service_upcoming *self, service_error *err)
{
    return service_episode_make(self->campaign, &self->episode, err);
}

/* Takes what it starts from once more; *again: for another thread to prepare. */
static service_code renew(service_upcoming *self, bool *again, service_error *err)
{
    service_code code = take(self, err);
    *again = code == SERVICE_OK && ++self->tries < TRIES_MOST;
    return code == SERVICE_OK && !*again ? service_upcoming_prepare(self, err) : code;
}

service_code service_upcoming_admit(service *self, service_upcoming *upcoming, int64_t now, uint32_t *episode,
                                    bool *again, service_error *err)
{
    service_campaign *c = upcoming->campaign;
    service_code code = check(self, c, err);
    now = service_clock(self, now);
    *again = false;
    if (code == SERVICE_OK && is_stale(upcoming))
        code = renew(upcoming, again, err);
    if (code == SERVICE_OK && !*again)
        code = service_close_due(self, c, now, err);
    if (code == SERVICE_OK && !*again) {
        upcoming->episode.at = now;
        code = service_episode_start(self, c, SERVICE_CALLED, now, &upcoming->episode, err);
        upcoming->episode = (service_episode_state){0};
    }
    *episode = c->freed ? c->last.number : service_present(c)->number;
    return code;
}

void service_upcoming_close(service_upcoming *self)
{
    if (self == NULL)
        return;
    drop(self);
    self->campaign->upcoming--;
    service_campaign_drop_own(self->campaign);
    free(self);
}

service_code service_episode(service *self, service_campaign *c, int64_t now, uint32_t *episode, service_error *err)
{
    service_upcoming *upcoming;
    bool again = true;
    *episode = c->freed ? c->last.number : service_present(c)->number;
    service_code code = service_upcoming_open(self, c, &upcoming, err);
    while (code == SERVICE_OK && again) {
        code = service_upcoming_prepare(upcoming, err);
        if (code == SERVICE_OK)
            code = service_upcoming_admit(self, upcoming, now, episode, &again, err);
    }
    service_upcoming_close(upcoming);
    return code;
}
