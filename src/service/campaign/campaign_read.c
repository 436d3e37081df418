/*
 * campaign_read.c: from a campaign's description (JSON, experiments/schema/campaign.schema.json) to its definition.
 *
 * Paper: none.
 * Check: tests/unit/test_service_refused.c: descriptions_refused.
 */
#include "service_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == '-';
}

int service_read_name(const common_node *root, common_arena *memory, const char **out, roster_error *err)
{
    common_node at = common_key(root, "name");
    const char *word;
    int code = common_word(&at, &word, err);
    if (code != ROSTER_OK)
        return code;
    size_t size = strlen(word), plain = 0;
    while (plain < size && is_plain(word[plain]))
        plain++;
    if (size > SERVICE_NAME_MOST || plain < size || word[0] == '.')
        return common_fail_at(
            &at, err, "is \"%.40s\", must be 1 to %d letters, digits, '.', '_' or '-', not beginning with a dot", word,
            SERVICE_NAME_MOST);
    *out = memory != NULL ? common_arena_text(memory, word) : word;
    return *out != NULL ? ROSTER_OK : common_fail_memory(err);
}

static bool works_on_estimates(const roster_agent_info *info)
{
    return info->empirical || info->learns_experts || strcmp(info->name, "auto") == 0; /* which is direct there */
}

/* The names of all agents, or of those on estimates. */
static void list_agents(bool estimates, char *out, size_t size)
{
    const roster_agent_info *info;
    out[0] = '\0';
    for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++) {
        size_t used = strlen(out);
        if (works_on_estimates(info) || !estimates)
            snprintf(out + used, size - used, "%s%s", used > 0 ? ", " : "", info->name);
    }
}

static int fail_agent(const common_node *at, const char *name, roster_error *err)
{
    char known[200];
    list_agents(false, known, sizeof known);
    return common_fail_at(at, err, "is \"%.40s\", must be one of %s", name, known);
}

static int read_settings(service_campaign *c, const common_node *at, roster_error *err)
{
    roster_setting *settings = common_arena_take(&c->memory, json_object_size(at->json) + 1, sizeof *settings);
    const char *key;
    json_t *value;
    c->settings = settings;
    if (settings == NULL)
        return common_fail_memory(err);
    json_object_foreach(at->json, key, value)
    {
        common_node node = common_key(at, key);
        if (strcmp(key, "agent") == 0)
            continue;
        int code = common_scalar(&node, err);
        if (code != ROSTER_OK)
            return code;
        const char *word = json_string_value(value);
        *settings = (roster_setting){.name = common_arena_text(&c->memory, key), .number = json_number_value(value)};
        settings->word = word != NULL ? common_arena_text(&c->memory, word) : NULL;
        if (settings->name == NULL || (word != NULL && settings->word == NULL))
            return common_fail_memory(err);
        settings++;
    }
    return ROSTER_OK;
}

/* "d-ucb", or, as in an experiment, {"agent": "d-ucb", "C": 0.02}; left out: "auto". */
static int read_agent(service_campaign *c, const common_node *root, roster_error *err)
{
    common_node at = common_key(root, "agent"), inner = common_key(&at, "agent");
    const common_node *node = json_is_object(at.json) ? &inner : &at;
    const char *name = "auto";
    int code = node->json != NULL ? common_word(node, &name, err) : ROSTER_OK;
    if (code != ROSTER_OK)
        return code;
    c->agent = experiment_agent_info(name);
    if (c->agent == NULL)
        return fail_agent(node, name, err);
    return read_settings(c, &at, err);
}

