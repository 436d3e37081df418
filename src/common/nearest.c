/*
 * nearest.c: the known word that a wrong one was probably meant to be.
 *
 *   d(i, j)  edits that turn the first i letters of one word into the first j of the other; an edit inserts, deletes or
 *            replaces a letter, or swaps two neighbours (optimal string alignment)
 *
 * A word is near if d <= 1 + (letters of the wrong word) / 3. Of equally near ones the first tried wins.
 *
 * Paper: none. Cost: the product of the words' lengths; words of more than 63 letters are near to none.
 * Check: "rnu" is one edit from "run", three from "man" (tests/cli/frame.t).
 */
#include "nearest.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Capital or small is no difference: D-UCB is d-ucb. */
static bool differ(char a, char b)
{
    return tolower((unsigned char)a) != tolower((unsigned char)b);
}

/* Row i of d from the two rows above it. */
static void fill_row(size_t i, const char *a, const char *b, const size_t *above2, const size_t *above, size_t *row)
{
    row[0] = i;
    for (size_t j = 1; j <= strlen(b); j++) {
        row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + (differ(a[i - 1], b[j - 1])));
        if (i > 1 && j > 1 && !differ(a[i - 1], b[j - 2]) && !differ(a[i - 2], b[j - 1]))
            row[j] = least(row[j], above2[j - 2] + 1);
    }
}

static size_t edits(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= strlen(b); j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= strlen(a); i++)
        fill_row(i, a, b, rows[(i + 1) % 3], rows[(i + 2) % 3], rows[i % 3]);
    return rows[strlen(a) % 3][strlen(b)];
}

void common_nearest_try(common_nearest *self, const char *known)
{
    if (strlen(self->word) > LONGEST || strlen(known) > LONGEST)
        return;
    size_t distance = edits(self->word, known);
    if (distance > 1 + strlen(self->word) / 3 || (self->best != NULL && distance >= self->distance))
        return;
    self->best = known;
    self->distance = distance;
}

const char *common_nearest_of(const char *word, const char *const *known)
{
    common_nearest nearest = {word, NULL, 0};
    for (; *known != NULL; known++)
        common_nearest_try(&nearest, *known);
    return nearest.best;
}
