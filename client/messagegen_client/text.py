"""Makes untrusted text safe to print: brokers choose their error messages, host names and topic names."""

from __future__ import annotations


def printable(text: str) -> str:
    r"""Return the text in one line, with all characters escaped that are not printed literally.

    These are control characters, line breaks, and characters that change the direction of text. So a broker can't begin
    a line of its own, such as ``::error::`` or ``##[error]``, which CI services take as commands.

    A broker can't begin a line of its own with it, such as ``::error::`` or ``##[error]``, which CI services take as
    commands.
    """
    if not text.isprintable():
        text = "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)
    return f"\\{text}" if text.lstrip().startswith(("::", "##[")) else text


def printable_document(text: str, *, wide: bool = False) -> str:
    r"""Return JSON with such characters escaped as ``\uXXXX``.

    With ``wide`` it is YAML, which has ``\UXXXXXXXX`` for characters above U+FFFF.

    Line breaks of the document are kept. The characters can only be in strings, which are quoted in both.
    """
    if all(line.isprintable() for line in text.split("\n")):
        return text
    return "".join(
        character if character.isprintable() or character == "\n" else _escape_unicode(character, wide)
        for character in text
    )


def _escape_unicode(character: str, wide: bool) -> str:
    if wide and ord(character) > 0xFFFF:
        return f"\\U{ord(character):08x}"
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
