"""Agents: choosing, learning one by one and by the array, snapshots, merging, pickling."""
import copy
import gc
import pickle
import subprocess
import sys
import unittest

import numpy as np
from support import some_experts, some_rounds

import roster

NEEDS = "numpy"
SETTINGS = {"ed-ucb": {"p_V": 0.02, "p_X": "uniform", "xi": 0.001}, "ed-ucb-lite": {"p_V": 0.02, "p_X": "uniform",
"xi": 0.001}}


def make(name, experts, **more):
    return roster.Agent(name, experts, values=np.linspace(0.2, 0.8, len(experts)), **SETTINGS.get(name, {}), **more)


class Agents(unittest.TestCase):
    def setUp(self):
        self.experts = some_experts()
        self.rounds = some_rounds(self.experts, 500)

    def test_a_batch_is_its_rounds(self):
        for name in roster.agents:
            one, many = make(name, self.experts), make(name, self.experts)
            for event in zip(*(column.tolist() for column in self.rounds)):
                one.learn(*event)
            many.learn_batch(*self.rounds)
            self.assertEqual(one.snapshot(), many.snapshot(), name)
            self.assertEqual(one.rounds, 500)
            np.testing.assert_array_equal(one.index(), many.index())

    def test_learns_numpy_numbers(self):
        agent = make("d-ucb", self.experts)
        agent.learn(np.int64(1), np.uint8(2), np.int32(3), np.float32(0.5))
        self.assertEqual(agent.rounds, 1)

    def test_chooses_the_largest_index(self):
        agent = make("d-ucb", self.experts)
        agent.learn_batch(*self.rounds)
        self.assertEqual(agent.choose(), int(agent.index().argmax()))
        insight = agent.insight()
        np.testing.assert_allclose(insight["estimate"] + insight["width"], agent.index(), rtol=1e-12)

    def test_goes_on_from_a_snapshot(self):
        agent = make("d-ucb", self.experts)
        agent.learn_batch(*(column[:200] for column in self.rounds))
        other = make("d-ucb", self.experts)
        other.restore(agent.snapshot())
        for a in (agent, other):
            a.learn_batch(*(column[200:] for column in self.rounds))
        self.assertEqual(agent.snapshot(), other.snapshot())

    def test_pickles_and_copies(self):
        for name in roster.agents:
            agent = make(name, self.experts, seed=7, run=3)
            agent.learn_batch(*self.rounds)
            for again in (pickle.loads(pickle.dumps(agent)), copy.deepcopy(agent)):
                self.assertEqual(again.snapshot(), agent.snapshot())
                again.learn(0, 0, 0, 1.0)
                self.assertEqual(again.rounds, 501)
            self.assertEqual(agent.rounds, 500)

    def test_merges(self):
        halves = [make("ucb", self.experts), make("ucb", self.experts)]
        whole = make("ucb", self.experts)
        for half, part in zip(halves, (slice(0, 250), slice(250, 500))):
            half.learn_batch(*(column[part] for column in self.rounds))
        whole.learn_batch(*self.rounds)
        halves[0].merge(halves[1])
        np.testing.assert_allclose(halves[0].index(), whole.index())
        self.assertRaisesRegex(roster.InvalidError, "itself", whole.merge, whole)

    def test_resets(self):
        agent, fresh = make("d-ucb", self.experts), make("d-ucb", self.experts)
        agent.learn_batch(*self.rounds)
        agent.reset()
        self.assertEqual(agent.snapshot(), fresh.snapshot())

    def test_settings_are_resolved(self):
        agent = roster.Agent("d-ucb", self.experts, C="theory", gamma=0.1)
        constants = agent.constants()
        self.assertAlmostEqual(agent.settings["C"], roster.theory.C(constants["M"], 0.1))
        agent.reserve(10)

    def test_models_as_experts(self):
        sample = np.random.default_rng(1).normal(size=(40, 2))
        experts = roster.Experts([lambda x: [0.9, 0.1], lambda x: [0.2, 0.8]], sample=sample)
        by_context, by_row = roster.Agent("d-ucb", experts), roster.Agent("d-ucb", experts)
        for i in range(20):
            by_context.learn(i % 2, sample[i], i % 2, 1.0)
            by_row.learn(i % 2, None, i % 2, 1.0, probabilities=[0.9, 0.2] if i % 2 == 0 else [0.1, 0.8])
        np.testing.assert_allclose(by_context.index(), by_row.index())

    def test_softmax_experts(self):
        rng = np.random.default_rng(1)
        experts = roster.Experts.softmax(rng.normal(size=(3, 4, 2)), rng.normal(size=(50, 2)))
        one, many = roster.Agent("d-ucb", experts), roster.Agent("d-ucb", experts)
        k, v, y, f = rng.integers(3, size=30), rng.integers(4, size=30), rng.random(30), rng.normal(size=(30, 2))
        many.learn_batch(k, f, v, y)
        for i in range(30):
            one.learn(int(k[i]), f[i], int(v[i]), y[i])
        self.assertEqual(one.snapshot(), many.snapshot())

    def test_the_collector_may_end_things_in_any_order(self):
        for _ in range(50):
            experts = some_experts()
            loop = [make("d-ucb", experts), experts]
            loop.append(loop)
            del loop, experts
        gc.collect()

    def test_the_interpreter_ends_well(self):
        code = ("import roster\ne = roster.Experts([[[.5, .5]], [[.2, .8]]])\na = roster.Agent('d-ucb', e)\n"
                "def f():\n    return a, e, f\n")
        done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
