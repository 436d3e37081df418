"""The examples of the docstrings work, and everything public has one."""
import doctest
import importlib
import inspect
import pkgutil
import unittest

import roster

NEEDS = "numpy"
MODULES = ["roster"] + [f"roster.{module.name}" for module in pkgutil.iter_modules(roster.__path__)]


class Doc(unittest.TestCase):
    def test_examples_work(self):
        tried = 0
        for name in MODULES:
            if name != "roster._roster":
                found = doctest.testmod(importlib.import_module(name), verbose=False)
                self.assertEqual(found.failed, 0, name)
                tried += found.attempted
        self.assertGreater(tried, 30)

    def test_everything_public_is_described(self):
        for name in set(roster.__all__) - {"__version__", "agents"}:
            thing = getattr(roster, name)
            self.assertTrue(inspect.getdoc(thing), name)
            for member, value in vars(thing).items() if inspect.isclass(thing) else ():
                if not member.startswith("_") and callable(value):
                    self.assertTrue(inspect.getdoc(value), f"{name}.{member}")

    def test_every_parameter_is_in_the_docstring(self):
        for info in roster.agents.values():
            for parameter in info.parameters:
                self.assertIn(str(parameter), roster.Agent.__doc__)
        lines = inspect.getdoc(roster.Agent).splitlines()
        self.assertIn("The agents and their parameters:", lines)  # not deeper than its list
        self.assertIn(str(roster.agents["ucb"]), lines)
        self.assertEqual(roster.agents["d-ucb"].parameters[0].name, "C")
        self.assertEqual(roster.agents["d-ucb"].parameters[0].default, 0.02)

    def test_annotated(self):
        for name in ("run", "explain", "estimate", "environment", "trace", "soften"):
            signature = inspect.signature(getattr(roster, name))
            self.assertNotIn(inspect.Parameter.empty, [p.annotation for p in signature.parameters.values()])
