"""The layout of a formatted spec: the order of properties, the line breaks, and the positions of comments.

Most of Apache's own specs have this layout. Each property of the message is on its own line. A field has one line for
its properties and one for its ``about``, and the fields inside it follow. Each level is indented by two more spaces::

    { "name": "Topics", "type": "[]Topic", "versions": "0+",
      "about": "The topics.", "fields": [
      { "name": "Name", "type": "string", "versions": "0+",
        "about": "The name of the topic." }
    ]}

Values and comments are kept as they are written, and so are single empty lines between the properties of a message and
between fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from messagegen.jsonc import Array, Comment, Container, Document, Object, Part, Scalar, Value

WIDTH: Final = 140
"""The maximum length of a field's first line. An ``about`` is never broken, because JSON strings can't be broken."""

MESSAGE_ORDER: Final = (
    "$schema",
    "apiKey",
    "type",
    "listeners",
    "name",
    "latestVersionUnstable",
    "validVersions",
    "deprecatedVersions",
    "flexibleVersions",
    "headerVersions",
)
FIELD_ORDER: Final = (
    "name",
    "type",
    "versions",
    "deprecatedVersions",
    "nullableVersions",
    "taggedVersions",
    "tag",
    "flexibleVersions",
    "encoding",
    "elementEncoding",
    "default",
    "mapKey",
    "entityType",
    "ignorable",
    "zeroCopy",
    "sensitive",
)
LAST: Final = ("about", "structAbout", "fields", "commonStructs")
"""The last properties of a message, a struct or a field. Properties that are not in any of these lists precede them."""

_STEP: Final = "  "
_AROUND_PROPERTY: Final = len(" ,")
"""The number of characters around a field's property on a line: the space before it, and the comma after it."""
_LISTS: Final = ("fields", "commonStructs")


def format_document(document: Document) -> str:
    """Return the text of a document in its layout, with a final newline."""
    writer = _Writer()
    root = document.root
    writer.comments(root.leading, "", first=True)
    if root.blank_before and root.leading:
        writer.line("", "")
    if isinstance(root.value, Object):
        writer.message(root.value)
    else:
        writer.line("", "")
        writer.value(root, "")
    writer.trail(root.trailing, "")
    writer.comments(document.end_comments, "")
    return writer.text()


class _Writer:
    """Writes lines; ``_closed`` is true if nothing can follow on the last line, such as after a comment."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._closed = False

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

    def line(self, indent: str, text: str) -> None:
        self._lines.append(indent + text)
        self._closed = False

    def comments(self, comments: Sequence[Comment], indent: str, *, first: bool = False) -> None:
        """Write comments on their own lines; if ``first``, without an empty line before them."""
        for number, comment in enumerate(comments):
            is_first = first and number == 0
            if comment.blank_before and not is_first:
                self.line("", "")
            self.line(indent, comment.text)
            self._closed = True

    def trail(self, comments: Sequence[Comment], indent: str) -> None:
        """Write comments at the end of the last line, unless nothing can follow on that line."""
        for comment in comments:
            moved = self._closed
            self._join(f" {comment.text}", indent)
            self._closed = moved or comment.to_line_end

    def message(self, message: Container) -> None:
        self.line("", "{")
        self._parts(_ordered(message, MESSAGE_ORDER), message.inner, _STEP, self._property)
        self.line("", "}")

    def _parts(
        self,
        parts: Sequence[Part],
        inner: Sequence[Comment],
        indent: str,
        write: Callable[[Part, str], None],
    ) -> None:
        """Write parts on their own lines, with commas between them; ``write`` begins a line and writes one part."""
        for number, part in enumerate(parts):
            self.comments(part.leading, indent, first=number == 0)
            if part.blank_before and (number or part.leading):
                self.line("", "")
            write(part, indent)
            self._end(part, last=part is parts[-1], indent=indent)
        self.comments(inner, indent, first=not parts)

    def _end(self, part: Part, *, last: bool, indent: str) -> None:
        if not last:
            self._join(",", indent)
        self.trail(part.trailing, indent)

    def _property(self, part: Part, indent: str) -> None:
        self.line(indent, _key(part))
        self.value(part, indent)

    def value(self, part: Part, indent: str) -> None:
        """Write the value of a property after its key, or an element; nested lines are indented from ``indent``."""
        value = part.value
        is_list = part.name in _LISTS
        if isinstance(value, Scalar) or _is_bare(value) or not (is_list or _has_comments(value)):
            self._join(_inline(value), indent)
            return
        if is_list and isinstance(value, Object):
            # A single field may replace a list of one.
            self._lines[-1] = self._lines[-1].rstrip()
            self._field(part, indent + _STEP)
            return

        opening, closing = ("{", "}") if isinstance(value, Object) else ("[", "]")
        self._join(opening, indent)
        write = self._field if is_list else self._property
        self._parts(value.parts, value.inner, indent + _STEP, write)
        self.line(indent, closing)

    def _field(self, element: Part, indent: str) -> None:
        """Write a field or a struct."""
        field = element.value
        if not isinstance(field, Object) or _is_bare(field):
            self.line(indent, _inline(field))
            return
        self.line(indent, "{")
        further = indent + _STEP
        parts = _ordered(field, FIELD_ORDER)
        for number, part in enumerate(parts):
            if part.leading:
                self.comments(part.leading, further, first=True)
            if self._closed or self._breaks(part, number):
                self.line(further, _key(part))
            else:
                self._join(f" {_key(part)}", further)
            # `value` indents the fields of a list by one step from `indent`, so they align with `about`.
            self.value(part, indent if part.name in _LISTS else further)
            self._end(part, last=part is parts[-1], indent=further)
        self.comments(field.inner, further, first=True)
        self._close_field(indent)

    def _close_field(self, indent: str) -> None:
        """Write the end of a field, on the last line if possible, and without a space after the fields inside it."""
        if self._closed:
            self.line(indent, "}")
        elif self._lines[-1].strip() == "]":
            self._join("}", indent)
        else:
            self._join(" }", indent)

    def _breaks(self, part: Part, number: int) -> bool:
        """Whether a property of a field begins a new line."""
        if number == 0 or part.name in _LISTS:
            return False
        if part.name in ("about", "structAbout"):
            return True
        property_length = len(_key(part)) + len(_inline(part.value))
        return len(self._lines[-1]) + property_length + _AROUND_PROPERTY > WIDTH

    def _join(self, text: str, indent: str) -> None:
        """Append to the last line, or begin a new line if nothing can follow on the last line."""
        if self._closed:
            self.line(indent, text.lstrip())
        else:
            self._lines[-1] += text


def _ordered(holder: Container, order: Sequence[str]) -> list[Part]:
    places = {name: place for place, name in enumerate((*order, "", *LAST))}
    return sorted(holder.parts, key=lambda part: places.get(part.name, len(order)))


def _key(part: Part) -> str:
    return "" if part.key is None else f"{part.key.raw}: "


def _is_bare(value: Value) -> bool:
    return isinstance(value, Container) and not value.parts and not value.inner


def _has_comments(value: Value) -> bool:
    if not isinstance(value, Container):
        return False
    if value.inner:
        return True
    return any(part.leading or part.trailing or _has_comments(part.value) for part in value.parts)


def _inline(value: Value) -> str:
    """Return a value on one line, without its comments."""
    if isinstance(value, Scalar):
        return value.raw
    parts = ", ".join(f"{_key(part)}{_inline(part.value)}" for part in value.parts)
    if isinstance(value, Array):
        return f"[{parts}]"
    return f"{{ {parts} }}" if parts else "{}"
