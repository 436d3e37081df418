/*
 * roster_file.h: estimated experts as a roster file, which experiments can name as their "experts".
 */
#ifndef ROSTER_ROSTER_FILE_H
#define ROSTER_ROSTER_FILE_H

#include "counts.h"

#include <stdio.h>

typedef struct roster_file {
    const counts *counts;              /* borrowed: the names, sorted                               */
    const roster_estimates *estimates; /* borrowed                                                  */
    double floor;                      /* of every probability; 0: rows are the frequencies         */
    double delta;                      /* of xi                                                     */
} roster_file;

/* Samples of expert k in context x. */
uint64_t roster_file_samples(const roster_file *self, size_t k, size_t x);
/* The smallest frequency of an action, 0 where an expert was never seen in a context. */
double roster_file_least(const roster_file *self);
/* Into an open stream; what goes wrong with the stream is for the caller to ask (ferror). */
void roster_file_write(const roster_file *self, FILE *out);

#endif
