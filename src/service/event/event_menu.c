/*
 * event_menu.c: distributions over the actions of one request.
 *
 *   "actions": ["a17", "a3", ..]        which there are; left out: those that the rows name
 *   a row per expert, in their order or by name:
 *     [0.4, 0.6, ..]                    of every action, in the order of "actions"
 *     {"a17": 0.4, "a3": 0.6}           of these; 0 of the others
 *     {"top": {"a17": 0.4}, "tail": 0.6}   of these; the others share the tail equally
 *
 * Paper: none.
 *
 * Names are looked up in a table of the request's own. An action is drawn by the inverse of the running sums, in the
 * order of the row; one of the tail by what is left of the number.
 *
 * Cost: about 30 ns per name; drawing and looking across take a pass over the rows.
 * Check: against dense rows (tests/unit/test_service_menu.c).
 */
#include "event_menu.h"

#include "service_internal.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

static void release(service_menu *self)
{
    free(self->first);
    free(self->row_of);
    free(self->slots);
    free(self->action_of);
    free(self->order);
    *self = (service_menu){.scan = self->scan, .item = self->item, .campaign = self->campaign, .secret = self->secret};
}

void service_menu_free(service_menu *self)
{
    release(self);
}

const service_label *service_menu_name(const service_menu *self, size_t action)
{
    return &self->scan->labels[self->first[action]];
}

/* ---- names ---- */

static uint64_t hash_of(const service_menu *self, const service_label *name)
{
    return siphash_pair(self->secret, common_hash_words(self->secret[0], name->text, name->size), name->size);
}

/* The action in a slot, + 1; 0: none. */
static uint32_t action_in(uint64_t slot)
{
    return (uint32_t)slot;
}

/* Where the name is, or the free slot where it would be. Names are looked at only where the hashes agree. */
static size_t slot_of(const service_menu *self, const service_label *name, uint64_t hash)
{
    size_t i = (size_t)hash & (self->n_slots - 1);
    for (; self->slots[i] != 0; i = (i + 1) & (self->n_slots - 1)) {
        if (self->slots[i] >> 32 != hash >> 32)
            continue;
        const service_label *there = service_menu_name(self, action_in(self->slots[i]) - 1);
        if (there->size == name->size && memcmp(there->text, name->text, name->size) == 0)
            break;
    }
    return i;
}

static service_code too_many(service_error *err)
{
    return service_fail(err, SERVICE_LIMIT, "the request has more than %d actions", SERVICE_ACTIONS_MOST);
}

/* The label is a new action. */
static service_code add(service_menu *self, size_t label, size_t slot, uint64_t hash, service_error *err)
{
    const service_label *name = &self->scan->labels[label];
    if (!service_is_action(name->text, name->size))
        return service_fail(err, SERVICE_INVALID,
                            "an action has %zu bytes, must have 1 to %d bytes of UTF-8 without control characters",
                            name->size, SERVICE_ID_MOST);
    if (self->n >= SERVICE_ACTIONS_MOST)
        return too_many(err);
    if (!self->campaign->open && name_table_find(&self->campaign->actions.table, name->text, name->size) == SIZE_MAX)
        return service_fail(err, SERVICE_INVALID, "action \"%.*s\" is none that campaign %s lists",
                            (int)(name->size < 60 ? name->size : 60), name->text, self->campaign->name);
    self->first[self->n] = (uint32_t)label;
    self->row_of[self->n] = 0;
    self->slots[slot] = (hash >> 32 << 32) | ++self->n;
    return SERVICE_OK;
}

/* Room for all that the item may name, empty. */
static service_code reserve(service_menu *self, size_t labels, service_error *err)
{
    size_t most = labels < SERVICE_ACTIONS_MOST ? labels + 1 : SERVICE_ACTIONS_MOST, slots = 16;
    while (slots < 2 * most)
        slots *= 2;
    if (self->n_slots > 64 * slots) /* one large request does not cost all later ones */
        release(self);
    if (!common_grow(&self->first, &self->first_room, most, sizeof *self->first) ||
        !common_grow(&self->row_of, &self->row_of_room, most, sizeof *self->row_of) ||
        !common_grow(&self->action_of, &self->action_of_room, labels + 1, sizeof *self->action_of))
        return service_no_memory(err);
    if (self->n_slots < slots) {
        uint64_t *more = malloc(slots * sizeof *more);
        if (more == NULL)
            return service_no_memory(err);
        free(self->slots);
        self->slots = more;
        self->n_slots = slots;
    }
    memset(self->slots, 0, self->n_slots * sizeof *self->slots);
    return SERVICE_OK;
}

