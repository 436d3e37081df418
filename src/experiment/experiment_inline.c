/*
 * experiment_inline.c: other files put into the document where it names them.
 *
 *   "experts": FILE             a roster file, {"contexts": .., "actions": .., "experts": [{"name": .., "table": ..},
 *                               ..]}, as `roster estimate` and `roster-datasets cifar10` write it
 *   episodes[e].rewards: FILE   a rewards file, {"contexts": .., "actions": .., "rewards": [[[values] per action] per
 *                               context]}, as `roster-datasets movielens` writes it
 *   agents[i].warm_start.log    a log or its tally, which becomes "rows" there (warm_start_file.c)
 *
 * A file is checked by itself first, so that sentences name the file that is wrong, and must be about the experiment's
 * contexts and actions.
 *
 * Paper: none.
 * Check: tests/unit/test_experiment_refused.c: rewards_files_refused.
 */
#include "experiment_internal.h"
#include "warm_start.h"

#include <stdlib.h>
#include <string.h>

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

/* Contexts or actions of the experiment are those of the file, and are taken from there if left out. */
static int agree_on(const char *key, const common_node *root, const common_node *file, roster_error *err)
{
    common_node mine = common_key(root, key), theirs = common_key(file, key);
    size_t n = size_of(theirs.json);
    if (json_is_array(mine.json) && json_is_array(theirs.json) && !json_equal(mine.json, theirs.json))
        return common_fail_at(
            &mine, err, "are not those of %.160s in its order: leave them out, or list them as it does", file->key);
    if (json_is_array(mine.json) && json_array_size(mine.json) != n)
        return common_fail_at(&mine, err, "has %zu entries, but %.160s is about %zu", json_array_size(mine.json),
                              file->key, n);
    if (json_is_number(mine.json) && json_number_value(mine.json) != (double)n)
        return common_fail_at(&mine, err, "is %g, but %.160s is about %zu", json_number_value(mine.json), file->key, n);
    if ((mine.json == NULL || json_is_number(mine.json)) && json_object_set(root->json, key, theirs.json) != 0)
        return common_fail_memory(err);
    return ROSTER_OK;
}

/* What was known of the estimates' error; not used here, but a slip would go unseen. */
static int check_figures(const common_node *roster, roster_error *err)
{
    common_node xi = common_key(roster, "xi"), samples = common_key(roster, "min_samples");
    double error;
    uint64_t count;
    int code = ROSTER_OK;
    if (xi.json != NULL && !json_is_null(xi.json))
        code = common_number(&xi, &error, err);
    if (code == ROSTER_OK && samples.json != NULL)
        code = common_count(&samples, 0, INT64_MAX, &count, err);
    return code;
}

/* How many contexts and actions a file is about. */
static int count_names(const common_node *file, experiment_build *build)
{
    common_node contexts = common_key(file, "contexts"), actions = common_key(file, "actions");
    const char *const *names;
    int code = experiment_names(&contexts, "context", 0, build->store, &names, &build->contexts, build->err);
    return code == ROSTER_OK
               ? experiment_names(&actions, "action", 0, build->store, &names, &build->actions, build->err)
               : code;
}

static int check_roster(const common_node *roster, experiment_build *build)
{
    static const char *const known[] = {"$schema", "name", "description", "contexts", "actions",
                                        "experts", "xi",   "min_samples", NULL};
    common_node list = common_key(roster, "experts");
    roster_experts *experts = NULL;
    size_t n;
    int code = common_keys(roster, known, build->err);
    if (code == ROSTER_OK)
        code = check_figures(roster, build->err);
    if (code == ROSTER_OK)
        code = common_list(&list, &n, build->err);
    if (code == ROSTER_OK)
        code = count_names(roster, build);
    if (code == ROSTER_OK)
        code = experiment_experts(build, roster, &experts);
    roster_experts_free(experts);
    return code;
}

/* Names and tables; counts stay in the roster file. */
static int take_experts(const common_node *root, const common_node *roster, roster_error *err)
{
    common_node theirs = common_key(roster, "experts");
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
    return common_fail_memory(err);
}

