/*
 * write.c: the three files of a report: all of them, or none.
 */
#include "cli.h"
#include "report.h"

#include <stdio.h>

static int write_one(cli_file *file, const char *folder, const char *name, const report *r,
                     int (*fill)(const report *, FILE *, roster_error *), roster_error *err)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int code = cli_file_open(file, path, err);
    return code == ROSTER_OK ? fill(r, file->stream, err) : code;
}

int cli_write_reports(const report *r, const char *folder, roster_error *err)
{
    const struct {
        const char *name;
        int (*fill)(const report *, FILE *, roster_error *);
    } parts[] = {{"results.json", report_json}, {"curves.csv", report_csv}, {"report.html", report_html}};
    cli_file files[3] = {{.stream = NULL}, {.stream = NULL}, {.stream = NULL}};
    int code = ROSTER_OK;
    for (size_t i = 0; i < 3 && code == ROSTER_OK; i++)
        code = write_one(&files[i], folder, parts[i].name, r, parts[i].fill, err);
    for (size_t i = 0; i < 3; i++) {
        if (code == ROSTER_OK)
            code = cli_file_commit(&files[i], err);
        else
            cli_file_abandon(&files[i]);
    }
    return code;
}
