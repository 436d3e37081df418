/*
 * service_internal.h: what the files of service/ share: records, campaigns and their events, and the steps from a
 * request to a changed state.
 *
 *   request --check--> record --apply--> state        live; the record also goes into the batch
 *   log --decode--> record --apply--> state           when a service is opened or audited
 */
#ifndef ROSTER_SERVICE_INTERNAL_H
#define ROSTER_SERVICE_INTERNAL_H

#include "service.h"

#include "arena.h"
#include "common_error.h"
#include "common_hash.h"
#include "event_menu.h"
#include "event_scan.h"
#include "event_table.h"
#include "experiment_build.h"
#include "grow.h"
#include "json_node.h"
#include "log_record.h"
#include "log_retain.h"
#include "name_table.h"
#include "warm_start.h"

#include <math.h>

#define SERVICE_MICRO INT64_C(1000000) /* microseconds in a second */

enum {
    SERVICE_CLOSE_MOST = 4096,    /* events that one close record settles                          */
    SERVICE_EPISODES_LIVE = 64,   /* episodes of a campaign that may have agents at the same time  */
    SERVICE_EPISODES_KEPT = 100,  /* closing figures of episodes that are kept                     */
    SERVICE_SCHEDULE_MOST = 100,  /* times of a schedule                                           */
    SERVICE_ALARMS_KEPT = 20,     /* alarms that are told                                          */
    SERVICE_WATCHED_MOST = 100000 /* contexts x actions of a campaign that alarms restart          */
};

/* ---- service_code.c ---- */

service_code service_no_memory(service_error *err);
/* A sentence of the library, of experiment/ or of the store, as `code`; lack of memory stays what it is. */
service_code service_pass(const roster_error *from, service_code code, service_error *err);

/* ---- the state ---- */

typedef struct service_roster {
    uint32_t number;
    common_arena memory;     /* owns what is borrowed below         */
    const char *name, *text; /* text: as in its record              */
    size_t n, x, v;
    const char *const *contexts, *const *actions, **experts_names;
    roster_experts *experts; /* owned; NULL: known from samples alone */
    uint64_t *counts;        /* owned, [n][x][v] */
    uint64_t samples;
} service_roster;

typedef struct service_time {
    int32_t second; /* of the day, UTC   */
    uint8_t days;   /* bit 0: Monday     */
} service_time;

typedef struct service_rules {
    double low, high, otherwise; /* otherwise: the default reward, raw; NAN: none */
    int64_t wait, remember;      /* microseconds */
    uint64_t events_most;        /* open and remembered together */
    enum { SERVICE_COMBINE_FIRST, SERVICE_COMBINE_SUM, SERVICE_COMBINE_MAX } combine;
    bool at_close;
    uint64_t rounds; /* of an episode; 0: no rule */
    service_time times[SERVICE_SCHEDULE_MOST];
    size_t n_times;
} service_rules;

/* Contexts, or the rewards of a cell, have changed. */
typedef struct service_alarm {
    uint8_t why;              /* SERVICE_CONTEXTS or SERVICE_REWARDS           */
    uint8_t changed;          /* ROSTER_CONTEXTS_CHANGED, .._REWARDS_.., both  */
    uint32_t episode;         /* that it ends                                  */
    uint32_t context, action; /* where it shows most; action of rewards alone  */
    uint64_t rounds;          /* that the episode had learnt                   */
    double before, after;     /* the mean reward there, or the context's share */
    int64_t at;               /* when the next episode began                   */
} service_alarm;

typedef struct service_episode_state service_episode_state;
typedef struct service_watch service_watch;
/* How of an event that was observed; beside service_how. */
enum { SERVICE_OBSERVED = SERVICE_FALLBACK + 1 };

