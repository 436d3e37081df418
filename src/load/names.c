/*
 * names.c: from the names that the service answers with to numbers.
 *
 * Paper: none.
 * Cost: O(log n).
 */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

bool drive_names_init(drive_names *self, size_t n)
{
    self->n = n;
    self->list = calloc(n + 1, sizeof *self->list);
    return self->list != NULL;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct drive_named *)a)->name, ((const struct drive_named *)b)->name);
}

void drive_names_sort(drive_names *self)
{
    qsort(self->list, self->n, sizeof *self->list, compare);
}

size_t drive_names_find(const drive_names *self, const char *name)
{
    struct drive_named wanted = {name, 0};
    const struct drive_named *found =
        name != NULL ? bsearch(&wanted, self->list, self->n, sizeof *self->list, compare) : NULL;
    return found != NULL ? found->number : self->n;
}
