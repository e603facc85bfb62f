"""Makes the table of the message versions that each release supports, from the specs in the release's jars."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from messagegen.brokers.supported import KEY_COLUMN, SupportedVersions
from messagegen.jsonc import parse_json, plain
from messagegen.spec.narrowing import without_highest
from messagegen.versions import VersionRange


def stable_versions(texts: Iterable[bytes]) -> dict[int, VersionRange]:
    """Return the stable versions of the requests in spec texts, by API key. Omit requests without one."""
    found: dict[int, VersionRange] = {}
    for text in texts:
        spec: Any = plain(parse_json(text).root.value)
        if spec["type"] == "request":
            versions = VersionRange.parse(spec["validVersions"])
            if spec.get("latestVersionUnstable"):
                versions = without_highest(versions)
            assert spec["apiKey"] not in found
            if not versions.empty:
                found[spec["apiKey"]] = versions
    return found


def table_text(table: SupportedVersions) -> str:
    """Return a table as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([KEY_COLUMN, *table])
    for api_key in sorted({key for versions in table.values() for key in versions}):
        writer.writerow([api_key, *(_cell(versions, api_key) for versions in table.values())])
    return text.getvalue()


def _cell(versions: Mapping[int, VersionRange], api_key: int) -> str:
    return str(versions[api_key]) if api_key in versions else ""
