/*
 * greedy.h: play the expert with the largest index, all indices fresh every round. D-UCB and ED-UCB are this over
 * different knowledge of the experts. The state is a roster_ranking; the functions are those of roster_agent_type.
 */
#ifndef ROSTER_GREEDY_H
#define ROSTER_GREEDY_H

#include "agent.h"

int roster_greedy_init(void *self, const roster_setup *setup, roster_error *err);
void roster_greedy_fini(void *self);
void roster_greedy_reset(void *self);
int roster_greedy_reserve(void *self, size_t rounds);
int roster_greedy_learn(void *self, const roster_sample *sample);
size_t roster_greedy_choose(const void *self);
size_t roster_greedy_choose_waiting(const void *self, const uint64_t *waiting, double u);
void roster_greedy_index(const void *self, double *u);
void roster_greedy_insight(const void *self, size_t i, roster_insight *out);
void roster_greedy_save(const void *self, roster_writer *w);
int roster_greedy_load(void *self, roster_reader *r);
int roster_greedy_merge(void *self, const void *from);
int roster_greedy_adopt(void *self, const void *from, size_t n);
int roster_greedy_learn_tally(void *self, const roster_tally_row *rows, size_t n);
extern const roster_agent_lazy roster_greedy_lazy;

#define ROSTER_GREEDY_FUNCTIONS                                                                                        \
    .state_size = sizeof(roster_ranking), .init = roster_greedy_init, .fini = roster_greedy_fini,                      \
    .reset = roster_greedy_reset, .reserve = roster_greedy_reserve, .learn = roster_greedy_learn,                      \
    .choose = roster_greedy_choose, .choose_waiting = roster_greedy_choose_waiting, .index = roster_greedy_index,      \
    .insight = roster_greedy_insight, .save = roster_greedy_save, .load = roster_greedy_load,                          \
    .merge = roster_greedy_merge, .adopt = roster_greedy_adopt, .learn_tally = roster_greedy_learn_tally,              \
    .lazy = &roster_greedy_lazy

/* agent_ducb.c and agent_educb.c: `prepare` of roster_agent_type. */
int roster_prepare_experts(roster_prepared **prepared, const roster_setup *setup, roster_settings *settings,
                           roster_error *err);
int roster_prepare_estimates(roster_prepared **prepared, const roster_setup *setup, roster_settings *settings,
                             roster_error *err);

/* Refuses experts that are not known on any context. */
int roster_check_reference(const roster_setup *setup, roster_error *err);
/* Takes the theory's C, if it is a number one can work with. */
int roster_take_theory_C(roster_prepared *prepared, double C, double m, roster_error *err);

#endif
