/*
 * test_warm_start.c: "warm_start" of an experiment's agents: rows in the file, a tally or a log beside it
 * (src/experiment/warm_start.c, warm_start_file.c).
 *
 * Texts are written with ' for ", for the eye.
 */
#include "support.h"

#include "experiment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FILE_WITH(agents)                                                                                              \
    "{'contexts':['day','night'],'actions':['red','blue'],'experts':[{'name':'old','table':[[0.5,0.5],[0.9,0.1]]},"    \
    "{'name':'new','table':[[0.2,0.8],[0.4,0.6]]}],'episodes':[{'rounds':10,'reward_means':[[0.1,0.9],[0.5,0.5]]}],"   \
    "'agents':[" agents "],'runs':3}"
#define WARM(inner) "{'agent':'direct','warm_start':{" inner "}}"

static void quote(char *text)
{
    for (char *c = text; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
}

static experiment *parse(const char *text, roster_error *err)
{
    char json[2000];
    experiment *e;
    snprintf(json, sizeof json, "%s", text);
    quote(json);
    experiment_parse(&e, json, "folder/toy.json", NULL, err);
    return e;
}

static experiment *good(const char *text)
{
    roster_error err;
    experiment *e = parse(text, &err);
    if (e == NULL)
        print_error("%s\n", err.msg);
    assert_non_null(e);
    return e;
}

static void refused(const char *text, const char *sentence)
{
    roster_error err = {0};
    assert_null(parse(text, &err));
    assert_string_equal(err.msg, sentence_with_agents(sentence));
}

static void write_beside(const char *name, const char *text)
{
    char path[100];
    mkdir("folder", 0700);
    snprintf(path, sizeof path, "folder/%s", name);
    write_file(path, text);
}

static void remove_beside(void)
{
    folder_remove("folder");
}

static void assert_row(const roster_study *s, size_t i, roster_tally_row row)
{
    const roster_tally_row *got = &s->warm_rows[i];
    assert_true(got->expert == row.expert && got->context == row.context && got->action == row.action);
    assert_true(got->propensity == row.propensity && got->count == row.count);
    assert_close(got->sum, row.sum, 1e-12);
    assert_close(got->squares, row.squares, 1e-12);
}

static void rows_in_the_file(void **state)
{
    (void)state;
    experiment *e = good(FILE_WITH(
        "{'agent':'direct'}," WARM("'discount':0.5,'rows':[{'context':'night','action':'red','expert':'new',"
                                   "'propensity':0.4,'count':3,'reward_sum':1},{'context':0,'action':'1','count':1e3,"
                                   "'reward_sum':100.5,'reward_squares':50}]")));
    const roster_study *cold = &e->cases[0].studies[0], *warm = &e->cases[0].studies[1];
    assert_int_equal(cold->n_warm_rows, 0);
    assert_int_equal(warm->n_warm_rows, 2);
    assert_true(warm->warm_discount == .5);
    assert_row(warm, 0, (roster_tally_row){1, 1, 0, .4, 3, 1, 1});
    assert_row(warm, 1, (roster_tally_row){ROSTER_NO_EXPERT, 0, 1, 0, 1000, 100.5, 50});
    experiment_free(e);
}

/* Equal events are one row; other columns are passed over; the file's text parses to the same without the log. */
static void log_beside_it(void **state)
{
    (void)state;
    roster_error err;
    experiment *again;
    write_beside("log.csv", "time,context,action,expert,reward,propensity\n"
                            "1,day,red,old,1,0.5\n2,night,blue,new,0.25,0.6\n3,day,red,old,0,0.5\n4,day,blue,,1,\n");
    experiment *e = good(FILE_WITH(WARM("'log':'log.csv'")));
    remove_beside();
    assert_int_equal(experiment_parse(&again, e->text, "elsewhere/toy.json", NULL, &err), ROSTER_OK);
    for (int i = 0; i < 2; i++) {
        const roster_study *warm = &(i == 0 ? e : again)->cases[0].studies[0];
        assert_int_equal(warm->n_warm_rows, 3);
        assert_true(warm->warm_discount == 1);
        assert_row(warm, 0, (roster_tally_row){0, 0, 0, .5, 2, 1, 1});
        assert_row(warm, 1, (roster_tally_row){1, 1, 1, .6, 1, .25, .0625});
        assert_row(warm, 2, (roster_tally_row){ROSTER_NO_EXPERT, 0, 1, 0, 1, 1, 1});
    }
    experiment_free(e);
    experiment_free(again);
}

static void tally_beside_it(void **state)
{
    (void)state;
    write_beside("tally.csv", "context,action,count,reward_sum,reward_squares\nday,blue,10,4.5,3\nnight,red,7,7,7\n");
    experiment *e = good(FILE_WITH(WARM("'log':'tally.csv','discount':0.1")));
    const roster_study *warm = &e->cases[0].studies[0];
    assert_int_equal(warm->n_warm_rows, 2);
    assert_row(warm, 0, (roster_tally_row){ROSTER_NO_EXPERT, 0, 1, 0, 10, 4.5, 3});
    assert_row(warm, 1, (roster_tally_row){ROSTER_NO_EXPERT, 1, 0, 0, 7, 7, 7});
    experiment_free(e);
    remove_beside();
}

typedef struct wrong {
    const char *log, *sentence;
} wrong;

static const wrong wrong_logs[] = {
    {"item,click\n1,0\n",
     "folder/log.csv has no columns action and reward, nor those of a tally: make one of it first, roster tally "
     "folder/log.csv -o TALLY.csv"},
    {"", "folder/log.csv has no events"},
    {"action,reward\n", "folder/log.csv has no events"},
    {"context,action,reward\nday,red,1\nday,red\n", "folder/log.csv:3: must have as many fields as the header"},
    {"context,action,reward\nday,red,often\n", "folder/log.csv:2: reward is \"often\", must be a number"},
    {"context,action,reward\nday,red,\n", "folder/log.csv:2: reward is \"\", must be a number"},
    {"context,action,reward\nday,red,nan\n", "folder/log.csv:2: reward is \"nan\", must be a number"},
    {"context,action,reward\nday,red,2\n", "folder/log.csv:2: reward must be in [0, 1]"},
    {"context,action,reward,propensity\nday,red,1,x\n", "folder/log.csv:2: propensity is \"x\", must be a number"},
    {"context,action,count,reward_sum,reward_squares\nday,red,1.5,1,1\n",
     "folder/log.csv:2: count must be a whole number from 1 on"},
    {"context,action,count,reward_sum,reward_squares\nday,red,0,0,0\n",
     "folder/log.csv:2: count must be a whole number from 1 on"},
    {"context,action,reward\ndusk,red,1\n",
     "folder/toy.json: agents[0].warm_start.rows[0].context is \"dusk\", which is not a context"},
    {"context,action,reward\nday,green,1\n",
     "folder/toy.json: agents[0].warm_start.rows[0].action is \"green\", which is not an action"},
    {"context,action,reward,expert\nday,red,1,he\n",
     "folder/toy.json: agents[0].warm_start.rows[0].expert is \"he\", which is not an expert: leave it out where none "
     "of these acted"},
    {"action,reward\nred,1\n", "folder/toy.json: 'context' is missing in agents[0].warm_start.rows[0]"},
    {"context,action,count,reward_sum,reward_squares\nday,red,2,3,3\n",
     "folder/toy.json: agents[0]: rows[0].sum is 3, must be in [0, count], since rewards are in [0, 1]"},
    {"context,action,reward,expert,propensity\nday,red,1,old,0.4\n",
     "folder/toy.json: agents[0]: rows[0].propensity is 0.4, but expert 0 takes action 0 there with 0.5"},
};

static void logs_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong_logs / sizeof *wrong_logs; i++) {
        write_beside("log.csv", wrong_logs[i].log);
        refused(FILE_WITH(WARM("'log':'log.csv'")), wrong_logs[i].sentence);
        remove_beside();
    }
}

