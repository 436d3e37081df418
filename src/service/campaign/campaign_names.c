/*
 * campaign_names.c: from a name to its number, and to its JSON.
 *
 * Paper: none.
 * Check: tests/unit/test_service.c: contexts by name.
 */
#include "service_internal.h"

#include <stdlib.h>
#include <string.h>

static bool quote_all(service_names *self)
{
    self->quoted = calloc(self->table.n, sizeof *self->quoted);
    for (size_t i = 0; self->quoted != NULL && i < self->table.n; i++) {
        common_text text = {0};
        common_put_string(&text, self->table.names[i]);
        self->quoted[i] = text.data;
        if (text.failed)
            return false;
    }
    return self->quoted != NULL;
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
    for (size_t i = 0; self->quoted != NULL && i < self->table.n; i++)
        free(self->quoted[i]);
    free(self->quoted);
    name_table_free(&self->table);
}
