"""Damaged logs, messages and plans through the native library in a JVM without Spark.

``python -m tests.spark.jvm.fuzz --seconds 60`` reads logs for so long, and then calls functions for as long. It is the
CPU time of each of two threads. For each second, functions are made of some hundred plans.

With ``--library`` it is one that was built with AddressSanitizer; its runtime is preloaded.

With ``--jar`` and ``--java`` it is the library of another system, such as one for Arm that an emulator runs:
``--jar dist/kafka-log.jar --java "qemu-aarch64-static -L SYSTEM SYSTEM/usr/lib/jvm/java-17-openjdk-arm64/bin/java"``.
An emulated Java takes some of the seconds to load classes, and reads no rows in fewer.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pyspark

from messagegen_kafka import GroupMetadataValue
from messagegen_kafka.group_metadata_value import MemberMetadata
from release import jar
from tests.arrow.support.log_data import Batch, Data, many_batches, marker, write_segment
from tests.arrow.support.messages import random_bytes, tables
from tests.arrow.support.small_files import write_small_files
from tests.native.record_batches import CODECS
from tests.native.spoiled_plans import plan_texts, spoiled

_JAVA: Final = Path(__file__).parent / "java"
_MEMORY: Final = ("-Xmx512m",)
_VALUES: Final = 5
"""The number of values for each version of a message."""
_PLANS_PER_SECOND: Final = 100
_OPTIONS: Final = ("message", "GroupMetadataValue", "version", "4", "unknownTaggedFields", "true")


def write_logs(folder: Path) -> None:
    """Write logs with all codecs, a transaction and messages, and a broker's small files beside the logs."""
    write_small_files(folder)
    for number, codec in enumerate(CODECS):
        write_segment(folder / f"codecs-{number}", 0, many_batches(0, 20, codec=codec))
    member = MemberMetadata(member_id="m" * 30, subscription=b"topics", assignment=b"partitions")
    group = GroupMetadataValue(generation=7, protocol=None, members=(member,) * 3).encode(version=4)
    write_segment(folder / "groups-0", 0, [Batch(each * 9, [Data(group)] * 9).encode() for each in range(9)])
    write_segment(folder / "transfers-0", 0, [*many_batches(0, 2), marker(6, 1, commit=True)])


def write_messages(folder: Path, seed: int) -> None:
    """Write a folder for each message: its plan, and values whose names begin with their versions."""
    chance = random.Random(seed)
    for table in tables():
        of_message = folder / table.name
        of_message.mkdir(parents=True)
        (of_message / "plan").write_text(table.plan, encoding="utf-8")
        for version in table.versions:
            for number in range(_VALUES):
                (of_message / f"{version}-{number}").write_bytes(random_bytes(chance, table, version))


def write_plans(folder: Path, seed: int, count: int) -> None:
    """Write damaged plan texts."""
    folder.mkdir()
    chance = random.Random(seed)
    texts = plan_texts()
    for number in range(count):
        text = chance.choice(texts)
        _, message, *_ = text.split("\n")[1].split(" ")
        (folder / f"{message}-{number}").write_text(spoiled(chance, text), encoding="utf-8")


def run(seconds: int, seed: int, library: Path | None, source: Path, java: Sequence[str]) -> int:
    """Return the exit code of a run; ``source`` is a jar with its library, ``java`` the command that runs it."""
    sys.stdout.write(f"seed {seed}\n")
    sys.stdout.flush()
    jars = Path(pyspark.__file__).parent / "jars" / "*"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_logs(folder / "logs")
        if library is not None:
            source = folder / "kafka-log.jar"
            jar.build([(jar.this_platform(), library)], source)
        path = f"{source}{os.pathsep}{folder}{os.pathsep}{jars}"
        sources = [str(file) for file in sorted(_JAVA.glob("Fuzz*.java"))]
        quick = ["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]
        subprocess.run(["javac", *quick, "-d", name, "-cp", path, *sources], check=True)
        plan = ("plan", GroupMetadataValue.CODEC.plan)
        logs = [str(folder / "logs"), str(folder / "copies"), str(seed), str(seconds), *_OPTIONS, *plan]
        failed = _run_java([*java, *_MEMORY, "-cp", path, "messagegen.spark.Fuzz", *logs], library)
        if failed:
            return failed
        write_messages(folder / "messages", seed)
        messages = [str(folder / "messages"), str(seed), str(seconds)]
        failed = _run_java([*java, *_MEMORY, "-cp", path, "messagegen.spark.FuzzFunctions", *messages], library)
        if failed:
            return failed
        write_plans(folder / "plans", seed, seconds * _PLANS_PER_SECOND)
        plans = str(folder / "plans")
        return _run_java([*java, *_MEMORY, "-cp", path, "messagegen.spark.FuzzPlans", plans], library)


def _run_java(command: Sequence[str], library: Path | None) -> int:
    done = subprocess.run(command, check=False, env=os.environ | _sanitizer(library), stdout=subprocess.PIPE)
    said = done.stdout.decode(errors="replace")
    sys.stdout.write(said)
    sys.stdout.flush()
    # With the sanitizer, the JVM itself may crash at exit, after all work is done.
    is_done = said.splitlines()[-1:] == ["done"]
    return 0 if is_done else done.returncode or 1


def _sanitizer(library: Path | None) -> dict[str, str]:
    if library is None:
        return {}
    found = subprocess.run(["gcc", "-print-file-name=libasan.so"], check=True, capture_output=True, text=True)
    # The JVM handles signals itself, and frees nothing at exit.
    options = (
        "detect_leaks=0:handle_segv=0:handle_sigill=0:allow_user_segv_handler=1:abort_on_error=1:quarantine_size_mb=1"
    )
    return {"LD_PRELOAD": found.stdout.strip(), "ASAN_OPTIONS": options}


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--library", type=Path)
    parser.add_argument("--jar", type=Path, default=jar.JAR)
    parser.add_argument("--java", type=shlex.split, default=["java"])
    # The option exists only because other fuzzers count attempts.
    parser.add_argument("--most", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    sys.exit(run(arguments.seconds, arguments.seed, arguments.library, arguments.jar.resolve(), arguments.java))


if __name__ == "__main__":
    main()
