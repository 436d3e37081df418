/*
 * nearest.h: the known word that a wrong one was probably meant to be.
 */
#ifndef ROSTER_NEAREST_H
#define ROSTER_NEAREST_H

#include <stddef.h>

/* The known word nearest to a wrong one; best is NULL while none is near. Starts as {word, NULL, 0}. */
typedef struct common_nearest {
    const char *word, *best; /* borrowed */
    size_t distance;         /* of best  */
} common_nearest;

void common_nearest_try(common_nearest *self, const char *known);
/* The nearest of a list that ends with NULL; NULL: none is near. */
const char *common_nearest_of(const char *word, const char *const *known);

#endif
