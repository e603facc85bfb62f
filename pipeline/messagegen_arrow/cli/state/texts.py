"""Converts a state to text: JSON, YAML, or tables for people."""

# pyright: reportAttributeAccessIssue=false
# pyarrow.compute creates most of its functions when it is imported, so pyright does not find them.

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import yaml

from messagegen_arrow.cli.state.document import document, quota_number
from messagegen_arrow.cli.state.sections import SECTIONS, STATE
from messagegen_arrow.console.text import json_text, printable_document
from messagegen_arrow.dump.request import Section, selected
from messagegen_arrow.dump.texts import table_lines
from messagegen_arrow.histories.metadata.changes import quota_entity_text
from messagegen_arrow.streams.stream import stream_of

if TYPE_CHECKING:
    from messagegen_arrow.histories.state.cluster import ClusterState

_DUMPER: Final[type[yaml.SafeDumper]] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_WIDEST: Final = 1 << 30
"""The width of YAML lines, large enough that strings in quotes are not broken."""
_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z_.-]+")
"""The strings that are written without quotes in YAML. Only keys need to look good."""
_WIDEST_COLUMN: Final = 50
"""The maximum width of a column. Names of configs and features are longer than the values in other tables."""
_COLUMNS: Final[dict[str, Sequence[str]]] = {
    "brokers": ("broker", "rack", "fenced", "inControlledShutdown", "endPoints"),
    "partitions": ("topic", "partition", "leader", "replicas", "isr"),
    "acls": ("principal", "permissionType", "operation", "resourceType", "patternType", "resourceName", "host"),
    "commits": ("group", "groupType", "topic", "partition", "offset", "commitTimestamp", "isKnown", "metadata"),
}
"""The most useful columns of each table. Tables that are not listed show all columns."""


def state_json(state: ClusterState, sections: Sequence[str]) -> str:
    """Return the sections as one JSON object."""
    return json_text(document(state, sections), ensure_ascii=False) + "\n"


class _Dumper(_DUMPER):  # type: ignore[misc, valid-type]
    """A dumper that quotes strings, because YAML readers differ on what is a number or a keyword such as ``on``."""


def _quoted(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = None if _PLAIN.fullmatch(text) else '"'
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _quoted)


def state_yaml(state: ClusterState, sections: Sequence[str]) -> str:
    """Return the sections as YAML, which is a quota file if ``quotas`` is the only section."""
    text = yaml.dump(
        document(state, sections),
        Dumper=_Dumper,
        allow_unicode=True,
        default_flow_style=None,
        sort_keys=False,
        width=_WIDEST,
    )
    return printable_document(text, wide=True)


def table_text(state: ClusterState, sections: Sequence[str], width: int) -> str:
    """Return the sections as tables, each below its title."""
    return "\n".join(_titled(title, rows, width) for title, rows in _tables(state, sections))


def _titled(title: str, rows: pa.Table, width: int) -> str:
    if not rows.num_rows:
        return f"{title}: none\n"
    stream = selected(stream_of(rows), _COLUMNS.get(title), "a state")
    lines = table_lines(stream, Section(stream), width, _WIDEST_COLUMN)
    return "".join(f"{line}\n" for line in (title, *lines))


def _tables(state: ClusterState, sections: Sequence[str]) -> Iterator[tuple[str, pa.Table]]:
    for section in sections:
        if section == STATE:
            yield STATE, _about(document(state, [STATE])[STATE])
        for name in SECTIONS[section]:
            rows = state.tables.get(name)
            if rows is None:
                continue
            if name == "configs":
                yield _configs(rows, is_of_topics=section == "topics")
            elif name == "quotas":
                yield name, _quotas(rows)
            else:
                yield name, rows


def _configs(rows: pa.Table, *, is_of_topics: bool) -> tuple[str, pa.Table]:
    """Return the title and the rows of the topic configs, or of all other configs."""
    are_of_topics = pc.equal(rows.column("resourceType"), "topic")
    if is_of_topics:
        return "topic configs", rows.filter(are_of_topics).drop_columns("resourceType")
    names = pc.fill_null(rows.column("resource"), "<default>")
    return "configs", rows.set_column(1, "resource", names).filter(pc.invert(are_of_topics))


def _quotas(rows: pa.Table) -> pa.Table:
    """Return the quotas, with entities in the form that ``kafka-client-quotas`` accepts."""
    entities = [quota_entity_text(entity) for entity in rows.column("entity").to_pylist()]
    values = [str(quota_number(value)) for value in rows.column("value").to_pylist()]
    return pa.table({"quota": rows.column("quota"), "value": pa.array(values, pa.string()), "entity": entities})


def _about(about: dict[str, Any]) -> pa.Table:
    """Return the properties of the state, without the notes, which go to standard error."""
    pairs = [(name, str(value)) for name, value in about.items() if name != "notes" and value is not None]
    columns = {"property": [name for name, _ in pairs], "value": [value for _, value in pairs]}
    return pa.table(columns, schema=pa.schema([("property", pa.string()), ("value", pa.string())]))
