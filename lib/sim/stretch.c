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

uint64_t roster_stretch(const roster_world *w, const roster_rng *stream, uint64_t t, uint64_t most,
                        const roster_certificate *certificate, roster_batch *batch)
{
    const size_t k = certificate->k;
    const double cost = certificate->cost, *gain = certificate->gain;
    roster_batch_cell *cells = batch->cells;
    size_t n_touched = batch->n_touched;
    uint64_t n = most < certificate->rounds ? most : certificate->rounds, done = 0;
    double slack = certificate->slack, total = 0;
    while (done < n && slack > 0) {
        uint64_t words[4];
        roster_rng_block(stream, t + ++done, words);
        size_t cell = roster_world_cell(w, k, words);
        double reward = roster_world_earn(w, cell, roster_unit(words[2]));
        batch->touched[n_touched] = cell; /* stays only where the cell is new */
        n_touched += cells[cell].n == 0;
        cells[cell].n++;
        cells[cell].s += reward;
        total += reward;
        slack += reward * gain[cell] - cost;
    }
    batch->k = k;
    batch->n += done;
    batch->s += total;
    batch->n_touched = n_touched;
    return done;
}
