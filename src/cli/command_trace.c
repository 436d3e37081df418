/*
 * command_trace.c: `roster trace`, every step of one run of one agent as JSON lines.
 *
 *   line 1     the agent with its settings as numbers, the true experts, the estimates it works on, every episode
 *   line 1+t   {"e":episode from 1,"t":round from 1,"k":expert,"x":context,"v":action,"y":reward,"u":[index of each]}
 *
 * u is what the agent knows after the round, so that the next k is its largest entry. While experts are sampled online
 * there is no agent yet and u is null. --evidence adds what is known of each expert: "value", "low", "high"; --alarms
 * adds "alarms" to rounds that raise one. Both look at the run from outside and start afresh with every episode.
 *
 * The first line shows the estimates, which online sampling completes only in the middle of the run. A run is a
 * function of seed and number, so it is played twice: first until there is an agent to describe, then from the start
 * for all to see. What the sampling saw is counted on the way, for the run that has no round left after it.
 *
 * Check: the indices are derived again from the printed lines alone by tools/check-trace.
 */
#include "instance.h"
#include "common_error.h"
#include "common_json.h"
#include "cli_program.h"

#include <signal.h>
#include <stdlib.h>

static const double ALARM_DELTA = 1e-3; /* ever a false alarm with this probability at most */

typedef struct trace {
    const roster_study *study;
    const experiment_case *chosen;
    common_json json;
    roster_estimates *seen; /* owned: by online sampling */
    double *u;              /* owned, [N]                */
    double level;           /* 0: no evidence is asked for */
    bool watches;
    roster_evidence *evidence; /* owned; NULL: not asked for */
    roster_alarms *alarms;     /* owned; NULL: not asked for */
    size_t episode;            /* of the last round shown    */
    bool described;
} trace;

static void write_params(common_json *json, const roster_agent *agent)
{
    const roster_param *const *params = roster_agent_about(agent)->params;
    common_json_open(json, "params", '{');
    for (size_t i = 0; params[i] != NULL; i++) {
        double value = roster_agent_setting(agent, params[i]->name);
        bool words_alone = params[i]->low > params[i]->high;
        if (words_alone)
            common_json_text(json, params[i]->name, params[i]->words[(size_t)value]);
        else
            common_json_number(json, params[i]->name, value);
    }
    common_json_close(json);
}

static void write_tables(common_json *json, const char *key, const roster_experts *experts)
{
    common_json_open(json, key, '[');
    for (size_t k = 0; k < roster_experts_count(experts); k++) {
        common_json_open(json, NULL, '[');
        for (size_t x = 0; x < roster_experts_contexts(experts); x++) {
            common_json_open(json, NULL, '[');
            for (size_t v = 0; v < roster_experts_actions(experts); v++)
                common_json_number(json, NULL, roster_experts_probability(experts, k, x, v));
            common_json_close(json);
        }
        common_json_close(json);
    }
    common_json_close(json);
}

/* "reward_means" or "rewards", as the file would have it. */
static void write_rewards(common_json *json, const roster_world *world, const roster_experts *experts)
{
    roster_list list;
    roster_world_reward(world, 0, 0, &list);
    common_json_open(json, list.values != NULL ? "rewards" : "reward_means", '[');
    for (size_t x = 0; x < roster_experts_contexts(experts); x++) {
        common_json_open(json, NULL, '[');
        for (size_t v = 0; v < roster_experts_actions(experts); v++) {
            double mean = roster_world_reward(world, x, v, &list);
            if (list.values != NULL)
                common_json_numbers(json, NULL, list.values, list.n);
            else
                common_json_number(json, NULL, mean);
        }
        common_json_close(json);
    }
    common_json_close(json);
}

static void write_episode(trace *self, size_t e)
{
    const roster_episode *episode = &self->study->episodes[e];
    const roster_experts *experts = self->study->experts;
    size_t n = roster_experts_count(experts), best = 0;
    common_json *json = &self->json;
    common_json_open(json, NULL, '{');
    common_json_count(json, "rounds", episode->rounds);
    if (episode->min_rounds > 0)
        common_json_count(json, "min_rounds", episode->min_rounds);
    common_json_numbers(json, "context_probabilities", self->chosen->probabilities[e],
                        roster_experts_contexts(experts));
    write_rewards(json, episode->world, experts);
    roster_world_values(episode->world, self->u);
    for (size_t k = 1; k < n; k++)
        best = self->u[k] > self->u[best] ? k : best;
    common_json_numbers(json, "values", self->u, n);
    common_json_count(json, "best", best);
    common_json_close(json);
}

