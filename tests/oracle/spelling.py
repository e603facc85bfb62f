"""Writes specs as JSON text: tidy, or in other spellings that Apache's reader accepts."""

from __future__ import annotations

import json
import random
from typing import Any, Final

_COMMENTS: Final = (
    "// A made-up message.\n",
    '// "quotes", { braces } and /* such */\n',
    "/* a block\n   of // comment */\n",
    "\n",
)
_RANGES: Final = frozenset({"versions", "validVersions", "flexibleVersions", "nullableVersions", "taggedVersions"})
_LISTS: Final = frozenset({"fields", "commonStructs", "listeners"})
_FLAGS: Final = frozenset({"ignorable", "mapKey", "zeroCopy", "latestVersionUnstable"})


def tidy(spec: Any) -> str:
    """Return the spec as plain JSON."""
    return json.dumps(spec, indent=2, ensure_ascii=False) + "\n"


def spell(spec: Any, source: random.Random) -> str:
    """Return the spec as JSON text, in one of the many spellings that Apache's reader takes for the same spec."""
    looseness = source.choice((0.0, 0.05, 0.3))
    text = tidy(_loosen(spec, source, looseness))
    if source.random() < 0.2:
        text = json.dumps(json.loads(text), ensure_ascii=source.random() < 0.5)
    if source.random() < 0.3:
        text = text.replace('"fields": [', '"fields": [ // note: { "x": 1 }\n', 1)
    if source.random() < 0.2:
        text = text.replace('"type"', '/* block { comment */ "type"', 1)
    text = "".join(source.sample(_COMMENTS, source.choice((0, 1, 2)))) + text
    if source.random() < 0.1:
        text += "// the end"
    if source.random() < 0.1:
        text = text.replace("\n", "\r\n")
    return "\ufeff" + text if source.random() < 0.03 else text


def _loosen(part: Any, source: random.Random, looseness: float) -> Any:
    if isinstance(part, list):
        return [_loosen(one, source, looseness) for one in part]
    if not isinstance(part, dict):
        return part
    names = list(part)
    if source.random() < looseness:
        source.shuffle(names)
    return {name: _loosen_property(name, part[name], source, looseness) for name in names}


def _loosen_property(name: str, value: Any, source: random.Random, looseness: float) -> Any:
    loosened = _loosen(value, source, looseness)
    if source.random() >= looseness:
        return loosened
    if name in _RANGES:
        return source.choice((f" {value} ", f"{value} ", value.replace("+", "-32767")))
    if name in _LISTS and len(value) == 1:
        return loosened[0]
    if name in _FLAGS:
        return source.choice(("true", "True", "TRUE", 1) if value else ("false", "False", "FALSE", 0, None, ""))
    if name in ("tag", "apiKey"):
        return str(value)
    return f" {value} " if name == "type" and value[0] in "[i" else loosened
