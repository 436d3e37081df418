/*
 * report_files.h: the three files of a report.
 */
#ifndef ROSTER_CLI_REPORT_FILES_H
#define ROSTER_CLI_REPORT_FILES_H

#include "report.h"

/* results.json, curves.csv and report.html into a folder: all of them, or none. */
int cli_write_reports(const report *r, const char *folder, roster_error *err);

#endif
