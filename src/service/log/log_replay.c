/*
 * log_replay.c: a log turned back into state; and the audit, which also derives every record anew and compares.
 *
 * Paper: none.
 *
 * The audit looks at every row's checksum and at every record's own, so that a changed bit is named by its record; and
 * it does not trust them: expert, action, propensity, status and learnt reward are computed from what came before.
 * Snapshots must be the bytes that the replayed state gives. What everyone can compute anew proves nothing about who
 * wrote it: for that there are MACs and heads, which are checked row by row.
 *
 * A row of which something was erased must have the content that an erase record in the log names by its hash. It
 * cannot be replayed: such a log is replayed from a base after that record, and before it only the chain of rows is
 * checked.
 *
 * Cost: that of deciding and learning, without JSON and without the disk's writing.
 * Check: tests/unit/test_service_audit.c: every_bit_is_named.
 */
#include "log_erase.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "record 12 (decide, campaign shop, event 7): SENTENCE" */
static service_code place(const service *self, uint64_t number, const service_record *r, service_error *err)
{
    char about[200] = "", words[480], id[SERVICE_ID_MOST + 1];
    if (err == NULL)
        return SERVICE_DAMAGED;
    bool known = r->kind > 0 && r->kind < SERVICE_KINDS;
    bool has = service_kind_has_campaign(r->kind) && r->campaign < self->n_campaigns;
    bool event = service_kind_has_event(r->kind);
    size_t used = known ? (size_t)snprintf(about, sizeof about, " (%s", service_kind_word(r->kind)) : 0;
    if (has)
        used +=
            (size_t)snprintf(about + used, sizeof about - used, ", campaign %s", self->campaigns[r->campaign]->name);
    service_record_id(r, id);
    if (event && id[0] != '\0')
        used += (size_t)snprintf(about + used, sizeof about - used, ", event %.60s", id);
    snprintf(words, sizeof words, "%s", err->msg);
    return service_fail(err, err->code, "record %llu%s%s: %.240s", (unsigned long long)number, about, known ? ")" : "",
                        words);
}

/* The campaign and event that a record is about, for the audit's report. */
static void note(const service *self, const service_record *r, service_audited *out)
{
    if (service_kind_has_campaign(r->kind) && r->campaign < self->n_campaigns)
        snprintf(out->campaign, sizeof out->campaign, "%s", self->campaigns[r->campaign]->name);
    if (service_kind_has_event(r->kind))
        service_record_id(r, out->event);
}

/* A row of which something was erased. */
typedef struct erased_row {
    store_rewrite is; /* what it is now                   */
    bool vouched;     /* an erase record says the same    */
} erased_row;

/* What an audit carries from record to record. */
typedef struct auditor {
    service_audited *out;
    store_cut cut;      /* where the log begins */
    bool vouched;       /* a drop record says so */
    erased_row *erased; /* owned, [n_erased], in the order of the log */
    size_t n_erased, erased_room;
    bool erases;              /* there is an erase record */
    const store_head *expect; /* NULL: none */
    store_macs macs;
    struct {
        uint64_t number; /* 0: none */
        void *bytes;     /* owned   */
        size_t size;
    } snapshots[2];
} auditor;

/* The snapshot that stands for this state, if there is one, is equal to it. */
static service_code compare_snapshot(service *self, auditor *by, size_t i, service_error *err)
{
    void *bytes = NULL;
    size_t size = 0;
    uint64_t number;
    if (!service_snapshot_is_current(by->snapshots[i].bytes, by->snapshots[i].size))
        return SERVICE_OK; /* of roster 0.1, which kept less: it is passed over at a start too */
    service_code code = service_snapshot_take(self, &bytes, &size, &number, err);
    bool same = size == by->snapshots[i].size && bytes != NULL && memcmp(bytes, by->snapshots[i].bytes, size) == 0;
    free(bytes);
    by->out->snapshots++;
    if (code != SERVICE_OK || same)
        return code;
    self->field = "snapshot";
    return service_fail(err, SERVICE_DAMAGED, "the snapshot after it is not the state of the log there");
}

static service_code note_erased(auditor *by, const store_row *row, service_error *err)
{
    if (!common_grow(&by->erased, &by->erased_room, by->n_erased + 1, sizeof *by->erased))
        return service_no_memory(err);
    erased_row *to = &by->erased[by->n_erased++];
    *to = (erased_row){.is = {.first = row->first}};
    store_digest(row->records, row->size, to->is.digest);
    by->out->erased++;
    return SERVICE_OK;
}

