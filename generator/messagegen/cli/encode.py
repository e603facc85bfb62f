"""The command ``messagegen encode``."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import click

from messagegen.cli.bytes import fail, message_options, read_input, read_messages, versioned_name
from messagegen.cli.options import VersionedCommand


@click.command(cls=VersionedCommand)
@message_options
@click.pass_context
def encode(
    ctx: click.Context,
    /,
    file: Path | None,
    binary: bool,
    message: str | None,
    version: int | None,
    specs: Sequence[Path],
    config: Path | None,
) -> None:
    """Encode a message from JSON, as `messagegen decode` writes it, to bytes.

    The JSON comes from FILE or from standard input. The bytes are written as hex, or with --binary as they are.
    The specs are those of PATHS, --specs or [tool.messagegen]; FILE, which may be -, comes before PATHS.

    \b
    Examples:
      messagegen encode --message SensorReading --version 1 reading.json
      messagegen encode --message SensorReading --version 1 --binary reading.json > reading.bin

    Exit codes: 0 done, 1 JSON that is not a message, 2 wrong usage or an error.
    """
    from messagegen.explain import may_be_sensitive
    from messagegen.runtime.secrets import REDACTED

    name, version = versioned_name(message, version)
    plan, version = read_messages(specs, config, name).versioned(name, version)
    text = read_input(file)
    if may_be_sensitive(plan) and REDACTED.encode() in text:
        fail(ctx, f'a value is "{REDACTED}"; decode the message with --show-sensitive')
    try:
        data = plan.cls.from_json(json.loads(text), version=version).encode(version=version)
    except (ValueError, RecursionError) as error:
        is_json = not isinstance(error, json.JSONDecodeError | UnicodeError)
        fail(ctx, error if is_json else f"the input is not JSON: {error}")
    click.echo(data if binary else data.hex(), nl=not binary)
