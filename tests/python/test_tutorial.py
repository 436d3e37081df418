"""The tutorial runs from its first cell to its last."""
import os
import subprocess
import sys
import unittest

from support import PROGRAM, TOP

NEEDS = "numpy sklearn"


class Tutorial(unittest.TestCase):
    def test_runs(self):
        path = os.path.join(TOP, "examples", "python", "tutorial.py")
        done = subprocess.run([sys.executable, path, PROGRAM], check=False, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("chosen at last: autumn", done.stdout)
        self.assertIn("epsilon-greedy", done.stdout)
        self.assertIn("the service has learnt", done.stdout)
