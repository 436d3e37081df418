/*
 * test_schema.c: the schemas of experiment, roster and rewards files and of campaigns (experiments/schema/) are written
 * by hand; what else is known of the format must be in them.
 */
#include "support.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

static json_t *load(const char *name)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/experiments/schema/%s.schema.json", SOURCE, name);
    json_t *schema = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
    assert_non_null(schema);
    return schema;
}

static bool lists(const json_t *words, const char *word)
{
    for (size_t i = 0; i < json_array_size(words); i++)
        if (strcmp(json_string_value(json_array_get(words, i)), word) == 0)
            return true;
    return false;
}

static void knows_every_setting(const char *file, const char *list)
{
    json_t *schema = load(file), *defs = json_object_get(schema, "$defs");
    json_t *agent = json_object_get(json_object_get(defs, "agent"), "properties");
    json_t *names =
        json_object_get(json_object_get(list != NULL ? defs : agent, list != NULL ? list : "agent"), "enum");
    const roster_agent_info *info;
    assert_non_null(names);
    size_t n = 0;
    for (; (info = roster_agent_info_at(n)) != NULL; n++) {
        assert_true(lists(names, info->name));
        for (size_t i = 0; info->params[i] != NULL; i++)
            assert_non_null(json_object_get(agent, info->params[i]->name));
    }
    assert_int_equal(json_array_size(names), n);
    json_decref(schema);
}

static void schema_knows_every_setting(void **state)
{
    (void)state;
    knows_every_setting("experiment", NULL);
    knows_every_setting("campaign", "agent_name");
}

static void assert_shared(const json_t *a, const json_t *b, const char *what)
{
    assert_non_null(json_object_get(a, what));
    assert_true(json_equal(json_object_get(a, what), json_object_get(b, what)));
}

/* Experts, rewards and names are written alike in all kinds of file. */
static void schemas_agree(void **state)
{
    (void)state;
    json_t *experiment = load("experiment"), *roster = load("roster"), *rewards = load("rewards");
    json_t *here = json_object_get(experiment, "$defs"), *there = json_object_get(roster, "$defs");
    assert_shared(here, there, "names");
    assert_shared(here, there, "probability");
    assert_shared(here, json_object_get(rewards, "$defs"), "names");
    assert_shared(here, json_object_get(rewards, "$defs"), "probability");
    assert_shared(here, json_object_get(rewards, "$defs"), "rewards");
    here = json_object_get(json_object_get(here, "expert"), "properties");
    there = json_object_get(json_object_get(there, "expert"), "properties");
    const char *key;
    json_t *value;
    json_object_foreach(there, key, value) assert_non_null(json_object_get(here, key));
    assert_int_equal(json_object_size(here), json_object_size(there));
    json_decref(experiment);
    json_decref(roster);
    json_decref(rewards);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(schema_knows_every_setting), cmocka_unit_test(schemas_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
