"""Experts come and go, and nothing learnt is lost."""
import copy
import pickle
import unittest

import numpy as np
import roster
import support  # noqa: F401

NEEDS = "numpy"


def tables(rng, n, names):
    pi = rng.random((n, 3, 4)) + 0.1
    return roster.Experts(pi / pi.sum(axis=2, keepdims=True), names=names)


def rounds(rng, experts, acting, n):
    k, x = rng.choice(acting, n), rng.integers(0, 3, n)
    v = np.array([experts.act(i, c, rng) for i, c in zip(k, x)])
    return k, x, v, (rng.random(n) < 0.2 + 0.15 * v).astype(float)


class Change(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)
        self.first = tables(self.rng, 3, ["a", "b", "c"])
        self.more = tables(self.rng, 1, ["d"])
        self.last = self.first.changed(self.more, retire=["a"])
        self.one = rounds(self.rng, self.first, [0, 1, 2], 300)
        self.two = rounds(self.rng, self.last, [0, 1, 2, 3], 300)

    def test_as_a_fresh_agent(self):
        for name in ("direct", "d-ucb", "mixture", "ucb", "kl-ucb", "thompson", "optimist", "uniform"):
            agent, fresh = roster.Agent(name, self.first), roster.Agent(name, self.last)
            agent.learn_batch(*self.one)
            agent.replace("a", self.more)
            agent.learn_batch(*self.two)
            fresh.learn_batch(*self.one)
            fresh.learn_batch(*self.two)
            np.testing.assert_allclose(agent.index(), fresh.index(), rtol=1e-9, err_msg=name)
            self.assertEqual(agent.choose(), fresh.choose())
            self.assertNotEqual(agent.choose(), 0)
            self.assertEqual(agent.rounds, 600)

    def test_evidence_at_once(self):
        agent = roster.Agent(self.first)
        agent.learn_batch(*self.one)
        before = agent.evidence()
        agent.add(self.more)
        known = agent.evidence()
        self.assertEqual(known.from_past.tolist(), [0, 0, 0, 300])
        self.assertTrue(0 < known.low[3] < known.value[3] < known.high[3] < 1)
        np.testing.assert_array_equal(known.value[:3], before.value)
        agent.retire("b")
        self.assertIn("retired", str(agent.evidence()))
        self.assertEqual(agent.evidence().retired, ["b"])

    def test_copies(self):
        agent = roster.Agent("direct", self.first)
        agent.learn_batch(*self.one)
        agent.replace("a", self.more)
        for other in (copy.deepcopy(agent), pickle.loads(pickle.dumps(agent))):
            other.learn_batch(*self.two)
            self.assertEqual(other.experts.retired, ["a"])
            self.assertEqual(other.rounds, 600)
        weights = self.rng.normal(size=(2, 3, 2))
        model = roster.Experts.softmax(weights, floor=0.02)
        longer = model.changed(roster.Experts.softmax(weights[:1], floor=0.02, names=["late"]), retire=["expert 1"])
        again = pickle.loads(pickle.dumps(longer))
        self.assertEqual(again.names, ["expert 1", "expert 2", "late"])
        np.testing.assert_array_equal(again.distribution([0.3, 1]), longer.distribution([0.3, 1]))

    def test_models(self):
        up, down = (lambda x: [0.8, 0.2]), (lambda x: [0.3, 0.7])
        agent = roster.Agent(roster.Experts([up], actions=[0, 1], names=["up"]))
        for _ in range(20):
            agent.learn(0, context=[1.0], action=0, reward=0.1)
        agent.add(roster.Experts([down], actions=[0, 1], names=["down"]))
        for _ in range(20):
            agent.learn(1, context=[1.0], action=1, reward=0.9)
        self.assertEqual(agent.choose(), 1)

    def test_refused(self):
        agent = roster.Agent(self.first)
        for call, sentence in (
            (lambda: agent.retire("nobody"), "there is no expert 'nobody'; there are a, b, c"),
            (lambda: agent.retire("a", "b", "c"), "the last expert cannot be retired: add another one first"),
            (lambda: agent.add(self.first), "there is an expert 'a' already: give another name"),
            (lambda: agent.set_experts(self.more), "the new list has fewer experts than the 3 before: who goes keeps "
             "its place, retired (roster_experts_change)"),
        ):
            with self.assertRaises(roster.InvalidError) as caught:
                call()
            self.assertEqual(str(caught.exception), sentence)
        with self.assertRaises(TypeError):
            agent.set_experts([1])
        self.assertEqual(agent.experts.names, ["a", "b", "c"])
