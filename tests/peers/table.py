"""The peers: their versions, how they are installed, and the commands that answer for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent

_PYTHON: Final = (
    ("python3", "-I", "-m", "venv", "venv"),
    ("venv/bin/python", "-m", "pip", "install", "--quiet", "--require-hashes", "-r", "requirements.txt"),
)
_PYTHON_COMMAND: Final = ("venv/bin/python", "-I", str(FOLDER / "loop.py"), "peer.py")
_GO_LOOP: Final = ("cp", str(FOLDER / "loop.go"), ".")
_GO: Final = (_GO_LOOP, ("go", "build", "-o", "peer", "."))
_PATCHED_GO: Final = (
    _GO_LOOP,
    ("go", "mod", "vendor"),
    ("cp", "peer_export.go.txt", "vendor/github.com/IBM/sarama/peer_export.go"),
    ("go", "build", "-mod=vendor", "-o", "peer", "."),
)
_RUST: Final = (("cargo", "build", "--quiet", "--locked", "--target-dir", "target"),)
_NODE: Final = (("npm", "ci", "--silent", "--ignore-scripts"),)
_NODE_COMMAND: Final = ("node", str(FOLDER / "loop.mjs"), "peer.mjs")


@dataclass(frozen=True, slots=True)
class Peer:
    """A library in a folder here: ``install`` runs in a copy of the folder, and so does ``command``.

    ``op`` is ``reencode``, or ``decode`` for libraries that decode responses but don't encode them.
    """

    name: str
    version: str
    language: str
    folder: str
    install: Sequence[Sequence[str]]
    command: Sequence[str]
    op: str = "reencode"


PEERS: Final = (
    Peer("aiokafka", "0.14.0", "Python", "aiokafka", _PYTHON, _PYTHON_COMMAND),
    Peer("franz-go (kmsg)", "1.15.1", "Go", "franz_go", _GO, ("./peer",)),
    Peer("kafka-go", "0.4.51", "Go", "kafka_go", _GO, ("./peer",)),
    Peer("kafka-protocol", "0.18.0", "Rust", "kafka_protocol", _RUST, ("target/debug/peer",)),
    Peer("kafka-python", "3.0.12", "Python", "kafka_python", _PYTHON, _PYTHON_COMMAND),
    Peer("kafkajs", "2.2.4", "JavaScript", "kafkajs", _NODE, _NODE_COMMAND, "decode"),
    Peer("kio", "0.6.5", "Python", "kio", _PYTHON, _PYTHON_COMMAND),
    Peer("@platformatic/kafka", "1.35.0", "JavaScript", "platformatic", _NODE, _NODE_COMMAND, "decode"),
    Peer("sarama", "1.61.1", "Go", "sarama", _PATCHED_GO, ("./peer",)),
)
