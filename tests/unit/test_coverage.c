/*
 * test_coverage.c: what the evidence says is true, at every time, while agents choose by what they have learnt.
 *
 * usage: test_coverage [CAMPAIGNS [ROUNDS]]. 300 campaigns of 3,000 rounds print the table of docs/evidence.md.
 */
#include "support.h"

#include "evidence_internal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 5, MOST = 8, CONTEXTS = 48, D = 3, MOST_CAMPAIGNS = 2000 };

static const double LEVEL = 0.95;
static size_t campaigns = 6, rounds = 700;

/* Contexts come with probabilities p, actions earn a coin's reward. */
typedef struct nature {
    const char *name;
    roster_experts *experts;
    size_t x, v, best;
    double p[CONTEXTS], features[CONTEXTS][D];
    double pi[N][CONTEXTS][MOST], means[CONTEXTS][MOST], value[N];
    const char *agents[4];
} nature;

enum { FULL, SHARED, TINY, FEATURES, PLAIN, QUICKSTART, NATURES };
static nature natures[NATURES];

static void find_values(nature *self)
{
    self->best = 0;
    for (size_t k = 0; k < N; k++) {
        self->value[k] = 0;
        for (size_t x = 0; x < self->x; x++)
            for (size_t v = 0; v < self->v; v++)
                self->value[k] += self->p[x] * self->pi[k][x][v] * self->means[x][v];
        self->best = self->value[k] > self->value[self->best] ? k : self->best;
    }
}

/* All but `support` actions are never taken. */
static void thin_out(roster_rng *rng, size_t v, size_t support, double *row)
{
    double sum = 0;
    for (size_t left = v; left > support;) {
        size_t a = (size_t)roster_rng_below(rng, v);
        left -= row[a] > 0;
        row[a] = 0;
    }
    for (size_t a = 0; a < v; a++)
        sum += row[a];
    for (size_t a = 0; a < v; a++)
        row[a] /= sum;
}

static void make_tables(nature *self, uint64_t seed, size_t x, size_t v, double least, double concentration,
                        size_t support)
{
    static double table[N * CONTEXTS * MOST];
    roster_rng rng;
    roster_error err;
    roster_rng_init(&rng, seed, 0, 0);
    self->x = x;
    self->v = v;
    for (size_t k = 0; k < N; k++)
        for (size_t c = 0; c < x; c++) {
            roster_rng_dirichlet(&rng, v, concentration, least, self->pi[k][c]);
            thin_out(&rng, v, support, self->pi[k][c]);
            memcpy(table + (k * x + c) * v, self->pi[k][c], v * sizeof(double));
        }
    roster_rng_dirichlet(&rng, x, 2, .02, self->p);
    for (size_t c = 0; c < x; c++)
        for (size_t a = 0; a < v; a++)
            self->means[c][a] = .6 * roster_rng_uniform(&rng);
    assert_ok(self == &natures[PLAIN] ? roster_experts_external(&self->experts, N, 0, v, NULL, NULL, &err)
                                      : roster_experts_tables(&self->experts, N, x, v, table, NULL, &err),
              &err);
    find_values(self);
}

static void make_features(nature *self, uint64_t seed)
{
    double weights[N * MOST * D], reward[MOST][D];
    roster_rng rng;
    roster_error err;
    roster_rng_init(&rng, seed, 0, 0);
    self->x = CONTEXTS;
    self->v = 4;
    for (size_t i = 0; i < N * self->v * D; i++)
        weights[i] = 4 * roster_rng_uniform(&rng) - 2;
    for (size_t i = 0; i < CONTEXTS * D; i++)
        self->features[i / D][i % D] = 2 * roster_rng_uniform(&rng) - 1;
    for (size_t i = 0; i < self->v * D; i++)
        reward[i / D][i % D] = 6 * roster_rng_uniform(&rng) - 3;
    const roster_softmax model = {.experts = N,
                                  .actions = self->v,
                                  .features = D,
                                  .weights = weights,
                                  .floor = .02,
                                  .sample = self->features[0],
                                  .samples = CONTEXTS};
    assert_ok(roster_experts_softmax(&self->experts, &model, &err), &err);
    for (size_t c = 0; c < CONTEXTS; c++) {
        self->p[c] = 1. / CONTEXTS;
        for (size_t k = 0; k < N; k++)
            roster_experts_distribution(self->experts, k, self->features[c], self->pi[k][c]);
        for (size_t a = 0; a < self->v; a++) {
            double score = 0;
            for (size_t f = 0; f < D; f++)
                score += reward[a][f] * self->features[c][f];
            self->means[c][a] = 1 / (1 + roster_exp(-score));
        }
    }
    find_values(self);
}

