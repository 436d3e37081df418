/*
 * waiting.c: choosing while the rewards of earlier decisions are still to come.
 *
 * Paper: none.
 *
 *   w_i = decisions of expert i whose reward is not learnt yet;  u = a uniform number of the decision
 *
 * Nothing is learnt between two rewards, so that choose() names the same expert until the next one comes. That is right
 * for agents that learn about all experts from any reward, and wrong for those that need rewards of the expert
 * itself: many decisions would go to one expert before the first of them says anything.
 *
 *   uniform          floor(u N)
 *   exp4             an expert by its weights, drawn by u
 *   thompson         the largest of N numbers, each a draw that the bits of u select
 *   optimist         the same; the unknown as all others
 *   ucb, kl-ucb      a decision that waits is a play (arms.c)
 *   all others       choose(), but while there are experts of which nothing is known, those with the fewest waiting
 *                    come first: with shared support an expert may need samples of its own, and before the first reward
 *                    all do
 *
 * An expert of which nothing is known has an infinite index if none of its decisions waits, else 1e300 / w_i: above
 * all that are known, those with the fewest waiting first.
 *
 * Cost: O(N): the scores of N experts for ucb, two logarithms for each of N for kl-ucb.
 * Check: the rule written down literally (tests/unit/test_waiting.c: as_the_literal_rule).
 */
#include "waiting.h"

#include <string.h>

double roster_waiting_sum(const uint64_t *waiting, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)waiting[i];
    return sum;
}

size_t roster_waiting_draw(double u, size_t n)
{
    if (!(u > 0))
        return 0;
    size_t k = u < 1 ? (size_t)(u * (double)n) : n - 1;
    return k < n ? k : n - 1;
}

size_t roster_waiting_fewest(const void *self, bool (*among)(const void *self, size_t i), size_t n,
                             const uint64_t *waiting, double u)
{
    uint64_t fewest = UINT64_MAX;
    size_t count = 0, i = 0;
    for (size_t k = 0; k < n; k++) {
        if (!among(self, k) || waiting[k] > fewest)
            continue;
        count = waiting[k] < fewest ? 1 : count + 1;
        fewest = waiting[k];
    }
    if (count == 0)
        return n;
    for (size_t skip = roster_waiting_draw(u, count); !among(self, i) || waiting[i] > fewest || skip-- > 0; i++)
        ;
    return i;
}

static bool is_unknown(const void *index, size_t i)
{
    return ((const double *)index)[i] == INFINITY;
}

size_t roster_waiting_leader(const double *index, size_t n, size_t leader, const uint64_t *waiting, double u)
{
    if (!is_unknown(index, leader) || roster_waiting_sum(waiting, n) == 0)
        return leader;
    return roster_waiting_fewest(index, is_unknown, n, waiting, u);
}

size_t roster_waiting_largest(const void *self, roster_drawn_score score, size_t n, double u)
{
    double most = -INFINITY;
    size_t best = 0;
    uint64_t salt;
    memcpy(&salt, &u, sizeof salt);
    for (size_t i = 0; i < n; i++) {
        double drawn = score(self, i, salt);
        best = drawn > most ? i : best;
        most = drawn > most ? drawn : most;
    }
    return best;
}

void roster_agent_index_waiting(const roster_agent *agent, const uint64_t *waiting, double *u)
{
    const roster_agent_type *type = agent->type;
    if (type->index_waiting != NULL)
        type->index_waiting(agent->state, waiting, u);
    else
        type->index(agent->state, u);
    for (size_t i = 0; i < agent->setup.experts->n; i++)
        if (u[i] == INFINITY && waiting[i] > 0)
            u[i] = 1e300 / (double)waiting[i];
}