/* How sure the intervals are, and whether alarms begin episodes. */
static int read_evidence(service_campaign *c, const common_node *root, roster_error *err)
{
    common_node level = common_key(root, "level"), restart = common_key(root, "restart");
    const char *word = NULL;
    c->level = 0.95;
    int code = level.json != NULL ? common_number_in(&level, 0.5, 0.999999, &c->level, err) : ROSTER_OK;
    if (code == ROSTER_OK && restart.json != NULL)
        code = common_word(&restart, &word, err);
    if (code == ROSTER_OK && word != NULL && strcmp(word, "alarm") != 0)
        code = common_fail_at(&restart, err, "is \"%.40s\", must be \"alarm\", or left out", word);
    if (code == ROSTER_OK && word != NULL && c->kind != ROSTER_TABLES)
        code = common_fail_at(&restart, err, "is for campaigns with finitely many contexts: leave it out");
    if (code == ROSTER_OK && word != NULL && c->x > SERVICE_WATCHED_MOST / c->v)
        code = common_fail_at(&restart, err, "needs memory for every context and action: these may be %d at most",
                              SERVICE_WATCHED_MOST);
    c->restart = word != NULL;
    return code;
}

static int read_prior(service_campaign *c, const common_node *root, roster_error *err)
{
    common_node at = common_key(root, "context_probabilities");
    const char *word = json_string_value(at.json);
    c->prior = SERVICE_UNIFORM;
    if (at.json == NULL || (word != NULL && strcmp(word, "uniform") == 0))
        return ROSTER_OK;
    if (c->kind != ROSTER_TABLES)
        return common_fail_at(&at, err,
                              "is for campaigns with finitely many contexts: leave it out, the sample stands for it");
    c->prior = SERVICE_SEEN;
    if (word != NULL && strcmp(word, "seen") == 0)
        return ROSTER_OK;
    if (word != NULL)
        return common_fail_at(&at, err, "is \"%.40s\", must be a list, \"seen\" or \"uniform\"", word);
    c->prior = SERVICE_DECLARED;
    double *p = common_arena_take(&c->memory, c->x, sizeof *p), sum = 0;
    int code = p != NULL ? common_list_of(&at, c->x, "context", err) : common_fail_memory(err);
    for (size_t x = 0; code == ROSTER_OK && x < c->x; x++) {
        common_node number = common_item(&at, x);
        code = common_number_in(&number, 0, 1, &p[x], err);
        sum += p[x];
    }
    if (code == ROSTER_OK && !(fabs(sum - 1) <= 1e-9))
        code = common_fail_at(&at, err, "sums to %.12g, must be 1", sum);
    c->p = p;
    return code;
}

static int read_fallback(service_campaign *c, const common_node *root, roster_error *err)
{
    common_node at = common_key(root, "fallback");
    const char *word;
    c->pin = c->fall_back = UINT32_MAX;
    if (at.json == NULL || json_is_null(at.json))
        return ROSTER_OK;
    int code = common_word(&at, &word, err);
    size_t k = code == ROSTER_OK ? name_table_find(&c->experts_names.table, word, strlen(word)) : SIZE_MAX;
    if (code == ROSTER_OK && k == SIZE_MAX)
        code = common_fail_at(&at, err, "is \"%.40s\", which is not an expert", word);
    c->fall_back = (uint32_t)k;
    return code;
}

/* Experts by the name of a roster: borrowed with their names. */
static int take_roster(service_campaign *c, const service *self, const common_node *root, roster_error *err)
{
    static const char *const taken[] = {"contexts", "actions", "experts", "kind", "features", "sample", "floor", NULL};
    common_node at = common_key(root, "roster");
    const char *name;
    int code = common_word(&at, &name, err);
    for (size_t i = 0; code == ROSTER_OK && taken[i] != NULL; i++) {
        common_node other = common_key(root, taken[i]);
        if (other.json != NULL)
            code = common_fail_at(&other, err, "comes from the roster: leave it out where \"roster\" is given");
    }
    if (code != ROSTER_OK)
        return code;
    c->roster = service_roster_find(self, name, strlen(name));
    if (c->roster == NULL)
        return common_fail_at(&at, err, "is \"%.40s\", which is not a roster", name);
    c->n = c->roster->n;
    c->x = c->roster->x;
    c->v = c->roster->v;
    bool fits = service_names_make(&c->contexts, c->roster->contexts, c->x, true) &&
                service_names_make(&c->actions, c->roster->actions, c->v, true) &&
                service_names_make(&c->experts_names, c->roster->experts_names, c->n, true);
    return fits ? ROSTER_OK : common_fail_memory(err);
}

