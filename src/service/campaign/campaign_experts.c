/*
 * campaign_experts.c: a campaign's own experts, of three kinds.
 *
 *   "kind": "tables"      contexts, actions, experts as in a roster file: events carry a context (left out: this one)
 *   "kind": "external"    the same; the contexts are a sample of the traffic, and events carry the matrix of
 *                         probabilities that the caller computes. Experts may also be names alone: then no sample
 *                         is known, and "actions" may be left out, which makes the campaign open: actions come with
 *                         requests
 *   "kind": "softmax"     "features": d, "actions", "experts": [{"name", "weights": [[d numbers] per action], "bias":
 *                         [..]}], "floor", "sample": [[d numbers], ..]: events carry features
 *
 * Paper: none.
 * Check: tests/unit/test_service_refused.c: descriptions_refused.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

static int name_all(service_campaign *c, const char *const *contexts, const char *const *actions, roster_error *err)
{
    const char **names = common_arena_take(&c->memory, c->n, sizeof *names);
    if (names == NULL)
        return common_fail_memory(err);
    for (size_t k = 0; k < c->n; k++)
        names[k] = roster_experts_name(c->own, k);
    bool fits = (contexts == NULL || service_names_make(&c->contexts, contexts, c->x, true)) &&
                service_names_make(&c->actions, actions, c->v, true) &&
                service_names_make(&c->experts_names, names, c->n, true);
    return fits ? ROSTER_OK : common_fail_memory(err);
}

/* The same tables, seen as what the caller's experts do in contexts of a sample. */
static int make_external(service_campaign *c, roster_error *err)
{
    roster_experts *tables = c->own;
    double *pi = calloc(c->n * c->x * c->v, sizeof *pi);
    const char **names = calloc(c->n, sizeof *names);
    int code = pi != NULL && names != NULL ? ROSTER_OK : common_fail_memory(err);
    for (size_t k = 0; code == ROSTER_OK && k < c->n; k++) {
        names[k] = roster_experts_name(tables, k);
        for (size_t cell = 0; cell < c->x * c->v; cell++)
            pi[k * c->x * c->v + cell] = roster_experts_probability(tables, k, cell / c->v, cell % c->v);
    }
    if (code == ROSTER_OK)
        code = roster_experts_external(&c->own, c->n, c->x, c->v, pi, names, err);
    if (c->own != tables)
        roster_experts_free(tables);
    free(pi);
    free(names);
    return code;
}

static int read_tables(service_campaign *c, size_t most, const common_node *root, roster_error *err)
{
    common_node contexts = common_key(root, "contexts"), actions = common_key(root, "actions");
    const char *const *context_names, *const *action_names;
    experiment_build build = {.store = &c->memory, .err = err, .seed = c->seed, .most = most};
    int code = experiment_names(&contexts, "context", 0, &c->memory, &context_names, &c->x, err);
    if (code == ROSTER_OK)
        code = experiment_names(&actions, "action", 0, &c->memory, &action_names, &c->v, err);
    build.contexts = c->x;
    build.actions = c->v;
    if (code == ROSTER_OK)
        code = experiment_experts(&build, root, &c->own);
    c->exceeded = build.exceeded;
    if (code != ROSTER_OK)
        return code;
    c->n = roster_experts_count(c->own);
    if (c->kind == ROSTER_EXTERNAL)
        code = make_external(c, err);
    return code == ROSTER_OK ? name_all(c, context_names, action_names, err) : code;
}

/* "name" of an expert that acts elsewhere: of {"name": ..}, or the text itself. */
static int read_bare(service_campaign *c, const common_node *expert, json_t *seen, const char **name, roster_error *err)
{
    static const char *const known[] = {"name", NULL};
    common_node inner = common_key(expert, "name");
    const common_node *at = json_is_string(expert->json) ? expert : &inner;
    int code = at == expert ? ROSTER_OK : common_object(expert, err);
    if (code == ROSTER_OK && at == &inner)
        code = common_keys(expert, known, err);
    if (code == ROSTER_OK)
        code = common_word(at, name, err);
    if (code == ROSTER_OK)
        code = experiment_name_once(seen, at, *name, err);
    if (code == ROSTER_OK && (*name = common_arena_text(&c->memory, *name)) == NULL)
        code = common_fail_memory(err);
    return code;
}

