"""Builds the jar of the Spark source ``kafka-log``: Java classes, native libraries and the plans of Kafka's messages.

The classes are compiled against the jars of the installed PySpark, but the jar contains none of Spark's classes.
"""

from __future__ import annotations

import argparse
import platform
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import pyspark

import messagegen_kafka
from release.hatch_build import build_version
from release.source import ROOT

SOURCES: Final = ROOT / "pipeline" / "java"
JAR: Final = ROOT / "pipeline" / "messagegen_spark" / "jvm" / "kafka-log.jar"
PACKAGE: Final = "messagegen/spark"
RELEASE: Final = "17"
"""The oldest Java that Spark 4 runs on."""

_SERVICE: Final = "META-INF/services/org.apache.spark.sql.sources.DataSourceRegister"
_INDEX: Final = f"{PACKAGE}/plans.txt"
"""The jar entry with the names of the messages, because Java cannot list the entries of a jar."""
_PROFILE: Final = f"{PACKAGE}/profile.txt"
_MANIFEST: Final = "META-INF/MANIFEST.MF"
_LEGAL: Final = {
    "META-INF/LICENSE": ROOT / "LICENSE",
    "META-INF/THIRD-PARTY-LICENSES": ROOT / "native" / "THIRD-PARTY-LICENSES",
}
_GROUP, _ARTIFACT = "messagegen", "kafka-log"
_MAVEN: Final = f"META-INF/maven/{_GROUP}/{_ARTIFACT}/pom.xml"
"""The entry that Maven's ``deploy:deploy-file`` reads."""
_EPOCH: Final = (1980, 1, 1, 0, 0, 0)


def build(libraries: Sequence[tuple[str, Path]], out: Path = JAR, profile: str = "release") -> None:
    """Write the jar. ``libraries`` contains pairs of a platform, such as ``linux-x86_64``, and a file.

    ``profile`` is the Cargo profile of the libraries, which ``messagegen self-check`` prints.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    version = build_version(ROOT)
    files = {_SERVICE: b"messagegen.spark.KafkaLogSource\n", _MAVEN: pom(version).encode()}
    files |= {name: path.read_bytes() for name, path in _LEGAL.items()}
    of_kafka = dict(plans())
    files |= {f"{PACKAGE}/plans/{name}": plan.encode() for name, plan in of_kafka.items()}
    files[_PROFILE] = profile.encode()
    files[_INDEX] = "".join(f"{name}\n" for name in sorted(of_kafka)).encode()
    for target, library in libraries:
        suffix = library.suffix if library.suffix in (".dylib", ".dll") else ".so"
        name = "messagegen_jni" if suffix == ".dll" else "libmessagegen_jni"
        files[f"{PACKAGE}/native/{target}/{name}{suffix}"] = library.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        files |= {str(path.relative_to(folder)): path.read_bytes() for path in compiled(Path(folder))}
    new = out.with_suffix(".new")
    with zipfile.ZipFile(new, "w", zipfile.ZIP_DEFLATED) as jar:
        # Java reads only the first entry as the manifest if it reads the jar as a stream.
        for name, data in [(_MANIFEST, manifest(version).encode()), *sorted(files.items())]:
            jar.writestr(zipfile.ZipInfo(name, _EPOCH), data, zipfile.ZIP_DEFLATED)
    new.replace(out)


def manifest(version: str) -> str:
    """Return the manifest of the jar, from which Java reads the version of the build."""
    lines = ["Manifest-Version: 1.0", f"Implementation-Title: {_ARTIFACT}", f"Implementation-Version: {version}"]
    return "".join(f"{line}\r\n" for line in [*lines, f"Build-Jdk-Spec: {RELEASE}", ""])


def pom(version: str) -> str:
    """Return the POM of the jar, which has no dependencies: Spark has the classes that it needs."""
    return f"""\
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{_GROUP}</groupId>
  <artifactId>{_ARTIFACT}</artifactId>
  <version>{version}</version>
  <packaging>jar</packaging>
  <description>Spark's source kafka-log, which reads log segments of Apache Kafka</description>
  <licenses>
    <license>
      <name>Apache-2.0</name>
    </license>
  </licenses>
</project>
"""


def compiled(folder: Path) -> list[Path]:
    """Compile the Java sources into ``folder``, and return the class files. Raises ``CalledProcessError`` on errors."""
    jars = Path(pyspark.__file__).parent / "jars" / "*"
    sources = sorted(str(path) for path in SOURCES.glob(f"{PACKAGE}/*.java"))
    # Compiling takes only seconds, so a JVM with few optimizations is faster.
    command = ["javac", "-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]
    command += ["--release", RELEASE, "-Xlint:all,-path,-processing,-classfile,-serial", "-Werror"]
    subprocess.run([*command, "-d", str(folder), "-cp", str(jars), *sources], check=True)
    return sorted(folder.rglob("*.class"))


def plans() -> Iterator[tuple[str, str]]:
    """Yield the names and plans of Kafka's messages."""
    for name in messagegen_kafka.__all__:
        member = getattr(messagegen_kafka, name)
        if hasattr(member, "CODEC"):
            yield name, member.CODEC.plan


def this_platform() -> str:
    """Return the folder name of this system's library, which equals ``Native.platform()`` in Java."""
    system = {"darwin": "mac"}.get(platform.system().lower(), platform.system().lower())
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(platform.machine().lower(), platform.machine().lower())
    return f"{system}-{machine}"


def main() -> None:
    """Build the jar from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "libraries", nargs="+", metavar="[PLATFORM=]FILE", help="native libraries; default platform: this one"
    )
    parser.add_argument("--out", type=Path, default=JAR)
    parser.add_argument("--profile", default="release", help="Cargo's profile of the libraries")
    arguments = parser.parse_args()
    if not shutil.which("javac"):
        parser.exit(2, "error: javac is not on the PATH; install a JDK 17 or newer\n")
    pairs = [text.rpartition("=") for text in arguments.libraries]
    build([(target or this_platform(), Path(file)) for target, _, file in pairs], arguments.out, arguments.profile)


if __name__ == "__main__":
    main()
