/*
 * experiment.c: from a file to studies: the document is read once, then every case of its sweep is built.
 *
 * Check: tests/unit/test_experiment.c: shipped_files.
 */
#include "experiment_internal.h"

#include <stdlib.h>
#include <string.h>

/* An experiment and what only its making needs. */
typedef struct whole {
    experiment shown; /* first: its address is that of the whole */
    common_arena store;
    json_t *document; /* owned */
    roster_error *err;
    common_node root;
    experiment_sweep sweep;
    size_t n_agents; /* of the file */
    const char *const *labels;
    bool *picked;
    size_t numbers;
} whole;

static int copy_text(whole *self, const char *text, const char **out)
{
    *out = common_arena_text(&self->store, text);
    return *out != NULL ? ROSTER_OK : common_fail_memory(self->err);
}

/* "toy" of "some/where/toy.json". */
static int name_of_file(whole *self)
{
    const char *slash = strrchr(self->shown.path, '/');
    const char *base = slash != NULL ? slash + 1 : self->shown.path;
    const char *dot = strrchr(base, '.');
    size_t length = dot != NULL && dot > base ? (size_t)(dot - base) : strlen(base);
    json_t *name = json_stringn(base, length);
    if (name == NULL) /* a file's name need not be UTF-8 */
        name = json_string("experiment");
    return json_object_set_new(self->document, "name", name) == 0 ? ROSTER_OK : common_fail_memory(self->err);
}

/* The name becomes a folder's name and is shown on terminals. */
static int check_name(const common_node *at, const char *name, roster_error *err)
{
    if (strlen(name) > 100)
        return common_fail_at(at, err, "has %zu bytes, must have at most 100", strlen(name));
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strchr(name, '/') != NULL)
        return common_fail_at(at, err, "is '%s', must be the name of a folder, without '/'", name);
    for (const char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c < 32 || *c == 127)
            return common_fail_at(at, err, "must not hold a control character");
    return ROSTER_OK;
}

static int read_names(whole *self)
{
    common_node name, description = common_key(&self->root, "description");
    const char *word = "";
    int code = json_object_get(self->document, "name") == NULL ? name_of_file(self) : ROSTER_OK;
    if (code == ROSTER_OK && description.json != NULL)
        code = common_string(&description, &word, self->err);
    if (code == ROSTER_OK)
        code = copy_text(self, word, &self->shown.description);
    name = common_key(&self->root, "name");
    if (code == ROSTER_OK)
        code = common_word(&name, &word, self->err);
    if (code == ROSTER_OK)
        code = check_name(&name, word, self->err);
    return code == ROSTER_OK ? copy_text(self, word, &self->shown.name) : code;
}

static int keep_text(whole *self)
{
    char *text = common_json_line(self->document);
    int code = text != NULL ? copy_text(self, text, &self->shown.text) : common_fail_memory(self->err);
    free(text);
    return code;
}

static int read_sizes(whole *self)
{
    experiment *e = &self->shown;
    common_node runs = common_key(&self->root, "runs"), seed = common_key(&self->root, "seed");
    common_node contexts = common_key(&self->root, "contexts");
    common_node actions = common_key(&self->root, "actions");
    bool gaps = experiment_has_gaps(&self->root);
    e->seed = 1;
    int code = common_count(&runs, 1, EXPERIMENT_RUNS_MOST, &e->runs, self->err);
    if (code == ROSTER_OK && seed.json != NULL)
        code = common_count(&seed, 0, INT64_MAX, &e->seed, self->err);
    if (code == ROSTER_OK)
        code =
            experiment_names(&contexts, "context", gaps ? 1 : 0, &self->store, &e->contexts, &e->n_contexts, self->err);
    if (code == ROSTER_OK)
        code = experiment_names(&actions, "action", gaps ? 2 : 0, &self->store, &e->actions, &e->n_actions, self->err);
    return code;
}

static int check_keys(whole *self)
{
    static const char *const known[] = {"$schema", "name", "description", "contexts", "actions", "experts", "episodes",
                                        "agents",  "runs", "seed",        "sweep",    "restart", NULL};
    int code = common_object(&self->root, self->err);
    return code == ROSTER_OK ? common_keys(&self->root, known, self->err) : code;
}

static int take_changes(whole *self, const experiment_changes *changes)
{
    experiment *e = &self->shown;
    if (changes == NULL)
        return ROSTER_OK;
    e->changes = (experiment_changes){.runs = changes->runs, .rounds = changes->rounds};
    if (changes->rounds > EXPERIMENT_ROUNDS_MOST)
        return common_fail(self->err, ROSTER_EINVAL, "%llu rounds are too many, must be at most %lld",
                           (unsigned long long)changes->rounds, (long long)EXPERIMENT_ROUNDS_MOST);
    e->runs = changes->runs > 0 ? changes->runs : e->runs;
    if (changes->seed != NULL) {
        uint64_t *seed = common_arena_take(&self->store, 1, sizeof *seed);
        if (seed == NULL)
            return common_fail_memory(self->err);
        *seed = *changes->seed;
        e->seed = *seed;
        e->changes.seed = seed;
    }
    return changes->agents != NULL ? copy_text(self, changes->agents, &e->changes.agents) : ROSTER_OK;
}

