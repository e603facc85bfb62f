"""Provides the Kafka jars, the oracle's compiled Java classes, and the specs in the jars."""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Final

from messagegen.fetch.releases import RELEASES

KAFKA_RELEASE: Final = "4.4.0"
"""The release to compare with: its broker, message classes and specs, and the fixtures that they wrote."""
TOOLS_RELEASE: Final = "4.3.1"
"""The newest release with a published message generator and command line tools; they need jars of this release."""
OLD_RELEASES: Final = RELEASES[: RELEASES.index(TOOLS_RELEASE)]
"""The newest patch of each minor release before ``TOOLS_RELEASE``; 2.4 is the first with specs of every message."""
SPEC_ARTIFACTS: Final = (
    "kafka-clients",
    "kafka-group-coordinator",
    "kafka-metadata",
    "kafka-raft",
    "kafka-share-coordinator",
    "kafka-storage",
    "kafka-transaction-coordinator",
)

_HERE: Final = Path(__file__).resolve().parent
_KAFKA_POM: Final = _HERE / "pom.xml"
_COMPILE_EACH: Final = _HERE / "CompileEach.java"
_OLD_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>\
<groupId>messagegen</groupId><artifactId>oracle-{name}</artifactId><version>1</version>
  <packaging>pom</packaging>{body}
</project>
"""
_OLD_KAFKA: Final = """<dependencies><dependency>
  <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>{release}</version>
</dependency></dependencies>"""
_REPOSITORY: Final = _HERE.parents[1]
_QUICK: Final = (
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-BytecodeVerificationRemote",
)
"""Options that halve the CPU time of programs that end within seconds.

Optimized code would pay off too late, and checking the bytecode of published jars takes a fifth of the time.
"""
_JAVA_OPTIONS: Final = (*_QUICK, "-Xmx1g")
_FETCH_SECONDS: Final = 900
_COPY: Final = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1"
_SPEC_FOLDERS: Final = frozenset({"message", "metadata"})


class OracleSetupError(RuntimeError):
    """The oracle cannot be set up; the text names the tools to install."""


def kafka_jars(release: str = KAFKA_RELEASE) -> Path:
    """Return the folder with the jars of Kafka's broker, its clients, Apache's generator and their dependencies.

    ``release`` is ``KAFKA_RELEASE`` or ``TOOLS_RELEASE``, whose folder also contains the command line tools. Maven
    fetches the jars (``dependency:copy-dependencies``) once for a given ``pom.xml``; other processes wait for the
    first. Raises ``OracleSetupError`` if Maven or the network is missing.
    """
    return _made_once(f"kafka-{release}-jars-{_digest([_KAFKA_POM])}", lambda out: _fetch_kafka_jars(release, out))


def message_jars(release: str) -> list[Path]:
    """Return the jars of a release, old or new, that contain its message specs and the classes generated from them."""
    if release in OLD_RELEASES:
        name = f"kafka-old-jars-{hashlib.sha256(_OLD_POM.encode()).hexdigest()[:12]}"
        return sorted((_made_once(name, _fetch_old_jars) / release).glob("*.jar"))
    return [kafka_jars(release) / f"{name}-{release}.jar" for name in SPEC_ARTIFACTS]


def maven_jars(name: str, pom: Path) -> Path:
    """Return the folder with the jars that a ``pom.xml`` depends on. Maven fetches them again if the file has changed.

    ``name`` is the start of the folder's name in the cache. Raises ``OracleSetupError`` if Maven or the network is
    missing.
    """
    return _made_once(f"{name}-{_digest([pom])}", lambda out: _fetch_jars(pom, out))


def oracle_classes(release: str = KAFKA_RELEASE) -> Path:
    """Return the folder with the oracle's own classes. Raise ``OracleSetupError`` if no JDK 17 or newer is found."""
    sources = sorted((_HERE / "java").glob("*.java"))
    if release in OLD_RELEASES:
        name = f"oracle-classes-{OLD_RELEASES[0]}-{OLD_RELEASES[-1]}-{_digest([_KAFKA_POM, *sources])}"
        return _made_once(name, lambda out: _compile_for_old_releases(sources, out)) / release
    return compiled_classes("oracle-classes", sources, release)


