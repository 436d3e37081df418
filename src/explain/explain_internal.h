/*
 * explain_internal.h: what the files of explain/ share.
 */
#ifndef ROSTER_EXPLAIN_INTERNAL_H
#define ROSTER_EXPLAIN_INTERNAL_H

#include "explain.h"

#include "common_error.h"
#include "zero_gap.h"

/* explain_theory.c: what the theorems say; the episodes have values, gaps and divergences. */
int explain_theory(explanation *self, roster_error *err);

/* explain_simulate.c: plays the file's agents. */
int explain_simulate(explanation *self, const explain_wishes *wishes, roster_error *err);

/* explain_words.c: one sentence on how an agent fares in an episode, one on an episode as a whole; one for each
   assumption that does not hold. */
void explain_agent_sentence(const explanation *self, size_t agent, size_t e, char *text, size_t size);
void explain_sentence(const explanation *self, size_t e, char *text, size_t size);
void explain_warn(const explanation *self, void (*tell)(void *context, const char *sentence), void *context);
/* A number of rounds or samples for people: "12,300", "4.2e+17", "infinite". */
const char *explain_rounds(double rounds, char text[40]);
/* The same rounded up, for what is said not to be exceeded. */
const char *explain_rounds_up(double rounds, char text[40]);
const char *explain_number_up(double number, char text[40]);
/* "0.02", "infinite", "-" for NAN. */
const char *explain_number(double number, char text[40]);

/* explain_table.c: the parts of explain_text that are tables. */
size_t explain_letters(const char *text);                    /* of UTF-8 */
void explain_put(FILE *out, const char *text, size_t width); /* left, cut or filled up to the width */
/* "name, case: 2 experts, 1 context, 3 actions" */
void explain_head(const experiment *file, const experiment_case *chosen, FILE *out);
void explain_matrix(const explanation *self, const explain_episode *episode, FILE *out, bool terminal);
void explain_experts(const explanation *self, const explain_episode *episode, FILE *out);

/* explain_price.c: what the floor and randomness cost, and a sentence on it. */
void explain_price(explanation *self);
void explain_price_sentence(const explanation *self, size_t e, char *text, size_t size);

/* explain_bounds.c: the section on what is proven. */
void explain_bounds(const explanation *self, FILE *out);

#endif
