/*
 * routes.c: the one table of what can be asked: dispatch, refusals and /openapi.json come from it.
 *
 * Paper: none.
 * Cost: one comparison of texts per route.
 * Check: tests/http/openapi.py asks for everything in it.
 */
#include "server_erase.h"

#include <stdio.h>
#include <string.h>

#define CAMPAIGN "/v1/campaigns/{campaign}"
#define ROSTER "/v1/rosters/{roster}"
#define EVENTS_QUERY                                                                                                   \
    "after:Only records after this one.|limit:At most this many lines, fewer where they are long, all at once and "    \
    "with the header Roster-Next, from which the next request goes on; without it everything is streamed."

const server_route server_routes[] = {
    {"GET", "/v1/campaigns", SERVER_ADMIN, false, server_get_campaigns, "listCampaigns", "All campaigns, in short.",
     NULL, "Campaigns", "200", NULL},
    {"POST", "/v1/campaigns", SERVER_ADMIN, true, server_post_campaign, "createCampaign",
     "Create a campaign. The same description again changes nothing and is answered with 200.", "CampaignDescription",
     "Campaign", "200 201 409 422", NULL},
    {"GET", CAMPAIGN, SERVER_ADMIN, false, server_get_campaign, "getCampaign",
     "Everything about a campaign: description, controls, counters, episodes and insight.", NULL, "Campaign", "200 404",
     NULL},
    {"DELETE", CAMPAIGN, SERVER_ADMIN, true, server_delete_campaign, "archiveCampaign",
     "Archive a campaign: it takes no more requests, but can still be read.", NULL, "Campaign", "200 404", NULL},
    {"POST", CAMPAIGN "/decide", SERVER_CLIENT, true, server_post_decide, "decide",
     "Decide: one request, or a list of them. The same event_id again gives the same decision.", "DecideBody",
     "DecideAnswer", "200 404 409 410 422", NULL},
    {"POST", CAMPAIGN "/choose", SERVER_CLIENT, true, server_post_choose, "choose",
     "Choose an expert that acts elsewhere, or a list of them. The same event_id again gives the same expert.",
     "ChooseBody", "ChooseAnswer", "200 404 409 410 422", NULL},
    {"POST", CAMPAIGN "/acted", SERVER_CLIENT, true, server_post_acted, "acted",
     "Tell what a chosen expert did, or a list of that: the action, and each expert's probability of it.", "ActedBody",
     "ActedAnswer", "200 404 409 410 422", NULL},
    {"POST", CAMPAIGN "/observed", SERVER_CLIENT, true, server_post_observed, "observed",
     "Tell a campaign in mode shadow what production did, or a list of that; rewards join as always.", "ObservedBody",
     "ObservedAnswer", "200 404 409 410 422", NULL},
    {"POST", CAMPAIGN "/reward", SERVER_CLIENT, true, server_post_reward, "reward",
     "Send the reward of a decision, or a list of rewards.", "RewardBody", "RewardAnswer", "200 404 409 410 422", NULL},
    {"POST", CAMPAIGN "/episodes", SERVER_ADMIN, true, server_post_episode, "startEpisode",
     "Start a new episode: a new agent on the same experts.", "EpisodeBody", "Episode", "200 404 410", NULL},
    {"POST", CAMPAIGN "/controls", SERVER_ADMIN, true, server_post_controls, "setControls",
     "Pin an expert, pause learning, name a fallback, cap shares of traffic. Omitted keys keep their value.",
     "Controls", "Campaign", "200 404 410 422", NULL},
    {"POST", CAMPAIGN "/erase", SERVER_ADMIN, true, server_post_erase, "eraseEvent",
     "Erase one event's id and features, from the log too; it stays counted. Answered when that is done.", "EraseBody",
     "Erased", "200 404 409 503", NULL},
    {"GET", CAMPAIGN "/events", SERVER_ADMIN, false, server_get_campaign_events, "streamCampaignEvents",
     "A campaign's part of the log, as JSON lines, or as DSJSON for Vowpal Wabbit.", NULL, "application/x-ndjson",
     "200 404 503", EVENTS_QUERY "|format:lines or dsjson."},
    {"GET", "/v1/events", SERVER_ADMIN, false, server_get_events, "streamEvents", "The whole log, as JSON lines.", NULL,
     "application/x-ndjson", "200 503", EVENTS_QUERY},
    {"GET", "/v1/rosters", SERVER_ADMIN, false, server_get_rosters, "listRosters", "All rosters, in short.", NULL,
     "Rosters", "200", NULL},
    {"POST", "/v1/rosters", SERVER_ADMIN, true, server_post_roster, "createRoster",
     "Create a roster: named experts, known from tables or from samples.", "RosterDescription", "Roster",
     "200 201 409 422", NULL},
    {"GET", ROSTER, SERVER_ADMIN, false, server_get_roster, "getRoster", "A roster and the samples it has.", NULL,
     "Roster", "200 404", NULL},
    {"POST", ROSTER "/samples", SERVER_ADMIN, true, server_post_samples, "addSamples",
     "Add logged actions of experts, all of them or none.", "SamplesBody", "Added", "200 404 422", NULL},
    {"GET", "/v1/state", SERVER_ADMIN, false, server_get_state, "getState", "The server and its log.", NULL, "State",
     "200", NULL},
    {"POST", "/v1/clock", SERVER_ADMIN, false, server_post_clock, "adoptClock",
     "Take over the machine's clock at once if it was set forward; otherwise the server does so slowly.", "ClockBody",
     "Clock", "200 409", NULL},
    {"GET", "/metrics", SERVER_CLIENT, false, server_get_metrics, "getMetrics", "Metrics of the server for Prometheus.",
     NULL, "text/plain", "200", NULL},
    {"GET", "/metrics/campaigns", SERVER_CLIENT, false, server_get_campaign_metrics, "getCampaignMetrics",
     "Metrics of every campaign for Prometheus.", NULL, "text/plain", "200", NULL},
    {"GET", "/healthz", SERVER_PUBLIC, false, server_get_health, "getHealth", "Whether the process answers.", NULL,
     "Health", "200", NULL},
    {"GET", "/readyz", SERVER_PUBLIC, false, server_get_ready, "getReady", "Whether requests can be sent to it.", NULL,
     "Health", "200 503", NULL},
    {"GET", "/openapi.json", SERVER_PUBLIC, false, server_get_openapi, "getOpenAPI", "This document.", NULL, "OpenAPI",
     "200", NULL},
    {"GET", "/", SERVER_PUBLIC, false, server_get_page, "getDashboard", "The dashboard.", NULL, "text/html", "200",
     NULL},
};

