/*
 * keys.c: a key that nobody knows is a mistake, and most likely a slip of the finger.
 *
 *   d(i, j) = edits that turn the first i letters of one word into the first j of the other:
 *             min of d(i-1, j) + 1, d(i, j-1) + 1, d(i-1, j-1) + (letters differ), and d(i-2, j-2) + 1 for two swapped
 *
 * Cost: letters of the one x letters of the other, for words of up to 40 letters.
 * Check: 'rewrds' is one edit from 'rewards', and 'colour' is near nothing
 *        (tests/unit/test_experiment_refused.c: keys_refused).
 */
#include "inside.h"

#include <string.h>

enum { LETTERS = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t edits(const char *a, const char *b)
{
    size_t d[LETTERS + 1][LETTERS + 1], n = strlen(a), m = strlen(b);
    if (n > LETTERS || m > LETTERS)
        return SIZE_MAX;
    for (size_t i = 0; i <= n; i++)
        for (size_t j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[n][m];
}

/* More than half of the letters wrong is another word. */
const char *experiment_nearest(const char *word, const char *const *known)
{
    const char *nearest = NULL;
    size_t fewest = (strlen(word) + 1) / 2 + 1;
    for (size_t i = 0; known[i] != NULL; i++) {
        size_t n = edits(word, known[i]);
        nearest = n < fewest ? known[i] : nearest;
        fewest = least(n, fewest);
    }
    return nearest;
}

static bool is_known(const char *key, const char *const *known)
{
    for (size_t i = 0; known[i] != NULL; i++)
        if (strcmp(key, known[i]) == 0)
            return true;
    return false;
}

int experiment_keys(const experiment_node *object, const char *const *known, roster_error *err)
{
    const char *key;
    json_t *value;
    json_object_foreach(object->json, key, value)
    {
        if (is_known(key, known))
            continue;
        const char *nearest = experiment_nearest(key, known);
        return experiment_fail_key(object, key, nearest, err);
    }
    return ROSTER_OK;
}
