/*
 * certificate.h: for how many rounds a choice is certain.
 *
 * Most rounds do not change the leader. A certificate is a proof of that for rounds to come, made once and used for all
 * of them: while it lasts, rounds are only collected in a batch, and then learnt at once. certificate.c has the proof
 * for D-UCB and ED-UCB, arms.c that for UCB and KL-UCB.
 */
#ifndef ROSTER_CERTIFICATE_H
#define ROSTER_CERTIFICATE_H

#include "ranking.h"

/* Expert k is chosen in each of the next `rounds` rounds, as long as it is the one that plays and slack stays above 0
   before each of them. A round changes slack by its reward * gain[cell] - cost, or - loss[cell] if it `loses`. */
typedef struct roster_certificate {
    size_t k;
    uint64_t rounds; /* at least 1: the next round is always certain */
    double slack, cost;
    bool loses;   /* then batches need the sums of squared rewards too */
    double *gain; /* borrowed, [X V]: the agent may write it, and finds what it wrote last; 1 at first */
    double *loss; /* the same; NULL: agents that need it are certain of one round alone */
} roster_certificate;

#define ROSTER_SHARE 0.125 /* of t that a certificate may last, or an expert may stay inactive */

/* (2) of certificate.c: in n rounds, n at most that share of t, sqrt(t ln t) grows by at most this times n of itself.
   */
static inline double roster_rho(double t, double ln_t)
{
    return (1 + (1 + ROSTER_SHARE) / ln_t) / (2 * t);
}

/* For the next round alone. */
static inline void roster_certificate_for_one_round(roster_certificate *certificate, size_t k)
{
    certificate->k = k;
    certificate->rounds = 1;
    certificate->slack = 1;
    certificate->cost = 0;
    certificate->loses = false;
}

/* certificate.c: for the leader of a ranking over finite contexts. rivals: scratch, [up(n)][ROSTER_RIVAL]. */
typedef struct roster_lazy_simd roster_lazy_simd; /* lazy_simd.h */
void roster_certify(const roster_ranking *ranking, const roster_lazy_simd *simd, double *rivals,
                    roster_certificate *certificate);

#endif