struct service_episode_state {
    uint32_t number;
    uint8_t reason, prior;
    int64_t at;
    uint64_t decisions, open, learnt;
    double reward;                 /* sum of what was learnt                                       */
    double *p;                     /* owned: frequencies it started with; NULL unless prior is SEEN */
    uint64_t *counts;              /* owned: samples it started with; NULL unless estimated         */
    roster_experts *made;          /* owned: of the counts                                          */
    const roster_experts *experts; /* that act: made, or the campaign's                       */
    roster_agent *agent;           /* owned; NULL: it cannot be made of what is known, or the episode is over */
    uint64_t *plays;               /* owned, [n]; of the present episode                            */
    uint64_t *waiting;             /* owned, [n]: open events of each expert                        */
    uint64_t agent_bytes;          /* that the agent's state takes, when it was last counted        */
    uint64_t count_again;          /* when so much was learnt                                       */
    roster_experts *acting;        /* owned: of estimates, as tables by which they act here; NULL: experts */
    roster_evidence *evidence;     /* owned, of what the agent learns; NULL: there is none          */
    roster_model_test *model;      /* owned, likewise                                               */
    roster_evidence *own;          /* owned, likewise: from each expert's own decisions alone       */
    size_t suspects;               /* experts that the model test has rejected                      */
    size_t witnesses;              /* experts whose events the evidence has learnt                  */
    roster_alarms *watch;          /* owned; NULL: not the present one, or alarms begin no episodes */
    service_alarm alarm;           /* raised by what was learnt; `why` 0: none                      */
    service_watch *shadow;         /* owned: of what production does; NULL: it was not watched      */
};

/* What stays of an episode. */
typedef struct service_past {
    uint32_t number;
    uint8_t reason, prior;
    int64_t at;
    uint64_t decisions, learnt;
    double reward;
} service_past;

typedef struct service_names {
    name_table table;    /* empty: closed                                                    */
    const char **quoted; /* owned, in the block: as JSON strings; NULL: not wanted           */
    char *block;         /* owned                                                            */
    size_t bytes;        /* of what is quoted                                                */
} service_names;

/* What is told of an expert, and stays when its campaign is archived. */
typedef struct service_closed {
    uint64_t plays;
    double index;
    roster_insight insight;
    double value, low, high; /* of its mean reward, and the interval at the campaign's level */
    double worse;            /* by which it is worse than the leader at least; NAN: not known */
    bool excluded;           /* it is not the best, at the campaign's level                   */
} service_closed;

/* What is known of all experts together. */
typedef struct service_known {
    size_t leader;              /* n: none */
    bool known;                 /* it is the best, at the campaign's level */
    double margin;              /* by which its value is ahead of the next */
    double left_low, left_high; /* rewards until it is known, about; INFINITY: cannot be told */
    double lost;                /* what its values say that other experts' decisions cost, about */
} service_known;

struct service_campaign {
    uint32_t number;
    bool archived;                  /* takes no more requests                                              */
    bool freed;                     /* and all windows are closed: no agents, experts and events any more  */
    uint64_t digest, stream_digest; /* of the description without seed and stream; of the stream */
    bool exceeded;                  /* while it is read: tables of more numbers than the limit             */
    size_t fixed_bytes;
    common_arena memory;     /* of what goes when the campaign is freed */
    common_arena kept;       /* of what stays: name and text            */
    const char *name, *text; /* in `kept` */
    const char *shown;       /* the text without the rows of a warm start; where there are none, the text itself */
    size_t text_size, shown_size;
    uint64_t archived_bytes; /* memory that it took when it was archived */
    roster_kind kind;
    size_t n, x, v, d; /* x is 0 where experts act elsewhere and no sample of contexts is known; v is 1 where open */
    bool open;         /* the campaign lists no actions: they come with requests                                  */
    service_names contexts, actions, experts_names;
    roster_experts *own;             /* owned; NULL: the roster's, or none              */
    const service_roster *roster;    /* borrowed; NULL: experts are the campaign's own  */
    const roster_agent_info *agent;  /* borrowed from the library, as described         */
    const roster_agent_info *chosen; /* of a freed campaign: the last one at work; NULL: none */
    const roster_setting *settings;
    warm_start warm;     /* what the agent of the first episode knows before it; n 0: nothing; rows go with `memory` */
    service_prior prior; /* as described */
    const double *p;     /* declared; NULL otherwise */
    double level;        /* of intervals and of what is said to be known */
    bool restart;        /* alarms begin episodes */
    service_rules rules;
    uint64_t seed, draws; /* draws: what random numbers and ids are keyed by */
    /* What changes: */
    service_episode_state *episodes; /* owned, [n_episodes]: live ones, the present one last */
    size_t n_episodes, episodes_room;
    service_past past[SERVICE_EPISODES_KEPT]; /* the last ones, by number modulo */
    uint64_t *seen;                           /* owned, [x]: decisions per context; NULL unless tables */
    uint64_t issued;                          /* largest number that was given out as an id */
    int64_t next;                             /* when the schedule starts the next episode; INT64_MAX: never */
    uint32_t pin, fall_back;                  /* UINT32_MAX: none */
    bool paused;
    bool shadow;     /* it decides nothing, and watches */
    double *caps;    /* owned, [n]; NULL: none is capped; 1: not capped */
    size_t upcoming; /* episodes that are being prepared: they read `own` */
    service_table table;
    service_table joined; /* named rewards that were added up, while their events may be open */
    service_forgotten forgotten;
    service_counts counts;
    service_alarm alarms[SERVICE_ALARMS_KEPT]; /* the last ones, by number modulo */
    service_retain retain;
    service_past last;      /* of a freed campaign: its last episode */
    service_closed *closed; /* owned, [n]: of a freed campaign      */
    double *scratch;        /* owned: [max(n, v)], for one call */
    uint32_t *order;        /* owned: [n], likewise             */
};

