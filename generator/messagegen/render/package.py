"""Prints the package around the modules, the error codes, and the runtime beside them."""

from __future__ import annotations

from importlib.resources import files

from messagegen.lower.literals import docstring, text_literal
from messagegen.lower.package import ErrorCodes, Package
from messagegen.render.printer import Lines
from messagegen.render.templates import template


def render_package(package: Package) -> str:
    """The package's ``__init__``: every message by name, loaded on first use, and by kind and api key."""
    types = Lines()
    types.indent = "    "
    for name, module in package.runtime:
        types.import_from(f"._runtime.{module}", [f"{name} as {name}"])
    types.import_from("._runtime.messages", ["KeyedMessage", "Request", "Response"])
    for name, module in package.names:
        types.import_from(f".{module}", [f"{name} as {name}"])
    kinds = Lines()
    kinds.bracketed("_KINDS = (", [text_literal(kind) for kind in package.kinds], ")")
    modules = [(name, f"_runtime.{module}") for name, module in package.runtime] + list(package.names)
    return template("python", "package.py.j2").render(
        types=types.lines,
        modules=modules,
        keys=package.keys,
        kinds=kinds.lines,
        public=[text_literal(name) for name in package.public],
    )


def render_error_codes(codes: ErrorCodes) -> str:
    """The module of the error codes."""
    members: list[str] = []
    for name, code, about in codes.members:
        members.append(f"{name} = {code}")
        if text := docstring(about):
            members.append(f'"""{text}"""')
        members.append("")
    return template("error_codes", "module.py.j2").render(
        members=members,
        retriable=codes.retriable,
        abouts=[(code, text_literal(about)) for _, code, about in codes.members],
    )


def runtime_files() -> dict[str, str]:
    """The runtime that goes beside the modules, by path; its text is copied unchanged."""
    folder = files("messagegen.runtime")
    return {
        f"_runtime/{item.name}": item.read_text(encoding="utf-8")
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if item.name.endswith(".py")
    }