def compiled_classes(name: str, sources: Sequence[Path], release: str = KAFKA_RELEASE) -> Path:
    """Return the folder with the classes of Java ``sources``, compiled against the Kafka jars.

    They are compiled once for each content of the sources. ``name`` is the start of the folder's name in the cache.
    Raises ``OracleSetupError`` if no JDK 17 or newer is found.
    """
    return _made_once(
        f"{name}-{release}-{_digest([_KAFKA_POM, *sources])}", lambda out: compile_java(sources, out, release)
    )


def official_specs() -> dict[str, dict[str, str]]:
    """Return the published text of the official message specs, by artifact and by file name without ``.json``."""
    jars = kafka_jars()
    return {name: _specs_in(jars / f"{name}-{KAFKA_RELEASE}.jar") for name in SPEC_ARTIFACTS}


def class_path(*first: Path, release: str = KAFKA_RELEASE) -> str:
    """Return a Java class path: the given folders, then every Kafka jar, sorted by name.

    For an old release, the jars with its message classes replace the newer Kafka jars.
    """
    jars = sorted(kafka_jars(TOOLS_RELEASE if release in OLD_RELEASES else release).glob("*.jar"))
    if release in OLD_RELEASES:
        libraries = [jar for jar in jars if not jar.name.startswith(("kafka", "connect"))]
        jars = [*message_jars(release), *libraries]
    return os.pathsep.join(map(str, [*first, *jars]))


def java_command(
    main_class: str,
    *arguments: str,
    classes: Sequence[Path] = (),
    options: Sequence[str] = (),
    release: str = KAFKA_RELEASE,
) -> list[str]:
    """Return the command line for ``main_class``, with ``classes`` before the Kafka jars, and with JVM ``options``."""
    path = class_path(*classes, release=release)
    return [_tool("java"), *_JAVA_OPTIONS, *options, "-cp", path, main_class, *arguments]


def compile_java(sources: Sequence[Path], out: Path, release: str = KAFKA_RELEASE) -> None:
    """Compile Java sources against the Kafka jars into the folder ``out``.

    Raises ``OracleSetupError`` with javac's output.
    """
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".txt") as file:
        file.write(_compiler_arguments(sources, out, release))
        file.flush()
        run([_tool("javac"), *(f"-J{option}" for option in _QUICK), f"@{file.name}"], "javac")


