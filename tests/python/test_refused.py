"""What is wrong is refused with the library's sentence, as a Python exception."""
import unittest

import numpy as np
from support import TOY, some_experts, some_rounds

import roster

NEEDS = "numpy"
NAN = float("nan")


class Refused(unittest.TestCase):
    def setUp(self):
        self.experts = some_experts()
        self.agent = roster.Agent("d-ucb", self.experts)

    def refuse(self, kind, sentence, function, *arguments, **named):
        with self.assertRaisesRegex(kind, sentence):
            function(*arguments, **named)

    def test_exceptions_are_pythons_own(self):
        self.assertTrue(issubclass(roster.InvalidError, (ValueError, roster.Error)))
        self.assertTrue(issubclass(roster.NoMemoryError, MemoryError))
        self.assertTrue(issubclass(roster.DamagedError, roster.Error))

    def test_agents(self):
        self.refuse(roster.InvalidError, "there is no agent 'x'; there are auto, d-ucb", roster.Agent, "x",
                    self.experts)
        self.refuse(roster.InvalidError, "no setting 'D'; it takes C", roster.Agent, "d-ucb", self.experts, D=1)
        self.refuse(roster.InvalidError, "C is -1, must be a number above 0", roster.Agent, "d-ucb", self.experts, C=-1)
        self.refuse(roster.InvalidError, "C is nan", roster.Agent, "d-ucb", self.experts, C=NAN)
        self.refuse(roster.InvalidError, 'C is "often"', roster.Agent, "d-ucb", self.experts, C="often")
        self.refuse(TypeError, "must be a number", roster.Agent, "d-ucb", self.experts, C=[1])
        self.refuse(TypeError, "must be roster.Experts", roster.Agent, "d-ucb", [[[1.0]]])
        self.refuse(TypeError, "must be a text", roster.Agent, 5, self.experts)
        self.refuse(ValueError, "seed", roster.Agent, "d-ucb", self.experts, seed=-1)
        self.refuse(ValueError, "shape", roster.Agent, "d-ucb", self.experts, context_probabilities=[1.0])
        self.refuse(ValueError, "NUL", roster.Agent, "d\0ucb", self.experts)
        self.refuse(TypeError, "created once", self.agent.__init__, "ucb", self.experts)

    def test_events(self):
        learn = self.agent.learn
        self.refuse(ValueError, "event.expert is 4, must be below 4", learn, 4, 0, 0, 1)
        self.refuse(ValueError, "event.expert is -1", learn, -1, 0, 0, 1)
        self.refuse(ValueError, "event.context is 3", learn, 0, 3, 0, 1)
        self.refuse(ValueError, "event.action is 0.5", learn, 0, 0, 0.5, 1)
        self.refuse(ValueError, "event.reward is nan", learn, 0, 0, 0, NAN)
        self.refuse(ValueError, "event.reward is 1.5", learn, 0, 0, 0, 1.5)
        self.refuse(ValueError, "event.propensity", learn, 0, 0, 0, 1, 0.9999)
        self.refuse(ValueError, "", learn, 2**64 + 1, 0, 0, 1)
        self.refuse(ValueError, "too large", learn, 10**400, 0, 0, 1)
        self.refuse(ValueError, "action 'a' is not known: there are '0', '1', '2', '3', '4'", learn, 0, 0, "a", 1)
        self.refuse(TypeError, "event.reward is None", learn, 0, 0, 0, None)
        self.refuse(ValueError, "probabilities are for", learn, 0, 0, 0, 1, probabilities=[1, 1, 1, 1])
        self.assertEqual(self.agent.rounds, 0)

    def test_batches(self):
        k, x, v, y = some_rounds(self.experts, 50)
        y[30] = 7
        with self.assertRaisesRegex(roster.BatchError, "round 30: event.reward is 7") as refused:
            self.agent.learn_batch(k, x, v, y)
        self.assertEqual((refused.exception.round, self.agent.rounds), (30, 30))
        self.refuse(ValueError, "shape", self.agent.learn_batch, k, x[:3], v, y)
        self.refuse(TypeError, "dtype", self.agent.learn_batch, k.astype(float), x, v, y)
        self.refuse(ValueError, "context 'night' is not known", self.agent.learn_batch, k, ["night"] * 50, v, y)
        self.refuse(TypeError, "dtype", self.agent.learn_batch, k, x, v, y.astype(complex))
        self.refuse(TypeError, "dtype", self.agent.learn_batch, k, x, v, ["a"] * 50)
        self.refuse(ValueError, "event.action is -1", self.agent.learn_batch, [0], [0], [-1], [0])
        self.agent.learn_batch([], [], [], [])

    def test_what_is_hidden_is_missing(self):
        def hidden(values):
            return np.ma.masked_array(values, mask=[False, True])
        learn, before = self.agent.learn_batch, self.agent.snapshot()
        for action in ([0, 1], ["0", "1"]):
            self.refuse(ValueError, "action is missing in entry 1", learn, [0, 0], [0, 0], hidden(action), [0, 1])
        self.refuse(ValueError, "expert is missing in entry 1", learn, hidden([0, 0]), [0, 0], [0, 1], [0, 1])
        self.assertEqual(self.agent.snapshot(), before)
        for reward in ([0, 1], [0.0, 1.0]):
            self.refuse(roster.BatchError, "round 1: event.reward is nan", learn, [0, 0], [0, 0], [0, 1],
                        hidden(reward))
        self.refuse(ValueError, "count is missing in entry 1", roster.estimate, [0, 0], [0, 0], [0, 1], hidden([3, 4]))
        self.refuse(ValueError, "action is missing in entry 1", roster.estimate, [0, 0], [0, 0], hidden([0, 1]))
        self.refuse(ValueError, "nan, must be a probability", roster.Experts, hidden([.5, .5])[None, None])

    def test_experts(self):
        self.refuse(ValueError, "sums to 0.9", roster.Experts, [[[0.5, 0.4]]])
        self.refuse(ValueError, "nan", roster.Experts, [[[NAN, 0.4]]])
        self.refuse(ValueError, "shape", roster.Experts, [0.5, 0.5])
        self.refuse((TypeError, ValueError), "", roster.Experts, [[[0.5, 0.5]], [[1.0]]])
        self.refuse((TypeError, ValueError), "", roster.Experts, "tables")
        self.refuse(ValueError, "", roster.Experts, np.empty((0, 1, 1)))
        self.refuse(ValueError, "2 names, but 4", roster.Experts, self.experts.table, names=["a", "b"])
        self.refuse(ValueError, "floor is 0.5", roster.Experts, self.experts.table, floor=0.5)
        self.refuse(ValueError, "temperature", roster.Experts, self.experts.table, temperature=0)
        self.refuse(ValueError, "list the actions, or give a sample", roster.Experts, [lambda x: [1.0]])
        self.refuse(TypeError, "must have predict_proba", roster.Experts, [object()], sample=[1], actions=["a", "b"])
        self.refuse(ValueError, "is not a distribution", roster.Experts, [lambda x: [0.5, 0.1]], sample=[1])
        self.refuse(ValueError, "sum to 1", self.experts.divergence, [1, 1, 1])
        self.refuse(ValueError, "context is 3", self.experts.distribution, 3)
        self.refuse(ValueError, "xi < p_V", self.experts.divergence_lower, 0.5, 0.1, 0.1)

    def test_sizes_cannot_be_changed(self):
        self.experts.names.clear()
        self.assertEqual(len(self.experts), 4)
        for thing, name in ((self.experts, "actions"), (self.experts, "table"), (self.agent, "experts"),
                            (roster.Estimates((1, 1, 2)), "shape")):
            self.refuse(AttributeError, "", setattr, thing, name, None)

    def test_snapshots(self):
        data = bytearray(self.agent.snapshot())
        self.refuse(TypeError, "must be bytes", self.agent.restore, "text")
        self.refuse(roster.DamagedError, "", self.agent.restore, bytes(data[:-1]))
        self.refuse(roster.DamagedError, "", self.agent.restore, b"")
        self.refuse(roster.DamagedError, "", roster.Agent("ucb", self.experts).restore, bytes(data))
        self.refuse(roster.Error, "", self.agent.merge, roster.Agent("ucb", self.experts))
        self.refuse(TypeError, "must be roster.Agent", self.agent.merge, 5)

    def test_studies(self):
        self.refuse(roster.Error, "nowhere.json", roster.run, "nowhere.json")
        self.refuse(ValueError, "no setting 'D'|D", roster.run, {**TOY, "agents": [{"agent": "d-ucb", "D": 1}]})
        self.refuse(ValueError, "runs", roster.run, TOY, runs=0)
        self.refuse(TypeError, "runs", roster.run, TOY, runs="many")
        self.refuse(ValueError, "threads", roster.run, TOY, threads=0)
        self.refuse(ValueError, "nobody", roster.run, TOY, agents=["nobody"])
        self.refuse(TypeError, "cannot hold", roster.run, {**TOY, "name": object()})
        self.refuse(ValueError, "case", roster.explain, TOY, case=1)
        self.refuse(ValueError, "labels", roster.trace, TOY, "nobody")
        self.refuse(TypeError, "", roster.run, 5.5)

    def test_theory(self):
        self.refuse(ValueError, "no constant 'D'", roster.theory.tau_1, D=1)
        self.refuse(TypeError, "must be a number", roster.theory.w, "x")
        self.refuse(ValueError, "V is -1", roster.theory.samples_per_context, -1, 1, 1)
