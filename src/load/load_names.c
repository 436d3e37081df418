/*
 * load_names.c: from the names that the service answers with to numbers.
 *
 * Paper: none.
 * Cost: O(log n).
 */
#include "load_internal.h"

#include <stdlib.h>
#include <string.h>

bool load_names_init(load_names *self, size_t n)
{
    self->n = n;
    self->list = calloc(n + 1, sizeof *self->list);
    return self->list != NULL;
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct load_named *)a)->name, ((const struct load_named *)b)->name);
}

void load_names_sort(load_names *self)
{
    qsort(self->list, self->n, sizeof *self->list, compare);
}

size_t load_names_find(const load_names *self, const char *name)
{
    struct load_named wanted = {name, 0};
    const struct load_named *found =
        name != NULL ? bsearch(&wanted, self->list, self->n, sizeof *self->list, compare) : NULL;
    return found != NULL ? found->number : self->n;
}