struct service {
    service_campaign **campaigns; /* owned, by number */
    size_t n_campaigns, campaigns_room, n_live;
    size_t ticked;              /* the campaign that was looked at last */
    service_campaign *prepared; /* borrowed while it is admitted; NULL: a record's text is read */
    service_roster *prepared_roster;
    service_limits limits;
    uint64_t refused[SERVICE_QUOTAS];
    uint64_t kept_bytes;      /* memory of freed campaigns */
    uint64_t let_go;          /* memory that campaigns let go of, since it was last asked */
    uint64_t dropped, erased; /* the last record that was dropped from the log, the last erase record; 0: none */
    service_asked asked;
    uint64_t pace;            /* nanoseconds that may still be spent on settling; UINT64_MAX: no bound */
    service_roster **rosters; /* owned, by number */
    size_t n_rosters, rosters_room;
    name_table by_name;                 /* campaigns */
    uint64_t last, committed, snapshot; /* numbers of records: applied, durable, in the last snapshot */
    uint64_t snapshot_every;            /* records between snapshots */
    int64_t now;                        /* largest time seen */
    service_bytes batch, frozen;
    uint64_t frozen_count;
    bool failed;
    char why[480]; /* a commit failed */
    service_parts parts;
    service_scan *scan; /* owned */
    service_menu menu;
    bool verify;        /* records are derived anew and compared: the audit */
    uint64_t secret[2]; /* of service_key_place; no part of the state */
    const char *field;  /* what differed */
};

/* Not where it was observed and nobody knows how likely its action was. */
static inline bool service_teaches(const service_event *event)
{
    return event->how != SERVICE_OBSERVED || event->propensity > 0;
}

/* ---- log_apply.c ---- */

