/*
 * route_metrics.c: figures for Prometheus, in its text format: base units, one series per route, status or way to
 * decide, none per event.
 *
 * Paper: none.
 * Check: tests/http/metrics.py.
 */
#include "server_commits.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const double bounds[SERVER_BUCKETS] = {0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005,
                                              0.01,   0.025,   0.05,   0.1,   0.5,    2.5};

void server_measure(server_histogram *self, double seconds)
{
    size_t i = 0;
    while (i < SERVER_BUCKETS && seconds > bounds[i])
        i++;
    self->buckets[i]++;
    self->sum += seconds;
}

static void put_head(common_text *out, const char *name, const char *type, const char *help)
{
    const char *const words[] = {"# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        common_put_text(out, words[i]);
}

/* One series; labels are written "a=\"b\"", NULL: none. */
static void put_value(common_text *out, const char *name, const char *labels, double value)
{
    common_put_text(out, name);
    if (labels != NULL) {
        common_put_text(out, "{");
        common_put_text(out, labels);
        common_put_text(out, "}");
    }
    common_put_text(out, " ");
    common_put_number(out, value);
    common_put_text(out, "\n");
}

static void put_one(common_text *out, const char *name, const char *type, const char *help, double value)
{
    put_head(out, name, type, help);
    put_value(out, name, NULL, value);
}

static void put_histogram(common_text *out, const char *name, const char *labels, const server_histogram *h)
{
    char series[80], all[200];
    uint64_t sum = 0;
    snprintf(series, sizeof series, "%s_bucket", name);
    for (size_t i = 0; i <= SERVER_BUCKETS; i++) {
        sum += h->buckets[i];
        if (i < SERVER_BUCKETS)
            snprintf(all, sizeof all, "%s%sle=\"%g\"", labels != NULL ? labels : "", labels != NULL ? "," : "",
                     bounds[i]);
        else
            snprintf(all, sizeof all, "%s%sle=\"+Inf\"", labels != NULL ? labels : "", labels != NULL ? "," : "");
        put_value(out, series, all, (double)sum);
    }
    snprintf(series, sizeof series, "%s_sum", name);
    put_value(out, series, labels, h->sum);
    snprintf(series, sizeof series, "%s_count", name);
    put_value(out, series, labels, (double)sum);
}

static const char *route_name(size_t i)
{
    return i < server_n_routes ? server_routes[i].id : "none";
}

static bool was_asked(const server_measures *m, size_t i)
{
    uint64_t sum = 0;
    for (size_t s = 0; s < SERVER_STATUS_CLASSES; s++)
        sum += m->requests[i][s];
    return sum > 0;
}

static void put_http(common_text *out, const server_measures *m)
{
    char labels[120];
    put_head(out, "roster_http_requests_total", "counter",
             "Requests, by route and class of status; 4xx too where the client left before the request was whole.");
    for (size_t i = 0; i <= SERVER_ROUTES_MOST; i++)
        for (size_t s = 0; s < SERVER_STATUS_CLASSES; s++)
            if (m->requests[i][s] > 0) {
                snprintf(labels, sizeof labels, "route=\"%s\",status=\"%zuxx\"", route_name(i), s);
                put_value(out, "roster_http_requests_total", labels, (double)m->requests[i][s]);
            }
    put_head(
        out, "roster_http_request_duration_seconds", "histogram",
        "Time from a request's headers to its answer, or the end of a stream, by route; changes wait for the disk.");
    for (size_t i = 0; i <= SERVER_ROUTES_MOST; i++)
        if (was_asked(m, i)) {
            snprintf(labels, sizeof labels, "route=\"%s\"", route_name(i));
            put_histogram(out, "roster_http_request_duration_seconds", labels, &m->seconds[i]);
        }
    put_one(out, "roster_http_connections", "gauge", "Open connections.", (double)m->connections);
    put_one(out, "roster_http_streams", "gauge", "Streams of events being sent.", (double)m->streams);
    put_one(out, "roster_http_body_bytes", "gauge", "Memory held by bodies of requests.", (double)m->body_bytes);
    put_one(out, "roster_http_unsent_bytes", "gauge", "Memory held by answers that clients have not taken yet.",
            (double)m->unsent_bytes);
    put_one(out, "roster_http_rate_limited_total", "counter", "Requests refused because of the rate of their token.",
            (double)m->limited);
    put_one(out, "roster_log_lines_dropped_total", "counter", "Log lines dropped because stderr was not read in time.",
            (double)server_log_dropped());
}

static void put_counts(common_text *out, const service_counts *c)
{
    char label[40];
    put_head(out, "roster_decisions_total", "counter", "Decisions, by how the expert was chosen.");
    for (unsigned i = 0; i <= SERVICE_FALLBACK; i++) {
        snprintf(label, sizeof label, "how=\"%s\"", service_how_word(i));
        put_value(out, "roster_decisions_total", label, (double)c->how[i]);
    }
    put_one(out, "roster_decisions_repeated_total", "counter", "Decisions asked for again, since the server started.",
            (double)c->repeated);
    put_head(out, "roster_rewards_total", "counter", "Rewards received, by status.");
    for (int i = 0; i < SERVICE_STATUSES; i++) {
        snprintf(label, sizeof label, "status=\"%s\"", service_status_word((service_status)i));
        put_value(out, "roster_rewards_total", label, (double)c->rewards[i]);
    }
    put_one(out, "roster_events_learnt_total", "counter", "Decisions learnt from.", (double)c->learnt);
    put_one(out, "roster_events_defaulted_total", "counter", "Decisions learnt from with the default reward.",
            (double)c->defaulted);
    put_one(out, "roster_events_unlearnt_total", "counter", "Decisions closed without being learnt from.",
            (double)c->unlearnt);
    put_one(out, "roster_events_crowded_total", "counter", "Decisions closed early because of events_most.",
            (double)c->crowded);
    put_one(out, "roster_events_unacted_total", "counter", "Decisions closed before it was said what was done.",
            (double)c->unacted);
    put_one(out, "roster_events_observed_total", "counter", "Decisions of others that were watched.",
            (double)c->observed);
    put_one(out, "roster_rewards_clipped_total", "counter", "Rewards that brought a sum outside the range.",
            (double)c->clipped);
    put_one(out, "roster_decisions_forgotten_total", "counter", "Decisions of an event_id that had been forgotten.",
            (double)c->forgotten);
    put_one(out, "roster_episodes_total", "counter", "Episodes started.", (double)c->episodes);
    put_head(out, "roster_alarms_total", "counter", "Episodes started by alarms, by what had changed.");
    put_value(out, "roster_alarms_total", "what=\"contexts\"", (double)c->alarms[0]);
    put_value(out, "roster_alarms_total", "what=\"rewards\"", (double)c->alarms[1]);
    put_one(out, "roster_events_open", "gauge", "Decisions waiting for rewards.", (double)c->open);
    put_one(out, "roster_events_remembered", "gauge", "Closed decisions still known.", (double)c->remembered);
    put_one(out, "roster_learnt_reward_total", "counter", "Sum of learnt rewards, mapped to 0 to 1.", c->reward);
}

static double largest_bytes(const service *engine)
{
    const service_campaign *c;
    uint64_t largest = 0;
    for (size_t i = 0; (c = service_campaign_at(engine, i)) != NULL; i++) {
        uint64_t bytes = service_campaign_bytes(c);
        largest = bytes > largest ? bytes : largest;
    }
    return (double)largest;
}

static void put_limits(common_text *out, const service *engine)
{
    static const char *const names[SERVICE_QUOTAS] = {
        [SERVICE_QUOTA_CAMPAIGNS] = "limit=\"campaigns\"", [SERVICE_QUOTA_ROSTERS] = "limit=\"rosters\"",
        [SERVICE_QUOTA_CELLS] = "limit=\"cells\"",         [SERVICE_QUOTA_EVENTS] = "limit=\"open\"",
        [SERVICE_QUOTA_BYTES] = "limit=\"bytes\"",         [SERVICE_QUOTA_ARCHIVED] = "limit=\"archived\"",
    };
    const service_limits *limits = service_limits_of(engine);
    const uint64_t most[SERVICE_QUOTAS] = {limits->campaigns, limits->rosters, limits->cells,
                                           limits->events,    limits->bytes,   limits->archived};
    put_head(out, "roster_limit", "gauge",
             "Limits: of campaigns and rosters; of cells, open events and bytes per campaign; of bytes that archived "
             "campaigns keep.");
    for (int i = 0; i < SERVICE_QUOTAS; i++)
        put_value(out, "roster_limit", names[i], (double)most[i]);
    put_head(out, "roster_limit_refusals_total", "counter",
             "Requests refused because of a limit, since the server started.");
    for (int i = 0; i < SERVICE_QUOTAS; i++)
        put_value(out, "roster_limit_refusals_total", names[i], (double)service_refused(engine, (service_quota)i));
    put_one(out, "roster_campaign_largest_bytes", "gauge", "Memory of the campaign that takes most of it.",
            largest_bytes(engine));
    put_one(out, "roster_archived_bytes", "gauge", "Memory that archived campaigns keep, about.",
            (double)service_archived_bytes(engine));
}

/* Of a log that other servers append to, too. */
static void put_turns(common_text *out, const server *self)
{
    const server_measures *m = &self->measures;
    if (self->turns == NULL)
        return;
    put_one(out, "roster_turns_total", "counter", "Turns taken on the shared log.", (double)m->turns);
    put_one(out, "roster_followed_records_total", "counter", "Records of other servers that were folded.",
            (double)m->followed);
    put_one(out, "roster_replica_lag_seconds", "gauge", "Time since this server knew where the log ends.",
            server_turns_lag(self));
    put_one(out, "roster_replicas_active", "gauge", "Servers that wrote to the log within the last minute.",
            (double)self->state.writers);
    put_one(out, "roster_commits_found_total", "counter",
            "Transactions that were not acknowledged and turned out to be in the log.", (double)m->commits_found);
    put_one(out, "roster_rebuilds_total", "counter", "Times that the state was made anew from the database.",
            (double)m->rebuilds);
    put_one(out, "roster_records_lost_total", "counter", "Records that this server knew and the database lost.",
            (double)m->records_lost);
}

static void put_store(common_text *out, const server *self)
{
    const server_measures *m = &self->measures;
    put_one(out, "roster_store_up", "gauge", "1 if the last commit succeeded.", !service_failed(self->engine));
    put_one(out, "roster_store_bytes", "gauge", "Size of the log on disk.", (double)self->state.bytes);
    put_one(out, "roster_store_records", "gauge", "Records in the log.", (double)self->state.records);
    put_one(out, "roster_store_snapshot_record", "gauge",
            "The record of the last snapshot; later ones are replayed at "
            "the next start.",
            (double)self->state.snapshot);
    put_one(out, "roster_store_pending_records", "gauge", "Records not yet durable.",
            (double)service_pending(self->engine));
    put_one(out, "roster_commits_total", "counter", "Transactions written.", (double)m->commits);
    put_one(out, "roster_commit_records_total", "counter", "Records in committed transactions.",
            (double)m->commit_records);
    put_one(out, "roster_commit_failures_total", "counter", "Transactions that could not be written.",
            (double)m->commit_failures);
    put_head(out, "roster_commit_duration_seconds", "histogram", "Time to make a transaction durable.");
    put_histogram(out, "roster_commit_duration_seconds", NULL, &m->commit);
    put_turns(out, self);
    put_one(out, "roster_store_dropped_record", "gauge", "The last record that retention dropped, 0: none.",
            (double)service_dropped(self->engine));
    put_one(out, "roster_records_dropped_total", "counter", "Records that retention dropped, since the server started.",
            (double)m->dropped);
    put_one(out, "roster_retention_failures_total", "counter", "Times that retention failed and dropped nothing.",
            (double)m->retention_failures);
    put_one(out, "roster_snapshots_total", "counter", "Snapshots written.", (double)m->snapshots);
    put_one(out, "roster_snapshot_failures_total", "counter", "Snapshots that could not be written.",
            (double)m->snapshot_failures);
    put_one(out, "roster_clock_offset_seconds", "gauge", "How far the server's time is ahead of the machine's clock.",
            server_time_ahead(self));
    put_one(out, "roster_clock_steps_total", "counter", "Steps of the machine's clock, since the server started.",
            (double)self->time.steps);
}

static double resident_bytes(void)
{
    unsigned long pages = 0, all = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file != NULL && fscanf(file, "%lu %lu", &all, &pages) != 2)
        pages = 0;
    if (file != NULL)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static double open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    double n = -3; /* . and .. and the folder itself */
    while (folder != NULL && readdir(folder) != NULL)
        n++;
    if (folder != NULL)
        closedir(folder);
    return n > 0 ? n : 0;
}

