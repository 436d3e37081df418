/*
 * experiment_roster.c: a roster file alone as an experiment without rewards, for what can be said before there are any.
 *
 * Paper: none.
 * Check: tests/cli/detect.t.
 */
#include "experiment_internal.h"

#include "common_text.h"

#include <string.h>

bool experiment_is_roster(const char *path)
{
    json_t *document;
    roster_error err;
    if (common_load_file(&document, path, &err) != ROSTER_OK)
        return false; /* experiment_read says what is wrong with it */
    bool is = json_is_array(json_object_get(document, "experts")) && json_object_get(document, "episodes") == NULL &&
              json_object_get(document, "agents") == NULL;
    json_decref(document);
    return is;
}

int experiment_read_roster(experiment **out, const char *path, roster_error *err)
{
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    experiment_changes none = {0};
    common_text text = {0};
    *out = NULL;
    common_put_text(&text, "{\"name\": \"roster\", \"experts\": ");
    common_put_string(&text, name);
    common_put_text(&text, ", \"episodes\": [{\"rounds\": 1, \"reward_means\": {\"random\": {}}}], "
                           "\"agents\": [{\"agent\": \"uniform\"}], \"runs\": 1}");
    int code = text.failed ? common_fail_memory(err) : experiment_parse(out, text.data, path, &none, err);
    common_text_free(&text);
    return code;
}
