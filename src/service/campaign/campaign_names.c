/*
 * campaign_names.c: from a name to its number, and to its JSON.
 *
 * Paper: none.
 * Check: tests/unit/test_service.c: contexts by name.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

/* All in one block: a hundred thousand of them are one allocation. */
static bool quote_all(service_names *self)
{
    size_t n = self->table.n;
    common_text text = {0};
    for (size_t i = 0; i < n; i++) {
        common_put_string(&text, self->table.names[i]);
        common_put(&text, "", 1);
    }
    self->quoted = text.failed ? NULL : calloc(n + 1, sizeof *self->quoted);
    char *fitting = self->quoted != NULL ? realloc(text.data, text.used + 1) : NULL;
    if (fitting == NULL) {
        common_text_free(&text);
        return false;
    }
    self->block = fitting;
    self->bytes = text.used + (n + 1) * sizeof *self->quoted;
    for (size_t i = 0; i < n; i++, fitting += strlen(fitting) + 1)
        self->quoted[i] = fitting;
    return true;
}

bool service_names_make(service_names *self, const char *const *names, size_t n, bool quoted)
{
    *self = (service_names){0};
    bool fits = name_table_reserve(&self->table, n);
    for (size_t i = 0; fits && i < n; i++)
        fits = name_table_add(&self->table, names[i]);
    return fits && (!quoted || quote_all(self));
}

void service_names_free(service_names *self)
{
    free(self->block);
    free(self->quoted);
    name_table_free(&self->table);
    *self = (service_names){0};
}

void service_names_close(service_names *self)
{
    name_table_free(&self->table);
}
