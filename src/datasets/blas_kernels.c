/*
 * blas_kernels.c: the same arithmetic on every machine.
 *
 * OpenBLAS has kernels for every generation of processors and takes the newest that runs. They add in different orders,
 * so that a classifier trained on one machine differs in its last bits from one trained on another, and an image in
 * between two classes may be called the other one. Which kernels are taken can be said only in the environment, before
 * the library is loaded: so the program says it and starts itself again.
 *
 * Haswell's kernels run wherever there are AVX2 and FMA, which is what servers have had since 2013; elsewhere nothing
 * is said and the result is that machine's. OPENBLAS_CORETYPE in the environment is respected.
 *
 * Paper: none.
 * Check: tests/cli/datasets.t: the environment does not change what is made.
 */
#include "datasets.h"

#include <stdlib.h>
#include <unistd.h>

void data_pin_kernels(char **argv)
{
#if defined(__x86_64__)
    if (getenv("OPENBLAS_CORETYPE") != NULL || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
        return;
    setenv("OPENBLAS_CORETYPE", "Haswell", 1);
    setenv("OPENBLAS_NUM_THREADS", "1", 1); /* threads are ours (parallel.c); it need not start any */
    execv("/proc/self/exe", argv);
    /* Where that fails, the newest kernels do. */
#else
    (void)argv;
#endif
}
