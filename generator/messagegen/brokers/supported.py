"""The versions of each API that each release of Kafka supports: a table that is made from the specs of the releases.

Its rows are API keys, its columns releases. A cell contains the versions of the request in the release, without a
version that may still change: brokers do not offer that version by default. An API that a release lacks has an empty
cell.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final

from messagegen.versions import VersionRange

FILE: Final = "table/api_versions.csv"
"""The path in this package. The pipeline's folder ``clients/table`` is a link to the folder."""
KEY_COLUMN: Final = "api_key"

SupportedVersions = Mapping[str, Mapping[int, VersionRange]]
"""The versions of each API, by release and API key."""


@cache
def supported_versions() -> SupportedVersions:
    """Return the table of all releases that this version of messagegen knows."""
    return parse_table(files("messagegen.brokers").joinpath(*FILE.split("/")).read_text(encoding="utf-8"))


def parse_table(text: str) -> SupportedVersions:
    """Return the table in a text, which is CSV."""
    rows = list(csv.DictReader(io.StringIO(text)))
    releases = [column for column in rows[0] if column != KEY_COLUMN]
    return {
        release: {int(row[KEY_COLUMN]): VersionRange.parse(row[release]) for row in rows if row[release]}
        for release in releases
    }
