/*
 * warm_start_file.c: a tally, or a log, as rows of a warm start.
 *
 *   a tally   columns count, reward_sum and reward_squares beside those of a log, as `roster tally` writes them
 *   a log     CSV with columns action, reward and, if there are, context, expert, propensity: equal events are one row
 *
 * Other columns are passed over. A log in another form, or with other names, becomes a tally by `roster tally`.
 *
 * Paper: none.
 * Cost: O(1) per line; memory for the rows.
 * Check: tests/unit/test_warm_start.c.
 */
#include "warm_start.h"

#include "csv_reader.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXT, ACTION, EXPERT, PROPENSITY, KEYS, COUNT = KEYS, SUM, SQUARES, REWARD, COLUMNS };

static const char *const names[COLUMNS] = {"context", "action",     "expert",         "propensity",
                                           "count",   "reward_sum", "reward_squares", "reward"};

typedef struct file {
    const char *path;
    roster_error *err;
    csv_record record;
    size_t at[COLUMNS]; /* SIZE_MAX: there is no such column */
    bool tally;
    json_t *seen; /* owned: rows by what they are about */
    json_t *rows; /* owned                              */
} file;

static const char *field(const file *f, int column)
{
    return f->at[column] != SIZE_MAX ? f->record.fields[f->at[column]] : NULL;
}

static int fail_line(const file *f, const char *why)
{
    return common_fail(f->err, ROSTER_EINVAL, "%s:%llu: %s", f->path, (unsigned long long)f->record.line, why);
}

static int read_header(file *f)
{
    for (int c = 0; c < COLUMNS; c++) {
        f->at[c] = SIZE_MAX;
        for (size_t i = 0; i < f->record.n; i++)
            f->at[c] = strcmp(f->record.fields[i], names[c]) == 0 ? i : f->at[c];
    }
    f->tally = f->at[COUNT] != SIZE_MAX && f->at[SUM] != SIZE_MAX && f->at[SQUARES] != SIZE_MAX;
    if (f->at[ACTION] != SIZE_MAX && (f->tally || f->at[REWARD] != SIZE_MAX))
        return ROSTER_OK;
    return common_fail(f->err, ROSTER_EINVAL,
                       "%s has no columns action and reward, nor those of a tally: make one of it first, roster tally "
                       "%s -o TALLY.csv",
                       f->path, f->path);
}

static int read_number(const file *f, int column, double *out)
{
    const char *text = field(f, column);
    char *end, why[160];
    *out = strtod(text, &end);
    if (*text != '\0' && *end == '\0' && isfinite(*out))
        return ROSTER_OK;
    snprintf(why, sizeof why, "%s is \"%.40s\", must be a number", names[column], text);
    return fail_line(f, why);
}

/* Count and sums of the line. */
static int read_sums(const file *f, double sums[3])
{
    int code = ROSTER_OK;
    if (!f->tally) {
        code = read_number(f, REWARD, &sums[1]);
        sums[0] = 1;
        sums[2] = sums[1] * sums[1];
        if (code == ROSTER_OK && !(sums[1] >= 0 && sums[1] <= 1))
            return fail_line(f, "reward must be in [0, 1]");
        return code;
    }
    for (int i = 0; i < 3 && code == ROSTER_OK; i++)
        code = read_number(f, COUNT + i, &sums[i]);
    if (code == ROSTER_OK && !(sums[0] >= 1 && sums[0] <= 0x1p53 && floor(sums[0]) == sums[0]))
        return fail_line(f, "count must be a whole number from 1 on");
    return code;
}

/* What the line is about; the caller frees it. NULL: out of memory. */
static char *key_of(const file *f)
{
    size_t size = 1;
    for (int c = 0; c < KEYS; c++)
        size += field(f, c) != NULL ? strlen(field(f, c)) + 1 : 1;
    char *key = calloc(size, 1);
    for (int c = 0; c < KEYS && key != NULL; c++)
        strcat(strcat(key, field(f, c) != NULL ? field(f, c) : ""), "\x1f");
    return key;
}

