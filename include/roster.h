/*
 * roster.h: find out online, at little cost, which of many stochastic experts serves best.
 *
 * This is the whole public interface of libroster, in the order in which one learns it:
 *
 *    1  errors                what every call that can fail reports
 *    2  random numbers        counter-based streams keyed by (seed, run, role)
 *    3  experts               what acts: probability tables, softmax models, your own code
 *    4  divergences           how much a sample of one expert says about another
 *    5  estimates             experts known only from counts
 *    6  agents                what chooses: create, choose, learn, look inside
 *    7  snapshots and merging an agent's state as bytes; agents that add up
 *    8  evidence              what is known of each expert, with intervals that hold at every time
 *    9  worlds and simulation where contexts and rewards come from when they are simulated
 *   10  many runs             several agents on the same worlds, on all cores, summed up
 *   11  theory                the paper's sample sizes, times and regret bounds as functions
 *   12  sequences             intervals for the mean of a stream that hold at every time
 *   13  alarms                has the world changed, and what an agent then forgets
 *   14  test of the model     does the reward depend on who acts
 *
 * The method is D-UCB and its relatives (Sharma, Sen, Basu, Shanmugam, Shakkottai: Bandits with Stochastic
 * Experts). docs/paper.md says which file computes which equation.
 *
 * Conventions
 *   - Experts, contexts, actions are numbered from 0; N, X, V are how many there are.
 *   - A function that can fail returns ROSTER_OK or a code and fills *err (err may be NULL). When it fails it
 *     has changed nothing; an out pointer is then set to NULL.
 *   - *_free accepts NULL.
 *   - An expert, context or action that does not exist is refused with a code; a function that returns none gives
 *     nothing: the name "", a count or probability of 0, a divergence of INFINITY.
 *   - Threads: no function touches state other than its arguments, so different objects can be used from
 *     different threads without locks. Experts, estimates and worlds are not changed by any function that takes
 *     them as const: after creation any number of threads may read them. Of an agent or a generator, calls that
 *     take it as const may run at the same time; a call that takes it as non-const must run alone.
 */
#ifndef ROSTER_H
#define ROSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ROSTER_API __attribute__((visibility("default")))
#else
#define ROSTER_API
#endif

/* ---- 1. errors ------------------------------------------------------------------------------------------- */
enum {
    ROSTER_OK = 0,
    ROSTER_ENOMEM = 1,  /* out of memory                                                               */
    ROSTER_EINVAL = 2,  /* an argument is wrong; msg names it and says what was expected               */
    ROSTER_EDAMAGED = 3 /* a snapshot is cut short, altered, or of another agent, problem or version   */
};

typedef struct roster_error {
    int code;
    char msg[480]; /* one complete sentence without a final newline */
} roster_error;

/* The library's version, "MAJOR.MINOR.PATCH". */
ROSTER_API const char *roster_version(void);

/* ---- 2. random numbers ----------------------------------------------------------------------------------- */
/* A stream of Philox 4x64 blocks. A plain value: copy it to fork the same stream, no need to free it. */
typedef struct roster_rng {
    uint64_t key[2];  /* seed, role             */
    uint64_t block;   /* number of the next block */
    uint64_t run;     /* second counter word    */
    uint64_t word[4]; /* the block being used up */
    unsigned left;    /* words of it not yet taken */
} roster_rng;

/* What draws. Streams of different roles never meet. Add a multiple of ROSTER_ROLES for more streams of a role. */
enum {
    ROSTER_ROLE_WORLD = 1,
    ROSTER_ROLE_AGENT = 2,
    ROSTER_ROLE_ESTIMATES = 3,
    ROSTER_ROLE_SETUP = 4,    /* lengths of episodes                     */
    ROSTER_ROLE_INSTANCE = 5, /* experts and contexts drawn at random    */
    ROSTER_ROLES = 16
};

/* The stream of (seed, run, role), from its first number. */
ROSTER_API void roster_rng_init(roster_rng *rng, uint64_t seed, uint64_t run, uint64_t role);
/* Continue at the first number of block b: number 4b of the stream. O(1). */
ROSTER_API void roster_rng_seek(roster_rng *rng, uint64_t b);
/* 64 random bits. */
ROSTER_API uint64_t roster_rng_u64(roster_rng *rng);
/* Uniform on [0, 1), a multiple of 2^-53. */
ROSTER_API double roster_rng_uniform(roster_rng *rng);
/* Uniform on 0..n-1 without bias; n >= 1. */
ROSTER_API uint64_t roster_rng_below(roster_rng *rng, uint64_t n);
/* Successes in n trials of probability p in [0, 1]; exact rejection sampling, cost independent of n. */
ROSTER_API uint64_t roster_rng_binomial(roster_rng *rng, uint64_t n, double p);
/* n trials over the v outcomes with probabilities p[0..v-1] (>= 0, summing to 1); adds up to n exactly. */
ROSTER_API void roster_rng_multinomial(roster_rng *rng, uint64_t n, size_t v, const double *p, uint64_t *count);
/* floor + (1 - n floor) Dirichlet(concentration, ..., concentration), over n outcomes; concentration finite and above
   0, else the uniform distribution, its limit. */
ROSTER_API void roster_rng_dirichlet(roster_rng *rng, size_t n, double concentration, double floor, double *p);

/* ---- 3. experts ------------------------------------------------------------------------------------------ */
/*
 * N stochastic policies pi_k(v | x). Whatever their kind they are known on X reference contexts, from which the
 * divergences are computed (softmax and external experts may do without); the kinds differ in what an event must carry:
 *   tables    the contexts are finite: events carry the context's number
 *   softmax   linear models over a feature vector: events carry features; the reference contexts are a sample
 *   external  your own code evaluates the experts: events carry each expert's probability of the action taken
 */
typedef struct roster_experts roster_experts;

typedef enum roster_kind { ROSTER_TABLES, ROSTER_SOFTMAX, ROSTER_EXTERNAL } roster_kind;
/*
 * Experts from tables pi[k][x][v] (n*x*v numbers, copied). Every number must be 0 or in [2.3e-308, 1], every row
 * must sum to 1 within 1e-9. names: n strings (copied), or NULL for "expert 1", "expert 2", ...
 */