static service_code read_actions(service_menu *self, service_error *err)
{
    const service_span *deeds = &self->item->deeds;
    service_code code = SERVICE_OK;
    if (deeds->n > SERVICE_ACTIONS_MOST)
        return too_many(err);
    for (size_t i = 0; i < deeds->n && code == SERVICE_OK; i++) {
        const service_label *name = &self->scan->labels[deeds->from + i];
        uint64_t hash = hash_of(self, name);
        size_t slot = slot_of(self, name, hash);
        code = self->slots[slot] == 0 ? add(self, deeds->from + i, slot, hash, err)
                                      : service_fail(err, SERVICE_INVALID, "actions has \"%.*s\" twice",
                                                     (int)(name->size < 60 ? name->size : 60), name->text);
    }
    return code;
}

/* ---- rows ---- */

static const service_row *row_of(const service_menu *self, size_t i)
{
    return &self->scan->rows[self->item->rows.from + i];
}

static service_code wrong_number(const service_campaign *c, size_t k, double p, service_error *err)
{
    return service_fail(err, SERVICE_NOT_DISTRIBUTION, "probabilities of expert %.60s: %g is no probability",
                        c->experts_names.table.names[k], p);
}

/* Which action a label of row k names; each once. */
static service_code read_name(service_menu *self, const service_campaign *c, size_t k, size_t label, service_error *err)
{
    const service_label *name = &self->scan->labels[label];
    uint64_t hash = hash_of(self, name);
    size_t slot = slot_of(self, name, hash), size = name->size < 60 ? name->size : 60;
    service_code code = SERVICE_OK;
    if (self->slots[slot] == 0 && self->item->has_actions)
        return service_fail(err, SERVICE_INVALID, "probabilities of expert %.60s: \"%.*s\" is none of the actions",
                            c->experts_names.table.names[k], (int)size, name->text);
    if (self->slots[slot] == 0)
        code = add(self, label, slot, hash, err);
    if (code != SERVICE_OK)
        return code;
    size_t action = action_in(self->slots[slot]) - 1;
    if (self->row_of[action] == k + 1)
        return service_fail(err, SERVICE_INVALID, "probabilities of expert %.60s: \"%.*s\" is there twice",
                            c->experts_names.table.names[k], (int)size, name->text);
    self->row_of[action] = (uint32_t)k + 1;
    self->action_of[label - self->item->labels.from] = (uint32_t)action;
    return SERVICE_OK;
}

/* How many actions share the tail of a row. */
static size_t others_of(const service_menu *self, const service_row *row)
{
    return self->n - row->numbers.n;
}

static service_code check_shape(const service_menu *self, const service_campaign *c, size_t k, const service_row *row,
                                service_error *err)
{
    bool dense = row->labels == SIZE_MAX;
    const char *name = c->experts_names.table.names[k];
    if ((dense || !isnan(row->tail)) && !self->item->has_actions)
        return service_fail(err, SERVICE_INVALID, "'actions' is missing: probabilities of expert %.60s %s", name,
                            dense ? "is a list without names" : "has a tail, which the other actions share");
    if (dense && row->numbers.n != self->n)
        return service_fail(err, SERVICE_NOT_DISTRIBUTION,
                            "probabilities of expert %.60s has %zu numbers, must have %zu, one per action", name,
                            row->numbers.n, self->n);
    if (row->tail > 0 && others_of(self, row) == 0)
        return service_fail(err, SERVICE_NOT_DISTRIBUTION,
                            "probabilities of expert %.60s has a tail of %g, but names every action", name, row->tail);
    return SERVICE_OK;
}

static service_code read_row(service_menu *self, const service_campaign *c, size_t k, const service_row *row,
                             service_error *err)
{
    const double *p = self->scan->numbers + row->numbers.from;
    double sum = isnan(row->tail) ? 0 : row->tail;
    service_code code = SERVICE_OK;
    for (size_t i = 0; i < row->numbers.n && code == SERVICE_OK; i++) {
        if (!(p[i] == 0 || (p[i] >= DBL_MIN && p[i] <= 1)))
            code = wrong_number(c, k, p[i], err);
        else if (row->labels != SIZE_MAX)
            code = read_name(self, c, k, row->labels + i, err);
        sum += p[i];
    }
    if (code == SERVICE_OK)
        code = check_shape(self, c, k, row, err);
    if (code == SERVICE_OK && !isnan(row->tail) && !(row->tail == 0 || (row->tail >= DBL_MIN && row->tail <= 1)))
        code = wrong_number(c, k, row->tail, err);
    if (code == SERVICE_OK && !(fabs(sum - 1) <= 1e-9))
        code = service_fail(err, SERVICE_NOT_DISTRIBUTION, "probabilities of expert %.60s sums to %.12g, must be 1",
                            c->experts_names.table.names[k], sum);
    return code;
}

