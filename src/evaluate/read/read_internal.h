/*
 * read_internal.h: what the readers of single formats share.
 */
#ifndef ROSTER_READ_INTERNAL_H
#define ROSTER_READ_INTERNAL_H

#include "common_error.h"
#include "common_text.h"
#include "csv_reader.h"
#include "log.h"
#include "log_input.h"
#include "log_number.h"

typedef enum log_status { LOG_EVENT, LOG_DAMAGED, LOG_PASSED, LOG_END, LOG_FAILED } log_status;

/* A column that is read. */
typedef struct log_slot {
    log_role role;
    const char *name; /* owned by the log                    */
    bool guessed;
    size_t column; /* of a CSV file; of a policy also `place` */
    size_t place;  /* among the columns of policies or features */
} log_slot;

enum { LOG_SLOTS = 256, LOG_CHOICES = 65536 };

/* One format. All functions but `fits` may be called for several files in a row. */
typedef struct log_format {
    const char *name;
    bool (*fits)(const char *head, size_t size); /* whether a file that begins so is of this format */
    int (*begin)(log_reader *self, roster_error *err);
    log_status (*next)(log_reader *self, log_event *event, roster_error *err);
} log_format;

extern const log_format log_csv, log_tsv, log_obd, log_jsonl, log_dsjson, log_vw, log_roster, log_in_memory;

struct log_reader {
    const char *const *paths; /* borrowed */
    size_t n_paths, at;
    log_wishes wishes;
    const log_format *format;
    bool format_known; /* by an earlier file, or named */
    log_input *input;  /* owned; NULL: no file is open */
    log_damage on_damage;
    void *damage_context;
    uint64_t lines, damaged, passed, bytes_before;
    char reason[240]; /* of LOG_DAMAGED */
    common_arena arena;
    log_labels contexts, actions, experts, segments;
    /* columns */
    log_slot slots[LOG_SLOTS];
    size_t n_slots, n_fields, n_features;
    bool planned; /* slots are there */
    bool tally, has_action;
    log_column columns[LOG_SLOTS];
    log_policy policies[LOG_SLOTS];
    size_t n_policies;
    double policy_values[LOG_SLOTS], feature_values[LOG_SLOTS];
    common_text joined; /* context of several columns */
    double cost, sum;
    /* readers */
    csv_reader *csv;    /* owned */
    uint64_t next_row;  /* of a table */
    char digits[3][32]; /* numbers of a table as labels: others, time, id */
    common_text line;   /* of formats by line */
    size_t line_at, line_end;
    bool line_ended;
    uint64_t line_number;
    bool adf;         /* events of Vowpal Wabbit have several lines */
    common_text keep; /* what an event's pointers point to */
    struct log_pending *pending;
    uint32_t *choices; /* owned, [2 LOG_CHOICES], the second half to sort in; NULL until needed */
    double *probabilities;
};

/* What is read, as sentences name it. */
const char *log_title(const log_reader *self);
/* Fills self->reason; returns LOG_DAMAGED. */
log_status log_damage_at(log_reader *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Decisions of a service that wait for their reward (log_roster.c); NULL is fine. */
void log_pending_free(struct log_pending *self);
/* How many wait. */
size_t log_pending_count(const struct log_pending *self);

/* No file may be named twice (log_paths.c). */
int log_check_paths(const char *const *paths, size_t n, roster_error *err);

/* ---- lines (log_lines.c) ---- */

void log_lines_begin(log_reader *self);
/* The next line without its end, NUL-terminated; LOG_EVENT: there is one. */
log_status log_line_next(log_reader *self, char **line, size_t *size);

/* ---- columns (log_columns.c) ---- */

/* Which of the names are what: fills the slots. */
int log_plan(log_reader *self, const char *const *names, size_t n, roster_error *err);
/* A file after the first: the same columns, perhaps in another order. */
int log_find_again(log_reader *self, const char *const *names, size_t n, roster_error *err);

/* ---- from fields to an event (log_fields.c) ---- */

void log_event_begin(log_reader *self, log_event *event);
/* One field; LOG_EVENT: it was taken. */
log_status log_take_text(log_reader *self, const log_slot *slot, const char *text, size_t size, log_event *event);
log_status log_take_number(log_reader *self, const log_slot *slot, double number, log_event *event);
/* When all fields are taken. */
log_status log_event_end(log_reader *self, log_event *event);
/* A label of an action. */
log_status log_take_action(log_reader *self, const char *text, size_t size, log_event *event);
/* LOG_EVENT: the number is a probability other than 0. */
log_status log_check_propensity(log_reader *self, double p);
bool log_make_choices(log_reader *self);
/* A text of the log as a sentence can show it. */
const char *log_shown(const char *text, size_t size, char *buf, size_t room);

#endif
