/*
 * test_many_experts.c: (1) of many_experts.c itself, in every round: no inactive expert has an index above the bar,
 * whatever events come.
 *
 * Usage: test_many_experts [rounds]. many_experts.c is part of this file, so that it can be looked into.
 */
#include "support.h"

#include "../../lib/lazy/many_experts.c"

#include "agent.h"
#include "lazy_index.h"

#include <stdlib.h>
#include <string.h>

static size_t rounds = 100;
static const char *label = "";

typedef enum policy { WORLD, ONES, ZEROS, WORST, BOOST, LIST, MIXED, POLICIES } policy;
static const char *const policies[] = {"world", "ones", "zeros", "worst", "boost", "list", "mixed"};

/* The probability of every action in a row, scaled to sum to 1. */
typedef void (*maker)(roster_rng *rng, size_t i, size_t x, size_t v, double *row);
static double flat_floor;
static void make_any(roster_rng *rng, size_t i, size_t x, size_t v, double *row)
{
    (void)i;
    (void)x;
    random_distribution(rng, v, flat_floor, row);
}

/* One action nearly always. */
static void make_sharp(roster_rng *rng, size_t i, size_t x, size_t v, double *row)
{
    (void)i;
    (void)x;
    size_t a = (size_t)roster_rng_below(rng, v);
    for (size_t b = 0; b < v; b++)
        row[b] = flat_floor;
    row[a] = 1 - flat_floor * (double)(v - 1);
}

static void make(instance *self, roster_rng *rng, size_t n, size_t x, size_t v, maker m, bool zero_context)
{
    roster_error err;
    *self = (instance){.n = n, .x = x, .v = v};
    self->pi = malloc(n * x * v * sizeof(double));
    self->p = malloc(x * sizeof(double));
    self->means = malloc(x * v * sizeof(double));
    random_distribution(rng, x, .05 / (double)x, self->p);
    for (size_t i = 0; i < n; i++)
        for (size_t c = 0; c < x; c++)
            m(rng, i, c, v, self->pi + (i * x + c) * v);
    if (zero_context) { /* the last context never comes, and there each takes one action only */
        double rest = 1 - self->p[x - 1];
        for (size_t c = 0; c < x; c++)
            self->p[c] = c + 1 < x ? self->p[c] / rest : 0;
        for (size_t i = 0; i < n; i++)
            for (size_t a = 0; a < v; a++)
                self->pi[(i * x + x - 1) * v + a] = a == i % v;
    }
    for (size_t c = 0; c < x * v; c++)
        self->means[c] = roster_rng_uniform(rng);
    assert_ok(roster_experts_tables(&self->experts, n, x, v, self->pi, NULL, &err), &err);
}

/* The active experts. */
static bool active_now[4096];

static void find_active(const roster_many_experts *c)
{
    memset(active_now, 0, sizeof active_now);
    for (size_t a = 0; c != NULL && a < c->active.n; a++)
        active_now[c->active.experts[a]] = true;
}

static bool inactive(const roster_many_experts *c, size_t i)
{
    return c != NULL && !active_now[i];
}

static size_t inactives, checks;

static void check(const roster_many_experts *c, const double *u, size_t n, size_t t, double C)
{
    if (c == NULL)
        return;
    if (!(c->clock >= 0))
        fail_msg("%s C %g: round %zu: the clock is %g, most %g", label, C, t, c->clock, c->most);
    for (size_t i = 0; i < n; i++)
        if (inactive(c, i)) {
            inactives++;
            if (!(u[i] <= c->bar + 1e-9))
                fail_msg("%s C %g: round %zu: %zu is inactive with %.12g, the bar is %.12g, bound s %g z %g cap %g",
                         label, C, t, i, u[i], c->bar, c->wheel.inactive[i].s, c->wheel.inactive[i].z,
                         c->wheel.inactive[i].cap);
        }
    checks++;
}

