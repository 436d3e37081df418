/*
 * zero_gap.h: which differences between values of experts are rounding.
 */
#ifndef ROSTER_ZERO_GAP_H
#define ROSTER_ZERO_GAP_H

/* A gap up to this is rounding and counts as 0, as in the library's simulation and in the theorems' calculators. */
#define COMMON_ZERO_GAP 1e-12

#endif
