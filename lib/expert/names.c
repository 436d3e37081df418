/*
 * names.c: n names in one block, so that a hundred thousand experts cost two allocations.
 *
 * Paper: none.
 *
 * Check: the third default name is "expert 3" (tests/unit/test_experts.c: names_default_and_given).
 */
#include "expert.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_NAME_SIZE = sizeof "expert 18446744073709551615" };

static int measure(size_t n, const char *const *names, size_t *total, roster_error *err)
{
    *total = 0;
    if (names == NULL)
        *total = roster_times(n, DEFAULT_NAME_SIZE);
    for (size_t k = 0; names != NULL && k < n; k++) {
        if (names[k] == NULL || names[k][0] == '\0')
            return roster_fail(err, ROSTER_EINVAL, "names[%zu] is empty, must name the expert", k);
        *total = roster_plus(*total, strlen(names[k]) + 1);
    }
    return ROSTER_OK;
}

int roster_names_init(roster_names *self, size_t n, const char *const *names, roster_error *err)
{
    size_t total, at = 0;
    self->text = NULL;
    self->at = NULL;
    int code = measure(n, names, &total, err);
    if (code != ROSTER_OK)
        return code;
    self->text = roster_alloc(total, 1);
    self->at = roster_alloc(n, sizeof *self->at);
    if (self->text == NULL || self->at == NULL) {
        roster_names_fini(self);
        return roster_fail_memory(err);
    }
    for (size_t k = 0; k < n; k++) {
        self->at[k] = at;
        if (names != NULL)
            memcpy(self->text + at, names[k], strlen(names[k]));
        else
            roster_append(self->text + at, DEFAULT_NAME_SIZE, "expert %zu", k + 1);
        at += strlen(self->text + at) + 1;
    }
    return ROSTER_OK;
}

void roster_names_fini(roster_names *self)
{
    free(self->text);
    free(self->at);
    self->text = NULL;
    self->at = NULL;
}
