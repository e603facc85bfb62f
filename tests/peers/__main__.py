"""``make peers``: installs each peer, asks it about every line, and writes the results and docs/conformance.md."""

from __future__ import annotations

import datetime as dt
import json
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from messagegen import __version__
from tests.oracle.jars import KAFKA_RELEASE
from tests.oracle.oracle import Oracle, Question
from tests.peers.asking import ask
from tests.peers.judging import judge
from tests.peers.lines import Line, official_lines, write_specs
from tests.peers.page import PAGE, RESULTS, page
from tests.peers.table import FOLDER, PEERS, Peer

_CACHE: Final = FOLDER.parents[1] / ".cache/peers"


def install(peer: Peer) -> Path:
    """Install a peer in a copy of its folder, and return the copy."""
    folder = _CACHE / peer.folder
    shutil.copytree(FOLDER / peer.folder, folder, dirs_exist_ok=True)
    for command in peer.install:
        subprocess.run(command, cwd=folder, check=True)
    return folder


def _result(
    name: str, version: str, language: str, lines: Sequence[Line], answers: Sequence[Mapping[str, Any]], op: str
) -> dict[str, Any]:
    return {"name": name, "version": version, "language": language, "op": op, **judge(lines, answers, op)}


def main() -> None:
    """Run the two controls, Apache's classes and messagegen, and then all peers."""
    with TemporaryDirectory() as folder, Oracle() as oracle:
        write_specs(Path(folder))
        lines = list(official_lines(Path(folder), oracle))
        asked = (Question("reencode", line.message, line.version, hex=line.hex) for line in lines)
        java = [answer.parts for answer in oracle.ask_all(asked)]
        ours = ask(
            [sys.executable, "-m", "messagegen.cli", "conformance", "--specs", folder],
            [line.question("reencode") for line in lines],
        )
    results = [
        _result("Apache Kafka", KAFKA_RELEASE, "Java", lines, java, "reencode"),
        _result("messagegen", __version__, "Python", lines, ours, "reencode"),
    ]
    for peer in PEERS:
        sys.stderr.write(f"{peer.name}\n")
        answers = ask(peer.command, [line.question(peer.op) for line in lines], install(peer))
        results.append(_result(peer.name, peer.version, peer.language, lines, answers, peer.op))
    valid = [line for line in lines if line.java is None]
    recorded = {
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "release": KAFKA_RELEASE,
        "messages": len({line.message for line in valid}),
        "versions": len({(line.message, line.version) for line in valid}),
        "valid": len(valid),
        "invalid": len(lines) - len(valid),
        "peers": results,
    }
    RESULTS.write_text(json.dumps(recorded, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(recorded), encoding="utf-8")


if __name__ == "__main__":
    main()
