/*
 * service.h: the engine of the decision service: campaigns that decide, wait for rewards and learn.
 *
 * No sockets, no threads, no clock, no files: requests are structs or JSON texts, time is an argument (`now`,
 * microseconds since 1970), and what must be kept goes as records into a batch that the caller hands to the store.
 *
 * A service is a fold over records. A request is checked completely; what it changes becomes records; applying a
 * record is the only way the state changes, live and when the log is replayed. Everything that depended on the clock
 * stands in a record, so replay never looks at the clock.
 *
 * The order of things for a server (group commit):
 *
 *   service_open(&s, store, now)                    snapshot + replay
 *   many times: service_decide / service_reward / ...     state changes at once, records go into the batch
 *   service_commit(s, store, now)                   the batch is durable: now, and not before, answer those requests
 *   service_tick(s, now) once in a while            closes windows, starts scheduled episodes: also makes records
 *   service_snapshot(s, store) once in a while      bounds the time of the next start (see service_snapshot_due)
 *
 * To let requests go on while the disk works, split the commit: service_commit_begin and service_commit_end under the
 * caller's lock, store_append between them without it.
 *
 * If a commit fails, its records stay in the batch and every request that would change something is refused with
 * SERVICE_STORE until a later commit of the same batch succeeds. Requests whose commit failed must be answered with an
 * error; their outcome is open until then, and asking again with the same event_id is safe.
 *
 * Time never goes back: a `now` before the last one counts as that, so a caller's clock must not jump: after one that
 * was far ahead no window would end until it is reached again (service_set_back repairs such a log).
 *
 * Errors: int codes of this header, 0 is success. A refused request changes nothing, makes no record, and fills
 * *err with one sentence that names the place, what is wrong and what was expected.
 *
 * Threads: one thread at a time on a service, unless said otherwise.
 */
#ifndef ROSTER_SERVICE_H
#define ROSTER_SERVICE_H

#include "common_text.h"
#include "store.h"

/* ---- errors ---- */

typedef enum service_code {
    SERVICE_OK = 0,
    SERVICE_MEMORY,           /* 503 out-of-memory        */
    SERVICE_SYNTAX,           /* 400 bad-json: the text is no JSON, too deep, or too long          */
    SERVICE_INVALID,          /* 400 invalid: a value is of the wrong type, out of range, unknown  */
    SERVICE_UNKNOWN_CONTEXT,  /* 422 unknown-context                                               */
    SERVICE_NOT_DISTRIBUTION, /* 422 not-a-distribution: probabilities of the request              */
    SERVICE_NO_CAMPAIGN,      /* 404 unknown-campaign                                              */
    SERVICE_NO_ROSTER,        /* 404 unknown-roster                                                */
    SERVICE_EXISTS,           /* 409 exists: a campaign or roster of that name, with other content  */
    SERVICE_CONFLICT,         /* 409 event-conflict: the event_id was decided with another context  */
    SERVICE_ARCHIVED,         /* 410 archived: the campaign takes no more requests                  */
    SERVICE_CANNOT_SAY,       /* 409 cannot-say: no agent or distribution, and no fallback that has one */
    SERVICE_LIMIT,            /* 422 limit: too many campaigns, items, numbers                      */
    SERVICE_STORE,            /* 503 store: the log cannot be written                               */
    SERVICE_DAMAGED,          /* 500 damaged: a record or snapshot makes no sense; at opening only  */
    SERVICE_QUOTA,            /* 429 quota: the campaign takes as much as it may                    */
    SERVICE_BUSY,             /* 503 busy: what came before must be finished first                  */
    SERVICE_OPEN,             /* 409 event-open: the event waits for its reward                     */
    SERVICE_NO_EVENT,         /* 404 unknown-event: no event has that event_id                      */
    SERVICE_OVER              /* 410 event-over: the event's window is over                         */
} service_code;

typedef struct service_error {
    service_code code;
    char msg[480];
} service_error;

