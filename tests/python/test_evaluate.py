"""`roster.evaluate`: the figures of the command, from tables in memory and from files."""
import json
import os
import pickle
import shutil
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np
import pandas
from support import program

import roster

NEEDS = "numpy pandas matplotlib"
ACTIONS = ("red", "green", "blue")
EXPERTS = roster.Experts([[[.2, .3, .5], [.1, .1, .8]], [[.6, .2, .2], [.3, .4, .3]]], names=["bold", "calm"],
                         contexts=["desk", "phone"], actions=ACTIONS)


def some_log(n=400, seed=1):
    """Drawn by probabilities .5, .3, .2; blue pays on phones."""
    rng = np.random.default_rng(seed)
    device, action = rng.integers(2, size=n), rng.choice(3, size=n, p=[.5, .3, .2])
    return pandas.DataFrame({
        "device": np.array(["desk", "phone"])[device], "hour": rng.integers(3, size=n),
        "action": np.array(ACTIONS)[action], "propensity": np.array([.5, .3, .2])[action],
        "reward": (rng.random(n) < np.where((device == 1) & (action == 2), .4, .1)).astype(float),
        "age": rng.normal(40, 10, size=n), "shown": np.arange(n)})


class Classifier:
    """A model as scikit-learn has them; it looks at the hour."""

    classes_ = np.array(["blue", "red"])

    def predict_proba(self, rows):
        blue = np.asarray(rows, float)[:, 0] / 4
        return np.stack([blue, 1 - blue], axis=1)


class Rule:
    """A model that takes one action for sure."""

    def predict(self, rows):
        return np.where(np.asarray(rows, float)[:, 0] > 0, "blue", "red")


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.log = some_log()
        cls.temporary = tempfile.TemporaryDirectory()
        cls.csv = cls.path("log.csv")
        cls.log.to_csv(cls.csv, index=False)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.temporary.name, name)

    def command(self, *options, log=None):
        """What the command says, but for the format of the log."""
        path = self.csv
        if log is not None:
            path = self.path("other.csv")
            log.to_csv(path, index=False)
        found = json.loads(program("evaluate", path, *options, "--json"))
        found["log"].pop("format")
        return found

    def same(self, found, expected):
        found = found.to_dict()
        self.assertEqual(found["log"].pop("format"), "table")
        self.assertEqual(found, expected)


