/*
 * log_memory.c: a log that is in memory, column by column.
 *
 * Columns are found by the same names as those of a file, and a row is taken field by field as a line is, so that the
 * same table gives the same figures from memory and from a CSV file.
 *
 * Paper: none. Cost: a few steps per field; nothing is copied.
 * Check: tests/unit/test_log_memory.c; tests/python/test_evaluate.py: test_same_as_the_command.
 */
#include "read_internal.h"

#include <math.h>
#include <stdio.h>

enum { DIGITS = 32 };

static int begin(log_reader *self, roster_error *err)
{
    const log_table *t = self->wishes.table;
    const char **names = common_arena_take(&self->arena, t->n_columns, sizeof *names);
    if (names == NULL)
        return common_fail_memory(err);
    for (size_t i = 0; i < t->n_columns; i++)
        names[i] = t->columns[i].name;
    return log_plan(self, names, t->n_columns, err);
}

static log_status take_text(log_reader *self, const log_slot *slot, const log_array *a, uint64_t row, log_event *event)
{
    int32_t code = a->codes[row];
    if (code < 0)
        return log_take_text(self, slot, "", 0, event);
    const char *text = a->texts + a->starts[code];
    return log_take_text(self, slot, text, (size_t)(a->starts[code + 1] - a->starts[code] - 1), event);
}

/* Decimal digits, and how many. */
static size_t put_whole(char *to, int64_t number)
{
    char digits[DIGITS];
    size_t n = 0, at = 0;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;
    do
        digits[n++] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (number < 0)
        to[at++] = '-';
    while (n > 0)
        to[at++] = digits[--n];
    to[at] = '\0';
    return at;
}

/* A number as a label. Time and id are looked at after the row was read, so each has a place of its own. */
static log_status take_digits(log_reader *self, const log_slot *slot, const log_array *a, uint64_t row,
                              log_event *event)
{
    char *to = self->digits[slot->role == LOG_TIME ? 1 : slot->role == LOG_ID ? 2 : 0];
    size_t size = a->wholes != NULL ? put_whole(to, a->wholes[row])
                                    : (size_t)snprintf(to, sizeof self->digits[0], "%.17g", a->numbers[row]);
    return log_take_text(self, slot, to, size, event);
}

static log_status take_cell(log_reader *self, const log_slot *slot, uint64_t row, log_event *event)
{
    const log_array *a = &self->wishes.table->columns[slot->column];
    if (a->codes != NULL)
        return take_text(self, slot, a, row, event);
    if (log_is_label(slot->role))
        return take_digits(self, slot, a, row, event);
    double number = a->wholes != NULL ? (double)a->wholes[row] : a->numbers[row];
    if (isfinite(number))
        return log_take_number(self, slot, number, event);
    return log_damage_at(self, "'%.80s' is %s, must be a number", slot->name,
                         isnan(number) ? "missing (nan)" : "infinite");
}

static log_status next(log_reader *self, log_event *event, roster_error *err)
{
    (void)err;
    if (self->next_row == self->wishes.table->rows)
        return LOG_END;
    log_status status = LOG_EVENT;
    log_event_begin(self, event);
    event->line = self->line_number = self->next_row++;
    for (size_t i = 0; status == LOG_EVENT && i < self->n_slots; i++)
        status = take_cell(self, &self->slots[i], event->line, event);
    return status == LOG_EVENT ? log_event_end(self, event) : status;
}

const log_format log_in_memory = {"table", NULL, begin, next};