static int check_estimated(const service_campaign *c, const common_node *root, roster_error *err)
{
    common_node at = common_key(root, "agent");
    char fit[200];
    if (c->roster == NULL || c->roster->experts != NULL || works_on_estimates(c->agent))
        return ROSTER_OK;
    list_agents(true, fit, sizeof fit);
    return common_fail_at(&at, err, "is %s, but the experts of roster %s are known from samples alone: use one of %s",
                          c->agent->name, c->roster->name, fit);
}

/* What changes, empty. */
static int take_state(service_campaign *c, const service *self, roster_error *err)
{
    for (int i = 0; i < 2; i++)
        c->table.secret[i] = c->joined.secret[i] = c->forgotten.secret[i] = self->secret[i];
    c->table.width = c->kind == ROSTER_SOFTMAX ? c->d : c->kind == ROSTER_EXTERNAL ? c->n + 1 : 0;
    c->scratch = calloc(c->n > c->v ? c->n : c->v, sizeof *c->scratch);
    c->order = calloc(c->n, sizeof *c->order);
    c->seen = c->kind == ROSTER_TABLES ? calloc(c->x, sizeof *c->seen) : NULL;
    bool fits = c->scratch != NULL && c->order != NULL && (c->seen != NULL || c->kind != ROSTER_TABLES);
    return fits ? ROSTER_OK : common_fail_memory(err);
}

static int read_warm(service_campaign *c, const common_node *root, roster_error *err)
{
    common_node at = common_key(root, "warm_start");
    warm_start_names names = {c->kind == ROSTER_TABLES ? &c->contexts.table : NULL, &c->actions.table,
                              &c->experts_names.table};
    return at.json != NULL ? warm_start_read(&at, &names, &c->memory, &c->warm, err) : ROSTER_OK;
}

static int read_stream(service_campaign *c, const common_node *root, roster_error *err)
{
    common_node at = common_key(root, "stream");
    const char *word = "";
    int code = at.json != NULL ? common_string(&at, &word, err) : ROSTER_OK;
    size_t printable = 0;
    while (word[printable] > ' ' && word[printable] <= '~')
        printable++;
    if (code == ROSTER_OK && (word[printable] != '\0' || printable > SERVICE_ID_MOST))
        code = common_fail_at(&at, err, "must be up to %d bytes of printable ASCII, no space", SERVICE_ID_MOST);
    if (code == ROSTER_OK)
        c->draws = service_key_draws(c->seed, word);
    return code;
}

static int read_all(service_campaign *c, const service *self, const common_node *root, roster_error *err)
{
    static const char *const known[] = {"$schema", "name",       "description", "kind",   "contexts",
                                        "actions", "experts",    "roster",      "agent",  "context_probabilities",
                                        "reward",  "episodes",   "seed",        "sample", "features",
                                        "floor",   "fallback",   "stream",      "retain", "level",
                                        "restart", "warm_start", "mode",        NULL};
    common_node seed = common_key(root, "seed");
    common_node roster = common_key(root, "roster"), about = common_key(root, "description");
    const char *word;
    int code = common_object(root, err);
    if (code == ROSTER_OK)
        code = common_keys(root, known, err);
    if (code == ROSTER_OK)
        code = service_read_name(root, &c->kept, &c->name, err);
    if (code == ROSTER_OK && about.json != NULL)
        code = common_string(&about, &word, err);
    if (code == ROSTER_OK)
        code = common_count(&seed, 0, INT64_MAX, &c->seed, err);
    if (code == ROSTER_OK)
        code = read_stream(c, root, err);
    if (code == ROSTER_OK)
        code = roster.json != NULL ? take_roster(c, self, root, err)
                                   : service_campaign_experts(c, (size_t)self->limits.cells, root, err);
    if (code == ROSTER_OK)
        code = read_agent(c, root, err);
    if (code == ROSTER_OK)
        code = check_estimated(c, root, err);
    if (code == ROSTER_OK)
        code = read_prior(c, root, err);
    if (code == ROSTER_OK)
        code = read_evidence(c, root, err);
    if (code == ROSTER_OK)
        code = service_rules_read(&c->rules, root, err);
    if (code == ROSTER_OK)
        code = read_fallback(c, root, err);
    if (code == ROSTER_OK)
        code = read_warm(c, root, err);
    common_node retain = common_key(root, "retain"), mode = common_key(root, "mode");
    if (code == ROSTER_OK && mode.json != NULL)
        code = service_read_mode(c, &mode, &c->shadow, err);
    if (code == ROSTER_OK)
        code = service_retain_read(&c->retain, &retain, err);
    return code == ROSTER_OK ? take_state(c, self, err) : code;
}

