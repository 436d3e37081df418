/*
 * cli_progress.c: a line on the terminal that says how far something has got and how long it will still take.
 *
 *   reading  [########............]  40%  0:12, 0:18 left
 *
 * The time left is what the rest takes at the pace so far. Where the total is not known (0), only the time spent is
 * shown. The line is drawn ten times a second at most, and erased at the end. Nothing is written where stderr is no
 * terminal.
 *
 * Paper: none. Cost: a look at the clock per call.
 * Check: 40 of 100 after 12 s: 18 s left (tests/unit/test_cli.c: progress_says_what_is_left).
 */
#include "cli.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double patience = 2, interval = 0.1;
enum { WIDTH = 20 };

double cli_seconds(void)
{
    struct timespec t = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double cli_peak_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
    return (double)usage.ru_maxrss;
#else
    return (double)usage.ru_maxrss * 1024;
#endif
}

void cli_progress_start(cli_progress *self, const char *what, uint64_t total)
{
    *self = (cli_progress){.what = what, .total = total, .started = cli_seconds()};
    self->terminal = isatty(STDERR_FILENO) == 1;
}

const char *cli_duration(double seconds, char *text, size_t size)
{
    if (!(seconds < 3600.0 * 1000))
        return "-";
    unsigned s = (unsigned)(seconds + 0.5), h = s / 3600;
    if (h > 0)
        snprintf(text, size, "%u:%02u:%02u", h, s / 60 % 60, s % 60);
    else
        snprintf(text, size, "%u:%02u", s / 60, s % 60);
    return text;
}

static void draw(const cli_progress *self, uint64_t done, double spent)
{
    char bar[WIDTH + 1], so_far[32], left[32];
    double share = done < self->total ? (double)done / (double)self->total : 1;
    for (int i = 0; i < WIDTH; i++)
        bar[i] = i + 1 <= share * WIDTH ? '#' : '.';
    bar[WIDTH] = '\0';
    double rest = done > 0 ? spent * (1 - share) / share : spent * 1e9;
    fprintf(stderr, "\r%s  [%s]  %3d%%  %s, %s left\033[K", self->what, bar, (int)(100 * share),
            cli_duration(spent, so_far, sizeof so_far), cli_duration(rest, left, sizeof left));
}

void cli_progress_show(cli_progress *self, uint64_t done)
{
    if (!self->terminal)
        return;
    double t = cli_seconds(), spent = t - self->started;
    if (spent < patience || t - self->shown < interval)
        return;
    char so_far[32];
    if (self->total > 0)
        draw(self, done, spent);
    else
        fprintf(stderr, "\r%s  %s\033[K", self->what, cli_duration(spent, so_far, sizeof so_far));
    fflush(stderr);
    self->shown = t;
}

void cli_progress_end(cli_progress *self)
{
    if (self->shown > 0)
        fputs("\r\033[K", stderr);
    self->shown = 0;
}

uint64_t cli_total_size(const cli_call *call)
{
    uint64_t total = 0;
    for (size_t i = 0; i < call->n_args; i++) {
        struct stat there;
        if (stat(call->args[i], &there) != 0 || !S_ISREG(there.st_mode))
            return 0;
        total += (uint64_t)there.st_size;
    }
    return total;
}
