/*
 * event_entry_menu.c: an item of decide whose actions come with it: one step, for who has the distributions at hand.
 *
 * What the rows say is checked first, then the expert is chosen, its action drawn, and told as if it had acted
 * elsewhere: a choose and an acted record, which have the numbers of the action taken and no others.
 *
 * An event_id that was chosen before and waits acts now. One that has acted is answered as it was then, if that action
 * is among those of the request and every expert's probability of it is what it was.
 *
 * Paper: none.
 * Check: tests/unit/test_service_menu.c.
 */
#include "service_internal.h"

#include <string.h>

/* The action of an event that has acted, by the request; false: it is none of them, or would have been another. */
static bool find_again(const service_menu *menu, service_campaign *c, const service_event *event, size_t *action)
{
    const double *kept = service_table_numbers(&c->table, event);
    for (*action = 0; *action < menu->n; ++*action) {
        const service_label *name = service_menu_name(menu, *action);
        if (service_event_did(c, event, name->text, name->size))
            break;
    }
    if (*action == menu->n)
        return false;
    service_menu_across(menu, *action, c->scratch);
    return memcmp(kept, c->scratch, c->n * sizeof *kept) == 0;
}

/* The event, which waits, acts. */
static service_code act(service *self, service_campaign *c, service_key key, int64_t now, service_decision *d,
                        size_t *action, service_error *err)
{
    service_menu *menu = &self->menu;
    service_uniforms u = service_key_uniforms(service_key_block(c, key, d->id, strlen(d->id)), c->draws);
    bool repeated;
    *action = service_menu_draw(menu, d->expert, u.action);
    const service_label *name = service_menu_name(menu, *action);
    service_menu_across(menu, *action, c->scratch);
    service_deed deed = {d->id, strlen(d->id), name->text, name->size, c->scratch, c->n};
    d->repeated = false;
    return service_acted(self, c, &deed, now, &d->propensity, &repeated, err);
}

static void put_name(common_text *out, const service_label *name)
{
    char text[SERVICE_ID_MOST + 1];
    memcpy(text, name->text, name->size);
    text[name->size] = '\0';
    common_put_string(out, text);
}

service_code service_menu_item(service *self, service_campaign *c, const service_item *item, int64_t now,
                               common_text *out, service_error *err)
{
    service_decision d;
    service_event *event;
    service_key key;
    size_t action;
    service_code code = service_menu_read(self, item, c, err);
    if (code == SERVICE_OK)
        code = service_choose_only(self, c, item->request.id, item->request.id_size, now, &d, err);
    if (code == SERVICE_OK)
        code = service_key_find(c, d.id, strlen(d.id), service_clock(self, now), &key, &event, err);
    if (code != SERVICE_OK)
        return code;
    if (event->waits)
        code = act(self, c, key, now, &d, &action, err);
    else if (!find_again(&self->menu, c, event, &action))
        code = service_fail(err, SERVICE_CONFLICT, "event_id %s was decided with other actions or probabilities before",
                            d.id);
    if (code != SERVICE_OK)
        return code;
    service_put_chosen(out, c, &d);
    common_put_text(out, ",\"action\":");
    put_name(out, service_menu_name(&self->menu, action));
    common_put_text(out, ",\"propensity\":");
    common_put_number(out, d.propensity);
    service_put_how(out, &d);
    return SERVICE_OK;
}
