/*
 * agent.h: the one interface behind which every algorithm lives.
 *
 * An agent is a fold over events: learn() is the only function that changes what it knows. A new algorithm is one
 * file that ends with a roster_agent_type, one line in registry.c and one line in docs/paper.md.
 */
#ifndef ROSTER_AGENT_H
#define ROSTER_AGENT_H

#include "certificate.h"

/* All settings any agent takes, each described once in settings.c. Words that stand for numbers ("theory") are kept
   until the agent's `prepare` puts the number in their place. */
typedef struct roster_value {
    double number;    /* NAN: not set          */
    const char *word; /* NULL: a number counts */
} roster_value;

typedef struct roster_settings {
    roster_value C, beta, gamma, p_V, p_X, xi, support, horizon, kappa, eta, memory, verify, margin, contexts;
} roster_settings;

extern const roster_param roster_param_C, roster_param_beta, roster_param_gamma, roster_param_p_V, roster_param_p_X,
    roster_param_xi, roster_param_support, roster_param_horizon, roster_param_kappa, roster_param_eta,
    roster_param_memory, roster_param_verify, roster_param_margin, roster_param_contexts;

/* Defaults, then `given`, checked against the agent's parameters. */
int roster_settings_resolve(roster_settings *self, const roster_agent_info *info, const roster_setting *given,
                            roster_error *err);
/* A setting's number once the agent exists, of a word that stays a word its place in the list; NAN: none. */
double roster_settings_number(const roster_settings *self, const roster_agent_info *info, const char *name);
bool roster_value_is(const roster_value *value, const char *word);
/* agent_educb.c: p_V, p_X and xi as numbers, NAN where they are not set. */
void roster_settings_bounds(const roster_settings *self, const roster_experts *experts, roster_error_bounds *known);

/* What an agent's init is given. Borrowed, and alive as long as the agent. */
typedef struct roster_setup {
    const roster_experts *experts;
    const double *p;      /* NULL: uniform       */
    const double *values; /* NULL: not known     */
    const roster_settings *settings;
    const roster_rng *stream; /* the agent's random numbers: block b serves round b */
    const char *name;
    roster_prepared *prepared; /* what `prepare` made; NULL for types without */
} roster_setup;

/*
 * The lazy interface of an agent whose choice is often certain for many rounds ahead. A lazy state is a second state
 * beside the agent's: nothing that is done with it changes the agent before `finish`, so that all of the agent's
 * functions may be called at any time. Only for experts that are tables. lazy.h has it for a whole agent.
 */
typedef struct roster_agent_lazy {
    size_t state_size; /* common code allocates and zeroes it */
    /* Knows what self knows now. ROSTER_OK or ROSTER_ENOMEM. */
    int (*start)(void *lazy, const void *self);
    /* Frees what it owns; also called after a failed start. Self is as it was. */
    void (*stop)(void *lazy);
    /* The expert that choose would name in the next round, and for how many rounds it would. Learns nothing: a second
       call says the same. */
    void (*certify)(void *lazy, roster_certificate *certificate);
    /* The most rounds that a batch may have now, at least 1, and as many as were certified. NULL: any number. */
    uint64_t (*most)(const void *lazy);
    /* Learns rounds of one expert at once, as learn does one by one, certified or not. ROSTER_ENOMEM: only stop is
       called after that. */
    int (*learn_batch)(void *lazy, const roster_batch *batch);
    /* Self, which has learnt nothing since start, knows what it would if it had learnt every round of every batch: its
       choices are the same, its sums and indices but for rounding. ROSTER_ENOMEM leaves self as it was. Only stop is
       called after that. */
    int (*finish)(void *lazy, void *self);
} roster_agent_lazy;

