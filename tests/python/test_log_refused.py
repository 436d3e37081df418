"""What `roster.evaluate` refuses, each with one sentence that says what to do."""
import os
import tempfile
import unittest

import numpy as np

import roster

NEEDS = "numpy"
NAN = float("nan")
LOG = {"device": ["desk", "phone"] * 3, "action": ["red", "blue"] * 3, "propensity": [.5] * 6, "reward": [0, 1.0] * 3}
EXPERTS = roster.Experts([[[.7, .3], [.4, .6]]], names=["bold"], contexts=["desk", "phone"], actions=["red", "blue"])


class Refused(unittest.TestCase):
    def refuse(self, kind, sentence, log=None, experts=None, changes=None, **options):
        """What the sentence begins with."""
        log = {**LOG, **(changes or {})} if log is None else log
        with self.assertRaises(kind) as refused:
            roster.evaluate(log, experts, **options)
        said = str(refused.exception)
        self.assertTrue(said.startswith(sentence), said)
        self.assertNotIn("\n", said)
        self.assertNotIn("--", said)

    def test_columns(self):
        there = "the columns are 'device', 'action', 'propensity', 'reward'"
        for kind in (KeyError, ValueError, roster.ColumnError):
            self.refuse(kind, f"there is no column 'item', which action names; {there}", action="item")
        self.refuse(KeyError, "there is no column 'x', which context names", context=["device", "x"])
        self.refuse(KeyError, "there is no column 'y', which features names", features="y")
        self.refuse(KeyError, "there is no column 'z', which by names", by="z")
        self.refuse(KeyError, "there is no column 'q', which inputs names", experts={"f": min}, inputs="q")
        self.refuse(KeyError, "there is no column 'pi_a', which experts names", experts=["pi_a"])
        self.refuse(ValueError, "the log: no column looks like the action: action NAME says which", log={"x": [1]})
        self.refuse(ValueError, "the log: cost and reward cannot be used together", cost="reward", reward="reward")
        self.refuse(TypeError, "context is 5, must be a name or a list of names", context=5)
        self.refuse(TypeError, "time is 5, must be a text", time=5)
        self.refuse(ValueError, "policy a is given twice", changes={"pi_a": [.1] * 6}, experts={"a": "pi_a"},
                    policies="a")

    def test_rows(self):
        for reward, sentence in ((NAN, "row 2: 'reward' is missing (nan), must be a number"),
                                 (None, "row 2: 'reward' is missing (nan), must be a number"),
                                 ("x", "row 2: the reward is 'x', must be a number"),
                                 (float("inf"), "row 2: 'reward' is infinite, must be a number")):
            self.refuse(ValueError, sentence + " (1 row is damaged; skip_bad=True leaves it out)",
                        changes={"reward": [0, 1, reward, 0, 1, 0]})
        self.refuse(ValueError, "rewards are from 0 to 2, but must lie from 0 to 1: say what is possible by range=",
                    changes={"reward": [0, 1, 2, 0, 1, 0]})
        self.refuse(ValueError, "row 2: the propensity is 0, must be above 0 and at most 1 (2 rows are damaged; "
                    "skip_bad=True leaves them out)", changes={"propensity": [.5, .5, 0, .5, 1.5, .5]})
        self.refuse(ValueError, "row 2: the propensity is 0.2, but least_propensity says that none below 0.3",
                    changes={"propensity": [.5, .5, .2, .5, .2, .5]}, least_propensity=.3)
        self.refuse(ValueError, "row 4: 'propensity' is missing", changes={"propensity": [.5] * 4 + [NAN, .5]})
        nobody = {name: column for name, column in LOG.items() if name != "propensity"}
        self.refuse(ValueError, "row 1: neither a propensity nor an expert is given (1 row is damaged", experts=EXPERTS,
                    log={**nobody, "expert": ["bold", None] + ["bold"] * 4}, context="device")
        self.refuse(ValueError, "row 1: the action is empty", changes={"action": ["red", None, "red"] * 2})
        self.refuse(ValueError, "row 0: the action is longer than 1000 bytes", changes={"action": ["x" * 2000] * 6})
        self.refuse(ValueError, "row 0: the pi_a is 1.2, must be at least 0", changes={"pi_a": [1.2] * 6})
        self.refuse(ValueError, "there are no events", log={name: [] for name in LOG})

    def test_what_is_hidden_or_no_time_is_missing(self):
        """Masked arrays and NaT, as NaN and None."""
        number, label = "row 2: '{}' is missing (nan), must be a number (1 row", "row 2: the {} is empty (1 row"
        for name, sentence, values in (("reward", number, LOG["reward"]), ("reward", number, [0, 1] * 3),
                                       ("reward", number, [False, True] * 3), ("propensity", number, [.5] * 6),
                                       ("action", label, LOG["action"]), ("action", label, [2**60 + 1, 7] * 3),
                                       ("device", "row 2: 'device', part of the context, is empty", LOG["device"])):
            hidden = np.ma.masked_array(values, mask=np.arange(6) == 2)
            self.refuse(ValueError, sentence.format(name), changes={name: hidden}, context="device")
            shown = [np.ma.masked_array(values), values]
            found = [roster.evaluate({**LOG, name: one}, context="device").to_json() for one in shown]
            self.assertEqual(*found)
        for kind in ("datetime64[s]", "datetime64[ns]", "timedelta64[ms]"):
            times = np.arange(6).astype(kind)
            times[2] = "NaT"
            hidden = np.ma.masked_array(np.arange(6).astype(kind), mask=np.arange(6) == 2)
            for one in (times, hidden):
                self.refuse(ValueError, "row 2: 'device', part of the context, is empty", context="device",
                            changes={"device": one})
                self.refuse(ValueError, number.format("reward"), changes={"reward": one})
            self.refuse(ValueError, number.format("propensity"), changes={
                "propensity": np.array([.5, .5, times[2], .5, .5, .5], object)})

    def test_arrays(self):
        self.refuse(ValueError, "column 'action' has 6 entries, but 'reward' has 2", changes={"reward": [1, 0]})
        self.refuse(ValueError, "two columns are named 'action', or it has more than one",
                    changes={"action": np.ones((6, 2))})
        self.refuse(ValueError, "column 'action' holds 9223372036854775813, which is too large",
                    changes={"action": np.array([2**63 + 5] * 6, np.uint64)})
        self.refuse(TypeError, "column 'reward' has dtype complex128", changes={"reward": np.array([1j] * 6)})
        self.refuse(ValueError, "column 'action' holds 're\\x00d', which has a NUL in it",
                    changes={"action": ["re\0d"] * 6})
        self.refuse(ValueError, "column 'action' holds '\\ud800', which is not Unicode",
                    changes={"action": ["\ud800"] * 6})

    def test_logs(self):
        self.refuse(FileNotFoundError, "[Errno 2] No such file or directory: 'nowhere.csv'", log="nowhere.csv")
        self.refuse(FileNotFoundError, "[Errno 2]", experts="nowhere.json")
        self.refuse(FileNotFoundError, "[Errno 2]", actions="nowhere.txt")
        self.refuse(TypeError, "the log is int, must be a table of pandas, polars or pyarrow, a dict", log=5)
        self.refuse(TypeError, "the log is list", log=[])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "log.csv")
            with open(path, "w", encoding="utf-8") as file:
                file.write("action,reward\na,1\nb,x\n")
            self.refuse(ValueError, f"{path}:3: the reward is 'x', must be a number (1 line is damaged", log=path)
            self.refuse(ValueError, f"{path}: no column is named 'zz', which action says", log=path, action="zz")
            self.refuse(ValueError, "models and functions need the log as a table", log=path, experts={"f": min})
            self.refuse(ValueError, "expert 'x': in a file its column must be named pi_x", log=path,
                        experts={"x": "pi_y"})

    def test_experts(self):
        self.refuse(ValueError, "row 1: the context 'tv' is not in the roster (3 rows", experts=EXPERTS,
                    changes={"device": ["desk", "tv"] * 3}, context="device")
        self.refuse(ValueError, "the experts have 2 contexts, but no column is the context", experts=EXPERTS)
        self.refuse(ValueError, "column 'action' holds 2, must be from 0 to 1, or a name of the actions",
                    experts=EXPERTS, context="device", changes={"action": [0, 2] * 3})
        self.refuse(ValueError, "two experts are named 'a'", experts=["pi_a", "a_a"])
        self.refuse(ValueError, "column pi_bold has the name of another column's policy, or of an expert",
                    experts=EXPERTS, context="device", changes={"pi_bold": [.5] * 6})
        self.refuse(ValueError, "the experts: two experts, contexts or actions have the same name", context="device",
                    experts=roster.Experts(np.full((2, 2, 2), .5), names=["a", "a"], contexts=["desk", "phone"]))
        self.refuse(ValueError, "experts[0].table[0] sums to 0.9", experts={"x": [[.5, .4], [.5, .5]]})
        self.refuse(ValueError, "the experts' tables have different shapes", experts={"x": [[1.0]], "y": [[.5, .5]]})
        self.refuse(TypeError, "the table of 'x' must hold numbers", experts={"x": object()})
        self.refuse(TypeError, "experts is object, must be roster.Experts, a dict", experts=object())
        self.refuse(ValueError, "these experts are evaluated elsewhere", experts=roster.Experts.external(2, 2),
                    context="device")

    def test_functions(self):
        def drawn(x):
            return [.5, .5]
        self.refuse(ValueError, "inputs must name the columns that the experts look at", experts=[drawn])
        self.refuse(ValueError, "expert 'drawn' answers with a distribution: actions must list", experts=[drawn],
                    context="device")
        self.refuse(ValueError, "expert 'f' answers with numbers that sum to 1.1, must be 1", context="device",
                    experts={"f": lambda x: [.5, .6]}, actions=["red", "blue"])
        self.refuse(ValueError, "expert 'f' answers with an action in some contexts", context="device",
                    experts={"f": lambda x: "red" if x == "desk" else [.5, .5]}, actions=["red", "blue"])
        self.refuse(ValueError, "an expert has no name: give experts as a dict", experts=[lambda x: 1],
                    context="device")

    def test_models(self):
        class Rule:
            def __init__(self, answer):
                self.answer = answer

            def predict(self, rows):
                return self.answer

        for answer, shown in ((None, "None"), ("red", "an array of shape ()"), (["red"], "an array of shape (1,)"),
                              ([["red"]] * 6, "an array of shape (6, 1)")):
            sentence = f"returns {shown} for 6 rows, must return an action for each"
            self.refuse(ValueError, f"predict of expert 'm' {sentence}", experts={"m": Rule(answer)}, context="device")
            with self.assertRaises(roster.InvalidError) as refused:
                roster.Experts([Rule(answer)], actions=["red", "blue"], sample=list(range(6)))
            self.assertEqual(str(refused.exception), f"predict of the model {sentence}")
        self.refuse(ValueError, "what predict of expert 'm' returns is not an array", context="device",
                    experts={"m": Rule([["red"], ["red", "blue"]])})

    def test_names(self):
        for one in (lambda x: "red", "propensity", [[.5, .5], [.5, .5]]):
            self.refuse(ValueError, "an expert has an empty name", experts={"": one, "a": one}, context="device")

    def test_options(self):
        self.refuse(ValueError, "there is no estimator 'drr', did you mean 'dr'?", estimator="drr")
        self.refuse(ValueError, "there is no interval 'gausian', did you mean 'gaussian'?", interval="gausian")
        self.refuse(ValueError, "there is no format 'cvs', did you mean 'csv'?", format="cvs")
        self.refuse(ValueError, "confidence is 2, must be a number from 0.5 to 0.999999", confidence=2)
        self.refuse(ValueError, "level is nan", level=NAN)
        self.refuse(TypeError, "clip is 'x', must be a number", clip="x")
        self.refuse(ValueError, "range is (1, 0), must be two numbers, the first below the second", range=(1, 0))
        self.refuse(ValueError, "range is 5, must be (LOW, HIGH)", range=5)
        self.refuse(ValueError, "policy unifrm is neither uniform", policies="unifrm")
        self.refuse(ValueError, "policy always:: always:ACTION needs an action", policies=["always:"])
        self.refuse(ValueError, "two actions are named 'red'", actions=["red", "red"])
        self.refuse(ValueError, "actions is 0, must be from 1", actions=0)
        for none in ([], (), {}, np.array([])):
            self.refuse(ValueError, "actions is empty, must list the actions that there are, or be left out",
                        actions=none)
        self.refuse(ValueError, "row 1: the action 'blue' is not among the 1 that there are", actions=["red"])
        bare = {name: column for name, column in LOG.items() if name != "propensity"}
        self.refuse(ValueError, "estimator dros needs propensities, and the log has none", log=bare, estimator="dros")

    def test_bad_rows_can_be_left_out(self):
        log = {**LOG, "reward": [0, 1, NAN, 0, 1, 0]}
        found = roster.evaluate(log, policies="logged", skip_bad=True)
        self.assertEqual((found.events, found.served["value"], found.to_dict()["log"]["damaged"]), (5, .4, 1))
