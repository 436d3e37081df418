/*
 * command_audit.c: `roster audit DIR`: replays a log of the decision service and derives all of it anew.
 *
 * Paper: none.
 * Check: tests/cli/audit.t, tests/http/durability.py.
 */
#include "cli.h"
#include "service.h"

#include <inttypes.h>
#include <stdio.h>

static bool show(void *context, uint64_t records)
{
    cli_progress_show(context, records);
    return true;
}

static int audit(const cli_call *call, store *log)
{
    service_audited audited;
    service_error err;
    roster_error wrong;
    cli_progress progress;
    const char *path = call->args[0];
    if (store_check(log, &wrong) != ROSTER_OK)
        return cli_fail(call, "%s", wrong.msg);
    cli_progress_start(&progress, "records", store_last(log));
    service_code code = service_audit(log, &audited, show, &progress, &err);
    cli_progress_end(&progress);
    if (code != SERVICE_OK)
        return cli_fail(call, "%s: %s", path, err.msg);
    printf("%s: %" PRIu64 " records, among them %" PRIu64 " decisions and %" PRIu64 " rewards, and %" PRIu64
           " snapshots agree\n",
           path, audited.records, audited.decisions, audited.rewards, audited.snapshots);
    return 0;
}

static int run(const cli_call *call)
{
    store *log;
    roster_error err;
    if (store_open(&log, call->args[0], STORE_READ, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    int code = audit(call, log);
    store_close(log);
    return code;
}

static const cli_option options[] = {{.name = NULL}};

const cli_command command_audit = {
    .name = "audit",
    .arguments = "DIR",
    .summary = "check the log of `roster serve` from its first record",
    .description =
        "Replays the event log in DIR through the library and derives every expert, action, propensity, reward and "
        "checksum anew. The first difference is named, with its record, campaign, event and field, and the exit code "
        "is then 1. A server may be running on DIR meanwhile.",
    .examples = "roster audit roster-data  # all agree, or what does not",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
