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
@click.option("--full", is_flag=True, help="Show hex and values whole, however long they are.")
@wire.sensitive_option
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", show_default=True)
@click.pass_context
def explain(
    ctx: click.Context,
    /,
    full: bool,
    show_sensitive: bool,
    form: str,
    **options: Unpack[wire.Options],
) -> None:
    """Show what each byte of a message means: offset, hex, field, type and value.

    The bytes come from FILE, from standard input, or from --hex. Hex may have blanks, 0x and the offsets of a dump. A
    request names its message and version in its header, and a record of an internal topic in its first bytes; for a body
    and a response, pass --message and --version. Without --specs, the specs of [tool.messagegen] are read.

    Damaged bytes are shown as far as they can be read, followed by an error with the field and the byte. Values of
    sensitive fields are <redacted>, and so are unread bytes of a message that has such fields; --show-sensitive shows them.

    \b
    Examples:
      messagegen explain --message SensorReading --version 1 --hex "05726f6f66 01 00"
      messagegen explain --as request --sized --specs kafka:4.4.0 request.bin
      messagegen explain --as response --message MetadataResponse --version 12 < response.hex
      messagegen explain --as value --topic __cluster_metadata --specs kafka:4.4.0 value.bin

    Exit codes: 0 the bytes are a message, 1 they are damaged or bytes are left over, 2 wrong usage or an error.
    """
    with errors_as_usage():
        wire.check(options)
        data = wire.read_bytes(options)
        found = wire.explained(data, wire.read_messages(options["specs"], options["config"]), options)
    _show(found, form, full=full, sensitive=show_sensitive)
    if found.problem is not None and form == "text":
        click.secho(printable(str(found.problem)), fg="red", err=True)
    ctx.exit(wire.EXIT_DAMAGED if found.problem else 0)


def _show(found: Explanation, form: str, *, full: bool, sensitive: bool) -> None:
    from messagegen.explain.json_value import explanation_json
    from messagegen.explain.table import View, rows, table

    if form == "json":
        click.echo(json.dumps(explanation_json(found, sensitive=sensitive), indent=2))
        return
    for number, line in enumerate(table(list(rows(found, View(full=full, sensitive=sensitive))))):
        click.secho(printable(line), bold=number == 0)
