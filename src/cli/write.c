/*
 * write.c: the three files of a report: all of them, or none.
 */
#include "cli.h"
#include "report.h"

int cli_write_reports(const report *r, const char *folder, roster_error *err)
{
    static const char *const names[] = {"results.json", "curves.csv", "report.html"};
    int (*const fill[])(const report *, FILE *, roster_error *) = {report_json, report_csv, report_html};
    cli_folder files;
    int code = cli_folder_open(&files, folder, names, 3, err);
    if (code != ROSTER_OK)
        return code;
    for (size_t i = 0; i < 3 && code == ROSTER_OK; i++)
        code = fill[i](r, files.files[i].stream, err);
    if (code == ROSTER_OK)
        return cli_folder_commit(&files, err);
    cli_folder_abandon(&files);
    return code;
}
