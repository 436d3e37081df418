/*
 * explain_words.c: what `roster explain` says in sentences, and numbers as people write them.
 *
 * The sentence of an episode is about the agent that loses least in it. What is said not to be exceeded is rounded up.
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

/* The unit of the third digit of a number of at least 1. */
static double third_digit(double number)
{
    return pow(10, fmax(0, floor(log10(fmax(1, number))) - 2));
}

/* Three digits are as good as a bound is; thousands are set apart. */
const char *explain_rounds(double rounds, char text[40])
{
    char digits[40];
    if (!(fabs(rounds) < 1e8))
        return explain_number(rounds, text);
    double unit = third_digit(rounds);
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

const char *explain_rounds_up(double rounds, char text[40])
{
    double unit = third_digit(rounds);
    return explain_rounds(isfinite(rounds) ? ceil(rounds / unit) * unit : rounds, text);
}

/* Three digits too, of numbers below 1 as well. */
const char *explain_number_up(double number, char text[40])
{
    if (!(number > 0) || isinf(number))
        return explain_number(number, text);
    double unit = pow(10, floor(log10(number)) - 2);
    return number < 999 ? explain_number(ceil(number / unit * (1 - 1e-12)) * unit, text)
                        : explain_rounds_up(number, text);
}

/* "the best expert has", "one of the 3 best experts has": what is counted where some are equally good. */
static void name_best(const explain_episode *episode, char *text, size_t size)
{
    if (episode->ties == 0)
        snprintf(text, size, "the best expert has");
    else
        snprintf(text, size, "the %zu best experts, which are equally good, have", episode->ties + 1);
}

void explain_agent_sentence(const explanation *self, size_t agent, size_t e, char *text, size_t size)
{
    const explain_agent *a = &self->agents[agent];
    const explain_episode *episode = &self->episodes[e];
    char best[100], after[40], rounds[40], median[40], high[40];
    name_best(episode, best, sizeof best);
    explain_rounds((double)episode->rounds, rounds);
    explain_number_up(a->lost[e].median, median);
    explain_number_up(a->lost[e].high, high);
    if (isfinite(a->settled[e].high))
        snprintf(text, size,
                 "With '%.60s', in 95%% of runs %s more than 95%% of the traffic after %s rounds; reward lost: median "
                 "%s, in 95%% of runs at most %s.",
                 a->label, best, explain_rounds_up(a->settled[e].high, after), median, high);
    else
        snprintf(text, size,
                 "With '%.60s', %s rounds are too few to say that in 95%% of runs %s more than 95%% of the traffic; "
                 "reward lost: median %s, in 95%% of runs at most %s.",
                 a->label, rounds, best, median, high);
}

/* The agent that loses least, in EXPLAIN_SHARE of the runs. */
static size_t best_agent(const explanation *self, size_t e)
{
    size_t best = 0;
    for (size_t i = 1; i < self->file->n_agents; i++)
        if (self->agents[i].lost[e].high < self->agents[best].lost[e].high)
            best = i;
    return best;
}

void explain_sentence(const explanation *self, size_t e, char *text, size_t size)
{
    const explain_episode *episode = &self->episodes[e];
    if (self->n == 1)
        snprintf(text, size, "There is only one expert, so there is nothing to find out.");
    else if (isinf(episode->smallest_gap))
        snprintf(text, size, "All experts are equally good in episode %zu, so nothing can be lost.", e + 1);
    else
        explain_agent_sentence(self, best_agent(self, e), e, text, size);
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
