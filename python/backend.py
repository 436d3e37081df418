"""How the package is built (PEP 517): meson and ninja make the folder, and this makes a wheel or an sdist of it.

The wheel is py3-none-PLATFORM: its one binary is called through ctypes and knows nothing of Python. It carries jansson,
zlib, libzstd and liblzma beside the library, which finds them by $ORIGIN. On Linux the platform is manylinux_2_N of the
newest glibc that a symbol of theirs needs. Standard library only, so that nothing has to be fetched where meson and
ninja are there.
"""
from __future__ import annotations

import base64
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
# In a checkout the C sources lie around this folder, in an sdist inside of it.
SOURCES = os.path.join(HERE, "sources") if os.path.isdir(os.path.join(HERE, "sources")) else os.path.dirname(HERE)
PARTS = ("LICENSE", "meson.build", "meson_options.txt", "include", "lib", "src", "web", "python")
EPOCH = (1980, 1, 1, 0, 0, 0)


def _read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def _field(name: str) -> str:
    found = re.search(rf'^{name} = "(.*)"$', _read(os.path.join(HERE, "pyproject.toml")), re.MULTILINE)
    assert found, name
    return found[1]


def _version() -> str:
    """The project's version as Python spells it: 0.2.0-dev is 0.2.0.dev0."""
    found = re.search(r"^ *version: '(.*)',", _read(os.path.join(SOURCES, "meson.build")), re.MULTILINE)
    assert found
    return found[1].replace("-dev", ".dev0")


def _stem() -> str:
    return f"{_field('name').replace('-', '_')}-{_version()}"


def _lists(key: str) -> list[str]:
    text = _read(os.path.join(HERE, "pyproject.toml"))
    found = re.search(rf"^{key} = \[(.*)\]$", text, re.MULTILINE)
    return re.findall(r'"([^"]+)"', found[1]) if found else []


def _metadata() -> str:
    lines = ["Metadata-Version: 2.1", f"Name: {_field('name')}", f"Version: {_version()}",
             f"Summary: {_field('description')}", "License: Apache-2.0",
             f"Requires-Python: {_field('requires-python')}"]
    lines += [f"Requires-Dist: {package}" for package in _lists("dependencies")]
    for extra in ("plot", "pandas", "gymnasium"):
        lines += [f"Provides-Extra: {extra}"]
        lines += [f'Requires-Dist: {package}; extra == "{extra}"' for package in _lists(extra)]
    lines += ["Description-Content-Type: text/markdown", "", _read(os.path.join(HERE, "README.md"))]
    return "\n".join(lines)


def _run(*command: str) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stdout}")


def _compile(folder: str) -> str:
    """The package's folder, built."""
    _run("meson", "setup", folder, SOURCES, "--buildtype=release", "-Dparts=python")
    _run("ninja", "-C", folder, "python/roster/_roster.so")
    return os.path.join(folder, "python", "roster")


def _linked(library: str) -> list[str]:
    """Libraries to be bundled: what the linker finds of those that not every Linux has."""
    if sys.platform != "linux":
        return []
    listed = subprocess.run(["ldd", library], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.findall(r"^\s*lib(?:jansson|z|zstd|lzma)\.so\S* => (/\S+)", listed, re.MULTILINE)


def _glibc(data: bytes) -> int:
    """The N of the newest GLIBC_2.N that is asked for."""
    return max([int(n) for n in re.findall(rb"GLIBC_2\.(\d+)", data)], default=5)


def _platform(binaries: list[bytes]) -> str:
    name = re.sub(r"[-.]", "_", sysconfig.get_platform())
    if not name.startswith("linux_") or b"GLIBC_" not in binaries[0]:
        return name
    return name.replace("linux", f"manylinux_2_{max(17, *map(_glibc, binaries))}")


def _contents() -> dict[str, bytes]:
    """Path and bytes of all of the package's files."""
    files = {}
    with tempfile.TemporaryDirectory() as folder:
        package = _compile(folder)
        paths = [os.path.join(package, name) for name in sorted(os.listdir(package))]
        paths = [path for path in paths if path.endswith((".py", ".typed", ".so"))]
        for path in paths + _linked(os.path.join(package, "_roster.so")):
            with open(path, "rb") as file:
                files["roster/" + os.path.basename(path)] = file.read()
    return files


def _record(files: dict[str, bytes], name: str) -> bytes:
    lines = []
    for path, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(data)}")
    return "\n".join([*lines, f"{name},,", ""]).encode()


