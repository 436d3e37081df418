/*
 * learn_tally.c: an agent learns what a log says, from sums over equal events.
 *
 * Paper: none.
 *
 *   row: expert k or none, context x, action v; c events, s = sum of y, q = sum of y^2; rows of the same (x, v, k) add
 *   f in (0, 1]: the discount. In the order of (x, v, k), with C_i = c_1 + ... + c_i and [a] = floor(a + 1/2):
 *   n_i = [f C_i] - [f C_(i-1)],  s_i n_i / c_i,  q_i n_i / c_i                                                    (1)
 *
 * Agents count in whole numbers, so that is what a discount leaves: each row keeps its mean and its spread, counts
 * f c_i within one, and all together [f C]; many rows of one event leave every 1/f-th of them. f = 1 changes nothing.
 *
 * The rows are added to a copy of the state, which takes the state's place when it is whole.
 *
 * Cost: O(R log R) for R rows, and what merging costs.
 * Check: a tally is its events one by one, in whatever order (tests/unit/test_learn_tally.c: equals_events).
 */
#include "agent.h"

#include <stdlib.h>

#define COUNT_MOST (UINT64_C(1) << 53) /* whole numbers that a double can tell apart */

static int fail_type(const roster_agent *agent, roster_error *err)
{
    char can[200] = "";
    for (size_t i = 0; roster_agent_types[i] != NULL; i++)
        if (roster_agent_types[i]->learn_tally != NULL)
            roster_append(can, sizeof can, "%s%s", can[0] != '\0' ? ", " : "", roster_agent_types[i]->info.name);
    return roster_fail(err, ROSTER_EINVAL, "%s must see events one by one and cannot learn a tally; these can: %s",
                       agent->type->info.name, can);
}

static int check_agent(const roster_agent *agent, double discount, roster_error *err)
{
    if (agent->type->learn_tally == NULL)
        return fail_type(agent, err);
    if (agent->setup.experts->kind != ROSTER_TABLES && !agent->type->blind)
        return roster_fail(err, ROSTER_EINVAL,
                           "%s learns a tally only where experts are tables: its rows number the contexts",
                           agent->type->info.name);
    if (!(discount > 0 && discount <= 1))
        return roster_fail(err, ROSTER_EINVAL, "discount is %g, must be above 0 and at most 1", discount);
    return ROSTER_OK;
}

static int check_numbers(const roster_tally_row *row, size_t i, roster_error *err)
{
    double count = (double)row->count, least = row->sum * row->sum / count;
    if (row->count < 1 || row->count > COUNT_MOST)
        return roster_fail(err, ROSTER_EINVAL, "rows[%zu].count is %llu, must be in 1..2^53", i,
                           (unsigned long long)row->count);
    if (!(row->sum >= 0 && row->sum <= count * (1 + 1e-9)))
        return roster_fail(err, ROSTER_EINVAL,
                           "rows[%zu].sum is %.12g, must be in [0, count], since rewards are in [0, 1]", i, row->sum);
    if (!(row->squares >= least * (1 - 1e-9) && row->squares <= row->sum * (1 + 1e-9)))
        return roster_fail(err, ROSTER_EINVAL,
                           "rows[%zu].squares is %.12g, must be from sum^2/count, which is %.12g, to sum, which is "
                           "%.12g",
                           i, row->squares, least, row->sum);
    if (!(row->propensity >= 0 && row->propensity <= 1))
        return roster_fail(err, ROSTER_EINVAL, "rows[%zu].propensity is %g, must be in [0, 1], 0 for unknown", i,
                           row->propensity);
    return ROSTER_OK;
}

static int check_place(const roster_agent *agent, const roster_tally_row *row, size_t i, roster_error *err)
{
    const roster_experts *e = agent->setup.experts;
    if (row->expert == ROSTER_NO_EXPERT && !agent->type->pools)
        return roster_fail(err, ROSTER_EINVAL,
                           "rows[%zu] has no expert, but %s must know who acted; direct need not, where experts are "
                           "tables",
                           i, agent->type->info.name);
    if (row->expert != ROSTER_NO_EXPERT && row->expert >= e->n)
        return roster_fail(err, ROSTER_EINVAL, "rows[%zu].expert is %zu, must be below %zu", i, row->expert, e->n);
    if (row->action >= e->v)
        return roster_fail(err, ROSTER_EINVAL, "rows[%zu].action is %zu, must be below %zu", i, row->action, e->v);
    if (e->kind == ROSTER_TABLES && row->context >= e->x)
        return roster_fail(err, ROSTER_EINVAL, "rows[%zu].context is %zu, must be below %zu", i, row->context, e->x);
    return ROSTER_OK;
}

