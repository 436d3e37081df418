/*
 * settings.c: every parameter of every agent, described once, and the checks that given values pass.
 *
 * Paper: none.
 *
 * --help, JSON checks, bindings and forms are derived from this table. Values come as numbers or as words; a wrong one
 * is refused with the setting's name, what was given and what is allowed.
 *
 * Check: an unknown name lists the known ones (tests/unit/test_settings.c: settings_refused).
 */
#include "agent.h"

#include <string.h>

static const char *const theory[] = {"theory", NULL};
static const char *const errors[] = {"theory", "tight", "data", NULL};
static const char *const uniform[] = {"uniform", NULL};
static const char *const anytime[] = {"anytime", NULL};
static const char *const all[] = {"all", NULL};
static const char *const origins[] = {"declared", "learnt", NULL};
static const char *const supports[] = {"full", "shared", NULL};

const roster_param roster_param_C = {
    .name = "C",
    .help = "scale of the confidence width; \"theory\" is the value of the theorems (needs gamma)",
    .preset = 0.02,
    .low = 0,
    .low_open = true,
    .high = 1e100,
    .words = theory};
const roster_param roster_param_beta = {
    .name = "beta",
    .help = "in round t indices are computed from the first t^(1/beta) rounds; 1 uses all",
    .preset = 1.25,
    .low = 1,
    .high = 2,
    .high_open = true};
const roster_param roster_param_gamma = {
    .name = "gamma",
    .help = "lower bound of every expert's value; required if a setting is \"theory\" or \"tight\"",
    .preset = NAN,
    .low = 0,
    .low_open = true,
    .high = 1};
const roster_param roster_param_p_V = {.name = "p_V",
                                       .help = "lower bound of every true probability of an action",
                                       .preset = NAN,
                                       .low = 0,
                                       .low_open = true,
                                       .high = 1};
const roster_param roster_param_p_X = {
    .name = "p_X",
    .help = "lower bound of every context's probability; \"uniform\" is 1 / number of contexts",
    .preset = NAN,
    .low = 0,
    .low_open = true,
    .high = 1,
    .words = uniform};
const roster_param roster_param_xi = {
    .name = "xi",
    .help = "largest error of the estimates; \"theory\" as printed in the paper, \"tight\" as its proof needs, "
            "\"data\" what their counts leave possible with probability 0.99",
    .preset = NAN,
    .preset_word = "theory",
    .low = 0,
    .high = 1,
    .high_open = true,
    .words = errors};
const roster_param roster_param_support = {
    .name = "support",
    .help = "\"full\": every expert takes every action; \"shared\": some experts never take some actions",
    .preset = NAN,
    .preset_word = "full",
    .low = 1,
    .high = 0,
    .words = supports};
const roster_param roster_param_margin = {
    .name = "margin",
    .help = "added to the index of every expert's pooled rewards, for worlds in which the reward depends on who acts",
    .preset = 0,
    .low = 0,
    .high = 1};
const roster_param roster_param_contexts = {
    .name = "contexts",
    .help = "\"declared\": as probable as declared while they come so; \"learnt\": from the rounds alone",
    .preset = NAN,
    .preset_word = "declared",
    .low = 1,
    .high = 0,
    .words = origins};

const roster_param roster_param_horizon = {
    .name = "horizon",
    .help = "how many rounds there will be, for the rate tuned to them; \"anytime\": a rate that falls with the rounds",
    .preset = NAN,
    .preset_word = "anytime",
    .low = 1,
    .high = 1e18,
    .words = anytime};
const roster_param roster_param_kappa = {
    .name = "kappa",
    .help = "the larger, the less is explored; unless given twice the number of experts, or 1 where these are learnt",
    .preset = NAN,
    .low = 0,
    .low_open = true,
    .high = 1e100};
const roster_param roster_param_eta = {.name = "eta",
                                       .help = "least exploration, as a share of ln(1 + t ln^2 t)",
                                       .preset = 0.0625,
                                       .low = 0,
                                       .high = 1e100};
const roster_param roster_param_memory = {
    .name = "memory",
    .help = "samples of which the experts' probabilities are kept; of older ones sums alone; \"all\": of all",
    .preset = 100000,
    .low = 1,
    .high = 1e15,
    .words = all};

const roster_param roster_param_verify = {
    .name = "verify",
    .help = "share of the plays that every expert keeps, whatever is thought of it; at most 1 / number of experts",
    .preset = 0,
    .low = 0,
    .high = 1};

/* Where each one's value is kept. */
static const struct {
    const roster_param *param;
    size_t offset;
} places[] = {
    {&roster_param_C, offsetof(roster_settings, C)},
    {&roster_param_beta, offsetof(roster_settings, beta)},
    {&roster_param_gamma, offsetof(roster_settings, gamma)},
    {&roster_param_p_V, offsetof(roster_settings, p_V)},
    {&roster_param_p_X, offsetof(roster_settings, p_X)},
    {&roster_param_xi, offsetof(roster_settings, xi)},
    {&roster_param_support, offsetof(roster_settings, support)},
    {&roster_param_horizon, offsetof(roster_settings, horizon)},
    {&roster_param_kappa, offsetof(roster_settings, kappa)},
    {&roster_param_eta, offsetof(roster_settings, eta)},
    {&roster_param_memory, offsetof(roster_settings, memory)},
    {&roster_param_verify, offsetof(roster_settings, verify)},
    {&roster_param_margin, offsetof(roster_settings, margin)},
    {&roster_param_contexts, offsetof(roster_settings, contexts)},
};

