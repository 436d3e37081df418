"""with_numba.py: D-UCB (as in with_numpy.py, incremental), UCB and KL-UCB compiled by numba, loop and world included.

    UCB     mean + sqrt(ln f / (2 n)),  f = 1 + t ln^2 t,  every expert once first
    KL-UCB  the largest q with n kl(mean, q) <= ln f

An agent is a function learn(state, k, cell, y, u) that brings its state up to date and writes all indices into u.
"""
import math

import numba
import numpy as np

from instance import C

LN_C = math.log(C)
jit = numba.njit
loose = numba.njit(fastmath={"reassoc", "nsz"})  # sums in any order, several terms at a time


@jit
def lambert(a, w):
    ln_a = math.log(a)
    for _ in range(50):
        move = (ln_a - w - math.log(w)) * w / (1 + w)
        w = max(w + move, w / 8)
        if abs(move) <= 1e-8 * w:
            break
    return w


@jit
def add_ducb(state, k, cell, y):
    coef, theta, place, used, used_coef, used_theta, sums = state[1:8]
    at = place[k, cell]
    if at < 0:
        at = place[k, cell] = used[0]
        used_coef[:, at], used_theta[:, at] = coef[:, k, cell], theta[:, k, cell]
        used[0] += 1
    sums[at] += y


@loose
def clipped_sum(coef, theta, sums, level):
    total = 0.0
    for c in range(len(sums)):
        total += coef[c] * sums[c] if theta[c] <= level else 0.0
    return total


@jit
def learn_ducb(state, k, cell, y, u):
    inverse, used, coef, theta, sums, t, z, w = state[0], state[4][0], state[5], state[6], state[7], *state[8:]
    if y > 0:
        add_ducb(state, k, cell, y)
        used = state[4][0]
    t[0] += 1
    root = math.sqrt(t[0] * math.log(t[0]))
    for i in range(len(u)):
        z[i] += inverse[i, k]
        level, width = np.inf, 0.0
        if t[0] > 1:
            x = root / z[i]
            w[i] = lambert(2 / x, w[i])
            level, width = w[i] - LN_C, 1.5 * C * x * w[i]
        u[i] = clipped_sum(coef[i, :used], theta[i, :used], sums[:used], level) / z[i] + width


def state_ducb(instance):
    """Constants, then where an expert's cell stands among those used, their coefficients and sums, then t, Z and W."""
    n, cells = instance.pi.shape
    used = (np.zeros((n, n * cells)), np.zeros((n, n * cells)), np.zeros(n * cells))
    return (1 / instance.M, instance.coef, instance.theta, -np.ones((n, cells), dtype=np.int64),
            np.zeros(1, dtype=np.int64), *used, np.zeros(1), np.zeros(n), np.ones(n))


@jit
def ln_f(t):
    return math.log(1 + t * math.log(t) ** 2)


@jit
def learn_ucb(state, k, cell, y, u):
    count, sums = state
    count[k] += 1
    sums[k] += y
    d = ln_f(count.sum()) / 2
    for i in range(len(count)):
        u[i] = sums[i] / count[i] + math.sqrt(d / count[i]) if count[i] > 0 else np.inf


@jit
def upper(p, d):
    """The q >= p with kl(p, q) = d: Newton's method from the right, where kl is convex, falls straight to it."""
    if p >= 1 or d == 0:
        return p
    if p <= 0:
        return 1 - math.exp(-d)
    entropy = -p * math.log(p) - (1 - p) * math.log(1 - p)
    q = min(p + math.sqrt(d / 2), 1 - math.exp(-(d + entropy) / (1 - p)))
    for _ in range(50):
        kl = p * math.log(p / q) + (1 - p) * math.log((1 - p) / (1 - q))
        move = (kl - d) * q * (1 - q) / (q - p)
        q -= move
        if move < 1e-12:
            break
    return q


@jit
def learn_klucb(state, k, cell, y, u):
    count, sums = state
    count[k] += 1
    sums[k] += y
    d = ln_f(count.sum())
    for i in range(len(count)):
        u[i] = upper(sums[i] / count[i], d / count[i]) if count[i] > 0 else np.inf


def state_arms(instance):
    return np.zeros(instance.experts), np.zeros(instance.experts)


@jit
def choose(u):
    most = u.max()
    for i in range(len(u)):
        if u[i] == most or u[i] >= most - 1e-12 * (1 + abs(most)):
            return i
    return 0


@jit
def draw(sums):
    at, i = np.random.random(), 0
    while at >= sums[i]:
        i += 1
    return i


@jit
def play(learn, state, world, rounds, seed):
    context_sums, action_sums, means = world
    np.random.seed(seed)
    u = np.zeros(len(action_sums))
    k, total = 0, 0.0
    for _ in range(rounds):
        x = draw(context_sums)
        cell = x * action_sums.shape[2] + draw(action_sums[k, x])
        y = 1.0 if np.random.random() < means[cell] else 0.0
        learn(state, k, cell, y, u)
        k = choose(u)
        total += y
    return total


@jit
def replay(learn, state, k, cell, y, made):
    for t in range(len(k)):
        learn(state, k[t], cell[t], y[t], made[t])


AGENTS = {"d-ucb": (learn_ducb, state_ducb), "ucb": (learn_ucb, state_arms), "kl-ucb": (learn_klucb, state_arms)}