ROSTER_API int roster_experts_tables(roster_experts **out, size_t n, size_t x, size_t v, const double *pi,
                                     const char *const *names, roster_error *err);

/* Softmax-linear experts: pi_k(v | f) = floor + (1 - V floor) softmax_v(bias[k][v] + weights[k][v] . f). */
typedef struct roster_softmax {
    size_t experts, actions, features;
    const double *weights;    /* [experts][actions][features]                                            */
    const double *bias;       /* [experts][actions], or NULL for zeros                                    */
    double floor;             /* in [0, 1/actions]: no action is ever less likely; 0.01 keeps ratios <= 100 */
    const double *sample;     /* [samples][features]: contexts drawn from the traffic that is expected    */
    size_t samples;           /* 0: none, enough for `mixture` and agents that share nothing             */
    const char *const *names; /* as in roster_experts_tables */
} roster_softmax;

ROSTER_API int roster_experts_softmax(roster_experts **out, const roster_softmax *model, roster_error *err);
/* Experts evaluated by the caller: pi[k][s][v] is what expert k does in each of s contexts sampled from traffic. s = 0
   and pi = NULL: nothing is known beforehand, enough for `mixture` and agents that share nothing between experts. */
ROSTER_API int roster_experts_external(roster_experts **out, size_t n, size_t s, size_t v, const double *pi,
                                       const char *const *names, roster_error *err);

ROSTER_API void roster_experts_free(roster_experts *experts);
ROSTER_API roster_kind roster_experts_kind(const roster_experts *experts);
ROSTER_API size_t roster_experts_count(const roster_experts *experts);
ROSTER_API size_t roster_experts_contexts(const roster_experts *experts);
ROSTER_API size_t roster_experts_actions(const roster_experts *experts);
ROSTER_API size_t roster_experts_features(const roster_experts *experts); /* 0 unless softmax */
ROSTER_API const char *roster_experts_name(const roster_experts *experts, size_t k);

/* pi_k(v | reference context x). */
ROSTER_API double roster_experts_probability(const roster_experts *experts, size_t k, size_t x, size_t v);
/* Softmax experts: the features of reference context x, borrowed; NULL of other kinds. */
ROSTER_API const double *roster_experts_reference(const roster_experts *experts, size_t x);
/* Softmax experts: expert k's distribution over the actions at a feature vector, into pi[0..V-1]. */
ROSTER_API void roster_experts_distribution(const roster_experts *experts, size_t k, const double *features,
                                            double *pi);
/* The smallest probability that any expert gives any action in any reference context. */
ROSTER_API double roster_experts_floor(const roster_experts *experts);
/* The action that uniform u in [0, 1) selects from a distribution over v actions: never one of probability 0. */
ROSTER_API size_t roster_experts_draw(const double *pi, size_t v, double u);

/*
 * Experts that come and go. A list changes into a longer one in which all keep their numbers: those of `add` (NULL:
 * none; same kind, contexts and actions, of softmax also the same sample and floor) stand behind, and experts
 * retire[0..n_retire-1] never act again, though their tables and samples count on. A new version of an expert is
 * another expert: one retires, one is added. Agents, evidence and tests take the new list by their set_experts.
 */
ROSTER_API int roster_experts_change(roster_experts **out, const roster_experts *experts, const roster_experts *add,
                                     const size_t *retire, size_t n_retire, roster_error *err);
/* Whether expert k has retired, and how many have not. */
ROSTER_API bool roster_experts_retired(const roster_experts *experts, size_t k);
ROSTER_API size_t roster_experts_active(const roster_experts *experts);

/* ---- 4. divergences -------------------------------------------------------------------------------------- */
/*
 * Column k of the divergences, M_ik for all i, into m[0..N-1]. p: probabilities of the X reference contexts, or
 * NULL for uniform. Entries can be infinite unless shared is set, which leaves out the actions that k never plays.
 */
ROSTER_API void roster_divergence_column(const roster_experts *experts, const double *p, bool shared, size_t k,
                                         double *m);

/* What is assumed of estimated experts: their largest error xi < p_V, and floors p_V, p_X of the true pi and p. */
typedef struct roster_error_bounds {
    double xi, p_V, p_X;
} roster_error_bounds;

/* Column k of the lower bounds M_lo_ik from estimated experts, into m[0..N-1]. */
ROSTER_API void roster_divergence_lower_column(const roster_experts *estimates, const roster_error_bounds *known,
                                               size_t k, double *m);

/* ---- 5. estimates ---------------------------------------------------------------------------------------- */
/* Counts of (expert, context, action), and the experts they make. */
typedef struct roster_estimates roster_estimates;

/* No counts yet. names as in roster_experts_tables. */
ROSTER_API int roster_estimates_create(roster_estimates **out, size_t n, size_t x, size_t v, const char *const *names,
                                       roster_error *err);
ROSTER_API void roster_estimates_free(roster_estimates *estimates);
/* Expert k was seen to play v in x this many times. */
ROSTER_API int roster_estimates_add(roster_estimates *estimates, size_t k, size_t x, size_t v, uint64_t count,
                                    roster_error *err);
/*
 * Add what `samples` queries of each expert of `truth` (tables of the same shape) would give, contexts drawn from
 * `prior` (NULL: uniform): multinomial counts, so 1e16 samples cost no more than 10.
 */
ROSTER_API int roster_estimates_draw(roster_estimates *estimates, const roster_experts *truth, const double *prior,
                                     uint64_t samples, roster_rng *rng, roster_error *err);
ROSTER_API uint64_t roster_estimates_count(const roster_estimates *estimates, size_t k, size_t x, size_t v);
/* The smallest number of samples any expert has in any context. */
ROSTER_API uint64_t roster_estimates_min_samples(const roster_estimates *estimates);
/* The error the data support: with probability 1 - delta no probability of any expert in any context is off by more
   (Clopper and Pearson's interval of every cell, delta shared among them), delta in (0, 1]. Infinite where an expert
   was never seen in a context. This is the xi to give to ed-ucb. */
