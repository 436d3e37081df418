"""OBP's estimators without the rest of the package, which wants torch and other libraries that they do not need."""
import importlib
import importlib.util
import os
import sys
import types


def load():
    """The module obp.ope.estimators, without what obp/__init__.py and obp/ope/__init__.py import."""
    folder = os.path.dirname(importlib.util.find_spec("obp").origin)
    for name, path in (("obp", folder), ("obp.ope", os.path.join(folder, "ope"))):
        package = types.ModuleType(name)
        package.__path__ = [path]
        sys.modules[name] = package
    if importlib.util.find_spec("torch") is None:
        torch = types.ModuleType("torch")
        torch.tensor = torch.Tensor = type("Tensor", (), {})
        sys.modules["torch"] = torch
    return importlib.import_module("obp.ope.estimators")
