/* test_tokens.c: files of tokens, which of them a text is, and how often it may be used. */
#include "support.h"

#include "route_tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORD "0123456789abcdef"

static int read_text(server_tokens *out, const char *text, size_t size, roster_error *err)
{
    char path[] = "tokens_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, size), size);
    close(file);
    int code = server_tokens_read(out, path, err);
    unlink(path);
    return code;
}

static void assert_not_read(const char *text, size_t size, const char *words)
{
    server_tokens tokens;
    roster_error err = {0};
    int code = read_text(&tokens, text, size, &err);
    if (code == ROSTER_OK || strstr(err.msg, words) == NULL)
        print_error("%s: expected %s\n", err.msg, words);
    assert_int_not_equal(code, ROSTER_OK);
    assert_non_null(strstr(err.msg, words));
    assert_int_equal(tokens.n, 0);
}

static void files_are_read(void **state)
{
    static const char text[] = "# two roles\n\n  decide " WORD "\r\nadmin\t" WORD "A rate=2.5\n"
                               "decide " WORD "B rate=10 campaigns=shop,blog.2";
    server_tokens tokens;
    roster_error err;
    (void)state;
    assert_int_equal(read_text(&tokens, text, strlen(text), &err), ROSTER_OK);
    assert_int_equal(tokens.n, 3);
    server_token *plain = server_tokens_find(&tokens, WORD), *admin = server_tokens_find(&tokens, WORD "A");
    server_token *bound = server_tokens_find(&tokens, WORD "B");
    assert_true(plain != NULL && plain->role == SERVER_CLIENT && plain->rate == 0 && plain->campaigns == NULL);
    assert_true(admin != NULL && admin->role == SERVER_ADMIN && admin->rate == 2.5);
    assert_true(bound != NULL && bound->rate == 10);
    static const char *const none[] = {"", "x", WORD "C", "0123456789abcde", WORD " ", WORD "a"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_null(server_tokens_find(&tokens, none[i]));
    assert_true(server_token_covers(plain, "any", 3));
    assert_true(server_token_covers(bound, "shop/decide", 4));
    assert_true(server_token_covers(bound, "blog.2", 6));
    static const char *const other[] = {"sho", "shops", "hop", "blog", "shop,blog.2", ",", "blog.2,"};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        assert_false(server_token_covers(bound, other[i], strlen(other[i])));
    server_tokens_free(&tokens);
}

/* Neither the tail of a long line nor what follows a NUL is a line of its own. */
static void long_lines_are_refused(void **state)
{
    (void)state;
    for (size_t size = 400; size < 10000; size += 37) {
        char text[11000];
        memset(text, ' ', size);
        text[0] = '#';
        int n = snprintf(text + size, sizeof text - size, "admin " WORD "\n");
        server_tokens tokens;
        roster_error err;
        if (read_text(&tokens, text, size + (size_t)n, &err) == ROSTER_OK)
            fail();
        assert_int_equal(tokens.n, 0);
    }
    static const char nul[] = "decide " WORD "\n# \0\nadmin " WORD "A\n",
                      last[] = "decide " WORD "\n#\0admin " WORD "A";
    assert_not_read(nul, sizeof nul - 1, "line 2: ");
    assert_not_read(last, sizeof last - 1, "line 2: ");
}

static void wrong_lines_are_refused(void **state)
{
    static const char *const wrong[][2] = {
        {"root " WORD "\n", "line 1: must be `decide TOKEN` or `admin TOKEN`"},
        {"\ndecide\n", "line 2: must be"},
        {"decide short\n", "16 to 128 characters"},
        {"decide " WORD " more\n", "must be"},
        {"decide " WORD " rate=0\n", "rate must be"},
        {"decide " WORD " rate=-1\n", "rate must be"},
        {"decide " WORD " rate=1e9\n", "rate must be"},
        {"decide " WORD " rate=1e-300\n", "rate must be"},
        {"decide " WORD " rate=0.0009\n", "rate must be"},
        {"decide " WORD " rate=1 rate=2\n", "rate is given twice"},
        {"decide " WORD " rate=1x\n", "rate must be"},
        {"decide " WORD " rate=\n", "rate must be"},
        {"decide " WORD " rate=nan\n", "rate must be"},
        {"decide " WORD " campaigns=\n", "campaigns must be names"},
        {"decide " WORD " campaigns=a,,b\n", "campaigns must be names"},
        {"decide " WORD " campaigns=a/b\n", "campaigns must be names"},
        {"decide " WORD " campaigns=a campaigns=b\n", "campaigns is given twice"},
        {"admin " WORD " campaigns=a\n", "is for decide tokens"},
        {"# nothing\n", "the file has no token"},
        {"", "the file has no token"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_not_read(wrong[i][0], strlen(wrong[i][0]), wrong[i][1]);
}

/* A second's requests at once, then as many as the rate gives. */
static void rates_are_kept(void **state)
{
    enum { SECOND = 1000000 };
    (void)state;
    server_token token = {.rate = 10, .left = 10, .filled = 5 * SECOND};
    int64_t now = 5 * SECOND;
    int allowed = 0;
    for (int i = 0; i < 100; i++)
        allowed += server_token_take(&token, now) == 0;
    assert_int_equal(allowed, 10);
    assert_int_equal(server_token_take(&token, now), 1);
    for (int i = 0; i < 1000; i++, now += SECOND / 100) /* 100 a second, for ten seconds */
        allowed += server_token_take(&token, now) == 0;
    assert_in_range(allowed, 108, 110);
    allowed = 0;
    now += 100 * (int64_t)SECOND;
    for (int i = 0; i < 100; i++)
        allowed += server_token_take(&token, now) == 0;
    assert_int_equal(allowed, 10);
    server_token slow = {.rate = 0.1, .left = 1, .filled = now}, any = {0};
    assert_int_equal(server_token_take(&slow, now), 0);
    assert_int_equal(server_token_take(&slow, now), 10);
    assert_int_equal(server_token_take(&slow, now + 5 * SECOND), 5);
    assert_int_equal(server_token_take(&any, now), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read),
        cmocka_unit_test(long_lines_are_refused),
        cmocka_unit_test(wrong_lines_are_refused),
        cmocka_unit_test(rates_are_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
