"""The command ``messagegen encode``."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, cast

import click

from messagegen.cli import wire
from messagegen.cli.options import config_option, read_specs, specs_option
from messagegen.findings import printable

_REDACTED: Final = "<redacted>"


@click.command()
@wire.file_argument
@click.option(
    "--to",
    "form",
    type=click.Choice(("hex", "base64", "binary")),
    default="hex",
    show_default=True,
    help="How to write the bytes.",
)
@wire.message_option
@wire.version_option
@specs_option
@config_option
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
) -> None:
    """Encode a message from JSON, as `messagegen decode` writes it, to bytes.

    The JSON comes from FILE or from standard input. Without --specs, the specs of [tool.messagegen] are read.

    \b
    Examples:
      messagegen encode --message SensorReading --version 1 reading.json
      messagegen encode --message SensorReading --version 1 --to binary reading.json > reading.bin

    Exit codes: 0 done, 1 JSON that is not a message, 2 wrong usage or an error.
    """
    from messagegen.explain import may_be_sensitive
    from messagegen.generation.messages import Messages

    text = wire.read_input(file)
    messages = Messages(read_specs(specs, config, whole=True).values())
    plan, version = wire.versioned(messages, message, version)
    try:
        value: Any = json.loads(text)
        if may_be_sensitive(plan):
            _refuse_redacted(value)
        data = messages.cls(plan.name).from_json(value, version=version).encode(version=version)
    except (ValueError, RecursionError) as error:
        reason = (
            f"the input is not JSON: {error}" if isinstance(error, json.JSONDecodeError | UnicodeError) else str(error)
        )
        click.secho(printable(reason), fg="red", err=True)
        ctx.exit(wire.EXIT_DAMAGED)
    if form == "binary":
        click.echo(data, nl=False)
    else:
        click.echo(data.hex() if form == "hex" else b64encode(data))


def _refuse_redacted(value: object) -> None:
    if _REDACTED in _texts(value):
        raise ValueError(f'a value is "{_REDACTED}"; decode the message with --show-sensitive')


def _texts(value: object) -> Iterator[str]:
    """All strings in a value of JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        items = cast("dict[str, object]", value).values() if isinstance(value, dict) else cast("list[object]", value)
        for item in items:
            yield from _texts(item)