/* Of the content of a JSON value, or of a description without seed and stream: equal ones have equal digests, whatever
   the order of keys. */
static uint64_t digest(const json_t *json, bool whole)
{
    uint64_t h = (uint64_t)json_typeof(json), sum = 0;
    const char *key;
    json_t *value;
    double real = json_real_value(json);
    json_int_t integer = json_integer_value(json);
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        json_object_foreach((json_t *)(uintptr_t)json, key, value)
        {
            uint64_t inner = digest(value, true);
            if (whole || (strcmp(key, "seed") != 0 && strcmp(key, "stream") != 0))
                sum += common_hash_words(inner, key, strlen(key));
        }
        return common_hash_words(h, &sum, sizeof sum);
    case JSON_ARRAY:
        for (size_t i = 0; i < json_array_size(json); i++) {
            sum = digest(json_array_get(json, i), true);
            h = common_hash_words(h, &sum, sizeof sum);
        }
        return h;
    case JSON_STRING:
        return common_hash_words(h, json_string_value(json), json_string_length(json));
    case JSON_INTEGER:
        return common_hash_words(h, &integer, sizeof integer);
    case JSON_REAL:
        return common_hash_words(h, &real, sizeof real);
    default:
        return common_hash_words(h, "", 0);
    }
}

/* As in its record, and as it is shown. Takes the warm start out of the description. */
static int keep_text(service_campaign *c, const char *text, size_t size, json_t *description, roster_error *err)
{
    c->text = c->shown = common_arena_bytes(&c->kept, text, size);
    c->text_size = c->shown_size = size;
    if (c->text == NULL)
        return common_fail_memory(err);
    if (json_object_del(description, "warm_start") != 0)
        return ROSTER_OK;
    char *line = common_json_line(description);
    c->shown_size = line != NULL ? strlen(line) : 0;
    c->shown = line != NULL ? common_arena_bytes(&c->kept, line, c->shown_size) : NULL;
    free(line);
    return c->shown != NULL ? ROSTER_OK : common_fail_memory(err);
}

service_code service_campaign_read(const service *self, const char *text, size_t size, service_campaign **out,
                                   service_error *err)
{
    roster_error wrong = {0};
    json_t *json = NULL;
    *out = NULL;
    service_campaign *c = calloc(1, sizeof *c);
    if (c == NULL)
        return service_no_memory(err);
    int code = common_load_text(&json, text, size, "campaign", &wrong);
    common_node root = common_root("campaign", json);
    if (code == ROSTER_OK)
        code = read_all(c, self, &root, &wrong);
    c->digest = code == ROSTER_OK ? digest(json, false) : 0;
    const json_t *stream = json_object_get(json, "stream");
    c->stream_digest = stream != NULL ? digest(stream, true) : 0;
    c->fixed_bytes = sizeof *c + 2 * size; /* its text, and the names in it, about */
    c->fixed_bytes += c->warm.n * sizeof *c->warm.rows;
    if (code == ROSTER_OK)
        code = keep_text(c, text, size, json, &wrong);
    json_decref(json);
    if (code != ROSTER_OK) {
        bool exceeded = c->exceeded;
        service_campaign_free(c);
        return exceeded ? service_limits_cells(&wrong, self->limits.cells, err)
                        : service_pass(&wrong, SERVICE_INVALID, err);
    }
    *out = c;
    return SERVICE_OK;
}
