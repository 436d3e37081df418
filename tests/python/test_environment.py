"""Other people's agents in our worlds."""
import unittest

import numpy as np
from support import TOY

import roster

NEEDS = "numpy"


def ours(name):
    """The library's agent, played from Python as a stranger's would be."""
    about = roster.Study(TOY).about["cases"][0]["episodes"]

    def make(experts, episode, run, seed):
        return roster.Agent(name, experts, seed=seed, run=run + (episode << 48), values=about[episode]["values"],
                            context_probabilities=about[episode]["context_probabilities"])
    return make


class Greedy:
    """Plays the expert with the best mean so far."""

    def __init__(self, experts, **_):
        self.sums, self.plays = np.zeros(len(experts)), np.full(len(experts), 1e-9)

    def choose(self):
        return int((self.sums / self.plays + (self.plays < 1)).argmax())

    def learn(self, expert, context, action, reward, propensity=0.0):
        self.sums[expert] += reward
        self.plays[expert] += 1


class Environment(unittest.TestCase):
    def test_players_stand_beside_ours(self):
        results = roster.run(TOY, players={"mine": ours("d-ucb"), "mine too": ours("ucb"), "greedy": Greedy})
        self.assertEqual(results.agents, ["d-ucb", "ucb", "mine", "mine too", "greedy"])
        for theirs, same in ((2, 0), (3, 1)):
            for name in ("regret", "sd", "curve", "curve_sd", "by_episode", "by_episode_sd"):
                array = getattr(results, name)
                np.testing.assert_allclose(array[theirs], array[same], rtol=1e-9, atol=1e-6, err_msg=name)
            for name in ("plays", "rounds", "best_rounds"):
                array = getattr(results, name)
                np.testing.assert_array_equal(array[theirs], array[same], err_msg=name)
        self.assertGreater(results.regret[4], 0)
        self.assertIn("greedy", str(results))

    def test_a_label_is_taken_once(self):
        self.assertRaisesRegex(ValueError, "already", roster.run, TOY, players={"ucb": Greedy})

    def test_a_players_failure_is_its_own(self):
        def broken(*_, **__):
            raise RuntimeError("mine")
        self.assertRaisesRegex(RuntimeError, "mine", roster.run, TOY, players={"b": broken})

    def test_gymnasium_loop(self):
        world = roster.environment(TOY, rounds=20)
        observation, info = world.reset(seed=9)
        self.assertEqual((observation.tolist(), info["episode"], info["rounds"]), ([-1, -1], 0, 20))
        truncated = False
        while not truncated:
            observation, reward, terminated, truncated, info = world.step(world.action_space.sample())
            self.assertFalse(terminated)
            self.assertEqual(observation.tolist(), [info["context"], info["action"]])
        self.assertEqual(info["round"], 20)
        self.assertRaisesRegex(ValueError, "over", world.step, 0)
        self.assertEqual(world.reset()[1]["episode"], 1)
        self.assertEqual(world.reset()[1], {"run": 1, "episode": 0, "rounds": 20})

    def test_refuses_what_is_no_expert(self):
        world = roster.environment(TOY)
        self.assertRaisesRegex(ValueError, "over", world.step, 0)
        world.reset()
        for wrong in (-1, 3, 0.5, float("nan")):
            self.assertRaisesRegex(ValueError, "whole number below 3", world.step, wrong)
        self.assertRaises(TypeError, world.step, "a")

    def test_the_world_does_not_depend_on_who_plays(self):
        runs = []
        for expert in (0, 1):
            world = roster.environment(TOY)
            world.reset(options={"run": 5})
            runs.append([world.step(expert)[4]["context"] for _ in range(100)])
        self.assertEqual(*runs)
