/*
 * server_erase.h: erasing one event's id and features, from the request to the rows.
 */
#ifndef ROSTER_SERVER_ERASE_H
#define ROSTER_SERVER_ERASE_H

#include "http_internal.h"

void server_post_erase(server *self, server_request *q);
/* When the log was opened: goes on with one that was interrupted. */
void server_erase_resume(server *self);
/* At every tick. */
void server_erase_go_on(server *self);
/* After a snapshot of the state after that record. */
void server_erase_snapshot(server *self, uint64_t snapshot);
/* What an erasure waits for failed, or the server stops: nobody is kept waiting for it. */
void server_erase_failed(server *self, service_code code, const char *why);
/* Whether no rows are being erased, nor will be by a record that is in the log: it must not be dropped before. */
bool server_erase_is_idle(const server *self);
/* At the end, when no job runs any more. */
void server_erase_end(server *self);

#endif
