/*
 * command_repair.c: `roster repair clock DIR`: sets the time of a log back that a wrong clock took into the future.
 *
 * Paper: none.
 * Check: tests/cli/repair.t.
 */
#include "cli.h"
#include "service.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t wall_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

/* "DIR: the last record is of 2026-01-31T23:59:59.000000Z, 2:00:00 ahead of this machine's clock; 12 events are
   open" */
static int report(const cli_call *call, const service *self, int64_t wall)
{
    common_text at = {0};
    service_counts counts;
    char room[48];
    service_count(self, NULL, &counts);
    common_put_time(&at, service_now(self));
    if (at.failed)
        return cli_fail(call, "out of memory");
    printf("%s: the last record is of %.*s, %s ahead of this machine's clock; %" PRIu64 " %s open\n", call->args[1],
           (int)at.used - 2, at.data + 1, cli_duration((double)(service_now(self) - wall) * 1e-6, room, sizeof room),
           counts.open, counts.open == 1 ? "event is" : "events are");
    common_text_free(&at);
    return 0;
}

static int repair(const cli_call *call, store *log, service *self)
{
    service_error err;
    int64_t wall = wall_clock();
    if (service_now(self) <= wall) {
        printf("%s: the last record is not in the future; nothing to repair\n", call->args[1]);
        return 0;
    }
    int code = report(call, self, wall);
    if (code == 0 && cli_value(call, "yes") == NULL) {
        printf("nothing was changed; give --yes to set the log's time back to this machine's clock\n");
        return 0;
    }
    if (code == 0 && service_set_back(self, wall, &err) != SERVICE_OK)
        code = cli_fail(call, "%s", err.msg);
    if (code == 0 && service_commit(self, log, wall, &err) != SERVICE_OK)
        code = cli_fail(call, "%s", err.msg);
    if (code == 0)
        printf("set back; open windows last as long as planned\n");
    return code;
}

static int open_and_repair(const cli_call *call, store *log)
{
    service *self;
    service_error err;
    int code = service_open(&self, log, &err) == SERVICE_OK ? repair(call, log, self) : cli_fail(call, "%s", err.msg);
    service_free(self);
    return code;
}

static int run(const cli_call *call)
{
    store *log;
    roster_error wrong;
    store_key key;
    const char *key_file = cli_value(call, "key");
    if (strcmp(call->args[0], "clock") != 0) {
        cli_fail(call, "'%s' cannot be repaired, must be clock", call->args[0]);
        return 2;
    }
    if (key_file != NULL && store_key_read(&key, key_file, &wrong) != ROSTER_OK)
        return cli_fail(call, "%s", wrong.msg);
    store_options options = {.mode = cli_value(call, "yes") != NULL ? STORE_DURABLE : STORE_READ,
                             .key = key_file != NULL ? &key : NULL};
    if (store_open_with(&log, call->args[1], &options, &wrong) != ROSTER_OK)
        return cli_fail(call, "%s", wrong.msg);
    int code = store_whole(log, &wrong) == ROSTER_OK ? open_and_repair(call, log) : cli_fail(call, "%s", wrong.msg);
    store_close(log);
    return code;
}

static const cli_option options[] = {
    {.name = "yes", .help = "Write the record; without this option, only print what would be done."},
    {.name = "key", .argument = "FILE", .help = "The key with which the rows are signed, if they are."},
    {.name = NULL},
};

const cli_command command_repair = {
    .name = "repair",
    .arguments = "clock DIR",
    .summary = "set back the time of a log whose last record lies in the future",
    .description =
        "A server whose clock was ahead leaves a log whose last record lies in the future. A new server then "
        "continues from that time, 10% slower, until the machine's clock has caught up. This command sets the time "
        "of the log back at once: it writes a record that says so, and open windows move with it. `roster audit` "
        "accepts that record. Stop the server on DIR first, and make sure that the machine's clock is right.",
    .examples = "roster repair clock roster-data  # what it would do\n"
                "roster repair clock roster-data --yes  # do it",
    .least = 2,
    .most = 2,
    .options = options,
    .run = run,
};
