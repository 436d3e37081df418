"""The other programs that evaluate logs, from PyPI, each in a Python of its own."""
import os
import subprocess
import venv

PACKAGES = {
    "vw": [["vw-estimators==0.2.2", "vowpalwabbit==9.11.*", "pandas"]],
    # What OBP requires is of another Python; what its estimators import is enough (tests/peers/obp_estimators.py).
    "obp": [["numpy", "scipy", "scikit-learn", "pandas"], ["--no-deps", "--ignore-requires-python", "obp==0.5.7"]],
}


def python_with(folder, name):
    """A Python with the packages of a peer, made in folder/estimators unless it is there; None: it cannot be had."""
    where = os.path.join(folder, "estimators", name)
    python, done = os.path.join(where, "bin", "python"), os.path.join(where, "installed")
    if os.path.exists(done):
        return python
    try:
        venv.create(where, with_pip=True)
        for packages in PACKAGES[name]:
            subprocess.run([python, "-m", "pip", "install", "-q", *packages], capture_output=True, timeout=600,
                           check=True)
    except (subprocess.SubprocessError, OSError):
        return None
    with open(done, "w", encoding="utf-8"):
        return python
