"""The command ``messagegen plan``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from messagegen.cli.options import config_option, errors_as_usage, message_option, read_plans, specs_option

if TYPE_CHECKING:
    from messagegen.plan.by_version import OnWire
    from messagegen.plan.ops import MessagePlan, StructPlan


@click.command()
@specs_option
@message_option
@config_option
def plan(specs: Sequence[Path], messages: Sequence[str], config: Path | None) -> None:
    """Show the fields of messages in each version.

    Each struct of a message is a table with a column for each version: x where the version has the field, ? where it may
    be null, t where it is a tagged field. Types include an encoding that is not the usual one. The default for --specs is
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
    from messagegen.plan.by_version import on_wire

    key = "" if plan.api_key is None else f" {plan.api_key}"
    flexible = "" if plan.flexible_versions.empty else f", flexible {plan.flexible_versions}"
    yield click.style(f"{plan.name}: {plan.kind}{key}, {version_text(plan.valid_versions)}{flexible}", bold=True)
    for index, struct in enumerate(plan.structs):
        if index:
            yield ""
        yield from _table(plan, struct, on_wire(plan, index))


def _table(plan: MessagePlan, struct: StructPlan, fields: Mapping[int, Mapping[int, OnWire]]) -> Iterator[str]:
    versions = list(plan.valid_versions)
    lines = [(struct.name, "type", [str(version) for version in versions])]
    for number, field in enumerate(struct.fields):
        found = fields[number]
        cells = [_mark(found[version]) if version in found else "" for version in versions]
        lines.append((f"  {field.name}", _type(field.type, found), cells))
    names, types = (max(len(line[column]) for line in lines) for column in (0, 1))
    for name, type_, cells in lines:
        columns = " ".join(cell.rjust(max(2, len(str(version)))) for cell, version in zip(cells, versions, strict=True))
        yield f"{name:{names}}  {type_:{types}}  {columns}".rstrip()


def _mark(field: OnWire) -> str:
    return f"{'t' * field.tagged}{'?' * field.nullable}" or "x"


def _type(type_: str, fields: Mapping[int, OnWire]) -> str:
    """The type of a field, with the encodings that it has in some versions."""
    encodings: dict[str, list[int]] = {}
    for version, field in sorted(fields.items()):
        if field.type != type_:
            encodings.setdefault(field.type.removeprefix("[]"), []).append(version)
    notes = (
        f"{name} in {versions[0]}{f'-{versions[-1]}' * (len(versions) > 1)}" for name, versions in encodings.items()
    )
    return f"{type_} ({', '.join(notes)})" if encodings else type_