static roster_event next_event(const instance *self, roster_rng *rng, const roster_certificate *certificate, policy how,
                               size_t t, const roster_many_experts *c, const double *u)
{
    roster_event e = random_event(self, rng, certificate->k, false);
    if (how == MIXED)
        how = (policy)(t / 37 % MIXED);
    size_t cells = self->x * self->v, found = SIZE_MAX;
    const double *mine = self->pi + certificate->k * cells;
    double top = -INFINITY;
    if (how == ONES)
        e.reward = 1;
    if (how == ZEROS)
        e.reward = 0;
    if (how == LIST)
        e.reward = (double)(roster_rng_below(rng, 3)) / 2.5;
    if (how == WORST)
        for (size_t cell = 0; cell < cells; cell++)
            if (self->p[cell / self->v] > 0 && mine[cell] > 1e-30 && -certificate->gain[cell] > top) {
                top = -certificate->gain[cell];
                found = cell;
            }
    if (how == BOOST && c != NULL) {
        size_t nearest = SIZE_MAX;
        for (size_t i = 0; i < self->n; i++)
            if (inactive(c, i) && (nearest == SIZE_MAX || u[i] > u[nearest]))
                nearest = i;
        for (size_t cell = 0; cell < cells && nearest != SIZE_MAX; cell++)
            if (self->p[cell / self->v] > 0 && mine[cell] > 1e-30) {
                double r = self->pi[nearest * cells + cell] / mine[cell];
                double M = 1 / (c->ranking->est.prepared->inverse_m[certificate->k] != NULL
                                    ? c->ranking->est.prepared->inverse_m[certificate->k][nearest]
                                    : 1);
                if (r > 2 * M * 4)
                    continue;
                if (r > top) {
                    top = r;
                    found = cell;
                }
            }
    }
    if (found != SIZE_MAX)
        e = (roster_event){
            .expert = certificate->k, .context = found / self->v, .action = found % self->v, .reward = 1};
    e.propensity = 0;
    return e;
}

/* The plain agent's index in every round of a certificate, and the events that are learnt. */
static void play(const instance *self, roster_rng *rng, const roster_lazy_index *lazy, roster_agent *plain,
                 roster_certificate *certificate, roster_batch *batch, policy how, size_t *t, double C, double *u)
{
    roster_error err;
    for (uint64_t b = 0; b < certificate->rounds && certificate->slack > 0; b++, ++*t) {
        roster_agent_index(plain, u);
        check(lazy->many, u, self->n, *t, C);
        size_t choice = roster_agent_choose(plain);
        if (choice != certificate->k)
            fail_msg("%s C %g %s: round %zu: lazy %zu (%.15g), plain %zu (%.15g)", label, C, policies[how], *t,
                     certificate->k, u[certificate->k], choice, u[choice]);
        roster_event event = next_event(self, rng, certificate, how, *t, lazy->many, u);
        size_t cell = event.context * self->v + event.action;
        assert_ok(roster_agent_learn(plain, &event, &err), &err);
        roster_batch_add(batch, certificate->k, cell, event.reward);
        certificate->slack += event.reward * certificate->gain[cell] - certificate->cost;
    }
}

static void meet(const instance *self, double C, size_t length, uint64_t seed, policy how)
{
    roster_agent *agent, *plain;
    roster_lazy_index lazy = {.many = NULL};
    roster_batch batch;
    roster_rng rng;
    roster_error err;
    size_t cells = self->x * self->v;
    double *gain = calloc(cells, sizeof *gain), *u = calloc(self->n, sizeof *u);
    roster_setting settings[] = {{"C", C, NULL}, {NULL, 0, NULL}};
    roster_problem problem = {self->experts, self->p, NULL};
    assert_ok(roster_agent_create(&agent, "d-ucb", &problem, settings, seed, 0, &err), &err);
    assert_ok(roster_agent_create(&plain, "d-ucb", &problem, settings, seed, 0, &err), &err);
    assert_int_equal(roster_lazy_index_start(&lazy, agent->state), ROSTER_OK);
    assert_int_equal(roster_batch_init(&batch, cells), ROSTER_OK);
    roster_rng_init(&rng, seed, 1, 0);
    for (size_t c = 0; c < cells; c++)
        gain[c] = 1;
    inactives = checks = 0;
    size_t batches = 0;
    for (size_t t = 0; t < length; batches++) {
        roster_certificate certificate = {.gain = gain};
        roster_lazy_index_certify(&lazy, &certificate);
        find_active(lazy.many);
        play(self, &rng, &lazy, plain, &certificate, &batch, how, &t, C, u);
        assert_int_equal(roster_lazy_index_learn_batch(&lazy, &batch), ROSTER_OK);
        roster_batch_clear(&batch);
    }
    print_message("%-14s n %5zu C %-6g %-6s inactive %.3f, a batch %.1f\n", label, self->n, C, policies[how],
                  (double)inactives / (double)(checks * self->n), (double)length / (double)batches);
    roster_batch_fini(&batch);
    roster_lazy_index_stop(&lazy);
    roster_agent_free(agent);
    roster_agent_free(plain);
    free(gain);
    free(u);
}

static const double Cs[] = {.001, .02, .3, 3, 20, 500, 1e100};
enum { N_CS = sizeof Cs / sizeof *Cs };