static void put_process(common_text *out, const server *self)
{
    struct rusage used;
    struct rlimit files;
    getrusage(RUSAGE_SELF, &used);
    getrlimit(RLIMIT_NOFILE, &files);
    put_one(out, "process_cpu_seconds_total", "counter", "Processor time used.",
            (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec));
    put_one(out, "process_resident_memory_bytes", "gauge", "Memory in use.", resident_bytes());
    put_one(out, "process_open_fds", "gauge", "Open files and sockets.", open_files());
    put_one(out, "process_max_fds", "gauge", "The most open files and sockets allowed.", (double)files.rlim_cur);
    put_one(out, "process_start_time_seconds", "gauge", "When the server started, since 1970.",
            (double)self->started * 1e-6);
}

void server_get_metrics(server *self, server_request *q)
{
    char version[60];
    service_counts counts;
    service_count(self->engine, NULL, &counts);
    snprintf(version, sizeof version, "version=\"%s\"", roster_version());
    q->status = 200;
    q->type = "text/plain; version=0.0.4; charset=utf-8";
    put_head(&q->text, "roster_build_info", "gauge", "1; the label says which version runs.");
    put_value(&q->text, "roster_build_info", version, 1);
    put_one(&q->text, "roster_campaigns", "gauge", "Campaigns, archived ones included.",
            (double)service_campaign_count(self->engine));
    put_one(&q->text, "roster_campaigns_live", "gauge", "Campaigns that take requests.",
            (double)service_campaign_count_live(self->engine));
    put_limits(&q->text, self->engine);
    put_counts(&q->text, &counts);
    put_store(&q->text, self);
    put_http(&q->text, &self->measures);
    put_process(&q->text, self);
}

