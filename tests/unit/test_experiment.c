/*
 * test_experiment.c: from experiment files to studies (experiment/): every construct of the format, and every file that
 * is shipped. What is refused is in test_experiment_refused.c.
 */
#include "support.h"

#include "experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define EPISODE "'episodes':[{'rounds':10,'reward_means':[[0.1,0.9],[0.5,0.25]]}],"
#define UCB "'agents':[{'agent':'ucb'}],"

/* Written with ' for ". */
static experiment *parse(const char *text, const experiment_changes *changes)
{
    experiment *e;
    roster_error err;
    char *json = malloc(strlen(text) + 1);
    assert_non_null(json);
    strcpy(json, text);
    for (char *c = json; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    assert_ok(experiment_parse(&e, json, "folder/toy.json", changes, &err), &err);
    free(json);
    return e;
}

static double value(const experiment_case *c, size_t e, size_t k)
{
    double *mu = calloc(roster_experts_count(c->experts), sizeof *mu), found;
    assert_non_null(mu);
    roster_world_values(c->episodes[e].world, mu);
    found = mu[k];
    free(mu);
    return found;
}

static void assert_same_case(const experiment_case *a, const experiment_case *b, size_t agents)
{
    size_t n = roster_experts_count(a->experts), x = roster_experts_contexts(a->experts);
    size_t v = roster_experts_actions(a->experts);
    assert_string_equal(a->title, b->title);
    assert_true(a->value == b->value);
    assert_int_equal(n, roster_experts_count(b->experts));
    for (size_t i = 0; i < n * x * v; i++)
        assert_true(roster_experts_probability(a->experts, i / v / x, i / v % x, i % v) ==
                    roster_experts_probability(b->experts, i / v / x, i / v % x, i % v));
    assert_int_equal(a->n_episodes, b->n_episodes);
    for (size_t e = 0; e < a->n_episodes; e++) {
        assert_int_equal(a->episodes[e].rounds, b->episodes[e].rounds);
        assert_int_equal(a->episodes[e].min_rounds, b->episodes[e].min_rounds);
        assert_memory_equal(a->probabilities[e], b->probabilities[e], x * sizeof(double));
        for (size_t k = 0; k < n; k++)
            assert_true(value(a, e, k) == value(b, e, k));
    }
    for (size_t i = 0; i < agents; i++) {
        assert_string_equal(a->agents[i].label, b->agents[i].label);
        assert_string_equal(a->studies[i].agent, b->studies[i].agent);
        assert_int_equal(a->studies[i].samples, b->studies[i].samples);
    }
}

static void assert_same(const experiment *a, const experiment *b)
{
    assert_string_equal(a->name, b->name);
    assert_true(a->runs == b->runs && a->seed == b->seed && a->n_cases == b->n_cases && a->n_agents == b->n_agents);
    for (size_t i = 0; i < a->n_cases; i++)
        assert_same_case(&a->cases[i], &b->cases[i], a->n_agents);
}

/* Its studies run, and its text makes it again. */
static void assert_good(const experiment *e)
{
    experiment *again;
    roster_error err;
    for (size_t i = 0; i < e->n_cases; i++)
        for (size_t j = 0; j < e->n_agents; j++) {
            roster_study study = e->cases[i].studies[j];
            roster_episode first = study.episodes[0];
            roster_outcome outcome;
            first.rounds = first.rounds < 50 ? first.rounds : 50;
            first.min_rounds = 0;
            study.episodes = &first;
            study.n_episodes = 1;
            study.samples = study.sampling == ROSTER_ONLINE ? 5 : study.samples;
            assert_ok(roster_simulate(&study, 0, NULL, NULL, &outcome, NULL, &err), &err);
            assert_int_equal(outcome.rounds, first.rounds);
        }
    assert_null(strchr(e->text, '\n'));
    assert_ok(experiment_parse(&again, e->text, "elsewhere.json", NULL, &err), &err);
    assert_same(e, again);
    assert_string_equal(e->text, again->text);
    experiment_free(again);
}

static void shipped_files(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t cases, agents;
        uint64_t rounds, runs;
    } files[] = {
        {"unbounded-1", 1, 8, 3000, 250}, {"unbounded-2", 1, 8, 3000, 250}, {"scaling", 9, 4, 2000, 200},
        {"lite", 4, 5, 20000, 40},        {"cifar10", 1, 5, 500000, 300},   {"movielens", 1, 5, 1000000, 100},
        {"precision", 1, 8, 30000, 300},  {"quickstart", 1, 8, 5000, 100},  {"deterministic", 1, 8, 10000, 100},
        {"yardsticks", 1, 5, 500000, 20}, {"arms", 1, 7, 100000, 50}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        experiment *e;
        roster_error err;
        char path[1024];
        snprintf(path, sizeof path, "%s/experiments/%s.json", SOURCE, files[i].name);
        assert_ok(experiment_read(&e, path, NULL, &err), &err);
        assert_string_equal(e->name, files[i].name);
        assert_string_equal(e->path, path);
        assert_true(e->n_cases == files[i].cases && e->n_agents == files[i].agents && e->runs == files[i].runs);
        assert_int_equal(e->cases[0].episodes[0].rounds, files[i].rounds);
        assert_good(e);
        experiment_free(e);
    }
}

