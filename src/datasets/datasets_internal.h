/*
 * datasets_internal.h: what the files of datasets/ share: pieces of work on several threads.
 */
#ifndef ROSTER_DATASETS_INTERNAL_H
#define ROSTER_DATASETS_INTERNAL_H

#include "common_error.h"
#include "datasets.h"

/* ---- parallel.c ---- */

enum { DATA_THREADS_MOST = 64 };

/* Threads to work with when so many are wanted: 1..DATA_THREADS_MOST. */
static inline unsigned data_threads(unsigned wanted)
{
    return wanted < 1 ? 1 : wanted < DATA_THREADS_MOST ? wanted : DATA_THREADS_MOST;
}

/* One piece of a computation. `worker` is below the number of threads: scratch memory can be kept per worker. Pieces
   are handed out in any order, so each must write to a place of its own. */
typedef void data_piece(void *context, size_t piece, unsigned worker);

/* Does pieces 0..n-1, on the caller's thread and threads - 1 others (fewer where they cannot be had), and shows `what`
   as it goes (NULL: nothing is shown). */
void data_parallel(unsigned threads, size_t n, data_piece *work, void *context, const data_watch *watch,
                   const char *what);
/* Tells the watch, where there is one. */
void data_step(const data_watch *watch, const char *what, uint64_t done, uint64_t total);
/* BLAS must not start threads of its own: its sums would depend on their number. */
void data_parallel_init(void);

#endif
