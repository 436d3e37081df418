/*
 * roster_tables.h: the experts of a roster file, or those in memory, and the names that belong to them.
 */
#ifndef ROSTER_ROSTER_TABLES_H
#define ROSTER_ROSTER_TABLES_H

#include <jansson.h>
#include <roster.h>

typedef struct roster_tables {
    const roster_experts *experts;
    const char *const *contexts, *const *actions; /* borrowed names; NULL: those of the document, else numbered   */
    json_t *json;                                 /* owned: the document, which its names point into; NULL: none */
    roster_experts *owned;                        /* the experts of a document                                   */
} roster_tables;

/* Reads {"contexts": .., "actions": .., "experts": [{"name", "table"}]}; the sentence on failure names the place. */
int roster_tables_read(roster_tables *self, const char *path, roster_error *err);
void roster_tables_free(roster_tables *self);
/* Names; of numbered ones into `text` of `size` bytes. */
const char *roster_tables_context(const roster_tables *self, size_t x, char *text, size_t size);
const char *roster_tables_action(const roster_tables *self, size_t v, char *text, size_t size);

#endif
