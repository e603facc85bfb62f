"""The command ``messagegen decode``."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from messagegen.cli import wire
from messagegen.cli.options import config_option, errors_as_usage, specs_option

if TYPE_CHECKING:
    from messagegen.explain.hex_text import Form
    from messagegen.generation.messages import Messages


@click.command()
@wire.file_argument
@wire.hex_option
@wire.from_option
@wire.part_option
@wire.sized_option
@wire.message_option
@wire.version_option
@specs_option
@config_option
@click.option("--lines", is_flag=True, help="Each line is a message in hex or base64, and gives a line of JSON.")
@wire.sensitive_option
@click.pass_context
def decode(
    ctx: click.Context,
    /,
    file: Path | None,
    text: str | None,
    written: Form,
    part: str,
    sized: bool,
    message: str | None,
    version: int | None,
    specs: Sequence[Path],
    config: Path | None,
    lines: bool,
    show_sensitive: bool,
) -> None:
    """Turn bytes of messages into JSON, in the form of Kafka's own JsonConverter classes.

    Bytes and specs are given as to `messagegen explain`. A request or a response gives an object with its header and its
    body. Values of sensitive fields are "<redacted>", which `messagegen encode` refuses; --show-sensitive writes them.
    This form has no place for unknown tagged fields: they are left out.

    \b
    Examples:
      messagegen decode --message SensorReading --version 1 reading.bin
      messagegen decode --as request --specs kafka:4.4.0 request.hex
      messagegen decode --message SensorReading --version 1 --lines < readings.hex

    Exit codes: 0 done, 1 bytes that are not a message (other lines are still decoded), 2 wrong usage or an error.
    """
    from messagegen.explain.hex_text import parse_bytes

    with errors_as_usage():
        wire.check_part(part, version, sized=sized)
        if lines and (written == "binary" or text is not None):
            raise click.UsageError("--lines goes with lines of hex or base64.")
        inputs = wire.read_input(file).splitlines() if lines else [wire.read_bytes(file, text, written)]
        messages = wire.read_messages(specs, config)
        if part == "body":
            read = _body_reader(messages, message, version, redact=not show_sensitive)
        else:
            read = _frame_reader(messages, part, message, version, sized=sized, redact=not show_sensitive)

        def line(data: bytes) -> str:
            return json.dumps(read(parse_bytes(data, written) if lines else data), indent=None if lines else 2)

        ctx.exit(wire.convert(inputs, line, lines=lines))


def _body_reader(
    messages: Messages, name: str | None, version: int | None, *, redact: bool
) -> Callable[[bytes], object]:
    plan, known = wire.versioned(messages, name, version)
    cls = messages.cls(plan.name)
    return lambda data: cls.decode(data, version=known).to_json(version=known, redact=redact)


def _frame_reader(
    messages: Messages, part: str, name: str | None, version: int | None, *, sized: bool, redact: bool
) -> Callable[[bytes], object]:
    def read(data: bytes) -> Any:
        found = wire.explained(data, messages, part, name, version, sized=sized)
        if found.problem is not None:
            raise ValueError(str(found.problem))
        parts = [message.to_json(version=version, redact=redact) for message, version in found.messages]
        body, body_version = found.messages[-1]
        return {"message": type(body).__name__, "version": body_version, "header": parts[0], "body": parts[1]}

    return read