static int read_bares(service_campaign *c, const common_node *list, const char **names, roster_error *err)
{
    json_t *seen = json_object();
    int code = seen != NULL ? ROSTER_OK : common_fail_memory(err);
    for (size_t k = 0; code == ROSTER_OK && k < c->n; k++) {
        common_node expert = common_item(list, k);
        code = read_bare(c, &expert, seen, &names[k], err);
    }
    json_decref(seen);
    return code;
}

/* Experts that are names alone. */
static int read_elsewhere(service_campaign *c, size_t most, const common_node *root, roster_error *err)
{
    common_node actions = common_key(root, "actions"), list = common_key(root, "experts");
    common_node contexts = common_key(root, "contexts");
    const char *const *action_names = NULL;
    experiment_build build = {.store = &c->memory, .err = err, .most = most};
    c->open = actions.json == NULL;
    c->v = 1;
    int code = contexts.json != NULL
                   ? common_fail_at(&contexts, err, "need a \"table\" of every expert: leave them out, or give these")
                   : common_list(&list, &c->n, err);
    if (code == ROSTER_OK && !c->open)
        code = experiment_names(&actions, "action", 0, &c->memory, &action_names, &c->v, err);
    if (code == ROSTER_OK)
        code = experiment_claim(&build, &list, c->n, c->v, 1);
    c->exceeded = build.exceeded;
    if (code != ROSTER_OK)
        return code;
    const char **names = common_arena_take(&c->memory, c->n, sizeof *names);
    code = names != NULL ? read_bares(c, &list, names, err) : common_fail_memory(err);
    if (code == ROSTER_OK)
        code = roster_experts_external(&c->own, c->n, 0, c->v, NULL, names, err);
    bool fits = code == ROSTER_OK && service_names_make(&c->experts_names, names, c->n, true) &&
                (c->open || service_names_make(&c->actions, action_names, c->v, true));
    return code != ROSTER_OK || fits ? code : common_fail_memory(err);
}

/* Whether no expert has a table, nor a rule that makes them. */
static bool are_bare(const common_node *root)
{
    common_node list = common_key(root, "experts");
    for (size_t k = 0; k < json_array_size(list.json); k++)
        if (json_object_get(json_array_get(list.json, k), "table") != NULL)
            return false;
    return json_is_array(list.json);
}

static int read_row(const common_node *at, size_t n, const char *what, double *out, roster_error *err)
{
    int code = common_list_of(at, n, what, err);
    for (size_t i = 0; code == ROSTER_OK && i < n; i++) {
        common_node number = common_item(at, i);
        code = common_number_in(&number, -1e100, 1e100, &out[i], err);
    }
    return code;
}

static int read_model(service_campaign *c, const common_node *expert, json_t *seen, const char **name, double *weights,
                      double *bias, roster_error *err)
{
    static const char *const known[] = {"name", "weights", "bias", NULL};
    common_node at = common_key(expert, "name"), rows = common_key(expert, "weights");
    common_node biases = common_key(expert, "bias");
    int code = common_object(expert, err);
    if (code == ROSTER_OK)
        code = common_keys(expert, known, err);
    if (code == ROSTER_OK)
        code = at.json != NULL ? common_word(&at, name, err)
                               : experiment_name_counted(&c->memory, "expert", expert->index, name, err);
    if (code == ROSTER_OK)
        code = experiment_name_once(seen, &at, *name, err);
    if (code == ROSTER_OK)
        code = common_list_of(&rows, c->v, "action", err);
    for (size_t a = 0; code == ROSTER_OK && a < c->v; a++) {
        common_node row = common_item(&rows, a);
        code = read_row(&row, c->d, "feature", weights + a * c->d, err);
    }
    return code == ROSTER_OK && biases.json != NULL ? read_row(&biases, c->v, "action", bias, err) : code;
}

/* Weights, biases, names and the sample: numbers that the library copies. */
typedef struct softmax_numbers {
    double *weights, *bias, *sample;
    const char **names;
} softmax_numbers;