class Same(Case):
    def test_same_as_the_command(self):
        named = ["--policy", "uniform", "--policy", "always:blue", "--policy", "greedy", "--policy", "logged"]
        policies = named[1::2]
        for options, given in [
            ([], {}),
            (["--context", "device"], {"context": "device"}),
            (["--context", "device,hour", "--by", "device"], {"context": ["device", "hour"], "by": "device"}),
            (["--context", "hour", "--by", "hour", "--time", "shown", "--id", "shown"],
             {"context": ["hour"], "by": "hour", "time": "shown", "id": "shown"}),
            (["--clip", "3", "--confidence", "0.9", "--least-propensity", "0.1", "--whole-means"],
             {"clip": 3, "confidence": .9, "least_propensity": .1, "whole_means": True}),
            (["--range", "0,2"], {"range": (0, 2)}),
        ]:
            with self.subTest(options):
                found = roster.evaluate(self.log, policies=policies, **given)
                self.same(found, self.command(*options, *named))

    def test_every_estimator_and_interval(self):
        for estimator in ("ips", "snips", "clipped", "dm", "dr", "switch-dr", "dros"):
            found = roster.evaluate(self.log, context="device", policies="greedy", estimator=estimator, level=3)
            self.same(found, self.command("--context", "device", "--policy", "greedy", "--estimator", estimator,
                                          "--level", "3"))
        for interval in ("gaussian", "clopper-pearson", "cressie-read"):
            found = roster.evaluate(self.log, context="device", policies="greedy", interval=interval)
            self.same(found, self.command("--context", "device", "--policy", "greedy", "--interval", interval))

    def test_fitted_propensities(self):
        bare = self.log.drop(columns="propensity")
        found = roster.evaluate(bare, context="device", policies="always:blue")
        self.same(found, self.command("--context", "device", "--policy", "always:blue", log=bare))
        self.assertTrue(found.to_dict()["propensities_fitted"])
        found = roster.evaluate(bare, features=["age", "hour"], policies="always:blue")
        self.same(found, self.command("--features", "age,hour", "--policy", "always:blue", log=bare))

    def test_files_to_the_byte(self):
        for name, text, options in [
            ("log.csv", None, {"policies": "uniform"}),
            ("log.jsonl", self.log.to_json(orient="records", lines=True), {"policies": "uniform"}),
            ("log.vw", "1:0:0.5 | a\n2:-1:0.25 | b\n1:-1:0.5 | b\n", {"policies": "always:1"}),
        ]:
            if text is not None:
                with open(self.path(name), "w", encoding="utf-8") as file:
                    file.write(text)
            found = roster.evaluate(self.path(name), **options)
            self.assertEqual(found.to_json(), program("evaluate", self.path(name), "--policy", options["policies"],
                                                      "--json"))
        pair = [self.csv, shutil.copy(self.csv, self.path("copy.csv"))]
        self.assertEqual(roster.evaluate(pair).to_json(), program("evaluate", *pair, "--json"))
        self.assertEqual(roster.evaluate(pair).to_csv(), program("evaluate", *pair, "--csv"))
        with self.assertRaisesRegex(ValueError, "log.csv are one file, whose events would count twice"):
            roster.evaluate([self.csv, self.csv])

    def test_whatever_holds_the_table(self):
        expected = self.command("--context", "device", "--by", "hour")
        arrays = {name: self.log[name].to_numpy() for name in self.log}
        for log in (arrays, {name: list(column) for name, column in arrays.items()},
                    self.log.astype({"device": "category", "action": "category", "hour": "int8"}),
                    self.log.astype({"device": "string", "reward": "int64", "hour": "Int64"}),
                    self.log.astype({"reward": bool}), self.log.set_index("shown", drop=False)[::1],
                    self.log.to_records(index=False)):
            self.same(roster.evaluate(log, context="device", by="hour"), expected)

    def test_truth_values_that_may_be_missing(self):
        bare = self.log.assign(reward=self.log.reward.astype(bool).astype("boolean"))
        self.assertEqual(roster.evaluate(bare).to_json(), roster.evaluate(self.log).to_json())
        bare.loc[3, "reward"] = pandas.NA
        for reward in (bare.reward, bare.reward.array, bare.reward.astype(object), bare.reward.astype("Int8")):
            log = {**{name: self.log[name] for name in self.log}, "reward": reward}
            with self.assertRaisesRegex(ValueError, r"row 3: 'reward' is missing \(nan\), .*1 row is damaged"):
                roster.evaluate(log)
            found = roster.evaluate(log, skip_bad=True)
            self.assertEqual((found.events, found.served["value"]), (399, self.log.reward.drop(3).mean()))

    def test_masked_inputs_of_models(self):
        seen = []

        class Watching(Classifier):
            def predict_proba(self, rows):
                seen.extend(np.asarray(rows, float)[:, 0].tolist())
                return np.tile([.5, .5], (len(rows), 1))

        log = {name: self.log[name].to_numpy() for name in self.log}
        for name in ("hour", "age"):
            seen.clear()
            log[name] = np.ma.masked_array(log[name], mask=np.arange(400) == 7)
            roster.evaluate(log, {"new": Watching()}, inputs=name)
            self.assertEqual(np.flatnonzero(np.isnan(seen)).tolist(), [7])

    def test_tallies(self):
        tally = self.path("tally.csv")
        program("tally", self.csv, "--context", "device", "-o", tally)
        found = roster.evaluate(tally, policies="always:blue")
        raw = roster.evaluate(self.csv, context="device", policies="always:blue", interval="gaussian")
        self.assertAlmostEqual(found["always:blue"]["dr"], raw["always:blue"]["dr"], places=12)


