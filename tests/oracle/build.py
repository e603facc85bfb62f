"""Makes Java classes for made-up specs, with Apache's generator and javac."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from tests.oracle.jars import TOOLS_RELEASE, compile_java, java_command, run

_PACKAGE = "made.up"


@dataclass(frozen=True, slots=True)
class BuildResult:
    """``classes`` is for ``Oracle(classes=..., release=TOOLS_RELEASE)``; ``sources`` are the generated Java files."""

    classes: Path
    sources: tuple[Path, ...]


def build_made_up(specs: Path, out: Path) -> BuildResult:
    """Run Apache's ``MessageGenerator`` and javac on every ``*.json`` in the folder ``specs``.

    Writes the folders ``java`` and ``classes`` in ``out``, after emptying ``out``. Raises ``OracleSetupError`` with the
    end of the tool's output if the generator or javac refuses a spec.
    """
    java, classes = out / "java", out / "classes"
    for folder in (java, classes):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    generators = ["--message-class-generators", "MessageDataGenerator", "JsonConverterGenerator"]
    arguments = ["--package", _PACKAGE, "--output", str(java), "--input", str(specs), *generators]
    command = java_command("org.apache.kafka.message.MessageGenerator", *arguments, release=TOOLS_RELEASE)
    run(command, "Apache's MessageGenerator")
    sources = tuple(sorted(java.glob("*.java")))
    compile_java(sources, classes, TOOLS_RELEASE)
    return BuildResult(classes, sources)
