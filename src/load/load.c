/*
 * load.c: from options to a drive, and what it leaves.
 *
 * Paper: none.
 */
#include "load_internal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

static bool is_empirical(const char *agent)
{
    const roster_agent_info *info = NULL;
    for (size_t i = 0; (info = roster_agent_info_at(i)) != NULL; i++)
        if (strcmp(info->name, agent) == 0)
            return info->empirical;
    return false;
}

static bool init_names(load *self, const load_options *o, const roster_experts *experts)
{
    size_t n = roster_experts_count(experts), v = roster_experts_actions(experts);
    if (!load_names_init(&self->experts, n) || !load_names_init(&self->actions, v))
        return false;
    for (size_t k = 0; k < n; k++)
        self->experts.list[k] = (struct load_named){roster_experts_name(experts, k), k};
    for (size_t a = 0; a < v; a++)
        self->actions.list[a] = (struct load_named){o->actions[a], a};
    load_names_sort(&self->experts);
    load_names_sort(&self->actions);
    return true;
}

static bool init_connections(load *self, const load_options *o)
{
    self->connections = calloc(o->connections, sizeof *self->connections);
    bool fits = self->connections != NULL;
    for (size_t i = 0; fits && i < o->connections; i++) {
        self->connections[i].socket = -1;
        self->connections[i].items = calloc(o->batch, sizeof(load_item));
        fits = self->connections[i].items != NULL;
    }
    return fits;
}

static int init(load *self, const load_options *o, roster_error *err)
{
    const roster_experts *experts = o->study->experts;
    int code = load_place_init(&self->place, o->server, o->token, err);
    if (code == ROSTER_OK && is_empirical(o->study->agent))
        code = load_estimate(o->study, &self->estimates, err);
    if (code == ROSTER_OK)
        code = load_users_init(&self->users, o, self->estimates != NULL ? self->estimates : experts, err);
    if (code != ROSTER_OK)
        return code;
    self->figures->experts = roster_experts_count(experts);
    self->figures->plays = calloc(self->figures->experts, sizeof *self->figures->plays);
    self->poll = epoll_create1(EPOLL_CLOEXEC);
    if (!init_connections(self, o) || !init_names(self, o, experts) || self->figures->plays == NULL || self->poll < 0)
        return common_fail(err, ROSTER_EINVAL, "out of memory or files");
    return ROSTER_OK;
}

static void fini(load *self)
{
    for (size_t i = 0; self->connections != NULL && i < self->options->connections; i++) {
        load_close(&self->connections[i]);
        common_text_free(&self->connections[i].in);
        common_text_free(&self->connections[i].out);
        free(self->connections[i].items);
    }
    free(self->connections);
    free(self->queue.items);
    free(self->experts.list);
    free(self->actions.list);
    roster_experts_free(self->estimates);
    load_users_fini(&self->users);
    load_place_fini(&self->place);
    if (self->poll >= 0)
        close(self->poll);
}

/* Of all episodes of the study. */
static uint64_t count_rounds(const roster_study *study)
{
    uint64_t sum = 0;
    for (size_t e = 0; e < study->n_episodes; e++)
        sum += study->episodes[e].rounds;
    return sum;
}

int load_run(const load_options *options, load_figures *figures, roster_error *err)
{
    load self = {.options = options, .figures = figures, .poll = -1};
    *figures = (load_figures){.episodes = 1};
    int code = init(&self, options, err);
    if (code == ROSTER_OK)
        code = load_begin(&self, err);
    if (code == ROSTER_OK) {
        load_close(&self.connections[0]); /* it is not among those that are watched */
        self.last = self.first - 1 + (options->events > 0 ? options->events : count_rounds(options->study));
        code = load_play(&self, err);
    }
    if (code == ROSTER_OK) {
        load_close(&self.connections[0]);
        code = load_compare(&self, err);
    }
    fini(&self);
    return code;
}