static size_t place_of(const roster_param *param)
{
    size_t i = 0;
    while (places[i].param != param)
        i++;
    return places[i].offset;
}

static roster_value *slot(roster_settings *self, const roster_param *param)
{
    return (roster_value *)((char *)self + place_of(param));
}

static const roster_param *find_param(const roster_agent_info *info, const char *name)
{
    for (size_t i = 0; info->params[i] != NULL; i++)
        if (strcmp(info->params[i]->name, name) == 0)
            return info->params[i];
    return NULL;
}

static int refuse_name(const roster_agent_info *info, const char *name, roster_error *err)
{
    char known[200] = "";
    for (size_t i = 0; info->params[i] != NULL; i++)
        roster_append(known, sizeof known, "%s%s", i > 0 ? ", " : "", info->params[i]->name);
    if (known[0] == '\0')
        return roster_fail(err, ROSTER_EINVAL, "%s has no setting '%.40s': it takes none", info->name, name);
    return roster_fail(err, ROSTER_EINVAL, "%s has no setting '%.40s'; it takes %s", info->name, name, known);
}

/* "a number above 0 and at most 1, or one of "theory", "tight"" */
static void describe(const roster_param *param, char *text, size_t size)
{
    text[0] = '\0';
    if (param->low <= param->high)
        roster_append(text, size, "a number %s %g and %s %g", param->low_open ? "above" : "at least", param->low,
                      param->high_open ? "below" : "at most", param->high);
    for (size_t i = 0; param->words != NULL && param->words[i] != NULL; i++)
        roster_append(text, size, "%s\"%s\"", text[0] != '\0' ? " or " : "", param->words[i]);
}

static bool number_allowed(const roster_param *param, double number)
{
    return (param->low_open ? number > param->low : number >= param->low) &&
           (param->high_open ? number < param->high : number <= param->high);
}

static const char *known_word(const roster_param *param, const char *word)
{
    for (size_t i = 0; param->words != NULL && param->words[i] != NULL; i++)
        if (strcmp(param->words[i], word) == 0)
            return param->words[i];
    return NULL;
}

static int take(roster_value *value, const roster_param *param, const roster_setting *given, roster_error *err)
{
    char allowed[200];
    const char *word = given->word != NULL ? known_word(param, given->word) : NULL;
    describe(param, allowed, sizeof allowed);
    if (given->word != NULL && word == NULL)
        return roster_fail(err, ROSTER_EINVAL, "%s is \"%.40s\", must be %s", param->name, given->word, allowed);
    if (given->word == NULL && !number_allowed(param, given->number))
        return roster_fail(err, ROSTER_EINVAL, "%s is %g, must be %s", param->name, given->number, allowed);
    *value = (roster_value){word == NULL ? given->number : NAN, word};
    return ROSTER_OK;
}

static int take_all(roster_settings *self, const roster_agent_info *info, const roster_setting *given,
                    roster_error *err)
{
    for (size_t i = 0; given[i].name != NULL; i++) {
        const roster_param *param = find_param(info, given[i].name);
        if (param == NULL)
            return refuse_name(info, given[i].name, err);
        for (size_t j = 0; j < i; j++)
            if (strcmp(given[j].name, given[i].name) == 0)
                return roster_fail(err, ROSTER_EINVAL, "%s is set twice", param->name);
        int code = take(slot(self, param), param, &given[i], err);
        if (code != ROSTER_OK)
            return code;
    }
    return ROSTER_OK;
}

int roster_settings_resolve(roster_settings *self, const roster_agent_info *info, const roster_setting *given,
                            roster_error *err)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        *slot(self, places[i].param) = (roster_value){NAN, NULL};
    for (size_t i = 0; info->params[i] != NULL; i++)
        *slot(self, info->params[i]) = (roster_value){info->params[i]->preset, info->params[i]->preset_word};
    return given != NULL ? take_all(self, info, given, err) : ROSTER_OK;
}

double roster_settings_number(const roster_settings *self, const roster_agent_info *info, const char *name)
{
    const roster_param *param = find_param(info, name);
    if (param == NULL)
        return NAN;
    const roster_value *value = (const roster_value *)((const char *)self + place_of(param));
    for (size_t i = 0; value->word != NULL && param->words[i] != NULL; i++)
        if (strcmp(value->word, param->words[i]) == 0)
            return (double)i;
    return value->number;
}

bool roster_value_is(const roster_value *value, const char *word)
{
    return value->word != NULL && strcmp(value->word, word) == 0;
}
