/*
 * event_internal.h: what the files of this folder share, and what other folders of the engine ask of them. Included by
 * service_internal.h, which has the types.
 */
#ifndef ROSTER_SERVICE_EVENT_INTERNAL_H
#define ROSTER_SERVICE_EVENT_INTERNAL_H

/* ---- event_choose.c ---- */

/* A request once its context is known. */
typedef struct service_choice {
    uint32_t context;
    const double *numbers; /* features, or the matrix; NULL */
    uint32_t expert, action;
    double propensity;
    service_how how;
} service_choice;

/* Expert, action and propensity in that episode: a function of the state and of the event's numbers. Of the campaign
   only scratch is written. */
service_code service_choose(service_campaign *c, const service_episode_state *e, service_uniforms u,
                            service_choice *choice, service_error *err);
/* The expert alone, which acts elsewhere. */
service_code service_choose_expert(service_campaign *c, const service_episode_state *e, service_uniforms u,
                                   service_choice *choice, service_error *err);
/* The rest once an expert was chosen (n: none): the fallback, the action, its propensity. */
service_code service_act(service_campaign *c, const service_episode_state *e, uint32_t expert, double u,
                         service_choice *choice, service_error *err);
/* event_choose_first.c: as roster 0.1 chose. */
service_code service_choose_first(service_campaign *c, service_uniforms u, service_choice *choice, service_error *err);

/* The expert's distribution over the actions, into pi; false: it is not known. */
bool service_distribution(const service_campaign *c, const roster_experts *experts, const service_choice *choice,
                          uint32_t k, double *pi);

/* ---- event_entry.c, for event_entry_steps.c: parts of answers ---- */

/* {"event_id": .., "episode": .., "expert": .. */
void service_put_chosen(common_text *out, const service_campaign *c, const service_decision *d);
/* , "how": .., "repeated": ..} as far as there is something to say */
void service_put_how(common_text *out, const service_decision *d);
/* {"event_id": .. */
void service_put_id(common_text *out, const char *id, size_t size);

/* ---- event_entry_steps.c: an item of choose and of acted, and its answer ---- */

service_code service_choose_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                                 common_text *out, service_error *err);
service_code service_observed_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                                   common_text *out, service_error *err);
service_code service_acted_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                                common_text *out, service_error *err);

/* event_entry_menu.c: an item of decide whose actions come with it. */
service_code service_menu_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                               common_text *out, service_error *err);

/* ---- event_settle.c: what becomes of events ---- */

/* The event of that key as of now; NULL: not known (any more). */
service_event *service_event_find(const service_campaign *c, service_key key, int64_t now);
/* event_key.c: the key of an id, and the event that it names as of now; NULL: none is known. */
service_code service_key_find(const service_campaign *c, const char *id, size_t size, int64_t now, service_key *out,
                              service_event **event, service_error *err);
/* event_key.c: the block of random numbers of an event. */
service_key service_key_block(const service_campaign *c, service_key key, const char *id, size_t size);
/* An id that was decided before, and is not known any more. */
bool service_was_forgotten(const service_campaign *c, service_key key);
/* Forgets the oldest events, as far as they are settled, where there are more than `most`. */
void service_forget_down_to(service_campaign *c, uint64_t most);
/* Forgets events that are no longer remembered at that time. */
void service_forget(service_campaign *c, int64_t at);
/* Closes windows that end by now, as far as the pace allows; early: the oldest `events`, whatever the pace, in a record
   of at most SERVICE_CLOSE_MOST. */
service_code service_close_due(service *self, service_campaign *c, int64_t now, service_error *err);
service_code service_close_early(service *self, service_campaign *c, uint64_t events, service_cause why, int64_t now,
                                 service_error *err);
/* How many the pace allows to close early now, in one record. */
uint64_t service_closable(const service *self, const service_campaign *c);
/* Learns the reward (NAN: nothing) and settles the event. */
service_code service_settle(service_campaign *c, service_event *event, double reward, service_error *err);
void service_advance(service_campaign *c);
/* event_acted.c: the action of that name; each expert's probability of it; the event's marks of what a record says. */
service_code service_find_action(const service_campaign *c, const char *name, size_t size, service_record *r,
                                 service_error *err);
service_code service_check_numbers(const service_campaign *c, const double *pi, size_t n, service_error *err);
void service_event_mark(const service_campaign *c, service_event *event, const service_record *r);
/* event_decide.c: the context or the features of a request; what is due afterwards. */
service_code service_check_context(const service_campaign *c, const service_request *q, service_choice *choice,
                                   service_error *err);
void service_tidy(service *self, service_campaign *c, int64_t now);
/* event_settle.c: agent and evidence of the episode learn what the expert did. */
service_code service_learn(service_campaign *c, service_episode_state *e, const service_event *event, uint32_t expert,
                           double reward, service_error *err);
/* event_observed.c: an observation with a propensity; whether what it says of experts makes sense. */
service_code service_learn_observed(service_campaign *c, service_episode_state *e, const service_event *event,
                                    double reward, service_error *err);
bool service_observed_fits(const service_campaign *c, const service_event *event);
/* campaign_shadow.c */
int service_read_mode(const service_campaign *c, const common_node *at, bool *shadow, roster_error *err);
void service_watch_free(service_watch *self);
uint64_t service_watch_bytes(const service_watch *self, const service_campaign *c);
/* "shadow": {..} */
void service_watch_json(const service_campaign *c, const service_watch *self, common_text *out);
/* event_acted.c: whether a name can be that of an action, where a campaign lists none. */
bool service_is_action(const char *text, size_t size);
/* event_acted.c: whether an event that has acted took the action of that name. */
bool service_event_did(const service_campaign *c, const service_event *event, const char *action, size_t size);
/* event_acted.c: the record that says which action was taken: that of the decision, or a later one. */
uint64_t service_event_record(const service_campaign *c, const service_event *event);
/* event_reward.c: what a reward of an event that has acted teaches when it comes; NAN: nothing. */
double service_taught(const service_campaign *c, const service_event *event, double raw);

#endif
