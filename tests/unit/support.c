/*
 * support.c: instances, events and comparisons for the tests.
 */
#include "support.h"

#include "agent.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const double spec_pi[18] = {.7, .2, .1, .1, .6, .3, .2, .5, .3, .4, .4, .2, .05, .05, .9, .3, .1, .6};
const double spec_p[2] = {.6, .4};
const roster_event spec_rounds[5] = {
    {.expert = 0, .context = 0, .action = 1, .reward = 1}, {.expert = 2, .context = 1, .action = 2, .reward = 0},
    {.expert = 1, .context = 0, .action = 0, .reward = 1}, {.expert = 2, .context = 0, .action = 2, .reward = .4},
    {.expert = 0, .context = 1, .action = 1, .reward = 1},
};
const double toy_pi[12] = {.8, .1, .1, .1, .8, .1, .2, .8, 0, .8, .2, 0};
const double toy_p[2] = {.55, .45};
const double toy_means_1[6] = {.9, .1, .1, .1, .9, .1};
const double toy_means_2[6] = {.1, .1, .9, .1, .1, .9};

roster_experts *spec_experts(void)
{
    roster_experts *experts;
    roster_error err;
    assert_ok(roster_experts_tables(&experts, 3, 2, 3, spec_pi, NULL, &err), &err);
    return experts;
}

void toy_init(toy_study *self, const char *agent, const roster_setting *settings, uint64_t rounds)
{
    static const double *const means[2] = {toy_means_1, toy_means_2};
    roster_error err;
    assert_ok(roster_experts_tables(&self->experts, 2, 2, 3, toy_pi, NULL, &err), &err);
    for (size_t e = 0; e < 2; e++) {
        assert_ok(roster_world_create(&self->worlds[e], self->experts, toy_p, means[e], &err), &err);
        self->episodes[e] = (roster_episode){.world = self->worlds[e], .rounds = rounds};
    }
    self->study = (roster_study){.experts = self->experts,
                                 .episodes = self->episodes,
                                 .n_episodes = 2,
                                 .agent = agent,
                                 .settings = settings,
                                 .seed = 7};
}

void toy_fini(toy_study *self)
{
    roster_world_free(self->worlds[0]);
    roster_world_free(self->worlds[1]);
    roster_experts_free(self->experts);
}

void toy_refused(const roster_study *study, const char *sentence)
{
    const roster_outcome before = {.regret = 1, .rounds = 1, .best_rounds = 1, .xi = 1};
    roster_outcome outcome = before;
    roster_error err;
    assert_refused(roster_simulate(study, 0, NULL, NULL, &outcome, NULL, &err), &err, ROSTER_EINVAL, sentence);
    assert_int_equal(roster_simulate(study, 0, NULL, NULL, &outcome, NULL, NULL), ROSTER_EINVAL);
    assert_true(outcome.rounds == before.rounds && outcome.regret == before.regret &&
                outcome.best_rounds == before.best_rounds && outcome.xi == before.xi);
}

void random_distribution(roster_rng *rng, size_t n, double least, double *p)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        p[i] = exp(roster_rng_uniform(rng) * log(least));
        sum += p[i];
    }
    for (size_t i = 0; i < n; i++)
        p[i] /= sum;
}

size_t random_size(roster_rng *rng, size_t low, size_t high)
{
    double span = log((double)high + 1) - log((double)low);
    size_t size = (size_t)((double)low * exp(roster_rng_uniform(rng) * span));
    return size > high ? high : size;
}

void instance_random(instance *self, roster_rng *rng, size_t n, size_t x, size_t v, double least)
{
    roster_error err;
    self->n = n;
    self->x = x;
    self->v = v;
    self->pi = malloc(n * x * v * sizeof(double));
    self->p = malloc(x * sizeof(double));
    self->means = malloc(x * v * sizeof(double));
    assert_true(self->pi != NULL && self->p != NULL && self->means != NULL);
    random_distribution(rng, x, .05, self->p);
    for (size_t row = 0; row < n * x; row++)
        random_distribution(rng, v, least, self->pi + row * v);
    for (size_t cell = 0; cell < x * v; cell++)
        self->means[cell] = roster_rng_uniform(rng);
    assert_ok(roster_experts_tables(&self->experts, n, x, v, self->pi, NULL, &err), &err);
}