/* What an erase record says of the rows before it. */
static void vouch_for_rows(auditor *by, const service_record *r)
{
    by->erases = true;
    for (size_t i = 0; i < service_erase_rows(r); i++) {
        store_rewrite says;
        service_erase_row(r, i, &says);
        for (size_t j = 0; j < by->n_erased; j++)
            if (by->erased[j].is.first == says.first && memcmp(by->erased[j].is.digest, says.digest, STORE_HASH) == 0)
                by->erased[j].vouched = true;
    }
}

/* What gives a reason for what is missing, also where it is only read: an erasure moves the base past a drop record. */
static void vouch(auditor *by, const service_record *r)
{
    if (r->kind == SERVICE_RECORD_ERASE)
        vouch_for_rows(by, r);
    else if (r->kind == SERVICE_RECORD_DROP && r->decision == by->cut.record && r->text_size == STORE_HASH)
        by->vouched = memcmp(r->text, by->cut.head, STORE_HASH) == 0;
}

/* A record that was replayed is counted, one that differs is written down. */
static service_code audited(service *self, auditor *by, const service_record *r, service_code code, service_error *err)
{
    service_audited *out = by->out;
    for (size_t i = 0; i < 2 && code == SERVICE_OK; i++)
        if (by->snapshots[i].number == r->number)
            code = compare_snapshot(self, by, i, err);
    if (code == SERVICE_OK) {
        out->records++;
        out->decisions += service_kind_begins(r->kind) && r->kind != SERVICE_RECORD_OBSERVED;
        out->rewards += r->kind == SERVICE_RECORD_REWARD;
        return code;
    }
    out->number = r->number;
    note(self, r, out);
    snprintf(out->field, sizeof out->field, "%s", self->field != NULL ? self->field : "");
    return code;
}

static service_code replay(service *self, const store_row *row, uint64_t from, auditor *by, service_error *err)
{
    size_t used = 0;
    service_code code = SERVICE_OK;
    for (uint64_t i = 0; i < row->count && code == SERVICE_OK; i++) {
        service_record r;
        code = service_record_decode(row->records, row->size, &used, &self->parts, &r, err);
        r.number = row->first + i;
        if (code == SERVICE_OK && by != NULL)
            vouch(by, &r);
        if (code == SERVICE_OK && r.number < from)
            continue;
        if (code == SERVICE_OK)
            code = service_apply(self, &r, err);
        if (code == SERVICE_OK)
            self->last = r.number;
        if (by != NULL)
            code = audited(self, by, &r, code, err);
        if (code != SERVICE_OK && code != SERVICE_MEMORY)
            code = place(self, r.number, &r, err);
    }
    if (code == SERVICE_OK && used != row->size)
        return service_fail(err, SERVICE_DAMAGED, "the row of record %llu has more bytes than records",
                            (unsigned long long)row->first);
    return code;
}

/* A row that follows what was read. */
static service_code check_row(const store_row *row, uint64_t next, service_error *err)
{
    if (row->first > next)
        return service_fail(err, SERVICE_DAMAGED, "record %llu is missing: the next row begins with %llu",
                            (unsigned long long)next, (unsigned long long)row->first);
    if (row->digest == NULL && store_checksum(row) != row->checksum)
        return service_fail(err, SERVICE_DAMAGED, "the row of records %llu to %llu: its checksum does not fit",
                            (unsigned long long)row->first, (unsigned long long)(row->first + row->count - 1));
    return SERVICE_OK;
}

service_code service_replay_row(service *self, const store_row *row, uint64_t from, service_error *err)
{
    service_code code = check_row(row, from, err);
    if (code == SERVICE_OK && row->digest != NULL)
        code = service_fail(err, SERVICE_DAMAGED,
                            "something in records %llu to %llu was erased, and the snapshot that stands for them is "
                            "missing or damaged: restore a backup",
                            (unsigned long long)row->first, (unsigned long long)(row->first + row->count - 1));
    return code == SERVICE_OK ? replay(self, row, from, NULL, err) : code;
}

