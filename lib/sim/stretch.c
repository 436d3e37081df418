/*
 * stretch.c: the loop in which a study spends its time.
 *
 * Paper: none.
 *
 *   while the certificate lasts: context and action of expert k, reward, counted; no agent, no event, no decision
 *
 * Rounds do not depend on each other here, so the processor works on several at a time; what they come to is the same
 * as roster_world_round's, to the bit.
 *
 * Cost: one Philox block, two guided inversions, three additions per round.
 * Check: the same rounds as one by one (tests/unit/test_certificate.c: random_instances).
 */
#include "stretch.h"

/* One loop, made three times: what most certificates do not ask for is not in theirs. */
static inline __attribute__((always_inline)) uint64_t play(const roster_world *w, const roster_rng *stream, uint64_t t,
                                                           uint64_t n, const roster_certificate *certificate,
                                                           roster_batch *batch, bool loses, bool squares)
{
    const size_t k = certificate->k;
    const double cost = certificate->cost, *gain = certificate->gain, *loss = certificate->loss;
    roster_batch_cell *cells = batch->cells;
    size_t n_touched = batch->n_touched;
    uint64_t done = 0;
    double slack = certificate->slack, total = 0;
    while (done < n && slack > 0) {
        uint64_t words[4];
        roster_rng_block(stream, t + ++done, words);
        size_t cell = roster_world_cell(w, k, words);
        double reward = roster_world_earn(w, k, cell, roster_unit(words[2]));
        batch->touched[n_touched] = cell; /* stays only where the cell is new */
        n_touched += cells[cell].n == 0;
        cells[cell].n++;
        cells[cell].s += reward;
        total += reward;
        if (squares)
            batch->squares[cell] += reward * reward;
        slack += reward * gain[cell] - (loses ? loss[cell] : cost);
    }
    batch->k = k;
    batch->n += done;
    batch->s += total;
    batch->n_touched = n_touched;
    return done;
}

/* Of rewards 0 and 1 the squares are the rewards. */
static uint64_t play_zeros_and_ones(const roster_world *w, const roster_rng *stream, uint64_t t, uint64_t n,
                                    const roster_certificate *certificate, roster_batch *batch)
{
    uint64_t done = play(w, stream, t, n, certificate, batch, true, false);
    for (size_t i = 0; i < batch->n_touched; i++)
        batch->squares[batch->touched[i]] = batch->cells[batch->touched[i]].s;
    return done;
}

uint64_t roster_stretch(const roster_world *w, const roster_rng *stream, uint64_t t, uint64_t most,
                        const roster_certificate *certificate, roster_batch *batch)
{
    uint64_t n = most < certificate->rounds ? most : certificate->rounds;
    if (!certificate->loses)
        return play(w, stream, t, n, certificate, batch, false, false);
    return w->start == NULL ? play_zeros_and_ones(w, stream, t, n, certificate, batch)
                            : play(w, stream, t, n, certificate, batch, true, true);
}