def run(command: Sequence[str], what: str, environment: Mapping[str, str] = os.environ) -> str:
    """Run a command and return its standard output; raise ``OracleSetupError`` with the end of its output."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment,
            timeout=_FETCH_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as problem:
        raise OracleSetupError(f"{what} timed out after {_FETCH_SECONDS} seconds") from problem
    if done.returncode:
        lines = f"{done.stdout}\n{done.stderr}".strip().splitlines()
        raise OracleSetupError(f"{what} failed (exit code {done.returncode}):\n" + "\n".join(lines[-40:]))
    return done.stdout


def _compile_for_old_releases(sources: Sequence[Path], out: Path) -> None:
    """Compile sources against the jars of each old release, into one folder for each release."""
    with tempfile.TemporaryDirectory() as folder:
        files: list[Path] = []
        for release in OLD_RELEASES:
            (out / release).mkdir()
            file = Path(folder, f"{release}.txt")
            file.write_text(_compiler_arguments(sources, out / release, release), encoding="utf-8")
            files.append(file)
        run([_tool("java"), *_JAVA_OPTIONS, str(_COMPILE_EACH), *map(str, files)], "javac")


def _compiler_arguments(sources: Sequence[Path], out: Path, release: str) -> str:
    """Return the text of an argument file for javac, with one argument on each line; quotes allow blanks."""
    lines = ["--release 17 -nowarn -proc:none -encoding UTF-8"]
    lines += [f'-cp "{class_path(release=release)}"', f'-d "{out}"']
    lines += [f'"{source}"' for source in sources]
    return "".join(f"{line}\n" for line in lines)


def _fetch_kafka_jars(release: str, out: Path) -> None:
    options = [f"-Dkafka.version={release}", f"-Dtools.version={TOOLS_RELEASE}"]
    if release == TOOLS_RELEASE:
        options.append("--activate-profiles=tools")
    _fetch_jars(_KAFKA_POM, out, options)
    missing = [name for name in SPEC_ARTIFACTS if not (out / f"{name}-{release}.jar").is_file()]
    if missing:
        raise OracleSetupError(f"missing jars of release {release}: {', '.join(missing)}")


def _fetch_old_jars(out: Path) -> None:
    """Fetch all old jars in one run of Maven, because it starts slowly, into one folder for each release."""
    modules = "".join(f"<module>{release}</module>" for release in OLD_RELEASES)
    (out / "pom.xml").write_text(_OLD_POM.format(name="old", body=f"<modules>{modules}</modules>"), encoding="utf-8")
    for release in OLD_RELEASES:
        (out / release).mkdir()
        pom = _OLD_POM.format(name=release, body=_OLD_KAFKA.format(release=release))
        (out / release / "pom.xml").write_text(pom, encoding="utf-8")
    _fetch_jars(out / "pom.xml", "${project.basedir}", [f"-DincludeArtifactIds=kafka_2.13,{','.join(SPEC_ARTIFACTS)}"])


def _fetch_jars(pom: Path, out: Path | str, options: Sequence[str] = ()) -> None:
    command = [_tool("mvn"), "--batch-mode", "--quiet", f"--file={pom}", *options]
    quick = {"MAVEN_OPTS": " ".join([*_QUICK, os.environ.get("MAVEN_OPTS", "")])}
    try:
        run([*command, f"{_COPY}:copy-dependencies", f"-DoutputDirectory={out}"], "Maven", os.environ | quick)
    except OracleSetupError as problem:
        advice = "check that a Maven repository is reachable (network, proxy, ~/.m2/settings.xml)"
        raise OracleSetupError(f"{problem}\n{advice}") from problem


def _tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        need = "Apache Maven" if name == "mvn" else "a JDK, version 17 or newer"
        raise OracleSetupError(f"`{name}` is not on the PATH; install {need}")
    return found


def _specs_in(jar: Path) -> dict[str, str]:
    with zipfile.ZipFile(jar) as archive:
        names = [PurePosixPath(name) for name in archive.namelist()]
        specs = sorted(name for name in names if name.suffix == ".json" and name.parent.name in _SPEC_FOLDERS)
        return {name.stem: archive.read(str(name)).decode("utf-8") for name in specs}


def _digest(files: Sequence[Path]) -> str:
    content = hashlib.sha256()
    for file in files:
        content.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return content.hexdigest()[:12]


def _cache_folder() -> Path:
    folder = Path(os.environ.get("MESSAGEGEN_CACHE") or _REPOSITORY / ".cache").expanduser().absolute()
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _made_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the cache folder ``name``. If it does not exist, ``make`` makes it; it appears complete or not at all."""
    # Each folder has its own lock, because `make` may need a second folder: compiling needs the jars.
    folder = _cache_folder() / re.sub(r"[^\w.-]", "_", name)
    if folder.is_dir():
        return folder
    with _locked(folder.with_name(folder.name + ".lock")):
        if not folder.is_dir():
            half_made = Path(tempfile.mkdtemp(prefix=f"{folder.name}.", dir=folder.parent))
            try:
                make(half_made)
                half_made.rename(folder)
            finally:
                shutil.rmtree(half_made, ignore_errors=True)
    return folder


@contextmanager
def _locked(file: Path) -> Iterator[None]:
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
