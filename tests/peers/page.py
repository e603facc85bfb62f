"""Renders docs/conformance.md from the recorded results of the peers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from tests.peers.judging import KINDS

RESULTS: Final = Path(__file__).parent / "results.json"
PAGE: Final = Path(__file__).parents[2] / "docs/conformance.md"

_INTRO: Final = """\
# Conformance of libraries

This page shows how libraries for Kafka's protocol read and write the same bytes. `make peers` installs each library
from its package manager, in a pinned version, asks it about every line, and writes this page. It was last run on
{date}.

The lines are about {messages} requests and responses of Kafka {release} in {versions} versions; those with record
batches are left out. {valid:,} lines are valid: Apache's Java classes decode them and write the same bytes.
{invalid:,} lines are damaged, with a missing end, a changed byte or a wrong length, and these classes refuse them.
[Vectors](vectors.md) describes the shapes of valid messages.

- **re-encode**: the library decodes a message and encodes it again.
- **decode**: the library decodes responses and does not encode them. Each value of the message must be among the
  returned values; their names and other returned values do not count, and neither do nulls and empty strings.
- Bytes are refused if decoding or encoding again raises an error.
- A check is one message. Messages and versions that a library does not have are not checked.
- Different bytes are not always a mistake. For example, a client may drop unknown tagged fields, write null for an
  empty array, or keep entries in a map, whose order is random. The counts of two runs can then differ a little.
- The values are not those of a real cluster: many error codes exist in no release, and names repeat.
- sarama's codecs are private. A file with one function, which is added to its package, exports them.
- confluent-kafka is not here: it does not expose the bytes of messages.
"""


def page(results: Mapping[str, Any]) -> str:
    """Return the text of the page."""
    peers: Sequence[Mapping[str, Any]] = results["peers"]
    return "\n".join([_INTRO.format(**results), *_table(peers), *_details(peers)]).rstrip() + "\n"


def _table(peers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield f"| library | version | language | checked by | messages | versions | checks | {' | '.join(KINDS)} |"
    yield "|---|---|---|---|--:|--:|--:|--:|--:|--:|"
    for peer in peers:
        op = "re-encode" if peer["op"] == "reencode" else peer["op"]
        counts = [f"{peer[name]:,}" for name in ("messages", "versions", "checks", *KINDS)]
        yield f"| {' | '.join([peer['name'], peer['version'], peer['language'], op, *counts])} |"
    yield ""


def _details(peers: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for peer in peers:
        if peer["faults"]:
            yield f"## {peer['name']} {peer['version']}"
            yield ""
            yield "| class | cases | smallest example | answer | Java's answer |"
            yield "|---|--:|---|---|---|"
            for fault in peer["faults"]:
                about = _cell(f"{fault['kind']}: {fault['about']}")
                example = f"{fault['message']}, version {fault['version']}: `{fault['hex']}`"
                yield f"| {about} | {fault['count']:,} | {example} | {_cell(fault['found'])} | {_cell(fault['java'])} |"
            yield ""
            if left := peer["classes"] - len(peer["faults"]):
                yield f"{left} rarer classes are not listed."
                yield ""


def _cell(text: str) -> str:
    """Return text for a cell of a table; it may have any character."""
    plain = "".join(char if char.isprintable() and char not in "`|" else "?" for char in text)
    return f"`{plain}`"
