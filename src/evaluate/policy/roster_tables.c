/*
 * roster_tables.c: a roster file, as `roster estimate` writes it and experiments name it.
 *
 * "contexts" and "actions" are lists of names, or how many there are: then they are called 0, 1, 2 and so on.
 *
 * Paper: none. Cost: N X V numbers.
 * Check: tests/cli/evaluate.t.
 */
#include "roster_tables.h"

#include "json_node.h"

#include <stdio.h>
#include <stdlib.h>

/* How many names there are. */
static int count_names(const common_node *at, size_t *n, roster_error *err)
{
    uint64_t count;
    if (json_is_array(at->json)) {
        int code = common_list(at, n, err);
        for (size_t i = 0; code == ROSTER_OK && i < *n; i++) {
            common_node item = common_item(at, i);
            code = common_scalar(&item, err);
        }
        return code;
    }
    int code = common_count(at, 1, 1 << 20, &count, err);
    *n = (size_t)count;
    return code;
}

static int read_rows(const common_node *expert, size_t x, size_t v, double *pi, const char **name, roster_error *err)
{
    common_node table = common_key(expert, "table"), title = common_key(expert, "name");
    int code = common_object(expert, err);
    *name = NULL;
    if (code == ROSTER_OK && title.json != NULL)
        code = common_word(&title, name, err);
    for (size_t i = 0; code == ROSTER_OK && i < json_array_size(table.json); i++) {
        common_node row = common_item(&table, i);
        if (json_is_null(row.json))
            code = common_fail_at(&row, err,
                                  "is null: the expert was never seen in that context; `roster estimate --p-floor` "
                                  "makes such rows uniform");
    }
    return code == ROSTER_OK ? common_matrix(&table, x, v, pi, err) : code;
}

static int make(roster_tables *self, const common_node *list, size_t n, size_t x, size_t v, roster_error *err)
{
    double *pi = n <= SIZE_MAX / sizeof *pi / x / v ? calloc(n * x * v, sizeof *pi) : NULL;
    const char **names = calloc(n, sizeof *names);
    char(*numbered)[32] = calloc(n, sizeof *numbered);
    roster_error wrong;
    int code = pi != NULL && names != NULL && numbered != NULL ? ROSTER_OK : common_fail_memory(err);
    for (size_t k = 0; code == ROSTER_OK && k < n; k++) {
        common_node expert = common_item(list, k);
        code = read_rows(&expert, x, v, pi + k * x * v, &names[k], err);
        snprintf(numbered[k], sizeof numbered[k], "expert %zu", k + 1);
        names[k] = names[k] != NULL ? names[k] : numbered[k];
    }
    if (code == ROSTER_OK && (code = roster_experts_tables(&self->owned, n, x, v, pi, names, &wrong)) != ROSTER_OK)
        common_fail_file(list, err, "%s", wrong.msg);
    self->experts = self->owned;
    free(numbered);
    free(names);
    free(pi);
    return code;
}

int roster_tables_read(roster_tables *self, const char *path, roster_error *err)
{
    *self = (roster_tables){0};
    int code = common_load_file(&self->json, path, err);
    common_node root = common_root(path, self->json), experts = common_key(&root, "experts");
    common_node contexts = common_key(&root, "contexts"), actions = common_key(&root, "actions");
    size_t n, x, v;
    if (code == ROSTER_OK)
        code = common_object(&root, err);
    if (code == ROSTER_OK)
        code = count_names(&contexts, &x, err);
    if (code == ROSTER_OK)
        code = count_names(&actions, &v, err);
    if (code == ROSTER_OK)
        code = common_list(&experts, &n, err);
    if (code == ROSTER_OK)
        code = make(self, &experts, n, x, v, err);
    if (code != ROSTER_OK)
        roster_tables_free(self);
    return code;
}

void roster_tables_free(roster_tables *self)
{
    roster_experts_free(self->owned);
    json_decref(self->json);
    *self = (roster_tables){0};
}

static const char *name_of(const char *const *names, const json_t *list, size_t i, char *text, size_t size)
{
    if (names != NULL)
        return names[i];
    const json_t *name = json_array_get(list, i);
    if (json_is_string(name))
        return json_string_value(name);
    if (json_is_integer(name))
        snprintf(text, size, "%lld", (long long)json_integer_value(name));
    else if (json_is_real(name))
        snprintf(text, size, "%.17g", json_real_value(name));
    else
        snprintf(text, size, "%zu", i);
    return text;
}

const char *roster_tables_context(const roster_tables *self, size_t x, char *text, size_t size)
{
    return name_of(self->contexts, json_object_get(self->json, "contexts"), x, text, size);
}

const char *roster_tables_action(const roster_tables *self, size_t v, char *text, size_t size)
{
    return name_of(self->actions, json_object_get(self->json, "actions"), v, text, size);
}
