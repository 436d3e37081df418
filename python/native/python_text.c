/*
 * python_text.c: a study's results and its explanation as texts, the same as the program writes.
 *
 * Paper: none.
 */
#include "explain.h"
#include "report.h"
#include "python_study.h"

#include <stdlib.h>

char *roster_python_concluded(int code, FILE *out, char **text)
{
    bool bad = out != NULL && ferror(out) != 0;
    if (out != NULL && (fclose(out) != 0 || bad) && code == ROSTER_OK)
        code = roster_python_fail(ROSTER_ENOMEM, "out of memory");
    if (code == ROSTER_OK)
        return *text;
    free(*text);
    return NULL;
}

char *roster_python_study_explain(const roster_python_study *self, size_t i, uint64_t runs, size_t threads)
{
    char *text = NULL;
    size_t size;
    explanation found;
    explain_wishes wishes = {.runs = runs, .threads = threads};
    if (i >= self->file->n_cases) {
        roster_python_fail(ROSTER_EINVAL, "case is %zu, but there %s %zu", i, self->file->n_cases == 1 ? "is" : "are",
                           self->file->n_cases);
        return NULL;
    }
    int code = explain_find(&found, self->file, &self->file->cases[i], &wishes, roster_python_error());
    FILE *out = code == ROSTER_OK ? open_memstream(&text, &size) : NULL;
    if (code == ROSTER_OK && out == NULL)
        code = roster_python_fail(ROSTER_ENOMEM, "out of memory");
    if (code == ROSTER_OK)
        explain_json(&found, out);
    explain_free(&found);
    return roster_python_concluded(code, out, &text);
}

double roster_python_t95(uint64_t runs)
{
    return report_t95(runs);
}

static int check_results(const roster_python_study *self, bool *stopped)
{
    uint64_t runs = 0;
    for (size_t i = 0; i < self->file->n_cases; i++) {
        if (self->results[i] == NULL)
            return roster_python_fail(ROSTER_EINVAL, "the study was not run yet");
        runs += self->results[i]->runs;
    }
    *stopped = runs < self->file->runs * self->file->n_cases;
    return ROSTER_OK;
}

char *roster_python_study_text(const roster_python_study *self, int form, const char *command)
{
    int (*const forms[])(const report *, FILE *, roster_error *) = {report_json, report_csv, report_html, report_table};
    char *text = NULL;
    size_t size;
    report r = {.experiment = self->file, .results = self->results, .command = command, .shards = 1};
    int code = check_results(self, &r.stopped);
    if (code == ROSTER_OK && (form < 0 || form > ROSTER_PYTHON_TABLE))
        code = roster_python_fail(ROSTER_EINVAL, "form is %d, must be one of four", form);
    FILE *out = code == ROSTER_OK ? open_memstream(&text, &size) : NULL;
    if (code == ROSTER_OK && out == NULL)
        code = roster_python_fail(ROSTER_ENOMEM, "out of memory");
    if (code == ROSTER_OK)
        code = forms[form](&r, out, roster_python_error());
    return roster_python_concluded(code, out, &text);
}
