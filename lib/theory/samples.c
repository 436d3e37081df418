/*
 * samples.c: the constants of the theorems, and how many samples it takes to learn the experts first.
 *
 * Paper: Constant C, Theorem 3 (xi), Section 6 (samples per context), Lemma 3 (samples per expert).
 *
 *     C  = 16 M / gamma                      D-UCB
 *     C  = 32 M / (gamma (1 - p_V))          ED-UCB
 *     xi = 2 (sqrt(1 + a) - 1) / (p_V gamma),   a = p_V^4 gamma^2     as printed
 *                                               a = p_V^4 gamma^2 / 4 tight
 *     n  = 2 V ln(2T) / xi^2                 samples of an expert in a context
 *     A  = 2n/p_X + ln(X N T sqrt(E)) / (2 p_X^2)     samples of an expert, contexts drawn with p >= p_X
 *
 * sqrt(1 + a) - 1 is written a/(sqrt(1 + a) + 1): a is about 1e-8 in practice and the difference would keep half of
 * the digits. One factor p_V gamma then cancels, which leaves xi = 2 p_V^3 gamma / (sqrt(1 + a) + 1), and a quarter
 * of it with the tight a. n and A are real numbers, to be rounded up by the caller.
 *
 * Cost: a handful of operations.
 * Departs: the paper's section "Bootstrapping" prints 1 - p_V^4 gamma^2 under the root; Theorem 3's + is meant. The
 * printed xi makes e_k up to four times the gamma p_V / 2 that the proof claims; the tight one meets the claim.
 * Check: p_V = .02, gamma = .3, T = 5e5, X = V = 10, N = E = 5, p_X = .05 give xi = 2.39999999136e-06, n = 4.797e13,
 * A = 1.9188e15 (tests/unit/test_theory.c).
 */
#include "base.h"

double roster_theory_C(double M, double gamma)
{
    return 16 * M / gamma;
}

double roster_theory_C_empirical(double M, double gamma, double p_V)
{
    return 32 * M / (gamma * (1 - p_V));
}

double roster_theory_xi(double p_V, double gamma, bool tight)
{
    double share = tight ? 0.25 : 1;
    double root = p_V * p_V * gamma;
    double a = share * root * root;
    return 2 * share * p_V * root / (sqrt(1 + a) + 1);
}

double roster_theory_samples_per_context(size_t V, double T, double xi)
{
    return 2 * (double)V * roster_ln(2 * T) / (xi * xi);
}

double roster_theory_samples_per_expert(double n, double p_X, size_t X, size_t N, double T, double E)
{
    /* A sum of logarithms, because the product can overflow. */
    double log_cases = roster_ln((double)X) + roster_ln((double)N) + roster_ln(T) + roster_ln(E) / 2;
    return 2 * n / p_X + log_cases / (2 * p_X * p_X);
}
