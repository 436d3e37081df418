/*
 * fuzz_csv.c: whatever a file holds, the CSV reader gives records and damaged lines, in order, until it has used up
 * all.
 *
 * For every input: lines only go forward, every damaged one has its reason, all bytes are used up, and the fields of a
 * record, written again with all of them quoted, read as the same fields.
 */
#include "csv_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 1 << 16 };

/* All fields quoted, into text; returns its length. */
static size_t write_again(const csv_record *r, char *text)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++) {
        if (i > 0)
            text[n++] = ',';
        text[n++] = '"';
        for (const char *c = r->fields[i]; *c != '\0'; c++) {
            if (*c == '"')
                text[n++] = '"';
            text[n++] = *c;
        }
        text[n++] = '"';
    }
    return n;
}

static void check_again(const csv_record *r)
{
    size_t most = 2;
    for (size_t i = 0; i < r->n; i++)
        most += 3 + 2 * strlen(r->fields[i]);
    char *text = malloc(most);
    if (text == NULL)
        return;
    size_t n = write_again(r, text);
    FILE *stream = n <= CSV_LONGEST ? fmemopen(text, n, "r") : NULL;
    csv_reader *reader = stream != NULL ? csv_create(stream) : NULL;
    csv_record again;
    if (reader != NULL && (csv_next(reader, &again) != CSV_RECORD || again.n != r->n))
        abort();
    for (size_t i = 0; reader != NULL && i < r->n; i++)
        if (strcmp(again.fields[i], r->fields[i]) != 0)
            abort();
    csv_free(reader);
    if (stream != NULL)
        fclose(stream);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0 || size > MOST)
        return 0;
    FILE *stream = fmemopen((void *)(uintptr_t)data, size, "r");
    csv_reader *reader = stream != NULL ? csv_create(stream) : NULL;
    csv_record r;
    uint64_t line = 0;
    for (csv_status status; reader != NULL && (status = csv_next(reader, &r)) != CSV_END;) {
        if (status == CSV_FAILED || r.line <= line || (status == CSV_DAMAGED) != (r.reason != NULL))
            abort();
        line = r.line;
        if (status == CSV_RECORD)
            check_again(&r);
    }
    if (reader != NULL && csv_bytes(reader) != size)
        abort();
    csv_free(reader);
    if (stream != NULL)
        fclose(stream);
    return 0;
}
