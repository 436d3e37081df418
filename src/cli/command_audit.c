/*
 * command_audit.c: `roster audit DIR`: replays a log of the decision service and derives all of it anew.
 *
 * Paper: none.
 * Check: tests/cli/audit.t, tests/http/durability.py.
 */
#include "cli.h"
#include "service.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool show(void *context, uint64_t records)
{
    cli_progress_show(context, records);
    return true;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Records up to the base are in the log, but only those after it can be derived anew. */
static void print_counts(const char *path, const service_audited *audited)
{
    uint64_t records = audited->head.records - audited->dropped;
    printf("%s: %" PRIu64 " record%s, ", path, records, plural(records));
    if (audited->base > 0)
        printf("%" PRIu64 " of them derived anew, ", audited->records);
    printf("among them %" PRIu64 " decision%s and %" PRIu64 " reward%s, and %" PRIu64 " snapshot%s agree\n",
           audited->decisions, plural(audited->decisions), audited->rewards, plural(audited->rewards),
           audited->snapshots, plural(audited->snapshots));
}

static void print(const char *path, const service_audited *audited, bool key)
{
    print_counts(path, audited);
    if (audited->dropped > 0)
        printf("records 1 to %" PRIu64 " were dropped by retention\n", audited->dropped);
    if (audited->erased > 0)
        printf("something was erased from %" PRIu64 " row%s, as the log says\n", audited->erased,
               plural(audited->erased));
    if (audited->base > 0)
        printf("replayed from base-%020" PRIu64 "\n", audited->base);
    if (audited->base > audited->dropped)
        printf("of records %" PRIu64 " to %" PRIu64 ", %" PRIu64 " in all, only the checksums were checked\n",
               audited->dropped + 1, audited->base, audited->base - audited->dropped);
    if (key)
        printf("the MAC%s of %" PRIu64 " row%s fit%s the key\n", plural(audited->macs), audited->macs,
               plural(audited->macs), audited->macs == 1 ? "s" : "");
    else if (audited->signed_rows > 0)
        printf("rows are signed with a key; give --key FILE to check that\n");
    printf("head %" PRIu64 ":", audited->head.records);
    for (size_t i = 0; i < STORE_HASH; i++)
        printf("%02x", audited->head.hash[i]);
    printf("\n");
}

static int audit(const cli_call *call, store *log, service_auditing *how)
{
    service_audited audited;
    service_error err;
    cli_progress progress;
    const char *path = store_is_url(call->args[0]) ? store_name(log) : call->args[0];
    cli_progress_start(&progress, "records", store_last(log));
    how->progress = show;
    how->context = &progress;
    service_code code = service_audit(log, how, &audited, &err);
    cli_progress_end(&progress);
    if (code != SERVICE_OK)
        return cli_fail(call, "%s: %s", path, err.msg);
    print(path, &audited, how->key != NULL);
    return 0;
}

static int digit(char letter)
{
    const char *digits = "0123456789abcdef", *at = letter != '\0' ? strchr(digits, letter) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* RECORDS:HEX, as the audit prints it. */
static bool read_head(const char *text, store_head *out)
{
    char *at;
    errno = 0;
    out->records = strtoull(text, &at, 10);
    if (text[0] < '0' || text[0] > '9' || errno != 0 || *at++ != ':' || strlen(at) != 2 * STORE_HASH)
        return false;
    for (size_t i = 0; i < STORE_HASH; i++) {
        int high = digit(at[2 * i]), low = digit(at[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        out->hash[i] = (unsigned char)(16 * high + low);
    }
    return true;
}

static int run(const cli_call *call)
{
    store *log;
    roster_error err;
    store_key key;
    store_head head;
    service_auditing how = {0};
    const char *key_file = cli_value(call, "key"), *expected = cli_value(call, "expect");
    if (expected != NULL && !read_head(expected, &head)) {
        cli_fail(call, "--expect is '%s', must be RECORDS:HEX as an earlier audit printed it", expected);
        return 2;
    }
    if (key_file != NULL && store_key_read(&key, key_file, &err) != ROSTER_OK)
        return cli_fail(call, "%s", err.msg);
    how.expect = expected != NULL ? &head : NULL;
    how.key = key_file != NULL ? &key : NULL;
    const store_options reading = {.mode = STORE_READ, .key = how.key};
    int code = store_open_with(&log, call->args[0], &reading, &err) == ROSTER_OK ? audit(call, log, &how)
                                                                                 : cli_fail(call, "%s", err.msg);
    store_close(log);
    return code;
}

static const cli_option options[] = {
    {.name = "expect",
     .argument = "RECORDS:HEX",
     .help = "The head that an earlier audit printed: fails if one of the records up to there was changed or removed."},
    {.name = "key",
     .argument = "FILE",
     .help =
         "The key with which the server signs rows: fails unless every row from the first signed one on fits it. The "
         "first signed row also covers the rows before it."},
    {.name = NULL},
};

const cli_command command_audit = {
    .name = "audit",
    .arguments = "DIR|URL",
    .summary = "check the log of `roster serve` from its first record",
    .description =
        "Replays the event log in DIR and computes every expert, action, propensity, reward and checksum again. "
        "Prints the first difference, with its record, campaign, event and field, and ends with exit code 1. The "
        "same holds if records are missing at the end of the log. A server may be running on DIR meanwhile, and "
        "DIR may be read-only. A log in PostgreSQL is named by its URL, postgresql://USER@HOST/DATABASE.\n\n"
        "The printed head is a SHA-256 of all records. Keep it in another place: with --expect, a later audit "
        "shows whether any of these records was changed or removed.",
    .examples = "roster audit roster-data  # check everything",
    .least = 1,
    .most = 1,
    .options = options,
    .run = run,
};
