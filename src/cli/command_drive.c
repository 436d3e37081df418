/*
 * command_drive.c: `roster drive`: simulated users of a running decision service.
 *
 * Paper: none.
 * Check: tests/cli/drive.t, tests/http/drive.py.
 */
#include "load_show.h"
#include "instance.h"
#include "cli_program.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t stopped;

static void stop(int number)
{
    (void)number;
    stopped = 1;
}

static bool progress(void *context, const load_figures *figures)
{
    load_show_line_show(context, figures);
    return !stopped;
}

/* A number of seconds, or two with a dash between. */
static int read_delay(const cli_call *call, load_options *o)
{
    const char *text = cli_value(call, "delay");
    if (text == NULL)
        return 0;
    char *end;
    o->delay_least = o->delay_most = strtod(text, &end);
    bool first = end != text;
    if (first && *end == '-') {
        const char *second = end + 1;
        o->delay_most = strtod(second, &end);
        first = end != second;
    }
    if (!first || *end != '\0' || !(o->delay_least >= 0 && o->delay_most >= o->delay_least && o->delay_most <= 1e6))
        return cli_usage(call->command, "--delay is '%s', must be SECONDS or MIN-MAX, at most 1e6", text);
    return 0;
}

/* 500 or 500/s. */
static int read_rate(const cli_call *call, load_options *o)
{
    const char *text = cli_value(call, "rate");
    if (text == NULL)
        return 0;
    char *end;
    o->rate = strtod(text, &end);
    if (end == text || (*end != '\0' && strcmp(end, "/s") != 0) || !(o->rate >= 0.001 && o->rate <= 1e9))
        return cli_usage(call->command, "--rate is '%s', must be decisions per second, from 0.001 to 1e9", text);
    return 0;
}

/* The token of a line: alone, or behind the word admin as in the file that `roster serve --tokens` reads. */
static void read_line(char *line, char *token, size_t size)
{
    static const char blank[] = " \t\r\n";
    char *rest, *first = strtok_r(line, blank, &rest), *second = first != NULL ? strtok_r(NULL, blank, &rest) : NULL;
    bool admin = second != NULL && strcmp(first, "admin") == 0;
    if (admin || (first != NULL && first[0] != '#' && second == NULL))
        snprintf(token, size, "%s", admin ? second : first);
}

static int read_token(const cli_call *call, char *token, size_t size)
{
    const char *path = cli_value(call, "token");
    char *line = NULL;
    size_t room = 0;
    FILE *file = path != NULL ? fopen(path, "r") : NULL;
    token[0] = '\0';
    if (path == NULL)
        return 0;
    if (file == NULL)
        return cli_fail(call, "%s cannot be read: %s", path, strerror(errno));
    while (token[0] == '\0' && getline(&line, &room, file) >= 0)
        read_line(line, token, size);
    free(line);
    fclose(file);
    return token[0] != '\0' ? 0 : cli_fail(call, "%s has no line `admin TOKEN` and none with a token alone", path);
}

/* The experiment's name with what a campaign's cannot have replaced. */
static int read_name(const cli_call *call, const experiment *file, char *name, size_t size)
{
    const char *given = cli_value(call, "campaign");
    static const char fit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.";
    snprintf(name, size, "%s", given != NULL ? given : file->name);
    bool fits = name[0] != '\0' && name[0] != '.' && name[strspn(name, fit)] == '\0';
    if (given != NULL && (!fits || strlen(given) >= size))
        return cli_usage(call->command,
                         "--campaign is '%.80s', must be 1 to %d letters, digits, '.', '_' or '-', not "
                         "beginning with a dot",
                         given, LOAD_NAME_MOST);
    for (char *c = name; *c != '\0'; c++)
        if (strchr(fit, *c) == NULL || (c == name && *c == '.'))
            *c = '-';
    if (name[0] == '\0')
        snprintf(name, size, "drive");
    return 0;
}

static int read_numbers(const cli_call *call, load_options *o)
{
    uint64_t connections = 1, batch = 1;
    int code = read_rate(call, o);
    if (code == 0)
        code = read_delay(call, o);
    if (code == 0)
        code = cli_count(call, "connections", 1, LOAD_CONNECTIONS_MOST, &connections);
    if (code == 0)
        code = cli_count(call, "batch", 1, LOAD_BATCH_MOST, &batch);
    if (code == 0)
        code = cli_number(call, "loss", 0, 1, &o->loss);
    if (code == 0)
        code = cli_number(call, "duplicates", 0, 1, &o->duplicates);
    if (code == 0)
        code = cli_number(call, "wait", 0.001, 31622400, &o->wait);
    if (code == 0)
        code = cli_count(call, "events", 1, UINT64_C(1000000000000), &o->events);
    o->connections = (size_t)connections;
    o->batch = (size_t)batch;
    return code;
}

static int play(const cli_call *call, load_options *o)
{
    roster_error err = {0};
    load_figures figures = {0};
    load_show_line line;
    load_show_line_start(&line);
    o->progress = progress;
    o->context = &line;
    cli_on_interrupt(stop);
    int code = load_run(o, &figures, &err);
    load_show_line_end(&line);
    load_show_result result = {o, &figures, code != ROSTER_OK ? err.msg : NULL};
    if (cli_value(call, "json") != NULL)
        load_show_json(stdout, &result);
    else if (figures.decisions > 0)
        load_show_table(stdout, &result);
    free(figures.plays);
    return code == ROSTER_OK ? 0 : cli_fail(call, "%s", err.msg);
}