/* "unknown-context"; the HTTP status that fits, 200 for SERVICE_OK. */
const char *service_code_word(service_code code);
int service_code_status(service_code code);

/* Fills *err (may be NULL) and returns the code. What is not printable ASCII is shown as '?'. */
service_code service_fail(service_error *err, service_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* {"error": {"code": .., "message": ..}} */
void service_put_refusal(common_text *out, const char *code, const char *message);

/* ---- the service ---- */

typedef struct service service;
typedef struct service_campaign service_campaign;

enum {
    SERVICE_CAMPAIGNS_MOST = 1000000, /* archived ones too; also of rosters                                */
    SERVICE_NAME_MOST = 64,        /* bytes of a campaign's or roster's name: letters, digits, . _ - (first: no dot) */
    SERVICE_ID_MOST = 128,         /* bytes of an event_id: printable ASCII, no space                      */
    SERVICE_ITEMS_MOST = 10000,    /* of an array of requests                                              */
    SERVICE_DEPTH_MOST = 8,        /* levels of the JSON of a request; decide and reward have at most 4     */
    SERVICE_NUMBERS_MOST = 1 << 20 /* features or probabilities of one call                            */
};

/* A service from the store's last good snapshot and the records after it; an empty one where store is NULL or the log
   is empty. Allocates; *out is NULL on failure. The store is not kept. */
service_code service_open(service **out, store *log, service_error *err);
/* The same, and tells how many records were read so far; where it returns false opening stops, SERVICE_STORE. */
service_code service_open_watched(service **out, store *log, bool (*progress)(void *context, uint64_t records),
                                  void *context, service_error *err);
void service_free(service *self);
/* A row that another process appended, after all that this service knows; nothing may be pending. Where it fails the
   service is of no use any more: open it again. */
service_code service_follow(service *self, const store_row *row, service_error *err);

enum { SERVICE_SNAPSHOT_RECORDS = 1500000 }; /* between snapshots, where nothing else is said */

/* ---- batch, commit, snapshot ---- */

/* Records applied so far (the last one's number), how many of them are not committed, and their bytes. */
uint64_t service_last(const service *self);
uint64_t service_pending(const service *self);
size_t service_pending_bytes(const service *self);
/* Whether some of what is pending is not in the row that is being written. */
bool service_gathers(const service *self);

/* Freezes what is pending into *row (its bytes are borrowed until commit_end); later requests go into the next batch.
   False where nothing is pending. After a failed commit the same row comes again. */
bool service_commit_begin(service *self, int64_t now, store_row *row);
/* Tells what came of it. ok: the row is forgotten; else kept, with the sentence for requests that will be refused. */
void service_commit_end(service *self, bool ok, const roster_error *why);
/* All three in one. */
service_code service_commit(service *self, store *log, int64_t now, service_error *err);
/* Whether the last commit failed; requests that change something are then refused with SERVICE_STORE. */
bool service_failed(const service *self);

/* Whether so many records came since the last snapshot that one should be written; how many that is, at least 1. */
void service_snapshot_every(service *self, uint64_t records);
bool service_snapshot_due(const service *self);
/* The record of the last snapshot; and that one of the state after record `number` is being made elsewhere. */
uint64_t service_snapshot_number(const service *self);
void service_snapshot_mark(service *self, uint64_t number);
/* The whole state as bytes (allocated, for the caller to free) after record *number. They may be stored when that
   record is committed, not before. Equal states are equal bytes. */
service_code service_snapshot_take(service *self, void **bytes, size_t *size, uint64_t *number, service_error *err);
/* Takes and stores; nothing may be pending. */
service_code service_snapshot(service *self, store *log, service_error *err);

/* ---- campaigns and rosters: JSON in, JSON out; not for hot paths ---- */

/* Creates a campaign from its description, experiments/schema/campaign.schema.json. The same text again under
   the same name is no error and changes nothing (*created false). Where the text has no "seed", one is made from name
   and time and becomes part of the description. */
service_code service_campaign_create(service *self, const char *json, size_t size, int64_t now,
                                     service_campaign **campaign, bool *created, service_error *err);
/* The same in three steps, for large ones: open a draft; prepare the campaign in it, in any thread, since no service is
   looked at; admit it, which takes microseconds. *again: prepare and admit once more, since the roster's samples were
   needed. `text` is read at the first prepare only. */
typedef struct service_draft service_draft;
service_code service_draft_open(const service *self, service_draft **out, service_error *err);
service_code service_campaign_prepare(service_draft *draft, const char *text, size_t size, int64_t now,
                                      service_error *err);
service_code service_campaign_admit(service *self, service_draft *draft, int64_t now, service_campaign **campaign,
                                    bool *created, bool *again, service_error *err);
/* NULL is fine. */
void service_draft_close(service *self, service_draft *draft);

/* No more decisions or rewards, and its name is free for another; it can still be looked at. Open windows are closed,
   the last of many by later ticks; then agents, experts and events are freed, and their figures stay. */
service_code service_campaign_archive(service *self, service_campaign *campaign, int64_t now, service_error *err);
/* By name (size bytes, not NUL-terminated): the live one, else the one that was archived last; NULL: there is none. The
   pointer stays valid as long as the service. */
service_campaign *service_campaign_find(const service *self, const char *name, size_t size);
/* The i-th in the order of creation; NULL past the end. */
service_campaign *service_campaign_at(const service *self, size_t i);
/* Its i. */
size_t service_campaign_number(const service_campaign *campaign);
size_t service_campaign_count(const service *self);
size_t service_campaign_count_live(const service *self);
const char *service_campaign_name(const service_campaign *campaign);
bool service_campaign_archived(const service_campaign *campaign);

/* The name of expert k of a live campaign of at most `most` experts, with its value and the ends of its interval; NULL:
   there is none, or nothing is known. */
const char *service_expert(const service_campaign *campaign, size_t k, size_t most, double figures[3]);

/* One object per campaign, short: name, archived, agent, experts, episode, counters. */
void service_campaigns_json(const service *self, common_text *out);
/* The objects alone, with commas between and, unless `from` is 0, before: of at most `most`, from number `from` on. */
void service_campaigns_part(const service *self, size_t from, size_t most, common_text *out);
/* Everything about one: description, controls, counters, episodes; per expert plays, value and interval, whether it is
   excluded, the agent's estimate and index; leader, whether it is known to be the best, how long until it is; whether
   the reward depends on who acts; alarms. */
service_code service_campaign_json(service *self, service_campaign *campaign, common_text *out, service_error *err);
/* The same in pieces of about 100 KB, for campaigns of many experts: open takes the figures as they are then, so that
   what happens meanwhile changes nothing; next appends a piece, true: there is more. At most as long as the service. */
typedef struct service_telling service_telling;
service_code service_telling_open(service_campaign *campaign, service_telling **out, service_error *err);
bool service_telling_next(service_telling *self, common_text *out);
/* Memory that it holds, about. */
size_t service_telling_bytes(const service_telling *self);
/* NULL is fine. */
void service_telling_close(service_telling *self);

/* A roster: {"name": .., "contexts": .., "actions": .., "experts": [{"name": .., "table": ..}, ..]}; experts without
   table are known from samples alone. */
service_code service_roster_create(service *self, const char *json, size_t size, int64_t now, bool *created,
                                   service_error *err);
/* In steps, as for campaigns. */
service_code service_roster_prepare(service_draft *draft, const char *json, size_t size, service_error *err);
/* *name: of the roster. */
service_code service_roster_admit(service *self, service_draft *draft, int64_t now, const char **name, bool *created,
                                  service_error *err);
/* Adds {"samples": [{"expert": .., "context": .., "action": .., "count": ..}, ..]} (count may be left out: 1), or the
   list alone. All or nothing. *added: observations. */
service_code service_roster_samples(service *self, const char *roster, size_t roster_size, const char *json,
                                    size_t size, int64_t now, uint64_t *added, service_error *err);
service_code service_roster_json(const service *self, const char *roster, size_t size, common_text *out,
                                 service_error *err);
void service_rosters_json(const service *self, common_text *out);

/* ---- decide: the hot path ---- */

typedef struct service_request {
    const char *id; /* event_id, id_size bytes; NULL: the service numbers the event: "#1", "#2", .. */
    size_t id_size;
    const char *context; /* tables: the context's name; NULL: `number` counts                   */
    size_t context_size;
    size_t number;          /* the context's number, from 0                                */
    const double *features; /* softmax                                                     */
    size_t n_features;
    const double *probabilities; /* external: [N][V]                                            */
    size_t n_experts, n_actions; /* of the matrix                                               */
} service_request;

/* How the expert came to be chosen. */
typedef enum service_how { SERVICE_AGENT, SERVICE_PINNED, SERVICE_CAPPED, SERVICE_FALLBACK } service_how;

/* "agent", "pinned", "capped", "fallback". */
const char *service_how_word(unsigned how);

typedef struct service_decision {
    char id[SERVICE_ID_MOST + 1]; /* the event_id */
    uint32_t episode;             /* from 0 */
    uint32_t expert, action;
    double propensity; /* pi_expert(action | context) */
    service_how how;
    bool repeated;  /* the event_id was decided before: this is what was answered then                  */
    bool forgotten; /* it was decided before, but what was answered is not known any more: a new decision */
} service_decision;

/* One decision. Allocates only as its tables grow. */
service_code service_decide(service *self, service_campaign *campaign, const service_request *request, int64_t now,
                            service_decision *out, service_error *err);

/* The same from a JSON body: an object {"event_id": .., "context": .. | "features": [..] | "probabilities": [[..]]}, or
   a list of them. The answer is appended to *out: an object, or a list with per item an object or {"error": ..}. The
   code is that of an object or of a body that is wrong as a whole; a list's items speak for themselves. "context" may
   be a name or a number from 0. *items: how many there were. */
service_code service_decide_json(service *self, service_campaign *campaign, const char *body, size_t size, int64_t now,
                                 common_text *out, size_t *items, service_error *err);

/* A list that takes longer than others may wait is done in slices. */
typedef struct service_slice {
    bool (*is_over)(void *context); /* asked after items: whether the others are for another call; NULL: they are not */
    void *context;
    size_t at; /* 0 for the first call; afterwards the byte of the body from which the next goes on, 0: all is done */
} service_slice;

/* As service_decide_json, for one slice: call it with the same body, campaign and *out until slice->at is 0. Each item
   finds the state of its own time: the campaign may have been archived, say. *items: of this slice. */
service_code service_decide_slice(service *self, service_campaign *campaign, const char *body, size_t size, int64_t now,
                                  service_slice *slice, common_text *out, size_t *items, service_error *err);

/* ---- reward ---- */

typedef enum service_status {
    SERVICE_JOINED,
    SERVICE_DUPLICATE,
    SERVICE_LATE,
    SERVICE_UNKNOWN,
    SERVICE_OUT_OF_RANGE,
    SERVICE_STATUSES
} service_status;

/* "joined", "duplicate", "late", "unknown", "out-of-range"; 200, 409, 410, 404, 422. */
const char *service_status_word(service_status status);
int service_status_http(service_status status);

/* Tells the reward of an event. All statuses are outcomes, counted and logged, not errors. */
service_code service_reward(service *self, service_campaign *campaign, const char *id, size_t id_size, double reward,
                            int64_t now, service_status *status, service_error *err);
/* The same for campaigns that add rewards up: a reward with a name of its own (as an event_id; NULL: none) joins its
   event once, so that a client may send it again when it does not know whether it arrived. *clipped: the sum of the
   event's rewards is now outside of the range, and will be learnt as the range's end; may be NULL. */
service_code service_reward_once(service *self, service_campaign *campaign, const char *id, size_t id_size,
                                 const char *reward_id, size_t reward_id_size, double reward, int64_t now,
                                 service_status *status, bool *clipped, service_error *err);
/* From {"event_id": .., "reward": .., "reward_id": ..}, the last optional, or a list of them. The answer is an object
   {"event_id": .., "status": ..}, with "message" unless joined, with "clipped" where it is, or a list. *status: of a
   single object. */
service_code service_reward_json(service *self, service_campaign *campaign, const char *body, size_t size, int64_t now,
                                 common_text *out, size_t *items, service_status *status, service_error *err);
/* The same in slices, as service_decide_slice. */
service_code service_reward_slice(service *self, service_campaign *campaign, const char *body, size_t size, int64_t now,
                                  service_slice *slice, common_text *out, size_t *items, service_status *status,
                                  service_error *err);

/* ---- episodes, controls, time ---- */

/* Starts a new episode now. *episode: its number. */
service_code service_episode(service *self, service_campaign *campaign, int64_t now, uint32_t *episode,
                             service_error *err);
/* The same in three steps, for large rosters: open takes what it starts from; prepare makes experts and agent, in any
   thread; admit begins it, which takes microseconds. Meanwhile the campaign goes on. *again: prepare and admit once
   more, since what it starts from has changed. Must be closed before the service is freed. */
typedef struct service_upcoming service_upcoming;
service_code service_upcoming_open(service *self, service_campaign *campaign, service_upcoming **out,
                                   service_error *err);
service_code service_upcoming_prepare(service_upcoming *upcoming, service_error *err);
service_code service_upcoming_admit(service *self, service_upcoming *upcoming, int64_t now, uint32_t *episode,
                                    bool *again, service_error *err);
/* NULL is fine. */
void service_upcoming_close(service_upcoming *upcoming);
/* {"pin": NAME|null, "learning": true|false, "fallback": NAME|null, "cap": {NAME: SHARE|null, ..},
   "retain": {..}|null}, any of them; what is left out stays. All or nothing. Pin: always that expert, caps or not.
   learning false: rewards are joined and counted, not learnt. Fallback: the expert that decides where the episode has
   no agent (its estimates do not suffice yet) or the chosen expert's distribution in that context is not known. Cap: a
   decision goes to the expert with a probability of at most SHARE, whatever the context; the next by index gets the
   rest. */
service_code service_control_json(service *self, service_campaign *campaign, const char *json, size_t size, int64_t now,
                                  service_error *err);
/* Closes windows and starts scheduled episodes that are due, and goes on with archiving: in all campaigns, or, with a
   pace, in as many as that allows, the others at the next tick. Returns how many records it made. */
service_code service_tick(service *self, int64_t now, uint64_t *records, service_error *err);
/* From now until the next call, requests and ticks settle events for about `microseconds`, by an estimate that does not
   look at a clock, and leave further windows that are over to later ones: no request waits for a million of them.
   Before the first call there is no bound. */
void service_pace(service *self, uint64_t microseconds);
/* When the next window or episode is due; INT64_MAX: never. */
int64_t service_next(const service *self);
/* Time as of the last record: no request counts as earlier. */
int64_t service_now(const service *self);
/* Sets time back to `to`, which must be earlier than that: repairs a log that was written by a clock which was ahead.
   Events that were decided in what is now the future move along, so that their windows last as long as they would
   have; those before stay. Makes a record. */
service_code service_set_back(service *self, int64_t to, service_error *err);

/* ---- retention ---- */

/* The first record that must stay in the log, by what campaigns retain: their events, and those since a time; 0: all.
   */
uint64_t service_retained(const service *self, int64_t now, int64_t *since);
/* Says in the log that its rows up to the cut are dropped. They may be when that is committed, not before. */
service_code service_drop(service *self, const store_cut *cut, int64_t now, service_error *err);
/* The last record that was; 0: none. */
uint64_t service_dropped(const service *self);

/* ---- erasing ---- */

/* One event's id and features, as far as they are in the log now. */
typedef struct service_erase service_erase;

/* Of {"event_id": "..."} in that campaign, and in archived ones of its name. SERVICE_OPEN while the event is open.
   Allocates; *out is owned by the caller, NULL on failure. */
service_code service_erase_open(const service *self, const service_campaign *campaign, const char *body, size_t size,
                                int64_t now, service_erase **out, service_error *err);
/* NULL is fine. */
void service_erase_close(service_erase *self);
/* The last record that it is about: to be committed before find. */
uint64_t service_erase_until(const service_erase *self);
/* Looks for its records. Needs no service: another thread may call it, with a store of its own. */
service_code service_erase_find(service_erase *self, store *log, service_error *err);
/* How many there are. */
size_t service_erase_count(const service_erase *self);
const char *service_erase_id(const service_erase *self);
/* Says in the log what is erased, and erases it from memory. */
service_code service_erase_say(service *self, service_erase *what, int64_t now, service_error *err);
/* Erases it from the log, when that is committed and a snapshot of the state after it, or after a later record, is
   there. Another thread of the process may call it. */
int service_erase_make(service_erase *self, const char *directory, uint64_t snapshot, roster_error *err);
/* The last record that service_erase_say made, 0: none. Where store_cut says that another was the last one made, this
   one was interrupted: service_erase_load gives it back, to be made. It must be closed in any case. */
uint64_t service_erased(const service *self);
service_code service_erase_load(store *log, uint64_t record, service_erase **out, service_error *err);
/* For as long as this process lives: the last ones that were asked for. */
void service_erase_remember(service *self, const service_erase *what);
bool service_erase_was_asked(const service *self, const service_erase *what);

/* ---- limits ---- */

typedef struct service_limits {
    uint64_t campaigns; /* live ones; SERVICE_LIMIT beyond that                                           */
    uint64_t rosters;   /* SERVICE_LIMIT beyond that                                                      */
    uint64_t cells;     /* numbers in the tables of a campaign or roster; SERVICE_LIMIT                   */
    uint64_t events;    /* open events of a campaign; SERVICE_QUOTA                                       */
    uint64_t bytes;     /* memory of a campaign; SERVICE_LIMIT when created, SERVICE_QUOTA when it decides.
                           Also of all rosters together; SERVICE_LIMIT when one is created                */
    uint64_t archived;  /* memory of all archived campaigns; SERVICE_LIMIT when one is created beyond that */
} service_limits;

typedef enum service_quota {
    SERVICE_QUOTA_CAMPAIGNS,
    SERVICE_QUOTA_ROSTERS,
    SERVICE_QUOTA_CELLS,
    SERVICE_QUOTA_EVENTS,
    SERVICE_QUOTA_BYTES,
    SERVICE_QUOTA_ARCHIVED,
    SERVICE_QUOTAS
} service_quota;

/* For what is asked from now on; 0: no limit, as before the first call. */
void service_limit(service *self, const service_limits *limits);
const service_limits *service_limits_of(const service *self);
/* Requests refused for it, since the service was opened. */
uint64_t service_refused(const service *self, service_quota which);
/* Memory of a campaign, about. */
uint64_t service_campaign_bytes(const service_campaign *campaign);
/* Memory that archived campaigns keep, about: their descriptions, names and figures. */
uint64_t service_archived_bytes(const service *self);
/* Memory that campaigns let go of since the last call, about: the heap may hold it still. */
uint64_t service_let_go(service *self);

/* ---- counters ---- */

typedef struct service_counts {
    uint64_t decisions, repeated;         /* new ones; answered again                          */
    uint64_t how[SERVICE_FALLBACK + 1];   /* decisions by service_how                          */
    uint64_t rewards[SERVICE_STATUSES];   /* by status                                         */
    uint64_t learnt, defaulted, unlearnt; /* events learnt; with the default; closed without   */
    uint64_t crowded;                     /* events closed early because of events_most        */
    uint64_t clipped;                     /* joined rewards with which a sum left the range    */
    uint64_t forgotten;                   /* decisions of ids that had been forgotten          */
    uint64_t unacted;                     /* events closed before it was said what they did    */
    uint64_t observed;                    /* decisions of others that were watched             */
    uint64_t episodes;                    /* started                                           */
    uint64_t alarms[2];                   /* of these by alarms: of contexts, of rewards       */
    uint64_t open, remembered;            /* events waiting; closed ones still known: gauges   */
    double reward;                        /* sum of learnt rewards, mapped to [0, 1]           */
} service_counts;

/* Of one campaign, or of all (campaign NULL). repeated is of this process alone: it makes no record. */
void service_count(const service *self, const service_campaign *campaign, service_counts *out);

/* ---- the log for people and programs ---- */

typedef enum service_format { SERVICE_LINES, SERVICE_DSJSON } service_format;

/* Appends the events of a campaign (NULL: of all, SERVICE_LINES only) after record `after`, at most `most` lines and a
   bounded number of records and bytes per call, but whole records. *next: give it as `after` of the next call; equal to
   `after` at the end of the log. SERVICE_LINES: one JSON object per record that concerns the campaign. SERVICE_DSJSON:
   one line per event once its reward is learnt, as Vowpal Wabbit's --dsjson reads it. The store is the caller's own
   reader. */
service_code service_events(const service *self, store *log, const service_campaign *campaign, uint64_t after,
                            size_t most, service_format format, common_text *out, uint64_t *next, service_error *err);

/* The same for a caller that must not wait for a disk: from rows in memory. Where a row is not among them, *missing is
   the record whose row is to be read, by service_rows_read, before the next call; else 0. *next equal to `after` and
   nothing missing: the log ends. A record that makes very many lines may be appended in parts, by calls with the same
   `after`: *missing is its number, and service_rows_are_inside until all of it is there. */
typedef struct service_rows service_rows;
service_code service_events_from(const service *self, service_rows *rows, const service_campaign *campaign,
                                 uint64_t after, size_t most, service_format format, common_text *out, uint64_t *next,
                                 uint64_t *missing, service_error *err);
/* NULL: out of memory. */
service_rows *service_rows_create(void);
void service_rows_free(service_rows *self);
bool service_rows_are_inside(const service_rows *self);
/* Reads the row that holds the record, or the first after it, and some that follow; older ones may go. Needs no
   service: another thread may call it, with a store of its own, while nobody else uses these rows. */
service_code service_rows_read(service_rows *self, store *log, uint64_t number, service_error *err);

/* ---- audit ---- */

typedef struct service_audited {
    uint64_t records, decisions, rewards, snapshots; /* checked */
    uint64_t dropped,
        base;        /* records up to `dropped` are gone, and the state after `base` was taken for granted; 0: none */
    uint64_t erased; /* rows of which something was erased */
    uint64_t number; /* of the record where something differs, 0: nothing does */
    char campaign[SERVICE_NAME_MOST + 1], event[SERVICE_ID_MOST + 1], field[32]; /* where, "" if not known  */
    store_head head;      /* of the log: to be kept elsewhere, and expected another time */
    uint64_t signed_rows; /* that carry a MAC, dropped ones included */
    uint64_t macs;        /* of rows that are in the log: they fit the key, where one was given */
} service_audited;

/* All of it may be NULL. */
typedef struct service_auditing {
    const store_key *key;                              /* rows must be signed with it, all from the first one that is */
    const store_head *expect;                          /* the head that the log had after some record                 */
    bool (*progress)(void *context, uint64_t records); /* false stops                        */
    void *context;
} service_auditing;

/* Replays the whole log from its first record: every checksum and MAC, and every expert, action, propensity, status and
   learnt reward derived anew; snapshots compared with the state they stand for; the end with the high-water mark.
   SERVICE_DAMAGED and a sentence at the first difference. how may be NULL. */
service_code service_audit(store *log, const service_auditing *how, service_audited *out, service_error *err);

#endif