ROSTER_API double roster_estimates_xi_exact(const roster_estimates *estimates, double delta);
/* The same by the paper's inequality, wider many times over: sqrt(2 V ln(2/delta) / smallest count), with probability
   1 - delta for each (expert, context) rather than for all at once. */
ROSTER_API double roster_estimates_xi(const roster_estimates *estimates, double delta);
/* The relative frequencies as experts, for ed-ucb, and for agents that learn experts as they play, to which they also
   say how many samples each row is made of. A context in which an expert was never seen has a row of zeros:
   nothing is known, so nothing is claimed. */
ROSTER_API int roster_estimates_experts(const roster_estimates *estimates, roster_experts **out, roster_error *err);

/* ---- 6. agents ------------------------------------------------------------------------------------------- */
/* What an agent is told before the first round. */
typedef struct roster_problem {
    const roster_experts *experts;       /* borrowed: must outlive the agent. For ed-ucb: the estimates */
    const double *context_probabilities; /* X numbers (copied), or NULL for uniform                     */
    const double *values;                /* N true values (copied), or NULL: only `oracle` needs them    */
} roster_problem;

/* One setting, a number or a word: {"C", 0.5, NULL} or {"C", 0, "theory"}. A list ends with {NULL, 0, NULL}. */
typedef struct roster_setting {
    const char *name;
    double number;
    const char *word; /* NULL: the number counts */
} roster_setting;

/* A parameter as --help, a form or a binding would show it. */
typedef struct roster_param {
    const char *name;
    const char *help;
    double preset;            /* default; NAN: preset_word, or none at all (the agent says when it needs one)  */
    const char *preset_word;  /* NULL: the default is not a word                                              */
    double low, high;         /* numbers allowed: low <= number <= high (low > high: no number is allowed)    */
    bool low_open, high_open; /* the bound itself is not allowed                                              */
    const char *const *words; /* words allowed, ending with NULL; NULL: none                                  */
} roster_param;

/* An entry of the registry. */
typedef struct roster_agent_info {
    const char *name;                  /* "d-ucb": the same word in C, JSON, SQL, Python and on screen */
    const char *source;                /* "Algorithm 1"                                                */
    const char *summary;               /* one sentence                                                 */
    const roster_param *const *params; /* ending with NULL                                             */
    bool empirical;                    /* works on estimates                                           */
    bool additive;                     /* two of them can be merged                                    */
    bool finite;                       /* works on experts that are tables alone                       */
    bool learns_experts;               /* works on estimates too, and learns more of them as they play  */
} roster_agent_info;

/* The i-th agent of the registry, NULL past the end. */
ROSTER_API const roster_agent_info *roster_agent_info_at(size_t i);
/* The agent that a name means with these experts: for "auto" another one, which is then created in its place. NULL: no
   agent has that name. */
ROSTER_API const roster_agent_info *roster_agent_stand_in(const char *name, const roster_experts *experts);

typedef struct roster_agent roster_agent;

/* An agent that knows the problem and has seen nothing. settings may be NULL: all defaults. (seed, run) names its
   own random stream; two agents with equal arguments that learn equal events are equal, bit for bit. */
ROSTER_API int roster_agent_create(roster_agent **out, const char *name, const roster_problem *problem,
                                   const roster_setting *settings, uint64_t seed, uint64_t run, roster_error *err);
ROSTER_API void roster_agent_free(roster_agent *agent);

/* The expert to play in the next round. Allocates nothing, changes nothing, O(1). */
ROSTER_API size_t roster_agent_choose(const roster_agent *agent);
/* The same where rewards come late: waiting[k] decisions of expert k still wait for theirs, u is uniform in [0, 1).
   Agents that draw do so by u, ucb and kl-ucb count what waits as plays, all try the unknown in turn. Else as above.
   O(N). */
ROSTER_API size_t roster_agent_choose_waiting(const roster_agent *agent, const uint64_t *waiting, double u);

/* With what probability each expert is chosen by choose, into p[0..N-1], given all that was learnt: 1 for one of them,
   unless experts are drawn (uniform, exp4) or keep a share of the plays (the setting `verify`). Of agents that draw in
   another way, given what they drew. For events' `choice`. O(N). */
ROSTER_API void roster_agent_choice(const roster_agent *agent, double *p);
/* The same of choose_waiting with the same u: given what the agent itself chooses by the part of u that does not decide
   whether it is asked. */
ROSTER_API void roster_agent_choice_waiting(const roster_agent *agent, const uint64_t *waiting, double u, double *p);

/* What happened in one round. The decision may be another agent's: learning from its events is legal. */
typedef struct roster_event {
    size_t expert;               /* which one acted                                                          */
    size_t context;              /* tables: the context's number                                             */
    size_t action;               /* what was done                                                            */
    double reward;               /* in [0, 1]                                                                */
    double propensity;           /* with what probability the expert took the action; 0: not recorded. If it
                                    is given and is not what a known expert does, the event is refused by all that
                                    weigh by probabilities: agents that share rewards, and evidence          */
    const double *features;      /* softmax: the context's feature vector                                    */
    const double *probabilities; /* external: each expert's probability of the action taken, N numbers       */
    const double *choice;        /* with what probability each expert was chosen, N numbers; NULL: `expert` was
                                    certain. Agents do not look at it, evidence does                         */
} roster_event;

/* Learn one event. O(N), whatever the number of rounds. Allocates only where an expert is seen for the first time
   (its column of divergences), where kept samples of feature contexts outgrow their room, and in the lite agents
   the log of rounds yet to be used: see roster_agent_reserve. A refused event changes nothing. */
ROSTER_API int roster_agent_learn(roster_agent *agent, const roster_event *event, roster_error *err);

/*
 * What a log says, summed up: `count` events in which an expert took an action in a context, as `roster tally` writes
 * them. Rows may be in any order, and several may be about the same.
 */
#define ROSTER_NO_EXPERT SIZE_MAX

