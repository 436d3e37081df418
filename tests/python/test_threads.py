"""Objects used from several threads, as the package's docstring allows."""
import threading
import time
import unittest

import numpy as np
from support import TOY, some_experts, some_rounds

import roster

NEEDS = "numpy"


def together(*tasks):
    """Run them at once; raise what any of them raised."""
    failures = []

    def work(task):
        try:
            task()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


class Threads(unittest.TestCase):
    def setUp(self):
        self.experts = some_experts()
        self.rounds = some_rounds(self.experts, 20000)

    def test_all_that_is_learnt_counts(self):
        agent = roster.Agent("d-ucb", self.experts)
        events = list(zip(*(column[:3000].tolist() for column in self.rounds)))

        def one_by_one():
            for event in events:
                agent.learn(*event)
                agent.choose()

        def batches():
            agent.learn_batch(*self.rounds)
            agent.index()
            agent.snapshot()

        together(one_by_one, batches, one_by_one, batches)
        self.assertEqual(agent.rounds, 46000)

    def test_merging_each_other(self):
        agents = [roster.Agent("ucb", self.experts) for _ in range(2)]

        def merge(into, other):
            for _ in range(10):
                into.merge(other)
                into.restore(other.snapshot())

        together(lambda: merge(*agents), lambda: merge(*agents[::-1]))

    def test_agents_come_and_go(self):
        def work():
            for _ in range(200):
                roster.Agent("d-ucb", self.experts).learn(0, 0, 0, 1.0)

        together(work, work, work)

    def test_a_batch_lets_others_work(self):
        agent, ticks = roster.Agent("d-ucb", some_experts(64, 8, 8)), []
        columns = some_rounds(agent.experts, 300000)
        worker = threading.Thread(target=agent.learn_batch, args=columns)
        worker.start()
        while worker.is_alive():
            ticks.append(time.monotonic())
            time.sleep(0.001)
        self.assertGreater(len(ticks), 5)
        self.assertEqual(agent.rounds, 300000)

    def test_runs_side_by_side(self):
        found = []
        together(*[lambda: found.append(roster.run(TOY, threads=2).to_json())] * 3)
        self.assertEqual(len(set(found)), 1)

    def test_progress_and_stop(self):
        told = []

        def stop(done, total):
            told.append((done, total))
            if len(told) > 3:
                raise KeyboardInterrupt
        self.assertRaises(KeyboardInterrupt, roster.run, {**TOY, "runs": 10**6}, progress=stop)
        self.assertEqual({total for _, total in told}, {10**6 * 2 * 500})

    def test_sentences_belong_to_their_thread(self):
        agent = roster.Agent("d-ucb", self.experts)

        def refused(reward):
            for _ in range(300):
                with self.assertRaisesRegex(roster.InvalidError, f"reward is {reward}"):
                    agent.learn(0, 0, 0, reward)

        together(lambda: refused(2), lambda: refused(3))

    def test_reading_experts(self):
        wanted = self.experts.divergence()
        together(*[lambda: np.testing.assert_array_equal(self.experts.divergence(), wanted)] * 4)
