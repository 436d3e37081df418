"""The client against a server of its own."""
import os
import re
import subprocess
import tempfile
import threading
import unittest

from support import PROGRAM

import roster

NEEDS = "numpy"
SHOP = {
    "name": "shop", "contexts": ["day", "night"], "actions": ["a", "b", "c"], "agent": "d-ucb", "seed": 7,
    "experts": [{"name": "e0", "table": [[0.7, 0.2, 0.1], [0.1, 0.6, 0.3]]},
                {"name": "e1", "table": [[0.2, 0.5, 0.3], [0.3, 0.3, 0.4]]}],
}


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        command = [PROGRAM, "serve", "--data", os.path.join(cls.folder.name, "data"), "--listen", "127.0.0.1:0"]
        cls.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        cls.client = roster.Client(re.search(r"http://\S+:\d+", cls.server.stdout.readline())[0])
        cls.shop = cls.client.create(SHOP)

    @classmethod
    def tearDownClass(cls):
        cls.client.close()
        cls.server.terminate()
        cls.server.wait(timeout=30)
        cls.server.stdout.close()
        cls.folder.cleanup()

    def test_decides_and_rewards(self):
        decision = self.shop.decide("day")
        self.assertIn(decision["action"], SHOP["actions"])
        self.assertTrue(self.shop.decide("day", event_id=decision["event_id"])["repeated"])
        self.assertEqual(self.shop.reward(decision["event_id"], 1.0), "joined")
        self.assertEqual(self.shop.reward(decision["event_id"], 1.0), "duplicate")
        self.assertEqual(self.shop.reward("never", 1.0), "unknown")

    def test_rewards_that_add_up(self):
        baskets = self.client.create({**SHOP, "name": "baskets", "reward": {"combine": "sum", "range": [0, 2]}})
        event = baskets.decide("day")["event_id"]
        self.assertEqual(baskets.reward(event, 1.5, reward_id="one"), "joined")
        self.assertEqual(baskets.reward(event, 1.5, reward_id="one"), "duplicate")
        self.assertEqual(baskets.reward(event, 1.5, reward_id="two"), "joined")
        self.assertEqual(baskets.about()["counters"]["clipped"], 1)

    def test_experts_that_act_elsewhere(self):
        ads = self.client.create({"name": "ads", "kind": "external", "experts": ["old", "new"], "seed": 1})
        choice = ads.choose(event_id="visit-1")
        self.assertIn(choice["expert"], ("old", "new"))
        self.assertTrue(ads.choose(event_id="visit-1")["repeated"])
        told = ads.acted("visit-1", "a17", {"old": 0.5, "new": 0.25})
        self.assertEqual(told["propensity"], {"old": 0.5, "new": 0.25}[choice["expert"]])
        self.assertTrue(ads.acted("visit-1", "a17", [0.5, 0.25])["repeated"])
        with self.assertRaisesRegex(roster.ServiceError, "acted before") as caught:
            ads.acted("visit-1", "a18", [0.5, 0.25])
        self.assertEqual((caught.exception.code, caught.exception.status), ("event-conflict", 409))
        self.assertEqual(ads.reward("visit-1", 1.0), "joined")
        rows = {"old": {"top": {"a1": 0.5}, "tail": 0.5}, "new": {"a2": 1}}
        decision = ads.decide(actions=["a1", "a2", "a3"], probabilities=rows)
        likely = [("a1", 0.5), ("a2", 0.25), ("a3", 0.25), ("a2", 1)]
        self.assertIn((decision["action"], decision["propensity"]), likely)
        choices = ads.choose_many(20)
        deeds = [{"event_id": c["event_id"], "action": 3, "actions": [3, 3]} for c in choices]
        self.assertEqual({answer["status"] for answer in ads.acted_many(deeds)}, {"acted"})
        self.assertEqual(ads.about()["counters"]["learnt"], 1)

    def test_watches_production(self):
        watch = self.client.create({**SHOP, "name": "watch", "mode": "shadow"})
        seen = watch.observed("visit-1", "c", "day", propensity=0.5)
        self.assertEqual((seen["status"], seen["usable"]), ("observed", True))
        self.assertFalse(watch.observed("visit-2", "c", "day")["usable"])
        served = {"event_id": "v", "action": "a", "context": 0, "expert": "e0"}
        self.assertTrue(watch.observed_many([served])[0]["usable"])
        self.assertEqual(watch.reward("visit-1", 1.0), "joined")
        shadow = watch.about()["shadow"]
        self.assertEqual((shadow["observed"], shadow["unusable"], shadow["rounds"]), (3, 1, 1))
        with self.assertRaisesRegex(roster.ServiceError, "mode shadow"):
            watch.decide("day")
        self.assertEqual(watch.controls(mode="live")["controls"]["mode"], "live")
        self.assertIn(watch.decide("day")["expert"], ("e0", "e1"))

    def test_many_at_once(self):
        decisions = self.shop.decide_many([{"context": i % 2} for i in range(20)])
        answers = self.shop.reward_many([{"event_id": d["event_id"], "reward": 0.5} for d in decisions])
        self.assertEqual({answer["status"] for answer in answers}, {"joined"})

    def test_looks_and_controls(self):
        self.assertTrue(self.client.ready())
        self.assertEqual(self.shop.about()["name"], "shop")
        self.assertIn("shop", str(self.client.campaigns()))
        self.shop.controls(pin="e1")
        self.assertEqual(self.shop.decide("day")["expert"], "e1")
        self.shop.controls(pin=None)
        self.assertGreaterEqual(self.shop.start_episode(), 1)
        self.assertTrue(list(self.shop.events()))
        self.assertTrue(list(self.client.events(limit=5)))
        self.assertIn("roster_", self.client.metrics())
        self.assertTrue(self.client.state())

    def test_rosters(self):
        self.client.create_roster({"name": "logged", "contexts": ["x"], "actions": ["a", "b"],
                                   "experts": [{"name": "old"}, {"name": "new"}]})
        added = self.client.add_samples("logged", [{"expert": "old", "context": "x", "action": "a", "count": 12}])
        self.assertEqual(added, 12)
        self.assertEqual(self.client.roster("logged")["name"], "logged")
        self.assertIn("logged", str(self.client.rosters()))

    def test_archives(self):
        other = self.client.create({**SHOP, "name": "other"})
        other.archive()
        with self.assertRaises(roster.ServiceError) as refused:
            other.decide("day")
        self.assertEqual((refused.exception.status, refused.exception.code), (410, "archived"))

    def test_refusals_have_the_servers_sentence(self):
        with self.assertRaisesRegex(roster.ServiceError, "noon") as refused:
            self.shop.decide("noon")
        self.assertEqual((refused.exception.status, refused.exception.code), (422, "unknown-context"))
        self.assertRaisesRegex(roster.ServiceError, "nowhere", self.client.campaign("nowhere").decide, "day")
        self.assertRaises(TypeError, self.shop.decide, object())
        self.assertRaises(ValueError, roster.Client, "ftp://somewhere")

    def test_from_several_threads(self):
        found = []

        def work():
            found.extend(self.shop.decide("day")["event_id"] for _ in range(20))
            self.client.close()
        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(found)), 80)

    def test_says_that_nobody_answers(self):
        nobody = roster.Client("http://127.0.0.1:9", timeout=1)
        self.assertFalse(nobody.ready())
        self.assertRaisesRegex(roster.ServiceError, "does not answer", nobody.campaigns)
