/*
 * report_emit.c: members that results.json and the page's data share.
 *
 * Paper: none.
 * Check: Python's json reads back what was written (tests/unit/test_report.c writes it, tools/check-report reads it).
 */
#include "report_internal.h"

void report_emit_summary(common_json *self, const roster_moments *moments, uint64_t runs)
{
    report_summary s = report_summarize(moments, runs);
    common_json_number(self, "mean", s.mean);
    common_json_number(self, "sd", s.sd);
    common_json_number(self, "low", s.mean - s.half);
    common_json_number(self, "high", s.mean + s.half);
}
