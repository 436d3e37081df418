/*
 * policy_internal.h: what the files of this folder share.
 */
#ifndef ROSTER_POLICY_INTERNAL_H
#define ROSTER_POLICY_INTERNAL_H

#include "cells.h"
#include "policy.h"

struct policies {
    log_reader *log; /* borrowed */
    common_arena arena;
    policy *list; /* owned, [n] */
    size_t n, room;
    roster_tables roster;
    size_t n_experts, n_contexts, n_roster_actions; /* of the roster; 0: there is none */
    double *most;                                   /* owned: per expert and context the largest probability */
    size_t n_actions;                               /* all there are; 0: those seen     */
    bool learns;                                    /* one is greedy                    */
    cells seen;                                     /* what greedy has learnt           */
    uint32_t *best;                                 /* owned: per context, LOG_NONE: nothing is known */
    size_t n_best, best_room;
    uint32_t best_of_all;
    double total, total_reward; /* of all events seen */
};

#endif
