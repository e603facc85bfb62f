"""Limits for specs, so that parsing and generating code takes time proportional to the text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from messagegen.jsonc import Array, Object
from messagegen.spec.model import MessageSpec
from messagegen.spec.report import Report, placed
from messagegen.spec.rules import Rule

MAX_FIELDS: Final = 1000
"""Fields and structs of a message. Kafka's largest message has 64."""

MAX_VERSIONS: Final = 1000
"""Valid versions of a message."""

MAX_FIELD_VERSIONS: Final = 10_000
"""Fields and structs, times valid versions: each may need code."""

MAX_STRUCT_DEPTH: Final = 50
"""Nested structs, including common ones: generated code nests calls as deeply."""

MAX_TAGS: Final = 200
"""Tagged fields of a struct: generated code has a branch for each."""

_LISTS: Final = ("fields", "commonStructs")


def count_fields(root: Object, report: Report) -> int | None:
    """The number of fields and structs of a message; ``None`` after a finding that there are too many."""
    count, following = 0, [root]
    while following:
        node = following.pop()
        for part in _parts(node):
            count += 1
            following.append(part)
        if count > MAX_FIELDS:
            message = f"too many fields: more than {MAX_FIELDS} in the message and its structs"
            report.add(Rule.SPEC_SIZE, node.position, "", message, "split it into several messages")
            return None
    return count


def check_versions(message: MessageSpec, fields: int, report: Report) -> None:
    """Reports a message with too many versions, or with too many for its number of ``fields`` and structs."""
    valid = message.valid_versions
    if valid.empty or valid.open_ended or not report.clean("validVersions"):
        return
    count, text = valid.highest - valid.lowest + 1, ""
    if count > MAX_VERSIONS:
        text = f"too many versions: {count}, at most {MAX_VERSIONS} are allowed"
    elif count * fields > MAX_FIELD_VERSIONS:
        text = (
            f"too large: {fields} fields in {count} versions, at most {MAX_FIELD_VERSIONS} field versions are allowed"
        )
    if text:
        instead = "drop versions that are no longer used, or split it into several messages"
        report.add_at(placed(message), "validVersions", Rule.SPEC_SIZE, text, instead)


def _parts(node: Object) -> Iterator[Object]:
    """The fields and structs directly in ``node``."""
    for name in _LISTS:
        member = node.members.get(name)
        if member is not None:
            items = member.value.items if isinstance(member.value, Array) else (member.value,)
            yield from (item for item in items if isinstance(item, Object))
