/*
 * experiment_sweep.c: one file, several cases that differ in one number or word.
 *
 *   "sweep": {"path": "experts.random.count", "values": [4, 8, 16], "label": "experts"}
 *
 * The path leads from the document to a number or word that stands there; case i is the document with values[i] in its
 * place. Only what is inside experts, episodes and agents can be swept: contexts, actions and runs are one for all.
 *
 * Check: tests/unit/test_experiment.c: sweeps_make_cases.
 */
#include "experiment_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a step of the path leads: to a key of an object or an entry of a list. */
static json_t *step(const json_t *from, const char *name)
{
    char *end;
    if (!json_is_array(from))
        return json_object_get(from, name);
    if (name[0] < '0' || name[0] > '9')
        return NULL;
    unsigned long index = strtoul(name, &end, 10);
    return *end == '\0' ? json_array_get(from, (size_t)index) : NULL;
}

static int fail_step(const common_node *at, const char *path, size_t done, const char *name, roster_error *err)
{
    return common_fail_at(at, err, "is '%.80s', but %.*s has no '%.40s'; add the key that the sweep is to replace",
                          path, (int)(done < 80 ? done : 80), path, name);
}

/* Walks the path, of which `names` is a copy to be cut up. */
static int walk(experiment_sweep *self, const common_node *at, const char *path, char *names, json_t *document,
                roster_error *err)
{
    char *name = names;
    json_t *found = document;
    for (bool more = true; more;) {
        char *dot = strchr(name, '.');
        more = dot != NULL;
        if (more)
            *dot = '\0';
        self->parent = found;
        self->key = json_is_object(found) ? name : NULL;
        self->index = json_is_array(found) ? (size_t)strtoul(name, NULL, 10) : 0;
        found = step(found, name);
        if (found == NULL && name == names)
            break;
        if (found == NULL)
            return fail_step(at, path, (size_t)(name - names) - 1, name, err);
        name = more ? dot + 1 : name;
    }
    bool agents = strcmp(names, "agents") == 0;
    bool allowed = agents || strcmp(names, "experts") == 0 || strcmp(names, "episodes") == 0;
    if (!allowed || (!json_is_number(found) && !json_is_string(found)))
        return common_fail_at(at, err, "is '%.80s', must lead to a number or string inside experts, episodes or agents",
                              path);
    if (agents && self->key != NULL && (strcmp(self->key, "agent") == 0 || strcmp(self->key, "label") == 0))
        return common_fail_at(at, err, "is '%.80s', but agents cannot be swept; list them all under agents", path);
    return ROSTER_OK;
}

static int check_values(const common_node *list, size_t n, roster_error *err)
{
    if (n > EXPERIMENT_CASES_MOST)
        return common_fail_at(list, err, "has %zu entries, must have at most %d", n, EXPERIMENT_CASES_MOST);
    int code = ROSTER_OK;
    for (size_t i = 0; code == ROSTER_OK && i < n; i++) {
        common_node value = common_item(list, i);
        code = common_scalar(&value, err);
    }
    return code;
}

/* What varies, for people: as the file says, else the last name of the path. */
static int read_label(experiment_sweep *self, const common_node *sweep, const char *path, common_arena *store,
                      roster_error *err)
{
    common_node label = common_key(sweep, "label");
    const char *word = self->key != NULL ? self->key : path;
    int code = label.json != NULL ? common_word(&label, &word, err) : ROSTER_OK;
    if (code == ROSTER_OK && (self->label = common_arena_text(store, word)) == NULL)
        return common_fail_memory(err);
    return code;
}

int experiment_sweep_read(experiment_sweep *self, const common_node *root, common_arena *store, roster_error *err)
{
    static const char *const known[] = {"path", "values", "label", NULL};
    common_node sweep = common_key(root, "sweep");
    common_node place = common_key(&sweep, "path"), values = common_key(&sweep, "values");
    const char *path;
    *self = (experiment_sweep){.n = 1};
    if (sweep.json == NULL)
        return ROSTER_OK;
    int code = common_object(&sweep, err);
    if (code == ROSTER_OK)
        code = common_keys(&sweep, known, err);
    if (code == ROSTER_OK)
        code = common_word(&place, &path, err);
    if (code == ROSTER_OK)
        code = common_list(&values, &self->n, err);
    if (code == ROSTER_OK)
        code = check_values(&values, self->n, err);
    if (code != ROSTER_OK)
        return code;
    self->values = values.json;
    char *names = common_arena_take(store, strlen(path) + 1, 1);
    if (names == NULL)
        return common_fail_memory(err);
    strcpy(names, path);
    code = walk(self, &place, path, names, root->json, err);
    return code == ROSTER_OK ? read_label(self, &sweep, path, store, err) : code;
}

int experiment_sweep_apply(const experiment_sweep *self, size_t i, common_arena *store, experiment_case *out,
                           roster_error *err)
{
    char title[160] = "";
    if (self->label != NULL) {
        json_t *value = json_array_get(self->values, i);
        int code = self->key != NULL ? json_object_set(self->parent, self->key, value)
                                     : json_array_set(self->parent, self->index, value);
        if (code != 0)
            return common_fail_memory(err);
        if (json_is_string(value))
            snprintf(title, sizeof title, "%.80s = %.60s", self->label, json_string_value(value));
        else
            snprintf(title, sizeof title, "%.80s = %.12g", self->label, json_number_value(value));
        out->value = json_is_string(value) ? (double)i : json_number_value(value);
    }
    out->title = common_arena_text(store, title);
    return out->title != NULL ? ROSTER_OK : common_fail_memory(err);
}
