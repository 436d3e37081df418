/*
 * elementary.c: exponential and logarithm with the same bits on every machine.
 *
 * Those of libm choose their code by the CPU that they meet, and training would go another way on each. Here there are
 * only additions, multiplications and divisions of IEEE 754, in an order that the text fixes.
 *
 *   e^x    = 2^k e^r,  k = round(x / log 2),  |r| <= log(2) / 2,  e^r by the polynomial of Cephes' expf
 *   log x  = k log 2 + 2 atanh s,  x = m 2^k,  m in [sqrt .5, sqrt 2),  s = (m - 1) / (m + 1),  |s| < .172
 *
 * log 2 is split in two, the first with few bits, so that k times it is exact.
 *
 * Paper: none. Cost: about 20 operations each; the loop of elementary_exp is one that compilers turn into vectors.
 * Check: 1e-6 and 1e-14 from libm everywhere (tests/unit/test_cifar10_logistic.c: exp_is_close, log_is_close).
 */
#include "cifar10_internal.h"

#include <math.h>
#include <string.h>

void elementary_exp(float *x, size_t n)
{
    const float round = 12582912.f; /* 1.5 2^23: what is added to it loses its fraction */
    for (size_t i = 0; i < n; i++) {
        float a = x[i] > -87.f ? x[i] : -87.f;
        float k = (a * 1.44269504088896341f + round) - round;
        float r = (a - k * .693359375f) + k * 2.12194440e-4f;
        float p = 1.9875691500e-4f;
        p = p * r + 1.3981999507e-3f;
        p = p * r + 8.3334519073e-3f;
        p = p * r + 4.1665795894e-2f;
        p = p * r + 1.6666665459e-1f;
        p = p * r + 5.0000001201e-1f;
        p = p * r * r + r + 1;
        int32_t bits = ((int32_t)k + 127) * (1 << 23); /* 2^k */
        float power;
        memcpy(&power, &bits, sizeof power);
        x[i] = p * power;
    }
}

double elementary_log(double x)
{
    int k;
    double m = frexp(x, &k);
    if (m < .70710678118654752) {
        m *= 2;
        k--;
    }
    double s = (m - 1) / (m + 1), square = s * s, sum = 0;
    for (int odd = 19; odd >= 1; odd -= 2)
        sum = sum * square + 1. / odd;
    return k * .693145751953125 + (2 * s * sum + k * 1.42860682030941723212e-6);
}
