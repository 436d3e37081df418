/*
 * python_agent.c: agents for a language with threads: a lock around each.
 *
 * Paper: none.
 *
 * The library leaves it to its users that calls which change an agent run alone. Here nobody can get it wrong: every
 * call holds the agent's lock. A short call first tries the lock while it holds the interpreter; only where it is taken
 * does the package let go of the interpreter and wait. A thread that has the lock never waits for the interpreter.
 *
 * Cost: a free lock is some 20 ns.
 * Check: threads that learn at once learn everything (tests/python/test_threads.py).
 */
#include "python_watch.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct roster_python_agent {
    roster_agent *agent;       /* owned */
    roster_python_watch watch; /* owned */
    uint64_t run;              /* of the agent's random numbers */
    size_t n;                  /* experts */
    roster_kind kind;
    size_t width; /* of a row that comes with an event; 0: contexts are finite */
    pthread_mutex_t lock;
};

static size_t width_of(const roster_experts *experts)
{
    roster_kind kind = roster_experts_kind(experts);
    return kind == ROSTER_SOFTMAX    ? roster_experts_features(experts)
           : kind == ROSTER_EXTERNAL ? roster_experts_count(experts)
                                     : 0;
}

roster_python_agent *roster_python_agent_create(const char *name, const roster_experts *experts, const double *p,
                                                const double *values, const roster_setting *settings, uint64_t seed,
                                                uint64_t run, const roster_python_watching *watching)
{
    roster_problem problem = {experts, p, values};
    roster_agent *agent;
    if (roster_agent_create(&agent, name, &problem, settings, seed, run, roster_python_error()) != ROSTER_OK)
        return NULL;
    roster_python_agent *self = calloc(1, sizeof *self);
    if (self == NULL || pthread_mutex_init(&self->lock, NULL) != 0) {
        roster_python_fail(ROSTER_ENOMEM, "out of memory");
        roster_agent_free(agent);
        free(self);
        return NULL;
    }
    self->agent = agent;
    self->run = run;
    self->n = roster_experts_count(experts);
    self->kind = roster_experts_kind(experts);
    self->width = width_of(experts);
    if (roster_python_watch_init(&self->watch, experts, watching->level, watching->own, watching->alarm) != ROSTER_OK) {
        roster_python_agent_free(self);
        return NULL;
    }
    return self;
}

void roster_python_agent_free(roster_python_agent *self)
{
    if (self == NULL)
        return;
    roster_agent_free(self->agent);
    roster_python_watch_fini(&self->watch);
    pthread_mutex_destroy(&self->lock);
    free(self);
}

static void enter(roster_python_agent *self)
{
    pthread_mutex_lock(&self->lock);
}

static void leave(roster_python_agent *self)
{
    pthread_mutex_unlock(&self->lock);
}

int64_t roster_python_choose_now(roster_python_agent *self)
{
    if (pthread_mutex_trylock(&self->lock) != 0)
        return ROSTER_PYTHON_BUSY;
    int64_t k = (int64_t)roster_agent_choose(self->agent);
    leave(self);
    return k;
}

int64_t roster_python_choose(roster_python_agent *self)
{
    enter(self);
    int64_t k = (int64_t)roster_agent_choose(self->agent);
    leave(self);
    return k;
}

static int learn(roster_python_agent *self, const roster_event *event)
{
    int code = roster_agent_learn(self->agent, event, roster_python_error());
    if (code == ROSTER_OK)
        roster_python_watch_learn(&self->watch, self->agent, event, self->run);
    return code;
}

/* A number from 0 that can be counted to; what is too large for the problem the library says itself. */
static int whole(const char *what, double number, size_t *out)
{
    if (!(number >= 0 && number <= 0x1p53 && number == floor(number)))
        return roster_python_fail(ROSTER_EINVAL, "event.%s is %.17g, must be a whole number from 0", what, number);
    *out = (size_t)number;
    return ROSTER_OK;
}

static int read_event(roster_event *event, const char *bytes)
{
    double numbers[5];
    memcpy(numbers, bytes, sizeof numbers);
    *event = (roster_event){.reward = numbers[3], .propensity = numbers[4]};
    int code = whole("expert", numbers[0], &event->expert);
    if (code == ROSTER_OK)
        code = whole("context", numbers[1], &event->context);
    if (code == ROSTER_OK)
        code = whole("action", numbers[2], &event->action);
    return code;
}

