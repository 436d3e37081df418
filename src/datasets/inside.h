/*
 * inside.h: what the files of data/ share: sentences about what is wrong, and pieces of work on several threads.
 */
#ifndef ROSTER_DATA_INSIDE_H
#define ROSTER_DATA_INSIDE_H

#include "data.h"

/* ---- fail.c ---- */

/* Fills *err (may be NULL) and returns its code. */
int data_fail(roster_error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
int data_fail_memory(roster_error *err);

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
