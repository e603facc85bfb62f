"""The command ``messagegen plan``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messagegen.cli.options import config_option, errors_as_usage, message_option, read_plans, specs_option

if TYPE_CHECKING:
    from messagegen.plan.ops import Codec, MessagePlan, StructPlan


@click.command()
@specs_option
@message_option
@config_option
def plan(specs: Sequence[Path], messages: Sequence[str], config: Path | None) -> None:
    """Show the fields of messages in each version.

    Each struct of a message is a table with a column for each version: x where the version has the field, ? where it may
    be null, t where it is a tagged field. A type says so where an integer has another encoding. The default for --specs is
    the specs of [tool.messagegen].

    \b
    Examples:
      messagegen plan --message MetadataResponse
      messagegen plan --specs kafka_specs --message FetchRequest --message FetchResponse

    Exit codes: 0 done, 2 specs with errors, wrong usage or an error.
    """
    with errors_as_usage():
        for number, each in enumerate(read_plans(specs, messages, config)):
            click.echo("\n" * (number > 0) + "\n".join(_lines(each)))


def _lines(plan: MessagePlan) -> Iterator[str]:
    from messagegen.evolve.changes import version_text

    key = "" if plan.api_key is None else f" {plan.api_key}"
    flexible = "" if plan.flexible_versions.empty else f", flexible {plan.flexible_versions}"
    yield click.style(f"{plan.name}: {plan.kind}{key}, {version_text(plan.valid_versions)}{flexible}", bold=True)
    for index, struct in enumerate(plan.structs):
        if index:
            yield ""
        yield from _table(plan, struct, _codecs(plan, index))


def _codecs(plan: MessagePlan, struct: int) -> dict[int, dict[int, tuple[Codec, bool]]]:
    """The codec of each field in each version of the message, and whether it is tagged there."""
    from messagegen.plan.ops import fields_on_wire

    found: dict[int, dict[int, tuple[Codec, bool]]] = {}
    for layout in plan.layouts:
        if layout.struct == struct:
            tagged = {one.field for one in layout.tagged}
            for field, codec in fields_on_wire(layout):
                for versions in layout.versions:
                    of_field = found.setdefault(field, {})
                    of_field.update((version, (codec, field in tagged)) for version in versions)
    return found


def _table(
    plan: MessagePlan, struct: StructPlan, codecs: Mapping[int, Mapping[int, tuple[Codec, bool]]]
) -> Iterator[str]:
    versions = list(plan.valid_versions)
    widths = [max(2, len(str(version))) for version in versions]
    lines = [(struct.name, "type", [str(version) for version in versions])]
    for number, field in enumerate(struct.fields):
        found = codecs.get(number, {})
        cells = [_mark(*found[version]) if version in found else "" for version in versions]
        lines.append((f"  {field.name}", _type(field.type, found), cells))
    names, types = (max(len(line[column]) for line in lines) for column in (0, 1))
    for name, type_, cells in lines:
        columns = " ".join(cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        yield f"{name:{names}}  {type_:{types}}  {columns}".rstrip()


def _mark(codec: Codec, tagged: bool) -> str:
    may_be_null = getattr(codec, "nullable", False) or getattr(codec, "null_mark", "never") != "never"
    return f"{'t' * tagged}{'?' * may_be_null}" or "x"


def _type(type_: str, codecs: Mapping[int, tuple[Codec, bool]]) -> str:
    """The type of a field, with the encodings that it has in some versions."""
    from messagegen.evolve.wire import kind

    encodings: dict[str, list[int]] = {}
    for version, (codec, _) in sorted(codecs.items()):
        name = kind(codec).removeprefix("[]")
        if name.endswith(("16", "32", "64")) and name != type_.removeprefix("[]"):
            encodings.setdefault(name, []).append(version)
    notes = (
        f"{name} in {versions[0]}{f'-{versions[-1]}' * (len(versions) > 1)}" for name, versions in encodings.items()
    )
    return f"{type_} ({', '.join(notes)})" if encodings else type_