typedef struct roster_tally_row {
    size_t expert;       /* which one acted; ROSTER_NO_EXPERT: not known                             */
    size_t context;      /* tables: the context's number                                             */
    size_t action;       /* what was done                                                            */
    double propensity;   /* as in an event                                                           */
    uint64_t count;      /* events, 1 to 2^53                                                        */
    double sum, squares; /* of their rewards, which are in [0, 1]: the sum, and that of the squares  */
} roster_tally_row;

/* Learn all events of a tally, as by merging with an agent that has learnt them in any order. discount, in (0, 1]: an
   event counts as so many; each row's mean stays, and counts are rounded so that all rows together count discount times
   their events, each within one of that. Refused by agents that must see the events one by one (exp4, mixture,
   optimist and the lite agents), and, where a row does not say who acted, by all but direct and the baselines. It warms
   the agent alone: evidence, alarms and the test of the model rest on events, which these are not. Refused rows change
   nothing. */
ROSTER_API int roster_agent_learn_tally(roster_agent *agent, const roster_tally_row *rows, size_t n, double discount,
                                        roster_error *err);

/* Do now all that learning would allocate in the next `rounds` events: all columns of divergences (N^2 numbers); for
   contexts that are not finite also room for every sample to be kept by every expert (24 N bytes a round; with C below
   1 few are kept, from C = 1 on all with a reward). Loading and merging keep the columns, not the rest. */
ROSTER_API int roster_agent_reserve(roster_agent *agent, size_t rounds, roster_error *err);

/* Forget all events, keep the divergences, take the random stream of `run`: a fresh agent for a new episode. */
ROSTER_API void roster_agent_reset(roster_agent *agent, uint64_t run);

/* The agent's experts are now `experts`, a list that its own changed into (roster_experts_change); values: N true ones
   for `oracle`, else NULL. Nothing learnt is lost: it knows what a fresh agent with these experts would know that had
   learnt the same events. Agents that share rewards know new experts at once where contexts are numbered (tables);
   else, and for those that share nothing, new experts start empty. Not so of lite agents, whose old indices stay until
   their turn, of exp4, where who comes is taken to have done as well as the others on average, and of optimist where
   contexts are features, which starts anew. The former list is no longer borrowed. */
ROSTER_API int roster_agent_set_experts(roster_agent *agent, const roster_experts *experts, const double *values,
                                        roster_error *err);

/* Every expert's index into u[0..N-1]; infinite for an expert about which nothing is known yet; -INFINITY for one that
   has retired, 0 where the index is the probability with which it is drawn. */
ROSTER_API void roster_agent_index(const roster_agent *agent, double *u);
/* The same as choose_waiting sees it; 1e300 / waiting[k] for an unknown expert of which some wait. */
ROSTER_API void roster_agent_index_waiting(const roster_agent *agent, const uint64_t *waiting, double *u);
/* What the index of expert k rests on; NAN where an agent keeps no such thing. A read. */
typedef struct roster_insight {
    double estimate, width; /* of its value, and what the index adds                              */
    double samples;         /* of the expert's own that the estimate is worth: Z_k                */
    double clipped;         /* share of the weighted rewards that clipping leaves out             */
} roster_insight;
ROSTER_API void roster_agent_insight(const roster_agent *agent, size_t k, roster_insight *out);
/* Rounds learnt since creation or reset. */
ROSTER_API uint64_t roster_agent_rounds(const roster_agent *agent);
ROSTER_API const roster_agent_info *roster_agent_about(const roster_agent *agent);
/* The experts it works on, borrowed: for ed-ucb the estimates. */
ROSTER_API const roster_experts *roster_agent_experts(const roster_agent *agent);
/* The value of a parameter after words such as "theory" were turned into numbers (of `support`: 0 full, 1 shared);
   NAN where the agent has none. */
ROSTER_API double roster_agent_setting(const roster_agent *agent, const char *name);

/* ---- 7. snapshots and merging ---------------------------------------------------------------------------- */
/*
 * Write the agent's state into buf, if it fits into size; returns the bytes needed either way. Portable: no
 * pointers, little endian, checksum. Learning goes on from a snapshot exactly as from the live agent. It grows with
 * what was seen, not with the number of contexts and actions: cells that nothing is known of take no room.
 */
ROSTER_API size_t roster_agent_save(const roster_agent *agent, void *buf, size_t size);
/* Bytes of memory that what the agent has learnt takes, about, cells that nothing is known of included. */
ROSTER_API size_t roster_agent_memory(const roster_agent *agent);
/* Replace the state of an agent created with the same name, problem and settings. */
ROSTER_API int roster_agent_load(roster_agent *agent, const void *buf, size_t size, roster_error *err);
/* Add what `from` has learnt to `into`, an agent with the same name, problem and settings. */
ROSTER_API int roster_agent_merge(roster_agent *into, const roster_agent *from, roster_error *err);

/* ---- 8. evidence ----------------------------------------------------------------------------------------- */
/*
 * What the events say about the experts, whichever agent chose: intervals that hold at all times at once, so one may
 * look as often as one likes and stop when one likes. It assumes that the experts are what they are said to be, that
 * the reward depends on context and action, not on who acts, that experts are chosen before the context is looked at,
 * that events come in an order which does not depend on their rewards, and that nothing changes: after a change, reset.
 * docs/evidence.md says what each number means and proves that it holds.
 */
typedef struct roster_evidence roster_evidence;

/* level: with what probability each of the statements below holds, in (0, 1), such as 0.95. experts: borrowed. */
ROSTER_API int roster_evidence_create(roster_evidence **out, const roster_experts *experts, double level,
                                      roster_error *err);
/* The same from each expert's own rounds alone: for experts that are estimates, which the above refuses, and where the
   reward depends on who acts. The expert must then be chosen without looking at the context. */
ROSTER_API int roster_evidence_create_own(roster_evidence **out, const roster_experts *experts, double level,
                                          roster_error *err);
ROSTER_API void roster_evidence_free(roster_evidence *evidence);

/* Learn one event, checked as an agent checks it. O(N). Allocates only where an expert acts for the first time: 8 N
   numbers. A refused event changes nothing. */
