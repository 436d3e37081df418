"""The wheel and the sdist: what is in them, and that they work in a Python that has nothing else."""
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import zipfile

from support import TOP

NEEDS = "numpy"
TRY = ("import roster, numpy; e = roster.Experts([[[.5, .5]], [[.2, .8]]]); a = roster.Agent('d-ucb', e); "
       "a.learn(a.choose(), 0, 0, 1.0); "
       "roster.evaluate({'action': [0, 1], 'reward': [0, 1], 'propensity': [.5, .5]}); "
       "r = roster.run(%r, runs=2, rounds=50, progress=False); print(r.agents)")


def run(*command, **named):
    done = subprocess.run(command, check=False, capture_output=True, text=True, **named)
    if done.returncode:
        raise AssertionError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = cls.temporary.name
        cls.env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        backend = ("import sys; sys.path[:0] = ['.']; import backend; print(backend.build_sdist(sys.argv[1])); "
                   "print(backend.build_wheel(sys.argv[1]))")
        names = run(sys.executable, "-c", backend, cls.folder, cwd=os.path.join(TOP, "python")).split()
        cls.sdist, cls.wheel = (os.path.join(cls.folder, name) for name in names)

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_is_for_every_python_3(self):
        self.assertRegex(os.path.basename(self.wheel), r"^roster_bandits-[0-9.]+(dev0)?-py3-none-\w+\.whl$")

    def test_knows_no_path_of_this_machine(self):
        places = [os.fsencode(place) for place in (TOP, tempfile.gettempdir() + "/", os.path.expanduser("~") + "/")]
        for archive in (self.wheel,):
            with zipfile.ZipFile(archive) as opened:
                for name in opened.namelist():
                    data = opened.read(name)
                    self.assertFalse(name.startswith("/") or ".." in name)
                    self.assertEqual([place for place in places if place in data], [], name)
        with tarfile.open(self.sdist) as opened:
            self.assertEqual([name for name in opened.getnames() if name.startswith("/") or ".." in name], [])

    def test_needs_no_more_than_its_tag_says(self):
        """What auditwheel would look at: libraries needed, where they are looked for, versions of glibc."""
        found = re.search(r"manylinux_2_(\d+)", self.wheel)
        if found is None:
            self.skipTest("no manylinux here")
        with zipfile.ZipFile(self.wheel) as opened:
            bundled = {os.path.basename(name) for name in opened.namelist()}
            for name in bundled:
                if ".so" in name:
                    self.check_binary(opened.read("roster/" + name), bundled, int(found[1]))

    def check_binary(self, data, bundled, newest):
        path = os.path.join(self.folder, "binary.so")
        with open(path, "wb") as file:
            file.write(data)
        dynamic = run("readelf", "-d", path)
        common = {"libc.so.6", "libm.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}
        self.assertLessEqual(set(re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)), common | bundled)
        self.assertLessEqual(set(re.findall(r"PATH\).*\[(.*)\]", dynamic)), {"$ORIGIN"})
        self.assertLessEqual(max(int(n) for n in re.findall(r"GLIBC_2\.(\d+)", run("readelf", "-V", path))), newest)

    def test_works_in_a_fresh_venv(self):
        import numpy
        venv = os.path.join(self.folder, "venv")
        run(sys.executable, "-m", "venv", venv)
        python = os.path.join(venv, "bin", "python")
        run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", self.wheel, env=self.env)
        site = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", env=self.env).strip()
        with open(os.path.join(site, "numpy.pth"), "w", encoding="utf-8") as file:
            file.write(os.path.dirname(os.path.dirname(numpy.__file__)) + "\n")
        said = run(python, "-c", TRY % os.path.join(TOP, "experiments", "quickstart.json"), env=self.env,
        cwd=self.folder)
        self.assertIn("d-ucb", said)
        where = run(python, "-c", "import roster; print(roster.__file__)", env=self.env, cwd=self.folder)
        self.assertTrue(where.startswith(venv))

    def test_can_be_installed_for_editing(self):
        """In a copy of the tree, so that nothing is left in it."""
        import numpy
        copy = os.path.join(self.folder, "copy")
        for part in ("LICENSE", "meson.build", "meson_options.txt"):
            os.makedirs(copy, exist_ok=True)
            shutil.copy(os.path.join(TOP, part), copy)
        for part in ("include", "lib", "src", "web", "python"):
            shutil.copytree(os.path.join(TOP, part), os.path.join(copy, part),
                            ignore=shutil.ignore_patterns("build-editable", "__pycache__"))
        venv = os.path.join(self.folder, "venv-editable")
        run(sys.executable, "-m", "venv", venv)
        python = os.path.join(venv, "bin", "python")
        run(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "-e", os.path.join(copy, "python"),
            env=self.env)
        env = {**self.env, "PYTHONPATH": os.path.dirname(os.path.dirname(numpy.__file__))}
        with open(os.path.join(copy, "python", "roster", "__init__.py"), "a", encoding="utf-8") as file:
            file.write("edited = 7\n")
        said = run(python, "-c", TRY % os.path.join(TOP, "experiments", "quickstart.json") + "; print(roster.edited)",
                   env=env, cwd=self.folder)
        self.assertIn("d-ucb", said)
        self.assertIn("7", said.split())
        shown = run(python, "-m", "pip", "show", "roster-bandits", env=self.env)
        self.assertIn("Name: roster-bandits", shown)

    def test_needs_no_dygraphs(self):
        build = os.path.join(self.folder, "no-dygraphs")
        run("meson", "setup", build, TOP, "-Dparts=python", "-Ddygraphs=/nonexistent")
        run("ninja", "-C", build, "python/roster/_roster.so")
        linked = run("ldd", os.path.join(build, "python", "roster", "_roster.so"))
        self.assertNotRegex(linked, "blas|lapack|sqlite|microhttpd")

    def test_the_sdist_makes_the_same_wheel(self):
        source = os.path.join(self.folder, "source")
        with tarfile.open(self.sdist) as opened:
            opened.extractall(source)
        top = os.path.join(source, os.listdir(source)[0])
        code = "import sys; sys.path[:0] = ['.']; import backend; print(backend.build_wheel(sys.argv[1]))"
        out = os.path.join(self.folder, "again")
        os.mkdir(out)
        name = run(sys.executable, "-c", code, out, cwd=top).strip()
        with zipfile.ZipFile(self.wheel) as one, zipfile.ZipFile(os.path.join(out, name)) as two:
            self.assertEqual(one.namelist(), two.namelist())
            for path in one.namelist():
                if path.endswith((".py", "METADATA")):
                    self.assertEqual(one.read(path), two.read(path), path)
