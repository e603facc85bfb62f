"""The command ``messagegen explain``."""

from __future__ import annotations

from typing import Unpack

import click

from messagegen.cli import wire
from messagegen.cli.findings import show_json
from messagegen.findings import printable


@click.command()
@wire.bytes_options
@click.option("--full", is_flag=True, help="Show hex and values whole, however long they are.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.pass_context
def explain(ctx: click.Context, /, full: bool, form: str, **options: Unpack[wire.Options]) -> None:
    """Show what each byte of a message means: offset, hex, field, type and value.

    The bytes come from FILE, from standard input, or from --hex. Hex may have blanks, commas, colons, 0x and \\x. A
    request names its message and version in its header; for a body and a response, pass --message and --version.
    Without --specs, the specs of [tool.messagegen] are read.

    Damaged bytes are shown as far as they can be read, followed by an error with the field and the byte. Values of
    sensitive fields are <redacted>, and so are unread bytes of a message that has such fields; --show-sensitive shows them.

    \b
    Examples:
      messagegen explain --message SensorReading --version 1 --hex "05726f6f66 01 00"
      messagegen explain --as request --sized --specs kafka:4.4.0 request.bin
      messagegen explain --as response --message MetadataResponse --version 12 < response.hex

    Exit codes: 0 the bytes are a message, 1 they are damaged or bytes are left over, 2 wrong usage or an error.
    """
    from messagegen.explain.table import explanation_json, rows, table

    found = wire.explained(options)
    if form == "json":
        show_json(explanation_json(found))
    else:
        for number, line in enumerate(table(list(rows(found, full=full)))):
            click.secho(printable(line), bold=number == 0)
        if found.problem is not None:
            click.secho(printable(str(found.problem)), fg="red", err=True)
    ctx.exit(wire.EXIT_DAMAGED if found.problem else 0)
