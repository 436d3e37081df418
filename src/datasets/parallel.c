/*
 * parallel.c: pieces of work on several threads, and a BLAS that leaves threads to us.
 *
 * A computation is cut into pieces whose size does not depend on the number of threads, each with a place of its own
 * for what comes out; what has to be added up is added in the order of the pieces afterwards. So the result is the same
 * bit for bit whichever thread did which piece.
 *
 * Paper: none. Cost: one lock per piece.
 * Check: tests/unit/test_parallel.c: parallel_does_every_piece_once.
 */
#include "datasets_internal.h"

#include <cblas.h>
#include <pthread.h>

typedef struct crew {
    pthread_mutex_t lock;
    size_t next, done, n; /* under the lock, but for n */
    data_piece *work;
    void *context;
    const data_watch *watch;
    const char *what;
} data_crew;

typedef struct member {
    data_crew *crew;
    unsigned number;
    pthread_t thread;
} member;

/* Takes the next piece; false: there is none left. */
static bool take(data_crew *crew, size_t *piece)
{
    pthread_mutex_lock(&crew->lock);
    *piece = crew->next;
    bool any = crew->next < crew->n;
    crew->next += any;
    pthread_mutex_unlock(&crew->lock);
    return any;
}

static size_t finish(data_crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    size_t done = ++crew->done;
    pthread_mutex_unlock(&crew->lock);
    return done;
}

void data_step(const data_watch *watch, const char *what, uint64_t done, uint64_t total)
{
    if (watch->step != NULL)
        watch->step(watch->user, what, done, total);
}

static void *labour(void *context)
{
    const member *self = context;
    data_crew *crew = self->crew;
    size_t piece;
    while (take(crew, &piece)) {
        crew->work(crew->context, piece, self->number);
        size_t done = finish(crew);
        if (self->number == 0 && crew->what != NULL)
            data_step(crew->watch, crew->what, done, crew->n);
    }
    return NULL;
}

void data_parallel(unsigned threads, size_t n, data_piece *work, void *context, const data_watch *watch,
                   const char *what)
{
    data_crew crew = {
        .lock = PTHREAD_MUTEX_INITIALIZER, .n = n, .work = work, .context = context, .watch = watch, .what = what};
    member members[DATA_THREADS_MOST];
    unsigned started = 1;
    threads = data_threads(threads);
    if (what != NULL)
        data_step(watch, what, 0, n);
    for (unsigned i = 0; i < threads; i++)
        members[i] = (member){.crew = &crew, .number = i};
    while (started < threads && pthread_create(&members[started].thread, NULL, labour, &members[started]) == 0)
        started++;
    labour(&members[0]);
    for (unsigned i = 1; i < started; i++)
        pthread_join(members[i].thread, NULL);
    pthread_mutex_destroy(&crew.lock);
}

void data_parallel_init(void)
{
    openblas_set_num_threads(1);
}
