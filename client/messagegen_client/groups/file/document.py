"""Documents of offsets in YAML or JSON: what ``messagegen-data state --only groups`` prints.

For example:

groups:
  - group: billing
    commits:
      - {topic: orders, partition: 0, offset: 17, metadata: by hand, leaderEpoch: 4}
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from messagegen_client.documents.checking import DocumentError, DocumentReader, is_text, parsed, short
from messagegen_client.documents.parsing import Document, Number, Path
from messagegen_client.groups.calls import OffsetAndMetadata
from messagegen_client.groups.file.model import (
    MAX_LEADER_EPOCH,
    MAX_OFFSET,
    MAX_PARTITION,
    GroupOffsets,
    OffsetFile,
    OffsetFileError,
    whole_number,
)
from messagegen_client.offsets.partitions import TopicPartition
from messagegen_client.text import printable_document

_GROUPS: Final = "groups"
_SHARE: Final = "share"
"""The type of share groups (KIP-932)."""
_NEEDED: Final = ("topic", "partition", "offset")
_CARRIED: Final = ("metadata", "leaderEpoch")
_IGNORED: Final = ("topicId", "commitTimestamp", "expireTimestamp")
"""What a state says besides. Brokers set both times themselves."""
_IS_KNOWN: Final = "isKnown"


def read_document(text: str, name: str) -> OffsetFile:
    """The offsets in the text of a document; ``name`` is for errors.

    Start offsets of share groups, commits that are not known and commits of no offset can't be made again; they are
    left out. A commit that has neither ``metadata`` nor ``leaderEpoch`` is a plain offset, as in CSV. Raises
    ``OffsetFileError`` with all errors.
    """
    try:
        reader = _Reader(parsed(text, name))
        file = reader.file()
        reader.check(name)
    except DocumentError as problem:
        raise OffsetFileError(problem.problems) from None
    return file


def json_text(offsets: GroupOffsets) -> str:
    """A document in JSON with these offsets, their metadata and leader epochs."""
    return printable_document(json.dumps(_value(offsets), indent=2, ensure_ascii=False)) + "\n"


def yaml_text(offsets: GroupOffsets) -> str:
    """The same in YAML. Texts are quoted, because readers differ on which of them are numbers."""
    lines = [f"{_GROUPS}:" if offsets else f"{_GROUPS}: []"]
    for group in _value(offsets)[_GROUPS]:
        lines.append(f"- group: {_flow(group['group'])}")
        lines.append("  commits:" if group["commits"] else "  commits: []")
        lines += [f"  - {_flow(commit)}" for commit in group["commits"]]
    return printable_document("\n".join(lines), wide=True) + "\n"


def _flow(value: object) -> str:
    """A value as JSON, which is YAML, too."""
    return json.dumps(value, ensure_ascii=False)


def _value(offsets: GroupOffsets) -> dict[str, list[dict[str, Any]]]:
    groups = [{"group": group_id, "commits": _commits(partitions)} for group_id, partitions in offsets.items()]
    return {_GROUPS: groups}


def _commits(partitions: Mapping[TopicPartition, int | OffsetAndMetadata]) -> list[dict[str, Any]]:
    return [{"topic": topic, "partition": number, **_place(place)} for (topic, number), place in partitions.items()]


def _place(place: int | OffsetAndMetadata) -> dict[str, Any]:
    if not isinstance(place, OffsetAndMetadata):
        return {"offset": place}
    epoch = {} if place.leader_epoch is None else {"leaderEpoch": place.leader_epoch}
    return {"offset": place.offset, "metadata": place.metadata, **epoch}


class _Reader(DocumentReader):
    """Builds offsets from a document, and collects what is wrong in it, and what is left out."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self._offsets: dict[str, dict[TopicPartition, int | OffsetAndMetadata]] = {}
        self._left_out: list[str] = []

    def file(self) -> OffsetFile:
        top = self.mapping_with(self._document.value, (), required=(_GROUPS,))
        for index, group in enumerate(self.sequence(top.get(_GROUPS, []), (_GROUPS,))):
            self._group(group, (_GROUPS, index))
        return OffsetFile(self._offsets, tuple(self._left_out))

    def _group(self, value: object, path: Path) -> None:
        parts = self.mapping_with(value, path, required=("group", "commits"), optional=("groupType",))
        if "group" not in parts:
            return
        group_id = self._name(parts["group"], (*path, "group"))
        commits = self.sequence(parts.get("commits", []), (*path, "commits"))
        if parts.get("groupType") == _SHARE:
            self._left_out.append(f"group {group_id}: the start offsets of share groups can't be committed; left out")
            return
        for index, commit in enumerate(commits):
            self._commit(group_id, commit, (*path, "commits", index))

    def _commit(self, group_id: str, value: object, path: Path) -> None:
        optional = (*_CARRIED, *_IGNORED, _IS_KNOWN)
        parts = self.mapping_with(value, path, required=_NEEDED, optional=optional)
        if not set(_NEEDED) <= parts.keys():
            return
        topic = self._name(parts["topic"], (*path, "topic"))
        partition = TopicPartition(topic, self._number(parts["partition"], (*path, "partition"), MAX_PARTITION))
        if parts.get(_IS_KNOWN) is False:
            self._left_out.append(f"group {group_id}: the commit of {partition} is not known; left out")
            return
        if parts["offset"] is None:
            self._left_out.append(f"group {group_id}: no offset of {partition} was committed; left out")
            return
        partitions = self._offsets.setdefault(group_id, {})
        if partition in partitions:
            self.problem(path, f"duplicate offset of {partition} in group {group_id!r}")
        partitions[partition] = self._place(parts, path)

    def _place(self, parts: Mapping[str, object], path: Path) -> int | OffsetAndMetadata:
        offset = self._number(parts["offset"], (*path, "offset"), MAX_OFFSET)
        if not parts.keys() & set(_CARRIED):
            return offset
        metadata = parts.get("metadata", "")
        if not is_text(metadata):
            self.problem((*path, "metadata"), f"invalid metadata {short(metadata)}; put it in quotes")
            metadata = ""
        epoch = parts.get("leaderEpoch")
        if epoch is not None:
            epoch = self._number(epoch, (*path, "leaderEpoch"), MAX_LEADER_EPOCH)
        return OffsetAndMetadata(offset, metadata, epoch)

    def _name(self, value: object, path: Path) -> str:
        if is_text(value) and value:
            return value
        self.problem(path, f"invalid name {short(value)}; expected text that is not empty, in quotes if it is a number")
        return ""

    def _number(self, value: object, path: Path, highest: int) -> int:
        what = str(path[-1])
        if not isinstance(value, Number):
            # Also text in quotes.
            self.problem(path, f"invalid {what} {short(value)}: expected a whole number from 0 to {highest}")
            return 0
        try:
            return whole_number(value, what, highest)
        except ValueError as problem:
            self.problem(path, str(problem))
            return 0