static void places_refused(void **state)
{
    (void)state;
    refused(FILE_WITH(WARM("'log':'none.csv'")), "folder/none.csv cannot be read: No such file or directory");
    refused(FILE_WITH(WARM("'log':3")), "folder/toy.json: agents[0].warm_start.log is a number, must be a string");
    refused(FILE_WITH(WARM("'log':'l','rows':[]")),
            "folder/toy.json: agents[0].warm_start.log and \"rows\" are two tallies: leave one of them out");
    refused(FILE_WITH(WARM("")), "folder/toy.json: 'rows' is missing in agents[0].warm_start");
    refused(FILE_WITH("{'agent':'direct','warm_start':'log.csv'}"),
            "folder/toy.json: agents[0].warm_start is a string, must be an object");
    refused(FILE_WITH("{'agent':'exp4','warm_start':{'rows':[{'context':0,'action':0,'count':1,'reward_sum':1}]}}"),
            "folder/toy.json: agents[0]: exp4 must see events one by one and cannot learn a tally; these "
            "can: " TALLY_AGENTS);
    refused(FILE_WITH("{'agent':'ed-ucb','p_V':0.05,'p_X':0.3,'xi':0.01,'samples':50,'warm_start':{'rows':[{"
                      "'context':0,'action':0,'count':1,'reward_sum':1}]}}"),
            "folder/toy.json: agents[0]: rows[0] has no expert, but ed-ucb must know who acted; direct need not, where "
            "experts are tables");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_in_the_file), cmocka_unit_test(log_beside_it),  cmocka_unit_test(tally_beside_it),
        cmocka_unit_test(logs_refused),     cmocka_unit_test(places_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
