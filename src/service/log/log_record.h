/*
 * log_record.h: records, of which the log consists, and their bytes.
 */
#ifndef ROSTER_SERVICE_LOG_RECORD_H
#define ROSTER_SERVICE_LOG_RECORD_H

#include "event_table.h"
#include "service.h"

enum { SERVICE_VERSION = 2 }; /* of the records that are written now */

typedef enum service_kind {
    SERVICE_RECORD_CAMPAIGN = 1,
    SERVICE_RECORD_ARCHIVE,
    SERVICE_RECORD_ROSTER,
    SERVICE_RECORD_SAMPLES,
    SERVICE_RECORD_DECIDE,
    SERVICE_RECORD_REWARD,
    SERVICE_RECORD_CLOSE,
    SERVICE_RECORD_EPISODE,
    SERVICE_RECORD_CONTROL,
    SERVICE_RECORD_CLOCK,
    SERVICE_RECORD_DROP,
    SERVICE_RECORD_ERASE,
    SERVICE_RECORD_CHOOSE,   /* an expert was chosen, which acts elsewhere */
    SERVICE_RECORD_ACTED,    /* what it did there                          */
    SERVICE_RECORD_OBSERVED, /* what production did                      */
    SERVICE_RECORD_EXPERTS,
    SERVICE_KINDS
} service_kind;

/* An event whose window ended. */
typedef struct service_closing {
    uint64_t decision; /* number of its record                              */
    double reward;     /* what it earned, in [0, 1]; NAN: nothing is known  */
    uint8_t learnt;    /* whether that was learnt                           */
} service_closing;

typedef struct service_observation {
    uint32_t expert, context, action;
    uint64_t count;
} service_observation;

/* Why windows are closed. A log that was written before the third was told apart has the second in its place. */
typedef enum service_cause {
    SERVICE_CLOSE_DUE,     /* they are over                          */
    SERVICE_CLOSE_CROWDED, /* there are more events than events_most */
    SERVICE_CLOSE_EARLY    /* an episode, or the campaign, ends      */
} service_cause;

/* Why an episode begins; the last two: an alarm said that contexts or rewards have changed. */
typedef enum service_reason {
    SERVICE_FIRST,
    SERVICE_CALLED,
    SERVICE_ROUNDS,
    SERVICE_SCHEDULED,
    SERVICE_CONTEXTS,
    SERVICE_REWARDS
} service_reason;
typedef enum service_prior { SERVICE_UNIFORM, SERVICE_DECLARED, SERVICE_SEEN } service_prior;
typedef enum service_what {
    SERVICE_PIN,
    SERVICE_LEARNING,
    SERVICE_FALL_BACK,
    SERVICE_CAP,
    SERVICE_RETAIN,
    SERVICE_MODE /* its value 1: shadow */
} service_what;

/* All kinds in one; which fields count is said by encode in record.c. Pointers are borrowed. */
typedef struct service_record {
    service_kind kind;
    uint8_t version;   /* 1: of roster 0.1; 0 in a record that is made now: SERVICE_VERSION */
    uint32_t campaign; /* its number; of a roster for roster and samples  */
    int64_t at;
    uint64_t number;  /* of the record; not among the bytes              */
    service_key key;  /* decide, reward                                  */
    service_key name; /* reward: of the reward itself, with its event; 0: none */
    const char *text; /* an id that is no number; a description */
    size_t text_size;
    const char *label; /* acted: the action's name, where the campaign does not list them */
    size_t label_size;
    uint32_t episode, expert, action, context;
    uint32_t served;           /* observed: the expert that acted; UINT32_MAX: not known */
    uint8_t how, status, flag; /* flag: learnt; service_cause; has agent */
    uint8_t reason, prior, what;
    double propensity, raw, reward; /* reward: mapped, NAN where nothing was learnt; of a cap its share */
    uint64_t decision;              /* number of the decision's record, 0: none */
    int64_t shift;                  /* clock: by how much time was set back     */
    const double *numbers;          /* features, the matrix, or of one action   */
    size_t n;                       /* of numbers, closings, observations       */
    const service_closing *closings;
    const service_observation *observations;
    struct service_episode_state *draft; /* episode: what begins, made before; NULL: not yet. Not among the bytes */
} service_record;

/* A buffer that grew beyond so many bytes is given back after use: one large body or batch does not cost memory
   forever. */
enum { SERVICE_BUFFER_KEPT = 1 << 20 };

/* Bytes that grow. */
typedef struct service_bytes {
    unsigned char *data; /* owned */
    size_t used, room;
} service_bytes;

bool service_bytes_reserve(service_bytes *self, size_t more);
/* Empty again. */
void service_bytes_clear(service_bytes *self);
/* Bytes that a record takes at most. */
size_t service_record_room(const service_record *record);
/* Appends; there is room. */
void service_record_encode(const service_record *record, service_bytes *out);
/* Where variable parts of a decoded record live. */
typedef struct service_parts {
    double *numbers;
    service_closing *closings;
    service_observation *observations;
    size_t numbers_room, closings_room, observations_room;
} service_parts;

void service_parts_free(service_parts *self);
/* The record at bytes[*used], which moves on. The text is borrowed from the bytes, the rest from parts. */
service_code service_record_decode(const unsigned char *bytes, size_t size, size_t *used, service_parts *parts,
                                   service_record *out, service_error *err);
const char *service_kind_word(service_kind kind);
/* Whether records of that kind have an event_id; whether they begin an event. */
bool service_kind_has_event(service_kind kind);
bool service_kind_begins(service_kind kind);
/* Whether records of that kind are of one campaign. */
bool service_kind_has_campaign(service_kind kind);
/* The event_id of a decision or a reward, with a NUL: "#17" where the service gave it out. */
void service_record_id(const service_record *record, char out[SERVICE_ID_MOST + 1]);

#endif
