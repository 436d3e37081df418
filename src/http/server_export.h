/*
 * server_export.h: files of records that are about to be dropped.
 */
#ifndef ROSTER_SERVER_EXPORT_H
#define ROSTER_SERVER_EXPORT_H

#include <roster.h>

enum { SERVER_EXPORT_PATH = 4200 }; /* room for a path */

void server_export_path(char *out, size_t size, const char *folder, uint64_t first, uint64_t last);
/* Removes what exports from that record on left half written. */
void server_export_clean(const char *folder, uint64_t first);
/* The same, and files that an export up to `last`, which is there, contains. Reads them. */
int server_export_replace(const char *folder, uint64_t first, uint64_t last, roster_error *err);

#endif
