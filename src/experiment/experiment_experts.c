/*
 * experiment_experts.c: experts: tables as written, drawn at random, or with given gaps; models: experiment_softmax.c.
 *
 * Paper: Corollary (many experts), for "gaps".
 *
 *   random   pi_k(. | x) = floor + (1 - V floor) Dirichlet(concentration), expert by expert, context by context
 *   gaps     one context, two actions that earn 1 and 0, so an expert's value is its probability of the first:
 *            1 - floor of the best, 1 - floor - smallest of the second, 1 - floor - D of the others with D i.i.d.
 *            uniform on [smallest, 1 - 2 floor]. Then they are shuffled: agents break ties in favour of the first.
 *
 * Both draw from the stream (seed, run 0, ROSTER_ROLE_INSTANCE).
 *
 * Cost: N X V numbers, twice while building.
 * Check: the same seed gives the same tables, bit for bit (tests/unit/test_experiment.c: same_seed_same_instance).
 */
#include "experiment_internal.h"

#include <stdio.h>
#include <stdlib.h>

int experiment_claim(experiment_build *self, const common_node *at, size_t a, size_t b, size_t c)
{
    size_t most = self->most > 0 && self->most < EXPERIMENT_NUMBERS_MOST ? self->most : EXPERIMENT_NUMBERS_MOST;
    self->exceeded = self->numbers > most || a > (most - self->numbers) / b / c;
    if (self->exceeded)
        return common_fail_at(at, self->err, "makes tables of more than %zu numbers in all", most);
    self->numbers += a * b * c;
    return ROSTER_OK;
}

int experiment_count_experts(experiment_build *self, const common_node *at, uint64_t low, size_t *n)
{
    common_node node = common_key(at, "count");
    uint64_t count;
    int code = common_count(&node, low, EXPERIMENT_NAMES_MOST, &count, self->err);
    if (code == ROSTER_OK)
        code = experiment_claim(self, &node, (size_t)count, self->contexts, self->actions);
    *n = code == ROSTER_OK ? (size_t)count : 0;
    return code;
}

/* Counts belong to a roster file that was estimated; here they only must fit. */
static int check_counts(experiment_build *self, const common_node *expert)
{
    common_node counts = common_key(expert, "counts");
    if (counts.json == NULL)
        return ROSTER_OK;
    int code = common_list_of(&counts, self->contexts, "context", self->err);
    for (size_t x = 0; code == ROSTER_OK && x < self->contexts; x++) {
        common_node row = common_item(&counts, x);
        code = common_list_of(&row, self->actions, "action", self->err);
        for (size_t v = 0; code == ROSTER_OK && v < self->actions; v++) {
            common_node cell = common_item(&row, v);
            uint64_t count;
            code = common_count(&cell, 0, INT64_MAX, &count, self->err);
        }
    }
    return code;
}

static int read_name(experiment_build *self, const common_node *expert, json_t *seen, const char **name)
{
    common_node node = common_key(expert, "name");
    int code = node.json != NULL ? common_word(&node, name, self->err)
                                 : experiment_name_counted(self->store, "expert", expert->index, name, self->err);
    return code == ROSTER_OK ? experiment_name_once(seen, &node, *name, self->err) : code;
}

/* A roster made from logs has null where an expert was never seen. */
static int check_seen(const common_node *table, roster_error *err)
{
    for (size_t x = 0; x < json_array_size(table->json); x++) {
        common_node row = common_item(table, x);
        if (json_is_null(row.json))
            return common_fail_at(
                &row, err,
                "is null: the expert was never seen in that context; `roster estimate --p-floor` makes "
                "such rows uniform");
    }
    return ROSTER_OK;
}

static int read_expert(experiment_build *self, const common_node *expert, json_t *seen, const char **name, double *pi)
{
    static const char *const known[] = {"name", "table", "counts", NULL};
    common_node table = common_key(expert, "table");
    int code = common_object(expert, self->err);
    if (code == ROSTER_OK)
        code = common_keys(expert, known, self->err);
    if (code == ROSTER_OK)
        code = read_name(self, expert, seen, name);
    if (code == ROSTER_OK)
        code = check_seen(&table, self->err);
    if (code == ROSTER_OK)
        code = common_matrix(&table, self->contexts, self->actions, pi, self->err);
    return code == ROSTER_OK ? check_counts(self, expert) : code;
}

/* The library checks rows and says which one is wrong. */
static int make(experiment_build *self, const common_node *at, size_t n, const double *pi, const char *const *names,
                roster_experts **out)
{
    roster_error wrong;
    int code = roster_experts_tables(out, n, self->contexts, self->actions, pi, names, &wrong);
    if (code == ROSTER_ENOMEM)
        return common_fail_memory(self->err);
    return code == ROSTER_OK ? code : common_fail_file(at, self->err, "%s", wrong.msg);
}

static int from_list(experiment_build *self, const common_node *list, roster_experts **out)
{
    size_t n;
    int code = common_list(list, &n, self->err);
    if (code == ROSTER_OK)
        code = experiment_claim(self, list, n, self->contexts, self->actions);
    if (code != ROSTER_OK)
        return code;
    double *pi = calloc(n * self->contexts * self->actions, sizeof *pi);
    const char **names = calloc(n, sizeof *names);
    json_t *seen = json_object();
    if (pi == NULL || names == NULL || seen == NULL)
        code = common_fail_memory(self->err);
    for (size_t k = 0; code == ROSTER_OK && k < n; k++) {
        common_node expert = common_item(list, k);
        code = read_expert(self, &expert, seen, &names[k], pi + k * self->contexts * self->actions);
    }
    if (code == ROSTER_OK)
        code = make(self, list, n, pi, names, out);
    json_decref(seen);
    free(names);
    free(pi);
    return code;
}

