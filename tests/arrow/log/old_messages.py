"""Segments with messages of magic 0 and 1, and the rows that Kafka's own reader returns."""

from __future__ import annotations

import json
from pathlib import Path

HERE = Path(__file__).parent

LINES = [json.loads(line) for line in (HERE / "old_messages.jsonl").read_text().splitlines()]
