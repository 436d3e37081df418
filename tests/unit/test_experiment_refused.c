/*
 * test_experiment_refused.c: experiment files that are wrong (experiment/), each with its exact sentence.
 *
 * Texts are written with ' for ", for the eye.
 */
#include "support.h"

#include "experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SHAPE "'contexts':2,'actions':2,"
#define EXPERTS "'experts':[{'table':[[0.5,0.5],[0.9,0.1]]},{'table':[[0.2,0.8],[0.4,0.6]]}],"
#define EPISODES "'episodes':[{'rounds':10,'reward_means':[[0.1,0.9],[0.5,0.5]]}],"
#define AGENTS "'agents':[{'agent':'ucb'}],"
#define RUNS "'runs':3"
/* A good file with one part in another's place. */
#define WITH_SHAPE(shape) "{" shape EXPERTS EPISODES AGENTS RUNS "}"
#define WITH_EXPERTS(experts) "{" SHAPE "'experts':" experts "," EPISODES AGENTS RUNS "}"
#define WITH_EPISODE(episode) "{" SHAPE EXPERTS "'episodes':[" episode "]," AGENTS RUNS "}"
#define WITH_AGENTS(agents) "{" SHAPE EXPERTS EPISODES "'agents':[" agents "]," RUNS "}"
#define WITH(more) "{" SHAPE EXPERTS EPISODES AGENTS RUNS "," more "}"

typedef struct wrong {
    const char *text, *sentence;
} wrong;