/* As for events: what weighs by probabilities must not be told others than it knows. */
static int check_possible(const roster_agent *agent, const roster_tally_row *row, size_t i, roster_error *err)
{
    if (agent->type->blind || row->expert == ROSTER_NO_EXPERT || roster_agent_knows_estimates(agent))
        return ROSTER_OK;
    double known = roster_experts_across(agent->setup.experts, row->context, row->action)[row->expert];
    if (known == 0)
        return roster_fail(err, ROSTER_EINVAL,
                           "rows[%zu].expert %zu never takes action %zu there, so the row is impossible", i,
                           row->expert, row->action);
    if (row->propensity > 0 && fabs(row->propensity - known) > 1e-9 * known)
        return roster_fail(err, ROSTER_EINVAL,
                           "rows[%zu].propensity is %.12g, but expert %zu takes action %zu there with %.12g", i,
                           row->propensity, row->expert, row->action, known);
    return ROSTER_OK;
}

static int check_rows(const roster_agent *agent, const roster_tally_row *rows, size_t n, roster_error *err)
{
    uint64_t left = agent->t < COUNT_MOST ? COUNT_MOST - agent->t : 0;
    int code = rows != NULL || n == 0 ? ROSTER_OK : roster_fail(err, ROSTER_EINVAL, "rows is missing");
    for (size_t i = 0; i < n && code == ROSTER_OK; i++) {
        code = check_place(agent, &rows[i], i, err);
        if (code == ROSTER_OK)
            code = check_numbers(&rows[i], i, err);
        if (code == ROSTER_OK)
            code = check_possible(agent, &rows[i], i, err);
        if (code == ROSTER_OK && rows[i].count > left)
            code = roster_fail(err, ROSTER_EINVAL, "the rows count more events than the 2^53 that an agent can learn");
        left -= code == ROSTER_OK ? rows[i].count : 0;
    }
    return code;
}

static int order(double a, double b)
{
    return (a > b) - (a < b);
}

/* By context, action, expert; then by numbers, so that the order of the rows does not matter even to rounding. */
static int compare(const void *a, const void *b)
{
    const roster_tally_row *one = a, *other = b;
    int by = order((double)one->context, (double)other->context);
    by = by != 0 ? by : order((double)one->action, (double)other->action);
    by = by != 0 ? by : (one->expert > other->expert) - (one->expert < other->expert);
    by = by != 0 ? by : order((double)one->count, (double)other->count);
    by = by != 0 ? by : order(one->sum, other->sum);
    return by != 0 ? by : order(one->squares, other->squares);
}

static bool same_place(const roster_tally_row *a, const roster_tally_row *b)
{
    return a->context == b->context && a->action == b->action && a->expert == b->expert;
}

/* Rows of the same place as one; how many are left. */
static size_t join(roster_tally_row *rows, size_t n)
{
    size_t used = 0;
    for (size_t i = 0; i < n; i++) {
        if (used == 0 || !same_place(&rows[used - 1], &rows[i])) {
            rows[used++] = rows[i];
            continue;
        }
        rows[used - 1].count += rows[i].count;
        rows[used - 1].sum += rows[i].sum;
        rows[used - 1].squares += rows[i].squares;
    }
    return used;
}

/* Rewards are in [0, 1]: what rounding has left outside goes. */
static void tidy(roster_tally_row *row, double share)
{
    double count = (double)row->count;
    row->sum = row->sum * share < count ? row->sum * share : count;
    row->squares = row->squares * share < row->sum ? row->squares * share : row->sum;
}

/* (1); how many rows are left, and *total, what they count. */
static size_t discounted(roster_tally_row *rows, size_t n, double discount, uint64_t *total)
{
    uint64_t all = 0;
    size_t used = 0;
    *total = 0;
    for (size_t i = 0; i < n; i++) {
        roster_tally_row row = rows[i];
        all += row.count;
        uint64_t until = discount < 1 ? (uint64_t)floor(discount * (double)all + 0.5) : all;
        double share = (double)(until - *total) / (double)row.count;
        row.count = until - *total;
        *total = until;
        tidy(&row, share);
        if (row.count > 0)
            rows[used++] = row;
    }
    return used;
}

int roster_agent_learn_tally(roster_agent *agent, const roster_tally_row *rows, size_t n, double discount,
                             roster_error *err)
{
    void *state = NULL;
    uint64_t total;
    int code = check_agent(agent, discount, err);
    if (code == ROSTER_OK)
        code = check_rows(agent, rows, n, err);
    if (code != ROSTER_OK || n == 0)
        return code;
    roster_tally_row *taken = roster_copy(rows, n, sizeof *taken);
    if (taken == NULL)
        return roster_fail_memory(err);
    qsort(taken, n, sizeof *taken, compare);
    size_t used = discounted(taken, join(taken, n), discount, &total);
    code = roster_agent_copy_state(agent, &state, err);
    if (code == ROSTER_OK && agent->type->learn_tally(state, taken, used) != ROSTER_OK) {
        roster_agent_drop_state(agent, state);
        code = roster_fail_memory(err);
    }
    if (code == ROSTER_OK)
        roster_agent_take_state(agent, state, agent->t + total);
    free(taken);
    return code;
}