static void write_description(trace *self, const roster_agent *agent)
{
    const roster_agent_info *about = roster_agent_about(agent);
    common_json *json = &self->json;
    common_json_open(json, NULL, '{');
    common_json_text(json, "agent", about->name);
    write_params(json, agent);
    write_tables(json, "experts", self->study->experts);
    if (about->empirical) {
        write_tables(json, "estimates", roster_agent_experts(agent));
        common_json_number(json, "xi", roster_agent_setting(agent, "xi"));
    } else {
        common_json_null(json, "estimates");
        common_json_null(json, "xi");
    }
    common_json_open(json, "episodes", '[');
    for (size_t e = 0; e < self->study->n_episodes; e++)
        write_episode(self, e);
    common_json_close(json);
    common_json_close(json);
    common_json_end(json);
    self->described = true;
}

/* The first time through: the run ends with the first agent seen. */
static bool describe(void *context, const roster_step *step)
{
    trace *self = context;
    const roster_event *event = step->event;
    if (step->agent != NULL)
        write_description(self, step->agent);
    else /* cannot fail: the shapes agree, and a run has fewer than 2^64 rounds */
        roster_estimates_add(self->seen, event->expert, event->context, event->action, 1, NULL);
    return step->agent == NULL;
}

/* Sampling took all rounds: the agent that would have come next. */
static int describe_from_samples(trace *self, roster_error *err)
{
    const roster_study *study = self->study;
    roster_experts *estimates;
    roster_agent *agent = NULL;
    int code = roster_estimates_experts(self->seen, &estimates, err);
    if (code == ROSTER_OK) {
        roster_problem problem = {estimates, self->chosen->probabilities[0], NULL};
        code = roster_agent_create(&agent, study->agent, &problem, study->settings, study->seed, 0, err);
    }
    if (code == ROSTER_OK)
        write_description(self, agent);
    roster_agent_free(agent);
    roster_experts_free(estimates);
    return code;
}

static void write_evidence(trace *self)
{
    static const char *const keys[] = {"value", "low", "high"};
    size_t n = roster_experts_count(self->study->experts);
    for (size_t i = 0; i < 3; i++) {
        common_json_open(&self->json, keys[i], '[');
        for (size_t k = 0; k < n; k++) {
            roster_finding found;
            roster_evidence_find(self->evidence, k, &found);
            const double numbers[] = {found.value.value, found.value.low, found.value.high};
            common_json_number(&self->json, NULL, numbers[i]);
        }
        common_json_close(&self->json);
    }
}

static void write_alarms(trace *self, const roster_alarms *alarms, unsigned raised)
{
    static const char *const words[] = {[ROSTER_CONTEXTS_CHANGED] = "contexts", [ROSTER_REWARDS_CHANGED] = "rewards"};
    common_json *json = &self->json;
    common_json_open(json, "alarms", '[');
    for (unsigned kind = ROSTER_CONTEXTS_CHANGED; kind <= ROSTER_REWARDS_CHANGED; kind++) {
        roster_alarm alarm;
        if (!(raised & kind) || !roster_alarms_last(alarms, kind, &alarm))
            continue;
        common_json_open(json, NULL, '{');
        common_json_text(json, "what", words[kind]);
        common_json_count(json, "since", alarm.since);
        common_json_count(json, "x", alarm.context);
        if (kind == ROSTER_REWARDS_CHANGED)
            common_json_count(json, "v", alarm.action);
        common_json_number(json, "before", alarm.before);
        common_json_number(json, "after", alarm.after);
        common_json_close(json);
    }
    common_json_close(json);
}

