/*
 * verdict.c: figures in words, one sentence per policy, and what to mind.
 *
 * Paper: none.
 * Check: tests/cli/evaluate.t.
 */
#include "evaluate.h"

#include "common_error.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Fewer events of the policy's own than ENOUGH are called not enough, if nothing can be told; of fewer than MANY in all
   the mean weight proves nothing. */
enum { ENOUGH = 30, MANY = 100 };

/* A difference as people say it: in points where rewards are shares, else as it is. */
static void put_amount(const evaluate_settings *s, double amount, char *text, size_t size)
{
    bool points = s->low == 0 && s->high == 1;
    snprintf(text, size, "%.3g", points ? 100 * amount : amount);
}

static const char *unit(const evaluate_settings *s)
{
    return s->low == 0 && s->high == 1 ? " points" : "";
}

bool evaluate_takes_least_seen(const evaluate *self)
{
    const evaluate_settings *s = &self->settings;
    return s->interval == EVALUATE_ANYTIME && !s->fitted && evaluation_took_least(self->whole.evaluation);
}

const char *evaluate_validity(const evaluate *self)
{
    const evaluate_settings *s = &self->settings;
    if (s->interval != EVALUATE_ANYTIME)
        return s->fitted ? "for one look at the end, if the fitted propensities are right" : "for one look at the end";
    if (s->fitted)
        return "valid at any time if the fitted propensities are right";
    return evaluate_takes_least_seen(self) ? "valid at any time if no action was less likely than the least seen"
                                           : "valid at any time";
}

static void put_level(const evaluate *self, char *text, size_t size)
{
    snprintf(text, size, "(%g%%, %s)", 100 * (1 - self->settings.delta), evaluate_validity(self));
}

static void say_clear(const evaluate *self, evaluate_policy *p, const char *level)
{
    const evaluate_settings *s = &self->settings;
    const roster_interval *d = &p->r.difference;
    bool more = d->low > 0;
    char from[32], to[32];
    put_amount(s, more ? d->low : -d->high, from, sizeof from);
    put_amount(s, more ? d->high : -d->low, to, sizeof to);
    snprintf(p->verdict, sizeof p->verdict, "%.80s earns %s to %s%s %s than what was served %s", p->name, from, to,
             unit(s), more ? "more" : "less", level);
}

static void say_open(const evaluate *self, const evaluate_part *part, evaluate_policy *p, const char *level)
{
    const evaluate_settings *s = &self->settings;
    const roster_interval *d = &p->r.difference;
    char less[32], more[32];
    put_amount(s, -d->low, less, sizeof less);
    put_amount(s, d->high, more, sizeof more);
    if (p->r.effective < ENOUGH)
        snprintf(p->verdict, sizeof p->verdict, "not enough data: %.0f events are worth %.0f of %.80s's own",
                 part->events, floor(p->r.effective), p->name);
    else
        snprintf(p->verdict, sizeof p->verdict,
                 "%.80s cannot be told from what was served yet: it earns between %s%s less and %s%s more %s", p->name,
                 less, unit(s), more, unit(s), level);
}

void evaluate_say_finding(const evaluate *self, evaluate_policy *p)
{
    const evaluate_settings *s = &self->settings;
    const roster_interval *at = &p->finding.value;
    double span = s->high - s->low;
    snprintf(p->shown, sizeof p->shown,
             "as a campaign shows it: %.4g, %.4g to %.4g (%g%%, all experts at once, at any time%s)%s",
             s->low + span * at->value, s->low + span * at->low, s->low + span * at->high, 100 * (1 - s->delta),
             p->r.impossible > 0 ? ", if no events are missing" : "",
             p->finding.excluded ? "; it is not the best" : "");
}

static void warn(evaluate_policy *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void warn(evaluate_policy *p, const char *format, ...)
{
    va_list args;
    if (p->n_warnings == EVALUATE_WARNINGS)
        return;
    va_start(args, format);
    common_vformat(p->warnings[p->n_warnings++], EVALUATE_SENTENCE, format, args);
    va_end(args);
}

/* Of estimators that give up being right in the mean for varying less. */
static void warn_of_bias(const evaluate *self, evaluate_policy *p)
{
    const evaluate_result *r = &p->r;
    const char *name = evaluate_estimator_names[r->estimator];
    bool shaped = r->estimator == EVALUATE_CLIPPED || r->estimator == EVALUATE_SWITCH || r->estimator == EVALUATE_DROS;
    if ((shaped || r->estimator == EVALUATE_DM) && (r->value < r->interval.low || r->value > r->interval.high))
        warn(p, "the value lies outside of its interval: %s is biased here, the interval is not", name);
    else if (shaped && self->settings.interval == EVALUATE_GAUSSIAN)
        warn(p, "the interval does not cover the bias of %s", name);
}

bool evaluate_weights_are_off(double events, const evaluate_result *r)
{
    return events >= MANY && (r->mean_low > 1 || r->mean_high < 1 - r->lacking);
}

static void add_warnings(const evaluate *self, evaluate_policy *p)
{
    const evaluate_result *r = &p->r;
    bool anytime = self->settings.interval == EVALUATE_ANYTIME;
    if (r->impossible > 0)
        warn(
            p,
            "%.3g%% of what it does was never possible in its context, or never logged: nothing can be said about that "
            "part, and the interval lets it earn anything",
            100 * r->impossible);
    if (r->unlogged > r->impossible + 1e-9)
        warn(p, "%.3g%% of what it does was never logged in its context, which came rarely: the interval %s",
             100 * (r->unlogged - r->impossible),
             anytime && self->settings.clip > 0 ? "holds whether it was possible or not"
                                                : "takes it that it was possible");
    if (anytime && self->settings.clip == 0 && isinf(r->reach))
        warn(p, "weights have no bound: --clip 20 may give narrower intervals, and is valid too");
    else if (anytime && self->settings.clip == 0 && r->reach > 100)
        warn(p, "one event may weigh as much as %.4g: --clip 20 may give narrower intervals, and is valid too",
             r->reach);
    warn_of_bias(self, p);
    if (self->settings.fitted)
        warn(p, "the log has no propensities: they are fitted, and the interval does not cover the error of that");
}

void evaluate_judge(const evaluate *self, const evaluate_part *part, evaluate_policy *p)
{
    char level[120];
    put_level(self, level, sizeof level);
    if (p->kind == POLICY_LOGGED) /* needs no propensities */
        snprintf(p->verdict, sizeof p->verdict, "what was served earns %.4g per event, %.4g to %.4g (%g%%, %s)",
                 part->served.value, part->served.low, part->served.high, 100 * (1 - self->settings.delta),
                 self->settings.interval == EVALUATE_ANYTIME ? "valid at any time" : "for one look at the end");
    else if (!(p->r.effective > 0))
        snprintf(p->verdict, sizeof p->verdict,
                 "nothing can be said: %.80s takes none of the actions that were taken in the %.0f events", p->name,
                 part->events);
    else if (evaluate_weights_are_off(part->events, &p->r))
        snprintf(
            p->verdict, sizeof p->verdict,
            "no verdict: the mean weight of %.80s is %.4g, by chance %.4g to %.4g, but must be 1: the propensities "
            "are wrong, or were not those of the moment, or the probabilities of the policy are wrong",
            p->name, p->r.mean_weight, p->r.mean_low, p->r.mean_high);
    else if (p->r.difference.low > 0 || p->r.difference.high < 0)
        say_clear(self, p, level);
    else
        say_open(self, part, p, level);
    if (p->kind != POLICY_LOGGED)
        add_warnings(self, p);
}
