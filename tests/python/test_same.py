"""The same seed makes the same choices as the command line, on every experiment that is shipped."""
import json
import os
import tempfile
import unittest

import numpy as np
from support import EXPERIMENTS, TOY, experiment, program

import roster

NEEDS = "numpy"
ROUNDS, RUNS = 300, 3
# ed-ucb that samples its experts online needs more rounds than others.
LONGER = {"quickstart": 5000, "precision": 3000}


# Explaining plays hundreds of runs, and does so twice here: those for which that is quick.
EXPLAINED = ("quickstart", "unbounded-1", "unbounded-2")


class Same(unittest.TestCase):
    def same_run(self, name):
        rounds = str(LONGER.get(name, ROUNDS))
        with tempfile.TemporaryDirectory() as folder:
            program("run", experiment(name), "--runs", str(RUNS), "--rounds", rounds, "--seed", "11", "--out", folder)
            results = roster.run(experiment(name), runs=RUNS, rounds=int(rounds), seed=11)
            for file, text in (("results.json", results.to_json()), ("curves.csv", results.to_csv())):
                with open(os.path.join(folder, file), encoding="utf-8", newline="") as said:
                    self.assertEqual(text, said.read())
        listed = results.to_dict()
        self.assertEqual(len(results.cases), len(listed["cases"]) if "cases" in listed else 1)
        for case, said in zip(results.cases, listed.get("cases", [listed])):
            for i, agent in enumerate(said["agents"]):
                half = (agent["regret"]["high"] - agent["regret"]["low"]) / 2
                self.assertAlmostEqual(case.half(case.sd[i]), half, delta=1e-4 * (1 + half))

    def same_trace(self, name):
        rounds = LONGER.get(name, ROUNDS)
        for agent in roster.Study(experiment(name)).about["cases"][0]["agents"]:
            lines = program("trace", experiment(name), "--agent", agent["label"], "--rounds", str(rounds), "--run", "2")
            steps = [json.loads(line) for line in lines.splitlines()[1:]]
            found = roster.trace(experiment(name), agent["label"], rounds=rounds, run=2)
            self.assertEqual(found["expert"].tolist(), [step["k"] for step in steps])
            self.assertEqual(found["reward"].tolist(), [step["y"] for step in steps])

    def same_explanation(self, name):
        self.assertEqual(roster.explain(experiment(name), runs=2, rounds=200),
                         json.loads(program("explain", experiment(name), "--runs", "2", "--rounds", "200", "--json")))

    def test_agents_made_in_python_choose_as_the_trace(self):
        for agent in ("d-ucb", "ucb"):
            world, choices = roster.environment(TOY, run=1), []
            for e, episode in enumerate(world.about["episodes"]):
                world.reset()
                mine = roster.Agent(agent, world.experts, seed=world.seed, run=1 + (e << 48), values=episode["values"],
                                    context_probabilities=episode["context_probabilities"])
                for _ in range(world.rounds):
                    info = world.step(mine.choose())[4]
                    mine.learn(*(info[key] for key in ("expert", "context", "action", "reward", "propensity")))
                    choices.append(info["expert"])
            self.assertEqual(choices, roster.trace(TOY, agent, run=1)["expert"].tolist())

    def test_threads_change_nothing(self):
        one, two = (roster.run(TOY, runs=20, threads=threads) for threads in (1, 3))
        self.assertEqual(one.to_json(), two.to_json())
        np.testing.assert_array_equal(one.curve, two.curve)


def add_cases():
    for name in EXPERIMENTS:
        for what in ("run", "trace") + (("explanation",) if name in EXPLAINED else ()):
            def case(self, what=what, name=name):
                getattr(self, "same_" + what)(name)
            setattr(Same, f"test_{what}_of_{name.replace('-', '_')}", case)


add_cases()