static void all_of(const char *name, size_t n, size_t x, size_t v, maker m, double floor, bool zero, uint64_t seed)
{
    instance self;
    roster_rng rng;
    label = name;
    flat_floor = floor;
    roster_rng_init(&rng, seed, 0, 0);
    make(&self, &rng, n, x, v, m, zero);
    for (size_t c = 0; c < N_CS; c++)
        for (policy how = 0; how < POLICIES; how++)
            meet(&self, Cs[c], rounds, seed, how);
    instance_free(&self);
}

static void any_64(void **state)
{
    (void)state;
    all_of("any 64", 64, 3, 4, make_any, .02, false, 1);
}

static void any_65(void **state)
{
    (void)state;
    all_of("any 65", 65, 2, 3, make_any, 1e-3, false, 2);
}

static void low_floor(void **state)
{
    (void)state;
    all_of("floor 1e-6", 200, 3, 3, make_any, 1e-6, false, 3);
}

static void sharp(void **state)
{
    (void)state;
    all_of("sharp 1e-2", 300, 4, 4, make_sharp, 1e-2, false, 4);
}

static void sharper(void **state)
{
    (void)state;
    all_of("sharp 1e-6", 300, 4, 4, make_sharp, 1e-6, false, 5);
}

static void zero_context(void **state)
{
    (void)state;
    all_of("zero context", 130, 3, 4, make_any, .01, true, 6);
}

static void one_cell(void **state)
{
    (void)state;
    all_of("one cell", 64, 1, 1, make_any, .5, false, 7);
}

static void two_cells(void **state)
{
    (void)state;
    all_of("two cells", 100, 1, 2, make_any, .01, false, 8);
}

static void many(void **state)
{
    (void)state;
    all_of("sharp 1e-4", 1500, 6, 5, make_sharp, 1e-4, false, 9);
}

/* A cell that nobody ever meets, of a probability that is 0 or whose inverse is infinite in single precision. */
static void make_tiny(roster_rng *rng, size_t i, size_t x, size_t v, double *row)
{
    make_any(rng, i, x, v - 1, row);
    row[v - 1] = 1e-42;
}

static void tiny(void **state)
{
    (void)state;
    all_of("tiny", 200, 3, 4, make_tiny, .02, false, 10);
}

static void make_tinier(roster_rng *rng, size_t i, size_t x, size_t v, double *row)
{
    make_any(rng, i, x, v - 1, row);
    row[v - 1] = 1e-60;
}

static void tinier(void **state)
{
    (void)state;
    all_of("tinier", 200, 3, 4, make_tinier, .02, false, 10);
}

/* Sums in single precision are wrong by less than timer_wheel.c says, whatever is summed. */
static void sums_of_many_cells(void **state)
{
    (void)state;
    enum { N = 16 * 625 };
    float *one = calloc(N, sizeof *one), *s = calloc(N, sizeof *s);
    double sum = 0;
    for (size_t c = 0; c < N; c++) {
        one[c] = 1;
        s[c] = c == 0 ? 0x1p24f : c % 16 == 0 ? 1 : 0;
        sum += (double)s[c];
    }
    double got = roster_lazy_simd_choose(roster_avx2())->passing(one, one, s, INFINITY, N);
    print_message("sum %.17g got %.17g, %.3g\n", sum, got, 1 - got / sum);
    assert_true(got * (1 + 0x1p-23 * (N / 16 + 2 * ROSTER_WHEEL_LEVELS + 32)) >= sum);
    free(one);
    free(s);
}

static void longer(void **state)
{
    (void)state;
    instance self;
    roster_rng rng;
    roster_rng_init(&rng, 77, 0, 0);
    flat_floor = .002;
    make(&self, &rng, 1000, 5, 5, make_any, false);
    label = "long";
    meet(&self, .02, rounds, 1, WORLD);
    meet(&self, .3, rounds, 1, MIXED);
    instance_free(&self);
    make(&self, &rng, 200, 40, 60, make_any, false);
    label = "2400 cells";
    meet(&self, .02, rounds / 4, 1, WORLD);
    instance_free(&self);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_64),   cmocka_unit_test(any_65),    cmocka_unit_test(low_floor),
        cmocka_unit_test(sharp),    cmocka_unit_test(sharper),   cmocka_unit_test(zero_context),
        cmocka_unit_test(one_cell), cmocka_unit_test(two_cells), cmocka_unit_test(many),
        cmocka_unit_test(tiny),     cmocka_unit_test(tinier),    cmocka_unit_test(sums_of_many_cells),
        cmocka_unit_test(longer),
    };
    if (argc > 1)
        rounds = (size_t)atol(argv[1]);
    if (argc > 2)
        cmocka_set_test_filter(argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