static int read_softmax_parts(service_campaign *c, const common_node *root, size_t samples, softmax_numbers *to,
                              double *floor, roster_error *err)
{
    common_node list = common_key(root, "experts"), sample = common_key(root, "sample");
    common_node least = common_key(root, "floor");
    json_t *seen = json_object();
    int code = seen != NULL ? ROSTER_OK : common_fail_memory(err);
    for (size_t k = 0; code == ROSTER_OK && k < c->n; k++) {
        common_node expert = common_item(&list, k);
        code = read_model(c, &expert, seen, &to->names[k], to->weights + k * c->v * c->d, to->bias + k * c->v, err);
    }
    for (size_t s = 0; code == ROSTER_OK && s < samples; s++) {
        common_node row = common_item(&sample, s);
        code = read_row(&row, c->d, "feature", to->sample + s * c->d, err);
    }
    *floor = 0;
    if (code == ROSTER_OK && least.json != NULL)
        code = common_number_in(&least, 0, 1 / (double)c->v, floor, err);
    json_decref(seen);
    return code;
}

static int read_softmax(service_campaign *c, size_t most, const common_node *root, roster_error *err)
{
    common_node actions = common_key(root, "actions"), features = common_key(root, "features");
    common_node list = common_key(root, "experts"), sample = common_key(root, "sample");
    common_node contexts = common_key(root, "contexts");
    const char *const *action_names;
    uint64_t d = 0;
    experiment_build build = {.store = &c->memory, .err = err, .most = most};
    int code = contexts.json != NULL
                   ? common_fail_at(&contexts, err, "are not for experts over features: give \"sample\" instead")
                   : experiment_names(&actions, "action", 0, &c->memory, &action_names, &c->v, err);
    if (code == ROSTER_OK)
        code = common_count(&features, 1, 65536, &d, err);
    if (code == ROSTER_OK)
        code = common_list(&list, &c->n, err);
    if (code == ROSTER_OK)
        code = common_list(&sample, &c->x, err);
    c->d = (size_t)d;
    if (code == ROSTER_OK)
        code = experiment_claim(&build, &list, c->n, c->v, c->d);
    if (code == ROSTER_OK)
        code = experiment_claim(&build, &sample, c->n, c->v, c->x);
    c->exceeded = build.exceeded;
    if (code != ROSTER_OK)
        return code;
    softmax_numbers to = {calloc(c->n * c->v * c->d, sizeof(double)), calloc(c->n * c->v, sizeof(double)),
                          calloc(c->x * c->d, sizeof(double)), calloc(c->n, sizeof(char *))};
    roster_softmax model = {c->n, c->v, c->d, to.weights, to.bias, 0, to.sample, c->x, to.names};
    bool fits = to.weights != NULL && to.bias != NULL && to.sample != NULL && to.names != NULL;
    code = fits ? read_softmax_parts(c, root, c->x, &to, &model.floor, err) : common_fail_memory(err);
    roster_error wrong;
    if (code == ROSTER_OK && (code = roster_experts_softmax(&c->own, &model, &wrong)) != ROSTER_OK)
        code = common_fail_inside(&list, ": ", &wrong, err);
    free(to.weights);
    free(to.bias);
    free(to.sample);
    free(to.names);
    return code == ROSTER_OK ? name_all(c, NULL, action_names, err) : code;
}

/* Keys that belong to another kind. */
static int check_keys(const common_node *root, roster_error *err)
{
    static const char *const others[] = {"features", "sample", "floor", NULL};
    for (size_t i = 0; others[i] != NULL; i++) {
        common_node at = common_key(root, others[i]);
        if (at.json != NULL)
            return common_fail_at(&at, err, "is for campaigns whose \"kind\" is \"softmax\"");
    }
    return ROSTER_OK;
}

int service_campaign_experts(service_campaign *c, size_t most, const common_node *root, roster_error *err)
{
    common_node kind = common_key(root, "kind");
    const char *word = "tables";
    int code = kind.json != NULL ? common_word(&kind, &word, err) : ROSTER_OK;
    if (code != ROSTER_OK)
        return code;
    if (strcmp(word, "softmax") == 0) {
        c->kind = ROSTER_SOFTMAX;
        return read_softmax(c, most, root, err);
    }
    c->kind = strcmp(word, "external") == 0 ? ROSTER_EXTERNAL : ROSTER_TABLES;
    if (c->kind == ROSTER_TABLES && strcmp(word, "tables") != 0)
        return common_fail_at(&kind, err, "is \"%.40s\", must be \"tables\", \"softmax\" or \"external\"", word);
    code = check_keys(root, err);
    if (code == ROSTER_OK && c->kind == ROSTER_EXTERNAL && are_bare(root))
        return read_elsewhere(c, most, root, err);
    return code == ROSTER_OK ? read_tables(c, most, root, err) : code;
}