/* The MAC of a row that is intact otherwise, and the head after it. */
static service_code audit_chain(const store_row *row, auditor *by, service_error *err)
{
    roster_error wrong;
    store_head *head = &by->out->head;
    int code = store_macs_add(&by->macs, head, row, &wrong);
    by->out->signed_rows = by->macs.rows;
    by->out->macs = by->macs.rows - by->cut.signed_rows;
    if (code != ROSTER_OK) {
        by->out->number = row->first;
        snprintf(by->out->field, sizeof by->out->field, "mac");
        return service_pass(&wrong, SERVICE_DAMAGED, err);
    }
    store_head_add(head, row);
    const store_head *expect = by->expect;
    if (expect == NULL || head->records < expect->records || row->first > expect->records)
        return SERVICE_OK;
    if (head->records == expect->records && memcmp(head->hash, expect->hash, STORE_HASH) == 0)
        return SERVICE_OK;
    by->out->number = row->first;
    snprintf(by->out->field, sizeof by->out->field, "head");
    return service_fail(err, SERVICE_DAMAGED,
                        "the head after record %llu is not the one that is expected: a record up to there was changed",
                        (unsigned long long)expect->records);
}

/* Whether what is missing is missing for a reason that the log gives. */
static service_code audit_reasons(const auditor *by, service_error *err)
{
    const store_cut *cut = &by->cut;
    if (cut->record > 0 && !by->vouched)
        return service_fail(err, SERVICE_DAMAGED,
                            "records up to %llu are missing, but no record says that they were dropped",
                            (unsigned long long)cut->record);
    if (cut->record == 0 && cut->snapshot > 0 && !by->erases)
        return service_fail(err, SERVICE_DAMAGED, "there is a base, but no record says that something was erased");
    for (size_t i = 0; i < by->n_erased; i++)
        if (!by->erased[i].vouched) {
            by->out->number = by->erased[i].is.first;
            snprintf(by->out->field, sizeof by->out->field, "erased");
            return service_fail(err, SERVICE_DAMAGED,
                                "the row of record %llu was changed, and is not what an erase record says",
                                (unsigned long long)by->erased[i].is.first);
        }
    return SERVICE_OK;
}

/* What can be said when all rows were read. */
static service_code audit_end(const service *self, const store *log, const auditor *by, service_error *err)
{
    roster_error wrong;
    if (by->macs.key != NULL && by->macs.rows == 0)
        return service_fail(err, SERVICE_DAMAGED, "no row is signed, though a key was given");
    const store_cut *cut = &by->cut;
    service_code code = audit_reasons(by, err);
    if (code != SERVICE_OK)
        return code;
    if (by->expect != NULL &&
        (by->expect->records < cut->record || (by->expect->records == cut->record && cut->record > 0 &&
                                               memcmp(by->expect->hash, cut->head, STORE_HASH) != 0)))
        return service_fail(err, SERVICE_DAMAGED,
                            "the head after record %llu cannot be compared: records up to %llu were dropped",
                            (unsigned long long)by->expect->records, (unsigned long long)cut->record);
    if (by->expect != NULL && by->expect->records > self->last)
        return service_fail(err, SERVICE_DAMAGED, "the log ends with record %llu, but is expected to reach %llu",
                            (unsigned long long)self->last, (unsigned long long)by->expect->records);
    return store_whole(log, &wrong) == ROSTER_OK ? SERVICE_OK : service_pass(&wrong, SERVICE_DAMAGED, err);
}

/* A row whose checksum is wrong is replayed all the same: what differs in it is a better answer. */
static service_code audit_row(service *self, const store_row *row, uint64_t next, auditor *by, service_error *err)
{
    service_error whole = {0};
    service_code intact = check_row(row, next, &whole);
    if (intact == SERVICE_OK && row->first < next)
        intact =
            service_fail(&whole, SERVICE_DAMAGED, "record %llu is in the log twice", (unsigned long long)row->first);
    /* What comes before the base is only read: the state it was applied to is gone. */
    bool known = next <= by->cut.snapshot;
    service_code code = row->digest != NULL ? note_erased(by, row, err) : SERVICE_OK;
    if (code == SERVICE_OK)
        code = replay(self, row, known ? by->cut.snapshot + 1 : row->first, by, err);
    if (code != SERVICE_OK)
        return code;
    if (intact == SERVICE_OK)
        return audit_chain(row, by, err);
    by->out->number = row->first;
    snprintf(by->out->field, sizeof by->out->field, "checksum");
    *err = whole;
    return intact;
}

