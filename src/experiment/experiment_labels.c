/*
 * experiment_labels.c: what agents are called in tables and plots, and picking some of them by name.
 *
 * A label is what the file says, else the agent's name. Where several agents of one name have no label, the settings in
 * which they differ are added: "d-ucb C=0.02", "d-ucb C=0.5"; where that leaves two alike, " 2". A setting that is
 * swept is not added, so that labels are the same in all cases.
 *
 * Cost: the square of the number of agents, which is at most EXPERIMENT_AGENTS_MOST.
 * Check: tests/unit/test_experiment.c: labels_differ, changes_are_made.
 */
#include "experiment_internal.h"

#include <stdio.h>
#include <string.h>

enum { LABEL = 160 };

static const char *word_of(const json_t *agent, const char *key)
{
    const char *word = json_string_value(json_object_get(agent, key));
    return word != NULL ? word : "";
}

/* Another agent with the same name and no label, in which this setting is another. */
static bool differs(const json_t *list, size_t i, const char *key)
{
    const json_t *self = json_array_get(list, i);
    for (size_t j = 0; j < json_array_size(list); j++) {
        const json_t *other = json_array_get(list, j);
        if (j != i && json_object_get(other, "label") == NULL &&
            strcmp(word_of(other, "agent"), word_of(self, "agent")) == 0 &&
            !json_equal(json_object_get(other, key), json_object_get(self, key)))
            return true;
    }
    return false;
}

static size_t add_setting(char *label, size_t used, const char *key, const json_t *value)
{
    int more = 0;
    if (used >= LABEL)
        return used;
    if (json_is_string(value))
        more = snprintf(label + used, LABEL - used, " %s=%s", key, json_string_value(value));
    else if (json_is_number(value))
        more = snprintf(label + used, LABEL - used, " %s=%.12g", key, json_number_value(value));
    return used + (size_t)more;
}

/* Its name, and what tells it from others of that name. */
static void describe(const json_t *list, size_t i, const experiment_sweep *sweep, char *label)
{
    json_t *self = json_array_get(list, i), *value;
    const char *key;
    size_t used = (size_t)snprintf(label, LABEL, "%s", word_of(self, "agent"));
    json_object_foreach(self, key, value)
    {
        bool swept = self == sweep->parent && strcmp(key, sweep->key) == 0;
        if (strcmp(key, "agent") != 0 && !swept && differs(list, i, key))
            used = add_setting(label, used, key, value);
    }
}

static bool taken(const char *const *labels, size_t n, const char *label)
{
    for (size_t i = 0; i < n; i++)
        if (labels[i] != NULL && strcmp(labels[i], label) == 0)
            return true;
    return false;
}

/* Labels that the file gives. */
static int read_given(const common_node *list, common_arena *store, const char **labels, size_t n, roster_error *err)
{
    int code = ROSTER_OK;
    for (size_t i = 0; code == ROSTER_OK && i < n; i++) {
        common_node agent = common_item(list, i), node = common_key(&agent, "label");
        const char *word;
        if (node.json == NULL)
            continue;
        code = common_word(&node, &word, err);
        if (code == ROSTER_OK && taken(labels, n, word))
            code = common_fail_at(&node, err, "is '%.40s', a name that is already taken", word);
        if (code == ROSTER_OK && (labels[i] = common_arena_text(store, word)) == NULL)
            code = common_fail_memory(err);
    }
    return code;
}

static int make_label(const json_t *list, size_t i, const experiment_sweep *sweep, common_arena *store,
                      const char **labels, roster_error *err)
{
    char base[LABEL], label[LABEL + 16];
    describe(list, i, sweep, base);
    snprintf(label, sizeof label, "%s", base);
    for (unsigned more = 2; taken(labels, json_array_size(list), label); more++)
        snprintf(label, sizeof label, "%s %u", base, more);
    labels[i] = common_arena_text(store, label);
    return labels[i] != NULL ? ROSTER_OK : common_fail_memory(err);
}

int experiment_labels(const common_node *root, const experiment_sweep *sweep, common_arena *store,
                      const char *const **out, size_t *n, roster_error *err)
{
    common_node list = common_key(root, "agents");
    int code = common_list(&list, n, err);
    if (code == ROSTER_OK && *n > EXPERIMENT_AGENTS_MOST)
        code = common_fail_at(&list, err, "has %zu entries, must have at most %d", *n, EXPERIMENT_AGENTS_MOST);
    if (code != ROSTER_OK)
        return code;
    const char **labels = common_arena_take(store, *n, sizeof *labels);
    if (labels == NULL)
        return common_fail_memory(err);
    *out = labels;
    code = read_given(&list, store, labels, *n, err);
    for (size_t i = 0; code == ROSTER_OK && i < *n; i++)
        if (labels[i] == NULL)
            code = make_label(list.json, i, sweep, store, labels, err);
    return code;
}

static int fail_pick(const common_node *root, const char *item, int length, const char *const *labels, size_t n,
                     roster_error *err)
{
    char all[200] = "";
    for (size_t i = 0, used = 0; i < n && used < sizeof all; i++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", i > 0 ? ", " : "", labels[i]);
    return common_fail_file(root, err, "no agent of this file is called '%.*s'; there are %s",
                            length < 40 ? length : 40, item, all);
}

static bool is_called(const char *name, const char *item, size_t length)
{
    return strlen(name) == length && memcmp(name, item, length) == 0;
}

int experiment_pick(const common_node *root, const char *list, const char *const *labels, bool *picked,
                    roster_error *err)
{
    const json_t *agents = json_object_get(root->json, "agents");
    size_t n = json_array_size(agents);
    for (size_t i = 0; i < n; i++)
        picked[i] = list == NULL;
    for (const char *item = list; item != NULL;) {
        item += strspn(item, " ");
        size_t length = strcspn(item, ","), shown = length;
        bool found = false;
        while (shown > 0 && item[shown - 1] == ' ')
            shown--;
        for (size_t i = 0; i < n; i++)
            if (is_called(labels[i], item, shown) ||
                is_called(word_of(json_array_get(agents, i), "agent"), item, shown))
                picked[i] = found = true;
        if (!found)
            return fail_pick(root, item, (int)(shown < 40 ? shown : 40), labels, n, err);
        item = item[length] == ',' ? item + length + 1 : NULL;
    }
    return ROSTER_OK;
}