/* A row that is about the same. NULL: out of memory. */
static json_t *make_row(const file *f, double propensity)
{
    json_t *row = json_object();
    bool fits = row != NULL;
    for (int c = 0; c < PROPENSITY && fits; c++)
        if (field(f, c) != NULL && (c == ACTION || *field(f, c) != '\0'))
            fits = json_object_set_new(row, names[c], json_string(field(f, c))) == 0;
    if (propensity > 0 && fits)
        fits = json_object_set_new(row, names[PROPENSITY], json_real(propensity)) == 0;
    if (fits)
        return row;
    json_decref(row);
    return NULL;
}

/* Borrowed. NULL: out of memory. */
static json_t *find_row(file *f, double propensity)
{
    char *key = key_of(f);
    json_t *row = key != NULL ? json_object_get(f->seen, key) : NULL;
    if (key != NULL && row == NULL) {
        row = make_row(f, propensity);
        if (json_array_append_new(f->rows, row) != 0 || json_object_set(f->seen, key, row) != 0)
            row = NULL;
    }
    free(key);
    return row;
}

static int take_line(file *f)
{
    double sums[3] = {0}, propensity = 0;
    const char *said = field(f, PROPENSITY);
    int code = read_sums(f, sums);
    if (code == ROSTER_OK && said != NULL && *said != '\0')
        code = read_number(f, PROPENSITY, &propensity);
    if (code != ROSTER_OK)
        return code;
    json_t *row = find_row(f, propensity);
    bool fits = row != NULL;
    for (int i = 0; i < 3 && fits; i++) {
        double all = json_number_value(json_object_get(row, names[COUNT + i])) + sums[i];
        fits = json_object_set_new(row, names[COUNT + i], json_real(all)) == 0;
    }
    if (json_array_size(f->rows) > WARM_START_ROWS_MOST)
        return common_fail(f->err, ROSTER_EINVAL, "%s has more than %d different events: leave propensities out",
                           f->path, WARM_START_ROWS_MOST);
    return fits ? ROSTER_OK : common_fail_memory(f->err);
}

static int read_lines(file *f, csv_reader *reader)
{
    csv_status status;
    size_t width = 0;
    int code = ROSTER_OK;
    while (code == ROSTER_OK && (status = csv_next(reader, &f->record)) != CSV_END) {
        if (status == CSV_FAILED)
            return common_fail(f->err, ROSTER_EINVAL, "%s cannot be read: %s", f->path, strerror(errno));
        if (status == CSV_DAMAGED)
            return fail_line(f, f->record.reason);
        if (width > 0 && f->record.n != width)
            return fail_line(f, "must have as many fields as the header");
        code = width == 0 ? read_header(f) : take_line(f);
        width = f->record.n;
    }
    if (code == ROSTER_OK && json_array_size(f->rows) == 0)
        code = common_fail(f->err, ROSTER_EINVAL, "%s has no events", f->path);
    return code;
}

int warm_start_load(json_t **rows, const char *path, roster_error *err)
{
    file f = {.path = path, .err = err, .seen = json_object(), .rows = json_array()};
    FILE *stream = fopen(path, "rb");
    csv_reader *reader = stream != NULL ? csv_create(stream) : NULL;
    int code = ROSTER_OK;
    *rows = NULL;
    if (stream == NULL)
        code = common_fail(err, ROSTER_EINVAL, "%s cannot be read: %s", path, strerror(errno));
    else if (reader == NULL || f.seen == NULL || f.rows == NULL)
        code = common_fail_memory(err);
    if (code == ROSTER_OK)
        code = read_lines(&f, reader);
    csv_free(reader);
    if (stream != NULL)
        fclose(stream);
    json_decref(f.seen);
    if (code == ROSTER_OK)
        *rows = f.rows;
    else
        json_decref(f.rows);
    return code;
}
