/*
 * log_sql.c: the tally of a log as a query, so that the database which holds the log makes it.
 *
 * Names are quoted as the engine has it; several columns of a context become one label, joined by commas, as in
 * log_fields.c. Events whose reward is NULL are left out: sums pass over them, but counts would not.
 *
 * Paper: none.
 * Check: tests/cli/tally.t, tools/check-tally.
 */
#include "log_tally.h"

#include <string.h>

const char *const log_sql_engines[] = {"postgresql", "duckdb", "spark", "clickhouse", NULL};

static const struct {
    char quote;
    const char *as_text, *as_number; /* a function or cast around the column */
    bool function;
} engines[] = {
    {'"', "text", "double precision", false},
    {'"', "VARCHAR", "DOUBLE", false},
    {'`', "STRING", "DOUBLE", false},
    {'`', "toString", "toFloat64", true},
};

/* A name in quotes; a quote inside is doubled. */
static void put_name(const log_sql *self, const char *name, size_t size, FILE *out)
{
    char quote = engines[self->engine].quote;
    fputc(quote, out);
    for (size_t i = 0; i < size; i++) {
        if (name[i] == quote)
            fputc(quote, out);
        fputc(name[i], out);
    }
    fputc(quote, out);
}

/* schema.table */
static void put_table(const log_sql *self, FILE *out)
{
    for (const char *at = self->table;;) {
        size_t size = strcspn(at, ".");
        put_name(self, at, size, out);
        if (at[size] == '\0')
            return;
        fputc('.', out);
        at += size + 1;
    }
}

static void put_cast(const log_sql *self, const char *column, const char *type, FILE *out)
{
    fputs(engines[self->engine].function ? type : "CAST", out);
    fputc('(', out);
    put_name(self, column, strlen(column), out);
    if (!engines[self->engine].function)
        fprintf(out, " AS %s", type);
    fputc(')', out);
}

/* The expression of the context, joined by commas; CONCAT would pass over a column that is NULL in some engines. */
static void put_context(const log_sql *self, FILE *out)
{
    const log_wishes *w = self->columns;
    for (size_t i = 0; i < w->n_contexts; i++) {
        fputs(i > 0 ? " || ',' || " : "", out);
        put_cast(self, w->contexts[i], engines[self->engine].as_text, out);
    }
}

/* The columns that are grouped by; returns how many. */
static int put_keys(const log_sql *self, bool named, FILE *out)
{
    static const log_role keys[] = {LOG_ACTION, LOG_EXPERT, LOG_PROPENSITY, LOG_DROP};
    const log_wishes *w = self->columns;
    int n = 0;
    if (w->n_contexts > 0) {
        fputs(named ? "  " : "", out);
        put_context(self, out);
        fputs(named ? " AS context" : "", out);
        n++;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (w->columns[keys[i]] == NULL)
            continue;
        fputs(n++ == 0 ? (named ? "  " : "") : named ? ",\n  " : ", ", out);
        if (keys[i] == LOG_PROPENSITY || keys[i] == LOG_DROP)
            put_cast(self, w->columns[keys[i]], engines[self->engine].as_number, out);
        else
            put_cast(self, w->columns[keys[i]], engines[self->engine].as_text, out);
        if (named)
            fprintf(out, " AS %s", strcmp(log_role_names[keys[i]], "drop") == 0 ? "pdrop" : log_role_names[keys[i]]);
    }
    return n;
}

void log_sql_write(const log_sql *self, FILE *out)
{
    const char *number = engines[self->engine].as_number;
    bool is_cost = self->columns->columns[LOG_REWARD] == NULL;
    const char *reward = self->columns->columns[is_cost ? LOG_COST : LOG_REWARD];
    fputs("SELECT\n", out);
    put_keys(self, true, out);
    fputs(",\n  COUNT(*) AS count,\n", out);
    fprintf(out, "  SUM(%s", is_cost ? "-" : "");
    put_cast(self, reward, number, out);
    fputs(") AS reward_sum,\n  SUM(", out);
    put_cast(self, reward, number, out);
    fputs(" * ", out);
    put_cast(self, reward, number, out);
    fputs(") AS reward_squares\nFROM ", out);
    put_table(self, out);
    fputs("\nWHERE ", out);
    put_cast(self, reward, number, out);
    fprintf(out, " IS NOT NULL /* events without a %s are left out */\nGROUP BY ", is_cost ? "cost" : "reward");
    put_keys(self, false, out);
    fputs(";\n", out);
}
