"""Formats message specs in one layout, and keeps their comments."""

from messagegen.findings import SpecError
from messagegen.fmt.layout import format_document
from messagegen.jsonc import JsonError, parse_json
from messagegen.spec import parse

__all__ = ["format_spec"]


def format_spec(data: bytes, file: str) -> bytes:
    """Return the formatted spec, in UTF-8 without a byte order mark, and with Unix line endings.

    The text must be JSON with comments; other errors of the spec do not matter. Values are kept as written, so the
    meaning of the spec does not change. Raise ``SpecError`` for invalid text, with findings that name ``file``.
    """
    try:
        document = parse_json(data.replace(b"\r\n", b"\n"))
    except JsonError:
        document = None
    if document is None or document.stray is not None:
        raise SpecError(parse(data, file).findings)
    return format_document(document).encode("utf-8")
