"""The command ``messagegen explain``."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Unpack

import click

from messagegen.cli import wire
from messagegen.cli.options import errors_as_usage
from messagegen.findings import printable

if TYPE_CHECKING:
    from messagegen.explain import Explanation


@click.command()
@wire.bytes_options
@click.option("--sizes", is_flag=True, help="Show the bytes of each field, and what integers take in each encoding.")
@click.option("--full", is_flag=True, help="Show hex and values whole, however long they are.")
@wire.sensitive_option
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.pass_context
def explain(
    ctx: click.Context,
    /,
    sizes: bool,
    full: bool,
    show_sensitive: bool,
    form: str,
    **options: Unpack[wire.Options],
) -> None:
    """Show what each byte of a message means: offset, hex, field, type and value.

    The bytes come from FILE, from standard input, or from --hex. Hex may have blanks, 0x and the offsets of a dump. A
    request names its message and version in its header, and a record of an internal topic in its first bytes; for a body
    and a response, pass --message and --version. Without --specs, the specs of [tool.messagegen] are read.

    Bytes that are damaged are shown as far as they can be read; the field and the byte where they can't be follow as an
    error. Values of sensitive fields are <redacted>.

    \b
    Examples:
      messagegen explain --message SensorReading --version 1 --hex "05726f6f66 01 00"
      messagegen explain --as request --sized --specs kafka:4.4.0 request.bin
      messagegen explain --as response --message MetadataResponse --version 12 < response.hex
      messagegen explain --as value --topic __cluster_metadata --specs kafka:4.4.0 value.bin
      messagegen explain --message MetadataResponse --version 12 --sizes body.bin

    Exit codes: 0 the bytes are a message, 1 they are damaged or bytes are left over, 2 wrong usage or an error.
    """
    with errors_as_usage():
        wire.check(options)
        data = wire.read_bytes(options)
        found = wire.explained(data, wire.read_messages(options["specs"], options["config"]), options)
    _show(found, form, sizes=sizes, full=full, sensitive=show_sensitive)
    if found.problem is not None and form == "text":
        click.secho(printable(str(found.problem)), fg="red", err=True)
    ctx.exit(wire.EXIT_DAMAGED if found.problem else 0)


def _show(found: Explanation, form: str, *, sizes: bool, full: bool, sensitive: bool) -> None:
    from messagegen.explain.json_value import explanation_json
    from messagegen.explain.sizes import field_sizes, sizes_json, sizes_table
    from messagegen.explain.table import View, rows, table

    if form == "json":
        value = explanation_json(found, sensitive=sensitive)
        click.echo(json.dumps({**value, "sizes": sizes_json(field_sizes(found))} if sizes else value, indent=2))
        return
    lines = sizes_table(field_sizes(found)) if sizes else table(list(rows(found, View(full=full, sensitive=sensitive))))
    for number, line in enumerate(lines):
        click.secho(printable(line), bold=number == 0)
