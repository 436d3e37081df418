/*
 * command_serve.c: `roster serve`: the decision service over HTTP.
 *
 * Paper: none.
 * Check: tests/cli/serve.t, tests/http/.
 */
#include "cli.h"
#include "server.h"

#include <stdlib.h>
#include <string.h>

/* Which of the words, separated by '|', the option has; -1 and a sentence: none. */
static int pick(const cli_call *call, const char *option, const char *words, int otherwise)
{
    const char *value = cli_value(call, option), *at = words;
    if (value == NULL)
        return otherwise;
    for (int i = 0; *at != '\0'; i++) {
        size_t n = strcspn(at, "|");
        if (strlen(value) == n && strncmp(at, value, n) == 0)
            return i;
        at += n + (at[n] == '|');
    }
    cli_fail(call, "--%s is '%s', must be one of %s", option, value, words);
    return -1;
}

static int serve(const cli_call *call, server_options *options)
{
    static const store_mode modes[] = {STORE_DURABLE, STORE_OS};
    static const server_level levels[] = {SERVER_LOG_ERRORS, SERVER_LOG_INFO, SERVER_LOG_REQUESTS};
    roster_error err = {0};
    int mode = pick(call, "durability", "fsync|os", 0), level = pick(call, "log", "errors|info|requests", 1);
    if (mode < 0 || level < 0)
        return 2;
    options->mode = modes[mode];
    options->log = levels[level];
    options->snapshot_every = SERVICE_SNAPSHOT_RECORDS;
    options->limits = (service_limits){.campaigns = 10000,
                                       .rosters = 1000,
                                       .cells = 4000000,
                                       .events = 10000000,
                                       .bytes = UINT64_C(4) << 30,
                                       .archived = UINT64_C(1) << 30};
    if (cli_count(call, "accept-loss", 1, INT64_MAX, &options->accept_loss) != 0 ||
        cli_count(call, "snapshot-every", 1, INT64_MAX, &options->snapshot_every) != 0 ||
        cli_count(call, "max-campaigns", 1, 1000000, &options->limits.campaigns) != 0 ||
        cli_count(call, "max-rosters", 1, 1000000, &options->limits.rosters) != 0 ||
        cli_count(call, "max-cells", 1, INT64_MAX, &options->limits.cells) != 0 ||
        cli_count(call, "max-open", 1, INT64_MAX, &options->limits.events) != 0 ||
        cli_count(call, "max-bytes", 1, INT64_MAX, &options->limits.bytes) != 0 ||
        cli_count(call, "max-archived", 1, INT64_MAX, &options->limits.archived) != 0 ||
        cli_number(call, "drain", 0, 3600, &options->drain) != 0)
        return 2;
    store_key key;
    const char *key_file = cli_value(call, "key");
    if (key_file != NULL && store_key_read(&key, key_file, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    options->key = key_file != NULL ? &key : NULL;
    return server_run(options, &err) == ROSTER_OK ? 0 : cli_fail(call, "%s", err.msg);
}

/* What a log in a database is not given with. */
static bool check_store(const cli_call *call)
{
    static const char *const others[] = {"data", "accept-loss", "export-before-drop"};
    const char *url = cli_value(call, "store");
    if (url != NULL && !store_is_url(url)) {
        cli_fail(call, "--store is '%s', must be postgresql://USER@HOST/DATABASE", url);
        return false;
    }
    for (size_t i = 0; url != NULL && i < sizeof others / sizeof others[0]; i++)
        if (cli_value(call, others[i]) != NULL) {
            cli_fail(call, "--%s is for a log in a folder, not for one in a database: leave out one of the two",
                     others[i]);
            return false;
        }
    return true;
}

static int run(const cli_call *call)
{
    const char *data = cli_value(call, "data"), *url = cli_value(call, "store"), *listen = cli_value(call, "listen");
    const char *first = cli_value(call, "campaign"), **campaigns = calloc(call->n_args + 1, sizeof *campaigns);
    if (campaigns == NULL)
        return cli_fail(call, "out of memory");
    if (!check_store(call)) {
        free(campaigns);
        return 2;
    }
    size_t n = 0;
    if (first != NULL)
        campaigns[n++] = first;
    for (size_t i = 0; i < call->n_args; i++)
        campaigns[n++] = call->args[i];
    server_options options = {.data = url != NULL    ? url
                                      : data != NULL ? data
                                                     : "roster-data",
                              .listen = listen != NULL ? listen : "127.0.0.1:7700",
                              .tokens = cli_value(call, "tokens"),
                              .hosts = cli_value(call, "host"),
                              .export_before_drop = cli_value(call, "export-before-drop"),
                              .campaigns = campaigns,
                              .n_campaigns = n};
    int code = serve(call, &options);
    free(campaigns);
    return code;
}

static const cli_option options[] = {
    {.name = "data", .argument = "DIR", .help = "Folder of the event log, created if missing. Default: roster-data."},
    {.name = "store",
     .argument = "URL",
     .help = "Keep the event log in PostgreSQL, postgresql://USER@HOST/DATABASE, instead of a folder. Any number of "
             "servers may share it: each answers any request as a single one would."},
    {.name = "listen",
     .argument = "ADDRESS:PORT,..",
     .help = "Where to listen. Port 0 takes any free port. unix:PATH is a socket of the file system. Separate several "
             "addresses by commas. Default: 127.0.0.1:7700."},
    {.name = "campaign",
     .argument = "FILE",
     .help = "Campaign to create if it does not exist yet. Name further ones as FILE..."},
    {.name = "durability",
     .argument = "fsync|os",
     .help = "fsync: answered requests survive a power loss. os: they survive a crash of the program, but not of the "
             "machine. Default: fsync."},
    {.name = "tokens",
     .argument = "FILE",
     .help = "Tokens that clients must send, one per line: `decide TOKEN` or `admin TOKEN`; campaigns=NAME,.. and "
             "rate=NUMBER (requests per second) may follow. Required for addresses other than loopback. SIGHUP reads "
             "the file again."},
    {.name = "drain",
     .argument = "SECONDS",
     .help =
         "After SIGTERM or SIGINT, continue to serve for this time, with /readyz at 503, so that a load balancer can "
         "send requests elsewhere. Default: 0."},
    {.name = "host",
     .argument = "HOST,..",
     .help =
         "Host names, separated by commas, that clients of a reverse proxy use for the server; on loopback, requests "
         "for other names are refused."},
    {.name = "key",
     .argument = "FILE",
     .help = "Sign every row of the log with this key, 32 bytes or more, so that `roster audit --key` finds "
             "changed rows. A log with signed rows can only be continued with its key."},
    {.name = "snapshot-every",
     .argument = "RECORDS",
     .help =
         "Write a snapshot after this many records; a smaller number makes the next start faster. Default: 1500000."},
    {.name = "export-before-drop",
     .argument = "DIR",
     .help = "Before retention drops records, write them into files in this folder, created if missing, as `roster "
             "export` does; if that fails, nothing is dropped."},
    {.name = "max-campaigns",
     .argument = "COUNT",
     .help = "At most this many campaigns, not counting archived ones. Default: 10000."},
    {.name = "max-rosters", .argument = "COUNT", .help = "At most this many rosters. Default: 1000."},
    {.name = "max-cells",
     .argument = "COUNT",
     .help = "At most this many experts x contexts x actions in a campaign or roster. Default: 4000000."},
    {.name = "max-open",
     .argument = "COUNT",
     .help = "At most this many open events in a campaign. Default: 10000000."},
    {.name = "max-bytes",
     .argument = "BYTES",
     .help = "At most this much memory for a campaign, and for all rosters together. Default: 4294967296."},
    {.name = "max-archived",
     .argument = "BYTES",
     .help = "At most this much memory that archived campaigns keep, before no more campaigns are created. Default: "
             "1073741824."},
    {.name = "accept-loss",
     .argument = "RECORDS",
     .help =
         "Start although exactly this number of records is missing at the end of the log, as the server printed when "
         "it refused to start; what is left of them is kept under names that begin with lost-."},
    {.name = "log",
     .argument = "errors|info|requests",
     .help = "What to log on stderr, as one JSON object per line. Default: info."},
    {.name = NULL},
};

const cli_command command_serve = {
    .name = "serve",
    .arguments = "[FILE...]",
    .summary = "make decisions over HTTP and learn from their rewards",
    .description =
        "Runs the decision service. Clients create campaigns, ask for decisions and send rewards as JSON over "
        "HTTP. Everything is recorded in an event log, from which the service is restored when it starts, and "
        "which `roster audit` checks. The page at / shows the campaigns live; /openapi.json describes all "
        "requests.\n\n"
        "Each FILE describes a campaign, as that of --campaign does: it is created if it does not exist yet.\n\n"
        "Ends on SIGTERM or SIGINT, after it has answered the requests that it accepted.",
    .examples = "roster serve  # on this machine, port 7700\n"
                "roster serve --campaign shop.json --data shop  # with a first campaign",
    .least = 0,
    .most = SIZE_MAX,
    .options = options,
    .run = run,
};
