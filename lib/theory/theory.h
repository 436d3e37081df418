/*
 * theory.h: what times.c lends to bounds.c.
 */
#ifndef ROSTER_THEORY_H
#define ROSTER_THEORY_H

#include "base.h"

/* A condition on the round t with constants a: once true at some t >= 3, it stays true. */
typedef bool (*roster_theory_condition)(const double *a, double t);

/* The smallest integer t >= from with holds(a, t); INFINITY if there is none up to 1e300. from: an integer >= 3. */
double roster_theory_first(double from, roster_theory_condition holds, const double *a);

/* min{t >= from: t/ln t >= (3 C M ln(6C/d) / d)^2}, the time from which the gap d is seen; INFINITY unless d > 0. */
double roster_theory_tau_from(const roster_constants *c, double d, double from);

#endif
