"""The folders of specs that each break one rule."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent.parent / "fixtures" / "bad_specs"

ERROR_CODES = FOLDER.with_name("bad_error_codes")