/* The experts that the round let be rejected, with a sentence for each. */
static void write_rejections(trace *self, const roster_step *step)
{
    common_json *json = &self->json;
    common_json_open(json, "rejected", '[');
    for (size_t k = 0; k < roster_experts_count(self->study->experts); k++) {
        roster_verdict verdict;
        char sentence[400];
        roster_model_test_verdict(step->test, k, &verdict);
        if (verdict.rejected != roster_model_test_rounds(step->test))
            continue;
        roster_model_test_sentence(step->test, k, sentence, sizeof sentence);
        common_json_open(json, NULL, '{');
        common_json_count(json, "k", k);
        common_json_text(json, "sentence", sentence);
        common_json_close(json);
    }
    common_json_close(json);
}

/* What evidence and alarms say of a round; false: they cannot learn it. */
static bool watch(trace *self, const roster_step *step)
{
    unsigned raised = 0;
    int code = ROSTER_OK;
    if (self->evidence != NULL && step->episode != self->episode)
        roster_evidence_reset(self->evidence);
    self->episode = step->episode;
    if (self->evidence != NULL)
        code = roster_evidence_learn(self->evidence, step->event, NULL);
    if (code == ROSTER_OK && self->alarms != NULL)
        code = roster_alarms_learn(self->alarms, step->event, &raised, NULL);
    if (code == ROSTER_OK && self->evidence != NULL)
        write_evidence(self);
    if (raised != 0)
        write_alarms(self, self->alarms, raised);
    else if (step->raised != 0) /* the agent's own, where it restarts at them */
        write_alarms(self, step->alarms, step->raised);
    if (step->rejects)
        write_rejections(self, step);
    return code == ROSTER_OK;
}

/* The second time through. A full disk ends the run; main says so. */
static bool show(void *context, const roster_step *step)
{
    trace *self = context;
    const roster_event *event = step->event;
    common_json *json = &self->json;
    common_json_open(json, NULL, '{');
    common_json_count(json, "e", step->episode + 1);
    common_json_count(json, "t", step->t);
    common_json_count(json, "k", event->expert);
    common_json_count(json, "x", event->context);
    common_json_count(json, "v", event->action);
    common_json_number(json, "y", event->reward);
    if (step->agent != NULL) {
        roster_agent_index(step->agent, self->u);
        common_json_numbers(json, "u", self->u, roster_experts_count(self->study->experts));
    } else {
        common_json_null(json, "u");
    }
    bool learnt = watch(self, step);
    common_json_close(json);
    common_json_end(json);
    return learnt && !ferror(json->out);
}

static int play_twice(trace *self, uint64_t run, roster_error *err)
{
    const roster_experts *experts = self->study->experts;
    size_t n = roster_experts_count(experts);
    roster_outcome outcome;
    int code = roster_estimates_create(&self->seen, n, roster_experts_contexts(experts),
                                       roster_experts_actions(experts), NULL, err);
    self->u = calloc(n, sizeof *self->u);
    if (code == ROSTER_OK && self->u == NULL)
        code = common_fail_memory(err);
    if (code == ROSTER_OK && self->level > 0)
        code = roster_evidence_create(&self->evidence, experts, self->level, err);
    if (code == ROSTER_OK && self->watches)
        code = roster_alarms_create(&self->alarms, experts, ALARM_DELTA, err);
    if (code == ROSTER_OK)
        code = roster_simulate(self->study, run, describe, self, &outcome, NULL, err);
    if (code == ROSTER_OK && !self->described)
        code = describe_from_samples(self, err);
    if (code == ROSTER_OK)
        code = roster_simulate(self->study, run, show, self, &outcome, NULL, err);
    roster_estimates_free(self->seen);
    roster_evidence_free(self->evidence);
    roster_alarms_free(self->alarms);
    free(self->u);
    return code;
}

static int trace_agent(const cli_call *call, const experiment *file, const experiment_case *chosen, uint64_t run)
{
    const char *name = cli_value(call, "agent");
    roster_error err;
    size_t agent;
    double level = 0;
    int code = cli_number(call, "evidence", 0.5, 0.999999, &level);
    if (code == 0)
        code = cli_instance_agent(call, file, name, &agent);
    if (code != 0)
        return code;
    trace self = {.study = &chosen->studies[agent],
                  .chosen = chosen,
                  .json = {.out = stdout},
                  .level = level,
                  .watches = cli_value(call, "alarms") != NULL};
    if (play_twice(&self, run, &err) != ROSTER_OK)
        return cli_fail(call, "%s: agent '%.60s': %s", file->path, name, err.msg);
    return 0;
}