ROSTER_API int roster_evidence_learn(roster_evidence *evidence, const roster_event *event, roster_error *err);
/* Do now all that learning would allocate: 8 N (N + 1) numbers. */
ROSTER_API int roster_evidence_reserve(roster_evidence *evidence, roster_error *err);
/* The same for events in which expert k is certain to act; and how many of these were learnt, 0: it may allocate. */
ROSTER_API int roster_evidence_prepare(roster_evidence *evidence, size_t k, roster_error *err);
ROSTER_API uint64_t roster_evidence_plays(const roster_evidence *evidence, size_t k);
/* Forget all events. */
ROSTER_API void roster_evidence_reset(roster_evidence *evidence);

typedef struct roster_interval {
    double value, low, high;
} roster_interval;

/* What is known of one expert. */
typedef struct roster_finding {
    roster_interval value; /* of its value: at the level, those of all experts hold at all times; 0.5 in [0, 1] at
                              first                                                                           */
    double behind;         /* the leader's estimated value less its own, at least `worse`                     */
    double worse;          /* at the level, it is worse than the best expert by at least this: 0, or excluded */
    bool excluded;         /* it is not the best: at the level, the best is never excluded. Stays so          */
    uint64_t from_past;    /* above 0: it came later, and its value also rests on so many rounds before. That holds
                              unless the expert was made with a look at their rewards; 0: nothing of the kind */
} roster_finding;

/* The experts are now `experts`, a list that its own changed into (roster_experts_change). What is known of values
   stays; the value of who comes is known at once, from the rewards that others earned, where contexts are numbered
   (tables of up to two million numbers), and says so (from_past). All is then about the experts that have not retired:
   exclusions that rested on one that goes are forgotten. The level holds for each list by itself. The former list is
   no longer borrowed. */
ROSTER_API int roster_evidence_set_experts(roster_evidence *evidence, const roster_experts *experts, roster_error *err);
/* A read, O(1). NAN everywhere where there is no such expert. */
ROSTER_API void roster_evidence_find(const roster_evidence *evidence, size_t k, roster_finding *out);
/* The expert with the largest estimated value of those that are not excluded (of all, where all are); of equal ones the
   first; 0 while nothing is known. O(1). */
ROSTER_API size_t roster_evidence_leader(const roster_evidence *evidence);
/* Whether all experts but one, the leader, are excluded: at the level, it is the best. O(N). */
ROSTER_API bool roster_evidence_known(const roster_evidence *evidence);
/* How many rounds more until expert k is excluded, and until the best is known, if rounds go on to come as they did:
   an estimate and its range; 0 where it is so already, NAN where nothing can be said yet or ever. */
ROSTER_API roster_interval roster_evidence_until(const roster_evidence *evidence, size_t k);
ROSTER_API roster_interval roster_evidence_until_known(const roster_evidence *evidence);
ROSTER_API uint64_t roster_evidence_rounds(const roster_evidence *evidence);
ROSTER_API double roster_evidence_level(const roster_evidence *evidence);
ROSTER_API const roster_experts *roster_evidence_experts(const roster_evidence *evidence);

/* As with agents: bytes needed; replace the state of evidence made with the same experts and level; add the events of
   another, which must be independent, as those of another replica or shard are. What is excluded in `into` stays so. */
ROSTER_API size_t roster_evidence_save(const roster_evidence *evidence, void *buf, size_t size);
ROSTER_API int roster_evidence_load(roster_evidence *evidence, const void *buf, size_t size, roster_error *err);
ROSTER_API int roster_evidence_merge(roster_evidence *into, const roster_evidence *from, roster_error *err);

/* ---- 9. worlds and simulation ---------------------------------------------------------------------------- */
/* One episode's nature: which contexts come, and what an action earns there. */
typedef struct roster_world roster_world;

/* Rewards seen in the data: one of n values in [0, 1], all equally likely. */
typedef struct roster_list {
    const double *values;
    size_t n;
} roster_list;

/* Bernoulli rewards of means[x][v] in [0, 1]. p: X probabilities, or NULL for uniform. experts: borrowed, of any kind;
   the contexts that come are the reference contexts, and events carry what the kind asks for, borrowed from there. */
ROSTER_API int roster_world_create(roster_world **out, const roster_experts *experts, const double *p,
                                   const double *means, roster_error *err);
/* Rewards drawn from lists[x][v] (copied). */
ROSTER_API int roster_world_create_lists(roster_world **out, const roster_experts *experts, const double *p,
                                         const roster_list *lists, roster_error *err);
ROSTER_API void roster_world_free(roster_world *world);
/* What expert k's acting does to the reward: it is multiplied by factors[k] in [0, 1] (N numbers, copied). For worlds
   in which the reward depends on who acts, against what most agents assume. */
ROSTER_API int roster_world_set_factors(roster_world *world, const double *factors, roster_error *err);
/* mu_k of every expert into mu[0..N-1]. */
ROSTER_API void roster_world_values(const roster_world *world, double *mu);
/* The mean reward of action v in context x; *list, if not NULL: what it is drawn from, borrowed, without values where
   it is Bernoulli. */
ROSTER_API double roster_world_reward(const roster_world *world, size_t x, size_t v, roster_list *list);
/*
 * Round t >= 1 of `stream` when expert k acts. A pure function: every round owns one block of the stream, so
 * what one agent does never shifts the world of another.
 */
ROSTER_API void roster_world_round(const roster_world *world, const roster_rng *stream, uint64_t t, size_t k,
                                   roster_event *event);

/* What agents are told of the context probabilities: the truth, something else, nothing. */
typedef enum roster_declaration { ROSTER_DECLARE_TRUE, ROSTER_DECLARE_OTHER, ROSTER_DECLARE_NONE } roster_declaration;

typedef struct roster_episode {
    const roster_world *world;
    uint64_t rounds;     /* length, or its upper bound                        */
    uint64_t min_rounds; /* 0: always `rounds`; else uniform on min..rounds   */
    roster_declaration declaration;
    const double *declared; /* X probabilities, where something else is declared */
} roster_episode;

