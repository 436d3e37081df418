/*
 * document.c: from bytes to a JSON document, and a roster file put in where "experts" names one.
 *
 * A roster file is {"contexts": .., "actions": .., "experts": [{"name": .., "table": ..}, ..]}, as `roster estimate`
 * writes it. It is checked by itself first, so that sentences name the file that is wrong.
 *
 * Check: "toy.json:3:14: ..." where it is no JSON (tests/test_experiment_refused.c: texts_refused).
 */
#include "inside.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (memchr(" \t\r\n", text[i], 4) == NULL)
            return false;
    return true;
}

int experiment_load_text(json_t **out, const char *text, size_t size, const char *path, roster_error *err)
{
    json_error_t wrong;
    size_t mark = size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* some editors begin a file with it */
    *out = NULL;
    if (size > EXPERIMENT_FILE_MOST)
        return experiment_fail_plain(err, "%s is larger than %zu MiB", path, EXPERIMENT_FILE_MOST >> 20);
    if (is_blank(text + mark, size - mark))
        return experiment_fail_plain(err, "%s is empty, must hold JSON", path);
    *out = json_loadb(text + mark, size - mark, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &wrong);
    if (*out != NULL)
        return ROSTER_OK;
    if (wrong.line < 0 || json_error_code(&wrong) == json_error_out_of_memory) /* it knows no place for that */
        return experiment_fail_memory(err);
    const char *reason = wrong.text;
    if (json_error_code(&wrong) == json_error_null_character || json_error_code(&wrong) == json_error_null_byte_in_key)
        reason = "a string with \\u0000 in it";
    return experiment_fail_plain(err, "%s:%d:%d: %s", path, wrong.line, wrong.column, reason);
}

/* All of a stream, or one byte more than is allowed. */
static int read_all(FILE *file, char **text, size_t *size)
{
    size_t room = 1 << 16;
    *text = malloc(room);
    *size = 0;
    while (*text != NULL) {
        *size += fread(*text + *size, 1, room - *size, file);
        if (*size < room || *size > EXPERIMENT_FILE_MOST)
            return ROSTER_OK;
        room *= 2;
        char *more = realloc(*text, room);
        if (more == NULL)
            free(*text);
        *text = more;
    }
    return ROSTER_ENOMEM;
}

int experiment_load_file(json_t **out, const char *path, roster_error *err)
{
    char *text;
    size_t size;
    *out = NULL;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return experiment_fail_plain(err, "%s cannot be read: %s", path, strerror(errno));
    int code = read_all(file, &text, &size);
    int reason = errno;
    if (code != ROSTER_OK)
        experiment_fail_memory(err);
    else if (ferror(file))
        code = experiment_fail_plain(err, "%s cannot be read: %s", path, strerror(reason));
    else
        code = experiment_load_text(out, text, size, path, err);
    free(text);
    fclose(file);
    return code;
}

/* Beside the experiment's file, unless it says where from the root. */
static char *path_beside(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash != NULL && name[0] != '/' ? (size_t)(slash - path) + 1 : 0;
    char *joined = malloc(folder + strlen(name) + 1);
    if (joined == NULL)
        return NULL;
    memcpy(joined, path, folder);
    memcpy(joined + folder, name, strlen(name) + 1);
    return joined;
}

static size_t size_of(const json_t *names)
{
    return json_is_array(names) ? json_array_size(names) : (size_t)json_number_value(names);
}

/* Contexts or actions of the experiment are those of the roster file, and are taken from there if left out. */
static int agree(const experiment_node *root, const experiment_node *roster, const char *key, roster_error *err)
{
    experiment_node mine = experiment_key(root, key), theirs = experiment_key(roster, key);
    size_t n = size_of(theirs.json);
    if (json_is_array(mine.json) && json_is_array(theirs.json) && !json_equal(mine.json, theirs.json))
        return experiment_fail(&mine, err, "are not those of %.160s", roster->key);
    if (json_is_array(mine.json) && json_array_size(mine.json) != n)
        return experiment_fail(&mine, err, "has %zu entries, but %.160s is about %zu", json_array_size(mine.json),
                               roster->key, n);
    if (json_is_number(mine.json) && json_number_value(mine.json) != (double)n)
        return experiment_fail(&mine, err, "is %g, but %.160s is about %zu", json_number_value(mine.json), roster->key,
                               n);
    if ((mine.json == NULL || json_is_number(mine.json)) && json_object_set(root->json, key, theirs.json) != 0)
        return experiment_fail_memory(err);
    return ROSTER_OK;
}

