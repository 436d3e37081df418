/*
 * event_scan_rows.c: "probabilities" of decide: what each expert does.
 *
 *   [[..], [..]]                                     a matrix: the probability of every action
 *   [row, ..] | {"old": row, "new": row}             row: [..] | {"a17": 0.4, ..} | {"top": {..}, "tail": 0.1}
 *
 * Paper: none.
 *
 * In a row {"top": .., "tail": ..} the two come in any order; an action may be called "top" or "tail" where its value
 * is a number and "top" is no object.
 *
 * Cost: about 2 ns per byte.
 * Check: tests/unit/test_service_menu.c; tests/fuzz/fuzz_service.c.
 */
#include "service_internal.h"

#include <string.h>

static bool is_named(const char *text, size_t size, const char *word)
{
    return size == strlen(word) && memcmp(text, word, size) == 0;
}

/* A key and its colon. */
static service_code take_key(service_scan *s, const char **text, size_t *size)
{
    service_code code = service_scan_string(s, text, size);
    return code != SERVICE_OK || service_scan_take(s, ':') ? code : service_scan_wrong(s, "':'");
}

/* The number behind an action's name. */
static service_code take_entry(service_scan *s, const char *text, size_t size, service_row *row)
{
    double p;
    service_code code = service_scan_a_number(s, "has", &p);
    if (code == SERVICE_OK)
        code = service_scan_keep_label(s, text, size);
    if (code == SERVICE_OK)
        code = service_scan_keep_number(s, p);
    row->numbers.n++;
    return code;
}

/* The rest of an object, behind its bracket. */
static service_code take_entries(service_scan *s, service_row *row)
{
    service_code code = SERVICE_OK;
    if (service_scan_take(s, '}'))
        return SERVICE_OK;
    do {
        const char *text;
        size_t size;
        code = take_key(s, &text, &size);
        if (code == SERVICE_OK)
            code = take_entry(s, text, size, row);
    } while (code == SERVICE_OK && service_scan_take(s, ','));
    return code != SERVICE_OK || service_scan_take(s, '}') ? code : service_scan_wrong(s, "',' or '}'");
}

static service_code wrong_tail(service_scan *s)
{
    return service_fail(s->err, SERVICE_INVALID,
                        "probabilities has a row with 'top', which may have 'tail', a number, and nothing else");
}

/* The value of "top"; what came before it can only have been the tail. */
static service_code take_top(service_scan *s, service_row *row)
{
    const service_label *before = row->numbers.n == 1 ? &s->labels[s->n_labels - 1] : NULL;
    if (row->numbers.n > 1 || (before != NULL && !is_named(before->text, before->size, "tail")))
        return wrong_tail(s);
    row->tail = 0;
    if (before != NULL) {
        row->tail = s->numbers[--s->n_numbers];
        s->n_labels--;
        row->numbers.n = 0;
    }
    bool had = before != NULL;
    service_scan_take(s, '{');
    service_code code = take_entries(s, row);
    while (code == SERVICE_OK && service_scan_take(s, ',')) {
        const char *text;
        size_t size;
        code = take_key(s, &text, &size);
        if (code == SERVICE_OK && (had || !is_named(text, size, "tail")))
            return wrong_tail(s);
        had = true;
        if (code == SERVICE_OK)
            code = service_scan_a_number(s, "has", &row->tail);
    }
    return code != SERVICE_OK || service_scan_take(s, '}') ? code : service_scan_wrong(s, "',' or '}'");
}

/* An object, behind its bracket. */
static service_code take_object(service_scan *s, service_row *row)
{
    service_code code = SERVICE_OK;
    row->labels = s->n_labels;
    if (service_scan_take(s, '}'))
        return SERVICE_OK;
    do {
        const char *text;
        size_t size;
        code = take_key(s, &text, &size);
        if (code == SERVICE_OK && is_named(text, size, "top") && service_scan_next(s) == '{')
            return take_top(s, row);
        if (code == SERVICE_OK)
            code = take_entry(s, text, size, row);
    } while (code == SERVICE_OK && service_scan_take(s, ','));
    return code != SERVICE_OK || service_scan_take(s, '}') ? code : service_scan_wrong(s, "',' or '}'");
}

static service_code take_row(service_scan *s, service_label name)
{
    service_row row = {.numbers.from = s->n_numbers, .labels = SIZE_MAX, .tail = NAN};
    service_code code = service_scan_take(s, '{') ? take_object(s, &row) : service_scan_list(s, "has", &row.numbers.n);
    if (code != SERVICE_OK)
        return code;
    if (!common_grow(&s->rows, &s->rows_room, s->n_rows + 1, sizeof *s->rows) ||
        !common_grow(&s->row_names, &s->row_names_room, s->n_rows + 1, sizeof *s->row_names))
        return service_no_memory(s->err);
    s->rows[s->n_rows] = row;
    s->row_names[s->n_rows++] = name;
    return SERVICE_OK;
}

/* All rows are lists of numbers, in the order of the experts: a matrix. */
static bool is_matrix(const service_scan *s, const service_item *item)
{
    bool is = !item->pi_named;
    for (size_t i = item->rows.from; i < s->n_rows && is; i++)
        is = s->rows[i].labels == SIZE_MAX;
    return is;
}

static service_code make_matrix(service_scan *s, service_item *item)
{
    const service_row *rows = s->rows + item->rows.from;
    service_request *q = &item->request;
    q->n_actions = rows[0].numbers.n;
    q->n_experts = item->rows.n;
    item->numbers = rows[0].numbers.from;
    for (size_t i = 1; i < item->rows.n; i++)
        if (rows[i].numbers.n != q->n_actions)
            return service_fail(s->err, SERVICE_NOT_DISTRIBUTION,
                                "probabilities[%zu] has %zu numbers, the row before %zu", i, rows[i].numbers.n,
                                rows[i - 1].numbers.n);
    return SERVICE_OK;
}

service_code service_scan_rows(service_scan *s, service_item *item)
{
    bool named = item->pi_named = service_scan_next(s) == '{';
    service_code code = SERVICE_OK;
    item->rows.from = s->n_rows;
    item->has_probabilities = true;
    if (!service_scan_take(s, named ? '{' : '['))
        return service_scan_other(s, "is", "a list of rows");
    do {
        service_label name = {NULL, 0};
        if (named)
            code = take_key(s, &name.text, &name.size);
        if (code == SERVICE_OK)
            code = take_row(s, name);
        item->rows.n++;
    } while (code == SERVICE_OK && service_scan_take(s, ','));
    if (code != SERVICE_OK)
        return code;
    if (!service_scan_take(s, named ? '}' : ']'))
        return service_scan_wrong(s, named ? "',' or '}'" : "',' or ']'");
    return is_matrix(s, item) ? make_matrix(s, item) : SERVICE_OK;
}