/* When an agent starts afresh: at the ends of episodes, which are announced; at alarms (section 13), nobody announcing
   anything; never. In the latter two it is told before the first round what is declared of the first episode. */
typedef enum roster_restart { ROSTER_RESTART_KNOWN, ROSTER_RESTART_ALARM, ROSTER_RESTART_NEVER } roster_restart;

typedef enum roster_sampling { ROSTER_OFFLINE, ROSTER_ONLINE } roster_sampling;

/* One agent meeting a sequence of episodes. Everything is borrowed. */
typedef struct roster_study {
    const roster_experts *experts; /* the true ones; tables for agents that work on estimates */
    const roster_episode *episodes;
    size_t n_episodes;
    const char *agent;
    const roster_setting *settings;
    /* Only for agents that work on estimates: */
    uint64_t samples;         /* per expert; 0: the theory's budget A                                  */
    roster_sampling sampling; /* before round 1, or as the first samples*N rounds of the first episode */
    const double *prior;      /* over contexts, for offline sampling; NULL: uniform                    */
    uint64_t seed;
    /* Only for agents that learn experts as they play: */
    bool estimated; /* they know of the experts `samples` of each, of which there may be none; false: all about them */
    roster_restart restart;
    bool model_test; /* experts that the test of the model (section 14) rejects stand alone, where the agent can that */
    double delta;    /* of alarms and of that test; 0: 0.001                                           */
    const roster_tally_row *warm_rows; /* what the agent learns before round 1 of the first episode (section 6) */
    size_t n_warm_rows;                /* 0: nothing                                                          */
    double warm_discount;              /* of these; 0: 1                                                      */
} roster_study;

typedef struct roster_alarms roster_alarms;
typedef struct roster_model_test roster_model_test;

/* What the observer sees after each round. */
typedef struct roster_step {
    size_t episode;                /* from 0                                                        */
    uint64_t t;                    /* round of the episode, from 1                                  */
    const roster_event *event;     /* what happened                                                 */
    double regret;                 /* of all rounds so far, in expected values                      */
    const roster_agent *agent;     /* after learning; NULL while online sampling                    */
    unsigned raised;               /* kinds of alarm that this round raised                         */
    const roster_alarms *alarms;   /* NULL where the study has none                              */
    bool rejects;                  /* this round let an expert be rejected                          */
    const roster_model_test *test; /* NULL where the study has none                             */
} roster_step;

/* Return false to stop the run early. */
typedef bool (*roster_observer)(void *context, const roster_step *step);

/* Of one kind of alarm. One is false unless such a change came with the present episode and was not noticed before. */
typedef struct roster_alarm_counts {
    uint64_t raised, wrong;
    uint64_t delay; /* rounds from the change to the alarm, summed over those that are not false */
} roster_alarm_counts;

typedef struct roster_outcome {
    double regret;                         /* over all episodes                        */
    uint64_t rounds;                       /* played                                   */
    uint64_t best_rounds;                  /* played by an episode's best expert       */
    double xi;                             /* error the estimates were taken to have; 0 without estimates */
    roster_alarm_counts contexts, rewards; /* alarms           */
    uint64_t rejected;                     /* times that the test of the model rejected an expert         */
} roster_outcome;

/* Run number `run` of the study. observe may be NULL and sees rounds as they are played, also of a run that fails
   later; regret_by_episode: n_episodes numbers, or NULL. */
ROSTER_API int roster_simulate(const roster_study *study, uint64_t run, roster_observer observe, void *context,
                               roster_outcome *outcome, double *regret_by_episode, roster_error *err);

/* ---- 10. many runs ---------------------------------------------------------------------------------------- */
/*
 * A sum of real numbers that does not depend on the order of adding: 128-bit fixed point in units of 2^-40. Threads and
 * machines may add their parts in any order and get the same bits.
 */
typedef struct roster_sum {
    uint64_t lo;
    int64_t hi;
} roster_sum;

ROSTER_API double roster_sum_value(roster_sum sum);
ROSTER_API roster_sum roster_sum_add(roster_sum a, roster_sum b);

/* Of a number per run: its sum and the sum of its squares. */
typedef struct roster_moments {
    roster_sum sum, squares;
} roster_moments;

/* Mean and standard deviation over `runs` runs. */
ROSTER_API double roster_moments_mean(const roster_moments *m, uint64_t runs);
ROSTER_API double roster_moments_sd(const roster_moments *m, uint64_t runs);

/* Several agents meeting the same worlds, run by run. */
typedef struct roster_contest {
    const roster_study *studies; /* one per agent; experts, episodes and seed must be the same */
    size_t agents;
    uint64_t first, runs; /* run numbers first..first+runs-1                              */
    uint64_t step;        /* only every step-th of them; 0 and 1: all                     */
    size_t threads;       /* 0: one; never more than there are runs, nor than 1024        */
    size_t points;        /* of each curve, about; 0: 400; at most 10,000,000             */
    /* Called now and then from one thread at a time; false stops. rounds: played so far, by all agents and runs. */
    bool (*progress)(void *context, uint64_t rounds);
    uint64_t (*clock)(void *context); /* nanoseconds of the calling thread's work; NULL: not measured */
    void *context;
} roster_contest;

/* The results of a contest. Arrays are flat, the last index runs fastest. All but `nanoseconds` are the same for any
   number of threads, and parts add up to the whole. */
typedef struct roster_results {
    size_t agents, episodes, experts, points;
    uint64_t runs;                           /* completed                                                             */
    uint64_t *point_episode;                 /* [points]: from 0                                                      */
    uint64_t *point_round;                   /* [points]: round of that episode; 0: before its first                  */
    roster_moments *curve;                   /* [agents][points]: regret of all rounds up to there                    */
    roster_moments *total;                   /* [agents]: regret at the end                                           */
    roster_moments *paired;                  /* [agents]: regret at the end less that of agent 0, in the same run     */
    roster_moments *episode;                 /* [agents][episodes]: regret in that episode                            */
    uint64_t *plays;                         /* [agents][points][experts]: rounds played since the point before       */
    uint64_t *rounds;                        /* [agents]                                                              */
    uint64_t *best_rounds;                   /* [agents]: on an episode's best expert                                 */
    uint64_t *nanoseconds;                   /* [agents]: by the contest's clock, else 0                              */
    roster_alarm_counts *contexts, *rewards; /* [agents]: alarms                                      */
    uint64_t *rejected;                      /* [agents]: times that the test of the model rejected an expert         */
} roster_results;