static int check_rewards(const common_node *file, experiment_build *build)
{
    static const char *const known[] = {"$schema", "name", "description", "contexts", "actions", "rewards", NULL};
    common_node rewards = common_key(file, "rewards");
    experiment_rewards values = {NULL, NULL};
    int code = common_keys(file, known, build->err);
    if (code == ROSTER_OK)
        code = count_names(file, build);
    if (code == ROSTER_OK)
        code = experiment_rewards_read(build, &rewards, &values);
    experiment_rewards_free(&values);
    return code;
}

static int take_rewards(const common_node *episode, const common_node *file, roster_error *err)
{
    json_t *rewards = json_object_get(file->json, "rewards");
    return json_object_set(episode->json, "rewards", rewards) == 0 ? ROSTER_OK : common_fail_memory(err);
}

/* A kind of file: how it is checked by itself, and how its content takes the place of its name in `at`. */
typedef struct file_kind {
    int (*check)(const common_node *file, experiment_build *build);
    int (*take)(const common_node *at, const common_node *file, roster_error *err);
} file_kind;

static const file_kind roster_file = {check_roster, take_experts}, rewards_file = {check_rewards, take_rewards};

static int check(const file_kind *kind, const common_node *file, roster_error *err)
{
    common_arena store = {NULL};
    experiment_build build = {.store = &store, .err = err};
    int code = common_object(file, err);
    if (code == ROSTER_OK)
        code = kind->check(file, &build);
    common_arena_free(&store);
    return code;
}

/* The file that `name` names, into `at`. */
static int inline_file(const file_kind *kind, const common_node *root, const common_node *at, const common_node *name,
                       roster_error *err)
{
    const char *word;
    json_t *json;
    int code = common_word(name, &word, err);
    if (code != ROSTER_OK)
        return code;
    char *path = path_beside(root->key, word);
    if (path == NULL)
        return common_fail_memory(err);
    code = common_load_file(&json, path, err);
    common_node file = common_root(path, json);
    if (code == ROSTER_OK)
        code = check(kind, &file, err);
    if (code == ROSTER_OK)
        code = agree_on("contexts", root, &file, err);
    if (code == ROSTER_OK)
        code = agree_on("actions", root, &file, err);
    if (code == ROSTER_OK)
        code = kind->take(at, &file, err);
    json_decref(json);
    free(path);
    return code;
}

/* The log that an agent starts with. */
static int inline_log(const common_node *root, const common_node *warm, const common_node *name, roster_error *err)
{
    const char *word;
    json_t *rows = NULL;
    int code = common_word(name, &word, err);
    if (code == ROSTER_OK && json_object_get(warm->json, "rows") != NULL)
        code = common_fail_at(name, err, "and \"rows\" are two tallies: leave one of them out");
    if (code != ROSTER_OK)
        return code;
    char *path = path_beside(root->key, word);
    code = path != NULL ? warm_start_load(&rows, path, err) : common_fail_memory(err);
    free(path);
    if (code == ROSTER_OK && json_object_set_new(warm->json, "rows", rows) != 0)
        code = common_fail_memory(err);
    if (code == ROSTER_OK)
        json_object_del(warm->json, "log");
    return code;
}

static int inline_logs(const common_node *root, roster_error *err)
{
    common_node agents = common_key(root, "agents");
    int code = ROSTER_OK;
    for (size_t i = 0; code == ROSTER_OK && i < json_array_size(agents.json); i++) {
        common_node agent = common_item(&agents, i), warm = common_key(&agent, "warm_start");
        common_node name = common_key(&warm, "log");
        if (name.json != NULL)
            code = inline_log(root, &warm, &name, err);
    }
    return code;
}

int experiment_inline(const common_node *root, roster_error *err)
{
    common_node experts = common_key(root, "experts"), episodes = common_key(root, "episodes");
    int code = ROSTER_OK;
    if (json_is_string(experts.json))
        code = inline_file(&roster_file, root, root, &experts, err);
    for (size_t e = 0; code == ROSTER_OK && e < json_array_size(episodes.json); e++) {
        common_node episode = common_item(&episodes, e), rewards = common_key(&episode, "rewards");
        if (json_is_string(rewards.json))
            code = inline_file(&rewards_file, root, &episode, &rewards, err);
    }
    return code == ROSTER_OK ? inline_logs(root, err) : code;
}
