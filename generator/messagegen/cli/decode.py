"""The command ``messagegen decode``."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Unpack

import click

from messagegen.cli import wire
from messagegen.cli.options import errors_as_usage

if TYPE_CHECKING:
    from messagegen.generation.messages import Messages


@click.command()
@wire.bytes_options
@click.option("--lines", is_flag=True, help="Each line is a message in hex or base64, and gives a line of JSON.")
@wire.sensitive_option
@click.pass_context
def decode(ctx: click.Context, /, lines: bool, show_sensitive: bool, **options: Unpack[wire.Options]) -> None:
    """Decode messages from bytes to JSON, in the format of Kafka's own JsonConverter classes.

    Bytes and specs are given as to `messagegen explain`. A request or record names its message, and gives an object with
    the message, the version, the header of a request, and the body. Values of sensitive fields are "<redacted>", which `messagegen encode` refuses; --show-sensitive writes them.
    Unknown tagged fields are left out, because this form cannot hold them.

    \b
    Examples:
      messagegen decode --message SensorReading --version 1 reading.bin
      messagegen decode --as request --specs kafka:4.4.0 request.hex
      messagegen decode --message SensorReading --version 1 --lines < readings.hex

    Exit codes: 0 done, 1 bytes that are not a message (other lines are still decoded), 2 wrong usage or an error.
    """
    from messagegen.explain.hex_text import parse_bytes

    with errors_as_usage():
        wire.check(options)
        written = options["written"]
        if lines and (written == "binary" or options["text"] is not None):
            raise click.UsageError("--lines requires lines of hex or base64; pass --from hex or --from base64.")
        inputs = wire.read_input(options["file"]).splitlines() if lines else [wire.read_bytes(options)]
        messages = wire.read_messages(options["specs"], options["config"])
        read = (_body_reader if options["part"] == "body" else _parts_reader)(messages, options, not show_sensitive)

        def line(data: bytes) -> str:
            return json.dumps(read(parse_bytes(data, written) if lines else data), indent=None if lines else 2)

        ctx.exit(wire.convert(inputs, line, lines=lines))


def _body_reader(messages: Messages, options: wire.Options, redact: bool) -> Callable[[bytes], object]:
    plan, version = wire.versioned(messages, options["message"], options["version"])
    cls = messages.cls(plan.name)
    return lambda data: cls.decode(data, version=version).to_json(version=version, redact=redact)


def _parts_reader(messages: Messages, options: wire.Options, redact: bool) -> Callable[[bytes], object]:
    """Reads what says its message or version itself, and names both in the JSON."""

    def read(data: bytes) -> dict[str, object]:
        found = wire.explained(data, messages, options)
        if found.problem is not None:
            raise ValueError(str(found.problem))
        parts = [message.to_json(version=version, redact=redact) for message, version in found.messages]
        if not parts:
            return {}
        body, version = found.messages[-1]
        header = {"header": parts[0]} if len(parts) > 1 else {}
        return {"message": type(body).__name__, "version": version, **header, "body": parts[-1]}

    return read
