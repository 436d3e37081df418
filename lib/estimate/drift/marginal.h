/*
 * marginal.h: how well one unknown mean explains rewards in [0, 1], for tests whether two means are one.
 */
#ifndef ROSTER_MARGINAL_H
#define ROSTER_MARGINAL_H

#include "base.h"

/* a: sum of the rewards; b: their number less that; both >= 0. */
double roster_ln_kt(double a, double b);
double roster_ln_ml(double a, double b);

#endif
