"""The commands on bytes: ``messagegen explain``, ``decode`` and ``encode``."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

import click

from messagegen.cli.findings import show_json
from messagegen.cli.options import combined, config_option, read_specs, read_standard_input, specs_options
from messagegen.findings import printable
from messagegen.texts import read_file

if TYPE_CHECKING:
    from messagegen.explain import Explanation

EXIT_DAMAGED: Final = 1


_message_options = combined(
    click.argument("file", type=click.Path(path_type=Path, allow_dash=True), required=False),
    click.option("--message", metavar="NAME", help="The message, by its name."),
    click.option("--version", type=click.IntRange(0, 32767), metavar="N", help="Its version."),
    click.option("--binary", is_flag=True, help="The bytes are as they are, not hex."),
    specs_options,
    config_option,
)
_frame_options = combined(
    _message_options,
    click.option(
        "--as",
        "part",
        type=click.Choice(("body", "request", "response")),
        default="body",
        show_default=True,
        help="What the bytes are: a message alone, or a request or response with its header.",
    ),
    click.option("--sized", is_flag=True, help="Four bytes of size come first."),
    click.option("--show-sensitive", is_flag=True, help="Show the values of sensitive fields, too."),
)


@click.command()
@_frame_options
@click.pass_context
def explain(ctx: click.Context, /, **options: Any) -> None:
    """Show what each byte of a message means: offset, hex, field, type and value.

    The bytes come from FILE or standard input, as hex with any blanks, or with --binary as they are. A request names its
    message and version in its header; for a body and a response, pass --message and --version.
    The specs are those of PATHS, --specs or [tool.messagegen]; before PATHS comes FILE, which may be -.

    Damaged bytes are shown as far as they can be read, followed by an error with the field and the byte. Values of
    sensitive fields are <redacted>, and so are unread bytes of a message that has such fields; --show-sensitive shows
    them. Long values are shortened; `messagegen decode` has them whole.

    \b
    Examples:
      messagegen explain --message SensorReading --version 1 reading.hex
      echo "05726f6f66 01 00" | messagegen explain --message SensorReading --version 1
      messagegen explain --as request --sized --binary --specs kafka:4.4.0 request.bin
      messagegen explain --as response --message MetadataResponse --version 12 < response.hex

    Exit codes: 0 the bytes are a message, 1 they are damaged or bytes are left over, 2 wrong usage or an error.
    """
    from messagegen.explain import table

    found = _explained(options)
    for number, line in enumerate(table(found.parts, found.data)):
        click.secho(printable(line), bold=number == 0)
    if found.problem:
        _fail(ctx, found.problem)


@click.command()
@_frame_options
@click.pass_context
def decode(ctx: click.Context, /, **options: Any) -> None:
    """Decode a message from bytes to JSON, in the format of Kafka's own JsonConverter classes.

    Bytes and specs are given as to `messagegen explain`. A request or response gives an object with the message, the
    version, the header, and the body. Values of sensitive fields are "<redacted>", which `messagegen encode` refuses;
    --show-sensitive writes them. Unknown tagged fields are left out, because this form cannot hold them.

    \b
    Examples:
      messagegen decode --message SensorReading --version 1 reading.hex
      messagegen decode --as request --specs kafka:4.4.0 request.hex

    Exit codes: 0 done, 1 bytes that are not a message, 2 wrong usage or an error.
    """
    found = _explained(options)
    if found.problem:
        _fail(ctx, found.problem)
    *header, body = (
        message.to_json(version=version, redact=not options["show_sensitive"]) for message, version in found.messages
    )
    message, version = found.messages[-1]
    show_json(
        {"message": type(message).__name__, "version": version, "header": header[0], "body": body} if header else body
    )


@click.command()
@_message_options
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
    The specs are those of PATHS, --specs or [tool.messagegen]; before PATHS comes FILE, which may be -.

    \b
    Examples:
      messagegen encode --message SensorReading --version 1 reading.json
      messagegen encode --message SensorReading --version 1 --binary reading.json > reading.bin

    Exit codes: 0 done, 1 JSON that is not a message, 2 wrong usage or an error.
    """
    from messagegen.explain import may_be_sensitive
    from messagegen.generation.messages import Messages
    from messagegen.runtime.secrets import REDACTED

    plan, version = Messages(read_specs(specs, config, whole=True)).versioned(*_named(message, version))
    text = _read(file)
    if may_be_sensitive(plan) and REDACTED.encode() in text:
        _fail(ctx, f'a value is "{REDACTED}"; decode the message with --show-sensitive')
    try:
        data = plan.cls.from_json(json.loads(text), version=version).encode(version=version)
    except (ValueError, RecursionError) as error:
        is_json = not isinstance(error, json.JSONDecodeError | UnicodeError)
        _fail(ctx, error if is_json else f"the input is not JSON: {error}")
    click.echo(data if binary else data.hex(), nl=not binary)


def _explained(options: Mapping[str, Any]) -> Explanation:
    """The explanation of the bytes that the options name. Raises ``UsageError``."""
    from messagegen.explain import explain as explain_bytes
    from messagegen.generation.messages import Messages

    part, name, version, sized = options["part"], options["message"], options["version"], options["sized"]
    if sized and part == "body":
        raise click.UsageError("--sized requires --as request or --as response.")
    if version is not None and part == "request":
        raise click.UsageError("A request contains its version; leave out --version.")
    messages = Messages(read_specs(options["specs"], options["config"], whole=True))
    data = _read_bytes(options)
    if part == "request":
        plan, version = messages.request(data[4 * sized :], name)
    else:
        plan, version = messages.versioned(*_named(name, version))
    if part not in ("body", plan.kind):
        raise click.UsageError(f"{plan.name} is of type {plan.kind}, not a response.")
    header = [messages.header(plan, version)] if part != "body" else []
    return explain_bytes(data, [*header, (plan, version)], sized=sized, sensitive=options["show_sensitive"])


def _named(name: str | None, version: int | None) -> tuple[str, int]:
    if name is None or version is None:
        raise click.UsageError("Pass --message NAME and --version N.")
    return name, version


def _read_bytes(options: Mapping[str, Any]) -> bytes:
    text = _read(options["file"])
    if options["binary"]:
        return text
    try:
        return bytes.fromhex(text.decode())
    except UnicodeDecodeError:
        raise click.UsageError("the input is binary, not hex; pass --binary") from None
    except ValueError as error:
        raise click.UsageError(f"invalid hex ({error}); pass --binary if the input is binary") from None


def _read(file: Path | None) -> bytes:
    """The bytes of a file, or of standard input. Raises ``UsageError`` for a folder, and if the input is a terminal."""
    if file is not None and str(file) != "-":
        if file.is_dir():
            raise click.UsageError(f"{file} is a folder; before PATHS comes FILE, or - for standard input.")
        return read_file(file)
    return read_standard_input()


def _fail(ctx: click.Context, reason: object) -> NoReturn:
    click.secho(printable(str(reason)), fg="red", err=True)
    ctx.exit(EXIT_DAMAGED)