/* The two snapshots that the store keeps. */
static service_code load_snapshots(store *log, auditor *by, service_error *err)
{
    uint64_t most = store_last(log);
    for (size_t i = 0; i < 2; i++) {
        roster_error wrong;
        bool found;
        if (store_snapshot_get(log, most, &by->snapshots[i].number, &by->snapshots[i].bytes, &by->snapshots[i].size,
                               &found, &wrong) != ROSTER_OK)
            return service_pass(&wrong, SERVICE_DAMAGED, err);
        if (!found)
            by->snapshots[i].number = 0;
        if (by->snapshots[i].number == 0)
            break;
        most = by->snapshots[i].number - 1;
    }
    return SERVICE_OK;
}

/* A log whose beginning was dropped is replayed from the state that stands for it. */
static service_code load_base(service *self, store *log, auditor *by, service_error *err)
{
    void *bytes;
    size_t size;
    uint64_t number = 0;
    bool found;
    roster_error wrong;
    const store_cut *cut = &by->cut;
    if (store_snapshot_get(log, cut->snapshot, &number, &bytes, &size, &found, &wrong) != ROSTER_OK)
        return service_pass(&wrong, SERVICE_DAMAGED, err);
    service_code code = found ? service_restore(self, bytes, size, err) : SERVICE_OK;
    free(bytes);
    if (code == SERVICE_OK && (!found || number != cut->snapshot || self->last != number))
        code = service_fail(err, SERVICE_DAMAGED,
                            "records were dropped or erased, and base-%020llu, which stands for them, is missing or "
                            "damaged",
                            (unsigned long long)cut->snapshot);
    by->out->dropped = cut->record;
    by->out->base = cut->snapshot;
    by->out->head.records = cut->record;
    memcpy(by->out->head.hash, cut->head, STORE_HASH);
    by->macs.rows = cut->signed_rows;
    memcpy(by->macs.link, cut->link, STORE_HASH);
    return code;
}

static service_code audit_all(service *self, store *log, auditor *by, const service_auditing *how, service_error *err)
{
    service_code code = load_snapshots(log, by, err);
    bool found = true;
    uint64_t next = by->cut.record + 1;
    if (code == SERVICE_OK && by->cut.snapshot > 0)
        code = load_base(self, log, by, err);
    while (code == SERVICE_OK && found) {
        store_row row;
        roster_error wrong;
        if (store_read(log, next, &row, &found, &wrong) != ROSTER_OK)
            code = service_pass(&wrong, SERVICE_DAMAGED, err);
        else if (found)
            code = audit_row(self, &row, next, by, err);
        next = code == SERVICE_OK && found ? row.first + row.count : next;
        if (how->progress != NULL && !how->progress(how->context, by->out->records))
            return code;
    }
    return code == SERVICE_OK ? audit_end(self, log, by, err) : code;
}

static service_code audit_once(store *log, const service_auditing *how, const store_cut *cut, service_audited *out,
                               service_error *err)
{
    service *self;
    auditor by = {.out = out, .cut = *cut, .expect = how->expect, .macs = {.key = how->key}};
    *out = (service_audited){0};
    service_code code = service_create(&self, err);
    if (code == SERVICE_OK) {
        self->verify = true;
        code = audit_all(self, log, &by, how, err);
    }
    free(by.snapshots[0].bytes);
    free(by.snapshots[1].bytes);
    free(by.erased);
    service_free(self);
    return code;
}

service_code service_audit(store *log, const service_auditing *how, service_audited *out, service_error *err)
{
    static const service_auditing plain;
    roster_error wrong;
    service_error local;
    store_cut cut;
    service_code code;
    *out = (service_audited){0};
    err = err != NULL ? err : &local;
    if (store_check(log, &wrong) != ROSTER_OK)
        return service_pass(&wrong, SERVICE_DAMAGED, err);
    do { /* rows that a server drops or changes while they are read: begin again where the log begins now */
        store_cut_read(log);
        cut = *store_cut_of(log);
        code = audit_once(log, how != NULL ? how : &plain, &cut, out, err);
        store_cut_read(log);
    } while (code == SERVICE_DAMAGED &&
             (store_cut_of(log)->record != cut.record || store_cut_of(log)->snapshot != cut.snapshot));
    return code;
}
