"""agent.learn_log: an agent starts with what a log says."""
import csv
import gzip
import os
import pickle
import tempfile
import unittest

import numpy as np
import pandas as pd
from support import program, some_experts, some_rounds

import roster

NEEDS = "numpy pandas"


def columns(rounds):
    return dict(zip(("expert", "context", "action", "reward"), rounds))


class LogCase(unittest.TestCase):
    def setUp(self):
        self.experts = some_experts()
        self.rounds = some_rounds(self.experts, 600)
        self.log = columns(self.rounds)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def agent(self, name="d-ucb"):
        return roster.Agent(name, self.experts)

    def learnt(self, log, name="d-ucb", **more):
        agent = self.agent(name)
        agent.learn_log(log, **more)
        return agent

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def assert_alike(self, one, other):
        np.testing.assert_allclose(one.index(), other.index(), rtol=1e-9)
        self.assertEqual((one.choose(), one.rounds), (other.choose(), other.rounds))

    def test_equals_the_events(self):
        for name in ("d-ucb", "ucb", "kl-ucb", "thompson"):
            plain = self.agent(name)
            plain.learn_batch(*self.rounds)
            self.assert_alike(self.learnt(self.log, name), plain)
        plain, none = self.agent("direct"), self.agent("direct")
        plain.learn_batch(*self.rounds)
        plain.merge(none)
        self.assert_alike(self.learnt(self.log, "direct"), plain)

    def test_every_form_is_the_same(self):
        frame, wanted = pd.DataFrame(self.log), self.learnt(self.log)
        frame["expert"] = [self.experts.names[k] for k in frame["expert"]]
        frame.to_csv(self.path("log.csv"), index=False)
        with open(self.path("log.csv"), "rb") as file, gzip.open(self.path("log.csv.gz"), "wb") as packed:
            packed.write(file.read())
        program("tally", self.path("log.csv"), "-o", self.path("tally.csv"))
        for log in (frame, self.path("log.csv"), self.path("log.csv.gz"), self.path("tally.csv"),
                    pd.read_csv(self.path("tally.csv"))):
            self.assert_alike(self.learnt(log), wanted)

    def test_names_and_columns(self):
        frame = pd.DataFrame({"item": np.array(list("abcde"))[self.log["action"]], "click": self.log["reward"],
                              "hour": np.array(["day", "dusk", "night"])[self.log["context"]],
                              "model": self.log["expert"]})
        agent = self.learnt(frame, action="item", reward="click", context="hour", expert="model",
                            contexts=["day", "dusk", "night"], actions=list("abcde"))
        self.assert_alike(agent, self.learnt(self.log))

    def test_discount(self):
        agent = self.learnt(self.log, discount=0.25)
        self.assertEqual(agent.rounds, 150)
        estimates, whole = agent.insight()["estimate"], self.learnt(self.log).insight()["estimate"]
        np.testing.assert_allclose(estimates, whole, atol=0.2)

    def test_who_acted_need_not_be_known(self):
        log = {name: self.log[name] for name in ("context", "action", "reward")}
        agent = self.learnt(log, "auto")
        self.assertEqual((agent.name, agent.rounds), ("direct", 600))
        missing = pd.DataFrame(dict(log, expert=[None] * 600))
        np.testing.assert_array_equal(self.learnt(missing, "auto").index(), agent.index())
        with self.assertRaisesRegex(roster.InvalidError, "has no expert, but d-ucb must know who acted"):
            self.learnt(log)

    def test_evidence_starts_empty(self):
        agent = self.learnt(self.log)
        self.assertEqual(agent.evidence().rounds, 0)
        self.assertFalse(agent.evidence().known)
        again = pickle.loads(pickle.dumps(agent))
        np.testing.assert_array_equal(again.index(), agent.index())
        agent.learn(0, 0, 0, 1.0)
        again.learn(0, 0, 0, 1.0)
        np.testing.assert_array_equal(again.index(), agent.index())
        self.assertEqual(again.evidence().rounds, 1)

    def test_refused(self):
        agent = self.agent()
        before = agent.snapshot()

        def refused(sentence, log, **more):
            with self.assertRaisesRegex((roster.InvalidError, TypeError), sentence):
                agent.learn_log(log, **more)
            self.assertEqual(agent.snapshot(), before)

        refused("log is int, must be a path, a dict of arrays or a data frame", 3)
        refused("the log has no column action; there are reward", {"reward": [1]})
        refused("the log has no column reward", {"action": [1], "context": [0]})
        refused("the log has no column context", {"action": [1], "reward": [0]})
        refused("action is 'item', which is not a column", self.log, action="item")
        refused("action is 9, must be a whole number from 0 to 4", dict(self.log, action=[9] * 600))
        refused("context is 'dusk', which is not one of the 3", dict(self.log, context=["dusk"] * 600))
        refused("reward of row 2 is 2, must be", dict(self.log, reward=[0, 1, 2] + [0] * 597))
        refused("reward of row 0 is not a number", dict(self.log, reward=[np.nan] * 600))
        refused("reward must hold numbers", dict(self.log, reward=["often"] * 600))
        refused("discount is 0, must be above 0 and at most 1", self.log, discount=0)
        refused("propensity is 0.999, but expert", dict(self.log, propensity=[0.999] * 600))
        with open(self.path("bad.csv"), "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["context", "action", "reward"], ["0", "1"]])
        refused("record 1 has 2 fields, the header 3", self.path("bad.csv"))
        with self.assertRaises(FileNotFoundError):
            agent.learn_log(self.path("none.csv"))
        with self.assertRaisesRegex(roster.InvalidError, "exp4 must see events one by one"):
            self.agent("exp4").learn_log(self.log)
