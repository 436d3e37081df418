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

    def test_numbers_in_files_are_places(self):
        named = roster.Experts(self.experts.table, names=self.experts.names, contexts=["day", "dusk", "night"],
                               actions=list("abcde"))
        pd.DataFrame(self.log).to_csv(self.path("log.csv"), index=False)
        agent = roster.Agent("d-ucb", named)
        agent.learn_log(self.path("log.csv"))
        self.assert_alike(agent, self.learnt(self.log))

    def test_other_formats_and_columns(self):
        frame = pd.DataFrame(dict(self.log, pi_new=np.linspace(.1, .9, 600), time=np.arange(600), id=np.arange(600)))
        frame.to_json(self.path("log.jsonl"), orient="records", lines=True)
        halves = [self.path("first.csv"), self.path("second.csv")]
        frame[:300].to_csv(halves[0], index=False)
        frame[300:].to_csv(halves[1], index=False)
        for log in (frame, self.path("log.jsonl"), halves):
            self.assert_alike(self.learnt(log), self.learnt(self.log))

    def test_damaged_rows_may_be_left_out(self):
        log = {name: list(values) + [values[0]] for name, values in self.log.items()}
        log["reward"][-1] = np.nan
        self.assert_alike(self.learnt(log, skip_bad=True), self.learnt(self.log))

    def test_what_is_hidden_is_missing(self):
        for name in self.log:
            hidden = dict(self.log, **{name: np.ma.masked_array(self.log[name], mask=np.arange(600) == 5)})
            with self.assertRaisesRegex(roster.InvalidError, "row 5: .*1 row is damaged|has no expert"):
                self.learnt(hidden)
            if name != "expert":
                rest = {key: np.delete(values, 5) for key, values in self.log.items()}
                self.assert_alike(self.learnt(hidden, skip_bad=True), self.learnt(rest))

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
        missing.to_csv(self.path("nobody.csv"), index=False)
        np.testing.assert_array_equal(self.learnt(self.path("nobody.csv"), "auto").index(), agent.index())
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

        refused("the log is int, must be a table of pandas, polars or pyarrow, a dict of arrays, or the path", 3)
        refused("no column looks like the action: action NAME says which it is", {"reward": [1]})
        refused("no column looks like the reward", {"action": [1], "context": [0]})
        refused("the log has no context: context=COLUMN says which column has it", {"action": [1], "reward": [0]})
        refused("action '9' is not known: there are '0', '1', '2'", dict(self.log, action=[9] * 600))
        refused("action is 5, must be from 0 to 4, or a name of the actions", dict(self.log, action=[5] * 600),
                actions=list("abcde"))
        refused("there are 2 names of actions, but 5 actions", self.log, actions=list("ab"))
        refused("two actions are named 'a'", dict(self.log, action=["a"] * 600), actions=list("aacde"))
        refused("context 'dusk' is not known", dict(self.log, context=["dusk"] * 600))
        refused("column 'expert' has 600 entries, but 'action' has 2", dict(self.log, action=[1, 1]))
        refused("rewards are from -1 to 2, but must lie from 0 to 1", dict(self.log, reward=[-1, .5, 2] + [.5] * 597))
        refused("row 0: 'reward' is missing .*600 rows are damaged; skip_bad=True leaves them out",
                dict(self.log, reward=[np.nan] * 600))
        refused("row 0: the reward is 'often', must be a number", dict(self.log, reward=["often"] * 600))
        refused("there are no events in the log", {name: [] for name in self.log})
        refused("discount is 0, must be above 0 and at most 1", self.log, discount=0)
        refused("propensity is 0.999, but expert", dict(self.log, propensity=[0.999] * 600))
        with self.assertRaisesRegex(roster.ColumnError, "there is no column 'item', which action names; the columns"):
            agent.learn_log(self.log, action="item")
        with open(self.path("bad.csv"), "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([["context", "action", "reward"], ["0", "1"]])
        refused("bad.csv:2: .*1 line is damaged; skip_bad=True leaves it out", self.path("bad.csv"))
        refused("no column is named 'item', which action says", self.path("bad.csv"), action="item")
        with self.assertRaises(FileNotFoundError):
            agent.learn_log(self.path("none.csv"))
        with self.assertRaisesRegex(roster.InvalidError, "exp4 must see events one by one"):
            self.agent("exp4").learn_log(self.log)
