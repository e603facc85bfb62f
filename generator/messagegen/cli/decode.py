"""The command ``messagegen decode``."""

from __future__ import annotations

from typing import Unpack

import click

from messagegen.cli.bytes import FrameOptions, explained, fail, frame_options
from messagegen.cli.findings import show_json
from messagegen.cli.options import VersionedCommand


@click.command(cls=VersionedCommand)
@frame_options
@click.pass_context
def decode(ctx: click.Context, /, **options: Unpack[FrameOptions]) -> None:
    """Decode a message from bytes to JSON, in the format of Kafka's own JsonConverter classes.

    Bytes and specs are given as to `messagegen explain`. For a request or response, the JSON is an object with the
    message, the version, the header, and the body. Values of sensitive fields are "<redacted>", which
    `messagegen encode` refuses; --show-sensitive writes them. Unknown tagged fields are left out, because this form
    cannot hold them.

    \b
    Examples:
      messagegen decode --message SensorReading --version 1 reading.hex
      messagegen decode --as request --specs kafka:4.4.0 request.hex

    Exit codes: 0 done, 1 bytes that are not a message, 2 wrong usage or an error.
    """
    found = explained(options)
    if found.problem:
        fail(ctx, found.problem)
    *header, body = (
        message.to_json(version=version, redact=not options["show_sensitive"]) for message, version in found.messages
    )
    message, version = found.messages[-1]
    show_json(
        {"message": type(message).__name__, "version": version, "header": header[0], "body": body} if header else body
    )
