/*
 * campaign_names.c: from a name to its number, and to its JSON.
 *
 * Paper: none.
 * Cost: one hash and as a rule one comparison per look-up.
 * Check: tests/unit/test_service.c: contexts by name.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

uint64_t service_names_hash(const char *name, size_t size)
{
    return store_hash(0, name, size);
}

static size_t probe(const service_names *self, const char *name, size_t size)
{
    size_t i = (size_t)service_names_hash(name, size) & (self->slots - 1);
    while (self->index[i] != 0) {
        const char *other = self->names[self->index[i] - 1];
        if (strncmp(other, name, size) == 0 && other[size] == '\0')
            break;
        i = (i + 1) & (self->slots - 1);
    }
    return i;
}

/* All in one block: a hundred thousand of them are one allocation. */
static bool quote_all(service_names *self)
{
    common_text text = {0};
    for (size_t i = 0; i < self->n; i++) {
        common_put_string(&text, self->names[i]);
        common_put(&text, "", 1);
    }
    self->quoted = text.failed ? NULL : calloc(self->n + 1, sizeof *self->quoted);
    char *fitting = self->quoted != NULL ? realloc(text.data, text.used + 1) : NULL;
    if (fitting == NULL) {
        common_text_free(&text);
        return false;
    }
    self->block = fitting;
    self->bytes = text.used + (self->n + 1) * sizeof *self->quoted;
    for (size_t i = 0; i < self->n; i++, fitting += strlen(fitting) + 1)
        self->quoted[i] = fitting;
    return true;
}

bool service_names_make(service_names *self, const char *const *names, size_t n, bool quoted)
{
    *self = (service_names){.names = names, .n = n, .slots = 4};
    while (self->slots < 2 * n)
        self->slots *= 2;
    self->index = calloc(self->slots, sizeof *self->index);
    if (self->index == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        self->index[probe(self, names[i], strlen(names[i]))] = (uint32_t)i + 1;
    return !quoted || quote_all(self);
}

void service_names_free(service_names *self)
{
    free(self->block);
    free(self->quoted);
    free(self->index);
    *self = (service_names){0};
}

void service_names_close(service_names *self)
{
    free(self->index);
    self->index = NULL;
    self->names = NULL;
}

size_t service_names_find(const service_names *self, const char *name, size_t size)
{
    if (self->index == NULL || memchr(name, '\0', size) != NULL)
        return SIZE_MAX;
    uint32_t found = self->index[probe(self, name, size)];
    return found != 0 ? found - 1 : SIZE_MAX;
}