enum { EXPERTS = 10, EXPERTS_MOST = 20 }; /* a campaign of more has no series per expert */

/* Figures of campaigns, one family at a time, as the format wants it. */
static const struct {
    const char *name, *type, *help;
    int which; /* of the values below; -1: rewards by status; EXPERTS: of each expert, the value and its interval */
} families[] = {
    {"roster_campaign_decisions_total", "counter", "Decisions of a campaign.", 0},
    {"roster_campaign_rewards_total", "counter", "Rewards received, by status.", -1},
    {"roster_campaign_events_learnt_total", "counter", "Decisions learnt from.", 1},
    {"roster_campaign_events_open", "gauge", "Decisions waiting for rewards.", 2},
    {"roster_campaign_learnt_reward_total", "counter", "Sum of learnt rewards.", 3},
    {"roster_campaign_bytes", "gauge", "Memory of a campaign.", 4},
    {"roster_campaign_expert_value", "gauge", "Mean reward, had the expert made every decision.", EXPERTS},
    {"roster_campaign_expert_low", "gauge", "Lower end of the interval of that value.", EXPERTS + 1},
    {"roster_campaign_expert_high", "gauge", "Upper end of the interval of that value.", EXPERTS + 2},
};

/* As the value of a label. */
static void put_escaped(common_text *out, const char *words)
{
    for (; *words != '\0'; words++) {
        if (*words == '\\' || *words == '"')
            common_put_text(out, "\\");
        if (*words == '\n')
            common_put_text(out, "\\n");
        else
            common_put(out, words, 1);
    }
}

