/*
 * command_migrate.c: `roster migrate FROM TO`: copies a log of the decision service from a folder into a database, or
 * back.
 *
 * Paper: none.
 * Check: tests/cli/migrate.t, tests/http/replicas.py.
 */
#include "cli.h"
#include "common_error.h"
#include "store.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What can be copied row by row: nothing was dropped from it or erased in it. */
static int check_from(const cli_call *call, store *from)
{
    roster_error err;
    const store_cut *cut = store_cut_of(from);
    if (store_whole(from, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    if (cut->record > 0 || cut->snapshot > 0)
        return cli_fail(call,
                        "%s: records were dropped or erased, so that the log cannot be copied as it was written; "
                        "`roster export` writes what is left",
                        store_name(from));
    return 0;
}

/* What is there already must be how the other begins: a copy that was interrupted goes on. */
static int check_to(const cli_call *call, store *from, const store *to)
{
    store_end end = store_ends(to);
    store_row row = {0};
    roster_error err;
    bool found = false;
    if (end.last == 0)
        return 0;
    if (store_read(from, end.last, &row, &found, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    if (!found || row.first + row.count - 1 != end.last || row.checksum != end.checksum)
        return cli_fail(call, "%s has another log already: name an empty place", store_name(to));
    return 0;
}

static int copy_rows(store *from, store *to, cli_progress *progress, uint64_t *rows, roster_error *err)
{
    store_row row;
    bool found = true;
    int code = ROSTER_OK;
    while (code == ROSTER_OK && found) {
        code = store_read(from, store_last(to) + 1, &row, &found, err);
        if (code != ROSTER_OK || !found)
            break;
        if (row.first != store_last(to) + 1 || store_checksum(&row) != row.checksum)
            code =
                common_fail(err, ROSTER_EDAMAGED, "%.200s: the row of record %" PRIu64 " is damaged; run roster audit",
                            store_name(from), row.first);
        else
            code = store_append(to, &row, err);
        ++*rows;
        cli_progress_show(progress, store_last(to));
    }
    return code;
}

/* So that a server on it starts fast; without one it reads all records. */
static int copy_snapshot(store *from, store *to, roster_error *err)
{
    uint64_t number;
    void *bytes;
    size_t size;
    bool found;
    int code = store_snapshot_get(from, store_last(to), &number, &bytes, &size, &found, err);
    if (code == ROSTER_OK && found)
        code = store_snapshot_put(to, number, bytes, size, err);
    free(bytes);
    return code;
}

static int migrate(const cli_call *call, store *from, store *to)
{
    cli_progress progress;
    roster_error err;
    uint64_t rows = 0, before = store_last(to);
    int code = check_to(call, from, to);
    if (code != 0)
        return code;
    cli_progress_start(&progress, "records", store_last(from));
    code = copy_rows(from, to, &progress, &rows, &err);
    cli_progress_end(&progress);
    if (code == ROSTER_OK)
        code = copy_snapshot(from, to, &err);
    if (code != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    printf("%s: %" PRIu64 " records in %" PRIu64 " rows were copied; it ends with record %" PRIu64 "\n", store_name(to),
           store_last(to) - before, rows, store_last(to));
    return 0;
}

static int open_to(const cli_call *call, store *from, const store_key *key)
{
    const store_options writing = {.mode = STORE_DURABLE, .key = key};
    store *to;
    roster_error err;
    int code = check_from(call, from);
    if (code != 0)
        return code;
    code = store_open_with(&to, call->args[1], &writing, &err) == ROSTER_OK ? migrate(call, from, to)
                                                                            : cli_fail(call, "%s", err.msg);
    store_close(to);
    return code;
}

static int run(const cli_call *call)
{
    store *from;
    roster_error err;
    store_key key;
    const char *key_file = cli_value(call, "key");
    if (store_is_url(call->args[0]) == store_is_url(call->args[1])) {
        cli_fail(call, "one of FROM and TO must be a folder, and the other postgresql://...");
        return 2;
    }
    if (key_file != NULL && store_key_read(&key, key_file, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    const store_options reading = {.mode = STORE_READ, .key = key_file != NULL ? &key : NULL};
    int code = store_open_with(&from, call->args[0], &reading, &err) == ROSTER_OK ? open_to(call, from, reading.key)
                                                                                  : cli_fail(call, "%s", err.msg);
    store_close(from);
    return code;
}

static const cli_option options[] = {
    {.name = "key",
     .argument = "FILE",
     .help = "The key with which rows are signed: the copy's rows are signed with it from the first on."},
    {.name = NULL},
};

const cli_command command_migrate = {
    .name = "migrate",
    .arguments = "FROM TO",
    .summary = "copy the log of `roster serve` to PostgreSQL, or back",
    .description =
        "Copies all rows of an event log, byte for byte, and its newest snapshot. One of FROM and TO is a folder, the "
        "other a database, postgresql://USER@HOST/DATABASE; TO is empty, or what an interrupted copy left, which then "
        "goes on. FROM is not changed. Stop its server first: what it records afterwards is not in the copy.\n\n"
        "`roster audit TO` prints the head that `roster audit FROM` prints.",
    .examples = "roster migrate roster-data postgresql://roster@db/roster  # to a database\n"
                "roster migrate postgresql://roster@db/roster roster-data  # back",
    .least = 2,
    .most = 2,
    .options = options,
    .run = run,
};
