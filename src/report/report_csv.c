/*
 * report_csv.c: curves.csv, one line for each point of each curve, for spreadsheets and plotting programs.
 *
 * Columns case, agent, episode (from 1), round (of the episode), t (of all rounds; episodes of random length are taken
 * at their longest), mean, sd (empty with fewer than two runs), runs. Fields with commas, quotes or line breaks are
 * quoted as RFC 4180 says.
 *
 * Paper: none.
 * Cost: agents x points lines.
 * Check: Python's csv reads back what was written (tools/check-report).
 */
#include "csv_writer.h"
#include "report_internal.h"

#include <inttypes.h>

static void put_point(FILE *out, const experiment_case *c, const roster_results *r, size_t a, size_t i)
{
    const roster_moments *m = &r->curve[a * r->points + i];
    csv_put_field(out, c->title);
    fputc(',', out);
    csv_put_field(out, c->agents[a].label);
    fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", r->point_episode[i] + 1, r->point_round[i],
            report_point(c, r, i));
    if (r->runs > 0)
        fprintf(out, "%.17g", roster_moments_mean(m, r->runs));
    fputc(',', out);
    if (r->runs > 1)
        fprintf(out, "%.17g", roster_moments_sd(m, r->runs));
    fprintf(out, ",%" PRIu64 "\n", r->runs);
}

int report_csv(const report *self, FILE *out, roster_error *err)
{
    (void)err;
    fputs("case,agent,episode,round,t,mean,sd,runs\n", out);
    for (size_t c = 0; c < self->experiment->n_cases; c++) {
        const roster_results *r = self->results[c];
        for (size_t a = 0; a < r->agents; a++)
            for (size_t i = 0; i < r->points; i++)
                put_point(out, &self->experiment->cases[c], r, a, i);
    }
    return ROSTER_OK;
}