/* Time never goes back. */
int64_t service_clock(service *self, int64_t now);
/* Refuses where the log cannot be written or the campaign is archived. */
service_code service_ready(const service *self, const service_campaign *campaign, service_error *err);
/* Applies the record and puts it into the batch; on failure neither. Sets its number. */
service_code service_do(service *self, service_record *record, service_error *err);
/* Applies alone. */
service_code service_apply(service *self, service_record *record, service_error *err);
/* "record 12 (decide): expert is 3, must be 2"; field for the audit. SERVICE_DAMAGED. */
service_code service_differs(service *self, const char *field, service_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* One apply per kind; on failure nothing has changed. */
service_code service_apply_campaign(service *self, service_record *record, service_error *err);
service_code service_apply_archive(service *self, service_campaign *c, service_record *record, service_error *err);
service_code service_apply_roster(service *self, service_record *record, service_error *err);
service_code service_apply_samples(service *self, service_record *record, service_error *err);
/* Of decide and of choose records. */
service_code service_apply_decide(service *self, service_campaign *c, service_record *record, service_error *err);
service_code service_apply_observed(service *self, service_campaign *c, service_record *record, service_error *err);
service_code service_apply_acted(service *self, service_campaign *c, service_record *record, service_error *err);
service_code service_apply_reward(service *self, service_campaign *c, service_record *record, service_error *err);
service_code service_apply_clock(service *self, service_record *record, service_error *err);
/* record->n is how many were settled, also where memory ran out on the way. */
service_code service_apply_close(service *self, service_campaign *c, service_record *record, service_error *err);
service_code service_apply_episode(service *self, service_campaign *c, service_record *record, service_error *err);
service_code service_apply_drop(service *self, service_record *record, service_error *err);
service_code service_apply_control(service *self, service_campaign *c, service_record *record, service_error *err);

/* ---- campaign.c, campaign_read.c, campaign_experts.c ---- */

/* A campaign from its description: definition only, no state. */
service_code service_campaign_read(const service *self, const char *json, size_t size, service_campaign **out,
                                   service_error *err);
int service_campaign_experts(service_campaign *c, size_t cells_most, const common_node *root, roster_error *err);
void service_campaign_free(service_campaign *c);
/* The figures of the experts as they are now, [n]; NULL: no memory. The caller frees them. */
service_closed *service_figures_take(const service_campaign *c);
/* What they say together: of a live campaign with how long it takes to know. */
service_known service_know(const service_campaign *c, const service_closed *figures);
/* Lets go of all but the description, the names and the figures. */
void service_campaign_empty(service *self, service_campaign *c);
/* Frees its experts and all that episodes are made of, once it is freed and none is being prepared from them. */
void service_campaign_drop_own(service_campaign *c);
/* Closes what is open of an archived campaign, as far as the pace allows, and then frees it. */
service_code service_archive_on(service *self, service_campaign *c, int64_t now, service_error *err);
/* Takes a whole campaign into the list, as the next number. */
service_code service_campaign_add(service *self, service_campaign *c, service_error *err);
/* "name" of a campaign or roster: SERVICE_NAME_MOST letters, digits, . _ - and no dot first. Copied
   into the memory, or borrowed from the document where that is NULL. */
int service_read_name(const common_node *root, common_arena *memory, const char **out, roster_error *err);

/* ---- campaign_rules.c ---- */

int service_rules_read(service_rules *self, const common_node *root, roster_error *err);
/* The first time after `at` that the schedule names; INT64_MAX: none. */
int64_t service_rules_next(const service_rules *self, int64_t at);
/* A raw reward as a number in [0, 1]. */
double service_rules_map(const service_rules *self, double raw);

/* ---- campaign_names.c ---- */

bool service_names_make(service_names *self, const char *const *names, size_t n, bool quoted);
void service_names_free(service_names *self);
/* No name is looked up any more; as JSON strings they stay. */
void service_names_close(service_names *self);

/* ---- rosters.c ---- */

const service_roster *service_roster_find(const service *self, const char *name, size_t size);
service_code service_roster_read(const char *text, size_t size, size_t cells_most, service_roster **out, bool *exceeded,
                                 service_error *err);
void service_roster_free(service_roster *roster);
/* Counts as experts, never NULL on success. */
service_code service_roster_made(const service_roster *roster, const uint64_t *counts, roster_experts **out,
                                 service_error *err);

/* ---- campaign_episode.c ---- */

static inline service_episode_state *service_present(const service_campaign *c)
{
    return &c->episodes[c->n_episodes - 1];
}
service_episode_state *service_episode_find(const service_campaign *c, uint32_t number);
/* Whether the experts are known from samples alone. */
bool service_is_estimated(const service_campaign *c);
/* What a new episode starts from, without experts and agent, for service_episode_make; counts: of the roster's samples,
   NULL: as they are. */
service_code service_episode_take(const service_campaign *c, service_reason reason, const uint64_t *counts, int64_t at,
                                  service_episode_state *out, service_error *err);
/* Both: an episode that is not yet the campaign's. */
service_code service_episode_draft(service_campaign *c, service_reason reason, const uint64_t *counts, int64_t at,
                                   service_episode_state *out, service_error *err);
/* Makes it the present one; it is the campaign's then. */
void service_episode_begin(service_campaign *c, const service_episode_state *draft);
/* When the record is made that the present one begins with. */
void service_episode_date(service_campaign *c, int64_t at);
/* All of them go. */
void service_episodes_free(service_campaign *c);
/* Whether no episode may begin yet, since there are many and the oldest has many open events, which ticks close. */
bool service_episode_waits(const service_campaign *c);
/* The refusal while that is so. */
service_code service_episode_busy(const service_campaign *c, service_error *err);
/* Whether one is due, by the clock or by rounds, and why. */
bool service_episode_is_due(const service_campaign *c, int64_t now, service_reason *why);
/* Whether it can begin at once: what is open in the oldest of many can be closed at the present pace. */
bool service_episode_fits(const service *self, const service_campaign *c);
/* What is told of it. */
service_past service_episode_figures(const service_episode_state *e);
/* Starts it. The draft is used up, whatever happens; NULL: one is made. */
service_code service_episode_start(service *self, service_campaign *c, service_reason reason, int64_t now,
                                   service_episode_state *draft, service_error *err);
/* The agent and experts of an episode from p and counts, which it has. No agent is no error where that is what the
   data allow. Of the campaign only what never changes is read, so that any thread may call it. */
service_code service_episode_make(const service_campaign *c, service_episode_state *episode, service_error *err);
void service_episode_free(service_episode_state *episode);
/* Counts the memory of its agent, where enough was learnt since it was last counted. */
void service_episode_weigh(service_episode_state *episode);
/* Past episodes without open events go; their figures stay. */
void service_episode_sweep(service_campaign *c);

/* ---- campaign_evidence.c ---- */

/* Evidence, model test and alarms of an episode that has experts, as far as these allow. */
int service_evidence_make(const service_campaign *c, service_episode_state *e, roster_error *err);
void service_evidence_free(service_episode_state *e);
/* What learning the first event of expert k would allocate, so that agent and evidence learn both or neither. */
int service_evidence_prepare(const service_campaign *c, service_episode_state *e, size_t k, roster_error *err);
int service_evidence_learn(const service_campaign *c, service_episode_state *e, const roster_event *event,
                           roster_error *err);
/* Experts that fail the test of the model stand alone. */
void service_evidence_doubt(const service_campaign *c, service_episode_state *e);
/* After it was loaded. */
void service_evidence_count(const service_campaign *c, service_episode_state *e);
uint64_t service_evidence_bytes(const service_campaign *c, const service_episode_state *e);
/* Nanoseconds of learning an event, about. */
uint64_t service_evidence_cost(const service_episode_state *e, size_t n);
/* What is known of expert k. */
void service_evidence_fill(const service_episode_state *e, size_t k, service_closed *to);
/* Events of the present episode that the intervals rest on. */
uint64_t service_evidence_rounds(const service_campaign *c);
/* "model": {..} */
void service_model_json(const service_campaign *c, common_text *out);

/* ---- campaign_alarm.c ---- */

/* What watches an episode. */
int service_alarm_make(const service_campaign *c, service_episode_state *e, roster_error *err);
/* Looks at what is about to be learnt; allocates nothing. */
int service_alarm_learn(const service_campaign *c, service_episode_state *e, const roster_event *event,
                        roster_error *err);
/* An episode that an alarm begins goes on with what the agent before it knows and still holds, with its
   watch and, where contexts alone have changed, with its test of the model. */
service_code service_alarm_inherit(const service_campaign *c, service_episode_state *e, uint64_t run,
                                   service_error *err);
/* Only the present episode is watched. */
void service_alarm_end(service_episode_state *e);
/* The alarm of the present episode begins the next one. */
void service_alarm_note(service_campaign *c, int64_t at);
/* "alarms": [..], the last ones. */
void service_alarms_json(const service_campaign *c, common_text *out);

/* ---- campaign_limits.c ---- */

/* Memory that the campaign keeps for good, once it is freed. */
uint64_t service_campaign_kept(const service_campaign *c);
service_code service_limits_admit(service *self, const service_campaign *c, service_error *err);
service_code service_limits_admit_roster(service *self, const service_roster *r, service_error *err);
/* SERVICE_LIMIT, the sentence of a reader that found more than `most` numbers, and what can be done. */
service_code service_limits_cells(const roster_error *wrong, uint64_t most, service_error *err);
service_code service_limits_decide(service *self, const service_campaign *c, service_error *err);

/* ---- service_words.c: what enums are called in JSON ---- */

const char *service_reason_word(unsigned reason);
const char *service_prior_word(unsigned prior);

#include "event_internal.h"

/* ---- service.c ---- */

/* An empty service. */
service_code service_create(service **out, service_error *err);

/* ---- log_replay.c ---- */

/* Applies the records of a row from number `from` on. */
service_code service_replay_row(service *self, const store_row *row, uint64_t from, service_error *err);

/* ---- log_snapshot.c ---- */

service_code service_restore(service *self, const void *bytes, size_t size, service_error *err);
/* Whether it has the present form. Others are passed over and the log is replayed, unless that is gone. */
bool service_snapshot_is_current(const void *bytes, size_t size);

/* ---- service_body.c: bodies of requests that are read as a tree ---- */

service_code service_check_depth(const char *text, size_t size, const char *what, service_error *err);
/* Checks that, and reads; *out is for the caller to release. `what` it is, for the sentence. */
service_code service_load_body(json_t **out, const char *text, size_t size, const char *what, service_error *err);

#endif
