"""Experts of every kind, and estimates."""
import json
import os
import pickle
import tempfile
import unittest
import warnings

import numpy as np
from support import program, some_experts

import roster

NEEDS = "numpy"


class Sklearn:
    """Looks like a model of scikit-learn."""

    def __init__(self, classes, table):
        self.classes_, self.table = np.array(classes), np.array(table)

    def predict_proba(self, X):
        return self.table[np.asarray(X)[:, 0].astype(int)]


class Predicts:
    """The same, with predict alone."""

    def __init__(self, classes, answers):
        self.classes_, self.answers = np.array(classes), np.array(answers)

    def predict(self, X):
        return self.answers[np.asarray(X)[:, 0].astype(int)]


def literal_divergence(pi, p):
    """M_ij = 1 + ln(1 + D_f1), f1(r) = r e^(r - 1) - 1, in plain numpy."""
    n = len(pi)
    m = np.empty((n, n))
    for i in range(n):
        for j in range(n):
            r = pi[i] / pi[j]
            m[i, j] = 1 + np.log1p((p[:, None] * pi[j] * (r * np.exp(r - 1) - 1)).sum())
    return m


class Experts(unittest.TestCase):
    def test_tables(self):
        pi = np.array([[[0.7, 0.3], [0.5, 0.5]], [[0.2, 0.8], [0.1, 0.9]]])
        experts = roster.Experts(pi, names=["one", "zwei"])
        np.testing.assert_array_equal(experts.table, pi)
        self.assertEqual((experts.names, experts.floor), (["one", "zwei"], 0.1))
        np.testing.assert_array_equal(experts.distribution(1), pi[:, 1])
        self.assertRaises(ValueError, experts.table.__setitem__, 0, 0.5)

    def test_divergence_is_the_papers(self):
        experts, p = some_experts(), np.array([0.5, 0.3, 0.2])
        np.testing.assert_allclose(experts.divergence(p), literal_divergence(experts.table, p), rtol=1e-9)
        np.testing.assert_allclose(np.diag(experts.divergence()), 1)
        self.assertTrue(np.all(experts.divergence_lower(0.001, 0.02, 0.2) >= 0))

    def test_temperature_and_floor(self):
        hard = roster.soften(np.array([[0.0, 1.0]]), floor=0.1)
        np.testing.assert_allclose(hard, [[0.1, 0.9]])
        np.testing.assert_allclose(roster.soften(np.array([0.1, 0.9]), temperature=2), [0.25, 0.75])
        np.testing.assert_allclose(roster.soften(np.array([0.2, 0.8]), temperature=1e-3), [0, 1], atol=1e-12)
        np.testing.assert_allclose(some_experts().table.sum(axis=2), 1)
        self.assertGreaterEqual(some_experts().floor, 0.02)

    def test_plain_models_need_no_sample(self):
        a, b = Sklearn(["x", "y"], [[0.9, 0.1], [0.2, 0.8]]), Predicts(["x", "y"], ["y", "y"])
        experts = roster.Experts([a, b], plain=True, names=["a", "b"])
        self.assertEqual((experts.kind, experts.contexts, experts.actions, experts.floor), ("external", 0, 2, 0))
        np.testing.assert_array_equal(experts.distribution([0]), [[1, 0], [0, 1]])
        np.testing.assert_array_equal(roster.Experts([a], actions=["y", "x"]).distribution([1]), [[0.8, 0.2]])
        self.assertIn("no sample of contexts", repr(experts))
        again = pickle.loads(pickle.dumps(roster.Experts.external(2, 3, names=["a", "b"])))
        self.assertEqual((again.names, again.contexts, again.actions), (["a", "b"], 0, 3))
        agent = roster.Agent(experts)
        self.assertEqual((agent.name, agent.info.name), ("mixture", "mixture"))
        agent.learn(1, [0], 1, 1.0)
        agent.learn_batch([0, 0], [[0], [1]], [0, 1], [0.0, 1.0])
        self.assertEqual((agent.rounds, pickle.loads(pickle.dumps(roster.Agent(again))).name), (3, "mixture"))
        with self.assertRaisesRegex(roster.InvalidError, "take the agent mixture"):
            roster.Agent("d-ucb", experts)
        with self.assertRaisesRegex(roster.InvalidError, "the model answers 'z'"):
            roster.Experts([Predicts(["x"], ["z"])]).distribution([0])
        self.assertEqual(roster.Experts.softmax(np.zeros((2, 3, 1))).contexts, 0)

    def test_a_floor_that_costs_much_is_warned_of(self):
        table = np.full((2, 1, 10), 0.1)
        with self.assertWarnsRegex(UserWarning, "floor 0.02 with 10 actions makes 20% of every expert's decisions"):
            roster.Experts(table, floor=0.02)
        with self.assertWarnsRegex(UserWarning, "makes 10% of"):
            roster.Experts.softmax(np.zeros((2, 10, 1)))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            roster.Experts(table, floor=0.005)

    def test_models_with_classes_in_any_order(self):
        a = Sklearn(["x", "y"], [[0.9, 0.1], [0.5, 0.5]])
        b = Sklearn(["z", "x"], [[0.3, 0.7], [0.2, 0.8]])
        experts = roster.Experts([a, b], sample=np.array([[0], [1], [1]]), actions=["x", "y", "z"], floor=0.1)
        self.assertEqual((experts.kind, experts.actions, experts.contexts), ("external", 3, 3))
        np.testing.assert_allclose(experts.distribution(np.array([0])), [[0.73, 0.17, 0.1], [0.59, 0.1, 0.31]])
        again = pickle.loads(pickle.dumps(experts))
        np.testing.assert_array_equal(again.table, experts.table)
        np.testing.assert_array_equal(again.distribution(np.array([1])), experts.distribution(np.array([1])))

    def test_functions_that_act(self):
        experts = roster.Experts([lambda x: "a" if x > 0 else "b", lambda x: [0.5, 0.5]], sample=[1, -1, 2],
                                 actions=["a", "b"], floor=0.1)
        np.testing.assert_allclose(experts.distribution(-5)[0], [0.1, 0.9])

    def test_arrays_of_probabilities(self):
        experts = roster.Experts(np.full((2, 7, 3), 1 / 3), sample=True)
        self.assertEqual(experts.kind, "external")
        agent = roster.Agent("d-ucb", experts)
        agent.learn_batch([0, 1], None, [0, 1], [1, 0], probabilities=[[0.2, 0.3], [0.5, 0.1]])
        self.assertEqual(agent.rounds, 2)
        self.assertRaisesRegex(ValueError, "evaluated elsewhere", experts.distribution, 0)

    def test_acts_as_it_says(self):
        experts, rng = some_experts(), np.random.default_rng(5)
        seen = np.bincount([experts.act(2, 1, rng) for _ in range(4000)], minlength=5) / 4000
        np.testing.assert_allclose(seen, experts.table[2, 1], atol=0.03)

    def test_pickles(self):
        softmax = roster.Experts.softmax(np.ones((2, 3, 2)), np.zeros((5, 2)), names=["a", "b"])
        seen = roster.estimate([0, 0, 1], [0, 1, 0], [0, 1, 1])
        for experts in (some_experts(), softmax, seen.experts()):
            again = pickle.loads(pickle.dumps(experts))
            np.testing.assert_array_equal(again.table, experts.table)
            self.assertEqual((again.names, again.kind, again.estimated), (experts.names, experts.kind,
            experts.estimated))
        np.testing.assert_array_equal(pickle.loads(pickle.dumps(seen)).counts, seen.counts)


