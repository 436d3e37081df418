/* openapi.c: the document is whole, or there is none. */
#include "server.h"
#include "support.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static size_t left; /* allocations that succeed */

static void *allocate(size_t size)
{
    return left > 0 ? (left--, malloc(size)) : NULL;
}

/* However much memory there is: a whole document, or none. */
static void whole_or_none(void **state)
{
    (void)state;
    char *whole = server_openapi();
    assert_non_null(whole);
    size_t none = 0, all = 0;
    for (size_t n = 0; all == 0; n += n < 100 ? 1 : 61) {
        left = n;
        json_set_alloc_funcs(allocate, free);
        char *text = server_openapi();
        bool enough = left > 0;
        if (text != NULL && enough)
            assert_string_equal(text, whole);
        none += text == NULL;
        all += enough;
        free(text);
        json_set_alloc_funcs(malloc, free);
        if (text != NULL && !enough)
            fail_msg("with %zu allocations there is a document that is not whole", n);
    }
    assert_true(none > 100);
    free(whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_or_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