/* Runs the contest. Stopping a contest is not a failure: results hold the runs that were completed. */
ROSTER_API int roster_contest_run(const roster_contest *contest, roster_results **out, roster_error *err);
/* Results without runs, of the shape this contest would have: to be filled from a file. */
ROSTER_API int roster_results_create(const roster_contest *contest, roster_results **out, roster_error *err);
/* Add a part; refused where the shapes differ. */
ROSTER_API int roster_results_add(roster_results *into, const roster_results *part, roster_error *err);
ROSTER_API void roster_results_free(roster_results *results);

/* ---- 11. theory ------------------------------------------------------------------------------------------ */
/* All but the first are pure functions of numbers; a time or bound that does not exist is INFINITY. */

/* w(x): the y with y / ln(2/y) = x. */
ROSTER_API double roster_theory_w(double x);
/* C of the theorems: 16 M / gamma for D-UCB; 32 M / (gamma (1 - p_V)) for ED-UCB. */
ROSTER_API double roster_theory_C(double M, double gamma);
ROSTER_API double roster_theory_C_empirical(double M, double gamma, double p_V);
/* The error estimates may have: as printed in the paper, or (tight) the value that meets the paper's claim. */
ROSTER_API double roster_theory_xi(double p_V, double gamma, bool tight);
/* n: samples per expert and context; V actions, horizon T. */
ROSTER_API double roster_theory_samples_per_context(size_t V, double T, double xi);
/* A: samples per expert (Lemma 3); n from above, N experts, X contexts, E episodes. */
ROSTER_API double roster_theory_samples_per_expert(double n, double p_X, size_t X, size_t N, double T, double E);

/* The constants of an instance that the bounds need. */
typedef struct roster_constants {
    double C;
    double M;     /* the largest divergence                       */
    double gamma; /* every value is at least this                 */
    double p_V;   /* ED-UCB only: every probability at least this */
    double clip;  /* ED-UCB only: the largest r_hi / (2 M_lo)     */
} roster_constants;

/* The constants of an agent on its problem, for all but the baselines. gamma is the setting, else the smallest of the
   problem's values, else NAN. Computes all divergences, O(N^2 X V), unless the experts are estimates. */
ROSTER_API int roster_agent_constants(const roster_agent *agent, roster_constants *constants, roster_error *err);

/* First round from which the width is below gamma. */
ROSTER_API double roster_theory_tau_1(const roster_constants *c);
/* First round from which an expert with this gap is told apart (gap > 0). */
ROSTER_API double roster_theory_tau(const roster_constants *c, double gap);
/* First round from which no sample is clipped, whatever was played. */
ROSTER_API double roster_theory_T_clip(const roster_constants *c);
ROSTER_API double roster_theory_tau_1_empirical(const roster_constants *c);
ROSTER_API double roster_theory_tau_empirical(const roster_constants *c, double gap);
/* Corollary to Theorem 1: probability that a given suboptimal expert is played in round t >= tau_k. */
ROSTER_API double roster_theory_play_probability(double t);
/* Theorem 2 (D-UCB) and Theorem 3 (ED-UCB): bound on the regret; gaps of all n experts in any order. */
ROSTER_API int roster_theory_regret(const roster_constants *c, const double *gaps, size_t n, double *bound,
                                    roster_error *err);
ROSTER_API int roster_theory_regret_empirical(const roster_constants *c, const double *gaps, size_t n, double *bound,
                                              roster_error *err);
/* Lemma on D-UCB-lite: bound on the regret after T rounds. */
ROSTER_API int roster_theory_regret_lite(const roster_constants *c, const double *gaps, size_t n, double beta, double T,
                                         double *bound, roster_error *err);
/* Theorem 4 (A = 0) and its Corollary (A > 0 samples of each of N experts drawn online): E episodes of T rounds whose
   Theorem 3 bounds add up to `sum`. */
ROSTER_API double roster_theory_regret_episodes(double E, double T, double sum, double A, size_t N);
/* Corollary on many experts, up to a constant factor: M^4 ln(N) ln^2(1/gap) / gap, gap the smallest. */
ROSTER_API double roster_theory_regret_order(double M, size_t N, double gap);

/* ---- 12. sequences --------------------------------------------------------------------------------------- */
/* An interval for a mean that lies in [0, 1] (of a difference: [-1, 1]), from a stream of numbers psi each of which has
   that mean given the past. It holds at all times at once with probability at least 1 - delta. The fields are for
   reading; memory is not allocated. */
typedef struct roster_sequence {
    double log_level; /* ln(2/delta)                              */
    bool difference;
    uint64_t n;                                /* numbers added           */
    double log_t;                              /* ln(1 + n)               */
    double lambda, lambda_psi, charge, spread; /* sums of them   */
} roster_sequence;

ROSTER_API void roster_sequence_init(roster_sequence *self, double delta, bool difference);
/* psi = g + w (y - m) with 0 <= w <= reach, m and g in [0, 1] (of a difference: |w| <= reach), reach known before psi.
   What is not finite is passed over. */
ROSTER_API void roster_sequence_add(roster_sequence *self, double psi, double reach);
/* Not cut to the range of the mean. */
ROSTER_API roster_interval roster_sequence_interval(const roster_sequence *self);
/* The numbers of an independent stream, added too. */
ROSTER_API void roster_sequence_merge(roster_sequence *self, const roster_sequence *other);

/* ---- 13. alarms ------------------------------------------------------------------------------------------ */
/*
 * Episodes whose ends nobody announces. Every 32 rounds two tests compare what came before with what came after each of
 * 24 moments: do contexts come as often as they did, does every action pay in every context as it did? If nothing
 * changes, an alarm is ever raised with probability at most delta, for every p and every law of rewards in [0, 1],
 * whatever is played. After an alarm its test starts afresh, so that this holds again until the next change.
 *
 * Experts that are tables have both tests. Of others contexts are not looked at, and rewards by expert alone, which
 * holds where the expert is chosen before the context is looked at: then a change of either kind may show.
 */
