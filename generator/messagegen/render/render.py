"""Renders modules and the package around them; the text is valid Python, close to black's form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, PackageLoader, StrictUndefined

from messagegen.plan import ops
from messagegen.render.lines import break_long_lines
from messagegen.render.literals import text_literal, tuple_literal
from messagegen.render.values import Run
from messagegen.render.view import FormatView, LayoutView, ModuleView, module_view

_IMPORTS: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("struct", {"_Struct": "Struct", "_pack": "pack", "_unpack_from": "unpack_from"}),
    ("uuid", {"_UUID": "UUID"}),
    ("", {}),
    (
        "._runtime.entities",
        {
            "_BrokerId": "BrokerId",
            "_GroupId": "GroupId",
            "_ProducerId": "ProducerId",
            "_TopicName": "TopicName",
            "_TransactionalId": "TransactionalId",
        },
    ),
    ("._runtime.errors", {"_CodecFailure": "CodecFailure"}),
    ("._runtime.messages", {"_Codec": "Codec", "_Message": "Message"}),
    (
        "._runtime.primitives",
        {
            "_INFINITY": "INFINITY",
            "_NAN": "NAN",
            "_new": "NEW",
            "_raw_tags": "raw_tags",
            "_read_array": "read_array",
            "_read_array_of_views": "read_array_of_views",
            "_read_compact_string": "read_compact_string",
            "_read_packed": "read_packed",
            "_read_string": "read_string",
            "_read_string_length": "read_string_length",
            "_read_unknown_tags": "read_unknown_tags",
            "_read_upacked": "read_upacked",
            "_read_uvarint": "read_uvarint",
            "_read_varint_array": "read_varint_array",
            "_write_compact_length": "write_compact_length",
            "_write_compact_string": "write_compact_string",
            "_write_packed": "write_packed",
            "_write_string": "write_string",
            "_write_tags": "write_tags",
            "_write_upacked": "write_upacked",
            "_write_uvarint": "write_uvarint",
        },
    ),
    ("._runtime.structs", {"_Base": "Struct", "_index_by": "index_by"}),
    ("._runtime.uuids", {"_ZERO_UUID": "ZERO", "_read_uuids": "read_uuids", "_uuid_of": "uuid_of"}),
)
_WORD: Final = re.compile(r"\b_\w+")
_ERRORS: Final = ("DecodeError", "EncodeError", "MessageError", "UnsupportedVersionError")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("messagegen"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701 - the output is Python; literals.py escapes
    )
    filters: dict[str, Callable[..., str]] = {
        "pytuple": tuple_literal,
        "pylist": _list_literal,
        "quoted": text_literal,
        "reexport": _reexport,
    }
    environment.filters.update(filters)  # pyright: ignore[reportUnknownMemberType] - jinja2 leaves it untyped
    return environment


def _list_literal(items: Iterable[str]) -> str:
    return f"[{', '.join(items)}]"


def _reexport(name: str) -> str:
    return f"{name} as {name}"


def render_message(plan: ops.MessagePlan) -> str:
    """The module of one message."""
    view = module_view(plan)
    body = _body(view)
    module = _environment().get_template("module.py.j2")
    formats = _formats(view.layouts)
    return break_long_lines(module.render(module=view, formats=formats, imports=_import_lines(body), body=body))


def _body(view: ModuleView) -> str:
    environment = _environment()
    struct, decode, encode = (environment.get_template(f"{name}.py.j2") for name in ("struct", "decode", "encode"))
    parts = [struct.render(struct=item) for item in view.structs]
    for layout in view.layouts:
        parts.append(decode.render(layout=layout))
        parts.append(encode.render(layout=layout))
    return "".join(parts).strip("\n")


def _formats(layouts: Iterable[LayoutView]) -> list[FormatView]:
    """Every ``struct`` format that the codecs name: those of runs, and the two of lengths."""
    formats = {"h": ">h", "i": ">i"}
    for layout in layouts:
        for value in (*layout.values, *(tagged.value for tagged in layout.tagged)):
            if isinstance(value, Run):
                formats[value.format] = value.format_text
    return [FormatView(name, text) for name, text in sorted(formats.items())]


def _import_lines(body: str) -> list[str]:
    used = set(_WORD.findall(body)) | {"_Codec", "_Struct"}
    lines = ["import builtins as _builtins"] if "_builtins" in used else []
    for module, names in _IMPORTS:
        imported = [f"{name} as {alias}" for alias, name in names.items() if alias in used]
        if not module:
            lines.append("")
        elif imported:
            lines.append(f"from {module} import {', '.join(imported)}")
    return lines


def render_package(plans: Sequence[ops.MessagePlan], package: str) -> str:
    """The package's ``__init__``: every message by name, loaded on first use, and by kind and api key."""
    ordered = sorted(plans, key=lambda plan: plan.name)
    names = {plan.class_name(): plan.module for plan in ordered}
    errors = [name for name in _ERRORS if name not in names]
    keys: dict[tuple[str, int], list[str]] = {}
    for plan in ordered:
        if plan.api_key is not None:
            keys.setdefault((plan.kind, plan.api_key), []).append(plan.class_name())
    return (
        _environment()
        .get_template("package.py.j2")
        .render(
            package=package,
            names=names,
            errors=errors,
            public=[text_literal(name) for name in sorted([*names, *errors, "message_classes"])],
            keys=sorted(keys.items()),
        )
    )


def runtime_files() -> dict[str, str]:
    """The runtime that goes beside the modules, by path; its text is copied unchanged."""
    folder = files("messagegen.runtime")
    return {
        f"_runtime/{item.name}": item.read_text(encoding="utf-8")
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if item.name.endswith(".py")
    }
