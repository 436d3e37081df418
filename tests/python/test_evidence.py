"""Evidence, the test of the model and alarms beside an agent."""
import pickle
import unittest

import numpy as np
from support import some_experts, some_rounds

import roster

NEEDS = "numpy pandas"


def play(agent, experts, means, rounds, rng, p=None, factor=None):
    """A campaign: contexts, actions and rewards drawn at random; factor: of each expert's rewards."""
    for _ in range(rounds):
        k = agent.choose()
        x = int(rng.choice(experts.contexts, p=p))
        v = experts.act(k, x, rng)
        y = float(rng.random() < means[x, v] * (1 if factor is None else factor[k]))
        agent.learn(k, x, v, y)


class EvidenceCase(unittest.TestCase):
    def setUp(self):
        self.experts = some_experts()
        self.rounds = some_rounds(self.experts, 500)

    def test_check_values(self):
        """The five rounds of the specification, 40 times in a row."""
        experts = roster.Experts([[[.7, .2, .1], [.1, .6, .3]], [[.2, .5, .3], [.4, .4, .2]],
                                  [[.05, .05, .9], [.3, .1, .6]]])
        k, x, v, y = [0, 2, 1, 2, 0], [0, 1, 0, 0, 1], [1, 2, 0, 2, 1], [1, 0, 1, .4, 1]
        agent = roster.Agent("d-ucb", experts)
        agent.learn_batch(k * 40, x * 40, v * 40, y * 40)
        found = agent.evidence()
        np.testing.assert_allclose(found.value, [0.855141211064053, 0.803506534498573, 0.387086621431986], rtol=1e-9)
        self.assertEqual((found.rounds, found.level, found.leader), (200, 0.95, 0))
        self.assertTrue(np.all((found.low <= found.value) & (found.value <= found.high)))

    def test_says_who_is_best(self):
        experts = roster.Experts([[[.9, .1]], [[.2, .8]]], names=["bold", "calm"])
        agent = roster.Agent("d-ucb", experts)
        self.assertIn("no round was learnt", agent.evidence().verdict)
        play(agent, experts, np.array([[.9, .1]]), 2000, np.random.default_rng(1))
        found = agent.evidence()
        self.assertTrue(found.known)
        self.assertEqual(found.verdict, "bold is the best of 2 experts (95%, valid at any time).")
        self.assertEqual(found.excluded.tolist(), [False, True])
        self.assertLessEqual(found.worse[1], 0.9 * 0.9 + 0.1 * 0.1 - (0.2 * 0.9 + 0.8 * 0.1))
        self.assertIn("bold", str(found))
        self.assertIn("<table>", found._repr_html_())
        self.assertEqual(found.table.loc["calm", "excluded"], True)

    def test_names_are_escaped(self):
        agent = roster.Agent("d-ucb", roster.Experts([[[.9, .1]], [[.2, .8]]], names=["<b>", "calm"]))
        self.assertNotIn("<b>", agent.evidence()._repr_html_())

    def test_goes_on_from_a_snapshot(self):
        half = [column[:200] for column in self.rounds], [column[200:] for column in self.rounds]
        agent = roster.Agent("d-ucb", self.experts, restart="alarm")
        agent.learn_batch(*half[0])
        other = pickle.loads(pickle.dumps(agent))
        for one in (agent, other):
            one.learn_batch(*half[1])
        self.assertEqual(agent.snapshot(), other.snapshot())
        np.testing.assert_array_equal(agent.evidence().low, other.evidence().low)

    def test_damaged_snapshots_are_refused(self):
        agent = roster.Agent("d-ucb", self.experts, restart="alarm")
        agent.learn_batch(*self.rounds)
        state = agent.snapshot()
        rng = np.random.default_rng(1)
        places = {*rng.integers(0, len(state), 200).tolist(), *range(len(state) - 40, len(state))}
        for i in places:
            wrong = bytearray(state)
            wrong[i] ^= 1 << int(rng.integers(8))
            with self.assertRaises(roster.DamagedError, msg=str(i)):
                agent.restore(bytes(wrong))
            self.assertEqual(agent.snapshot(), state)

    def test_an_agent_alone_can_be_restored(self):
        """A snapshot without evidence, as the C library writes it: evidence starts afresh."""
        plain = roster.Agent("d-ucb", self.experts, level=None)
        plain.learn_batch(*self.rounds)
        agent = roster.Agent("d-ucb", self.experts)
        agent.restore(plain.snapshot())
        self.assertEqual((agent.rounds, agent.evidence().rounds), (500, 0))

    def test_merges(self):
        whole, parts = roster.Agent("d-ucb", self.experts), [roster.Agent("d-ucb", self.experts) for _ in range(2)]
        whole.learn_batch(*self.rounds)
        parts[0].learn_batch(*(column[:250] for column in self.rounds))
        parts[1].learn_batch(*(column[250:] for column in self.rounds))
        parts[0].merge(parts[1])
        self.assertEqual(parts[0].evidence().rounds, whole.evidence().rounds)

    def test_reset_forgets(self):
        agent = roster.Agent("d-ucb", self.experts, restart="alarm")
        agent.learn_batch(*self.rounds)
        agent.reset()
        self.assertEqual((agent.evidence().rounds, agent.alarms()), (0, []))

    def test_refused(self):
        with self.assertRaisesRegex(roster.InvalidError, "level=None"):
            roster.Agent("d-ucb", self.experts, level=None).evidence()
        for level in (0, 1, 2, -1, float("nan")):
            with self.assertRaises(roster.InvalidError):
                roster.Agent("d-ucb", self.experts, level=level)
        with self.assertRaisesRegex(roster.InvalidError, '"never" or "alarm"'):
            roster.Agent("d-ucb", self.experts, restart="often")

    def test_alarms_and_restarts(self):
        experts = roster.Experts([[[.8, .2], [.2, .8]], [[.3, .7], [.7, .3]]])
        rng = np.random.default_rng(2)
        agent = roster.Agent("direct", experts, restart="alarm")
        play(agent, experts, np.array([[.9, .1], [.1, .9]]), 2000, rng)
        self.assertEqual(agent.alarms(), [])
        play(agent, experts, np.array([[.1, .9], [.9, .1]]), 2000, rng)
        alarms = agent.alarms()
        self.assertEqual({alarm.kind for alarm in alarms}, {"rewards"})
        self.assertTrue(2000 < alarms[0].round < 2500 and abs(alarms[0].since - 2000) < 200, alarms[0])
        self.assertEqual(agent.choose(), 1)
        self.assertTrue(agent.evidence().known and agent.evidence().leader == 1)
        agent.restore(agent.snapshot())
        self.assertEqual(agent.alarms()[-1].kind, "rewards")

    def test_context_alarms(self):
        experts = roster.Experts([[[.8, .2], [.2, .8]], [[.3, .7], [.7, .3]]])
        rng = np.random.default_rng(3)
        agent = roster.Agent("direct", experts, restart="alarm")
        for p in ([.9, .1], [.1, .9]):
            play(agent, experts, np.array([[.9, .1], [.4, .5]]), 1500, rng, p)
        self.assertEqual([alarm.kind for alarm in agent.alarms()], ["contexts"])

    def test_who_acts_matters(self):
        experts = roster.Experts([[[.6, .4]], [[.4, .6]]], names=["fast", "slow"])
        agent = roster.Agent("direct", experts, verify=0.1)
        play(agent, experts, np.array([[.8, .8]]), 4000, np.random.default_rng(4), factor=[1, .5])
        found = agent.evidence()
        self.assertTrue(found.own)
        again = pickle.loads(pickle.dumps(agent))
        self.assertTrue(again.evidence().own)
        again.reset()
        self.assertFalse(again.evidence().own)
        self.assertTrue(any("slow" in text or "fast" in text for text in found.remarks), found.remarks)
        self.assertEqual(agent.choose(), 0)

    def test_merges_where_one_doubts(self):
        experts = roster.Experts([[[.6, .4]], [[.4, .6]]], names=["fast", "slow"])
        for doubting in range(2):
            agents = [roster.Agent("direct", experts, verify=0.1) for _ in range(2)]
            for i, agent in enumerate(agents):
                rounds = 4000 if i == doubting else 50
                play(agent, experts, np.array([[.8, .8]]), rounds, np.random.default_rng(4), factor=[1, .5])
            own = agents[doubting].evidence().rounds
            agents[0].merge(agents[1])
            found = agents[0].evidence()
            self.assertEqual((agents[0].rounds, found.own, found.rounds), (4050, True, own))

    def test_a_refused_merge_changes_nothing(self):
        agent, other = roster.Agent("d-ucb", self.experts), roster.Agent("d-ucb", self.experts, level=0.9)
        other.learn_batch(*self.rounds)
        with self.assertRaisesRegex(roster.InvalidError, "level 0.9, must be 0.95"):
            agent.merge(other)
        self.assertEqual((agent.rounds, agent.evidence().rounds), (0, 0))


if __name__ == "__main__":
    unittest.main()
