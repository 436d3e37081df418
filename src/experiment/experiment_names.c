/*
 * experiment_names.c: what contexts, actions and experts are called.
 *
 * Contexts and actions are a list of names, or a number: then they are "context 1", "context 2", ...
 *
 * Check: tests/unit/test_experiment_refused.c: names_refused.
 */
#include "experiment_internal.h"

#include <stdio.h>

int experiment_name_once(json_t *seen, const common_node *at, const char *name, roster_error *err)
{
    if (json_object_get(seen, name) != NULL)
        return common_fail_at(at, err, "is '%.40s', a name that is already taken", name);
    return json_object_set_new(seen, name, json_true()) == 0 ? ROSTER_OK : common_fail_memory(err);
}

int experiment_name_counted(common_arena *store, const char *what, size_t i, const char **name, roster_error *err)
{
    char text[64];
    snprintf(text, sizeof text, "%s %zu", what, i + 1);
    *name = common_arena_text(store, text);
    return *name != NULL ? ROSTER_OK : common_fail_memory(err);
}

/* The i-th name of a list. */
static int read_name(const common_node *list, size_t i, json_t *seen, common_arena *store, const char **name,
                     roster_error *err)
{
    common_node at = common_item(list, i);
    const char *word;
    int code = common_word(&at, &word, err);
    if (code == ROSTER_OK)
        code = experiment_name_once(seen, &at, word, err);
    if (code == ROSTER_OK && (*name = common_arena_text(store, word)) == NULL)
        code = common_fail_memory(err);
    return code;
}

static int count_names(const common_node *at, size_t otherwise, size_t *n, roster_error *err)
{
    uint64_t count = otherwise;
    int code = ROSTER_OK;
    if (json_is_array(at->json)) {
        code = common_list(at, n, err);
        count = *n;
    } else if (at->json != NULL || otherwise == 0) {
        code = common_count(at, 1, EXPERIMENT_NAMES_MOST, &count, err);
    }
    *n = (size_t)count;
    if (code == ROSTER_OK && count > EXPERIMENT_NAMES_MOST)
        return common_fail_at(at, err, "has %zu entries, must have at most %d", *n, EXPERIMENT_NAMES_MOST);
    return code;
}

int experiment_names(const common_node *at, const char *what, size_t otherwise, common_arena *store,
                     const char *const **names, size_t *n, roster_error *err)
{
    int code = count_names(at, otherwise, n, err);
    if (code != ROSTER_OK)
        return code;
    const char **list = common_arena_take(store, *n, sizeof *list);
    json_t *seen = json_object();
    if (list == NULL || seen == NULL)
        code = common_fail_memory(err);
    for (size_t i = 0; code == ROSTER_OK && i < *n; i++)
        code = json_is_array(at->json) ? read_name(at, i, seen, store, &list[i], err)
                                       : experiment_name_counted(store, what, i, &list[i], err);
    json_decref(seen);
    *names = list;
    return code;
}
