/*
 * evaluate_support.h: what tests of evaluations share: a log in a file, and one that is drawn.
 */
#ifndef ROSTER_EVALUATE_SUPPORT_H
#define ROSTER_EVALUATE_SUPPORT_H

#include "support.h"

#include "evaluate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEAR(got, expected, relative) assert_true(fabs((got) - (expected)) <= (relative) * (1e-12 + fabs(expected)))

static const evaluate_settings plain = {.estimator = EVALUATE_DEFAULT, .delta = 0.05, .high = 1, .level = 10};

/* A log in a file that is removed afterwards. */
static inline evaluate *evaluate_text(const char *text, const evaluate_settings *settings, const char *const *names,
                                      size_t n)
{
    char path[] = "test_evaluation_XXXXXX";
    const char *paths[] = {path};
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    evaluate_wishes w = {.paths = paths, .n_paths = 1, .policies = names, .n_policies = n, .settings = *settings};
    evaluate *e;
    roster_error err;
    assert_ok(evaluate_run(&e, &w, &err), &err);
    unlink(path);
    return e;
}

/* One event of a log that the literal form sums over. */
typedef struct line {
    int x, a;
    double p, r;
} line;

enum { EVENTS = 400, X = 3, V = 4 };

static inline void draw(line *lines, char *text)
{
    static const double p[X][V] = {{.1, .2, .3, .4}, {.25, .25, .25, .25}, {.7, .1, .1, .1}};
    roster_rng rng;
    roster_rng_init(&rng, 3, 0, 0);
    text += sprintf(text, "context,action,propensity,reward\n");
    for (int i = 0; i < EVENTS; i++) {
        int x = (int)roster_rng_below(&rng, X), a = (int)roster_experts_draw(p[x], V, roster_rng_uniform(&rng));
        double r = roster_rng_uniform(&rng) < 0.2 + 0.1 * a ? 1 : roster_rng_uniform(&rng) / 2;
        lines[i] = (line){x, a, p[x][a], r};
        text += sprintf(text, "%d,%d,%.17g,%.17g\n", x, a, p[x][a], r);
    }
}

#endif
