"""Fetches the published jars of a Kafka release with the Maven client.

Maven knows the user's mirrors, proxies, credentials and cache; this module opens no connection. One run fetches all
jars: each artifact is a module of a temporary project, and ``--fail-at-end`` continues with the others if one is not
published.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from messagegen.fetch.releases import NEWEST_RELEASE
from messagegen.fetch.sources import FetchError

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

_ADVICE = "or pass local jars to `messagegen fetch-specs --jar FILE`"


def check_release(release: str) -> None:
    """Raises ``FetchError`` for text that does not name a release."""
    if RELEASE.fullmatch(release) is None:
        raise FetchError(f"{release!r} is not a Kafka release; write it as {NEWEST_RELEASE}")


def download(release: str, artifacts: Sequence[str], folder: Path) -> tuple[Mapping[str, Path], tuple[str, ...]]:
    """Copies the jars of ``artifacts`` in ``release`` into the empty ``folder``, without their dependencies.

    Returns the jar of each artifact, and the artifacts that the release does not have. Raises ``FetchError`` if ``release`` is not a
    valid version, Maven is missing, or a jar that the release publishes cannot be fetched.
    """
    check_release(release)
    maven = shutil.which("mvn")
    if maven is None:
        raise FetchError(f"no Maven client (mvn) on PATH; install Maven, {_ADVICE}")
    _write_project(release, artifacts, folder)
    command = [str(Path(maven).absolute()), *_OPTIONS, "--file", str(folder / "pom.xml"), "initialize"]
    try:
        # In this working folder, Maven does not find a .mvn/ of the caller's project.
        run = subprocess.run(  # noqa: S603 - the caller's Maven, arguments in a list, no shell
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise FetchError(f"cannot run Maven at {maven}: {error.strerror or error}; reinstall it, {_ADVICE}") from error
    lines = [line.rstrip() for line in run.stdout.splitlines()]
    paths = {artifact: folder / artifact / f"{artifact}-{release}.jar" for artifact in artifacts}
    jars = {artifact: path for artifact, path in paths.items() if path.is_file()}
    missing = tuple(name for name in artifacts if name not in jars and _is_unpublished(name, release, lines))
    if len(jars) + len(missing) < len(artifacts) or (run.returncode and not missing):
        raise FetchError(condense(lines))
    return jars, missing


def _write_project(release: str, artifacts: Sequence[str], folder: Path) -> None:
    modules = "".join(f"<module>{artifact}</module>" for artifact in artifacts)
    (folder / "pom.xml").write_text(_POM.format(name="all-artifacts", body=f"  <modules>{modules}</modules>"), "utf-8")
    for artifact in artifacts:
        (folder / artifact).mkdir()
        pom = _POM.format(name=f"copy-{artifact}", body=_COPY.format(artifact=artifact, release=release))
        (folder / artifact / "pom.xml").write_text(pom, "utf-8")


def _is_unpublished(artifact: str, release: str, lines: Sequence[str]) -> bool:
    jar = re.escape(f"org.apache.kafka:{artifact}:jar:{release}")
    pattern = re.compile(rf"Could not find artifact {jar}(?![\w.-])|(?<![\w.-]){jar} was not found in ")
    return any(pattern.search(line) for line in lines if line.startswith("[ERROR]"))


def condense(lines: Sequence[str]) -> str:
    """The cause of failure in Maven's output ``lines``, as a sentence with advice."""
    errors = [line.removeprefix("[ERROR] ") for line in lines if line.startswith("[ERROR] ")]
    causes = [error for error in errors if "Could not find artifact org.apache.kafka:" not in error]
    # Maven's launcher, which looks for Java, writes lines without a level.
    said = " ".join(line for line in lines if line and not line.startswith("["))
    cause = causes[0].partition(" -> [Help")[0] if causes else said or "no error message"
    return f"Maven failed: {cause}; check network, proxy, JAVA_HOME and Maven's settings, {_ADVICE}"