/* The first episode of experiments/quickstart.json. */
static void make_quickstart(nature *self)
{
    static const double table[N * 2 * 3] = {.34, .33, .33, .34, .33, .33, .8, .1,  .1,  .7, .2, .1, .1, .8, .1,
                                            .15, .7,  .15, .7,  .15, .15, .1, .75, .15, .1, .2, .7, .2, .1, .7};
    static const double means[2 * 3] = {.6, .3, .2, .2, .7, .3};
    roster_error err;
    self->x = 2;
    self->v = 3;
    self->p[0] = .6;
    self->p[1] = .4;
    for (size_t i = 0; i < N * 2; i++)
        memcpy(self->pi[i / 2][i % 2], table + i * 3, 3 * sizeof(double));
    for (size_t x = 0; x < 2; x++)
        memcpy(self->means[x], means + x * 3, 3 * sizeof(double));
    assert_ok(roster_experts_tables(&self->experts, N, 2, 3, table, NULL, &err), &err);
    find_values(self);
}

static int setup(void **state)
{
    (void)state;
    natures[FULL] = (nature){.name = "full support", .agents = {"d-ucb", "ucb", "direct"}};
    natures[SHARED] = (nature){.name = "shared support", .agents = {"d-ucb", "ucb", "direct"}};
    natures[TINY] = (nature){.name = "tiny probabilities", .agents = {"d-ucb", "ucb", "direct"}};
    natures[FEATURES] = (nature){.name = "features", .agents = {"d-ucb", "ucb", "mixture"}};
    natures[PLAIN] = (nature){.name = "plain models", .agents = {"ucb", "mixture"}};
    make_tables(&natures[FULL], 5, 4, 4, .05, 1, 4);
    make_tables(&natures[SHARED], 6, 4, 8, 0, 1, 4);
    make_tables(&natures[TINY], 7, 4, 7, .002, .3, 7);
    make_features(&natures[FEATURES], 8);
    make_tables(&natures[PLAIN], 9, 8, 6, 0, 1, 1);
    natures[QUICKSTART] = (nature){.name = "quickstart", .agents = {"d-ucb", "ucb", "direct"}};
    make_quickstart(&natures[QUICKSTART]);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < NATURES; i++)
        roster_experts_free(natures[i].experts);
    return 0;
}

/* One campaign: an agent that learns, and the evidence beside it. */
typedef struct campaign {
    const nature *nature;
    roster_agent *agent;
    roster_evidence *evidence;
    roster_rng rng;
    double probabilities[N];
} campaign;

static void begin(campaign *self, const nature *world, const char *agent, uint64_t run)
{
    const roster_setting settings[] = {{"support", 0, "shared"}, {NULL, 0, NULL}};
    roster_error err;
    bool tables = roster_experts_kind(world->experts) == ROSTER_TABLES;
    roster_problem problem = {.experts = world->experts, .context_probabilities = tables ? world->p : NULL};
    self->nature = world;
    assert_ok(
        roster_agent_create(&self->agent, agent, &problem, strcmp(agent, "d-ucb") == 0 ? settings : NULL, 1, run, &err),
        &err);
    assert_ok(roster_evidence_create(&self->evidence, world->experts, LEVEL, &err), &err);
    roster_rng_init(&self->rng, 77, run, 1);
}

static void end(campaign *self)
{
    roster_agent_free(self->agent);
    roster_evidence_free(self->evidence);
}

static roster_event play(campaign *self)
{
    const nature *n = self->nature;
    roster_error err;
    size_t k = roster_agent_choose(self->agent), x = roster_experts_draw(n->p, n->x, roster_rng_uniform(&self->rng));
    size_t v = roster_experts_draw(n->pi[k][x], n->v, roster_rng_uniform(&self->rng));
    roster_event event = {.expert = k, .context = x, .action = v, .features = n->features[x]};
    event.reward = roster_rng_uniform(&self->rng) < n->means[x][v];
    for (size_t i = 0; i < N; i++)
        self->probabilities[i] = n->pi[i][x][v];
    event.probabilities = self->probabilities;
    assert_ok(roster_agent_learn(self->agent, &event, &err), &err);
    assert_ok(roster_evidence_learn(self->evidence, &event, &err), &err);
    return event;
}

/* One kind of interval: whether one of it ever missed, and how wide they are now. */
typedef struct judged {
    bool missed;
    double half, shown; /* sum of half widths, and of how many experts */
} judged;

static void judge(judged *self, double truth, double low, double high)
{
    self->missed |= low > truth || high < truth;
    self->half += (high - low) / 2;
    self->shown++;
}

