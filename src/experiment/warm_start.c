/*
 * warm_start.c: "warm_start" of experiments and campaigns: from JSON to the rows of a tally.
 *
 * Rewards are in [0, 1], as agents learn them. Where "reward_squares" is left out, rewards are 0 or 1. Whether the
 * rows make sense, the library says when an agent learns them.
 *
 * Paper: none.
 * Check: tests/unit/test_warm_start.c.
 */
#include "warm_start.h"

#include <string.h>

/* A name, or a number from 0: as JSON, or in digits where no name is so. */
static int read_place(const common_node *at, const name_table *names, const char *what, size_t *out, roster_error *err)
{
    uint64_t number = 0;
    const char *word = json_string_value(at->json);
    if (word == NULL) {
        int code = common_count(at, 0, names->n - 1, &number, err);
        *out = (size_t)number;
        return code;
    }
    *out = name_table_find(names, word, strlen(word));
    if (*out != SIZE_MAX)
        return ROSTER_OK;
    size_t digits = strspn(word, "0123456789");
    for (size_t i = 0; i < digits && digits < 10; i++)
        number = 10 * number + (uint64_t)(word[i] - '0');
    *out = (size_t)number;
    if (word[digits] == '\0' && digits > 0 && digits < 10 && number < names->n)
        return ROSTER_OK;
    return common_fail_at(at, err, "is \"%.40s\", which is not %s", word, what);
}

static int read_context(const common_node *row, const warm_start_names *names, size_t *out, roster_error *err)
{
    common_node at = common_key(row, "context");
    *out = 0;
    if (names->contexts == NULL && at.json != NULL)
        return common_fail_at(&at, err, "is for finitely many contexts: leave it out");
    if (names->contexts == NULL || (at.json == NULL && names->contexts->n == 1))
        return ROSTER_OK;
    return read_place(&at, names->contexts, "a context", out, err);
}

static int read_expert(const common_node *row, const warm_start_names *names, size_t *out, roster_error *err)
{
    common_node at = common_key(row, "expert");
    *out = ROSTER_NO_EXPERT;
    if (at.json == NULL || json_is_null(at.json))
        return ROSTER_OK;
    return read_place(&at, names->experts, "an expert: leave it out where none of these acted", out, err);
}

static int read_numbers(const common_node *row, roster_tally_row *out, roster_error *err)
{
    common_node count = common_key(row, "count"), propensity = common_key(row, "propensity");
    common_node sum = common_key(row, "reward_sum"), squares = common_key(row, "reward_squares");
    int code = common_count(&count, 1, UINT64_C(1) << 53, &out->count, err);
    if (code == ROSTER_OK && propensity.json != NULL)
        code = common_number_in(&propensity, 0, 1, &out->propensity, err);
    if (code == ROSTER_OK)
        code = common_number(&sum, &out->sum, err);
    out->squares = out->sum;
    if (code == ROSTER_OK && squares.json != NULL)
        code = common_number(&squares, &out->squares, err);
    return code;
}

static int read_row(const common_node *at, const warm_start_names *names, roster_tally_row *out, roster_error *err)
{
    static const char *const known[] = {"context", "action",     "expert",         "propensity",
                                        "count",   "reward_sum", "reward_squares", NULL};
    common_node action = common_key(at, "action");
    int code = common_object(at, err);
    if (code == ROSTER_OK)
        code = common_keys(at, known, err);
    if (code == ROSTER_OK)
        code = read_context(at, names, &out->context, err);
    if (code == ROSTER_OK)
        code = read_place(&action, names->actions, "an action", &out->action, err);
    if (code == ROSTER_OK)
        code = read_expert(at, names, &out->expert, err);
    return code == ROSTER_OK ? read_numbers(at, out, err) : code;
}

static int read_discount(const common_node *at, double *out, roster_error *err)
{
    common_node discount = common_key(at, "discount");
    *out = 1;
    int code = discount.json != NULL ? common_number(&discount, out, err) : ROSTER_OK;
    if (code == ROSTER_OK && !(*out > 0 && *out <= 1))
        code = common_fail_at(&discount, err, "is %g, must be above 0 and at most 1", *out);
    return code;
}

int warm_start_read(const common_node *at, const warm_start_names *names, common_arena *store, warm_start *out,
                    roster_error *err)
{
    static const char *const known[] = {"rows", "discount", NULL};
    common_node list = common_key(at, "rows");
    int code = common_object(at, err);
    if (code == ROSTER_OK)
        code = common_keys(at, known, err);
    if (code == ROSTER_OK)
        code = read_discount(at, &out->discount, err);
    if (code == ROSTER_OK)
        code = common_list(&list, &out->n, err);
    if (code == ROSTER_OK && out->n > WARM_START_ROWS_MOST)
        code = common_fail_at(&list, err, "has %zu entries, must have at most %d", out->n, WARM_START_ROWS_MOST);
    if (code != ROSTER_OK)
        return code;
    roster_tally_row *rows = common_arena_take(store, out->n, sizeof *rows);
    out->rows = rows;
    if (rows == NULL)
        return common_fail_memory(err);
    for (size_t i = 0; code == ROSTER_OK && i < out->n; i++) {
        common_node row = common_item(&list, i);
        code = read_row(&row, names, &rows[i], err);
    }
    return code;
}