/* SPEC section 10. */
static void unbounded_as_in_the_paper(void **state)
{
    (void)state;
    const double *means[] = {toy_means_1, toy_means_2};
    for (size_t file = 0; file < 2; file++) {
        experiment *e;
        roster_error err;
        roster_experts *toy;
        roster_world *world;
        double mu[2];
        char path[1024];
        snprintf(path, sizeof path, "%s/experiments/unbounded-%zu.json", SOURCE, file + 1);
        assert_ok(experiment_read(&e, path, NULL, &err), &err);
        assert_ok(roster_experts_tables(&toy, 2, 2, 3, toy_pi, NULL, &err), &err);
        assert_ok(roster_world_create(&world, toy, toy_p, means[file], &err), &err);
        roster_world_values(world, mu);
        for (size_t i = 0; i < 12; i++)
            assert_true(roster_experts_probability(e->cases[0].experts, i / 6, i / 3 % 2, i % 3) == toy_pi[i]);
        assert_memory_equal(e->cases[0].probabilities[0], toy_p, sizeof toy_p);
        for (size_t k = 0; k < 2; k++)
            assert_true(value(&e->cases[0], 0, k) == mu[k]);
        assert_string_equal(e->cases[0].agents[1].settings[0].name, "support");
        assert_string_equal(e->cases[0].agents[1].settings[0].word, "shared");
        assert_int_equal(e->cases[0].agents[1].samples, 0);
        roster_world_free(world);
        roster_experts_free(toy);
        experiment_free(e);
    }
}

static void written_experts(void **state)
{
    (void)state;
    experiment *e =
        parse("{'contexts':['x','y'],'actions':2,'experts':[{'name':'a \\u00e9','table':[[1,0],[0.25,0.75]]},"
              "{'table':[[0.5,0.5],[0.5,0.5]],'counts':[[1,1],[4e2,400]]}]," EPISODE UCB "'runs':1e3}",
              NULL);
    const experiment_case *c = &e->cases[0];
    assert_string_equal(e->name, "toy");
    assert_string_equal(e->description, "");
    assert_int_equal(e->runs, 1000);
    assert_int_equal(e->seed, 1);
    assert_null(e->sweep);
    assert_string_equal(c->title, "");
    assert_string_equal(e->contexts[1], "y");
    assert_string_equal(e->actions[1], "action 2");
    assert_string_equal(roster_experts_name(c->experts, 0), "a \xc3\xa9");
    assert_string_equal(roster_experts_name(c->experts, 1), "expert 2");
    assert_true(roster_experts_probability(c->experts, 0, 1, 1) == .75);
    assert_true(c->probabilities[0][0] == .5 && c->probabilities[0][1] == .5);
    assert_close(value(c, 0, 0), .5 * .1 + .5 * (.25 * .5 + .75 * .25), 1e-15);
    assert_good(e);
    experiment_free(e);
}

