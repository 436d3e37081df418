/*
 * store.c: memory that is freed with the experiment it belongs to.
 *
 * An experiment is built from many small pieces that live and die together, so each is a block in one chain.
 *
 * Cost: one allocation and 16 bytes per piece.
 * Check: reading under valgrind leaks nothing (tests/unit/test_experiment_alloc.c).
 */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

typedef struct experiment_block {
    struct experiment_block *before;
    max_align_t bytes[];
} experiment_block;

void *experiment_store_take(experiment_store *self, size_t count, size_t size)
{
    if (size > 0 && count > (SIZE_MAX - sizeof(experiment_block)) / size)
        return NULL;
    experiment_block *block = calloc(1, sizeof *block + count * size);
    if (block == NULL)
        return NULL;
    block->before = self->last;
    self->last = block;
    return block->bytes;
}

const char *experiment_store_text(experiment_store *self, const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = experiment_store_take(self, size, 1);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

void experiment_store_free(experiment_store *self)
{
    while (self->last != NULL) {
        experiment_block *before = self->last->before;
        free(self->last);
        self->last = before;
    }
}
