"""The command ``messagegen explain``."""

from __future__ import annotations

from typing import Unpack

import click

from messagegen.cli.bytes import EXIT_DAMAGED, FrameOptions, explained, fail, frame_options
from messagegen.cli.findings import show_json
from messagegen.cli.options import VersionedCommand, form_option
from messagegen.console.output import show


@click.command(cls=VersionedCommand)
@frame_options
@form_option("text", "json")
@click.pass_context
def explain(ctx: click.Context, /, form: str, **options: Unpack[FrameOptions]) -> None:
    """Show what each byte of a message means: offset, hex, field, type and value.

    The bytes come from FILE or standard input: as hex, with or without blanks between bytes, or with --binary as they
    are. A request names its message and version in its header; for a body and a response, pass --message and --version.
    The specs are those of PATHS, --specs or [tool.messagegen]; FILE, which may be -, comes before PATHS.

    Damaged bytes are shown as far as they can be read, followed by an error with the field and the byte. Values of
    sensitive fields are <redacted>, and so are unread bytes of a message that has such fields; --show-sensitive shows
    them. Long values are shortened; `messagegen decode` and --format json show them whole.

    \b
    Examples:
      messagegen explain --message SensorReading --version 1 reading.hex
      echo "05726f6f66 01 00" | messagegen explain --message SensorReading --version 1
      messagegen explain --message SensorReading --version 1 --format json reading.hex
      messagegen explain --as request --sized --binary --specs kafka:4.4.0 request.bin
      messagegen explain --as response --message MetadataResponse --version 12 < response.hex

    Exit codes: 0 the bytes are a message, 1 they are damaged or bytes are left over, 2 wrong usage or an error.
    """
    from messagegen.explain import as_json, table

    found = explained(options)
    if form == "json":
        show_json(as_json(found))
        ctx.exit(EXIT_DAMAGED if found.problem else 0)
    for number, line in enumerate(table(found.parts, found.data)):
        show(line, bold=number == 0)
    if found.problem:
        fail(ctx, found.problem)