typedef struct roster_agent_type {
    roster_agent_info info;
    /* Of `auto` alone, which has nothing else: the type that is meant with these experts. */
    const struct roster_agent_type *(*stand_in)(const roster_experts *experts);
    bool drawn_by_index; /* the index is the probability with which each expert is chosen */
    bool blind;          /* learns from expert and reward alone: samples come without pi and cell */
    bool pools;          /* need not know who acted: rows of a tally may come without an expert */
    size_t state_size;   /* common code allocates and zeroes it */
    /* What problem and settings alone say, once per agent; turns words among the settings, which are the setup's, into
       numbers. NULL: nothing. Fills err for anything but memory; on failure the caller frees *prepared. */
    int (*prepare)(roster_prepared **prepared, const roster_setup *setup, roster_settings *settings, roster_error *err);
    /* Ready for round 1. Fills err for anything but memory. The setup outlives self. */
    int (*init)(void *self, const roster_setup *setup, roster_error *err);
    /* Also called after a failed init. */
    void (*fini)(void *self);
    /* Back to round 1; setup->stream may have changed. */
    void (*reset)(void *self);
    /* Room for so many more rounds: ROSTER_OK or ROSTER_ENOMEM. NULL: learning never allocates. */
    int (*reserve)(void *self, size_t rounds);
    /* The sample is valid. ROSTER_ENOMEM leaves everything as it was. */
    int (*learn)(void *self, const roster_sample *sample);
    /* The expert for the next round: a read. */
    size_t (*choose)(const void *self);
    /* The same while decisions wait for their rewards (waiting.c). NULL: choose. */
    size_t (*choose_waiting)(const void *self, const uint64_t *waiting, double u);
    /* Every expert's score: a read. */
    void (*index)(const void *self, double *u);
    /* The same while decisions wait for their rewards; infinite where nothing is known. NULL: index. */
    void (*index_waiting)(const void *self, const uint64_t *waiting, double *u);
    /* What expert i's index rests on: a read. NULL: nothing that could be told. */
    void (*insight)(const void *self, size_t i, roster_insight *out);
    void (*save)(const void *self, roster_writer *w);
    /* Into a fresh state; on failure (r->failed or ROSTER_ENOMEM) the state is thrown away. */
    int (*load)(void *self, roster_reader *r);
    /* Add another's samples; NULL where the state is not additive. On failure the state is thrown away. */
    int (*merge)(void *self, const void *from);
    /* Into a fresh state, whose experts are those of `from`, n of them, and perhaps more: it knows what it would know
       had it learnt the same samples. Of `from` nothing that its setup says may be asked. On failure the state is
       thrown away. */
    int (*adopt)(void *self, const void *from, size_t n);
    /* Add the rows of a tally, each of another cell or expert: after that all is as if another were merged that learnt
       their events. NULL: events must come one by one. On failure the state is thrown away. */
    int (*learn_tally)(void *self, const roster_tally_row *rows, size_t n);
    /* Forget what no longer holds: ROSTER_CONTEXTS_CHANGED, ROSTER_REWARDS_CHANGED. NULL: reset. */
    void (*forget)(void *self, unsigned changed);
    /* Judge expert k by its own plays alone. NULL: it cannot. */
    void (*stand_alone)(void *self, size_t k);
    /* NULL: rounds are learnt one by one. */
    const roster_agent_lazy *lazy;
} roster_agent_type;

/* registry.c: the list of all agents, ending with NULL. */
extern const roster_agent_type *const roster_agent_types[];
/* The type that a name means with these experts; a sentence with all names where there is none. */
int roster_find_type(const char *name, const roster_experts *experts, const roster_agent_type **type,
                     roster_error *err);

struct roster_agent {
    const roster_agent_type *type;
    double *p, *values;              /* owned, may be NULL */
    double *scratch;                 /* owned: N probabilities and V scores, for softmax experts */
    roster_settings settings, asked; /* asked: as they were before `prepare` */
    roster_rng stream;
    roster_setup setup;
    roster_prepared *prepared; /* owned, may be NULL */
    uint64_t seed, run, fingerprint, t;
    void *state; /* owned */
};

/* choice.c: the share of plays that every expert keeps; 0: none. */
double roster_agent_verify(const roster_agent *agent);

/* agent.c, for set_experts.c: what is wrong with a problem; all that follows from problem and settings. */
int roster_agent_check(const roster_agent *agent, const roster_problem *problem, roster_error *err);
int roster_agent_prepare(roster_agent *agent, roster_error *err);

/* agent.c, for snapshot.c: a fresh state of the agent's type, problem and settings. */
int roster_agent_new_state(roster_agent *agent, void **state, roster_error *err);
void roster_agent_drop_state(const roster_agent *agent, void *state);
void roster_agent_set_stream(roster_agent *agent, uint64_t seed, uint64_t run);
/* agent.c, for learn_tally.c: what an expert does is not known for certain, so that any event is possible. */
bool roster_agent_knows_estimates(const roster_agent *agent);
/* snapshot.c, for the same: a copy of the agent's state, and another in its place. */
int roster_agent_copy_state(roster_agent *agent, void **state, roster_error *err);
void roster_agent_take_state(roster_agent *agent, void *state, uint64_t rounds);

#endif
