/*
 * report_files.c: the three files of a report: all of them, or none.
 */
#include "report_files.h"

#include "output_file.h"

int cli_write_reports(const report *r, const char *folder, roster_error *err)
{
    static const char *const names[] = {"results.json", "curves.csv", "report.html"};
    int (*const fill[])(const report *, FILE *, roster_error *) = {report_json, report_csv, report_html};
    output_folder files;
    int code = output_folder_open(&files, folder, names, 3, err);
    if (code != ROSTER_OK)
        return code;
    for (size_t i = 0; i < 3 && code == ROSTER_OK; i++)
        code = fill[i](r, files.files[i].stream, err);
    if (code == ROSTER_OK)
        return output_folder_commit(&files, err);
    output_folder_abandon(&files);
    return code;
}
