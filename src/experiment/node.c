/*
 * node.c: JSON values that know their place, and the sentences about what is wrong there.
 *
 * A node is a value and a pointer to the node it was found in, so that the place costs nothing until a sentence needs
 * it: "toy.json: episodes[0].reward_means[1][2] is 1.5, must be in [0, 1]".
 *
 * Check: every sentence in tests/unit/test_experiment_refused.c.
 */
#include "inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PLACE = 200, WORDS = 400, FILE_SHOWN = 160 };

experiment_node experiment_root(const char *path, json_t *json)
{
    return (experiment_node){.key = path, .json = json};
}

experiment_node experiment_key(const experiment_node *object, const char *key)
{
    return (experiment_node){.up = object, .key = key, .json = json_object_get(object->json, key)};
}

experiment_node experiment_item(const experiment_node *list, size_t index)
{
    return (experiment_node){.up = list, .index = index, .json = json_array_get(list->json, index)};
}

static const char *file_of(const experiment_node *at)
{
    while (at->up != NULL)
        at = at->up;
    return at->key;
}

/* "episodes[0].rounds"; "" for the whole document. Returns the length. */
static size_t write_place(const experiment_node *at, char *place, size_t size)
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

/* What came from a file is shown on a terminal: no control characters. */
static void clean(char *text)
{
    for (; *text != '\0'; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

static int say(roster_error *err, int code, const char *text)
{
    if (err != NULL) {
        err->code = code;
        snprintf(err->msg, sizeof err->msg, "%s", text);
        clean(err->msg);
    }
    return code;
}

/* "FILE: PLACE<between>WORDS"; of a file with a long name the end. */
static int say_at(const experiment_node *at, const char *between, const char *words, roster_error *err)
{
    char place[PLACE] = "", text[sizeof err->msg];
    const char *file = file_of(at);
    size_t length = strlen(file);
    const char *cut = length > FILE_SHOWN ? "..." : "";
    file += length > FILE_SHOWN ? length - FILE_SHOWN : 0;
    write_place(at, place, sizeof place);
    snprintf(text, sizeof text, "%s%s: %s%s%s", cut, file, place, place[0] != '\0' ? between : "", words);
    return say(err, ROSTER_EINVAL, text);
}

int experiment_fail(const experiment_node *at, roster_error *err, const char *format, ...)
{
    char words[WORDS];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    return at->up != NULL ? say_at(at, " ", words, err) : experiment_fail_file(at, err, "the document %s", words);
}

int experiment_fail_file(const experiment_node *at, roster_error *err, const char *format, ...)
{
    char words[WORDS];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    experiment_node root = experiment_root(file_of(at), NULL);
    return say_at(&root, "", words, err);
}

int experiment_fail_inside(const experiment_node *at, const char *between, const roster_error *from, roster_error *err)
{
    return from->code == ROSTER_ENOMEM ? experiment_fail_memory(err) : say_at(at, between, from->msg, err);
}

int experiment_fail_missing(const experiment_node *at, roster_error *err)
{
    char place[PLACE] = "";
    write_place(at->up, place, sizeof place);
    return experiment_fail_file(at, err, "'%s' is missing%s%s", at->key, place[0] != '\0' ? " in " : "", place);
}

int experiment_fail_key(const experiment_node *object, const char *key, const char *nearest, roster_error *err)
{
    char place[PLACE] = "", meant[64] = "";
    write_place(object, place, sizeof place);
    if (nearest != NULL)
        snprintf(meant, sizeof meant, "; did you mean '%s'?", nearest);
    return experiment_fail_file(object, err, "unknown key '%.40s'%s%s%s", key, place[0] != '\0' ? " in " : "", place,
                                meant);
}

int experiment_fail_memory(roster_error *err)
{
    return say(err, ROSTER_ENOMEM, "out of memory");
}

int experiment_fail_plain(roster_error *err, const char *format, ...)
{
    char text[sizeof err->msg];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return say(err, ROSTER_EINVAL, text);
}
