/*
 * report_html.c: report.html, one file that needs nothing but a browser.
 *
 * The page itself is web/report.html with its styles, its scripts and dygraphs put in when the program is built
 * (embed.py); here it gets its title and its data. Names and labels are not to be trusted: in the title they are
 * escaped, in the data '<' never stands as such, and the script writes them as text only.
 *
 * Paper: none.
 * Cost: about 170 kB and the data.
 * Check: tests/unit/test_report.c: hostile_labels_stay_text.
 */
#include "report_internal.h"

#include "html_writer.h"

static void put_piece(FILE *out, const report_piece *piece)
{
    fwrite(piece->bytes, 1, piece->size, out);
}

int report_html(const report *self, FILE *out, roster_error *err)
{
    put_piece(out, &report_page[0]);
    html_put_text(out, self->experiment->name);
    put_piece(out, &report_page[1]);
    int code = report_page_data(self, out, err);
    put_piece(out, &report_page[2]);
    return code;
}