/* A floor that leaves room for n outcomes; 0 where it is left out. */
int experiment_floor(experiment_build *self, const common_node *object, size_t n, double *floor)
{
    common_node node = common_key(object, "floor");
    *floor = 0;
    if (node.json == NULL)
        return ROSTER_OK;
    int code = common_number(&node, floor, self->err);
    if (code == ROSTER_OK && !(*floor >= 0 && *floor * (double)n <= 1))
        return common_fail_at(&node, self->err, "is %g, must be at least 0 and at most 1/%zu", *floor, n);
    return code;
}

static int from_random(experiment_build *self, const common_node *at, roster_experts **out)
{
    static const char *const known[] = {"count", "floor", "concentration", NULL};
    common_node node = common_key(at, "concentration");
    size_t n, rows;
    double floor, concentration = 1;
    roster_rng rng;
    int code = common_object(at, self->err);
    if (code == ROSTER_OK)
        code = common_keys(at, known, self->err);
    if (code == ROSTER_OK)
        code = experiment_floor(self, at, self->actions, &floor);
    if (code == ROSTER_OK && node.json != NULL)
        code = common_number_in(&node, 1e-3, 1e6, &concentration, self->err);
    if (code == ROSTER_OK)
        code = experiment_count_experts(self, at, 1, &n);
    if (code != ROSTER_OK)
        return code;
    rows = n * self->contexts;
    double *pi = calloc(rows * self->actions, sizeof *pi);
    if (pi == NULL)
        return common_fail_memory(self->err);
    roster_rng_init(&rng, self->seed, 0, ROSTER_ROLE_INSTANCE);
    for (size_t row = 0; row < rows; row++)
        roster_rng_dirichlet(&rng, self->actions, concentration, floor, pi + row * self->actions);
    code = make(self, at, n, pi, NULL, out);
    free(pi);
    return code;
}

/* Values from the best on, then shuffled. */
static void draw_gaps(experiment_build *self, size_t n, double smallest, double floor, double *pi)
{
    double widest = 1 - 2 * floor;
    roster_rng rng;
    roster_rng_init(&rng, self->seed, 0, ROSTER_ROLE_INSTANCE);
    for (size_t k = 0; k < n; k++) {
        double gap = k == 0 ? 0 : k == 1 ? smallest : smallest + roster_rng_uniform(&rng) * (widest - smallest);
        pi[2 * k] = 1 - floor - gap > 0 ? 1 - floor - gap : 0;
    }
    for (size_t k = n - 1; k > 0; k--) {
        size_t other = (size_t)roster_rng_below(&rng, k + 1);
        double value = pi[2 * k];
        pi[2 * k] = pi[2 * other];
        pi[2 * other] = value;
    }
    for (size_t k = 0; k < n; k++)
        pi[2 * k + 1] = 1 - pi[2 * k];
}

static int read_gaps(experiment_build *self, const common_node *at, double *smallest, double *floor)
{
    common_node small = common_key(at, "smallest"), least = common_key(at, "floor");
    int code = common_number_in(&least, 0, 0.499, floor, self->err);
    if (code == ROSTER_OK)
        code = common_number(&small, smallest, self->err);
    if (code == ROSTER_OK && !(*smallest > 0 && *smallest <= 1 - 2 * *floor))
        return common_fail_at(&small, self->err, "is %g, must be above 0 and at most 1 - 2 floor = %g", *smallest,
                              1 - 2 * *floor);
    return code;
}

static int from_gaps(experiment_build *self, const common_node *at, roster_experts **out)
{
    static const char *const known[] = {"count", "smallest", "floor", NULL};
    double smallest, floor;
    size_t n;
    int code = common_object(at, self->err);
    if (code == ROSTER_OK)
        code = common_keys(at, known, self->err);
    if (code == ROSTER_OK && (self->contexts != 1 || self->actions != 2))
        code = common_fail_at(at, self->err, "is about 1 context and 2 actions, but there are %zu and %zu",
                              self->contexts, self->actions);
    if (code == ROSTER_OK)
        code = read_gaps(self, at, &smallest, &floor);
    if (code == ROSTER_OK)
        code = experiment_count_experts(self, at, 2, &n);
    if (code != ROSTER_OK)
        return code;
    double *pi = calloc(2 * n, sizeof *pi);
    if (pi == NULL)
        return common_fail_memory(self->err);
    draw_gaps(self, n, smallest, floor, pi);
    code = make(self, at, n, pi, NULL, out);
    free(pi);
    return code;
}

bool experiment_has_gaps(const common_node *root)
{
    return json_object_get(json_object_get(root->json, "experts"), "gaps") != NULL;
}

int experiment_experts(experiment_build *self, const common_node *root, roster_experts **out)
{
    const char *const known[] = {"random", "gaps", self->models ? "softmax" : NULL, NULL};
    static int (*const make_by[])(experiment_build *, const common_node *,
                                  roster_experts **) = {from_random, from_gaps, experiment_softmax_experts};
    common_node experts = common_key(root, "experts");
    size_t given = 0, which = 0;
    *out = NULL;
    if (!json_is_object(experts.json))
        return from_list(self, &experts, out);
    int code = common_keys(&experts, known, self->err);
    for (size_t i = 0; known[i] != NULL; i++) {
        bool there = json_object_get(experts.json, known[i]) != NULL;
        given += there;
        which = there ? i : which;
    }
    if (code == ROSTER_OK && given != 1)
        code = common_fail_at(&experts, self->err, "must have one of %s",
                              self->models ? "'random', 'gaps' and 'softmax'" : "'random' and 'gaps'");
    if (code != ROSTER_OK)
        return code;
    common_node how = common_key(&experts, known[which]);
    return make_by[which](self, &how, out);
}
