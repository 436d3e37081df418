/*
 * evaluate_csv.c: the figures as CSV, a line per policy and segment.
 *
 * Paper: none.
 * Check: tests/cli/evaluate.t.
 */
#include "evaluate.h"

#include "csv_writer.h"

#include <math.h>

static void put_number(FILE *out, double number)
{
    if (isfinite(number))
        fprintf(out, ",%.17g", number);
    else
        fputc(',', out);
}

/* After which event it first changed; nothing where no change was seen, or by segment. */
static void put_change(FILE *out, const change_found *found)
{
    put_number(out, found != NULL && found->count > 0 ? (double)found->since : NAN);
}

static void put_part(const evaluate *self, const evaluate_part *part, FILE *out)
{
    for (size_t i = 0; i < self->n_policies && part->events > 0; i++) {
        const evaluate_result *r = &part->policies[i].r;
        csv_put_field(out, part->segment != NULL ? part->segment : "");
        fputc(',', out);
        csv_put_field(out, part->policies[i].name);
        fprintf(out, ",%.17g", part->events);
        const double numbers[] = {r->value,          r->interval.low,    r->interval.high, r->difference.value,
                                  r->difference.low, r->difference.high, r->effective,     r->largest,
                                  r->mean_weight,    r->clipped_share};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            put_number(out, numbers[k]);
        for (int e = 0; e < EVALUATE_ESTIMATORS; e++)
            put_number(out, r->estimates[e]);
        put_change(out, part->segment == NULL ? &self->contexts_changed : NULL);
        put_change(out, part->segment == NULL ? &self->rewards_changed : NULL);
        fputc('\n', out);
    }
}

void evaluate_csv(const evaluate *self, FILE *out)
{
    fputs("segment,policy,events,value,low,high,difference,difference_low,difference_high,effective_samples,"
          "largest_weight,mean_weight,clipped_share",
          out);
    for (int e = 0; e < EVALUATE_ESTIMATORS; e++)
        fprintf(out, ",%s", evaluate_estimator_names[e]);
    fputs(",contexts_changed_after,rewards_changed_after\n", out);
    put_part(self, &self->whole, out);
    for (size_t i = 0; i < self->n_segments; i++)
        put_part(self, &self->segments[i], out);
}
