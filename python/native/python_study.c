/*
 * python_study.c: an experiment from a file or a text, run on all cores without the interpreter.
 *
 * Paper: none.
 *
 * The contest's callbacks only look at two atomic numbers: how many rounds were played, and whether to stop. So nothing
 * here ever calls Python, and Python may look at the progress as often as it likes.
 *
 * Check: results.json has the bytes of the command line's (tests/python/test_same.py).
 */
#include "python_study.h"

#include <stdlib.h>
#include <time.h>

roster_python_study *roster_python_study_create(const char *path, const char *text,
                                                const roster_python_changes *changes)
{
    experiment_changes wanted = {changes->runs, changes->rounds, changes->seed, changes->agents};
    roster_error *err = roster_python_error();
    roster_python_study *self = calloc(1, sizeof *self);
    if (self == NULL) {
        roster_python_fail(ROSTER_ENOMEM, "out of memory");
        return NULL;
    }
    int code = text != NULL ? experiment_parse(&self->file, text, path, &wanted, err)
                            : experiment_read(&self->file, path, &wanted, err);
    if (code == ROSTER_OK) {
        self->results = calloc(self->file->n_cases, sizeof *self->results);
        code = self->results != NULL ? ROSTER_OK : roster_python_fail(ROSTER_ENOMEM, "out of memory");
    }
    if (code != ROSTER_OK) {
        roster_python_study_free(self);
        return NULL;
    }
    return self;
}

void roster_python_study_free(roster_python_study *self)
{
    if (self == NULL)
        return;
    for (size_t i = 0; self->results != NULL && i < self->file->n_cases; i++)
        roster_results_free(self->results[i]);
    free(self->results);
    experiment_free(self->file);
    free(self);
}

static bool tell(void *context, uint64_t rounds)
{
    roster_python_study *self = context;
    atomic_store(&self->rounds, self->before + rounds);
    return !atomic_load(&self->stop);
}

static uint64_t thread_time(void *context)
{
    struct timespec t;
    (void)context;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t rounds_of(const experiment *file, const experiment_case *c)
{
    uint64_t rounds = 0;
    for (size_t e = 0; e < c->n_episodes; e++)
        rounds += c->episodes[e].rounds;
    return rounds * file->runs * file->n_agents;
}

int roster_python_study_run(roster_python_study *self, size_t threads)
{
    const experiment *file = self->file;
    int code = ROSTER_OK;
    for (size_t i = 0; i < file->n_cases && code == ROSTER_OK; i++) {
        const experiment_case *c = &file->cases[i];
        roster_contest contest = {.studies = c->studies,
                                  .agents = file->n_agents,
                                  .runs = file->runs,
                                  .threads = threads,
                                  .progress = tell,
                                  .clock = thread_time,
                                  .context = self};
        if (self->results[i] != NULL)
            return roster_python_fail(ROSTER_EINVAL, "the study was run before");
        code = atomic_load(&self->stop) ? roster_results_create(&contest, &self->results[i], roster_python_error())
                                        : roster_contest_run(&contest, &self->results[i], roster_python_error());
        self->before += rounds_of(file, c);
        atomic_store(&self->rounds, self->before);
    }
    return code;
}

uint64_t roster_python_study_rounds(roster_python_study *self)
{
    return atomic_load(&self->rounds);
}

void roster_python_study_stop(roster_python_study *self)
{
    atomic_store(&self->stop, true);
}

const roster_results *roster_python_study_results(const roster_python_study *self, size_t i)
{
    return i < self->file->n_cases ? self->results[i] : NULL;
}

const roster_experts *roster_python_study_experts(const roster_python_study *self, size_t i)
{
    return i < self->file->n_cases ? self->file->cases[i].experts : NULL;
}

/* Where the steps go. */
typedef struct trace {
    roster_python_step *steps;
    size_t n, most;
} trace;

static bool keep(void *context, const roster_step *step)
{
    trace *self = context;
    const roster_event *event = step->event;
    self->steps[self->n++] = (roster_python_step){step->episode, step->t,       event->expert,     event->context,
                                                  event->action, event->reward, event->propensity, step->regret};
    return self->n < self->most;
}

int roster_python_study_trace(const roster_python_study *self, size_t i, size_t agent, uint64_t run, size_t most,
                              roster_python_step *steps, size_t *n)
{
    trace kept = {steps, 0, most};
    roster_outcome outcome;
    if (i >= self->file->n_cases || agent >= self->file->n_agents || most == 0)
        return roster_python_fail(ROSTER_EINVAL, "there is no such case or agent, or nothing to trace");
    int code =
        roster_simulate(&self->file->cases[i].studies[agent], run, keep, &kept, &outcome, NULL, roster_python_error());
    *n = kept.n;
    return code;
}
