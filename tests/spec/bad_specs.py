"""The folders of the specs that break one rule each."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "fixtures" / "bad_specs"

ERROR_CODES = FOLDER.with_name("bad_error_codes")
