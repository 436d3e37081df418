/*
 * service_elsewhere.h: the part of the engine for experts that act elsewhere.
 */
#ifndef ROSTER_SERVICE_ELSEWHERE_H
#define ROSTER_SERVICE_ELSEWHERE_H

#include "service.h"

/* Of a campaign of kind external: chooses an expert, which the caller lets act. The answer has no action. id NULL: the
   service numbers the event. The same id again gives the same expert. */
service_code service_choose_only(service *self, service_campaign *campaign, const char *id, size_t id_size, int64_t now,
                                 service_decision *out, service_error *err);

/* What the expert did. */
typedef struct service_deed {
    const char *id; /* event_id, id_size bytes */
    size_t id_size;
    const char *action; /* its name: one of the campaign's, or any of up to SERVICE_ID_MOST bytes where it lists none */
    size_t action_size;
    const double *probabilities; /* each expert's probability of that action */
    size_t n;
} service_deed;

/* Tells what the chosen expert did. Nothing is learnt of an event before that: a reward that comes earlier is kept
   until then, and an event whose window ends without it teaches nothing. The same again changes nothing (*repeated),
   anything else about that event is refused with SERVICE_CONFLICT. *propensity: the chosen expert's probability. */
service_code service_acted(service *self, service_campaign *campaign, const service_deed *deed, int64_t now,
                           double *propensity, bool *repeated, service_error *err);

/* ---- mode shadow: others decide ---- */

/* What production did. */
typedef struct service_sight {
    service_request request; /* the event_id, which is needed, and the context: a name, a number, or features */
    const char *action;      /* as of service_deed                                                            */
    size_t action_size;
    const double *probabilities; /* external: each expert's probability of that action                        */
    size_t n;
    double propensity; /* with which production took the action; 0: not known                                 */
    uint32_t expert;   /* that served, in the place of the propensity; UINT32_MAX: not known                  */
} service_sight;

typedef struct service_seen {
    char id[SERVICE_ID_MOST + 1];
    uint32_t episode, would; /* the expert that the campaign would have chosen                           */
    bool usable;             /* a propensity is known: its reward says something about all experts       */
    bool repeated;
} service_seen;

/* Of a campaign in mode shadow. Rewards join as those of decisions do. The same again changes nothing. */
service_code service_observe(service *self, service_campaign *campaign, const service_sight *sight, int64_t now,
                             service_seen *out, service_error *err);

/* Calls whose bodies are an item or a list of items. */
typedef enum service_call {
    SERVICE_CALL_DECIDE,
    SERVICE_CALL_REWARD,
    SERVICE_CALL_CHOOSE,
    SERVICE_CALL_ACTED,
    SERVICE_CALL_OBSERVED
} service_call;

/* From JSON, in slices, as service_decide_slice: {"event_id": ..}, or {"event_id": .., "action": .., "probabilities":
   [..] | {expert: p, ..}} with "actions": [..] | {expert: action, ..} in the place of probabilities where no expert
   ever varies what it does: the action that each would have taken. */
service_code service_call_slice(service *self, service_campaign *campaign, service_call call, const char *body,
                                size_t size, int64_t now, service_slice *slice, common_text *out, size_t *items,
                                service_error *err);

#endif