int roster_python_learn_now(roster_python_agent *self, const char *bytes)
{
    roster_event event;
    int code = read_event(&event, bytes);
    if (code != ROSTER_OK)
        return code;
    if (pthread_mutex_trylock(&self->lock) != 0)
        return ROSTER_PYTHON_BUSY;
    code = learn(self, &event);
    leave(self);
    return code;
}

int roster_python_learn(roster_python_agent *self, const char *bytes)
{
    roster_event event;
    int code = read_event(&event, bytes);
    if (code != ROSTER_OK)
        return code;
    enter(self);
    code = learn(self, &event);
    leave(self);
    return code;
}

static int learn_row(roster_python_agent *self, const roster_python_rounds *rounds, size_t i)
{
    const int64_t k = rounds->expert[i], x = rounds->context != NULL ? rounds->context[i] : 0, v = rounds->action[i];
    if (k < 0 || x < 0 || v < 0)
        return roster_python_fail(ROSTER_EINVAL, "event.%s is %lld, must be a whole number from 0",
                                  k < 0   ? "expert"
                                  : x < 0 ? "context"
                                          : "action",
                                  (long long)(k < 0   ? k
                                              : x < 0 ? x
                                                      : v));
    const double *row = rounds->rows != NULL ? rounds->rows + i * rounds->width : NULL;
    roster_event event = {.expert = (size_t)k,
                          .context = (size_t)x,
                          .action = (size_t)v,
                          .reward = rounds->reward[i],
                          .propensity = rounds->propensity != NULL ? rounds->propensity[i] : 0,
                          .features = self->kind == ROSTER_SOFTMAX ? row : NULL,
                          .probabilities = self->kind == ROSTER_EXTERNAL ? row : NULL};
    return learn(self, &event);
}

int roster_python_learn_batch(roster_python_agent *self, const roster_python_rounds *rounds, uint64_t *done)
{
    int code = ROSTER_OK;
    *done = 0;
    if (rounds->rows != NULL && rounds->width != self->width)
        return roster_python_fail(ROSTER_EINVAL, "a row has %zu numbers, must have %zu", rounds->width, self->width);
    enter(self);
    for (size_t i = 0; i < rounds->n && code == ROSTER_OK; i++) {
        code = learn_row(self, rounds, i);
        *done += code == ROSTER_OK;
    }
    leave(self);
    return code;
}

int roster_python_learn_tally(roster_python_agent *self, const roster_tally_row *rows, size_t n, double discount)
{
    enter(self);
    int code = roster_agent_learn_tally(self->agent, rows, n, discount, roster_python_error());
    leave(self);
    return code;
}

void roster_python_index(roster_python_agent *self, double *u)
{
    enter(self);
    roster_agent_index(self->agent, u);
    leave(self);
}

void roster_python_insight(roster_python_agent *self, roster_insight *insight)
{
    enter(self);
    for (size_t k = 0; k < self->n; k++)
        roster_agent_insight(self->agent, k, &insight[k]);
    leave(self);
}

uint64_t roster_python_rounds_learnt(roster_python_agent *self)
{
    enter(self);
    uint64_t rounds = roster_agent_rounds(self->agent);
    leave(self);
    return rounds;
}

double roster_python_setting(roster_python_agent *self, const char *name)
{
    return roster_agent_setting(self->agent, name);
}

int roster_python_constants(roster_python_agent *self, roster_constants *constants)
{
    enter(self);
    int code = roster_agent_constants(self->agent, constants, roster_python_error());
    leave(self);
    return code;
}

int roster_python_reserve(roster_python_agent *self, size_t rounds)
{
    enter(self);
    int code = roster_agent_reserve(self->agent, rounds, roster_python_error());
    leave(self);
    return code;
}

int roster_python_reset(roster_python_agent *self, uint64_t run)
{
    enter(self);
    roster_agent_reset(self->agent, run);
    self->run = run;
    int code = roster_python_watch_reset(&self->watch);
    leave(self);
    return code;
}

int roster_python_set_experts(roster_python_agent *self, const roster_experts *experts, const double *values)
{
    enter(self);
    int code = roster_agent_set_experts(self->agent, experts, values, roster_python_error());
    if (code == ROSTER_OK) {
        self->n = roster_experts_count(experts);
        self->width = width_of(experts);
        roster_python_watch_set_experts(&self->watch, experts);
    }
    leave(self);
    return code;
}