class Experts(Case):
    def roster_file(self):
        path = self.path("roster.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"contexts": EXPERTS.context_names, "actions": EXPERTS.action_names, "experts": [
                {"name": name, "table": table.tolist()} for name, table in zip(EXPERTS.names, EXPERTS.table)]}, file)
        return path

    def test_tables(self):
        path = self.roster_file()
        expected = self.command("--context", "device", "--experts", path)
        frames = {name: pandas.DataFrame(table, index=["desk", "phone"], columns=list(ACTIONS))
                  for name, table in zip(EXPERTS.names, EXPERTS.table)}
        for experts in (EXPERTS, path, frames):
            self.same(roster.evaluate(self.log, experts, context="device"), expected)
        both = roster.evaluate(self.log, EXPERTS, context="device", policies=["uniform"])
        self.same(both, self.command("--context", "device", "--experts", path, "--policy", "bold", "--policy", "calm",
                                     "--policy", "uniform"))

    def test_numbers_are_places_in_a_list_of_names(self):
        places = self.log.assign(device=(self.log.device == "phone").astype(int),
                                 action=self.log.action.map(ACTIONS.index))
        one, two = (roster.evaluate(log, EXPERTS, context="device") for log in (self.log, places))
        self.assertEqual(one.to_json(), two.to_json())
        plain = {name: table for name, table in zip(EXPERTS.names, EXPERTS.table)}
        three = roster.evaluate(places, plain, context="device")
        self.assertEqual(three["bold"], one["bold"])
        listed = [roster.evaluate(log, policies=["uniform", "always:blue"], actions=ACTIONS) for log in
                  (self.log, places)]
        self.assertEqual(listed[0].to_json(), listed[1].to_json())
        for actions in (np.array(ACTIONS), pandas.Index(ACTIONS)):
            found = roster.evaluate(self.log, policies=["uniform", "always:blue"], actions=actions)
            self.assertEqual(found.to_json(), listed[0].to_json())
        counts = [roster.evaluate(places, actions=n).to_json() for n in (3, np.int64(3), np.arange(3))]
        self.assertEqual(counts, counts[:1] * 3)

    def test_propensities_of_the_expert_who_acted(self):
        log = self.log.drop(columns="propensity").assign(who=np.where(self.log.hour == 0, "bold", "calm"))
        found = roster.evaluate(log, EXPERTS, context="device", expert="who")
        self.same(found, self.command("--context", "device", "--expert", "who", "--experts", self.roster_file(),
                                      log=log))
        self.assertFalse(found.to_dict()["propensities_fitted"])

    def test_columns(self):
        log = self.log.assign(pi_new=self.log.age / 100, a_rule=np.where(self.log.hour > 0, "blue", "red"))
        expected = self.command("--context", "device", log=log)
        self.same(roster.evaluate(log, context="device"), expected)
        self.same(roster.evaluate(log, ["pi_new", "a_rule"], context="device"), expected)
        other = log.rename(columns={"pi_new": "share", "a_rule": "choice"})
        found = roster.evaluate(other, {"new": "share", "rule": "choice"}, context="device")
        self.same(found, expected)
        self.assertEqual(list(roster.evaluate(log, ["a_rule"]).verdicts), ["rule"])
        self.assertEqual(list(roster.evaluate(log, policies="new").verdicts), ["new"])
        log.to_csv(self.path("columns.csv"), index=False)
        self.assertEqual(list(roster.evaluate(self.path("columns.csv"), ["a_rule"]).verdicts), ["rule"])

    def test_models(self):
        p = np.select([self.log.action == "blue", self.log.action == "red"], [self.log.hour / 4, 1 - self.log.hour / 4])
        by_hand = self.log.assign(pi_new=p, a_rule=np.where(self.log.hour > 0, "blue", "red"))
        expected = roster.evaluate(by_hand, context="device").to_json()
        for log in (self.log, {name: self.log[name].to_numpy() for name in self.log}):
            for block in (7, 1 << 14):
                with mock.patch("roster.policies.BLOCK", block):
                    found = roster.evaluate(log, {"new": Classifier(), "rule": Rule()}, context="device", inputs="hour")
                self.assertEqual(found.to_json(), expected)
        found = roster.evaluate(self.log, [Classifier(), Rule()], context="device", inputs=["hour"])
        self.assertEqual(list(found.verdicts), ["Classifier", "Rule"])
        several = roster.Experts([Classifier()], names=["new"], actions=["blue", "red"])
        again = roster.evaluate(self.log, several, context="device", inputs="hour")
        self.assertEqual({**again["new"], "name": "", "verdict": ""},
                         {**found["Classifier"], "name": "", "verdict": ""})

    def test_functions(self):
        seen = []

        def rule(device, hour):
            seen.append((device, hour))
            return "blue" if device == "phone" and hour else "red"

        found = roster.evaluate(self.log, {"f": lambda context: rule(*context)}, context=["device", "hour"])
        self.assertEqual(len(seen), 6)  # once for each context
        by_hand = self.log.assign(a_f=[rule(*pair) for pair in zip(self.log.device, self.log.hour)])
        self.assertEqual(found.to_json(), roster.evaluate(by_hand, context=["device", "hour"]).to_json())
        drawn = roster.evaluate(self.log, {"bold": lambda x: EXPERTS.table[0, int(x == "phone")]}, context="device",
                                actions=ACTIONS)
        table = roster.evaluate(self.log, EXPERTS, context="device", actions=list(ACTIONS))
        self.assertEqual(drawn["bold"]["snips"], table["bold"]["snips"])
        self.assertEqual(drawn["bold"]["estimator"], "snips")

    def test_softmax(self):
        rng = np.random.default_rng(3)
        experts = roster.Experts.softmax(rng.normal(size=(2, 3, 2)), names=["one", "two"])
        found = roster.evaluate(self.log.assign(action=self.log.action.map(ACTIONS.index)), experts,
                                inputs=["age", "hour"])
        rows = self.log[["age", "hour"]].to_numpy(float)
        pi = np.array([experts.distribution(row)[:, ACTIONS.index(a)] for row, a in zip(rows, self.log.action)])
        for k, name in enumerate(experts.names):
            w = pi[:, k] / self.log.propensity
            self.assertAlmostEqual(found[name]["snips"], (w * self.log.reward).sum() / w.sum(), places=12)


