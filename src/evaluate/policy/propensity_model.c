/*
 * propensity_model.c: multinomial logistic regression, one event after the other.
 *
 *   z_j     features: (f_j - mean) / deviation of the events before, and a constant 1
 *   p(v)    (1 - e) exp(theta_v z) / sum_u exp(theta_u z) + e / V, e = 0.01: no weight exceeds V / e
 *   step    theta_v <- theta_v - r g / sqrt(G_v), g = (softmax_v - 1[v taken]) z, G_v = sum of g^2 so far (AdaGrad,
 *           Duchi, Hazan, Singer 2011), r = 0.5
 *
 * An event is told its probability before the model learns from it, so every event is judged by a model that does not
 * know it: cross-fitted, in one pass.
 *
 * Paper: none. Cost: V x features per event, and for memory twice that.
 * Check: tests/unit/test_evaluation.c: model_learns_propensities.
 */
#include "propensity_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RATE 0.5
#define SHARE 0.01

struct propensity_model {
    size_t n, actions; /* features with the constant; actions there is room for */
    double events;
    double *mean, *squares, *z; /* owned, [n]              */
    double *theta, *gradient;   /* owned, [actions][n]     */
    double *p;                  /* owned, [actions]        */
};

propensity_model *propensity_model_create(size_t n_features)
{
    propensity_model *self = calloc(1, sizeof *self);
    if (self == NULL)
        return NULL;
    self->n = n_features + 1;
    self->mean = calloc(self->n, sizeof *self->mean);
    self->squares = calloc(self->n, sizeof *self->squares);
    self->z = calloc(self->n, sizeof *self->z);
    if (self->mean != NULL && self->squares != NULL && self->z != NULL)
        return self;
    propensity_model_free(self);
    return NULL;
}

void propensity_model_free(propensity_model *self)
{
    if (self == NULL)
        return;
    free(self->mean);
    free(self->squares);
    free(self->z);
    free(self->theta);
    free(self->gradient);
    free(self->p);
    free(self);
}

static bool extend(double **array, size_t from, size_t to)
{
    double *larger = realloc(*array, to * sizeof **array);
    if (larger == NULL)
        return false;
    *array = larger;
    memset(larger + from, 0, (to - from) * sizeof *larger);
    return true;
}

static bool reserve(propensity_model *self, size_t actions)
{
    if (actions <= self->actions)
        return true;
    size_t room = 2 * self->actions > actions ? 2 * self->actions : actions, n = self->n;
    if (!extend(&self->theta, self->actions * n, room * n) || !extend(&self->gradient, self->actions * n, room * n) ||
        !extend(&self->p, self->actions, room))
        return false;
    self->actions = room;
    return true;
}

/* The features as the model takes them; then mean and deviation know them too. */
static void standardise(propensity_model *self, const double *features)
{
    self->events++;
    self->z[self->n - 1] = 1;
    for (size_t j = 0; j + 1 < self->n; j++) {
        double before = features[j] - self->mean[j], deviation = sqrt(self->squares[j] / fmax(self->events - 2, 1));
        self->z[j] = deviation > 0 ? fmax(-5, fmin(5, before / deviation)) : 0;
        self->mean[j] += before / self->events;
        self->squares[j] += before * (features[j] - self->mean[j]);
    }
}

static void softmax(propensity_model *self, size_t actions)
{
    double most = -INFINITY, sum = 0;
    for (size_t v = 0; v < actions; v++) {
        double score = 0;
        for (size_t j = 0; j < self->n; j++)
            score += self->theta[v * self->n + j] * self->z[j];
        self->p[v] = score;
        most = score > most ? score : most;
    }
    for (size_t v = 0; v < actions; v++)
        sum += self->p[v] = exp(self->p[v] - most);
    for (size_t v = 0; v < actions; v++)
        self->p[v] /= sum;
}

double propensity_model_next(propensity_model *self, const double *features, uint32_t action, size_t n_actions)
{
    size_t actions = n_actions > action ? n_actions : (size_t)action + 1;
    if (!reserve(self, actions))
        return NAN;
    standardise(self, features);
    softmax(self, actions);
    double told = (1 - SHARE) * self->p[action] + SHARE / (double)actions;
    for (size_t v = 0; v < actions; v++)
        for (size_t j = 0; j < self->n; j++) {
            double g = (self->p[v] - (v == action)) * self->z[j], *sum = &self->gradient[v * self->n + j];
            *sum += g * g;
            if (*sum > 0)
                self->theta[v * self->n + j] -= RATE * g / sqrt(*sum);
        }
    return told;
}
