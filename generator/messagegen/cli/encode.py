"""The command ``messagegen encode``."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import click

from messagegen.cli import wire
from messagegen.cli.options import config_option, errors_as_usage, specs_option

if TYPE_CHECKING:
    from messagegen.generation.messages import Messages

_REDACTED: Final = "<redacted>"
_WRITERS: Final[dict[str, Callable[[bytes], str | bytes]]] = {
    "hex": bytes.hex,
    "base64": lambda data: b64encode(data).decode(),
    "binary": lambda data: data,
}


@click.command()
@wire.file_argument
@click.option(
    "--to", "form", type=click.Choice(tuple(_WRITERS)), default="hex", show_default=True, help="How to write the bytes."
)
@wire.message_option
@wire.version_option
@specs_option
@config_option
@click.option("--lines", is_flag=True, help="Each line of JSON is a message, and gives a line.")
@click.pass_context
def encode(
    ctx: click.Context,
    /,
    file: Path | None,
    form: str,
    message: str | None,
    version: int | None,
    specs: Sequence[Path],
    config: Path | None,
    lines: bool,
) -> None:
    """Encode messages from JSON, as `messagegen decode` writes it, to bytes.

    The JSON comes from FILE or from standard input. Without --specs, the specs of [tool.messagegen] are read.

    \b
    Examples:
      messagegen encode --message SensorReading --version 1 reading.json
      messagegen encode --message SensorReading --version 1 --to binary reading.json > reading.bin
      messagegen encode --message SensorReading --version 1 --lines < readings.jsonl

    Exit codes: 0 done, 1 JSON that is not a message (other lines are still encoded), 2 wrong usage or an error.
    """
    with errors_as_usage():
        if lines and form == "binary":
            raise click.UsageError("--lines requires --to hex or --to base64; bytes have no lines.")
        data = wire.read_input(file)
        write = _writer(wire.read_messages(specs, config), message, version)
        inputs = data.splitlines() if lines else [data]
        ctx.exit(wire.convert(inputs, lambda data: _WRITERS[form](write(data)), lines=lines))


def _writer(messages: Messages, name: str | None, version: int | None) -> Callable[[bytes], bytes]:
    from messagegen.explain import may_be_sensitive

    plan, known = wire.versioned(messages, name, version)
    cls = messages.cls(plan.name)
    has_sensitive = may_be_sensitive(plan)

    def write(data: bytes) -> bytes:
        try:
            value: Any = json.loads(data)
        except ValueError as error:
            raise ValueError(f"the input is not JSON: {error}") from None
        if has_sensitive and _REDACTED in _texts(value):
            raise ValueError(f'a value is "{_REDACTED}"; decode the message with --show-sensitive')
        return cls.from_json(value, version=known).encode(version=known)

    return write


def _texts(value: object) -> Iterator[str]:
    """All strings in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        items = cast("dict[str, object]", value).values() if isinstance(value, dict) else cast("list[object]", value)
        for item in items:
            yield from _texts(item)