class Result(Case):
    def setUp(self):
        self.found = roster.evaluate(self.log.assign(**{"pi_<b>": .3}), context="device", by="device")

    def test_table_and_verdicts(self):
        found = roster.evaluate(self.log, context="device", policies=["uniform", "always:blue"], by="device")
        self.assertEqual(list(found.table.index), ["uniform", "always:blue"])
        one = found["always:blue"]
        self.assertEqual(found.table.loc["always:blue", "difference_low"], one["difference"]["low"])
        self.assertEqual(found.verdicts["always:blue"], one["verdict"])
        self.assertEqual(sorted(found.segments), ["desk", "phone"])
        self.assertEqual(sum(part.events for part in found.segments.values()), found.events)
        self.assertEqual(list(found.segments["phone"].table.index), ["uniform", "always:blue"])
        self.assertEqual(found.served["value"], self.log.reward.mean())
        with self.assertRaises(KeyError):
            found["nobody"]
        with self.assertRaisesRegex(ValueError, "segment"):
            found.segments["desk"].to_json()

    def test_without_pandas(self):
        with mock.patch.dict(sys.modules, {"pandas": None}):
            self.assertEqual(self.found.table["policy"], ["<b>"])

    def test_missing_figures(self):
        self.assertTrue(np.isnan(self.found.table.loc["<b>", "dr"]))  # known by a column of probabilities alone
        self.assertIsNone(self.found["<b>"]["dr"])

    def test_html_is_escaped(self):
        shown = self.found._repr_html_()
        self.assertIn("&lt;b&gt;", shown)
        self.assertNotIn("<b>", shown)
        self.assertNotIn("<td>nan", shown)
        self.assertIn(self.found.verdicts["<b>"].split("<b>")[-1], shown)

    def test_texts_and_files(self):
        self.assertIn("served", str(self.found))
        self.assertEqual(repr(self.found), "Evaluation(400 events, policies <b>)")
        for name, start in (("a.json", "{"), ("a.csv", "segment,"), ("a.html", "<!"), ("a.txt", "400 events")):
            self.found.save(self.path(name))
            with open(self.path(name), encoding="utf-8") as file:
                self.assertTrue(file.read().startswith(start), name)
        with self.assertRaisesRegex(ValueError, "must end with"):
            self.found.save(self.path("a.doc"))
        self.assertEqual(pickle.loads(pickle.dumps(self.found)).to_json(), self.found.to_json())

    def test_options_are_those_of_python(self):
        self.assertTrue(any("least_propensity" in note for note in self.found.notes))
        self.assertFalse(any("--" in note for note in self.found.notes))

    def test_plot(self):
        for found in (self.found, self.found.segments["desk"]):
            ax = found.plot()
            self.assertEqual([label.get_text() for label in ax.get_yticklabels()], ["<b>"])
        self.found.plot(self.path("a.svg"))
        with open(self.path("a.svg"), encoding="utf-8") as file:
            self.assertIn("reward per event", file.read())


