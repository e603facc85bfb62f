"""Renders modules and the package around them; the text is valid Python, close to black's form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from jinja2 import Environment, StrictUndefined

from messagegen.plan import error_codes, ops
from messagegen.plan.partners import KINDS
from messagegen.render.lines import break_long_lines
from messagegen.render.literals import docstring, text_literal, tuple_literal
from messagegen.render.values import Numbers, Run
from messagegen.render.view import FormatView, LayoutView, ModuleView, module_view
from messagegen.templating import template_loader


def _underscored(*names: str) -> dict[str, str]:
    return {f"_{name}": name for name in names}


_IMPORTS: Final[tuple[tuple[str, dict[str, str]], ...]] = (
    ("struct", {"_Struct": "Struct"}),
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
    ("._runtime.limits", {"_LITTLE": "LITTLE"}),
    ("._runtime.messages", _underscored("Codec", "KeyedMessage", "Message", "Request", "Response")),
    (
        "._runtime.primitives",
        {
            "_COUNTS": "COUNTS",
            "_INFINITY": "INFINITY",
            "_NAN": "NAN",
            "_NOTHING": "NOTHING",
            "_new": "NEW",
            **_underscored(
                "array_of",
                "bytes_of",
                "check_bools",
                "check_instance",
                "no_tags",
                "packers",
                "raw_tags",
                "read_array",
                "read_bytes",
                "read_bytes_or_null",
                "read_compact_array",
                "read_compact_bytes",
                "read_compact_bytes_or_null",
                "read_compact_numbers",
                "read_compact_numbers_or_null",
                "read_compact_string",
                "read_compact_string_or_null",
                "read_leaves",
                "read_numbers",
                "read_numbers_or_null",
                "read_string",
                "read_string_or_null",
                "read_structs",
                "read_tag_count",
                "read_unknown_tags",
                "some",
                "some_bytes",
                "unpackers",
                "utf8",
                "write_array",
                "write_compact_array",
                "write_compact_length",
                "write_compact_numbers",
                "write_compact_string",
                "write_numbers",
                "write_string",
                "write_tags",
            ),
        },
    ),
    ("._runtime.structs", {"_Base": "Struct", **_underscored("dataclass", "default_of", "index_by")}),
    ("._runtime.uuids", {"_ZERO_UUID": "ZERO", **_underscored("read_uuid", "uuid_bytes", "uuid_of", "write_uuid")}),
    (
        "._runtime.varints",
        _underscored(
            "read_packed16",
            "read_packed32",
            "read_packed64",
            "read_upacked16",
            "read_upacked32",
            "read_upacked64",
            "read_uvarint",
            "write_packed16",
            "write_packed32",
            "write_packed64",
            "write_upacked16",
            "write_upacked32",
            "write_upacked64",
            "write_uvarint",
        ),
    ),
)
_WORD: Final = re.compile(r"\b_\w+")
_RUNTIME: Final = {
    "DecodeError": "errors",
    "EncodeError": "errors",
    "Limits": "limits",
    "Message": "messages",
    "MessageError": "errors",
    "UnsupportedVersionError": "errors",
}
"""What packages offer of their runtime, with the module that it is in; a message of the same name goes before."""


@cache
def _environment(output: str) -> Environment:
    environment = Environment(
        loader=template_loader(output),
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


def render_message(plan: ops.MessagePlan, partner: ops.MessagePlan | None = None) -> str:
    """The module of one message; ``partner`` is the response of a request or the request of a response, where there is one."""
    view = module_view(plan, partner)
    body = _body(view)
    module = _environment("python").get_template("module.py.j2")
    letters = _letters(view.layouts)
    imports = _import_lines(body, with_arrays=bool(letters))
    return break_long_lines(
        module.render(
            module=view,
            formats=_formats(view.layouts),
            rows=_row_formats(view.layouts),
            letters=letters,
            imports=imports,
            body=body,
        )
    )


def _body(view: ModuleView) -> str:
    environment = _environment("python")
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
        for value in layout.every_value() if layout.single or layout.many else ():
            if isinstance(value, Run):
                formats[value.format] = value.format_text
                formats[value.format + value.peek] = value.format_text + value.peek
                formats[value.format + value.pad] = value.format_text + value.pad
    return _format_views(formats)


def _format_views(texts: dict[str, str]) -> list[FormatView]:
    return [FormatView(name, text) for name, text in sorted(texts.items())]


def _row_formats(layouts: Iterable[LayoutView]) -> list[FormatView]:
    """Every ``struct`` format of array elements that are read at one go."""
    return _format_views({row.format: row.format_text for layout in layouts if layout.many and (row := layout.row)})


def _letters(layouts: Iterable[LayoutView]) -> list[FormatView]:
    """Every ``struct`` letter of which there are arrays."""
    letters: dict[str, str] = {}
    for layout in layouts:
        for value in layout.every_value() if layout.single or layout.many else ():
            if isinstance(value, Numbers):
                letters[value.letter_name] = value.letter
    return _format_views(letters)


def _import_lines(body: str, *, with_arrays: bool) -> list[str]:
    used = set(_WORD.findall(body)) | {"_Codec", "_Struct"}
    if with_arrays:
        used |= {"_packers", "_unpackers"}
    lines = ["import builtins as _builtins"] if "_builtins" in used else []
    for module, names in _IMPORTS:
        imported = [f"{name} as {alias}" for alias, name in names.items() if alias in used]
        if not module:
            lines.append("")
        elif imported:
            lines.append(f"from {module} import {', '.join(imported)}")
    return lines


def render_error_codes(plan: error_codes.ErrorCodesPlan) -> str:
    """The module of the error codes."""
    members = [
        {
            "name": member.name,
            "code": str(member.code),
            "about": text_literal(member.about),
            "docstring": docstring(member.about),
        }
        for member in plan.members
    ]
    retriable = [str(member.code) for member in plan.members if member.retriable]
    return _environment("error_codes").get_template("module.py.j2").render(members=members, retriable=retriable)


def render_package(plans: Sequence[ops.MessagePlan], *, with_error_codes: bool = False) -> str:
    """The package's ``__init__``: every message by name, loaded on first use, and by kind and api key."""
    ordered = sorted(plans, key=lambda plan: plan.name)
    names = {plan.class_name(): plan.module for plan in ordered}
    if with_error_codes:
        names = dict(sorted({**names, error_codes.CLASS_NAME: error_codes.MODULE}.items()))
    runtime = {name: module for name, module in _RUNTIME.items() if name not in names}
    # By name, a line each: where new messages with new keys all came last, branches that add some would not merge.
    keys = {plan.class_name(): (plan.kind, plan.api_key) for plan in ordered if plan.api_key is not None}
    public = [text_literal(name) for name in sorted([*names, *runtime, "message_classes"])]
    kinds = [text_literal(kind) for kind in KINDS]
    package = _environment("python").get_template("package.py.j2")
    return break_long_lines(package.render(names=names, runtime=runtime, kinds=kinds, public=public, keys=keys))


def runtime_files() -> dict[str, str]:
    """The runtime that goes beside the modules, by path; its text is copied unchanged."""
    folder = files("messagegen.runtime")
    return {
        f"_runtime/{item.name}": item.read_text(encoding="utf-8")
        for item in sorted(folder.iterdir(), key=lambda item: item.name)
        if item.name.endswith(".py")
    }
