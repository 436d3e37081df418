/*
 * propensity_model.h: with what probability each action is taken, learnt from features, where no log says it.
 */
#ifndef ROSTER_PROPENSITY_MODEL_H
#define ROSTER_PROPENSITY_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct propensity_model propensity_model;

propensity_model *propensity_model_create(size_t n_features); /* NULL: out of memory */
void propensity_model_free(propensity_model *self);
/* The probability of the action as the events before tell it, then learns that it was taken. NAN: out of memory. */
double propensity_model_next(propensity_model *self, const double *features, uint32_t action, size_t n_actions);

#endif
