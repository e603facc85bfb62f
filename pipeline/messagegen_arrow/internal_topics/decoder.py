"""Records of internal topics under a mode: what becomes of those that can't be read."""

from __future__ import annotations

from dataclasses import dataclass

import pyarrow as pa

from messagegen_arrow.internal_topics.reading import RecordBatch, RecordReader
from messagegen_arrow.malformed import ERROR_NAME, KEEP_THEM, Mode, fail_on_first


@dataclass(frozen=True, slots=True)
class InternalTopicDecoder:
    """What runs in workers; it pickles."""

    reader: RecordReader
    mode: Mode
    advice: str = KEEP_THEM
    """What FAILFAST says besides."""

    def decode(self, batch: RecordBatch) -> tuple[pa.StructArray, pa.BooleanArray]:
        """The struct array, without errors unless the mode keeps them, and which rows could not be read.

        Raises ``MalformedMessageError`` under FAILFAST.
        """
        decoded, malformed = self.reader.read(batch)
        if self.mode == "PERMISSIVE":
            return decoded, malformed
        if self.mode == "FAILFAST":
            record_type, version = decoded.field("recordType"), decoded.field("valueVersion")
            fail_on_first(decoded.field(ERROR_NAME), record_type, version, self.advice)
        return pa.StructArray.from_arrays(decoded.flatten()[:-2], fields=list(decoded.type)[:-2]), malformed
