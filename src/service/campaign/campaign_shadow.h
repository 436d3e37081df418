/*
 * campaign_shadow.h: what watches an episode of a campaign that decides nothing.
 */
#ifndef ROSTER_SERVICE_CAMPAIGN_SHADOW_H
#define ROSTER_SERVICE_CAMPAIGN_SHADOW_H

#include "log_snapshot.h"
#include "service_internal.h"

enum { SERVICE_SHADOW_EXPERTS = 1000 }; /* at most */

service_code service_watch_make(const service_campaign *c, uint32_t episode, service_watch **out, service_error *err);
/* An episode that begins has a watch where the campaign is in mode shadow, and none where it is live. */
service_code service_watch_fit(const service_campaign *c, service_episode_state *e, service_error *err);
/* The expert that would be chosen now. */
uint32_t service_watch_choice(const service_watch *self, const service_campaign *c);
/* One more observation. */
void service_watch_count(service_watch *self, uint32_t would, bool usable);
/* Where the experts' probabilities of an action go, [n], for service_watch_learn. */
double *service_watch_room(service_watch *self);
/* What learning one more needs, so that it cannot fail for lack of memory. */
int service_watch_prepare(service_watch *self, const service_campaign *c, roster_error *err);
/* The reward of an action that production took with probability q. */
int service_watch_learn(service_watch *self, const service_campaign *c, double q, double reward, roster_error *err);
void service_snapshot_watch(codec *c, const service_campaign *k, uint32_t episode, service_watch **at);

#endif
