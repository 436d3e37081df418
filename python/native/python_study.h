/*
 * python_study.h: what the files behind roster_python_study share.
 */
#ifndef ROSTER_PYTHON_STUDY_H
#define ROSTER_PYTHON_STUDY_H

#include "experiment.h"
#include "python.h"

#include <stdatomic.h>

struct roster_python_study {
    experiment *file;         /* owned */
    roster_results **results; /* owned, [n_cases]; entries are NULL until they are run */
    uint64_t before;          /* rounds of the cases that are done */
    atomic_ullong rounds;
    atomic_bool stop;
};

#endif
