"""Builds distributions. The same commit and compiler produce the same bytes, in any folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from release import checks
from release.archives import unpack_files
from release.source import Source
from release.targets import Target

PIPELINE: Final = "messagegen-pipeline"
PYTHON_DISTRIBUTIONS: Final = {
    "messagegen": ".",
    "messagegen-kafka": "generated",
    "messagegen-client": "client",
    "messagegen-testing": "testing",
    PIPELINE: "pipeline",
}
"""The distributions of Python code, with the folders of their ``pyproject.toml``. Each may depend only on earlier ones.
"""

NATIVE: Final = "messagegen-native"
NATIVE_MANIFEST: Final = "python/Cargo.toml"
JNI: Final = "messagegen-jni"
GLIBC: Final = "2.17"
"""The oldest glibc with which the library in the jar works. It is the same for wheels (manylinux_2_17)."""


class BuildError(Exception):
    """Raised if a distribution cannot be built."""


def build_python(source: Source, name: str, out: Path) -> None:
    """Write the sdist of a Python distribution, and the wheel built from the sdist. Raises ``BuildError``."""
    folder = source.folder / PYTHON_DISTRIBUTIONS[name]
    _run([sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(folder)], source, quiet=True)


def build_library(source: Source, target: Target) -> str:
    """Compile the library of the jar for a target, and return its platform and file: ``PLATFORM=FILE``.

    Raises ``BuildError``, or ``CheckError`` if the library needs other libraries, or a newer glibc than ``GLIBC``.
    """
    manifest = source.folder / "native" / "Cargo.toml"
    fetch_crates(manifest.parent)  # only then are paths of crates replaced in the library
    command = ["cargo-zigbuild", "zigbuild", "--release", "--locked", "--package", JNI]
    command += ["--manifest-path", str(manifest), "--target", f"{target.triple}.{GLIBC}"]
    variables = _native_variables(source, manifest.parent, target) | {"CARGO_PROFILE_RELEASE_STRIP": "true"}
    # Compiling takes minutes; on a terminal, cargo shows how far it is.
    _run(command, source, variables, quiet=not sys.stderr.isatty())
    library = Path(os.environ["CARGO_TARGET_DIR"], target.triple, "release", "libmessagegen_jni.so")
    checks.check_library(library, GLIBC)
    return f"linux-{target.triple.partition('-')[0]}={library}"


def build_own_library(source: Source) -> Path:
    """Compile the library of the jar for this machine, and return it. Raises ``BuildError``."""
    manifest = source.folder / "native" / "Cargo.toml"
    command = ["cargo", "rustc", "--release", "--locked", "--package", JNI, "--manifest-path", str(manifest)]
    # Not a setting of the profile, because cargo would then compile the crates of the engine's wheel again.
    command += ["--", "-C", "strip=symbols"]
    # Compiling takes minutes; on a terminal, cargo shows how far it is.
    _run(command, source, quiet=not sys.stderr.isatty())
    suffix = ".dylib" if sys.platform == "darwin" else ".so"
    return Path(os.environ["CARGO_TARGET_DIR"], "release", f"libmessagegen_jni{suffix}")


def build_jar(source: Source, libraries: Sequence[str]) -> Path:
    """Write the jar for Spark, with libraries from ``build_library``, to the sources, and return its path.

    Distributions built from these sources then contain the jar. The build needs a JDK and PySpark. Raises
    ``BuildError``.
    """
    variables = {"PYTHONPATH": os.pathsep.join([str(source.folder), str(source.folder / "generated")])}
    _run([sys.executable, "-P", "-m", "release.jar", *libraries], source, variables, quiet=True)
    return source.folder / "pipeline" / "messagegen_spark" / "jvm" / "kafka-log.jar"


def build_native_sdist(source: Source, out: Path) -> Path:
    """Write the sdist of the native engine, and return it. Raises ``BuildError``."""
    manifest = source.folder / "native" / NATIVE_MANIFEST
    _run([*_maturin("sdist"), "-m", str(manifest), "--out", str(out)], source, quiet=True)
    (sdist,) = out.glob("messagegen_native-*.tar.gz")
    return sdist


def unpack(sdist: Path, to: Path) -> Path:
    """Unpack an sdist, from which wheels are built, and return the sdist's only folder. Replaces the target folder."""
    shutil.rmtree(to, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        unpack_files(archive, to)
    (unpacked,) = to.iterdir()
    return unpacked


def build_native_wheels(
    source: Source, folder: Path, target: Target, pythons: Sequence[str], bill: Path, out: Path
) -> None:
    """Write the native engine's wheels for a target, with a bill of materials inside. Raises ``BuildError``."""
    command = [*_maturin("build"), "--release", "--strip", "--locked", "-m", str(folder / NATIVE_MANIFEST)]
    command += ["--target", target.triple, "--sbom-include", str(bill), "--out", str(out)]
    for python in pythons:
        command += ["--interpreter", f"python{python}"]
    if target.system == "linux":
        command += ["--zig", "--compatibility", target.tag]
    _run(command, source, _native_variables(source, folder, target))


def build_native_wheel(source: Source, folder: Path, python: str, out: Path) -> Path:
    """Write the native engine's wheel for one Python and this machine to an empty folder. Raises ``BuildError``."""
    command = [*_maturin("build"), "--release", "--strip", "--locked", "-m", str(folder / NATIVE_MANIFEST)]
    # Compiling takes minutes; on a terminal, cargo shows how far it is.
    _run([*command, "--interpreter", python, "--out", str(out)], source, quiet=not sys.stderr.isatty())
    (wheel,) = out.glob("*.whl")
    return wheel


def missing_targets(targets: Sequence[Target]) -> list[Target]:
    """Return the targets without Rust's standard library, after trying to install it with rustup."""
    return [target for target in targets if not (_standard_library(target).is_dir() or _add(target))]


def rust_version() -> str:
    """Return the output of ``rustc --version``: only the same compiler builds the same bytes."""
    return _output("rustc", "--version")


def _standard_library(target: Target) -> Path:
    return Path(_output("rustc", "--print", "sysroot"), "lib", "rustlib", target.triple)


def _add(target: Target) -> bool:
    if not shutil.which("rustup"):
        return False
    done = subprocess.run(["rustup", "target", "add", target.triple], check=False, capture_output=True)
    return done.returncode == 0


def _maturin(verb: str) -> list[str]:
    return [sys.executable, "-m", "maturin", verb]


def _native_variables(source: Source, folder: Path, target: Target) -> dict[str, str]:
    """Return environment variables that keep this machine's paths out of libraries.

    Rust and C compile paths into messages of panics and assertions.
    """
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    crates = sorted((cargo / "registry" / "src").glob("*"))
    target_folder = Path(os.environ["CARGO_TARGET_DIR"])
    renamed = {cargo: "/cargo"} | dict.fromkeys(crates, "/cargo/registry")
    renamed |= {source.folder: "/source", folder: "/source/native", target_folder: "/target"}
    rustc = [f"--remap-path-prefix={path}={name}" for path, name in renamed.items()]
    compiler = " ".join(f"-ffile-prefix-map={path}={name}" for path, name in renamed.items())
    variables = {"CARGO_ENCODED_RUSTFLAGS": "\x1f".join(rustc)}
    return variables if target.system == "windows" else variables | {"CFLAGS": compiler}


def fetch_crates(folder: Path) -> None:
    """Fetch the crates pinned in ``Cargo.lock`` into a known folder. Raises ``BuildError``."""
    _execute(["cargo", "fetch", "--quiet", "--locked", "--manifest-path", str(folder / "Cargo.toml")], os.environ)


def _run(
    command: Sequence[str], source: Source, variables: dict[str, str] | None = None, *, quiet: bool = False
) -> None:
    fixed = {"SOURCE_DATE_EPOCH": str(source.epoch), "LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "0"}
    # Programs of this Python environment are found first.
    fixed["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    _execute(command, os.environ | fixed | (variables or {}), quiet=quiet)


def _execute(command: Sequence[str], environment: Mapping[str, str], *, quiet: bool = False) -> None:
    try:
        done = subprocess.run(command, env=environment, check=False, capture_output=quiet, text=True)
    except FileNotFoundError:
        raise _not_found(command[0]) from None
    if done.returncode:
        output = f":\n{done.stdout}{done.stderr}" if quiet else ""
        raise BuildError(f"{' '.join(command)} failed with exit code {done.returncode}{output}")


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:
        raise _not_found(command[0]) from None


def _not_found(program: str) -> BuildError:
    if program == "cargo-zigbuild":
        return BuildError("cargo-zigbuild is not installed; `make dist` installs it from release/constraints/dist.txt")
    return BuildError(f"{program} is not on the PATH; install Rust, or leave the native engine out: make wheels")
