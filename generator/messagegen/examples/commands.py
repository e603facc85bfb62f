"""Examples of the rules that only one command checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from messagegen.examples.example import Example

COMMANDS: Final[Mapping[str, Example]] = {
    "SPEC_FORMATTED": Example(
        bad='{"name":"Count","type":"int32","versions":"0+"}',
        good='{ "name": "Count", "type": "int32", "versions": "0+" }',
    ),
    "OUTPUT_UP_TO_DATE": Example(
        bad="a spec that was changed after the last `messagegen generate`",
        good="a spec and the code that `messagegen generate` wrote",
    ),
    "SPECS_CAN_MERGE": Example(
        bad="one field is an int32 in version 3 of one release and a string in version 3 of another",
        good="one field is an int32 up to version 3 and a string from version 4 on",
    ),
}
"""The examples, by rule id."""