static void random_experts(void **state)
{
    (void)state;
    experiment *e = parse("{'contexts':2,'actions':4,'experts':{'random':{'count':5,'floor':0.1,'concentration':2}},"
                          "'episodes':[{'rounds':9,'reward_means':{'random':{}}}]," UCB "'runs':1,'seed':7}",
                          NULL);
    roster_rng rng;
    double row[4];
    roster_rng_init(&rng, 7, 0, ROSTER_ROLE_INSTANCE);
    for (size_t i = 0; i < 10; i++) {
        roster_rng_dirichlet(&rng, 4, 2, .1, row);
        for (size_t v = 0; v < 4; v++)
            assert_true(roster_experts_probability(e->cases[0].experts, i / 2, i % 2, v) == row[v]);
    }
    assert_good(e);
    experiment_free(e);
}

static void experts_with_gaps(void **state)
{
    (void)state;
    experiment *e =
        parse("{'experts':{'gaps':{'count':50,'smallest':0.1,'floor':0.01}},'episodes':[{'rounds':9}]," UCB "'runs':1}",
              NULL);
    const experiment_case *c = &e->cases[0];
    size_t best = 0, second = 0, near = 0;
    double sum = 0;
    assert_int_equal(e->n_contexts, 1);
    assert_int_equal(e->n_actions, 2);
    for (size_t k = 0; k < 50; k++) {
        double gap = .99 - value(c, 0, k);
        best += gap == 0;
        second += gap > 0 && gap < .1 + 1e-12;
        near += k < 25 && gap < .5;
        sum += gap;
        assert_true(gap == 0 || (gap >= .1 - 1e-12 && gap <= .98 + 1e-12));
        assert_true(roster_experts_probability(c->experts, k, 0, 0) == value(c, 0, k));
    }
    assert_int_equal(best, 1);
    assert_int_equal(second, 1);
    assert_in_range(near, 5, 20);                  /* shuffled, not sorted */
    assert_true(sum / 48 > .45 && sum / 48 < .63); /* mean .54, sd .037 */
    assert_good(e);
    experiment_free(e);
}

static void episodes_as_written(void **state)
{
    (void)state;
    experiment *e =
        parse("{'contexts':2,'actions':2,'experts':[{'table':[[1,0],[0.5,0.5]]}],'episodes':["
              "{'rounds':9,'min_rounds':4,'context_probabilities':[0.25,0.75],'reward_means':[[1,0],[0,0]]},"
              "{'rounds':5,'repeat':2,'context_probabilities':{'random':{'floor':0.2}},"
              "'rewards':[[[0.5,0.75],[1]],[[0],[1]]]},"
              "{'rounds':6,'reward_means':{'random':{}}}]," UCB "'runs':1,'seed':3}",
              NULL);
    const experiment_case *c = &e->cases[0];
    roster_rng rng;
    double p[2], means[4];
    assert_int_equal(c->n_episodes, 4);
    assert_int_equal(c->episodes[0].min_rounds, 4);
    assert_int_equal(c->episodes[2].rounds, 5);
    assert_int_equal(c->episodes[2].min_rounds, 0);
    assert_close(value(c, 0, 0), .25, 1e-15);
    for (size_t i = 1; i < 3; i++) {
        roster_rng_init(&rng, 3, 0, ROSTER_ROLE_INSTANCE + ROSTER_ROLES * (i + 1));
        roster_rng_dirichlet(&rng, 2, 1, .2, p);
        assert_memory_equal(c->probabilities[i], p, sizeof p);
        assert_close(value(c, i, 0), p[0] * .625 + p[1] * .5, 1e-15);
    }
    roster_rng_init(&rng, 3, 0, ROSTER_ROLE_INSTANCE + ROSTER_ROLES * 4);
    for (size_t i = 0; i < 4; i++)
        means[i] = roster_rng_uniform(&rng);
    assert_close(value(c, 3, 0), .5 * means[0] + .25 * (means[2] + means[3]), 1e-15);
    assert_good(e);
    experiment_free(e);
}

