"""Results for people: data frames, figures, files."""
import io
import os
import tempfile
import unittest

import numpy as np
from support import TOY, experiment

import roster
from roster.progress import Bar

NEEDS = "numpy pandas matplotlib"


class Plot(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.results = roster.run(TOY)

    def test_frames(self):
        frame = self.results.to_pandas()
        last = frame[frame.agent == "ucb"].iloc[-1]
        self.assertEqual(last.regret, self.results.curve[1, -1])
        summary = self.results.summary()
        np.testing.assert_array_equal(summary.regret, self.results.regret)

    def test_figures_are_whole_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, head in (("a.pdf", b"%PDF"), ("a.svg", b"<?xml"), ("a.png", b"\x89PNG")):
                path = os.path.join(folder, name)
                self.results.plot(path)
                with open(path, "rb") as file:
                    data = file.read()
                self.assertTrue(data.startswith(head) and len(data) > 2000, name)
            with open(os.path.join(folder, "a.svg"), encoding="utf-8") as file:
                self.assertIn("cumulative regret", file.read())  # words stay words

    def test_the_same_figure_twice(self):
        made = []
        for _ in range(2):
            out = io.BytesIO()
            self.results.plot(ax=None, path=None).figure.savefig(out, format="png")
            made.append(out.getvalue())
        self.assertEqual(*made)

    def test_sweeps(self):
        results = roster.run(experiment("scaling"), runs=3, rounds=50)
        self.assertGreater(len(results.cases), 2)
        with tempfile.TemporaryDirectory() as folder:
            results.plot(os.path.join(folder, "sweep.pdf"))

    def test_files_of_the_report(self):
        with tempfile.TemporaryDirectory() as folder:
            self.results.save(folder)
            self.assertEqual(sorted(os.listdir(folder)), ["curves.csv", "report.html", "results.json"])

    def test_curves_end_at_the_regret(self):
        np.testing.assert_allclose(self.results.curve[:, -1], self.results.regret)
        np.testing.assert_allclose(self.results.by_episode.sum(axis=1), self.results.regret, atol=1e-6)
        self.assertEqual(self.results.x[-1], 500)

    def test_bar(self):
        out = io.StringIO()
        bar = Bar(True, "toy", 4000000, out)
        self.assertEqual(bar.line(1600000, 12.0),
                         "toy:  40%|########            | 1.60M/4.00M [00:12<00:18, 133k rounds/s]")
        roster.run(TOY, progress=False)
