/*
 * lbfgs.c: the minimum of a smooth convex function of many numbers, from values and gradients (limited-memory BFGS).
 *
 *   w the best point, g its gradient, s_i = w_{i+1} - w_i, y_i = g_{i+1} - g_i of the last 30 steps
 *   direction d = -H g, H from the s_i, y_i by the two loops of Nocedal and Wright, Algorithm 7.4
 *   the point w + a d, a = 1, 1/2, 1/4, .. until f(w + a d) <= f(w) + 1e-4 a g . d
 *   minimum: |g| <= 1e-5 max(1, |w|), or no step leads down any more
 *
 * It asks and is told, so that several functions can be evaluated in one pass over what they share, each with a way of
 * its own through its own points.
 *
 * Paper: none. Cost: about 125 n multiplications per accepted point; 63 n floats.
 * Check: a quadratic of known minimum (tests/unit/test_cifar10_logistic.c: lbfgs_finds_minimum).
 */
#include "cifar10_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 30 };

struct lbfgs {
    size_t n, steps; /* steps: pairs that were remembered so far, the last MEMORY are there */
    float *point;    /* [n], borrowed                                                        */
    float *w, *g, *d;
    float *s, *y; /* [MEMORY][n]                                      */
    double curvature[MEMORY];
    double value, slope, step; /* f(w), g . d, a                          */
    bool started;
    float *memory; /* where all of them lie, owned */
};

int lbfgs_create(lbfgs **out, size_t n, float *point, roster_error *err)
{
    lbfgs *self = calloc(1, sizeof *self);
    float *memory = calloc((3 + 2 * MEMORY) * n, sizeof *memory);
    *out = NULL;
    if (self == NULL || memory == NULL) {
        free(self);
        free(memory);
        return common_fail_memory(err);
    }
    *self = (lbfgs){.n = n, .point = point, .memory = memory, .w = memory, .g = memory + n, .d = memory + 2 * n};
    self->s = memory + 3 * n;
    self->y = self->s + MEMORY * n;
    memset(point, 0, n * sizeof *point);
    *out = self;
    return ROSTER_OK;
}

void lbfgs_free(lbfgs *self)
{
    if (self != NULL)
        free(self->memory);
    free(self);
}

static double dot(const float *a, const float *b, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)a[i] * b[i];
    return sum;
}

/* a += factor b */
static void add(float *a, double factor, const float *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] += (float)factor * b[i];
}

/* The first guess at H is a multiple of 1. At the start nothing is known of curvature, so the step is a short one. */
static double first_scale(const lbfgs *self)
{
    if (self->steps == 0)
        return .1 / sqrt(dot(self->g, self->g, self->n));
    size_t last = (self->steps - 1) % MEMORY;
    const float *y = self->y + last * self->n;
    return self->curvature[last] / dot(y, y, self->n);
}

static void find_direction(lbfgs *self)
{
    double alpha[MEMORY], scale = first_scale(self);
    size_t n = self->n, oldest = self->steps > MEMORY ? self->steps - MEMORY : 0;
    for (size_t i = 0; i < n; i++)
        self->d[i] = -self->g[i];
    for (size_t i = self->steps; i-- > oldest;) {
        size_t at = i % MEMORY;
        alpha[at] = dot(self->s + at * n, self->d, n) / self->curvature[at];
        add(self->d, -alpha[at], self->y + at * n, n);
    }
    for (size_t i = 0; i < n; i++)
        self->d[i] *= (float)scale;
    for (size_t i = oldest; i < self->steps; i++) {
        size_t at = i % MEMORY;
        double beta = dot(self->y + at * n, self->d, n) / self->curvature[at];
        add(self->d, alpha[at] - beta, self->s + at * n, n);
    }
    self->slope = dot(self->g, self->d, n);
    self->step = 1;
}

static void propose(lbfgs *self)
{
    for (size_t i = 0; i < self->n; i++)
        self->point[i] = self->w[i] + (float)self->step * self->d[i];
}

/* The point becomes w. A pair without curvature, which rounding alone can make, is forgotten. */
static void accept(lbfgs *self, double value, const float *gradient)
{
    size_t at = self->steps % MEMORY, n = self->n;
    float *s = self->s + at * n, *y = self->y + at * n;
    for (size_t i = 0; i < n; i++) {
        s[i] = self->point[i] - self->w[i];
        y[i] = gradient[i] - self->g[i];
    }
    self->curvature[at] = dot(s, y, n);
    self->steps += self->started && self->curvature[at] > 0;
    self->started = true;
    self->value = value;
    memcpy(self->w, self->point, n * sizeof *self->w);
    memcpy(self->g, gradient, n * sizeof *self->g);
}

static bool is_minimum(const lbfgs *self)
{
    double w = dot(self->w, self->w, self->n), g = dot(self->g, self->g, self->n);
    return g <= 1e-10 * (w > 1 ? w : 1);
}

void lbfgs_stop(lbfgs *self)
{
    memcpy(self->point, self->w, self->n * sizeof *self->w);
}

bool lbfgs_tell(lbfgs *self, double value, const float *gradient)
{
    bool down = !self->started || value <= self->value + 1e-4 * self->step * self->slope;
    if (down) {
        accept(self, value, gradient);
        if (!is_minimum(self))
            find_direction(self);
        else
            self->step = 0;
    } else {
        self->step /= 2;
    }
    if (self->step < 1e-6 || !(self->slope < 0)) {
        lbfgs_stop(self);
        return false;
    }
    propose(self);
    return true;
}