const size_t server_n_routes = sizeof server_routes / sizeof server_routes[0];

_Static_assert(sizeof server_routes / sizeof server_routes[0] <= SERVER_ROUTES_MOST, "raise SERVER_ROUTES_MOST");

/* Whether the path is one of the pattern; *name is what stands for {..}, NULL where the pattern has none. */
static bool matches(const char *pattern, const char *path, const char **name, size_t *size)
{
    *name = NULL;
    *size = 0;
    size_t same = strcspn(pattern, "{");
    if (strncmp(pattern, path, same) != 0)
        return false;
    if (pattern[same] == '\0')
        return path[same] == '\0';
    *name = path + same;
    *size = strcspn(*name, "/");
    return *size > 0 && strcmp(strchr(pattern, '}') + 1, *name + *size) == 0;
}

static void refuse_method(server_request *q, const char *method, const char *allowed)
{
    server_add_header(q, "Allow", "%s", allowed);
    server_refuse(q, 405, "method-not-allowed", "%.20s is not allowed here; use %s", method, allowed);
}

void server_find_route(server_request *q, const char *method)
{
    char allowed[64] = "";
    if (strcmp(method, "HEAD") == 0)
        method = "GET";
    for (size_t i = 0; i < server_n_routes; i++) {
        const server_route *route = &server_routes[i];
        if (!matches(route->path, q->path, &q->name, &q->name_size))
            continue;
        if (strcmp(route->method, method) == 0) {
            q->route = route;
            return;
        }
        size_t used = strlen(allowed);
        snprintf(allowed + used, sizeof allowed - used, "%s%s", used > 0 ? ", " : "", route->method);
    }
    if (allowed[0] != '\0')
        refuse_method(q, method, allowed);
    else
        server_refuse(q, 404, "not-found", "there is nothing at %.200s; /openapi.json lists what there is", q->path);
}

/* Whether the text of a route's query, "name:about|..", has that name. */
static bool knows(const char *query, const char *name, size_t size)
{
    for (const char *at = query; at != NULL; at = strchr(at, '|'), at += at != NULL)
        if (strcspn(at, ":") == size && strncmp(at, name, size) == 0)
            return true;
    return false;
}

/* "after, limit" */
static void list_names(const char *query, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (const char *at = query; at != NULL && used < size; at = strchr(at, '|'), at += at != NULL)
        used += (size_t)snprintf(out + used, size - used, "%s%.*s", used > 0 ? ", " : "", (int)strcspn(at, ":"), at);
}

void server_check_query(server_request *q)
{
    const char *known = q->route->query, *at = q->query;
    for (size_t n; at != NULL && *at != '\0'; at += n + (at[n] == '&')) {
        size_t name = strcspn(at, "=&");
        n = strcspn(at, "&");
        if (n == 0 || knows(known, at, name))
            continue;
        char names[64];
        list_names(known, names, sizeof names);
        server_refuse(q, 400, "invalid", "unknown query parameter '%.*s'; %s%s", (int)(name < 40 ? name : 40), at,
                      known != NULL ? "known are " : "there are none here", names);
        return;
    }
}
