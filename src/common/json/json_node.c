/*
 * json_node.c: JSON values that know their place, and the sentences about what is wrong there.
 *
 * A node is a value and a pointer to the node it was found in, so that the place costs nothing until a sentence needs
 * it: "toy.json: episodes[0].reward_means[1][2] is 1.5, must be in [0, 1]".
 *
 * Check: every sentence in tests/unit/test_experiment_refused.c.
 */
#include "json_node.h"

#include <stdio.h>
#include <string.h>

enum { PLACE = 200, WORDS = 400, FILE_SHOWN = 160 };

common_node common_root(const char *path, json_t *json)
{
    return (common_node){.key = path, .json = json};
}

common_node common_key(const common_node *object, const char *key)
{
    return (common_node){.up = object, .key = key, .json = json_object_get(object->json, key)};
}

common_node common_item(const common_node *list, size_t index)
{
    return (common_node){.up = list, .index = index, .json = json_array_get(list->json, index)};
}

static const char *file_of(const common_node *at)
{
    while (at->up != NULL)
        at = at->up;
    return at->key;
}

/* "episodes[0].rounds"; "" for the whole document. Returns the length. */
static size_t write_place(const common_node *at, char *place, size_t size)
{
    if (at->up == NULL)
        return 0;
    size_t used = write_place(at->up, place, size);
    if (used >= size)
        return used;
    int more = at->key == NULL ? snprintf(place + used, size - used, "[%zu]", at->index)
                               : snprintf(place + used, size - used, "%s%.40s", used > 0 ? "." : "", at->key);
    return used + (size_t)more;
}

/* "FILE: PLACE<between>WORDS"; of a file with a long name the end. */
static int say_at(const common_node *at, const char *between, const char *words, roster_error *err)
{
    char place[PLACE] = "";
    const char *file = file_of(at);
    size_t length = strlen(file);
    const char *cut = length > FILE_SHOWN ? "..." : "";
    file += length > FILE_SHOWN ? length - FILE_SHOWN : 0;
    write_place(at, place, sizeof place);
    return common_fail(err, ROSTER_EINVAL, "%s%s: %s%s%s", cut, file, place, place[0] != '\0' ? between : "", words);
}

int common_fail_at(const common_node *at, roster_error *err, const char *format, ...)
{
    char words[WORDS];
    va_list args;
    va_start(args, format);
    common_vformat(words, sizeof words, format, args);
    va_end(args);
    return at->up != NULL ? say_at(at, " ", words, err) : common_fail_file(at, err, "the document %s", words);
}

int common_fail_file(const common_node *at, roster_error *err, const char *format, ...)
{
    char words[WORDS];
    va_list args;
    va_start(args, format);
    common_vformat(words, sizeof words, format, args);
    va_end(args);
    common_node root = common_root(file_of(at), NULL);
    return say_at(&root, "", words, err);
}

int common_fail_inside(const common_node *at, const char *between, const roster_error *from, roster_error *err)
{
    return from->code == ROSTER_ENOMEM ? common_fail_memory(err) : say_at(at, between, from->msg, err);
}

int common_fail_missing(const common_node *at, roster_error *err)
{
    char place[PLACE] = "";
    write_place(at->up, place, sizeof place);
    return common_fail_file(at, err, "'%s' is missing%s%s", at->key, place[0] != '\0' ? " in " : "", place);
}

int common_fail_key(const common_node *object, const char *key, const char *nearest, roster_error *err)
{
    char place[PLACE] = "", meant[64] = "";
    write_place(object, place, sizeof place);
    if (nearest != NULL)
        snprintf(meant, sizeof meant, "; did you mean '%s'?", nearest);
    return common_fail_file(object, err, "unknown key '%.40s'%s%s%s", key, place[0] != '\0' ? " in " : "", place,
                            meant);
}