enum { ROSTER_CONTEXTS_CHANGED = 1, ROSTER_REWARDS_CHANGED = 2 };

typedef struct roster_alarm {
    unsigned kind;          /* ROSTER_CONTEXTS_CHANGED or ROSTER_REWARDS_CHANGED; 0: none yet                */
    uint64_t round;         /* in which it was raised: rounds learnt since creation                          */
    uint64_t since;         /* the rounds after this one differ most from those before                       */
    size_t context, action; /* of tables: the cell that pays otherwise; or the context whose share changed most */
    size_t expert;          /* of other experts: whose rewards changed                                       */
    double before, after;   /* the mean reward there, or the share of that context                           */
    double rounds_before, rounds_after; /* on which these rest                                               */
    double evidence; /* at least ln(1/delta); without a change so much is ever seen with probability exp(-evidence) */
} roster_alarm;

/* delta in [1e-300, 1), 0.001 is a good choice. experts: borrowed. */
ROSTER_API int roster_alarms_create(roster_alarms **out, const roster_experts *experts, double delta,
                                    roster_error *err);
ROSTER_API void roster_alarms_free(roster_alarms *alarms);
/* Forget all events and alarms. */
ROSTER_API void roster_alarms_reset(roster_alarms *alarms);
/* Learn one event, in the order of the rounds. *raised: the kinds of alarm that it raises, one, both or 0. Allocates
   nothing. A refused event changes nothing. */
ROSTER_API int roster_alarms_learn(roster_alarms *alarms, const roster_event *event, unsigned *raised,
                                   roster_error *err);
/* The last alarm of a kind; false: there was none. */
ROSTER_API bool roster_alarms_last(const roster_alarms *alarms, unsigned kind, roster_alarm *out);
/* Events learnt since creation. */
ROSTER_API uint64_t roster_alarms_rounds(const roster_alarms *alarms);
ROSTER_API double roster_alarms_delta(const roster_alarms *alarms);
/* As roster_evidence_set_experts. Of tables all goes on; of other experts, whose rewards are looked at one by one, the
   tests start afresh. */
ROSTER_API int roster_alarms_set_experts(roster_alarms *alarms, const roster_experts *experts, roster_error *err);
/* What an agent does about it: changed is one kind or both. direct keeps what it knows of cells where contexts changed,
   and of contexts where rewards did, and no longer relies on a p that was declared; an agent that cannot tell the kinds
   apart forgets all (roster_agent_reset with this run). 0 changes nothing. */
ROSTER_API void roster_agent_forget(roster_agent *agent, unsigned changed, uint64_t run);
/* As for agents. There is no merging: what came first is lost where replicas are added up. */
ROSTER_API size_t roster_alarms_save(const roster_alarms *alarms, void *buf, size_t size);
ROSTER_API int roster_alarms_load(roster_alarms *alarms, const void *buf, size_t size, roster_error *err);

/* ---- 14. test of the model ------------------------------------------------------------------------------- */
/*
 * d-ucb and its relatives, and direct, take it that the reward depends on context and action, not on who acts. This
 * tests it. If it is true, any expert is ever rejected with probability at most delta, for every law of rewards in
 * [0, 1], whatever is played. Only for experts that are tables. It assumes that rewards do not change: after a change
 * create another, or experts that played more before than after it are rejected.
 */
typedef struct roster_verdict {
    uint64_t rejected;  /* in which round; 0: not                                                              */
    double evidence;    /* ln E_k when it was last looked at, or when k was rejected; at least ln(N/delta) then */
    double own, others; /* what k earned a round, and what others earned with the same actions in the same contexts;
                           NAN: nothing to compare                                                             */
    double rounds;      /* of k that could be compared                                                         */
} roster_verdict;

ROSTER_API int roster_model_test_create(roster_model_test **out, const roster_experts *experts, double delta,
                                        roster_error *err);
ROSTER_API void roster_model_test_free(roster_model_test *test);
/* Forget all events and rejections: where rewards have changed, experts that played at different times differ for that
   reason alone. */
ROSTER_API void roster_model_test_reset(roster_model_test *test);
/* Learn one event. *rejects: it lets at least one more expert be rejected. Allocates where an expert acts for the first
   time. A refused event changes nothing. */
ROSTER_API int roster_model_test_learn(roster_model_test *test, const roster_event *event, bool *rejects,
                                       roster_error *err);
/* As roster_evidence_set_experts: who comes has not acted, who goes is compared on. */
ROSTER_API int roster_model_test_set_experts(roster_model_test *test, const roster_experts *experts, roster_error *err);
/* What an agent does about it: from now on its index of expert k rests on k's own rewards, which no longer say anything
   of others. False: the agent cannot (ucb and its relatives always do so; of the others direct can). */
ROSTER_API bool roster_agent_stand_alone(roster_agent *agent, size_t k);
/* Do now what learning the first event of expert k would allocate. */
ROSTER_API int roster_model_test_prepare(roster_model_test *test, size_t k, roster_error *err);
ROSTER_API void roster_model_test_verdict(const roster_model_test *test, size_t k, roster_verdict *out);
/* A sentence for people about an expert that was rejected, "" for others; as much as fits. */
ROSTER_API void roster_model_test_sentence(const roster_model_test *test, size_t k, char *text, size_t size);
/* Events learnt since creation. */
ROSTER_API uint64_t roster_model_test_rounds(const roster_model_test *test);
/* As for agents. */
ROSTER_API size_t roster_model_test_save(const roster_model_test *test, void *buf, size_t size);
ROSTER_API int roster_model_test_load(roster_model_test *test, const void *buf, size_t size, roster_error *err);
ROSTER_API int roster_model_test_merge(roster_model_test *into, const roster_model_test *from, roster_error *err);

#ifdef __cplusplus
}
#endif
#endif
