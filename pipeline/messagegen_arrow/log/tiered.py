"""Remote log segments of tiered storage (KIP-405) that can't be read: a plugin may compress and encrypt them in parts.

Aiven's plugin says so in a manifest beside each segment: ``<offset>-<segment id>.rsm-manifest``, a JSON object.
"""

from __future__ import annotations

import json
from typing import Final

from messagegen_arrow.files import read_bytes, shown, with_suffix
from messagegen_arrow.log.names import is_tiered_segment

_MANIFEST: Final = ".rsm-manifest"


class TieredSegmentError(ValueError):
    """Raised for a remote log segment whose bytes are not those of a log."""


def check_plain(path: str) -> None:
    """Raises ``TieredSegmentError`` for a remote segment that its plugin has compressed or encrypted, and ``OSError``."""
    if not is_tiered_segment(path):
        return
    try:
        manifest = json.loads(read_bytes(with_suffix(path, _MANIFEST)))
    except FileNotFoundError:
        return
    except ValueError as problem:
        raise TieredSegmentError(f"{shown(with_suffix(path, _MANIFEST))} is not a manifest: {problem}") from None
    done = [
        name
        for name, is_so in (
            ("compressed", manifest.get("compression")),
            ("encrypted", manifest.get("encryption") is not None),
        )
        if is_so
    ]
    if done:
        raise TieredSegmentError(
            f"{shown(path)} was {' and '.join(done)} by the plugin of tiered storage, and only plain segments can be read: "
            "consume the topic from a broker, which has the plugin; for new segments turn compression.enabled and "
            "encryption.enabled off"
        )