/* What was known of the estimates' error; not used here, but a slip would go unseen. */
static int check_figures(const experiment_node *roster, roster_error *err)
{
    experiment_node xi = experiment_key(roster, "xi"), samples = experiment_key(roster, "min_samples");
    double error;
    uint64_t count;
    int code = ROSTER_OK;
    if (xi.json != NULL && !json_is_null(xi.json))
        code = experiment_number(&xi, &error, err);
    if (code == ROSTER_OK && samples.json != NULL)
        code = experiment_count(&samples, 0, INT64_MAX, &count, err);
    return code;
}

static int check_roster(const experiment_node *roster, roster_error *err)
{
    static const char *const known[] = {"$schema", "name", "description", "contexts", "actions",
                                        "experts", "xi",   "min_samples", NULL};
    experiment_node contexts = experiment_key(roster, "contexts"), actions = experiment_key(roster, "actions");
    experiment_node list = experiment_key(roster, "experts");
    experiment_store store = {NULL};
    experiment_build build = {.store = &store, .err = err};
    const char *const *names;
    roster_experts *experts = NULL;
    size_t n;
    int code = experiment_object(roster, err);
    if (code == ROSTER_OK)
        code = experiment_keys(roster, known, err);
    if (code == ROSTER_OK)
        code = check_figures(roster, err);
    if (code == ROSTER_OK)
        code = experiment_list(&list, &n, err);
    if (code == ROSTER_OK)
        code = experiment_names(&contexts, "context", 0, &store, &names, &build.contexts, err);
    if (code == ROSTER_OK)
        code = experiment_names(&actions, "action", 0, &store, &names, &build.actions, err);
    if (code == ROSTER_OK)
        code = experiment_experts(&build, roster, &experts);
    roster_experts_free(experts);
    experiment_store_free(&store);
    return code;
}

/* Names and tables; counts stay in the roster file. */
static int take_experts(const experiment_node *root, const experiment_node *roster, roster_error *err)
{
    experiment_node theirs = experiment_key(roster, "experts");
    json_t *list = json_array(), *expert;
    size_t k;
    json_array_foreach(theirs.json, k, expert)
    {
        json_t *copy = json_copy(expert);
        json_object_del(copy, "counts");
        if (json_array_append_new(list, copy) != 0)
            break;
    }
    if (json_array_size(list) == json_array_size(theirs.json) && json_object_set(root->json, "experts", list) == 0) {
        json_decref(list);
        return ROSTER_OK;
    }
    json_decref(list);
    return experiment_fail_memory(err);
}

int experiment_inline_roster(const experiment_node *root, roster_error *err)
{
    experiment_node experts = experiment_key(root, "experts");
    const char *name;
    json_t *json;
    if (!json_is_string(experts.json))
        return ROSTER_OK;
    int code = experiment_word(&experts, &name, err);
    if (code != ROSTER_OK)
        return code;
    char *path = path_beside(root->key, name);
    if (path == NULL)
        return experiment_fail_memory(err);
    code = experiment_load_file(&json, path, err);
    experiment_node roster = experiment_root(path, json);
    if (code == ROSTER_OK)
        code = check_roster(&roster, err);
    if (code == ROSTER_OK)
        code = agree(root, &roster, "contexts", err);
    if (code == ROSTER_OK)
        code = agree(root, &roster, "actions", err);
    if (code == ROSTER_OK)
        code = take_experts(root, &roster, err);
    json_decref(json);
    free(path);
    return code;
}
