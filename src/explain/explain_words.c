/*
 * explain_words.c: what `roster explain` says in sentences, and numbers as people write them.
 *
 * The sentence on traffic is about d-ucb with the file's C: from the round `known` on Theorem 2's argument tells the
 * best expert from all others. It says plainly where that round lies behind the end of the episode or does not exist,
 * and what the theorem's own C would take: for a smaller one its formulas are evaluated, but nothing is proven.
 *
 * An assumption is checked against the truth, which the file states: p_V and gamma above what they are said to be below
 * of, p_X above the probability of a context. The agents run all the same; the theorems do not hold for them then.
 *
 * Check: tests/cli/explain.t.
 */
#include "explain_internal.h"

#include <math.h>
#include <string.h>

const char *explain_number(double number, char text[40])
{
    if (isnan(number))
        strcpy(text, "-");
    else if (isinf(number))
        strcpy(text, "infinite");
    else
        snprintf(text, 40, "%.4g", number);
    return text;
}

/* Three digits are as good as a bound is; thousands are set apart. */
const char *explain_rounds(double rounds, char text[40])
{
    char digits[40];
    if (!(fabs(rounds) < 1e8))
        return explain_number(rounds, text);
    double unit = pow(10, fmax(0, floor(log10(fmax(1, rounds))) - 2));
    int length = snprintf(digits, sizeof digits, "%.0f", round(rounds / unit) * unit);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[used++] = ',';
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

/* Of d-ucb: the first that Theorem 2 is about. There is always one. */
static const explain_bound *measure_of(const explain_episode *episode)
{
    size_t b = 0;
    while (episode->bounds[b].empirical || episode->bounds[b].file.tau == NULL)
        b++;
    return &episode->bounds[b];
}

/* "'expert 1' is", "'expert 1' and 2 equally good are" */
static void name_best(const explanation *self, const explain_episode *episode, char *text, size_t size)
{
    const char *name = roster_experts_name(self->chosen->experts, episode->best);
    if (episode->ties == 0)
        snprintf(text, size, "'%.60s' is", name);
    else
        snprintf(text, size, "'%.60s' and %zu equally good are", name, episode->ties);
}

/* "with the file's C = 0.02 (not proven: the theorem asks for C = 479 and 1.1e+12 rounds)" */
static void say_with_what(const explain_bound *d_ucb, char *text, size_t size)
{
    char theory[40];
    size_t used =
        (size_t)snprintf(text, size, "with %s C = %.4g", d_ucb->in_file ? "the file's" : "the default", d_ucb->file.C);
    if (d_ucb->file.C < d_ucb->theory.C * (1 - 1e-9) && used < size)
        snprintf(text + used, size - used, " (not proven: the theorem asks for C = %.4g and %s rounds)",
                 d_ucb->theory.C, explain_rounds(d_ucb->theory.known, theory));
}

void explain_sentence(const explanation *self, size_t e, char *text, size_t size)
{
    const explain_episode *episode = &self->episodes[e];
    const explain_bound *d_ucb = measure_of(episode);
    char best[120], known[40], rounds[40], with[200];
    name_best(self, episode, best, sizeof best);
    explain_rounds(d_ucb->file.known, known);
    explain_rounds((double)episode->rounds, rounds);
    say_with_what(d_ucb, with, sizeof with);
    if (self->n == 1)
        snprintf(text, size, "There is only one expert, so there is nothing to find out.");
    else if (isinf(episode->smallest_gap))
        snprintf(text, size, "All experts are equally good in episode %zu, so nothing can be lost.", e + 1);
    else if (isinf(d_ucb->file.known))
        snprintf(text, size, "There is no round from which the theory says that %s told apart in episode %zu%s.", best,
                 e + 1, d_ucb->constants.gamma > 0 ? "" : ", because an expert has the value 0");
    else if (d_ucb->file.known > (double)episode->rounds)
        snprintf(
            text, size,
            "Episode %zu is too short to be sure: after about %s rounds %s told apart from all others %s, but it has "
            "only %s.",
            e + 1, known, best, with, rounds);
    else
        snprintf(text, size, "After about %s rounds of episode %zu %s told apart from all others %s.", known, e + 1,
                 best, with);
}

/* What the assumptions are checked for, and where each sentence goes. */
typedef struct listener {
    const explanation *self;
    void (*tell)(void *context, const char *sentence);
    void *context;
} listener;

static void check_floor(const listener *l, const explain_learning *learning)
{
    const explanation *self = l->self;
    char sentence[400];
    if (!(learning->p_V > self->floor))
        return;
    snprintf(
        sentence, sizeof sentence,
        "'%.60s' takes every probability to be at least p_V = %.4g, but '%.60s' takes '%.40s' in '%.40s' with %.4g.",
        learning->agent->label, learning->p_V, roster_experts_name(self->chosen->experts, self->floor_k),
        self->file->actions[self->floor_v], self->file->contexts[self->floor_x], self->floor);
    l->tell(l->context, sentence);
}

static void check_contexts(const listener *l, const explain_learning *learning, size_t e)
{
    const double *p = l->self->episodes[e].p;
    char sentence[400];
    size_t least = 0;
    for (size_t x = 1; x < l->self->x; x++)
        least = p[x] < p[least] ? x : least;
    if (!(learning->p_X > p[least] * (1 + 1e-9)))
        return;
    snprintf(
        sentence, sizeof sentence,
        "'%.60s' takes every context's probability to be at least p_X = %.4g, but that of '%.40s' is %.4g in episode "
        "%zu.",
        learning->agent->label, learning->p_X, l->self->file->contexts[least], p[least], e + 1);
    l->tell(l->context, sentence);
}

static void check_values(const listener *l, const explain_bound *bound, size_t e)
{
    const explain_episode *episode = &l->self->episodes[e];
    char sentence[400];
    size_t least = 0;
    for (size_t k = 1; k < l->self->n; k++)
        least = episode->values[k] < episode->values[least] ? k : least;
    if (!(bound->constants.gamma > episode->values[least]))
        return;
    snprintf(sentence, sizeof sentence,
             "'%.60s' takes every value to be at least gamma = %.4g, but that of '%.60s' is %.4g in episode %zu.",
             bound->label, bound->constants.gamma, roster_experts_name(l->self->chosen->experts, least),
             episode->values[least], e + 1);
    l->tell(l->context, sentence);
}

void explain_warn(const explanation *self, void (*tell)(void *context, const char *sentence), void *context)
{
    listener l = {self, tell, context};
    for (size_t i = 0; i < self->n_learning; i++) {
        check_floor(&l, &self->learning[i]);
        for (size_t e = 0; e < self->chosen->n_episodes; e++)
            check_contexts(&l, &self->learning[i], e);
    }
    for (size_t e = 0; e < self->chosen->n_episodes; e++)
        for (size_t b = 0; b < self->episodes[e].n_bounds; b++)
            check_values(&l, &self->episodes[e].bounds[b], e);
}