static void agents_as_written(void **state)
{
    (void)state;
    static const char text[] =
        "{'contexts':2,'actions':2,'experts':{'random':{'count':3,'floor':0.1}}," EPISODE
        "'agents':[{'agent':'d-ucb','C':0.5,'support':'shared'},{'agent':'ed-ucb','label':'ours','p_V':0.1,'p_X':0.5,"
        "'xi':0.01,'samples':1e6,'prior':[0.5,0.5]},{'agent':'ed-ucb','p_V':0.1,'p_X':'uniform','xi':0.01,'samples':2,"
        "'sampling':'online'},{'agent':'oracle'},{'agent':'ed-ucb','label':'as they "
        "come','p_V':0.1,'p_X':0.5,'xi':0.01,"
        "'samples':5,'prior':'episode'}],'runs':1}";
    experiment *e = parse(text, NULL);
    const experiment_agent *a = e->cases[0].agents;
    const roster_study *s = e->cases[0].studies;
    assert_int_equal(e->n_agents, 5);
    assert_string_equal(a[0].settings[0].name, "C");
    assert_true(a[0].settings[0].number == .5 && a[0].settings[0].word == NULL);
    assert_string_equal(a[0].settings[1].word, "shared");
    assert_null(a[0].settings[2].name);
    assert_string_equal(a[1].label, "ours");
    assert_string_equal(a[1].name, "ed-ucb");
    assert_int_equal(a[1].samples, 1000000);
    assert_true(a[1].sampling == ROSTER_OFFLINE && a[2].sampling == ROSTER_ONLINE && s[2].sampling == ROSTER_ONLINE);
    assert_true(s[1].prior[1] == .5 && s[2].prior == NULL);
    assert_ptr_equal(s[4].prior, e->cases[0].probabilities[0]);
    assert_int_equal(s[2].samples, 2);
    assert_true(s[3].settings[0].name == NULL && s[3].seed == 1);
    experiment_free(e);
}

static void labels_differ(void **state)
{
    (void)state;
    experiment *e =
        parse("{'contexts':2,'actions':2,'experts':{'random':{'count':3,'floor':0.1}}," EPISODE
              "'agents':[{'agent':'d-ucb','gamma':0.1,'C':0.02},{'agent':'d-ucb','gamma':0.1,'C':'theory'},"
              "{'agent':'d-ucb','gamma':0.1},{'agent':'ucb'},{'agent':'ucb'},{'agent':'ucb','label':'ucb 2'},"
              "{'agent':'d-ucb','label':'plain','C':1}],'runs':1}",
              NULL);
    static const char *const labels[] = {"d-ucb C=0.02", "d-ucb C=theory", "d-ucb", "ucb", "ucb 3", "ucb 2", "plain"};
    for (size_t i = 0; i < 7; i++)
        assert_string_equal(e->cases[0].agents[i].label, labels[i]);
    experiment_free(e);
}

static void sweeps_make_cases(void **state)
{
    (void)state;
    experiment *e = parse("{'contexts':2,'actions':2,'experts':{'random':{'count':1}}," EPISODE UCB
                          "'runs':1,'sweep':{'path':'experts.random.count','values':[2,3e0,7]}}",
                          NULL);
    static const size_t counts[] = {2, 3, 7};
    static const char *const titles[] = {"count = 2", "count = 3", "count = 7"};
    assert_int_equal(e->n_cases, 3);
    assert_string_equal(e->sweep, "count");
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(roster_experts_count(e->cases[i].experts), counts[i]);
        assert_true(e->cases[i].value == (double)counts[i]);
        assert_string_equal(e->cases[i].title, titles[i]);
        assert_ptr_equal(e->cases[i].studies[0].experts, e->cases[i].experts);
    }
    assert_good(e);
    experiment_free(e);
}

/* A swept setting is not part of a label; words are numbered; a number in a list can be swept too. */
static void sweeps_of_words_and_entries(void **state)
{
    (void)state;
    experiment *e = parse("{'contexts':2,'actions':2,'experts':{'random':{'count':3,'floor':0.1}}," EPISODE
                          "'agents':[{'agent':'d-ucb','support':'full'},{'agent':'d-ucb','C':1}],'runs':1,"
                          "'sweep':{'path':'agents.0.support','values':['full','shared'],'label':'kind'}}",
                          NULL);
    for (size_t i = 0; i < 2; i++) {
        assert_string_equal(e->cases[i].agents[0].label, "d-ucb");
        assert_string_equal(e->cases[i].agents[1].label, "d-ucb C=1");
        assert_string_equal(e->cases[i].title, i == 0 ? "kind = full" : "kind = shared");
        assert_string_equal(e->cases[i].agents[0].settings[0].word, i == 0 ? "full" : "shared");
        assert_true(e->cases[i].value == (double)i);
    }
    experiment_free(e);
    e = parse("{'contexts':1,'actions':2,'experts':[{'table':[[0.5,0.5]]}],'episodes':[{'rounds':1,"
              "'reward_means':[[0.5,0]]}]," UCB "'runs':1,'sweep':{'path':'episodes.0.reward_means.0.1',"
              "'values':[0,1]}}",
              NULL);
    assert_string_equal(e->sweep, "episodes.0.reward_means.0.1");
    assert_true(value(&e->cases[0], 0, 0) == .25 && value(&e->cases[1], 0, 0) == .75);
    experiment_free(e);
}

