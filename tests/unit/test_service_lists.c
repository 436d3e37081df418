/*
 * test_service_lists.c: lists of decisions and rewards in slices: answered as at once, whatever happens in between.
 */
#include "service_internal.h"
#include "service_support.h"

enum { ITEMS = 300 };

typedef struct slicing {
    service *self;
    service_campaign *campaign;
    size_t each;       /* looks of a slice */
    size_t archive_at; /* the look; 0: never */
    size_t asked;
} slicing;

static bool is_over(void *context)
{
    slicing *s = context;
    service_error err;
    if (++s->asked == s->archive_at)
        assert_done(service_campaign_archive(s->self, s->campaign, 0, &err), &err);
    return s->asked % s->each == 0;
}

/* In how many slices the answer came. Other bodies are read in between. */
static size_t answer(slicing *s, bool rewards, const common_text *body, common_text *out)
{
    service_slice slice = {is_over, s, 0};
    service_status status;
    service_error err;
    common_text other = {0};
    size_t slices = 0, sum = 0, items;
    s->asked = 0;
    do {
        service_code code =
            rewards ? service_reward_slice(s->self, s->campaign, body->data, body->used, 0, &slice, out, &items,
                                           &status, &err)
                    : service_decide_slice(s->self, s->campaign, body->data, body->used, 0, &slice, out, &items, &err);
        assert_done(code, &err);
        sum += items;
        slices++;
        service_decide_json(s->self, s->campaign, "[{\"context\":7}]", 15, 0, &other, &items, &err);
    } while (slice.at > 0);
    assert_int_equal(sum, ITEMS);
    common_text_free(&other);
    return slices;
}

/* Some are refused, some there before; with spaces and escapes. */
static void put_list(common_text *out, bool rewards)
{
    for (int i = 0; i < ITEMS; i++) {
        char item[100];
        snprintf(item, sizeof item,
                 rewards      ? " {\"event_id\": \"\\u0065%d\" ,\"reward\":1}"
                 : i % 9 == 8 ? "{\"context\":\"noon%d\"}"
                              : "\n{\"event_id\":\"\\u0065%d\",\"context\":\"day\"} ",
                 i % 50);
        common_put_text(out, i > 0 ? "," : " [ ");
        common_put_text(out, item);
    }
    common_put_text(out, " ] ");
}

static void go_on_where_they_stopped(void **state)
{
    (void)state;
    common_text bodies[2] = {{0}, {0}}, whole[2] = {{0}, {0}};
    static const size_t looks[] = {ITEMS, 5, 2, 1}; /* there is one in 22 items, as the campaign is small */
    for (size_t j = 0; j < sizeof looks / sizeof *looks; j++) {
        size_t each = looks[j];
        service *self = fresh();
        slicing s = {.self = self, .campaign = created(self, SPEC_CAMPAIGN("j", ""), 0), .each = each};
        for (int rewards = 0; rewards < 2; rewards++) {
            common_text text = {0};
            if (j == 0)
                put_list(&bodies[rewards], rewards);
            size_t slices = answer(&s, rewards, &bodies[rewards], j == 0 ? &whole[rewards] : &text);
            assert_in_range(slices, j == 0 ? 1 : ITEMS / 32 / each, j == 0 ? 1 : ITEMS / 22 / each + 1);
            if (j > 0)
                assert_string_equal(text.data, whole[rewards].data);
            common_text_free(&text);
        }
        service_free(self);
    }
    for (int i = 0; i < 2; i++) {
        common_text_free(&bodies[i]);
        common_text_free(&whole[i]);
    }
}

/* A campaign that is archived on the way refuses the items that are left, each in its place. */
static void find_the_campaign_archived(void **state)
{
    (void)state;
    service *self = fresh();
    slicing s = {.self = self, .campaign = created(self, SPEC_CAMPAIGN("j", ""), 0), .each = 2, .archive_at = 4};
    common_text body = {0}, text = {0};
    put_list(&body, false);
    assert_true(answer(&s, false, &body, &text) > 3);
    json_t *json = json_loads(text.data, 0, NULL);
    assert_int_equal(json_array_size(json), ITEMS);
    size_t archived = 0;
    for (size_t i = 0; i < ITEMS; i++) {
        const json_t *wrong = json_object_get(json_array_get(json, i), "error");
        const char *code = json_string_value(json_object_get(wrong, "code"));
        archived += code != NULL && strcmp(code, "archived") == 0;
        assert_string_equal(code != NULL ? code : "", archived > 0 ? "archived" : i % 9 == 8 ? "unknown-context" : "");
    }
    assert_in_range(archived, ITEMS / 2, ITEMS - 4 * 22);
    json_decref(json);
    common_text_free(&body);
    common_text_free(&text);
    service_free(self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(go_on_where_they_stopped),
        cmocka_unit_test(find_the_campaign_archived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
