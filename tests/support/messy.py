"""Makes badly written specs: the same values with odd whitespace, comments and orders of properties."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from messagegen.jsonc import parse_json, plain
from tests.support.specs import OWN, PURPOSE_MADE

SPECS = sorted(path for folder in (PURPOSE_MADE, OWN) for path in folder.glob("*.json"))
GAPS = (
    "",
    "",
    "",
    " ",
    "\n\n\n",
    "\t",
    "\r\n",
    " // a comment\n",
    "\n// one\n\n // two\n",
    " /* a */ ",
    "\n/* b\n  c */",
)


def spec_value(path: Path) -> Any:
    """Return the JSON value of a spec file."""
    return plain(parse_json(path.read_bytes()).root.value)


@st.composite
def messy_specs(draw: st.DrawFn) -> str:
    """Return the text of a spec of this repository, written badly."""
    return messy_text(spec_value(draw(st.sampled_from(SPECS))), draw(st.randoms(use_true_random=False)))


def messy_text(value: Any, random: Any) -> str:
    """Return a value as JSON with odd whitespace, comments, and properties in any order."""
    gap = random.choice
    return f"{gap(GAPS)}{_text(value, random, gap)}{gap(GAPS)}"


def _text(value: Any, random: Any, gap: Any) -> str:
    if isinstance(value, dict):
        members = list(value.items())
        random.shuffle(members)
        inside = [
            f"{gap(GAPS)}{json.dumps(key)}{gap(GAPS)}:{gap(GAPS)}{_text(member, random, gap)}{gap(GAPS)}"
            for key, member in members
        ]
        return "{" + (",".join(inside) or gap(GAPS)) + "}"
    if isinstance(value, list):
        inside = [f"{gap(GAPS)}{_text(item, random, gap)}{gap(GAPS)}" for item in value]
        return "[" + (",".join(inside) or gap(GAPS)) + "]"
    return json.dumps(value)