static void same_seed_same_instance(void **state)
{
    (void)state;
    static const char text[] =
        "{'contexts':3,'actions':3,'experts':{'random':{'count':4}},'episodes':[{'rounds':5,"
        "'repeat':2,'context_probabilities':{'random':{}},'reward_means':{'random':{}}}]," UCB "'runs':1}";
    const uint64_t one = 1, two = 2;
    experiment_changes changes = {.seed = &one};
    experiment *a = parse(text, NULL), *b = parse(text, &changes);
    changes.seed = &two;
    experiment *c = parse(text, &changes);
    assert_same(a, b);
    assert_int_equal(c->seed, 2);
    assert_int_equal(c->cases[0].studies[0].seed, 2);
    assert_true(value(&a->cases[0], 0, 0) != value(&c->cases[0], 0, 0));
    assert_true(value(&a->cases[0], 0, 0) != value(&a->cases[0], 1, 0));
    assert_true(a->cases[0].probabilities[0][0] != c->cases[0].probabilities[0][0]);
    experiment_free(a);
    experiment_free(b);
    experiment_free(c);
}

static void changes_are_made(void **state)
{
    (void)state;
    static const char text[] =
        "{'contexts':2,'actions':2,'experts':{'random':{'count':3,'floor':0.1}},'episodes':["
        "{'rounds':9,'min_rounds':3,'reward_means':[[0,1],[1,0]]},{'rounds':5,'repeat':2,"
        "'reward_means':[[1,0],[1,1]]}],'agents':[{'agent':'ucb'},{'agent':'d-ucb','label':'ours'},"
        "{'agent':'d-ucb','label':'theirs'},{'agent':'kl-ucb'}],'runs':7}";
    const uint64_t seed = UINT64_MAX;
    const experiment_changes changes = {.runs = 3, .rounds = 100, .seed = &seed, .agents = " kl-ucb ,ours"};
    experiment *e = parse(text, &changes);
    assert_int_equal(e->runs, 3);
    assert_true(e->seed == UINT64_MAX && *e->changes.seed == UINT64_MAX && e->changes.seed != &seed);
    assert_string_equal(e->changes.agents, " kl-ucb ,ours");
    assert_int_equal(e->changes.rounds, 100);
    assert_int_equal(e->n_agents, 2); /* in the file's order */
    assert_string_equal(e->cases[0].agents[0].label, "ours");
    assert_string_equal(e->cases[0].studies[1].agent, "kl-ucb");
    for (size_t i = 0; i < 3; i++)
        assert_true(e->cases[0].episodes[i].rounds == 100 && e->cases[0].episodes[i].min_rounds == 0);
    assert_non_null(strstr(e->text, "\"rounds\":9,\"min_rounds\":3"));
    experiment_free(e);
    const experiment_changes by_name = {.agents = "d-ucb"};
    e = parse(text, &by_name);
    assert_int_equal(e->n_agents, 2);
    assert_int_equal(e->runs, 7);
    assert_string_equal(e->cases[0].agents[1].label, "theirs");
    experiment_free(e);
}

static void write_json(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    assert_non_null(file);
    for (const char *c = text; *c != '\0'; c++)
        fputc(*c == '\'' ? '"' : *c, file);
    assert_int_equal(fclose(file), 0);
}

