/*
 * fuzz_log.c: whatever a log holds, `roster evaluate` reads it in its format or as another, and its figures make sense.
 *
 * The first byte says which format is asked for, the rest is the file. For every input that is not refused: every
 * interval has its ends in order and inside of what is possible, no count is negative, and JSON, CSV and table are
 * written.
 */
#define _GNU_SOURCE
#include "show_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The page around the report is made when the program is built. */
static const unsigned char nothing[1];
const show_piece show_page[2] = {{nothing, 0}, {nothing, 0}};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const evaluate *e)
{
    for (size_t i = 0; i < e->n_policies; i++) {
        const evaluate_result *r = &e->whole.policies[i].r;
        if (!(r->interval.low <= r->interval.high) || !(r->difference.low <= r->difference.high))
            abort();
        if (r->interval.low < -1 || r->interval.high > 1 || r->effective < 0 || r->unlogged < 0)
            abort();
    }
    FILE *out = fopen("/dev/null", "w");
    if (out == NULL)
        return;
    evaluate_json(e, out);
    evaluate_csv(e, out);
    evaluate_table(e, out);
    evaluate_html(e, out);
    fclose(out);
}

static size_t formats(void)
{
    size_t n = 0;
    while (log_format_names[n] != NULL)
        n++;
    return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const policies[] = {"uniform", "always:1", "greedy", "logged"};
    char path[64];
    const char *paths[] = {path};
    int file = memfd_create("log", 0);
    if (size < 2 || file < 0)
        return 0;
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (write(file, data + 1, size - 1) != (ssize_t)(size - 1))
        abort();
    size_t format = data[0] % (formats() + 1);
    evaluate_wishes w = {.paths = paths, .n_paths = 1, .policies = policies, .n_policies = 3 + data[0] % 2};
    w.log.format = format < formats() ? log_format_names[format] : NULL;
    w.skip_bad = true;
    w.settings = (evaluate_settings){.estimator = (evaluate_estimator)(data[0] / 2 % (EVALUATE_ESTIMATORS + 1)),
                                     .interval = (evaluate_interval)(data[0] / 8 % EVALUATE_INTERVALS),
                                     .delta = 0.05,
                                     .low = -1,
                                     .high = 1,
                                     .level = 10};
    roster_error err;
    evaluate *e;
    if (evaluate_run(&e, &w, &err) == ROSTER_OK)
        check(e);
    else if (err.msg[0] == '\0')
        abort();
    evaluate_free(e);
    close(file);
    return 0;
}