/* What other pages would show: of an expert's own rewards the mean and 1.96 standard errors, from 30 rounds on; the
   agent's estimate and Hoeffding's width for the samples that it is worth. */
typedef struct peers {
    double n[N], sum[N]; /* of rewards 0 and 1 the squares are the rewards */
    judged pointwise, hoeffding;
} peers;

static void judge_peers(peers *self, const campaign *c, const roster_event *event)
{
    self->n[event->expert]++;
    self->sum[event->expert] += event->reward;
    self->pointwise = (judged){.missed = self->pointwise.missed};
    self->hoeffding = (judged){.missed = self->hoeffding.missed};
    for (size_t i = 0; i < N; i++) {
        double mean = self->sum[i] / self->n[i], se = sqrt(mean * (1 - mean) / self->n[i]);
        if (self->n[i] >= 30)
            judge(&self->pointwise, c->nature->value[i], mean - 1.96 * se, mean + 1.96 * se);
        roster_insight insight;
        roster_agent_insight(c->agent, i, &insight);
        double half = sqrt(log(2 / (1 - LEVEL)) / (2 * insight.samples));
        if (insight.samples > 0)
            judge(&self->hoeffding, c->nature->value[i], insight.estimate - half, insight.estimate + half);
    }
}

/* What the evidence said in one campaign. */
typedef struct verdict {
    judged values;
    bool wrong;    /* the best was excluded                           */
    bool worse[N]; /* a lower bound of how much it is worse was wrong */
    size_t known;  /* since which round; 0: not                       */
    double leader; /* half width of the leader's interval             */
} verdict;

static void judge_evidence(verdict *self, const campaign *c, size_t t)
{
    const nature *n = c->nature;
    self->values = (judged){.missed = self->values.missed};
    for (size_t i = 0; i < N; i++) {
        roster_finding finding;
        roster_evidence_find(c->evidence, i, &finding);
        judge(&self->values, n->value[i], finding.value.low, finding.value.high);
        self->worse[i] |= finding.worse > n->value[n->best] - n->value[i] + 1e-12;
        self->wrong |= finding.excluded && i == n->best;
        if (i == roster_evidence_leader(c->evidence))
            self->leader = (finding.value.high - finding.value.low) / 2;
    }
    if (self->known == 0 && roster_evidence_known(c->evidence))
        self->known = t;
}

/* All campaigns of one agent in one world. */
typedef struct totals {
    size_t missed, wrong, worse[N], known, pointwise, hoeffding;
    double half, leader, pointwise_half, hoeffding_half, times[MOST_CAMPAIGNS];
} totals;

static double mean_half(const judged *at)
{
    return at->shown > 0 ? at->half / at->shown : 0;
}

static void add(totals *self, const verdict *said, const peers *others)
{
    self->missed += said->values.missed;
    self->wrong += said->wrong;
    for (size_t i = 0; i < N; i++)
        self->worse[i] += said->worse[i];
    if (said->known > 0)
        self->times[self->known++] = (double)said->known;
    self->half += mean_half(&said->values);
    self->leader += said->leader;
    self->pointwise += others->pointwise.missed;
    self->hoeffding += others->hoeffding.missed;
    self->pointwise_half += mean_half(&others->pointwise);
    self->hoeffding_half += mean_half(&others->hoeffding);
}

/* broken: as if one could do without ln(1/delta), the price of looking at every time. */
static void run_campaigns(totals *self, const nature *world, const char *agent, bool broken)
{
    memset(self, 0, sizeof *self);
    for (uint64_t run = 0; run < campaigns; run++) {
        campaign c;
        verdict said = {.known = 0};
        peers others = {.n = {0}};
        begin(&c, world, agent, run);
        if (broken)
            c.evidence->ln_value = c.evidence->ln_versus = 0.5;
        for (size_t t = 1; t <= rounds; t++) {
            roster_event event = play(&c);
            judge_evidence(&said, &c, t);
            judge_peers(&others, &c, &event);
        }
        add(self, &said, &others);
        end(&c);
    }
}

static bool holds(const totals *sum)
{
    double most = (1 - LEVEL) * (double)campaigns;
    bool fine = (double)sum->missed <= most && (double)sum->wrong <= most;
    for (size_t i = 0; i < N; i++)
        fine &= (double)sum->worse[i] <= most;
    return fine;
}

