"""Fetches the published jars of a Kafka release with the Maven client.

Maven knows the user's mirrors, proxies, credentials and cache; this module opens no connection. One run fetches all
jars: each artifact is a module of a temporary project, and ``--fail-at-end`` continues with the others if one is not
published.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from messagegen.fetch.releases import NEWEST_RELEASE
from messagegen.fetch.sources import ARTIFACT_NAME, FetchError

Progress = Callable[[str], None]

RELEASE = re.compile(r"[0-9]+(?:\.[0-9]+)+(?:-[A-Za-z0-9][A-Za-z0-9.]*)?")
_OPTIONS = ("--batch-mode", "--fail-at-end", "--strict-checksums", "--update-snapshots", "-Dstyle.color=never")

_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>messagegen.fetch</groupId>
  <artifactId>{name}</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
{body}
</project>
"""

_COPY = """\
  <build><plugins><plugin>
    <groupId>org.apache.maven.plugins</groupId>
    <artifactId>maven-dependency-plugin</artifactId>
    <version>3.8.1</version>
    <executions><execution>
      <phase>initialize</phase>
      <goals><goal>copy</goal></goals>
      <configuration>
        <outputDirectory>${{project.basedir}}</outputDirectory>
        <artifactItems><artifactItem>
          <groupId>org.apache.kafka</groupId>
          <artifactId>{artifact}</artifactId>
          <version>{release}</version>
        </artifactItem></artifactItems>
      </configuration>
    </execution></executions>
  </plugin></plugins></build>"""

_ERROR_LINE = re.compile(
    r"\[ERROR\] (?:Failed to execute goal \S+ \(\S+\) on project \S+: )?(?:Unable to find/resolve artifact\.? )?"
    r"(?P<cause>.+?)(?: -> \[Help \d+\])?"
)
_UNREACHABLE = re.compile(
    r"Unknown host|Name or service not known|Temporary failure in name resolution|Connect to |Connection refused"
    r"|Connection reset|Network is unreachable|No route to host|(?:connect|read) timed out|failed to transfer from",
    re.IGNORECASE,
)
_ADVICE = "or pass local jars to `messagegen fetch-specs --jar FILE`"


def check_release(release: str) -> None:
    """Raises ``FetchError`` for text that does not name a release."""
    if RELEASE.fullmatch(release) is None:
        raise FetchError(f"{release!r} is not a Kafka release; write it as {NEWEST_RELEASE}")


def find_maven(mvn: str | None) -> str:
    """The path of the Maven client: ``mvn`` if given, otherwise the one on ``PATH``.

    Raises ``FetchError`` if there is none.
    """
    found = shutil.which(mvn or "mvn")
    if found is None:
        where = f"at {mvn}" if mvn else "on PATH"
        raise FetchError(f"no Maven client {where}; install Maven, name it with --mvn PATH, {_ADVICE}")
    return str(Path(found).absolute())


def download(
    release: str, artifacts: Sequence[str], folder: Path, *, mvn: str | None = None, progress: Progress | None = None
) -> tuple[Mapping[str, Path], tuple[str, ...]]:
    """Copies the jars of ``artifacts`` in ``release`` into the empty ``folder``, without their dependencies.

    Returns the jar of each artifact, and the artifacts that the release does not have. Raises ``FetchError`` if ``release`` or an artifact is not a valid version or name, Maven is missing, or a jar that
    the release publishes cannot be fetched.
    """
    check_release(release)
    for artifact in artifacts:
        if ARTIFACT_NAME.fullmatch(artifact) is None:
            raise FetchError(f"{artifact!r} is not the name of an artifact; write it as kafka-clients")
    _write_project(release, artifacts, folder)
    status, lines = _run(
        [find_maven(mvn), *_OPTIONS, "--file", str(folder / "pom.xml"), "initialize"], folder, progress
    )
    paths = {artifact: folder / artifact / f"{artifact}-{release}.jar" for artifact in artifacts}
    jars = {artifact: path for artifact, path in paths.items() if path.is_file()}
    missing = tuple(name for name in artifacts if name not in jars and _is_unpublished(name, release, lines))
    if len(jars) + len(missing) < len(artifacts) or (status and not missing):
        raise FetchError(condense(lines))
    return jars, missing


def _write_project(release: str, artifacts: Sequence[str], folder: Path) -> None:
    modules = "".join(f"<module>{artifact}</module>" for artifact in artifacts)
    (folder / "pom.xml").write_text(_POM.format(name="all-artifacts", body=f"  <modules>{modules}</modules>"), "utf-8")
    for artifact in artifacts:
        (folder / artifact).mkdir()
        pom = _POM.format(name=f"copy-{artifact}", body=_COPY.format(artifact=artifact, release=release))
        (folder / artifact / "pom.xml").write_text(pom, "utf-8")


def _run(command: Sequence[str], folder: Path, progress: Progress | None) -> tuple[int, list[str]]:
    """Maven's exit status and output lines, including errors."""
    lines: list[str] = []
    try:
        # In this working folder, Maven does not find a .mvn/ of the caller's project.
        with subprocess.Popen(  # noqa: S603 - the caller's Maven, arguments in a list, no shell
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process:
            for line in process.stdout or ():
                lines.append(line.rstrip())
                _report(lines[-1], progress)
    except OSError as error:
        raise FetchError(
            f"cannot run Maven at {command[0]}: {error.strerror or error}; name another with --mvn"
        ) from error
    return process.returncode, lines


def _report(line: str, progress: Progress | None) -> None:
    match = re.match(r"(?:\[INFO\] )?Downloading from \S+: \S*/(\S+)", line)
    if progress and match:
        progress(f"Maven: fetching {match[1]}")


def _is_unpublished(artifact: str, release: str, lines: Sequence[str]) -> bool:
    jar = re.escape(f"org.apache.kafka:{artifact}:jar:{release}")
    pattern = re.compile(rf"Could not find artifact {jar}(?![\w.-])|(?<![\w.-]){jar} was not found in ")
    return any(pattern.search(line) for line in lines if line.startswith("[ERROR]"))


def condense(lines: Sequence[str]) -> str:
    """The cause of failure in Maven's output ``lines``, as a sentence with advice."""
    errors = [match["cause"] for line in lines if (match := _ERROR_LINE.fullmatch(line))]
    causes = [cause for cause in errors if "Could not find artifact org.apache.kafka:" not in cause]
    for cause in causes:
        if "in offline mode" in cause:
            return f"Maven is in offline mode and has not downloaded everything it needs; run it online once, {_ADVICE}"
        match = _UNREACHABLE.search(cause)
        if match:
            reason = cause[match.start() :]
            return f"Maven cannot reach its repository ({reason}); check network, proxy and Maven's settings, {_ADVICE}"
    if causes:
        return f"Maven failed: {causes[0]}"
    said = [line for line in lines if line and not line.startswith("[")]
    if any("JAVA_HOME" in line for line in said):
        return f"Maven cannot find Java ({' '.join(said)}); install a JDK or set JAVA_HOME"
    return f"Maven failed without an error message; its last line: {said[-1] if said else 'none'}"
