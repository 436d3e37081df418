/*
 * experiment.h: from an experiment file (JSON) to studies that the library can run.
 *
 * A file describes one instance, or with a sweep several that differ in one place: its cases.
 */
#ifndef ROSTER_EXPERIMENT_H
#define ROSTER_EXPERIMENT_H

#include <roster.h>

/* One entry of "agents". Everything is owned by the experiment. */
typedef struct experiment_agent {
    const char *label; /* for tables and plots: "label" of the file, else the agent's name; unique in the file */
    const char *name;
    const roster_setting *settings; /* ends with {NULL, 0, NULL}                  */
    uint64_t samples;               /* of estimates, per expert; 0: theory, or none where experts are learnt */
    bool estimated;                 /* experts are learnt, or known from samples  */
    roster_sampling sampling;
} experiment_agent;

typedef struct experiment_case {
    const char *title; /* "count = 64"; "" without a sweep */
    double value;      /* of the sweep; 0 without          */
    roster_experts *experts;
    size_t n_episodes;
    roster_episode *episodes; /* their worlds are owned by the case                       */
    double **probabilities;   /* [n_episodes]: the X context probabilities of each episode */
    experiment_agent *agents; /* [n_agents]                                               */
    roster_study *studies;    /* [n_agents]: what to hand to roster_contest_run           */
} experiment_case;

/* What the command line sets in place of the file. */
typedef struct experiment_changes {
    uint64_t runs;        /* 0: as in the file                                        */
    uint64_t rounds;      /* 0: as in the file; else of every episode                  */
    const uint64_t *seed; /* NULL: as in the file                                    */
    const char *agents;   /* NULL: all; else labels or names, separated by commas. Agents keep their place in the file's
                           list for whatever is drawn at random */
} experiment_changes;

typedef struct experiment {
    const char *path, *name, *description; /* description may be "" */
    const char *text;                      /* the file as JSON in one line, roster files put in: parses to the same */
    experiment_changes changes;            /* that were made; its pointers are owned too */
    size_t n_contexts, n_actions, n_agents;
    const char *const *contexts; /* names */
    const char *const *actions;
    uint64_t runs, seed;
    const char *sweep; /* what varies, for people: "count"; NULL: nothing */
    size_t n_cases;
    experiment_case *cases;
} experiment;

/* Reads, checks and builds all cases. The sentence begins with the file's name and the place in it:
   "toy.json: experts[2].table[0] sums to 0.9, must be 1", "toy.json:3:14: ..." where it is no JSON. */
int experiment_read(experiment **out, const char *path, const experiment_changes *changes, roster_error *err);
/* The same from a text; `path` stands for it in sentences, and roster files are looked for beside it. */
int experiment_parse(experiment **out, const char *text, const char *path, const experiment_changes *changes,
                     roster_error *err);
/* Whether the file is a roster (experts, and neither episodes nor agents); such a file as an experiment whose rewards
   mean nothing. */
bool experiment_is_roster(const char *path);
int experiment_read_roster(experiment **out, const char *path, roster_error *err);
void experiment_free(experiment *self);

#endif