static int by_size(const void *a, const void *b)
{
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

static double percent(size_t part)
{
    return 100 * (double)part / (double)campaigns;
}

/* A row of the table in docs/evidence.md. */
static void print_row(const nature *world, const char *agent, totals *sum)
{
    double r = (double)campaigns;
    char median[16] = "";
    qsort(sum->times, sum->known, sizeof *sum->times, by_size);
    if (2 * sum->known > campaigns)
        snprintf(median, sizeof median, ", after %.0f", sum->times[campaigns / 2]);
    print_message("| %s | %s | %.1f%% | %.1f%% | %.0f%%%s | %.3f | %.3f | %.0f%% | %.3f | ", world->name, agent,
                  percent(sum->missed), percent(sum->wrong), percent(sum->known), median, sum->half / r,
                  sum->leader / r, percent(sum->pointwise), sum->pointwise_half / r);
    if (strcmp(agent, "d-ucb") == 0 || strcmp(agent, "ucb") == 0)
        print_message("%.0f%% | %.3f |\n", percent(sum->hoeffding), sum->hoeffding_half / r);
    else
        print_message("| |\n");
}

static void intervals_hold(const nature *world)
{
    static totals sum;
    for (size_t a = 0; world->agents[a] != NULL; a++) {
        run_campaigns(&sum, world, world->agents[a], false);
        print_row(world, world->agents[a], &sum);
        assert_true(holds(&sum));
    }
}

static void full_support(void **state)
{
    (void)state;
    intervals_hold(&natures[FULL]);
}

static void shared_support(void **state)
{
    (void)state;
    intervals_hold(&natures[SHARED]);
}

static void tiny_probabilities(void **state)
{
    (void)state;
    intervals_hold(&natures[TINY]);
}

static void features(void **state)
{
    (void)state;
    intervals_hold(&natures[FEATURES]);
}

static void plain_models(void **state)
{
    (void)state;
    intervals_hold(&natures[PLAIN]);
}

static void quickstart(void **state)
{
    (void)state;
    intervals_hold(&natures[QUICKSTART]);
}

/* The check is able to fail: for evidence that saves too much, and for what other pages show. */
static void broken_evidence_is_caught(void **state)
{
    (void)state;
    static totals sum;
    size_t asked = campaigns;
    campaigns = campaigns < 20 ? campaigns : 20;
    for (size_t i = 0; i < 2; i++) {
        run_campaigns(&sum, &natures[i == 0 ? FULL : TINY], "ucb", true);
        assert_false(holds(&sum));
        assert_true(sum.pointwise > campaigns / 4);
    }
    campaigns = asked;
}

/* Forecasts of one campaign, at rounds 100, 200, 400, ...: how many were right. */
static void forecast(const nature *world, const char *agent, uint64_t run, size_t *made, size_t *right)
{
    enum { LONGEST = 20000, FORECASTS = 8 };
    roster_interval said[FORECASTS];
    campaign c;
    size_t n = 0, t = 0;
    begin(&c, world, agent, run);
    while (t < LONGEST && !roster_evidence_known(c.evidence)) {
        play(&c);
        if (++t == (size_t)100 << n && n < FORECASTS && !roster_evidence_known(c.evidence))
            said[n++] = roster_evidence_until_known(c.evidence);
    }
    for (size_t i = 0; i < n; i++) {
        double left = (double)t - (double)((size_t)100 << i);
        *made += isnan(said[i].value) ? 0 : 1;
        *right += said[i].low <= left && left <= said[i].high;
        assert_true(isnan(said[i].value) || (said[i].low <= said[i].value && said[i].value <= said[i].high));
    }
    end(&c);
}

/* "So many rounds more": in at least 80% of the cases in which it is said at all. */
static void until_known(void **state)
{
    (void)state;
    const size_t which[] = {FULL, FEATURES};
    for (size_t i = 0; i < 2; i++) {
        const nature *world = &natures[which[i]];
        size_t made = 0, right = 0, runs = campaigns < 60 ? campaigns : 60;
        for (size_t a = 0; world->agents[a] != NULL; a++)
            for (uint64_t run = 0; run < runs; run++)
                forecast(world, world->agents[a], run, &made, &right);
        print_message("%s: %zu of %zu forecasts were right\n", world->name, right, made);
        assert_true(made >= runs && (double)right >= .8 * (double)made);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_support),
        cmocka_unit_test(shared_support),
        cmocka_unit_test(tiny_probabilities),
        cmocka_unit_test(features),
        cmocka_unit_test(plain_models),
        cmocka_unit_test(quickstart),
        cmocka_unit_test(broken_evidence_is_caught),
        cmocka_unit_test(until_known),
    };
    if (argc > 1)
        campaigns = strtoul(argv[1], NULL, 10);
    if (argc > 2)
        rounds = strtoul(argv[2], NULL, 10);
    if (campaigns < 1 || campaigns > MOST_CAMPAIGNS)
        return 1;
    return cmocka_run_group_tests(tests, setup, teardown);
}
