/*
 * explain_detect_text.c: how much traffic it takes to tell experts apart, for people and as JSON.
 *
 * In JSON experts are numbers from 0 into the list of names, and what is infinite or cannot be said is null.
 *
 * Check: tests/cli/detect.t.
 */
#include "explain_detect.h"
#include "explain_internal.h"

#include "cli.h"
#include "common_json.h"

#include <math.h>
#include <string.h>

static const char *name_of(const detection *self, size_t k)
{
    return roster_experts_name(self->chosen->experts, k);
}

static size_t listed(const detection *self)
{
    size_t able = self->n_pairs - self->n_same - self->n_close;
    return able < DETECT_LISTED ? able : DETECT_LISTED;
}

static size_t name_width(const detection *self)
{
    size_t width = explain_letters("expert");
    for (size_t i = 0; i < listed(self); i++) {
        size_t a = explain_letters(name_of(self, self->pairs[i].i)),
               b = explain_letters(name_of(self, self->pairs[i].j));
        width = a > width ? a : width;
        width = b > width ? b : width;
    }
    return width < 20 ? width : 20;
}

static const char *rounds_text(double rounds, char text[40])
{
    return isinf(rounds) ? "never" : explain_rounds_up(rounds, text);
}

static void put_pair(const detection *self, const detect_pair *pair, size_t width, FILE *out)
{
    detect_rounds rounds = detect_judge(self, pair);
    const double columns[] = {rounds.split, rounds.one_look, rounds.any_time, rounds.leader};
    char text[40];
    fputs("  ", out);
    explain_put(out, name_of(self, pair->i), width);
    fputs("  ", out);
    explain_put(out, name_of(self, pair->j), width);
    fprintf(out, " %8.3g", pair->at_most);
    for (size_t i = 0; i < 4; i++)
        fprintf(out, " %11s", rounds_text(columns[i], text));
    fputc('\n', out);
}

static void put_pairs(const detection *self, FILE *out)
{
    size_t width = name_width(self), n = listed(self);
    if (n == 0)
        return;
    fputs("  ", out);
    explain_put(out, "expert", width);
    fputs("  ", out);
    explain_put(out, "expert", width);
    fprintf(out, " %8s %11s %11s %11s %11s\n", "at most", "A/B split", "one look", "any time", "leader");
    for (size_t i = 0; i < n; i++)
        put_pair(self, &self->pairs[i], width, out);
    size_t able = self->n_pairs - self->n_same - self->n_close;
    if (n < able)
        fprintf(out, "  and %zu pairs more, which take fewer rounds; the last of them:\n", able - n);
    if (n < able)
        put_pair(self, &self->pairs[able - 1], width, out);
}

/* "WHAT: 'a' and 'b', 'c' and 'd', and 5 pairs more" of the pairs from `first` on that `is` says yes to. */
static void put_list(const detection *self, const char *what, size_t count,
                     bool (*is)(const detection *, const detect_pair *), FILE *out)
{
    char text[2600]; /* ten pairs of at most 2 * 60 letters and 13 more, and the heading */
    size_t used = (size_t)snprintf(text, sizeof text, "%s:", what), shown = 0;
    if (count == 0)
        return;
    for (size_t i = 0; i < self->n_pairs && shown < 10; i++)
        if (is(self, &self->pairs[i])) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s '%.60s' and '%.60s'", shown > 0 ? "," : "",
                                     name_of(self, self->pairs[i].i), name_of(self, self->pairs[i].j));
            shown++;
        }
    if (shown < count)
        snprintf(text + used, sizeof text - used, ", and %zu pairs more", count - shown);
    fputc('\n', out);
    cli_wrap(out, text, 0, 0);
}

static bool is_same(const detection *self, const detect_pair *pair)
{
    (void)self;
    return pair->at_most < DETECT_SAME;
}

static bool is_close(const detection *self, const detect_pair *pair)
{
    return pair->at_most >= DETECT_SAME && pair->at_most < self->question.detect;
}

static bool is_disjoint(const detection *self, const detect_pair *pair)
{
    (void)self;
    return pair->at_most > 1 - DETECT_SAME;
}

void detect_text(const detection *self, FILE *out)
{
    char text[400];
    explain_head(self->file, self->chosen, out);
    fputs("\n\n", out);
    snprintf(text, sizeof text,
             "Rounds until two experts are told apart whose values differ by %.4g, where a reward has the standard "
             "deviation %.4g in every context:",
             self->question.detect, self->question.sd);
    cli_wrap(out, text, 0, 0);
    put_pairs(self, out);
    put_list(self, "Cannot be told apart, their tables are the same", self->n_same, is_same, out);
    put_list(self, "Cannot differ by so much, whatever the rewards", self->n_close, is_close, out);
    put_list(self, "Share no action in any context, so that neither's rounds say anything of the other",
             self->n_disjoint, is_disjoint, out);
    fputc('\n', out);
    cli_wrap(
        out,
        "At most: the largest difference that rewards in [0, 1] can make between the two. A/B split: each plays "
        "half of the rounds, means are compared once, at the end (5% level, found in 80% of campaigns). One look: "
        "the same rounds, rewards pooled by context and action; nothing unbiased needs fewer. Any time: the same "
        "rounds, looked at whenever you like, with the intervals of `roster_evidence`; in 80% of "
        "campaigns or more (measured) the worse one is excluded by then, and in at most 5% (proved) the better one "
        "ever. Leader: the better "
        "of the two plays all rounds. Never: it never takes an action of the other. -: an action is over 20 times as "
        "likely with one of them, and no figure can be given. Both share the traffic alone: with more experts in "
        "it, count the rounds of these two.",
        0, 0);
}

static void put_pair_json(const detection *self, const detect_pair *pair, common_json *json)
{
    detect_rounds rounds = detect_judge(self, pair);
    common_json_open(json, NULL, '{');
    common_json_open(json, "experts", '[');
    common_json_count(json, NULL, pair->i);
    common_json_count(json, NULL, pair->j);
    common_json_close(json);
    common_json_number(json, "at_most", pair->at_most);
    common_json_number(json, "split", rounds.split);
    common_json_number(json, "one_look", rounds.one_look);
    common_json_number(json, "any_time", rounds.any_time);
    common_json_number(json, "leader", rounds.leader);
    common_json_close(json);
}

void detect_json(const detection *self, FILE *out)
{
    common_json json = {.out = out};
    common_json_open(&json, NULL, '{');
    common_json_text(&json, "name", self->file->name);
    common_json_text(&json, "case", self->chosen->title);
    common_json_open(&json, "experts", '[');
    for (size_t k = 0; k < self->n; k++)
        common_json_text(&json, NULL, name_of(self, k));
    common_json_close(&json);
    common_json_number(&json, "reward", self->question.reward);
    common_json_number(&json, "sd", self->question.sd);
    common_json_number(&json, "detect", self->question.detect);
    common_json_number(&json, "level", DETECT_LEVEL);
    common_json_number(&json, "power", DETECT_POWER);
    common_json_count(&json, "n_pairs", self->n_pairs);
    common_json_count(&json, "same_pairs", self->n_same);
    common_json_count(&json, "close_pairs", self->n_close);
    common_json_count(&json, "disjoint_pairs", self->n_disjoint);
    common_json_open(&json, "pairs", '[');
    for (size_t i = 0; i < self->n_pairs && i < DETECT_LISTED; i++)
        put_pair_json(self, &self->pairs[i], &json);
    common_json_close(&json);
    common_json_close(&json);
    common_json_end(&json);
}
