"""The runner of peers finds each kind of fault and starts peers again; the page shows the recorded results."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Golden
from tests.peers.asking import PeerError, ask
from tests.peers.judging import judge
from tests.peers.lines import Line
from tests.peers.page import PAGE, RESULTS, page
from tests.peers.table import FOLDER, PEERS, Peer
from tests.support.specs import GOLDEN

NULL = "java.lang.RuntimeException: null"
LINES = (
    Line("ToyRequest", "request", 1, 0, 1, "default", "0000", {"name": ""}),
    Line("ToyRequest", "request", 1, 0, 1, "typical", "0005", {"name": "a", "count": 5}),
    Line("ToyRequest", "request", 1, 1, 2, "unknown-tags", "00050100", {"name": "a", "count": 5}),
    Line("ToyRequest", "request", 1, 0, 1, "last byte missing", "00", None, NULL),
    Line("ToyResponse", "response", 1, 0, 0, "default", "07", {"id": "AAAAAAAAAAAAAAAAAAAAAQ"}),
)

Toy = Callable[[str], list[str]]


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    """Make a peer that answers each question with its own bytes, but refuses ``00``, and first runs ``change``."""

    def make(change: str) -> list[str]:
        program = [
            "import json, os, sys",
            "for line in sys.stdin:",
            "    question = json.loads(line)",
            "    answer = {'error': 'ValueError: end'} if question['hex'] == '00' else {'hex': question['hex']}",
            *(f"    {line}" for line in change.splitlines()),
            "    print(json.dumps(answer), flush=True)",
        ]
        (tmp_path / "toy.py").write_text("\n".join(program), encoding="utf-8")
        return [sys.executable, str(tmp_path / "toy.py")]

    return make


def judged(command: Sequence[str], op: str = "reencode") -> dict[str, Any]:
    return judge(LINES, ask(command, [line.question(op) for line in LINES]), op)


def counts(result: dict[str, Any]) -> tuple[int, int, int]:
    return result["wrong bytes"], result["refused valid bytes"], result["accepted invalid bytes"]


def test_a_peer_that_agrees_has_no_faults(toy: Toy) -> None:
    result = judged(toy("pass"))
    assert (result["messages"], result["versions"], result["checks"]) == (2, 3, 5)
    assert counts(result) == (0, 0, 0)
    assert result["faults"] == []


@pytest.mark.parametrize(
    ("change", "expected", "found"),
    [
        ("if len(question['hex']) == 8: answer = {'hex': '0005'}", (1, 0, 0), "writes 0005"),
        ("if question['hex'] == '0005': answer = {'error': 'no 5'}", (0, 1, 0), "no 5"),
        ("if question['hex'] == '00': answer = {'hex': '00'}", (0, 0, 1), "writes 00"),
        ("if question['hex'] == '07': os._exit(3)", (0, 1, 0), "ended with exit code 3"),
    ],
    ids=["wrong bytes", "refused", "accepted", "ended"],
)
def test_each_kind_of_fault_is_found(toy: Toy, change: str, expected: tuple[int, int, int], found: str) -> None:
    result = judged(toy(change))
    assert counts(result) == expected
    assert [fault["found"] for fault in result["faults"]] == [found]


def test_each_class_of_faults_shows_its_smallest_example(toy: Toy) -> None:
    (fault,) = judged(toy("if len(question['hex']) > 2: answer = {'error': f'{len(line)} bytes'}"))["faults"]
    assert (fault["about"], fault["count"], fault["hex"]) == ("N bytes", 3, "0000")


def test_unsupported_questions_do_not_count_as_checks(toy: Toy) -> None:
    result = judged(toy("if question['version'] == 1: answer = {'unsupported': 'version 1'}"))
    assert (result["versions"], result["checks"]) == (2, 4)


@pytest.mark.parametrize(
    ("value", "wrong"),
    [
        ({"x": "00000000-0000-0000-0000-000000000001"}, 0),
        ({"x": {"y": ["AAAAAAAAAAAAAAAAAAAAAQ", 3]}}, 0),
        ({"x": 3}, 1),
    ],
    ids=["UUID", "more values", "missing"],
)
def test_decoded_values_are_compared_without_names(value: object, wrong: int) -> None:
    answers: list[dict[str, object]] = [{"unsupported": "requests"}] * len(LINES[1:])
    assert judge(LINES, [*answers, {"json": value}], "decode")["wrong bytes"] == wrong


def test_a_peer_that_always_exits_cannot_be_judged(toy: Toy, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.peers.asking.MOST_STARTS", 2)
    with pytest.raises(PeerError, match="ended 2 times; the last time it ended with exit code 3"):
        judged(toy("os._exit(3)"))


def test_a_peer_that_prints_other_text_cannot_be_judged(toy: Toy) -> None:
    with pytest.raises(PeerError, match="expected a line of JSON, found b'Loading"):
        judged(toy("print('Loading')"))


def test_exceptions_in_python_peers_become_error_answers(tmp_path: Path) -> None:
    peer = tmp_path / "peer.py"
    peer.write_text(
        "def find(question): return question['kind'] == 'request' or None\n"
        "def reencode(found, data, version): return data if len(data) > 1 else 1 / 0\n",
        encoding="utf-8",
    )
    result = judged([sys.executable, str(FOLDER / "loop.py"), str(peer)])
    assert (result["checks"], counts(result)) == (4, (0, 0, 0))


def test_the_page_shows_each_class_of_faults(toy: Toy, golden: Golden) -> None:
    refused = "if len(question['hex']) == 4: answer = {'error': '|no `5`'}"
    shorter = "if len(question['hex']) == 2: answer = {'hex': ''}"
    about = {"name": "toy", "version": "1.0", "language": "Python", "op": "reencode"}
    results = {"date": "2026-01-31", "release": "4.4.0", "messages": 2, "versions": 3, "valid": 4, "invalid": 1}
    golden(
        GOLDEN / "peers" / "page.md", page({**results, "peers": [{**about, **judged(toy(f"{refused}\n{shorter}"))}]})
    )


def test_the_page_is_rendered_from_the_recorded_results() -> None:
    assert RESULTS.stat().st_size < 200_000
    assert PAGE.read_text(encoding="utf-8") == page(json.loads(RESULTS.read_text(encoding="utf-8")))


def test_java_and_messagegen_have_no_faults_in_the_results() -> None:
    java, ours, *peers = json.loads(RESULTS.read_text(encoding="utf-8"))["peers"]
    assert (counts(java), counts(ours)) == ((0, 0, 0), (0, 0, 0))
    assert java["checks"] == ours["checks"] > 5_000
    assert [(peer["name"], peer["version"]) for peer in peers] == [(peer.name, peer.version) for peer in PEERS]


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.folder)
def test_manifests_pin_the_version_in_the_table(peer: Peer) -> None:
    manifests = [FOLDER / peer.folder / name for name in ("requirements.txt", "go.mod", "Cargo.toml", "package.json")]
    assert peer.version in "".join(path.read_text(encoding="utf-8") for path in manifests if path.exists())
