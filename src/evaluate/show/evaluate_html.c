/*
 * evaluate_html.c: the report as one page that needs nothing but a browser.
 *
 * Names come from logs and are not to be trusted: all text is escaped, and the page allows no script.
 *
 * Paper: none. Cost: about 15 kB and some for each policy.
 * Check: tests/cli/evaluate.t.
 */
#include "show_internal.h"

#include "html_writer.h"

#include <math.h>

static void put_element(FILE *out, const char *tag, const char *text)
{
    fprintf(out, "<%s>", tag);
    html_put_text(out, text);
    fprintf(out, "</%s>\n", tag);
}

/* Four digits, whole numbers in full. */
static void put_cell(FILE *out, double number)
{
    if (isfinite(number))
        fprintf(out, number >= 1000 && floor(number) == number ? "<td>%.0f</td>" : "<td>%.4g</td>", number);
    else
        fputs("<td></td>", out);
}

static void put_row(FILE *out, const evaluate_policy *p)
{
    const evaluate_result *r = &p->r;
    const double cells[] = {
        r->value,           r->interval.low,     r->interval.high, r->difference.value,   r->difference.low,
        r->difference.high, floor(r->effective), r->largest,       100 * r->clipped_share};
    fputs("<tr><td>", out);
    html_put_text(out, p->name);
    fputs("</td>", out);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++)
        put_cell(out, cells[i]);
    fputs("</tr>\n", out);
}

static void put_table(const evaluate *self, const evaluate_part *part, FILE *out)
{
    fputs("<div class=\"scroll\"><table><thead><tr><th>policy</th><th>value</th><th>low</th><th>high</th>"
          "<th>difference</th><th>low</th><th>high</th><th>effective samples</th><th>largest weight</th>"
          "<th>clipped %</th></tr></thead>\n<tbody><tr><td>served</td>",
          out);
    put_cell(out, part->served.value);
    put_cell(out, part->served.low);
    put_cell(out, part->served.high);
    fputs("<td></td><td></td><td></td><td></td><td></td><td></td></tr>\n", out);
    for (size_t i = 0; i < self->n_policies && part->events > 0; i++)
        put_row(out, &part->policies[i]);
    fputs("</tbody></table></div>\n", out);
}

static void put_head(const evaluate *self, FILE *out)
{
    fputs("<header><p class=\"kicker\">roster evaluate</p><h1>What each policy would have earned</h1>\n", out);
    fprintf(out, "<p class=\"lead\">%.0f events (%s); %g%% intervals, %s.</p></header>\n<main>\n", self->whole.events,
            log_format_name(self->log), 100 * (1 - self->settings.delta), evaluate_validity(self));
}

static void put_verdicts(const evaluate *self, FILE *out)
{
    fputs("<section><h2>Verdicts</h2>\n", out);
    for (size_t i = 0; i < self->n_policies; i++) {
        const evaluate_policy *p = &self->whole.policies[i];
        fputs("<p class=\"verdict\">", out);
        html_put_text(out, p->verdict);
        fputs("</p>\n", out);
        if (p->has_finding)
            put_element(out, "p", p->shown);
        for (size_t k = 0; k < p->n_warnings; k++) {
            fputs("<p class=\"mind\">mind: ", out);
            html_put_text(out, p->warnings[k]);
            fputs("</p>\n", out);
        }
    }
    put_table(self, &self->whole, out);
    fputs("</section>\n<section><h2>Health of the log</h2>\n", out);
    show_health(self, out);
    for (size_t i = 0; i < self->n_notes; i++) {
        fputs("<p class=\"mind\">note: ", out);
        html_put_text(out, self->notes[i]);
        fputs("</p>\n", out);
    }
    fputs("</section>\n", out);
}

static void put_policy(const evaluate *self, size_t i, FILE *out)
{
    const evaluate_policy *p = &self->whole.policies[i];
    fputs("<section>", out);
    put_element(out, "h2", p->name);
    bool curve = self->settings.interval == EVALUATE_ANYTIME && p->r.effective > 0;
    if (curve)
        fputs("<p class=\"about\">The interval of the value by number of events, and its centre; dashed: what was "
              "served, in the end.</p>\n",
              out);
    if (curve)
        show_curve(self, i, out);
    fprintf(
        out,
        "<p class=\"about\">How many events have which weight, each bar up to the weight below it, from half of that; "
        "the mean weight is %.4g, must be 1 but for chance.</p>\n",
        p->r.mean_weight);
    show_histogram(&p->r, out);
    fputs("</section>\n", out);
}

void evaluate_html(const evaluate *self, FILE *out)
{
    fwrite(show_page[0].bytes, 1, show_page[0].size, out);
    put_head(self, out);
    put_verdicts(self, out);
    for (size_t i = 0; i < self->n_policies; i++)
        put_policy(self, i, out);
    for (size_t i = 0; i < self->n_segments; i++) {
        fputs("<section>", out);
        put_element(out, "h2", self->segments[i].segment);
        fprintf(out, "<p class=\"about\">%.0f events</p>\n", self->segments[i].events);
        put_table(self, &self->segments[i], out);
        fputs("</section>\n", out);
    }
    fputs("</main>\n", out);
    fwrite(show_page[1].bytes, 1, show_page[1].size, out);
}
