"""Whatever is handed to the public interface, it answers or raises; the interpreter lives."""
import copy
import unittest

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import TOY, some_experts

import roster

NEEDS = "numpy hypothesis"
FAST = settings(max_examples=150, deadline=None, derandomize=True, database=None,
                suppress_health_check=list(HealthCheck))
ALLOWED = (ValueError, TypeError, roster.Error, MemoryError, OverflowError)

numbers = st.one_of(st.integers(), st.integers(-2, 8), st.floats(), st.floats(0, 1), st.booleans())
odd = st.one_of(numbers, st.none(), st.text(max_size=5), st.binary(max_size=5), st.lists(numbers, max_size=4),
                st.complex_numbers())
dtypes = st.sampled_from([np.int8, np.int64, np.uint64, np.float32, np.float64, np.complex128, bool, object, "U3"])


@st.composite
def arrays(draw, most=4):
    shape = draw(st.lists(st.integers(0, most), max_size=4))
    kind = draw(dtypes)
    values = draw(st.lists(st.integers(-3, 9), min_size=1, max_size=9))
    made = np.resize(np.array(values), shape).astype(kind)
    return made[..., ::-1] if made.ndim and draw(st.booleans()) else made


anything = st.one_of(odd, arrays(), st.lists(odd, max_size=4))


def attempt(function, *arguments, **named):
    """What it returns; None where it refuses."""
    try:
        return function(*arguments, **named)
    except ALLOWED:
        return None


class Fuzz(unittest.TestCase):
    @FAST
    @given(st.sampled_from(sorted(roster.agents)), anything, anything, anything, st.dictionaries(
        st.sampled_from(["C", "beta", "gamma", "p_V", "p_X", "xi", "support", "D"]), odd, max_size=3))
    def test_agents(self, name, p, values, seed, more):
        agent = attempt(roster.Agent, name, some_experts(), context_probabilities=p, values=values, seed=seed, **more)
        if agent is not None:
            agent.learn(agent.choose(), 0, 0, 1.0)

    @FAST
    @given(st.lists(st.tuples(anything, anything, anything, anything, anything), max_size=5), anything)
    def test_events(self, events, probabilities):
        for name in ("d-ucb", "kl-ucb"):
            agent = roster.Agent(name, some_experts())
            for event in events:
                attempt(agent.learn, *event)
                attempt(agent.learn_batch, *event)
                attempt(agent.learn, *event, probabilities=probabilities)
            self.assertLess(agent.choose(), 4)
            self.assertEqual(len(agent.index()), 4)

    @FAST
    @given(anything, anything, anything, anything, anything)
    def test_events_with_rows(self, k, x, v, y, rows):
        rng = np.random.default_rng(1)
        for experts in (roster.Experts.softmax(rng.normal(size=(3, 4, 2)), rng.normal(size=(9, 2))),
                        roster.Experts(np.full((3, 5, 4), 0.25), sample=True)):
            agent = roster.Agent("d-ucb", experts)
            attempt(agent.learn, k, x, v, y)
            attempt(agent.learn_batch, k, x, v, y, probabilities=rows)
            attempt(agent.learn_batch, k, rows, v, y)
            agent.choose()

    @FAST
    @given(anything, anything, anything, anything, anything)
    def test_experts(self, source, sample, floor, temperature, names):
        experts = attempt(roster.Experts, source, sample=sample, floor=floor, temperature=temperature)
        attempt(roster.Experts, source, names=names)
        attempt(roster.Experts.softmax, source, sample, bias=names, floor=floor)
        attempt(roster.Experts, [lambda _: source, lambda _: names], sample=sample)
        if experts is not None:
            attempt(experts.divergence, floor)
            attempt(experts.distribution, temperature)

    @FAST
    @given(anything, anything, anything, anything)
    def test_estimates(self, k, x, v, n):
        seen = roster.Estimates((2, 3, 2))
        attempt(seen.add, k, x, v, n)
        attempt(seen.xi, n)
        attempt(seen.draw, some_experts(2, 3, 2), n, seed=k, prior=x)
        self.assertEqual(seen.experts().table.shape, (2, 3, 2))

    @FAST
    @given(st.binary(max_size=300), st.integers(0, 10**6), st.integers(0, 255))
    def test_snapshots(self, noise, place, byte):
        agent = roster.Agent("d-ucb", some_experts())
        agent.learn_batch([0, 1, 2], [0, 1, 2], [0, 1, 2], [1, 0, 1])
        good = agent.snapshot()
        bad = bytearray(good)
        bad[place % len(bad)] = byte
        for data in (noise, bytes(bad), good[:place % len(good)], good + noise):
            attempt(agent.restore, data)
        agent.learn(agent.choose(), 0, 0, 1.0)

    @FAST
    @given(st.sampled_from(["contexts", "actions", "experts", "episodes", "agents", "runs", "seed", "sweep", "name"]),
           st.recursive(odd, lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(
               st.sampled_from(["table", "rounds", "agent", "reward_means", "random", "count"]), inner, max_size=3)),
               max_leaves=6))
    def test_experiments(self, key, value):
        study = copy.deepcopy(TOY)
        study[key] = value
        found = attempt(roster.Study, study)
        if found is not None and found.total_rounds() < 10**5:
            attempt(roster.run, study, threads=1)

    @FAST
    @given(anything, anything, anything)
    def test_environments(self, k, seed, run):
        world = roster.environment(TOY, rounds=5)
        attempt(world.reset, seed=seed)
        attempt(world.reset, options={"run": run})
        for _ in range(6):
            attempt(world.step, k)

    @FAST
    @given(numbers, numbers, numbers, arrays())
    def test_theory(self, a, b, c, gaps):
        theory = roster.theory
        constants = {"C": a, "M": b, "gamma": c, "p_V": a, "clip": b}
        for function in (theory.w, theory.play_probability):
            attempt(function, a)
        attempt(theory.C_empirical, a, b, c)
        attempt(theory.xi, a, b)
        attempt(theory.samples_per_context, a, b, c)
        attempt(theory.regret_order, a, b, c)
        for empirical in (False, True):
            attempt(theory.tau, a, empirical, **constants)
            attempt(theory.tau_1, empirical, **constants)
            attempt(theory.regret, gaps, empirical, **constants)
        attempt(theory.regret_lite, gaps, a, b, **constants)
