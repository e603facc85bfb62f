"""Downloads the published jars of a Kafka release with the Maven client.

Maven uses the user's mirrors, proxies, credentials and cache. It gets the jars of unknown releases, and jars from
repositories that need a login or a proxy (``messagegen.fetch.jars``).
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from messagegen.fetch.releases import NEWEST_RELEASE
from messagegen.fetch.sources import FetchError
from messagegen.places import program

RELEASE = re.compile(r"[0-9]+(?:\.[0-9]+)+(?:-[A-Za-z0-9][A-Za-z0-9.]*)?")
_OPTIONS = ("--batch-mode", "--strict-checksums", "--update-snapshots", "-Dstyle.color=never")
_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"

_POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>messagegen.fetch</groupId>
  <artifactId>jars</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <build><plugins><plugin>
    <artifactId>maven-dependency-plugin</artifactId>
    <configuration>
      <outputDirectory>${{project.basedir}}</outputDirectory>
      <artifactItems>{items}</artifactItems>
    </configuration>
  </plugin></plugins></build>
</project>
"""
_ITEM = "<item><groupId>org.apache.kafka</groupId><artifactId>{}</artifactId><version>{}</version></item>"

_ADVICE = "or pass local jars to `messagegen fetch-specs --jar FILE`"


def check_release(release: str) -> None:
    """Raise ``FetchError`` for text that does not name a release."""
    if RELEASE.fullmatch(release) is None:
        raise FetchError(f"{release!r} is not a Kafka release; write it as {NEWEST_RELEASE}")


def download(release: str, artifacts: Sequence[str], folder: Path) -> list[Path]:
    """Copy the jars of ``artifacts`` in ``release`` into the empty ``folder``, without their dependencies.

    Return the paths of the jars. Maven runs once. Raise ``FetchError`` if Maven is missing, or a jar cannot be fetched.
    """
    maven = program("mvn")
    if maven is None:
        digests = f"pass the SHA-256 of each jar of Kafka {release} with --sha256"
        raise FetchError(f"no Maven client (mvn) on PATH; install Maven, {digests}, {_ADVICE}")
    items = "".join(_ITEM.format(artifact, release) for artifact in artifacts)
    (folder / "pom.xml").write_text(_POM.format(items=items), "utf-8")
    try:
        # This working folder prevents Maven from finding a .mvn/ folder of the caller's project.
        run = subprocess.run(  # noqa: S603 - the caller's Maven, arguments in a list, no shell
            [maven, *_OPTIONS, "--file", str(folder / "pom.xml"), _COPY],
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
    jars = [folder / f"{artifact}-{release}.jar" for artifact in artifacts]
    if run.returncode or not all(jar.is_file() for jar in jars):
        raise FetchError(condense(run.stdout.splitlines()))
    return jars


def condense(lines: Sequence[str]) -> str:
    """Return the cause of a failure from Maven's output ``lines``, as a sentence with advice."""
    errors = [line.removeprefix("[ERROR] ") for line in lines if line.startswith("[ERROR] ")]
    # Maven's launcher, which locates Java, writes lines without a level.
    output = " ".join(line.strip() for line in lines if line.strip() and not line.startswith("["))
    cause = errors[0].partition(" -> [Help")[0] if errors else output or "no error message"
    return (
        f"Maven failed: {cause}; write all numbers of a release, as in {NEWEST_RELEASE}, and check network, proxy, "
        f"JAVA_HOME and Maven's settings, {_ADVICE}"
    )
