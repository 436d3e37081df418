/*
 * base.h: what every folder of the library uses and that knows no bandit word.
 *
 * Errors, memory, numerics, bytes. Nothing here opens a file, prints, exits or holds mutable global state.
 */
#ifndef ROSTER_BASE_H
#define ROSTER_BASE_H

#include "roster.h"

#include <math.h>

/* ---- error.c ---- */

/* Fill *err (if not NULL) with code and a sentence; returns code, so that `return roster_fail(...)` reads well. */
int roster_fail(roster_error *err, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Behind the text that is there, as much as fits into `size` bytes with the final '\0'. */
void roster_append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The one sentence for memory that could not be had. */
int roster_fail_memory(roster_error *err);

/* ---- memory.c ---- */

/* n * m and n + m, SIZE_MAX where that is too large for a size: no allocation below gives so many elements. For every
   count that comes from a caller. */
size_t roster_times(size_t n, size_t m);
size_t roster_plus(size_t n, size_t m);
/* count zeroed elements, NULL if they cannot be had or the product overflows; count 0 gives a valid pointer. */
void *roster_alloc(size_t count, size_t size);
/* Make room for `more` elements behind the `used` ones of an array, which has room for *capacity; grows geometrically,
   keeps the content. array: the address of the pointer to it, of any type. On failure returns ROSTER_ENOMEM and leaves
   both as they were. */
int roster_grow(void *array, size_t *capacity, size_t used, size_t more, size_t size);
/* In the same way room for `to` elements instead of `from`, the new ones 0. */
int roster_extend(void *array, size_t from, size_t to, size_t size);
/* A copy of n elements, or NULL. */
void *roster_copy(const void *from, size_t count, size_t size);

/* ---- numerics.c ---- */

/* ln and exp made of + - * / alone: the same bits on every machine, which libm does not promise. Error < 1.5 ulp. */
#define ROSTER_LN2_HI 0x1.62e42feep-1       /* the first 32 bits of ln 2: times a whole k it is exact */
#define ROSTER_LN2_LO 0x1.a39ef35793c76p-33 /* the rest                                             */
double roster_ln(double x);
double roster_exp(double x);
/* -ln(1 - a) - a for 0 <= a <= 1/2. */
double roster_psi_e(double a);
/* Its series 1/3 + z/5 + z^2/7 ..., z = s^2, s = a/(2 - a), for a up to 1/16 and up to 1/2: of numbers, or of vectors
   lane by lane; not one term after the other, so that the processor need not wait. */
#define ROSTER_PSI_E_HALF 0.19314718055994530942 /* of 1/2 */
#define ROSTER_PSI_E_NEAR 0.0625
#define ROSTER_PSI_E_PAIR(z, n) (1.0 / (n) + (z) * (1.0 / ((n) + 2)))
#define ROSTER_PSI_E_FOUR(z, n) (ROSTER_PSI_E_PAIR(z, n) + (z) * (z)*ROSTER_PSI_E_PAIR(z, (n) + 4))
#define ROSTER_PSI_E_NEAR_SERIES(z) (ROSTER_PSI_E_FOUR(z, 3.0) + (z) * (z) * ((z) * (z)) * (1.0 / 11))
#define ROSTER_PSI_E_FAR_SERIES(z, z4)                                                                                 \
    (ROSTER_PSI_E_FOUR(z, 3.0) + (z4)*ROSTER_PSI_E_FOUR(z, 11.0) +                                                     \
     (z4) * (z4) * (ROSTER_PSI_E_FOUR(z, 19.0) + (z4)*ROSTER_PSI_E_FOUR(z, 27.0)))
/* exp r for |r| <= ln(2)/2 by its series, r2 = r r: of numbers, or of vectors lane by lane. */
#define ROSTER_EXP_EVEN(r2)                                                                                            \
    (1.0 / 2 + (r2) * (1.0 / 24 +                                                                                      \
                       (r2) * (1.0 / 720 + (r2) * (1.0 / 40320 + (r2) * (1.0 / 3628800 + (r2) * (1.0 / 479001600))))))
#define ROSTER_EXP_ODD(r2)                                                                                             \
    (1.0 / 6 + (r2) * (1.0 / 120 + (r2) * (1.0 / 5040 + (r2) * (1.0 / 362880 + (r2) * (1.0 / 39916800 +                \
                                                                                       (r2) * (1.0 / 6227020800))))))
#define ROSTER_EXP_SERIES(r, r2) (1 + ((r) + (r2) * (ROSTER_EXP_EVEN(r2) + (r)*ROSTER_EXP_ODD(r2))))
#define ROSTER_EXP_LEAST (-745.2) /* below that exp is 0 */
/* Whether vectors of four doubles (AVX2) run here; false also where the environment variable ROSTER_SIMD is "baseline".
   Asks the environment, so only what creates an object calls it and keeps the answer there. */
bool roster_avx2(void);
/* The first of the largest numbers. */
size_t roster_largest(const double *u, size_t n);
/* The first of the numbers that tie with the largest: what is nearer than this differs by rounding, which depends on
   the way that led here. */
size_t roster_leader(const double *u, size_t n);
static inline double roster_tie(double u)
{
    return 1e-12 * (1 + fabs(u));
}
/* Values of experts that are no further apart differ by rounding alone. */
#define ROSTER_ZERO_GAP 1e-12
/* Arrays that vectors run over have room for whole ones: 8 doubles, a cache line. */
static inline size_t roster_simd_up(size_t n)
{
    return n <= SIZE_MAX - 7 ? (n + 7) / 8 * 8 : SIZE_MAX;
}
/* Principal branch of the Lambert function, the W with W e^W = u, for u >= 0. */
double roster_lambert(double u);
/* The same from a guess, at a third of the cost where that is good; any guess will do. */
double roster_lambert_near(double u, double guess);
/* ln of the gamma function, for x > 0; off by at most 1e-15 (30 + |x ln x|). */
double roster_ln_gamma(double x);

/* ---- ell.c ---- */

/* ln(1 + t ln^2 t) of rounds that follow each other. Zeroed: nothing is known yet. */
typedef struct roster_ell {
    uint64_t base, stride; /* good for the rounds base to base + stride - 1 */
    double F[4], inverse;  /* of the series; 1 / base                      */
} roster_ell;

/* Of any t; quick near the last one. The same bits whatever was asked before. */
double roster_ell_at(roster_ell *self, uint64_t t);

/* ---- gamma.c, beta.c ---- */

/* ln x! - (x ln x - x), x >= 0; a whole number or not. */
double roster_factorial_rest(double x);
/* x ln(x/y) - (x - y) where x = y + e: e is given because near each other x and y do not know it. */
double roster_deviance(double e, double y);
/* The regularised incomplete beta function I_x(a, b), a, b > 0: for whole a and b the probability of at least a
   successes in a + b - 1 trials of probability x. And the x at which it is p. */
double roster_beta(double x, double a, double b);
double roster_beta_inverse(double p, double a, double b);

/* ---- sums ---- */

/* A sum that carries its own rounding error: hi + lo is good to about 2^-100 of the sum of magnitudes. */
static inline void roster_add(double *hi, double *lo, double x)
{
    double sum = *hi + x;
    double back = sum - *hi;
    *lo += (*hi - (sum - back)) + (x - back);
    *hi = sum;
}

/* ---- dirichlet.c ---- */

/* A number of the law Beta(a, b), a and b in [1e-300, 1e300]: exact but for rounding. */
double roster_rng_beta(roster_rng *rng, double a, double b);

/* ---- bytes.c: little-endian buffers for snapshots ---- */

/* Writes while there is room and counts always, so that one pass over a NULL buffer measures. */
typedef struct roster_writer {
    unsigned char *data; /* borrowed, may be NULL */
    size_t size, used;   /* room; bytes asked for so far */
    bool packs, packed;  /* whether runs of zeros are written as one; whether one was */
    uint64_t zeros;      /* that are yet to be written */
} roster_writer;

void roster_put_u64(roster_writer *w, uint64_t value);
void roster_put_double(roster_writer *w, double value);
void roster_put_doubles(roster_writer *w, const double *values, size_t n);
void roster_put_bytes(roster_writer *w, const void *bytes, size_t n);
/* From now on runs of zeros are written as one, or no longer. */
void roster_put_packed(roster_writer *w, bool packs);

/* Reads while there is something; past the end it gives zeros and sets `failed`. */
typedef struct roster_reader {
    const unsigned char *data; /* borrowed */
    size_t size, used;
    bool failed;
    bool packs;     /* runs of zeros may be written as one    */
    uint64_t zeros; /* of a run, yet to be given              */
    uint64_t words; /* where they may be: yet to be given, all */
} roster_reader;

uint64_t roster_get_u64(roster_reader *r);
double roster_get_double(roster_reader *r);
void roster_get_doubles(roster_reader *r, double *values, size_t n);
const unsigned char *roster_get_bytes(roster_reader *r, size_t n);
/* From here on runs of zeros may be written as one; sets `failed` where that makes no sense. */
void roster_get_packed(roster_reader *r);
/* Whether all was given. */
bool roster_reader_ended(const roster_reader *r);
/* A count of things of `each` bytes still to come; sets `failed` and gives 0 where the rest is too short for them. */
size_t roster_get_count(roster_reader *r, size_t each);

/* ---- envelope.c: what stands around a snapshot ---- */

typedef struct roster_envelope {
    const char *name;     /* of what is saved, at most 16 bytes                             */
    uint64_t fingerprint; /* differs where the content would not fit                       */
    const char *other;    /* what a snapshot with another fingerprint is of, for the sentence */
} roster_envelope;

/* Before the content. */
void roster_envelope_begin(roster_writer *w, const roster_envelope *envelope);
/* Behind it; returns the number of all bytes. */
size_t roster_envelope_end(roster_writer *w);
/* Sets a reader to the content, once all around it is right. */
int roster_envelope_open(roster_reader *r, const void *buf, size_t size, const roster_envelope *envelope,
                         roster_error *err);
/* The one sentence for a content that makes no sense. */
int roster_fail_inconsistent(roster_error *err);

/* 64-bit checksum (FNV-1a over bytes, finished by a mixing step). Start with ROSTER_HASH_START; several pieces can be
   chained, and then their borders count too. */
#define ROSTER_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t roster_hash(uint64_t hash, const void *bytes, size_t n);
uint64_t roster_hash_doubles(uint64_t hash, const double *values, size_t n);

#endif
