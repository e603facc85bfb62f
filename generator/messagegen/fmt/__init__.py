"""One layout for message specs: text -> the same spec in its layout, with its comments."""

from messagegen.findings import SpecError
from messagegen.fmt.layout import format_document
from messagegen.jsonc import JsonError, parse_json
from messagegen.spec import parse

__all__ = ["format_spec"]


def format_spec(data: bytes, file: str) -> bytes:
    """The spec in its layout, in UTF-8 without byte order mark, lines ended by a line feed.

    Only the text has to be JSON with comments; what else is wrong with the spec stays. Values are kept as written, so
    the spec means the same. Raises ``SpecError`` for text that can't be read, with findings that name ``file``.
    """
    try:
        document = parse_json(data.replace(b"\r\n", b"\n"))
    except JsonError:
        document = None
    if document is None or document.stray is not None:
        raise SpecError(parse(data, file).findings)
    return format_document(document).encode("utf-8")
