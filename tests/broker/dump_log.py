"""The output of ``kafka-dump-log``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.broker import java

_DUMPED: Final = re.compile(r"\| offset: (?P<offset>\d+) .*? headerKeys: \[[^]]*\] ?(?P<rest>.*)")

DECODERS: Final = {
    "__consumer_offsets": "--offsets-decoder",
    "__transaction_state": "--transaction-log-decoder",
    "__share_group_state": "--share-group-state-decoder",
    "__cluster_metadata": "--cluster-metadata-decoder",
}


def dumped(files: Sequence[Path], topic: str) -> dict[Path, dict[int, str]]:
    """Return what ``kafka-dump-log`` prints after the header keys of each record, by file and offset."""
    return {
        path: {int(match["offset"]): match["rest"] for match in map(_DUMPED.match, text.splitlines()) if match}
        for path, text in java.dump_logs(files, DECODERS[topic]).items()
    }