size_t roster_python_save(roster_python_agent *self, unsigned char *buf, size_t size)
{
    enter(self);
    size_t used = roster_agent_save(self->agent, buf, size);
    bool fits = used <= size;
    used += roster_python_watch_save(&self->watch, fits ? buf + used : NULL, fits ? size - used : 0);
    leave(self);
    return used;
}

/* A copy of the agent's state in case that what comes behind it cannot be loaded. */
static int load_both(roster_python_agent *self, const unsigned char *buf, size_t agent, size_t part)
{
    size_t size = roster_agent_save(self->agent, NULL, 0);
    unsigned char *before = malloc(size);
    if (before == NULL)
        return roster_python_fail(ROSTER_ENOMEM, "out of memory");
    roster_agent_save(self->agent, before, size);
    int code = roster_agent_load(self->agent, buf, agent, roster_python_error());
    if (code == ROSTER_OK) {
        code = roster_python_watch_load(&self->watch, buf + agent, part);
        roster_error why = *roster_python_error();
        if (code != ROSTER_OK && roster_agent_load(self->agent, before, size, NULL) == ROSTER_OK)
            *roster_python_error() = why;
    }
    free(before);
    return code;
}

int roster_python_load(roster_python_agent *self, const unsigned char *buf, size_t size)
{
    enter(self);
    size_t part = roster_python_watch_part(buf, size);
    int code = load_both(self, buf, size - part, part);
    leave(self);
    return code;
}

/* Locks are taken in the order of addresses, so that two agents can be merged into each other at once. */
int roster_python_merge(roster_python_agent *into, roster_python_agent *from)
{
    if (into == from)
        return roster_python_fail(ROSTER_EINVAL, "an agent cannot be merged into itself");
    enter((uintptr_t)into < (uintptr_t)from ? into : from);
    enter((uintptr_t)into < (uintptr_t)from ? from : into);
    int code = roster_python_watch_same(&into->watch, &from->watch);
    if (code == ROSTER_OK)
        code = roster_agent_merge(into->agent, from->agent, roster_python_error());
    if (code == ROSTER_OK)
        code = roster_python_watch_merge(&into->watch, into->agent, &from->watch);
    leave(into);
    leave(from);
    return code;
}

static int check_watch(const roster_python_agent *self)
{
    if (self->watch.lost)
        return roster_python_fail(ROSTER_ENOMEM, "memory ran out while events were learnt, so that evidence and alarms "
                                                 "miss some of them: reset the agent");
    return ROSTER_OK;
}

int roster_python_evidence(roster_python_agent *self, roster_finding *findings, roster_python_judgement *out)
{
    enter(self);
    const roster_evidence *evidence = self->watch.evidence;
    int code = check_watch(self);
    if (code == ROSTER_OK && evidence == NULL)
        code = roster_python_fail(ROSTER_EINVAL, "the agent was created with level=None: it keeps no evidence");
    if (code == ROSTER_OK) {
        for (size_t k = 0; k < self->n; k++)
            roster_evidence_find(evidence, k, &findings[k]);
        *out = (roster_python_judgement){.rounds = roster_evidence_rounds(evidence),
                                         .leader = roster_evidence_leader(evidence),
                                         .known = roster_evidence_known(evidence),
                                         .own = self->watch.own,
                                         .level = roster_evidence_level(evidence),
                                         .until = roster_evidence_until_known(evidence)};
    }
    leave(self);
    return code;
}

int roster_python_sentence(roster_python_agent *self, size_t k, char *text, size_t size)
{
    enter(self);
    int code = check_watch(self);
    text[0] = '\0';
    if (code == ROSTER_OK && self->watch.test != NULL)
        roster_model_test_sentence(self->watch.test, k, text, size);
    leave(self);
    return code;
}

int64_t roster_python_alarms(roster_python_agent *self, roster_alarm *alarms, size_t most)
{
    enter(self);
    size_t n = self->watch.n_raised;
    for (size_t i = 0; i < n && i < most; i++)
        alarms[i] = self->watch.raised[i];
    bool fine = check_watch(self) == ROSTER_OK;
    leave(self);
    return fine ? (int64_t)n : -1;
}
