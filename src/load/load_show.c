/*
 * load_show.c: what `roster drive` shows.
 *
 *   12,345 decisions  1,003/s  rewards 988/s  p50 0.8 ms  p99 2.1 ms  regret 310.2  best expert 71%
 *
 * Rates are those of the last half second, the rest is of the whole drive.
 *
 * Paper: none.
 * Check: tests/cli/drive.t, tests/http/drive.py.
 */
#include "load_show.h"
#include "common_json.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static const double interval = 0.5;

static uint64_t sum_rewards(const load_figures *f)
{
    uint64_t sum = 0;
    for (int i = 0; i < LOAD_STATUSES; i++)
        sum += f->statuses[i];
    return sum;
}

static double per(double count, double n)
{
    return n > 0 ? count / n : 0;
}

/* "1,234,567" */
static const char *grouped(double number, char *text, size_t size)
{
    char digits[32];
    int n = snprintf(digits, sizeof digits, "%.0f", number);
    size_t used = 0;
    for (int i = 0; i < n && used + 2 < size; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

/* ---- while it runs ---- */

void load_show_line_start(load_show_line *self)
{
    *self = (load_show_line){.terminal = isatty(STDERR_FILENO) == 1};
}

void load_show_line_show(load_show_line *self, const load_figures *f)
{
    char decisions[32], rate[32], rewarded[32], regret[32];
    double now = cli_seconds(), passed = f->seconds - self->seconds;
    uint64_t rewards = sum_rewards(f);
    if (!self->terminal || now - self->shown < interval)
        return;
    fprintf(stderr, "\r%s decisions  %s/s  rewards %s/s  p50 %.1f ms  p99 %.1f ms  regret %s  best expert %.0f%%\033[K",
            grouped((double)f->decisions, decisions, sizeof decisions),
            grouped(per((double)(f->decisions - self->decisions), passed), rate, sizeof rate),
            grouped(per((double)(rewards - self->rewards), passed), rewarded, sizeof rewarded), load_percentile(f, 0.5),
            load_percentile(f, 0.99), grouped(f->regret, regret, sizeof regret),
            100 * per((double)f->best, (double)f->decisions));
    fflush(stderr);
    *self = (load_show_line){true, now, f->seconds, f->decisions, rewards};
}

void load_show_line_end(load_show_line *self)
{
    if (self->shown > 0)
        fputs("\r\033[K", stderr);
    self->shown = 0;
}

/* ---- at the end ---- */

static void show_experts(FILE *out, const load_show_result *r)
{
    const load_figures *f = r->figures;
    const roster_experts *experts = r->options->study->experts;
    int width = 6;
    for (size_t k = 0; k < f->experts; k++) {
        int n = (int)strlen(roster_experts_name(experts, k));
        width = n > width ? (n < 40 ? n : 40) : width;
    }
    fprintf(out, "\n%-*s  %12s  %7s\n", width, "expert", "decisions", "share");
    for (size_t k = 0; k < f->experts; k++)
        fprintf(out, "%-*.40s  %12llu  %6.1f%%\n", width, roster_experts_name(experts, k),
                (unsigned long long)f->plays[k], 100 * per((double)f->plays[k], (double)f->decisions));
}

static void show_rewards(FILE *out, const load_figures *f)
{
    fprintf(out, "rewards    ");
    for (int i = 0; i < LOAD_STATUSES; i++)
        if (i == LOAD_JOINED || f->statuses[i] > 0)
            fprintf(out, "%s%llu %s", i > 0 ? ", " : "", (unsigned long long)f->statuses[i],
                    load_status_word((load_status)i));
    if (f->lost > 0)
        fprintf(out, ", %llu lost on the way", (unsigned long long)f->lost);
    if (f->unsent > 0)
        fprintf(out, ", %llu not sent any more", (unsigned long long)f->unsent);
    fputc('\n', out);
}

void load_show_table(FILE *out, const load_show_result *r)
{
    const load_figures *f = r->figures;
    double n = (double)f->decisions;
    fprintf(out, "decisions  %llu in %.1f s, %.0f per second\n", (unsigned long long)f->decisions, f->seconds,
            per(n, f->seconds));
    show_rewards(out, f);
    fprintf(out, "regret     %.1f, %.4f per decision; the mean reward is %.4f\n", f->regret, per(f->regret, n),
            per(f->reward, n));
    fprintf(out, "best       %.1f%% of the decisions are by the best expert\n", 100 * per((double)f->best, n));
    if (f->requests > 0)
        fprintf(out, "latency    p50 %.2f ms, p99 %.2f ms of %llu requests\n", load_percentile(f, 0.5),
                load_percentile(f, 0.99), (unsigned long long)f->requests);
    if (f->faults > 0)
        fprintf(out, "faults     %llu requests had to be sent again\n", (unsigned long long)f->faults);
    show_experts(out, r);
}

static void put_rewards(common_json *json, const load_figures *f)
{
    common_json_open(json, "rewards", '{');
    for (int i = 0; i < LOAD_STATUSES; i++)
        common_json_count(json, load_status_word((load_status)i), f->statuses[i]);
    common_json_count(json, "lost", f->lost);
    common_json_count(json, "unsent", f->unsent);
    common_json_close(json);
}

static void put_experts(common_json *json, const load_show_result *r)
{
    common_json_open(json, "experts", '[');
    for (size_t k = 0; k < r->figures->experts; k++) {
        common_json_open(json, NULL, '{');
        common_json_text(json, "name", roster_experts_name(r->options->study->experts, k));
        common_json_count(json, "decisions", r->figures->plays[k]);
        common_json_close(json);
    }
    common_json_close(json);
}

void load_show_json(FILE *out, const load_show_result *r)
{
    const load_figures *f = r->figures;
    common_json json = {.out = out};
    common_json_open(&json, NULL, '{');
    common_json_text(&json, "campaign", r->options->campaign);
    common_json_text(&json, "agent", r->options->study->agent);
    common_json_number(&json, "seconds", f->seconds);
    common_json_count(&json, "decisions", f->decisions);
    common_json_count(&json, "repeated", f->repeated);
    common_json_count(&json, "best", f->best);
    common_json_count(&json, "episodes", f->episodes);
    put_rewards(&json, f);
    common_json_number(&json, "regret", f->regret);
    common_json_number(&json, "reward", f->reward);
    common_json_count(&json, "requests", f->requests);
    common_json_count(&json, "faults", f->faults);
    common_json_number(&json, "p50_ms", load_percentile(f, 0.5));
    common_json_number(&json, "p99_ms", load_percentile(f, 0.99));
    put_experts(&json, r);
    if (r->sentence != NULL)
        common_json_text(&json, "error", r->sentence);
    common_json_close(&json);
    common_json_end(&json);
}