static int run_trace(const cli_call *call)
{
    uint64_t run = 0, seed = 0;
    experiment_changes changes = {0};
    experiment *file;
    const experiment_case *chosen;
    int code = cli_count(call, "run", 0, (UINT64_C(1) << 48) - 1, &run);
    if (code == 0)
        code = cli_count(call, "rounds", 1, UINT64_C(1000000000000), &changes.rounds);
    if (code == 0)
        code = cli_count(call, "seed", 0, UINT64_MAX, &seed);
    if (code != 0)
        return code;
    if (cli_value(call, "agent") == NULL)
        return cli_usage(call->command, "--agent NAME is required: the label or name of an agent of %s", call->args[0]);
    changes.seed = cli_value(call, "seed") != NULL ? &seed : NULL;
    signal(SIGPIPE, SIG_DFL); /* a reader that has seen enough ends the run, also where the caller ignores it */
    code = cli_instance_read(call, &changes, &file, &chosen);
    if (code == 0)
        code = trace_agent(call, file, chosen, run);
    experiment_free(file);
    return code;
}

static const cli_option options[] = {{"agent", "NAME", "Label or name of the agent of the file. Required."},
                                     {"rounds", "T", "Rounds of every episode. Default: those of the file."},
                                     {"run", "R", "Number of the run, from 0. Default: 0, the first."},
                                     {"seed", "S", "Seed of all random numbers. Default: that of the file."},
                                     {"evidence", "LEVEL",
                                      "Adds \"value\", \"low\" and \"high\" of every expert: intervals that hold at "
                                      "all times with this probability, such as 0.95."},
                                     {"alarms", NULL, "Adds \"alarms\" to rounds that show a change of the world."},
                                     CLI_OPTION_CASE,
                                     {NULL, NULL, NULL}};

const cli_command command_trace = {
    .name = "trace",
    .arguments = "FILE",
    .summary = "print every step of one run of one agent as JSON lines",
    .description =
        "For reading and checking every step. The run is the one that `roster run` plays with the same "
        "FILE, rounds and seed.\n\n"
        "The first line is an object with \"agent\", \"params\" (its settings, words turned into numbers; as of the "
        "first episode), \"experts\" (their true probabilities by expert, context and action), \"estimates\" (the "
        "table an empirical agent works on, else null), \"xi\" (the error it is taken to have, else null) and "
        "\"episodes\" (rounds, context_probabilities, reward_means or rewards, values and best expert of each).\n\n"
        "Then one line per round: \"e\" the episode and \"t\" its round, both from 1; \"k\" the expert, \"x\" the "
        "context, \"v\" the action, all from 0; \"y\" the reward; \"u\" the index of every expert after the round was "
        "learnt, so that the next \"k\" is the first of its largest, unless it is drawn (exp4, and with \"verify\"). "
        "While experts are sampled online \"u\" is null. Infinite numbers are null.\n\n"
        "With --evidence a line also has \"value\", \"low\" and \"high\" of every expert after the round, from the "
        "rounds of the episode. With --alarms a round that shows a change has \"alarms\": \"what\" changed, contexts "
        "or "
        "rewards; \"since\" which round of the run; where: context \"x\", action \"v\"; and the context's share or the "
        "action's mean reward \"before\" and \"after\". Alarms only look on: the agent is told of episodes as the file "
        "says. An agent with \"restart\": \"alarm\" has its alarms shown always, and one with \"model_test\" the "
        "experts that are \"rejected\".",
    .examples = "roster trace experiments/unbounded-1.json --agent d-ucb --rounds 100  # all steps of a short run\n"
                "roster trace experiments/unbounded-1.json --agent ucb --run 7 | head -3  # how the eighth run begins\n"
                "roster trace quickstart.json --agent d-ucb --evidence 0.95 | tail -1  # what is known "
                "at the end",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run_trace};
