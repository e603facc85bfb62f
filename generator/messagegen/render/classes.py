"""Prints classes."""

from __future__ import annotations

from messagegen.lower.classes import Class, Field, Key, Partner
from messagegen.lower.literals import docstring, quoted
from messagegen.render.printer import Lines


def class_lines(one: Class) -> list[str]:
    """The lines of a class and of its constants."""
    to = Lines()
    to.add("@_dataclass", f"class {one.name}({one.base}):", f"    {quoted(docstring(one.about))}")
    to.indent = "    "
    if one.constants:
        to.lines.append("")
    to.add(*(f"{constant.name} = {constant.value}" for constant in one.constants))
    if one.sensitive:
        to.lines.append("")
        to.add(f"SENSITIVE = {one.sensitive}")
    for field in one.fields:
        _field(field, to)
    if one.partner:
        _partner(one.partner, to)
    if one.key:
        _key(one.key, to)
    to.lines += ["", "", f"_args_{one.name} = ({one.name},)"]
    if one.default:
        to.lines += ["", f"{one.default} = _default_of({one.name})"]
    return to.lines


def _field(field: Field, to: Lines) -> None:
    to.lines.append("")
    to.add(f"{field.attribute}: {field.annotation.text} = {field.default.text}")
    about, facts = docstring(field.about), docstring(field.facts)
    if about and facts:
        to.add(f'"""{about}\n\n    {facts}\n    """')
    elif about or facts:
        to.add(f'"""{about or facts}"""')


def _partner(partner: Partner, to: Lines) -> None:
    to.lines.append("")
    to.add("@classmethod", f"def {partner.method}(cls) -> {partner.returns.text}:")
    to.add(f'    """The class of the {partner.kind}."""')
    to.indent += "    "
    to.import_from(f".{partner.module}", [partner.class_name])
    to.indent = "    "
    to.lines.append("")
    to.add(f"    return {partner.class_name}")


def _key(key: Key, to: Lines) -> None:
    words = " and ".join(f"``{attribute}``" for attribute in key.attributes)
    to.lines.append("")
    to.add("@staticmethod")
    to.bracketed("def by_key(", [f"elements: {key.elements.text}"], f") -> {key.index.text}:", one_a_line=True)
    to.add(f'    """The elements by {words}; of elements with equal keys the first."""')
    to.add(f"    return _index_by(elements, lambda element: {key.key})")