/* The row of every expert. */
static service_code order_rows(service_menu *self, const service_campaign *c, service_error *err)
{
    size_t n = self->item->rows.n;
    for (size_t k = 0; k < c->n; k++)
        self->order[k] = UINT32_MAX;
    if (n != c->n)
        return service_fail(err, SERVICE_NOT_DISTRIBUTION, "probabilities has %zu rows, must have %zu, one per expert",
                            n, c->n);
    for (size_t i = 0; i < n; i++) {
        const service_label *name = self->item->pi_named ? &self->scan->row_names[self->item->rows.from + i] : NULL;
        size_t k = name == NULL ? i : name_table_find(&c->experts_names.table, name->text, name->size);
        if (k == SIZE_MAX || self->order[k] != UINT32_MAX)
            return service_fail(err, SERVICE_INVALID,
                                k == SIZE_MAX ? "probabilities has \"%.*s\", which is not an expert of campaign %s"
                                              : "probabilities has expert \"%.*s\" of campaign %s twice",
                                (int)(name->size < 40 ? name->size : 40), name->text, c->name);
        self->order[k] = (uint32_t)i;
    }
    return SERVICE_OK;
}

/* What the menu of a service is made of. */
static service_code read_item(service_menu *self, const service_campaign *c, service_error *err)
{
    const service_item *item = self->item;
    if (item->deeds_named)
        return service_fail(err, SERVICE_INVALID, "actions is an object, must be a list of names");
    service_code code = reserve(self, item->labels.n, err);
    if (code == SERVICE_OK && !common_grow(&self->order, &self->order_room, c->n, sizeof *self->order))
        code = service_no_memory(err);
    if (code == SERVICE_OK)
        code = read_actions(self, err);
    if (code == SERVICE_OK)
        code = order_rows(self, c, err);
    for (size_t k = 0; k < c->n && code == SERVICE_OK; k++)
        code = read_row(self, c, k, row_of(self, self->order[k]), err);
    return code;
}

service_code service_menu_read(service *self, const service_item *item, const service_campaign *c, service_error *err)
{
    service_menu *menu = &self->menu;
    menu->scan = self->scan;
    menu->item = item;
    menu->campaign = c;
    menu->secret = self->secret;
    menu->n = 0;
    return read_item(menu, c, err);
}

/* ---- what the rows say ---- */

/* The m-th action that the row does not name. */
static size_t unnamed(service_menu *self, const service_row *row, size_t m)
{
    for (size_t a = 0; a < self->n; a++)
        self->row_of[a] = 0;
    for (size_t i = 0; i < row->numbers.n; i++)
        self->row_of[self->action_of[row->labels - self->item->labels.from + i]] = 1;
    size_t last = 0;
    for (size_t a = 0; a < self->n; a++) {
        if (self->row_of[a] != 0)
            continue;
        last = a;
        if (m-- == 0)
            break;
    }
    return last;
}

size_t service_menu_draw(service_menu *self, size_t k, double u)
{
    const service_row *row = row_of(self, self->order[k]);
    const double *p = self->scan->numbers + row->numbers.from;
    size_t last = SIZE_MAX;
    double below = 0;
    for (size_t i = 0; i < row->numbers.n; i++) {
        below += p[i];
        last = p[i] > 0 ? i : last;
        if (p[i] > 0 && u < below)
            break;
    }
    if (row->tail > 0 && !(u < below)) {
        double others = (double)others_of(self, row), m = floor((u - below) / row->tail * others);
        return unnamed(self, row, (size_t)fmin(m, others - 1));
    }
    return row->labels == SIZE_MAX ? last : self->action_of[row->labels - self->item->labels.from + last];
}

static double probability(const service_menu *self, const service_row *row, size_t action)
{
    const double *p = self->scan->numbers + row->numbers.from;
    if (row->labels == SIZE_MAX)
        return p[action];
    for (size_t i = 0; i < row->numbers.n; i++)
        if (self->action_of[row->labels - self->item->labels.from + i] == action)
            return p[i];
    return row->tail > 0 ? row->tail / (double)others_of(self, row) : 0;
}

void service_menu_across(const service_menu *self, size_t action, double *pi)
{
    for (size_t k = 0; k < self->campaign->n; k++)
        pi[k] = probability(self, row_of(self, self->order[k]), action);
}