def get_requires_for_build_wheel(config_settings: object = None) -> list[str]:
    """meson and ninja, where the machine has none."""
    return [name for name in ("meson", "ninja") if shutil.which(name) is None]


def _write_wheel(wheel_directory: str, files: dict[str, bytes], tag: str) -> str:
    """Adds what describes the distribution and packs all; the name of the wheel."""
    tag = "py3-none-" + tag
    info = f"{_stem()}.dist-info/"
    files[info + "METADATA"] = _metadata().encode()
    files[info + "WHEEL"] = f"Wheel-Version: 1.0\nGenerator: roster\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    files[info + "LICENSE"] = _read(os.path.join(SOURCES, "LICENSE")).encode()
    files[info + "RECORD"] = _record(files, info + "RECORD")
    name = f"{_stem()}-{tag}.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, EPOCH)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o755 if ".so" in path else 0o644) << 16
            archive.writestr(entry, data)
    return name


def build_wheel(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """The same sources and compiler give the same bytes."""
    files = _contents()
    return _write_wheel(wheel_directory, files, _platform([data for path, data in files.items() if ".so" in path]))


def get_requires_for_build_editable(config_settings: object = None) -> list[str]:
    """As for a wheel."""
    return get_requires_for_build_wheel(config_settings)


def _link(folder: str, library: str) -> None:
    """Fills a folder with links to this package's files and to the library."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    source = os.path.join(HERE, "roster")
    for name in os.listdir(source):
        if name.endswith((".py", ".typed")):
            os.symlink(os.path.join(source, name), os.path.join(folder, name))
    os.symlink(library, os.path.join(folder, "_roster.so"))


def build_editable(wheel_directory: str, config_settings: object = None, metadata_directory: object = None) -> str:
    """A wheel that points at this folder (PEP 660): changes of Python files count at once, those of C files after
    `ninja -C python/build-editable python/roster/_roster.so`."""
    folder = os.path.join(HERE, "build-editable")
    shutil.rmtree(folder, ignore_errors=True)
    library = os.path.join(_compile(folder), "_roster.so")
    linked = os.path.join(folder, "linked")
    _link(os.path.join(linked, "roster"), library)
    return _write_wheel(wheel_directory, {"roster_bandits.pth": f"{linked}\n".encode()}, _platform([b""]))


def _add(archive: tarfile.TarFile, path: str, data: bytes) -> None:
    entry = tarfile.TarInfo(path)
    entry.size = len(data)
    archive.addfile(entry, io.BytesIO(data))


def _add_file(archive: tarfile.TarFile, path: str, source: str) -> None:
    with open(source, "rb") as file:
        _add(archive, path, file.read())


def _source_files() -> list[str]:
    """Paths of all files of PARTS, from SOURCES."""
    found = []
    for part in PARTS:
        top = os.path.join(SOURCES, part)
        found += [part] if os.path.isfile(top) else []
        for folder, folders, names in os.walk(top):
            folders[:] = sorted(name for name in folders if name not in ("__pycache__", "build-editable", "sources"))
            found += [os.path.relpath(os.path.join(folder, name), SOURCES) for name in sorted(names)]
    return found


def build_sdist(sdist_directory: str, config_settings: object = None) -> str:
    """This folder, with the C sources inside of it."""
    name = f"{_stem()}.tar.gz"
    with tarfile.open(os.path.join(sdist_directory, name), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        _add(archive, f"{_stem()}/PKG-INFO", _metadata().encode())
        for own in ("pyproject.toml", "README.md", "backend.py"):
            _add_file(archive, f"{_stem()}/{own}", os.path.join(HERE, own))
        for path in _source_files():
            _add_file(archive, f"{_stem()}/sources/{path}", os.path.join(SOURCES, path))
    return name
