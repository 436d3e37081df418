/*
 * log.h: logs of what was served, in any format, as one stream of events.
 */
#ifndef ROSTER_LOG_H
#define ROSTER_LOG_H

#include "log_labels.h"

#include <roster.h>

/* What a column of a log says. */
typedef enum log_role {
    LOG_ACTION,
    LOG_REWARD,
    LOG_COST,
    LOG_PROPENSITY,
    LOG_EXPERT,
    LOG_TIME,
    LOG_ID,
    LOG_DROP,
    LOG_COUNT,   /* of a tally: events that a line stands for,  */
    LOG_SUM,     /* the sum of their rewards,                   */
    LOG_SQUARES, /* and of the squares of these                 */
    LOG_BY,      /* the segment                                 */
    LOG_NAMED,   /* roles before this one are guessed and named by options of their own */
    LOG_CONTEXT = LOG_NAMED,
    LOG_FEATURE,
    LOG_POLICY_PROBABILITY, /* pi_NAME */
    LOG_POLICY_ACTION       /* a_NAME  */
} log_role;

extern const char *const log_role_names[LOG_NAMED];
/* Whether such a column is known by its text, be that a number or not. */
bool log_is_label(log_role role);

/* A column in memory: one of `numbers`, `wholes` and `codes` is there. Borrowed. */
typedef struct log_array {
    const char *name;
    const double *numbers;
    const int64_t *wholes;
    const int32_t *codes;   /* of texts; below 0: there is none                                        */
    const char *texts;      /* NUL-terminated, one behind the other                                    */
    const uint64_t *starts; /* where each begins in `texts`, and behind the last where one more would */
} log_array;

/* A log in memory. Borrowed. */
typedef struct log_table {
    const log_array *columns;
    size_t n_columns;
    uint64_t rows;
} log_table;

/* Which columns are what, as the caller names them; NULL: guessed from the header. Borrowed. */
typedef struct log_wishes {
    const char *format;     /* a name of log_format_names; NULL: recognised */
    const log_table *table; /* takes the place of files; NULL: there is none */
    const char *columns[LOG_NAMED];
    const char *const *contexts, *const *features;
    size_t n_contexts, n_features;
} log_wishes;

/* An event, valid until the next is read. */
typedef struct log_event {
    uint64_t line;                             /* of a file, from 1; of a table its row, from 0             */
    uint32_t context, action, expert, segment; /* numbers of labels; LOG_NONE: not said (context: 0)      */
    double propensity;                         /* NAN: not logged                                           */
    double reward;                             /* of a tally's line: the mean of its rewards                */
    double squares;                            /* the same of their squares                                 */
    double count;                              /* events it stands for: 1, but for tallies                  */
    double drop;                               /* rate at which events like it were left out of the log     */
    size_t n_choices;                          /* actions there were to choose from; 0: not said            */
    const uint32_t *choices;                   /* their labels; NULL: not said                              */
    const double *probabilities;               /* of all choices; NULL: not said                            */
    const double *policies;                    /* of each column of a policy: a probability, or an action's number */
    const double *features;
    const char *time, *id; /* NULL: not said */
} log_event;

typedef struct log_policy {
    const char *name;
    bool is_action; /* a_NAME, else pi_NAME */
} log_policy;

/* For people: how the columns were understood. */
typedef struct log_column {
    log_role role;
    const char *name;
    bool guessed;
} log_column;

typedef struct log_reader log_reader;

/* Called with every damaged line. */
typedef void (*log_damage)(void *context, const char *title, uint64_t line, const char *reason);

/* The paths, or the table of the wishes, one log; the first is opened. Everything is borrowed. */
int log_open(log_reader **out, const char *const *paths, size_t n, const log_wishes *wishes, roster_error *err);
void log_close(log_reader *self);
void log_on_damage(log_reader *self, log_damage call, void *context);
/* 1: an event; 0: the end; -1: it cannot be read on, *err says why. Damaged lines are counted and passed over. */
int log_next(log_reader *self, log_event *event, roster_error *err);

/* Where the event just read stands, as sentences name it: "log.csv:17", of a table "row 16". */
const char *log_place(const log_reader *self, const log_event *event, char *text, size_t size);
/* The event just read is damaged after all. */
void log_report(log_reader *self, const log_event *event, const char *reason);

const char *log_format_name(const log_reader *self);
/* Whether a column, or the format itself, says it. */
bool log_has(const log_reader *self, log_role role);
/* Whether every event says which actions there were to choose from. */
bool log_tells_choices(const log_reader *self);
bool log_is_tally(const log_reader *self);
size_t log_columns(const log_reader *self, const log_column **columns);
size_t log_policies(const log_reader *self, const log_policy **policies);
/* Labels so far. */
log_labels *log_contexts(log_reader *self);
log_labels *log_actions(log_reader *self);
log_labels *log_experts(log_reader *self);
log_labels *log_segments(log_reader *self);
uint64_t log_lines(const log_reader *self);
uint64_t log_damaged(const log_reader *self);
uint64_t log_passed_over(const log_reader *self); /* events without an outcome, or not to be learnt from */
uint64_t log_bytes(const log_reader *self);       /* of the files, so far */

/* What `--format` takes, ends with NULL. */
extern const char *const log_format_names[];

#endif
