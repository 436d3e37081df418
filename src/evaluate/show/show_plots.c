/*
 * show_plots.c: pictures of the report, drawn as SVG, so that the page needs no script.
 *
 * Paper: none.
 * Check: tests/cli/evaluate.t.
 */
#include "show_internal.h"

#include <math.h>

enum {
    WIDTH = 900,
    HEIGHT = 260,
    LEFT = 70,
    RIGHT = 40,
    BOTTOM = 30,
    TOP = 20,
    TICKS = 6,
    BARS_HEIGHT = 140,
    WIDEST_BAR = 90
};

/* A rectangle of numbers that is drawn. */
typedef struct frame {
    double x0, x1, y0, y1;
} frame;

static double place_x(const frame *f, double x)
{
    return LEFT + (WIDTH - LEFT - RIGHT) * (x - f->x0) / (f->x1 - f->x0);
}

static double place_y(const frame *f, double y)
{
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (y - f->y0) / (f->y1 - f->y0);
}

/* 1, 2 or 5 times a power of ten, so that at most TICKS steps fit. */
static double tick_step(double range)
{
    static const double rounds[] = {1, 2, 5, 10};
    double ten = pow(10, floor(log10(range / TICKS)));
    for (size_t i = 0; i < sizeof rounds / sizeof *rounds; i++)
        if (rounds[i] * ten * TICKS >= range)
            return rounds[i] * ten;
    return 10 * ten;
}

static void put_axes(const frame *f, FILE *out)
{
    double dx = tick_step(f->x1 - f->x0), dy = tick_step(f->y1 - f->y0);
    for (double i = ceil(f->y0 / dy - 1e-9); i * dy <= f->y1 + dy * 1e-9; i++) {
        double at = place_y(f, i * dy);
        fprintf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT, WIDTH - RIGHT, at, at);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>", LEFT - 8, at + 4, i * dy + 0.0);
    }
    for (double i = ceil(f->x0 / dx - 1e-9); i * dx <= f->x1 + dx * 1e-9; i++)
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.10g</text>", place_x(f, i * dx), HEIGHT - 10,
                i * dx + 0.0);
}

/* The first fifth of the points is wider than all that follows and would flatten it. */
static frame frame_of(const evaluate_point *points, size_t n, double served)
{
    frame f = {.x0 = 0, .x1 = points[n - 1].events, .y0 = served, .y1 = served};
    for (size_t i = n / 5; i < n; i++) {
        f.y0 = fmin(f.y0, points[i].low);
        f.y1 = fmax(f.y1, points[i].high);
    }
    if (!(f.y1 > f.y0))
        f.y1 = f.y0 + 1;
    return f;
}

static double inside(const frame *f, double y)
{
    return place_y(f, y < f->y0 ? f->y0 : y > f->y1 ? f->y1 : y);
}

void show_curve(const evaluate *self, size_t i, FILE *out)
{
    const evaluate_point *points;
    size_t n = evaluation_points(self->whole.evaluation, i, &points);
    if (n < 2)
        return;
    evaluate_point widened[EVALUATE_POINTS + 1];
    double by = self->whole.policies[i].r.widening * (self->settings.high - self->settings.low);
    for (size_t k = 0; k < n; k++) {
        widened[k] = points[k];
        widened[k].low = fmax(points[k].low - by, self->settings.low);
        widened[k].high = fmin(points[k].high + by, self->settings.high);
    }
    points = widened;
    frame f = frame_of(points, n, self->whole.served.value);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"value over time\">", WIDTH, HEIGHT);
    put_axes(&f, out);
    fputs("<polygon class=\"band\" points=\"", out);
    for (size_t k = 0; k < n; k++)
        fprintf(out, "%.1f,%.1f ", place_x(&f, points[k].events), inside(&f, points[k].high));
    for (size_t k = n; k-- > 0;)
        fprintf(out, "%.1f,%.1f ", place_x(&f, points[k].events), inside(&f, points[k].low));
    fputs("\"/><polyline class=\"line\" points=\"", out);
    for (size_t k = 0; k < n; k++)
        fprintf(out, "%.1f,%.1f ", place_x(&f, points[k].events), inside(&f, points[k].value));
    double served = place_y(&f, self->whole.served.value);
    fprintf(out, "\"/><line class=\"served\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/></svg>\n", LEFT,
            WIDTH - RIGHT, served, served);
}

void show_histogram(const evaluate_result *r, FILE *out)
{
    double most = 0;
    int first = EVALUATE_BINS, last = 0;
    for (int b = 0; b < EVALUATE_BINS; b++) {
        most = fmax(most, r->bins[b]);
        first = r->bins[b] > 0 && b < first ? b : first;
        last = r->bins[b] > 0 ? b : last;
    }
    if (!(most > 0))
        return;
    int from = first == 0 ? 1 : first; /* bins between 0 and the first of the others are left out */
    while (from < last && !(r->bins[from] > 0))
        from++;
    int bars = last - from + 1 + (first == 0), bar = 0;
    double step = fmin((double)(WIDTH - LEFT) / bars, WIDEST_BAR);
    fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"events by weight\">", WIDTH,
            BARS_HEIGHT + BOTTOM);
    for (int b = first; b <= last; b = b == 0 ? from : b + 1) {
        double height = (BARS_HEIGHT - TOP) * r->bins[b] / most, x = LEFT + bar++ * step;
        fprintf(out,
                "<rect class=\"bar\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>"
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.10g</text>",
                x, BARS_HEIGHT - height, step * 0.9, height, x + step * 0.45, BARS_HEIGHT - height - 5, r->bins[b]);
        fprintf(out, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">", x + step * 0.45, BARS_HEIGHT + 18);
        if (b == 0)
            fputs("0", out);
        else
            fprintf(out, "%s %g", b == EVALUATE_BINS - 1 ? "&gt;" : "&lt;",
                    ldexp(1, b - 14 - (b == EVALUATE_BINS - 1)));
        fputs("</text>", out);
    }
    fputs("</svg>\n", out);
}