/* The experiment and the file that it names, in a folder of their own. */
static experiment *read_with(const char *text, const char *name, const char *file)
{
    char folder[] = "test_experiment.XXXXXX", path[64], inner[64], other[64];
    experiment *e;
    roster_error err;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/toy.json", folder);
    snprintf(inner, sizeof inner, "%s/in", folder);
    snprintf(other, sizeof other, "%s/%s", folder, name);
    assert_int_equal(mkdir(inner, 0700), 0);
    write_json(path, text);
    write_json(other, file);
    assert_ok(experiment_read(&e, path, NULL, &err), &err);
    assert_int_equal(unlink(path) + unlink(other) + rmdir(inner) + rmdir(folder), 0);
    return e;
}

/* Found beside the experiment, put into its text, and its names taken. */
static void rosters_are_put_in(void **state)
{
    (void)state;
    experiment *e = read_with("\xef\xbb\xbf{'contexts':2,'experts':'roster.json','episodes':[{'rounds':9,"
                              "'reward_means':[[0,1],[1,0]]}]," UCB "'runs':1}\n",
                              "roster.json",
                              "{'contexts':['north','south'],'actions':2,'xi':null,'min_samples':12,'experts':["
                              "{'name':'old','table':[[0.1,0.9],[0.3,0.7]],'counts':[[1,9],[3,7]]}]}");
    assert_string_equal(e->contexts[1], "south");
    assert_string_equal(e->actions[0], "action 1");
    assert_string_equal(roster_experts_name(e->cases[0].experts, 0), "old");
    assert_string_equal(e->text,
                        "{\"contexts\":[\"north\",\"south\"],\"experts\":[{\"name\":\"old\",\"table\":[[0.1,0.9],"
                        "[0.3,0.7]]}],\"episodes\":[{\"rounds\":9,\"reward_means\":[[0,1],[1,0]]}],\"agents\":"
                        "[{\"agent\":\"ucb\"}],\"runs\":1,\"name\":\"toy\",\"actions\":2}");
    assert_good(e);
    experiment_free(e);
}

static void rewards_are_put_in(void **state)
{
    (void)state;
    experiment *e =
        read_with("{'experts':{'random':{'count':1}},'episodes':[{'rounds':9,'repeat':2,"
                  "'rewards':'in/it.json'}]," UCB "'runs':1}\n",
                  "in/it.json", "{'contexts':['north','south'],'actions':1,'rewards':[[[0.25,0.75]],[[1]]]}");
    assert_string_equal(e->contexts[1], "south");
    assert_non_null(strstr(e->text, "\"rewards\":[[[0.25,0.75]],[[1]]]"));
    assert_close(value(e->cases, 1, 0), .75, 1e-12);
    assert_good(e);
    experiment_free(e);
}

static void text_keeps_every_number_and_letter(void **state)
{
    (void)state;
    experiment *e =
        parse("{'name':'a','description':'a\\u0001\\\\ \\u00e9 \\n','contexts':1,'actions':2,'experts':[{'table':"
              "[[0.33333333333333331,0.66666666666666669]]}],'episodes':[{'rounds':1,'reward_means':"
              "[[4.9406564584124654e-324,0.30000000000000004]]}]," UCB "'runs':1,'seed':9223372036854775807}",
              NULL);
    assert_non_null(strstr(e->text, "\"a\\u0001\\\\ \xc3\xa9 \\u000a\""));
    assert_non_null(strstr(e->text, "[[0.3333333333333333,0.6666666666666667]]"));
    assert_non_null(strstr(e->text, "[[4.94065645841247e-324,0.30000000000000004]]"));
    assert_non_null(strstr(e->text, "\"seed\":9223372036854775807"));
    assert_good(e);
    experiment_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shipped_files),
                                       cmocka_unit_test(unbounded_as_in_the_paper),
                                       cmocka_unit_test(written_experts),
                                       cmocka_unit_test(random_experts),
                                       cmocka_unit_test(experts_with_gaps),
                                       cmocka_unit_test(episodes_as_written),
                                       cmocka_unit_test(agents_as_written),
                                       cmocka_unit_test(labels_differ),
                                       cmocka_unit_test(sweeps_make_cases),
                                       cmocka_unit_test(sweeps_of_words_and_entries),
                                       cmocka_unit_test(same_seed_same_instance),
                                       cmocka_unit_test(changes_are_made),
                                       cmocka_unit_test(rosters_are_put_in),
                                       cmocka_unit_test(rewards_are_put_in),
                                       cmocka_unit_test(text_keeps_every_number_and_letter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