void instance_free(instance *self)
{
    free(self->pi);
    free(self->p);
    free(self->means);
    roster_experts_free(self->experts);
}

roster_event random_event(const instance *self, roster_rng *rng, size_t k, bool continuous)
{
    size_t x = roster_experts_draw(self->p, self->x, roster_rng_uniform(rng));
    size_t v = roster_experts_draw(self->pi + (k * self->x + x) * self->v, self->v, roster_rng_uniform(rng));
    double u = roster_rng_uniform(rng), mean = self->means[x * self->v + v];
    return (roster_event){.expert = k, .context = x, .action = v, .reward = continuous ? u * mean : u < mean};
}

bool close_enough(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(fabs(a), fabs(b)) + 1e-300;
}

void assert_close(double got, double expected, double relative)
{
    if (!(fabs(got - expected) <= relative * fabs(expected)))
        fail_msg("got %.17g, expected %.17g", got, expected);
}

void assert_ok(int code, const roster_error *err)
{
    if (code != ROSTER_OK)
        fail_msg("code %d: %s", code, err->msg);
}

static void append(char *text, size_t size, const char *more, size_t length)
{
    size_t used = strlen(text);
    assert_true(used + length < size);
    snprintf(text + used, size - used, "%.*s", (int)length, more);
}

static bool any_agent(const roster_agent_type *type)
{
    return type->info.name != NULL;
}

static bool works_on_estimates(const roster_agent_type *type)
{
    return type->info.empirical || type->info.learns_experts || strcmp(type->info.name, "auto") == 0;
}

static bool learns_tallies(const roster_agent_type *type)
{
    return type->learn_tally != NULL;
}

const char *sentence_with_agents(const char *sentence)
{
    static const char *const places[] = {ALL_AGENTS, EMPIRICAL_AGENTS, TALLY_AGENTS};
    static bool (*const among[])(const roster_agent_type *) = {any_agent, works_on_estimates, learns_tallies};
    static char text[1024];
    text[0] = '\0';
    for (size_t which = 0; which < 3; which++) {
        const char *at = strstr(sentence, places[which]), *between = "";
        if (at == NULL)
            continue;
        append(text, sizeof text, sentence, (size_t)(at - sentence));
        for (size_t i = 0; roster_agent_info_at(i) != NULL; i++)
            if (among[which](roster_agent_types[i])) {
                append(text, sizeof text, between, strlen(between));
                append(text, sizeof text, roster_agent_info_at(i)->name, strlen(roster_agent_info_at(i)->name));
                between = ", ";
            }
        sentence = at + strlen(places[which]);
    }
    append(text, sizeof text, sentence, strlen(sentence));
    return text;
}

const roster_setting *settings_taken(const roster_agent_info *info, const roster_setting *offered,
                                     roster_setting taken[SETTINGS])
{
    size_t n = 0;
    for (; offered->name != NULL; offered++)
        for (size_t i = 0; info->params[i] != NULL; i++)
            if (strcmp(info->params[i]->name, offered->name) == 0) {
                assert_true(n + 1 < SETTINGS);
                taken[n++] = *offered;
            }
    taken[n] = (roster_setting){NULL, 0, NULL};
    return taken;
}

void assert_refused(int code, const roster_error *err, int expected, const char *sentence)
{
    assert_int_equal(code, expected);
    assert_string_equal(err->msg, sentence_with_agents(sentence));
    assert_int_equal(err->code, expected);
}

void folder_make(folder_path path, const char *name)
{
    snprintf(path, sizeof(folder_path), "%s.XXXXXX", name);
    assert_non_null(mkdtemp(path));
}

void folder_empty(const char *path)
{
    DIR *open = opendir(path);
    assert_non_null(open);
    for (struct dirent *entry; (entry = readdir(open)) != NULL;) {
        char inside[512];
        snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.' && unlink(inside) != 0)
            rmdir(inside);
    }
    closedir(open);
}

void folder_remove(const char *path)
{
    folder_empty(path);
    assert_int_equal(rmdir(path), 0);
}

int enter_folder(void **state)
{
    char *path = malloc(sizeof(folder_path));
    assert_non_null(path);
    folder_make(path, "test");
    *state = path;
    return chdir(path);
}

int leave_folder(void **state)
{
    int code = chdir("..") != 0 || rmdir(*state) != 0; /* fails where something was left behind */
    free(*state);
    return code;
}

void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

double thread_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
