/*
 * fuzz_experiment.c: whatever a text holds, it is refused with a sentence or makes an experiment whose own text makes
 * it again.
 *
 * Built with a small EXPERIMENT_NUMBERS_MOST; texts with numbers of six digits or large exponents are left out, so that
 * a hundred thousand names are the most a text can ask for, and so are those that may name a device as a roster file.
 */
#include "experiment.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool has_large_numbers(const char *text)
{
    for (size_t i = 0, digits = 0; text[i] != '\0'; i++) {
        digits = is_digit(text[i]) ? digits + 1 : 0;
        bool exponent = (text[i] == 'e' || text[i] == 'E') && (is_digit(text[i + 1]) || text[i + 1] == '+');
        if (digits > 5 || exponent)
            return true;
    }
    return false;
}

static void check(const char *text)
{
    experiment *e, *again;
    roster_error err = {.msg = ""};
    int code = experiment_parse(&e, text, "nowhere/fuzz.json", NULL, &err);
    if ((code == ROSTER_OK) != (e != NULL) || (code == ROSTER_OK) != (err.msg[0] == '\0'))
        abort();
    if (code != ROSTER_OK)
        return;
    if (experiment_parse(&again, e->text, "nowhere/fuzz.json", NULL, NULL) != ROSTER_OK ||
        strcmp(e->text, again->text) != 0)
        abort();
    experiment_free(again);
    experiment_free(e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (!has_large_numbers(text) && strstr(text, "/dev") == NULL && strstr(text, "/proc") == NULL)
        check(text);
    free(text);
    return 0;
}
