/*
 * load_figures.c: how long requests took.
 *
 * Slot i holds the times from 1 us x 1.02^i on: 1024 slots reach beyond ten minutes, and a percentile is off by 2% at
 * most, whatever the number of requests.
 *
 * Paper: none.
 */
#include "load_internal.h"

#include <math.h>

static const double STEP = 1.02, LEAST = 1e-6;

void load_note_latency(load_figures *f, double seconds)
{
    double slot = seconds > LEAST ? log(seconds / LEAST) / log(STEP) : 0;
    f->slots[slot < LOAD_SLOTS - 1 ? (size_t)slot : LOAD_SLOTS - 1]++;
    f->requests++;
}

double load_percentile(const load_figures *f, double share)
{
    double seen = 0;
    for (size_t i = 0; i < LOAD_SLOTS; i++)
        if ((seen += (double)f->slots[i]) > share * (double)f->requests)
            return 1e3 * LEAST * pow(STEP, (double)i + 0.5);
    return NAN;
}