static int play_file(const cli_call *call, load_options *o, const experiment *file, const experiment_case *chosen)
{
    char name[LOAD_NAME_MOST + 1], token[LOAD_TOKEN_MOST + 32];
    size_t agent = 0;
    const char *label = cli_value(call, "agent");
    roster_study study = chosen->studies[0];
    int code = label != NULL ? cli_instance_agent(call, file, label, &agent) : 0;
    if (code == 0)
        code = read_name(call, file, name, sizeof name);
    if (code == 0)
        code = read_token(call, token, sizeof token);
    if (code != 0)
        return code;
    o->campaign = name;
    o->token = token[0] != '\0' ? token : NULL;
    o->description = file->description;
    study.agent = "auto";
    study.settings = NULL;
    study.n_warm_rows = 0;
    o->study = label != NULL ? &chosen->studies[agent] : &study;
    o->unannounced = cli_value(call, "unannounced") != NULL;
    o->context_probabilities = o->unannounced ? NULL : chosen->probabilities[0];
    o->contexts = file->contexts;
    o->actions = file->actions;
    return play(call, o);
}

static int run_drive(const cli_call *call)
{
    uint64_t seed = 0;
    experiment_changes changes = {0};
    experiment *file;
    const experiment_case *chosen;
    load_options o = {.server = cli_value(call, "server")};
    int code = read_numbers(call, &o);
    if (code == 0)
        code = cli_count(call, "seed", 0, INT64_MAX, &seed);
    if (code == 0)
        code = cli_count(call, "rounds", 1, UINT64_C(1000000000000), &changes.rounds);
    if (code == 0 && o.server == NULL)
        code = cli_usage(call->command, "--server URL is required: the address that `roster serve` prints");
    if (code != 0)
        return code;
    changes.seed = cli_value(call, "seed") != NULL ? &seed : NULL;
    code = cli_instance_read(call, &changes, &file, &chosen);
    if (code == 0)
        code = play_file(call, &o, file, chosen);
    experiment_free(file);
    return code;
}

static const cli_option options[] = {
    {"server", "URL", "Address of the service, http://HOST:PORT. Required."},
    {"agent", "NAME", "Which agent of the file the campaign gets, by label or name. Default: auto."},
    {"rounds", "T", "Rounds of every episode. Default: those of the file."},
    {"unannounced", NULL,
     "The ends of episodes are not announced, nor the probabilities of contexts: the campaign restarts by alarms."},
    {"rate", "N", "Decisions per second. Default: as many as the service answers."},
    {"connections", "N", "Requests at a time, each on a connection of its own. Default: 1."},
    {"batch", "N", "Decisions or rewards in one request. Default: 1."},
    {"delay", "SECONDS",
     "Time from a decision to its reward. With MIN-MAX it is drawn for each reward, so that they "
     "arrive out of order. Default: 0."},
    {"loss", "SHARE", "Share of the rewards that are never sent. Default: 0."},
    {"duplicates", "SHARE", "Share of the rewards that are sent a second time. Default: 0."},
    {"wait", "SECONDS", "How long the campaign waits for a reward. Default: the service's, an hour."},
    {"events", "N", "Decisions to ask for. Default: those of all episodes of the file; beyond these it begins again."},
    {"campaign", "WORD", "Name of the campaign. Default: that of the experiment."},
    {"token", "FILE", "File with an admin token, if the service requires tokens."},
    {"seed", "S", "Seed of users and campaign. Default: that of the file."},
    {"json", NULL, "Figures as JSON."},
    CLI_OPTION_CASE,
    {NULL, NULL, NULL}};

const cli_command command_drive = {
    .name = "drive",
    .arguments = "FILE",
    .summary = "send simulated users of an experiment to a running service",
    .description =
        "Creates a campaign on a running `roster serve` from the experts of the experiment FILE, and "
        "sends simulated users of its world: asks for decisions, draws rewards and sends them: late, twice, out of "
        "order or never, as the options say. Shows regret, rates and latency while it runs, and a table at the "
        "end. Ctrl-C ends it with the figures so far.\n\n"
        "Every answer is checked: the expert can take the action, the propensity is the table's probability, the "
        "action is the one that seed and event determine, every reward joins once, and at the end the counters of "
        "the service match its answers. If an answer is wrong, the command prints what is wrong and ends with exit "
        "code 1.\n\n"
        "With one connection and no delay, each reward is sent before the next decision is asked for, and the "
        "choices of the first episode are those of `roster run` with the same file and seed. A campaign that was "
        "driven before continues after its last event. A campaign has one set of context probabilities: those of "
        "the first episode.",
    .examples = "roster drive cifar10.json --server http://localhost:7700 --rate 500  # 500 decisions per second\n"
                "roster drive cifar10.json --server http://localhost:7700 --batch 100  # as many decisions as the "
                "service answers\n"
                "roster drive cifar10.json --server http://localhost:7700 --delay 1-30  # rewards come late",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run_drive};
