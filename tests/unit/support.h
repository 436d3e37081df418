/*
 * support.h: what several tests need: instances, events, comparisons. Fixed seeds throughout.
 */
#ifndef ROSTER_SUPPORT_H
#define ROSTER_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "roster.h"

/* A problem made of tables: pi[k][x][v], context probabilities, reward means[x][v]. */
typedef struct instance {
    size_t n, x, v;
    double *pi, *p, *means;
    roster_experts *experts;
} instance;

/* Every probability at least `least` (before rows are scaled to sum 1, which changes little), spread over magnitudes.
   */
void instance_random(instance *self, roster_rng *rng, size_t n, size_t x, size_t v, double least);
void instance_free(instance *self);

/* SPEC section 2: three experts, two contexts, three actions. */
extern const double spec_pi[18], spec_p[2];
roster_experts *spec_experts(void);
/* SPEC section 3: five rounds. */
extern const roster_event spec_rounds[5];
/* SPEC section 10: two experts with infinite divergence. */
extern const double toy_pi[12], toy_p[2], toy_means_1[6], toy_means_2[6];

/* A study over it: two episodes, one with each of the rewards. */
typedef struct toy_study {
    roster_experts *experts;
    roster_world *worlds[2];
    roster_episode episodes[2];
    roster_study study;
} toy_study;

void toy_init(toy_study *self, const char *agent, const roster_setting *settings, uint64_t rounds);
void toy_fini(toy_study *self);
/* The study is refused with this sentence, and the outcome is not touched. */
void toy_refused(const roster_study *study, const char *sentence);

/* A distribution over n outcomes, each at least `least`. */
void random_distribution(roster_rng *rng, size_t n, double least, double *p);
/* A whole number in low..high, uniform in the logarithm. */
size_t random_size(roster_rng *rng, size_t low, size_t high);
/* What happens when expert k meets a random context: reward 0/1, or anything in [0, 1] where `continuous`. */
roster_event random_event(const instance *self, roster_rng *rng, size_t k, bool continuous);

/* |a - b| <= 1e-9 max(|a|, |b|), or equal (infinities too). Below 1e-300 products underflow, and all is alike. */
bool close_enough(double a, double b);
void assert_close(double got, double expected, double relative);
/* The code is ROSTER_OK; prints the sentence if not. */
void assert_ok(int code, const roster_error *err);
/* In a sentence: the names of all agents, of those on estimates, or of those that learn tallies, as the registry has
   them, "ucb, kl-ucb". */
#define ALL_AGENTS "{agents}"
#define EMPIRICAL_AGENTS "{agents on estimates}"
#define TALLY_AGENTS "{agents that learn tallies}"
/* The sentence with the names in their places; good until the next call. */
const char *sentence_with_agents(const char *sentence);
/* Of the settings offered those that the agent takes, into `taken`, which is returned. */
enum { SETTINGS = 12 };
const roster_setting *settings_taken(const roster_agent_info *info, const roster_setting *offered,
                                     roster_setting taken[SETTINGS]);
/* The code and the exact sentence, which may have ALL_AGENTS in it. */
void assert_refused(int code, const roster_error *err, int expected, const char *sentence);

/* A new folder whose name begins with `name`, beside the others; its path. */
typedef char folder_path[64];
void folder_make(folder_path path, const char *name);
/* Removes the files and the empty folders in it. */
void folder_empty(const char *path);
void folder_remove(const char *path);
/* For groups of tests and for tests: in a folder of their own, which must be empty at the end. */
int enter_folder(void **state);
int leave_folder(void **state);
void write_file(const char *path, const char *text);

/* Seconds of a processor that this thread has had: what others do does not count. */
double thread_seconds(void);

#endif