class Estimates(unittest.TestCase):
    LOG = (["e10", "e2", "e2", "e10", "e2"], ["old", "old", "young", "young", "old"], ["b", "a", "a", "b", "b"],
           [400, 300, 200, 150, 100])

    def test_same_as_the_program(self):
        with tempfile.TemporaryDirectory() as folder:
            log, out = os.path.join(folder, "log.csv"), os.path.join(folder, "roster.json")
            with open(log, "w", encoding="utf-8") as file:
                file.write("expert,context,action,count\n")
                file.writelines(",".join(map(str, row)) + "\n" for row in zip(*self.LOG))
            program("estimate", log, "--out", out)
            with open(out, encoding="utf-8") as file:
                said = json.load(file)
        seen = roster.estimate(*self.LOG)
        self.assertEqual(seen.names, [expert["name"] for expert in said["experts"]])
        self.assertEqual((seen.contexts, seen.actions), (said["contexts"], said["actions"]))
        self.assertEqual(seen.counts.tolist(), [expert["counts"] for expert in said["experts"]])
        self.assertEqual(seen.experts().table.tolist(), [expert["table"] for expert in said["experts"]])
        self.assertEqual((seen.min_samples, seen.xi()), (said["min_samples"], said["xi"]))

    def test_draws(self):
        truth = some_experts()
        seen = roster.Estimates(truth.table.shape)
        seen.draw(truth, 10**12, seed=5, prior=[0.2, 0.3, 0.5])
        np.testing.assert_allclose(seen.experts().table, truth.table, atol=1e-4)
        agent = roster.Agent("ed-ucb", seen.experts(), p_V=0.02, p_X="uniform", xi=1e-4)
        agent.learn(agent.choose(), 0, 0, 1.0)

    def test_all_or_nothing(self):
        seen = roster.Estimates((2, 2, 2))
        self.assertRaisesRegex(ValueError, r"action\[1\] is 2", seen.add, [0, 0], [0, 0], [0, 2])
        self.assertEqual(int(seen.counts.sum()), 0)
