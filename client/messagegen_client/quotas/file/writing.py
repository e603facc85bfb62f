"""Writes quota files in YAML or JSON, for ``read_quota_file``."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Final

from messagegen_client.console.text import printable_document
from messagegen_client.quotas.entities import COMBINATIONS, ClientQuotaEntity
from messagegen_client.quotas.names import value_text

_SCOPE: Final = [sorted(kinds, reverse=True) for kinds in COMBINATIONS]
"""All combinations of entity types: ``user`` comes before ``client-id``."""


def yaml_text(entries: Mapping[ClientQuotaEntity, Mapping[str, float]], *, whole: bool = False) -> str:
    """Return a quota file in YAML with these entries, whose values must not be NaN.

    With ``whole``, the entries are all quotas of a cluster: the scope of the file has all combinations of entity types,
    so that ``--prune`` removes all other quotas.
    """
    lines = ["quotas:" if entries else "quotas: []"]
    for entity, values in entries.items():
        lines.append(f"- entity: {_flow({kind: _quoted(name) for kind, name in entity.items()})}")
        limits = {key: ".inf" if math.isinf(value) else value_text(value) for key, value in values.items()}
        lines.append(f"  values: {_flow(limits)}")
    if whole:
        lines.append(f"scope: {json.dumps(_SCOPE)}")
    return printable_document("\n".join(lines), wide=True) + "\n"


def json_value(entries: Mapping[ClientQuotaEntity, Mapping[str, float]], *, whole: bool = False) -> dict[str, object]:
    """Return a quota file for JSON, where infinity is the string ``"Infinity"``; ``whole`` is as in ``yaml_text``."""
    items = [
        {"entity": dict(entity), "values": {key: json_number(value) for key, value in values.items()}}
        for entity, values in entries.items()
    ]
    return {"quotas": items, "scope": _SCOPE} if whole else {"quotas": items}


def json_number(value: float) -> float | str:
    """Return the value for JSON, without a point if it is a whole number; NaN and infinities are strings."""
    if math.isfinite(value):
        return int(value) if value.is_integer() else value
    return value_text(value)


def _quoted(name: str | None) -> str:
    """Return the name as a JSON string or null, which YAML reads as the same value.

    Strings are always quoted, because YAML readers differ on which text is a number.
    """
    return json.dumps(name, ensure_ascii=False)


def _flow(texts: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{_quoted(key)}: {text}" for key, text in texts.items()) + "}"