static char *quoted(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    assert_non_null(copy);
    strcpy(copy, text);
    for (char *c = copy; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    return copy;
}

static void refused(const char *text, const experiment_changes *changes, const char *sentence)
{
    experiment *e = (experiment *)1;
    roster_error err;
    char *json = quoted(text);
    assert_refused(experiment_parse(&e, json, "toy.json", changes, &err), &err, ROSTER_EINVAL, sentence);
    assert_null(e);
    assert_int_equal(experiment_parse(&e, json, "toy.json", changes, NULL), ROSTER_EINVAL);
    free(json);
}

static void all_refused(const wrong *list)
{
    for (; list->text != NULL; list++)
        refused(list->text, NULL, list->sentence);
}

static void texts_refused(void **state)
{
    (void)state;
    static const wrong list[] = {
        {"", "toy.json is empty, must hold JSON"},
        {" \n\t", "toy.json is empty, must hold JSON"},
        {"{\n  'runs' 3}", "toy.json:2:10: ':' expected near '3'"},
        {"{'runs': 3", "toy.json:1:10: '}' expected near end of file"},
        {"{'runs': 3,}", "toy.json:1:12: string or '}' expected near '}'"},
        {"{'runs': NaN}", "toy.json:1:12: invalid token near 'NaN'"},
        {"{'runs': 1, 'runs': 2}", "toy.json:1:18: duplicate object key near '\"runs\"'"},
        {"{'runs': 1e999}", "toy.json:1:14: real number overflow near '1e999'"},
        {"{'runs': 99999999999999999999}", "toy.json:1:29: too big integer near '99999999999999999999'"},
        {"{'name': '\xff'}", "toy.json:1:10: unable to decode byte 0xff near '\"'"},
        {"{'name': '\\u0000'}", "toy.json:1:17: a string with \\u0000 in it"},
        {"{} {}", "toy.json:1:4: end of file expected near '{'"},
        {"[1, 2]", "toy.json: the document is a list, must be an object"},
        {"3", "toy.json: the document is a number, must be an object"},
        {NULL, NULL}};
    all_refused(list);
    char deep[5001];
    memset(deep, '[', 5000);
    deep[5000] = '\0';
    refused(deep, NULL, "toy.json:1:2049: maximum parsing depth reached near '['");
}

static void keys_refused(void **state)
{
    (void)state;
    static const wrong list[] = {
        {"{}", "toy.json: 'runs' is missing"},
        {WITH("'agnets':[]"), "toy.json: unknown key 'agnets'; did you mean 'agents'?"},
        {WITH("'sede':1"), "toy.json: unknown key 'sede'; did you mean 'seed'?"},
        {WITH("'colour':'red'"), "toy.json: unknown key 'colour'"},
        {WITH("'a\\u001bb':1"), "toy.json: unknown key 'a?b'"},
        {WITH_EPISODE("{'rounds':1,'rewrds':[]}"),
         "toy.json: unknown key 'rewrds' in episodes[0]; did you mean 'rewards'?"},
        {WITH_EPISODE("{'rounds':1,'context_probabilities':{'random':{'flor':0}}}"),
         "toy.json: unknown key 'flor' in episodes[0].context_probabilities.random; did you mean 'floor'?"},
        {WITH_EXPERTS("[{'tabel':[]}]"), "toy.json: unknown key 'tabel' in experts[0]; did you mean 'table'?"},
        {WITH_EXPERTS("{'randm':{}}"), "toy.json: unknown key 'randm' in experts; did you mean 'random'?"},
        {WITH_EXPERTS("{'random':{'counts':3}}"),
         "toy.json: unknown key 'counts' in experts.random; did you mean 'count'?"},
        {WITH("'sweep':{'pth':'a'}"), "toy.json: unknown key 'pth' in sweep; did you mean 'path'?"},
        {"{" SHAPE EXPERTS AGENTS RUNS "}", "toy.json: 'episodes' is missing"},
        {"{" SHAPE EXPERTS EPISODES RUNS "}", "toy.json: 'agents' is missing"},
        {"{" SHAPE EPISODES AGENTS RUNS "}", "toy.json: 'experts' is missing"},
        {NULL, NULL}};
    all_refused(list);
}

static void types_refused(void **state)
{
    (void)state;
    static const wrong list[] = {
        {"{'runs':'3'}", "toy.json: runs is a string, must be a whole number from 1 to 1000000000000"},
        {"{'runs':0}", "toy.json: runs is 0, must be a whole number from 1 to 1000000000000"},
        {"{'runs':-1}", "toy.json: runs is -1, must be a whole number from 1 to 1000000000000"},
        {"{'runs':2.5}", "toy.json: runs is 2.5, must be a whole number from 1 to 1000000000000"},
        {"{'runs':1e300}", "toy.json: runs is 1.0000000000000001e+300, must be a whole number from 1 to 1000000000000"},
        {"{'runs':3,'seed':-5}", "toy.json: seed is -5, must be a whole number from 0 to 9223372036854775807"},
        {"{'runs':3,'name':7}", "toy.json: name is a number, must be a string"},
        {"{'runs':3,'name':''}", "toy.json: name is an empty string, must be a word"},
        {"{'runs':3,'description':null}", "toy.json: description is null, must be a string"},
        {"{'runs':true}", "toy.json: runs is true, must be a whole number from 1 to 1000000000000"},
        {"{'runs':false}", "toy.json: runs is false, must be a whole number from 1 to 1000000000000"},
        {WITH_EXPERTS("5"), "toy.json: experts is a number, must be a list"},
        {WITH_EXPERTS("[]"), "toy.json: experts is an empty list, must not be empty"},
        {WITH_EXPERTS("[[]]"), "toy.json: experts[0] is a list, must be an object"},
        {"{" SHAPE EXPERTS "'episodes':{}," AGENTS RUNS "}", "toy.json: episodes is an object, must be a list"},
        {WITH_EPISODE(""), "toy.json: episodes is an empty list, must not be empty"},
        {WITH_EPISODE("7"), "toy.json: episodes[0] is a number, must be an object"},
        {WITH_AGENTS(""), "toy.json: agents is an empty list, must not be empty"},
        {WITH_AGENTS("'ucb'"), "toy.json: agents[0] is a string, must be an object"},
        {WITH("'sweep':[]"), "toy.json: sweep is a list, must be an object"},
        {NULL, NULL}};
    all_refused(list);
}

static void names_refused(void **state)
{
    (void)state;
    static const wrong list[] = {
        {WITH_SHAPE("'actions':2,"), "toy.json: 'contexts' is missing"},
        {WITH_SHAPE("'contexts':2,"), "toy.json: 'actions' is missing"},
        {WITH_SHAPE("'contexts':0,'actions':2,"), "toy.json: contexts is 0, must be a whole number from 1 to 1000000"},
        {WITH_SHAPE("'contexts':2,'actions':1000001,"),
         "toy.json: actions is 1000001, must be a whole number from 1 to 1000000"},
        {WITH_SHAPE("'contexts':[],'actions':2,"), "toy.json: contexts is an empty list, must not be empty"},
        {WITH_SHAPE("'contexts':['a',3],'actions':2,"), "toy.json: contexts[1] is a number, must be a string"},
        {WITH_SHAPE("'contexts':['a',''],'actions':2,"), "toy.json: contexts[1] is an empty string, must be a word"},
        {WITH_SHAPE("'contexts':['a','a'],'actions':2,"), "toy.json: contexts[1] is 'a', a name that is already taken"},
        {WITH_SHAPE("'contexts':3,'actions':2,"),
         "toy.json: experts[0].table has 2 entries, must have 3, one per context"},
        {WITH_SHAPE("'contexts':2,'actions':['a','b','c'],"),
         "toy.json: experts[0].table[0] has 2 entries, must have 3, one per action"},
        {NULL, NULL}};
    all_refused(list);
}

static void experts_refused(void **state)
{
    (void)state;
    static const wrong list[] = {
        {WITH_EXPERTS("[{'name':'a'}]"), "toy.json: 'table' is missing in experts[0]"},
        {WITH_EXPERTS("[{'table':[[0.5,0.5],[0.5,0.4]]}]"), "toy.json: experts[0].table[1] sums to 0.9, must be 1"},
        {WITH_EXPERTS("[{'table':[[0.5,0.5],[1.1,-0.1]]}]"),
         "toy.json: experts[0].table[1][0] is 1.1, must be a probability"},
        {WITH_EXPERTS("[{'table':[[0.5,0.5],[-0.1,1.1]]}]"),
         "toy.json: experts[0].table[1][0] is -0.1, must be a probability"},
        {WITH_EXPERTS("[{'table':[[0.5,0.5],[1,'x']]}]"),
         "toy.json: experts[0].table[1][1] is a string, must be a number"},
        {WITH_EXPERTS("[{'name':'a','table':[[1,0],[1,0]]},{'name':'a','table':[[1,0],[1,0]]}]"),
         "toy.json: experts[1].name is 'a', a name that is already taken"},
        {WITH_EXPERTS("[{'table':[[1,0],[1,0]],'counts':[[1,2],[3]]}]"),
         "toy.json: experts[0].counts[1] has 1 entries, must have 2, one per action"},
        {WITH_EXPERTS("[{'table':[[1,0],[1,0]],'counts':[[1,2],[3,-4]]}]"),
         "toy.json: experts[0].counts[1][1] is -4, must be a whole number from 0 to 9223372036854775807"},
        {WITH_EXPERTS("{}"), "toy.json: experts must have one of 'random', 'gaps' and 'softmax'"},
        {WITH_EXPERTS("{'random':5}"), "toy.json: experts.random is a number, must be an object"},
        {WITH_EXPERTS("{'random':{}}"), "toy.json: 'count' is missing in experts.random"},
        {WITH_EXPERTS("{'random':{'count':0}}"),
         "toy.json: experts.random.count is 0, must be a whole number from 1 to 1000000"},
        {WITH_EXPERTS("{'random':{'count':4,'floor':0.6}}"),
         "toy.json: experts.random.floor is 0.6, must be at least 0 and at most 1/2"},
        {WITH_EXPERTS("{'random':{'count':4,'concentration':0}}"),
         "toy.json: experts.random.concentration is 0, must be in [0.001, 1e+06]"},
        {"{'contexts':100000,'actions':100000,'experts':{'random':{'count':100000}}," EPISODES AGENTS RUNS "}",
         "toy.json: experts.random.count makes tables of more than 134217728 numbers in all"},
        {WITH_EXPERTS("{'gaps':{'count':4,'smallest':0.1,'floor':0.01}}"),
         "toy.json: experts.gaps is about 1 context and 2 actions, but there are 2 and 2"},
        {"{'experts':{'gaps':{'count':1,'smallest':0.1,'floor':0.01}},'episodes':[{'rounds':1}]," AGENTS RUNS "}",
         "toy.json: experts.gaps.count is 1, must be a whole number from 2 to 1000000"},
        {"{'experts':{'gaps':{'count':4,'smallest':0.99,'floor':0.01}},'episodes':[{'rounds':1}]," AGENTS RUNS "}",
         "toy.json: experts.gaps.smallest is 0.99, must be above 0 and at most 1 - 2 floor = 0.98"},
        {NULL, NULL}};
    all_refused(list);
}

static void episodes_refused(void **state)
{
    (void)state;
    static const wrong list[] = {
        {WITH_EPISODE("{'reward_means':[[0,1],[0,1]]}"), "toy.json: 'rounds' is missing in episodes[0]"},
        {WITH_EPISODE("{'rounds':0,'reward_means':[[0,1],[0,1]]}"),
         "toy.json: episodes[0].rounds is 0, must be a whole number from 1 to 1000000000000000"},
        {WITH_EPISODE("{'rounds':9e18,'reward_means':[[0,1],[0,1]]}"),
         "toy.json: episodes[0].rounds is 9e+18, must be a whole number from 1 to 1000000000000000"},
        {WITH_EPISODE("{'rounds':5,'min_rounds':6,'reward_means':[[0,1],[0,1]]}"),
         "toy.json: episodes[0].min_rounds is 6, must be a whole number from 1 to 5"},
        {WITH_EPISODE("{'rounds':5}"), "toy.json: 'reward_means' is missing in episodes[0]"},
        {WITH_EPISODE("{'rounds':5,'reward_means':[[0,1],[0,1.5]]}"),
         "toy.json: episodes[0].reward_means[1][1] is 1.5, must be in [0, 1]"},
        {WITH_EPISODE("{'rounds':5,'reward_means':[[0,1]]}"),
         "toy.json: episodes[0].reward_means has 1 entries, must have 2, one per context"},
        {WITH_EPISODE("{'rounds':5,'reward_means':[[0,1],[0,1,1]]}"),
         "toy.json: episodes[0].reward_means[1] has 3 entries, must have 2, one per action"},
        {WITH_EPISODE("{'rounds':5,'reward_means':{'random':{'a':1}}}"),
         "toy.json: unknown key 'a' in episodes[0].reward_means.random"},
        {WITH_EPISODE("{'rounds':5,'reward_means':[[0,1],[0,1]],'rewards':[]}"),
         "toy.json: episodes[0] has both 'rewards' and 'reward_means', must have one of them"},
        {WITH_EPISODE("{'rounds':5,'rewards':[[[0],[1]],[[0],[1,-0.5]]]}"),
         "toy.json: episodes[0].rewards[1][1][1] is -0.5, must be in [0, 1]"},
        {WITH_EPISODE("{'rounds':5,'rewards':[[[0],[1]],[[],[1]]]}"),
         "toy.json: episodes[0].rewards[1][0] is an empty list, must not be empty"},
        {WITH_EPISODE("{'rounds':5,'rewards':[[[0],[1]],[0,1]]}"),
         "toy.json: episodes[0].rewards[1][0] is a number, must be a list"},
        {WITH_EPISODE("{'rounds':5,'context_probabilities':[0.5,0.4],'reward_means':[[0,1],[0,1]]}"),
         "toy.json: episodes[0].context_probabilities sums to 0.9, must be 1"},
        {WITH_EPISODE("{'rounds':5,'context_probabilities':[1.5,-0.5],'reward_means':[[0,1],[0,1]]}"),
         "toy.json: episodes[0].context_probabilities[0] is 1.5, must be a probability"},
        {WITH_EPISODE("{'rounds':5,'context_probabilities':[1],'reward_means':[[0,1],[0,1]]}"),
         "toy.json: episodes[0].context_probabilities has 1 entries, must have 2, one per context"},
        {WITH_EPISODE("{'rounds':5,'context_probabilities':{'random':{'floor':0.7}},'reward_means':[[0,1],[0,1]]}"),
         "toy.json: episodes[0].context_probabilities.random.floor is 0.7, must be at least 0 and at most 1/2"},
        {WITH_EPISODE("{'rounds':5,'repeat':0,'reward_means':[[0,1],[0,1]]}"),
         "toy.json: episodes[0].repeat is 0, must be a whole number from 1 to 65536"},
        {WITH_EPISODE("{'rounds':5,'repeat':65536},{'rounds':5}"), "toy.json: episodes are more than 65536"},
        {NULL, NULL}};
    all_refused(list);
}

static void agents_refused(void **state)
{
    (void)state;
    static const char zeros[] = "{" SHAPE "'experts':[{'table':[[1,0],[1,0]]},{'table':[[0,1],[0.4,0.6]]}]," EPISODES
                                "'agents':[{'agent':'ucb'},{'agent':'d-ucb'}]," RUNS "}";
    static const wrong list[] = {
        {WITH_AGENTS("{'label':'a'}"), "toy.json: 'agent' is missing in agents[0]"},
        {WITH_AGENTS("{'agent':'d_ucb'}"), "toy.json: agents[0]: there is no agent 'd_ucb'; there are " ALL_AGENTS},
        {WITH_AGENTS("{'agent':'d-ucb','suport':'shared'}"),
         "toy.json: agents[0]: d-ucb has no setting 'suport'; it takes C, gamma, support, verify; did you mean "
         "'support'?"},
        {WITH_AGENTS("{'agent':'ucb'},{'agent':'ucb','samples':10}"),
         "toy.json: agents[1]: ucb has no setting 'samples': it takes none"},
        {WITH_AGENTS("{'agent':'d-ucb','C':-1}"),
         "toy.json: agents[0]: C is -1, must be a number above 0 and at most 1e+100 or \"theory\""},
        {WITH_AGENTS("{'agent':'d-ucb','C':'large'}"),
         "toy.json: agents[0]: C is \"large\", must be a number above 0 and at most 1e+100 or \"theory\""},
        {WITH_AGENTS("{'agent':'d-ucb','C':[1]}"), "toy.json: agents[0].C is a list, must be a number or a string"},
        {WITH_AGENTS("{'agent':'ucb','label':'a'},{'agent':'ucb','label':'a'}"),
         "toy.json: agents[1].label is 'a', a name that is already taken"},
        {WITH_AGENTS("{'agent':'ucb','label':''}"), "toy.json: agents[0].label is an empty string, must be a word"},
        {WITH_AGENTS("{'agent':'ed-ucb','p_X':0.1,'gamma':0.2}"),
         "toy.json: agents[0]: ed-ucb needs p_V: lower bound of every true probability of an action"},
        {WITH_AGENTS("{'agent':'ed-ucb','p_V':0.1,'p_X':0.1,'gamma':0.2,'samples':'some'}"),
         "toy.json: agents[0].samples is \"some\", must be a whole number or \"theory\""},
        {WITH_AGENTS("{'agent':'direct','samples':'theory'}"),
         "toy.json: agents[0].samples is \"theory\", must be a whole number or \"none\""},
        {WITH_AGENTS("{'agent':'direct','prior':'episode'}"),
         "toy.json: agents[0].prior is for agents on estimates; give \"samples\" too"},
        {WITH_AGENTS("{'agent':'direct','samples':'none','sampling':'inline'}"),
         "toy.json: agents[0].sampling is \"inline\", must be \"offline\" or \"online\""},
        {WITH_AGENTS("{'agent':'ed-ucb','p_V':0.1,'p_X':0.1,'gamma':0.2,'samples':0}"),
         "toy.json: agents[0].samples is 0, must be a whole number from 1 to 4611686018427387904"},
        {WITH_AGENTS("{'agent':'ed-ucb','p_V':0.1,'p_X':0.1,'gamma':0.2,'sampling':'inline'}"),
         "toy.json: agents[0].sampling is \"inline\", must be \"offline\" or \"online\""},
        {WITH_AGENTS("{'agent':'ed-ucb','p_V':0.1,'p_X':0.1,'gamma':0.2,'samples':6,'sampling':'online'}"),
         "toy.json: agents[0]: online sampling needs 12 rounds (2 experts, 6 samples each), but the first episode has "
         "10"},
        {WITH_AGENTS("{'agent':'ed-ucb','p_V':1e-5,'p_X':0.1,'gamma':0.2}"),
         "toy.json: agents[0]: the theory's budget of samples per expert is 5.99146e+33: set p_V, p_X and gamma to "
         "bring it below 4.6e18, or give a number of samples"},
        {WITH_AGENTS("{'agent':'ed-ucb','p_V':0.1,'p_X':0.1,'gamma':0.2,'prior':[0.5,0.4]}"),
         "toy.json: agents[0]: prior sums to 0.9, must be 1"},
        {WITH_AGENTS("{'agent':'ed-ucb','p_V':0.1,'p_X':0.1,'gamma':0.2,'prior':'episodes'}"),
         "toy.json: agents[0].prior is \"episodes\", must be a list of probabilities or \"episode\""},
        {WITH_AGENTS("{'agent':'ed-ucb','p_V':0.1,'p_X':0.1,'gamma':0.2,'prior':[1]}"),
         "toy.json: agents[0].prior has 1 entries, must have 2, one per context"},
        {WITH_AGENTS("{'agent':'ed-ucb','p_V':0.1,'p_X':0.1,'gamma':0.2,'prior':[1,0],'sampling':'online'}"),
         "toy.json: agents[0].prior is for offline sampling; online sampling meets the contexts of the world"},
        {zeros,
         "toy.json: agents[1]: experts[1] (expert 2) never plays action 0 in context 0, but experts[0] (expert 1) "
         "does, so their divergence is infinite: give every action a small probability, or set support to "
         "\"shared\""},
        {NULL, NULL}};
    all_refused(list);
}

static void sweeps_refused(void **state)
{
    (void)state;
    static const wrong list[] = {
        {WITH("'sweep':{'values':[1]}"), "toy.json: 'path' is missing in sweep"},
        {WITH("'sweep':{'path':'episodes.0.rounds'}"), "toy.json: 'values' is missing in sweep"},
        {WITH("'sweep':{'path':'episodes.0.rounds','values':[]}"),
         "toy.json: sweep.values is an empty list, must not be empty"},
        {WITH("'sweep':{'path':'episodes.0.rounds','values':[1,[2]]}"),
         "toy.json: sweep.values[1] is a list, must be a number or a string"},
        {WITH("'sweep':{'path':'experts.0.count','values':[1]}"),
         "toy.json: sweep.path is 'experts.0.count', but experts.0 has no 'count'; add the key that the sweep is to "
         "replace"},
        {WITH("'sweep':{'path':'agents.1.C','values':[1]}"),
         "toy.json: sweep.path is 'agents.1.C', but agents has no '1'; add the key that the sweep is to replace"},
        {WITH("'sweep':{'path':'agents.x.C','values':[1]}"),
         "toy.json: sweep.path is 'agents.x.C', but agents has no 'x'; add the key that the sweep is to replace"},
        {WITH("'sweep':{'path':'experts','values':[1]}"), "toy.json: sweep.path is 'experts', must lead to a number or "
                                                          "string inside experts, episodes or agents"},
        {WITH("'sweep':{'path':'runs','values':[1]}"), "toy.json: sweep.path is 'runs', must lead to a number or "
                                                       "string inside experts, episodes or agents"},
        {WITH("'sweep':{'path':'nothing','values':[1]}"), "toy.json: sweep.path is 'nothing', must lead to a number or "
                                                          "string inside experts, episodes or agents"},
        {WITH("'sweep':{'path':'agents.0.agent','values':['ucb']}"),
         "toy.json: sweep.path is 'agents.0.agent', but agents cannot be swept; list them all under agents"},
        {WITH("'sweep':{'path':'episodes.0.rounds','values':[5,0]}"),
         "toy.json (rounds = 0): episodes[0].rounds is 0, must be a whole number from 1 to 1000000000000000"},
        {WITH("'sweep':{'path':'episodes.0.rounds','values':['many'],'label':'length'}"),
         "toy.json (length = many): episodes[0].rounds is a string, must be a whole number from 1 to "
         "1000000000000000"},
        {NULL, NULL}};
    all_refused(list);
}

static void changes_refused(void **state)
{
    (void)state;
    static const char text[] = WITH_AGENTS("{'agent':'ucb'},{'agent':'d-ucb','label':'ours'}");
    static const experiment_changes unknown = {.agents = "ucb, kl-ucb"}, none = {.agents = ""};
    static const experiment_changes long_ones = {.rounds = UINT64_MAX};
    refused(text, &unknown, "toy.json: no agent of this file is called 'kl-ucb'; there are ucb, ours");
    refused(text, &none, "toy.json: no agent of this file is called ''; there are ucb, ours");
    refused(text, &long_ones, "18446744073709551615 rounds are too many, must be at most 1000000000000000");
}

/* A file of this name in a new folder, which the test is moved to. */
static void write_json(const char *name, const char *text)
{
    char *json = quoted(text);
    write_file(name, json);
    free(json);
}

static void file_refused(const char *path, const char *sentence)
{
    experiment *e;
    roster_error err;
    assert_refused(experiment_read(&e, path, NULL, &err), &err, ROSTER_EINVAL, sentence);
    assert_null(e);
}

static int empty_and_leave(void **state)
{
    folder_empty(".");
    return leave_folder(state);
}

static void files_refused(void **state)
{
    (void)state;
    file_refused("missing.json", "missing.json cannot be read: No such file or directory");
    file_refused(".", ". cannot be read: Is a directory");
    write_json("toy.json", "");
    file_refused("toy.json", "toy.json is empty, must hold JSON");
    assert_int_equal(truncate("toy.json", (64 << 20) + 1), 0);
    file_refused("toy.json", "toy.json is larger than 64 MiB");
    assert_int_equal(truncate("toy.json", 100), 0);
    file_refused("toy.json", "toy.json:1:1: invalid token near end of file");
    char longer[400];
    memset(longer, '/', sizeof longer);
    memcpy(longer, ".", 1);
    strcpy(longer + 300, "toy.json");
    write_json("toy.json", "{}");
    char sentence[480];
    snprintf(sentence, sizeof sentence, "...%s: 'runs' is missing", longer + 308 - 160);
    file_refused(longer, sentence);
}

static void rosters_refused(void **state)
{
    (void)state;
#define ROSTER(shape, experts) "{" shape "'experts':" experts "}"
#define ONE "[{'table':[[0.5,0.5],[0.9,0.1]]}]"
    static const struct {
        const char *shape, *roster, *sentence;
    } list[] = {
        {"", "", "./roster.json is empty, must hold JSON"},
        {"", "{'experts':\n}", "./roster.json:2:1: unexpected token near '}'"},
        {"", "[]", "./roster.json: the document is a list, must be an object"},
        {"", ROSTER("", ONE), "./roster.json: 'contexts' is missing"},
        {"", ROSTER("'contexts':2,", ONE), "./roster.json: 'actions' is missing"},
        {"", ROSTER("'rounds':2,", ONE), "./roster.json: unknown key 'rounds'"},
        {"", ROSTER("'xi':'a',", ONE), "./roster.json: xi is a string, must be a number"},
        {"", ROSTER("'min_samples':-1,", ONE),
         "./roster.json: min_samples is -1, must be a whole number from 0 to 9223372036854775807"},
        {"", ROSTER(SHAPE, "{'random':{'count':2}}"), "./roster.json: experts is an object, must be a list"},
        {"", ROSTER(SHAPE, "[{'table':[[0.5,0.5],[0.5,0.4]]}]"),
         "./roster.json: experts[0].table[1] sums to 0.9, must be 1"},
        {"'contexts':3,", ROSTER(SHAPE, ONE), "./toy.json: contexts is 3, but ./roster.json is about 2"},
        {"'actions':['a'],", ROSTER(SHAPE, ONE), "./toy.json: actions has 1 entries, but ./roster.json is about 2"},
        {"'contexts':['a','b'],", ROSTER("'contexts':['b','a'],'actions':2,", ONE),
         "./toy.json: contexts are not those of ./roster.json in its order: leave them out, or list them as it does"},
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        char text[500];
        snprintf(text, sizeof text, "{%s'experts':'roster.json'," EPISODES AGENTS RUNS "}", list[i].shape);
        write_json("toy.json", text);
        write_json("roster.json", list[i].roster);
        file_refused("./toy.json", list[i].sentence);
    }
    unlink("roster.json");
    file_refused("./toy.json", "./roster.json cannot be read: No such file or directory");
    write_json("toy.json", WITH_EXPERTS("''"));
    file_refused("toy.json", "toy.json: experts is an empty string, must be a word");
}

static void rewards_files_refused(void **state)
{
    (void)state;
#define REWARDS(shape, rewards) "{" shape "'rewards':" rewards "}"
#define FOUR "[[[0],[1]],[[0.5],[0,1]]]"
    static const struct {
        const char *rewards, *sentence;
    } list[] = {
        {"", "./rewards.json is empty, must hold JSON"},
        {"[]", "./rewards.json: the document is a list, must be an object"},
        {REWARDS("", FOUR), "./rewards.json: 'contexts' is missing"},
        {REWARDS("'reward':2,", FOUR), "./rewards.json: unknown key 'reward'; did you mean 'rewards'?"},
        {"{'contexts':2,'actions':2}", "./rewards.json: 'rewards' is missing"},
        {REWARDS(SHAPE, "'rewards.json'"), "./rewards.json: rewards is a string, must be a list"},
        {REWARDS(SHAPE, "[[[0],[1]]]"), "./rewards.json: rewards has 1 entries, must have 2, one per context"},
        {REWARDS(SHAPE, "[[[0],[1]],[[0.5],[]]]"), "./rewards.json: rewards[1][1] is an empty list, must not be empty"},
        {REWARDS(SHAPE, "[[[0],[1]],[[0.5],[0,2]]]"), "./rewards.json: rewards[1][1][1] is 2, must be in [0, 1]"},
        {REWARDS("'contexts':3,'actions':2,", "[[[0],[1]],[[0.5],[0,1]],[[0],[0]]]"),
         "./toy.json: contexts is 2, but ./rewards.json is about 3"},
        {REWARDS("'contexts':2,'actions':1,", "[[[0]],[[0.5]]]"),
         "./toy.json: actions is 2, but ./rewards.json is about 1"},
    };
    write_json("toy.json", "{" SHAPE EXPERTS "'episodes':[{'rounds':9,'rewards':'rewards.json'}]," AGENTS RUNS "}");
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        write_json("rewards.json", list[i].rewards);
        file_refused("./toy.json", list[i].sentence);
    }
    unlink("rewards.json");
    file_refused("./toy.json", "./rewards.json cannot be read: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_refused),
        cmocka_unit_test(keys_refused),
        cmocka_unit_test(types_refused),
        cmocka_unit_test(names_refused),
        cmocka_unit_test(experts_refused),
        cmocka_unit_test(episodes_refused),
        cmocka_unit_test(agents_refused),
        cmocka_unit_test(sweeps_refused),
        cmocka_unit_test(changes_refused),
        cmocka_unit_test_setup_teardown(files_refused, enter_folder, empty_and_leave),
        cmocka_unit_test_setup_teardown(rosters_refused, enter_folder, empty_and_leave),
        cmocka_unit_test_setup_teardown(rewards_files_refused, enter_folder, empty_and_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