class OneCoding(Case):
    """Names of experts, contexts and actions, wherever they are taken."""

    def test_learn_and_learn_batch(self):
        rng = np.random.default_rng(5)
        k, x, v = rng.integers(2, size=50), rng.integers(2, size=50), rng.integers(3, size=50)
        y = rng.random(50)
        names = [np.array(list)[which] for list, which in
                 ((EXPERTS.names, k), (EXPERTS.context_names, x), (EXPERTS.action_names, v))]
        agents = [roster.Agent("d-ucb", EXPERTS) for _ in range(4)]
        agents[0].learn_batch(k, x, v, y)
        agents[1].learn_batch(*names, y)
        for row in zip(*names, y):
            agents[2].learn(*row)
        agents[3].learn_batch(*(pandas.Series(column) for column in names), y)
        for agent in agents[1:]:
            self.assertEqual(agent.snapshot(), agents[0].snapshot())

    def test_estimate(self):
        seen = roster.estimate(["calm", "bold"], ["desk", "phone"], ["blue", "red"], [3, 4], experts=EXPERTS.names,
                               contexts=EXPERTS.context_names, actions=ACTIONS)
        by_place = roster.estimate([1, 0], [0, 1], [2, 0], [3, 4], experts=EXPERTS.names,
                                   contexts=EXPERTS.context_names, actions=ACTIONS)
        np.testing.assert_array_equal(seen.counts, by_place.counts)
        seen.add("bold", "phone", "blue")
        self.assertEqual(seen.counts[0, 1, 2], 1)
        experts = seen.experts()
        self.assertEqual((experts.context_names, experts.action_names), (EXPERTS.context_names, list(ACTIONS)))
        agent = roster.Agent("direct", experts)
        agent.learn("bold", "phone", "red", 1.0)
        self.assertEqual(agent.rounds, 1)

    def test_numbers_that_are_names(self):
        seen = roster.estimate([0, 0], [0, 0], [20, 10], actions=[10, 20, 30])
        self.assertEqual(seen.counts[0, 0].tolist(), [1, 1, 0])
        log = pandas.DataFrame({"action": [20, 10, 20, 10], "propensity": .5, "reward": [1, 0, 1, 0]})
        experts = roster.Experts([[[.5, .5]]], actions=[10, 20])
        text = roster.evaluate(log.astype({"action": str}), experts)
        self.assertEqual(roster.evaluate(log, experts).to_json(), text.to_json())
        self.assertEqual(text.table.value.tolist(), [.5])
        self.assertEqual(roster.evaluate(log, policies="always:20")["always:20"]["value"], 1)
        self.assertEqual(roster.evaluate(log.astype(float), policies="always:20")["always:20"]["value"], 1)

    def test_names_are_kept(self):
        again = pickle.loads(pickle.dumps(EXPERTS))
        self.assertEqual((again.context_names, again.action_names), (EXPERTS.context_names, EXPERTS.action_names))
        self.assertEqual(some_tables().action_names, ["0", "1"])
        np.testing.assert_array_equal(EXPERTS.distribution("phone"), EXPERTS.distribution(1))
        rng = np.random.default_rng(1)
        self.assertIn(EXPERTS.act("calm", "phone", rng), range(3))
        model = roster.Experts([Classifier()])
        self.assertEqual(model.action_names, ["blue", "red"])

    def test_refused(self):
        agent = roster.Agent("d-ucb", EXPERTS)
        for sentence, event in (("expert 'x' is not known: there are 'bold', 'calm'", ("x", "desk", "red", 1)),
                                ("context 'tv' is not known", ("bold", "tv", "red", 1)),
                                ("action 'pink' is not known", ("bold", "desk", "pink", 1))):
            with self.assertRaisesRegex(ValueError, sentence):
                agent.learn(*event)
            with self.assertRaisesRegex(ValueError, sentence):
                agent.learn_batch(*([one] for one in event))
        with self.assertRaisesRegex(ValueError, "two actions are named 'a'"):
            roster.Experts([[[.5, .5]]], actions=["a", "a"])
        with self.assertRaisesRegex(ValueError, "3 names of contexts, but 1"):
            roster.Experts([[[.5, .5]]], contexts=["a", "b", "c"])
        with self.assertRaisesRegex(ValueError, "two experts are named 'a'"):
            roster.Agent("ucb", roster.Experts([[[.5, .5]]] * 2, names=["a", "a"])).learn("a", 0, 0, 1)
        with self.assertRaisesRegex(ValueError, "contexts of tables"):
            roster.Experts([Classifier()], contexts=["a"])
        with self.assertRaisesRegex(ValueError, "action is missing in entry 1"):
            agent.learn_batch([0, 0], [0, 0], ["red", None], [1, 1])
        self.assertEqual(agent.rounds, 0)


def some_tables():
    return roster.Experts([[[.5, .5]]])