static void put_experts(common_text *out, const service_campaign *c, size_t family)
{
    double figures[3];
    const char *expert;
    for (size_t k = 0; (expert = service_expert(c, k, EXPERTS_MOST, figures)) != NULL; k++) {
        common_put_text(out, families[family].name);
        common_put_text(out, "{campaign=\"");
        common_put_text(out, service_campaign_name(c));
        common_put_text(out, "\",expert=\"");
        put_escaped(out, expert);
        common_put_text(out, "\"} ");
        common_put_number(out, figures[families[family].which - EXPERTS]);
        common_put_text(out, "\n");
    }
}

static void put_campaign(const service *engine, common_text *out, const service_campaign *c, size_t family)
{
    const char *name = service_campaign_name(c);
    char labels[140];
    service_counts n;
    if (service_campaign_find(engine, name, strlen(name)) != c)
        return; /* a name that another has now */
    service_count(engine, c, &n);
    const double values[] = {(double)n.decisions, (double)n.learnt, (double)n.open, n.reward,
                             (double)service_campaign_bytes(c)};
    snprintf(labels, sizeof labels, "campaign=\"%s\"", name);
    if (families[family].which >= EXPERTS)
        put_experts(out, c, family);
    else if (families[family].which >= 0)
        put_value(out, families[family].name, labels, values[families[family].which]);
    for (int s = 0; families[family].which < 0 && s < SERVICE_STATUSES; s++) {
        snprintf(labels, sizeof labels, "campaign=\"%s\",status=\"%s\"", name, service_status_word((service_status)s));
        put_value(out, families[family].name, labels, (double)n.rewards[s]);
    }
}

bool server_put_campaign_metrics(const server *self, size_t family, size_t from, size_t most, common_text *out)
{
    const service_campaign *c;
    if (family >= sizeof families / sizeof *families)
        return false;
    if (from == 0)
        put_head(out, families[family].name, families[family].type, families[family].help);
    for (size_t i = from; i - from < most && (c = service_campaign_at(self->engine, i)) != NULL; i++)
        put_campaign(self->engine, out, c, family);
    return true;
}