static int pick_agents(whole *self)
{
    int code = experiment_labels(&self->root, &self->sweep, &self->store, &self->labels, &self->n_agents, self->err);
    if (code != ROSTER_OK)
        return code;
    self->picked = common_arena_take(&self->store, self->n_agents, sizeof *self->picked);
    if (self->picked == NULL)
        return common_fail_memory(self->err);
    return experiment_pick(&self->root, self->shown.changes.agents, self->labels, self->picked, self->err);
}

/* All agents were read and tried; those that were not picked go. */
static void keep_picked(whole *self, experiment_case *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < self->n_agents; i++)
        if (self->picked[i]) {
            c->agents[kept] = c->agents[i];
            c->studies[kept++] = c->studies[i];
        }
    self->shown.n_agents = kept;
}

/* "toy.json (count = 64)": where a case of a sweep is wrong, its sentence says which. */
static int case_root(whole *self, const experiment_case *c, common_node *root)
{
    char *path = common_arena_take(&self->store, strlen(self->shown.path) + strlen(c->title) + 4, 1);
    if (path == NULL)
        return common_fail_memory(self->err);
    strcpy(path, self->shown.path);
    if (self->sweep.label != NULL)
        strcat(strcat(strcat(path, " ("), c->title), ")");
    *root = common_root(path, self->document);
    return ROSTER_OK;
}

static int build_case(whole *self, size_t i)
{
    experiment *e = &self->shown;
    experiment_case *c = &e->cases[i];
    common_node root;
    experiment_build build = {.store = &self->store,
                              .err = self->err,
                              .contexts = e->n_contexts,
                              .actions = e->n_actions,
                              .context_names = e->contexts,
                              .action_names = e->actions,
                              .seed = e->seed,
                              .rounds = e->changes.rounds,
                              .numbers = self->numbers,
                              .models = true,
                              .gaps = experiment_has_gaps(&self->root)};
    int code = experiment_sweep_apply(&self->sweep, i, &self->store, c, self->err);
    if (code == ROSTER_OK)
        code = case_root(self, c, &root);
    if (code == ROSTER_OK)
        code = experiment_experts(&build, &root, &c->experts);
    if (code == ROSTER_OK)
        code = experiment_episodes(&build, &root, c);
    if (code == ROSTER_OK)
        code = experiment_agents(&build, &root, self->labels, c);
    if (code == ROSTER_OK)
        keep_picked(self, c);
    self->numbers = build.numbers;
    return code;
}

static int build_cases(whole *self)
{
    experiment *e = &self->shown;
    int code = ROSTER_OK;
    e->cases = common_arena_take(&self->store, self->sweep.n, sizeof *e->cases);
    if (e->cases == NULL)
        return common_fail_memory(self->err);
    e->n_cases = self->sweep.n;
    e->sweep = self->sweep.label;
    for (size_t i = 0; code == ROSTER_OK && i < e->n_cases; i++)
        code = build_case(self, i);
    return code;
}

static int build(whole *self, const experiment_changes *changes)
{
    self->root = common_root(self->shown.path, self->document);
    int code = check_keys(self);
    if (code == ROSTER_OK)
        code = read_names(self);
    if (code == ROSTER_OK)
        code = experiment_inline(&self->root, self->err);
    if (code == ROSTER_OK)
        code = keep_text(self);
    if (code == ROSTER_OK)
        code = read_sizes(self);
    if (code == ROSTER_OK)
        code = take_changes(self, changes);
    if (code == ROSTER_OK)
        code = experiment_sweep_read(&self->sweep, &self->root, &self->store, self->err);
    if (code == ROSTER_OK)
        code = pick_agents(self);
    return code == ROSTER_OK ? build_cases(self) : code;
}

/* Takes the document over, also on failure. */
static int make(experiment **out, json_t *document, const char *path, const experiment_changes *changes,
                roster_error *err)
{
    whole *self = calloc(1, sizeof *self);
    if (self == NULL) {
        json_decref(document);
        return common_fail_memory(err);
    }
    self->document = document;
    self->err = err;
    int code = copy_text(self, path, &self->shown.path);
    if (code == ROSTER_OK)
        code = build(self, changes);
    json_decref(self->document); /* all that is kept was copied */
    self->document = NULL;
    if (code != ROSTER_OK) {
        experiment_free(&self->shown);
        return code;
    }
    *out = &self->shown;
    return ROSTER_OK;
}

int experiment_read(experiment **out, const char *path, const experiment_changes *changes, roster_error *err)
{
    json_t *document;
    *out = NULL;
    int code = common_load_file(&document, path, err);
    return code == ROSTER_OK ? make(out, document, path, changes, err) : code;
}

int experiment_parse(experiment **out, const char *text, const char *path, const experiment_changes *changes,
                     roster_error *err)
{
    json_t *document;
    *out = NULL;
    int code = common_load_text(&document, text, strlen(text), path, err);
    return code == ROSTER_OK ? make(out, document, path, changes, err) : code;
}

static void free_case(experiment_case *c)
{
    for (size_t e = 0; e < c->n_episodes; e++)
        roster_world_free((roster_world *)(uintptr_t)c->episodes[e].world);
    roster_experts_free(c->experts);
}

void experiment_free(experiment *shown)
{
    if (shown == NULL)
        return;
    whole *self = (whole *)shown;
    for (size_t i = 0; i < shown->n_cases; i++)
        free_case(&shown->cases[i]);
    common_arena_free(&self->store);
    free(self);
}
