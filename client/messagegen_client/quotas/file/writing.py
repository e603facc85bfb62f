"""Writes quota files in YAML or JSON, for ``read_quota_file``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import yaml

from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.text import printable_document

_NO_LINE_BREAKS: Final = 2**31 - 1
_DUMPER: Final[type[yaml.SafeDumper]] = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


def yaml_text(entries: Mapping[ClientQuotaEntity, Mapping[str, float]]) -> str:
    """A quota file in YAML with these entries, without NaN."""
    items = [
        {
            "entity": {_Quoted(kind): None if name is None else _Quoted(name) for kind, name in entity.items()},
            "values": {_Quoted(key): plain_number(value) for key, value in values.items()},
        }
        for entity, values in entries.items()
    ]
    dumped = yaml.dump(
        {"quotas": items},
        Dumper=_QuotingDumper,
        default_flow_style=None,
        sort_keys=False,
        width=_NO_LINE_BREAKS,
        allow_unicode=True,
    )
    assert isinstance(dumped, str)
    return printable_document(dumped, wide=True)


def json_value(entries: Mapping[ClientQuotaEntity, Mapping[str, float]]) -> dict[str, object]:
    """A quota file for JSON, where infinity is the string ``"Infinity"``."""
    items = [
        {"entity": dict(entity), "values": {key: json_number(value) for key, value in values.items()}}
        for entity, values in entries.items()
    ]
    return {"quotas": items}


def plain_number(value: float) -> float:
    """The value, as an ``int`` if it is a whole number, so that it is written without a point."""
    return int(value) if value.is_integer() else value


def json_number(value: float) -> float | str:
    """The value for JSON; NaN and infinities are strings."""
    if math.isfinite(value):
        return plain_number(value)
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


class _Quoted(str):
    """A name, always quoted in YAML, because readers differ on which words are numbers or booleans."""

    __slots__ = ()


class _QuotingDumper(_DUMPER):  # type: ignore[misc, valid-type]  # the C class, if available
    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002 - called by PyYAML
        return True


def _represent(_: yaml.SafeDumper, name: _Quoted) -> yaml.ScalarNode:
    return yaml.ScalarNode("tag:yaml.org,2002:str", str(name), style='"')


_QuotingDumper.add_representer(_Quoted, _represent)
