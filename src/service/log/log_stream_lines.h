/*
 * log_stream_lines.h: records as JSON lines, and the parts of these that DSJSON has too.
 */
#ifndef ROSTER_SERVICE_LOG_STREAM_LINES_H
#define ROSTER_SERVICE_LOG_STREAM_LINES_H

#include "service_internal.h"

/* One object, on a line; c NULL: the record is of no campaign. */
void service_line(common_text *out, const service_campaign *c, const service_record *r);
/* Its event_id; null where it was erased. */
void service_line_id(common_text *out, const service_record *r);
void service_line_numbers(common_text *out, const double *x, size_t n);
void service_line_name(common_text *out, const service_names *names, size_t i);
/* The action of a record that may name it itself. */
void service_line_action(common_text *out, const service_campaign *c, const service_record *r);

#endif
