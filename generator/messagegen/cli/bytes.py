"""Options, input and failures of the commands on bytes: ``messagegen explain``, ``decode`` and ``encode``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NoReturn, TypedDict, get_args

import click

from messagegen.cli.options import (
    NamedPath,
    combined,
    config_option,
    read_specs,
    read_standard_input,
    specs_options,
)
from messagegen.console.output import show
from messagegen.console.parameters import WholeNumber
from messagegen.texts import read_file
from messagegen.versions import HIGHEST_VERSION

if TYPE_CHECKING:
    from messagegen.explain import Explanation
    from messagegen.generation.messages import Messages

EXIT_DAMAGED: Final = 1
_SIZE_BYTES: Final = 4
"""The bytes of the size before a request or response."""

_ALL_TEXTS: Final = re.compile(b"")

Part = Literal["body", "request", "response"]

message_options = combined(
    click.argument("file", type=NamedPath(allow_dash=True), required=False),
    click.option("--message", metavar="NAME", help="The name of the message."),
    click.option("--version", type=WholeNumber(0, HIGHEST_VERSION), metavar="N", help="Its version."),
    click.option("--binary", is_flag=True, help="The input is binary, not hex."),
    specs_options,
    config_option,
)
frame_options = combined(
    message_options,
    click.option(
        "--as",
        "part",
        type=click.Choice(get_args(Part)),
        default="body",
        show_default=True,
        help="What the bytes are: a message alone, or a request or response with its header.",
    ),
    click.option("--sized", is_flag=True, help="The bytes begin with a 4-byte size."),
    click.option("--show-sensitive", is_flag=True, help="Show the values of sensitive fields, too."),
)


class FrameOptions(TypedDict):
    """The values of ``frame_options``."""

    file: Path | None
    message: str | None
    version: int | None
    binary: bool
    specs: Sequence[Path]
    config: Path | None
    part: Part
    sized: bool
    show_sensitive: bool


def explained(options: FrameOptions) -> Explanation:
    """Read bytes and specs as the options ask, and return the explanation of the bytes. Raise ``UsageError``."""
    from messagegen.explain import explain as explain_bytes

    part, name, version, sized = options["part"], options["message"], options["version"], options["sized"]
    if sized and part == "body":
        raise click.UsageError("--sized requires --as request or --as response.")
    if version is not None and part == "request":
        raise click.UsageError("A request contains its version; leave out --version.")
    where = options["specs"], options["config"]
    if part == "request":
        data = _read_bytes(options["file"], binary=options["binary"])
        request = data[_SIZE_BYTES:] if sized else data
        messages = read_messages(*where, name, request)
        plan, version = messages.request(request, name)
    else:
        name, version = versioned_name(name, version)
        messages = read_messages(*where, name)
        plan, version = messages.versioned(name, version)
        data = _read_bytes(options["file"], binary=options["binary"])
    if part not in ("body", plan.kind):
        raise click.UsageError(f"{plan.name} is of type {plan.kind}, not a response.")
    header = [messages.header(plan, version)] if part != "body" else []
    return explain_bytes(data, [*header, (plan, version)], sized=sized, sensitive=options["show_sensitive"])


def read_messages(specs: Sequence[Path], config: Path | None, name: str | None, request: bytes = b"") -> Messages:
    """Read only the specs of a message and of headers; read all specs if the message is not in them.

    Without a ``name``, the message is the request whose header ``request`` begins with. Raise ``UsageError``.
    """
    from messagegen.generation.messages import Messages, texts_about

    messages = Messages(read_specs(specs, config, matching=texts_about(name, request)))
    is_found = messages.requests(request, name) if request or name is None else name in messages.specs
    return messages if is_found else Messages(read_specs(specs, config, matching=_ALL_TEXTS))


def versioned_name(name: str | None, version: int | None) -> tuple[str, int]:
    """Return ``--message`` and ``--version``. Raise ``UsageError`` if one of them is missing."""
    if name is None or version is None:
        raise click.UsageError("Pass --message NAME and --version N.")
    return name, version


def _read_bytes(file: Path | None, *, binary: bool) -> bytes:
    """Return the bytes of a file or of standard input, decoded from hex unless ``binary``. Raise ``UsageError``."""
    text = read_input(file)
    if binary:
        return text
    try:
        return bytes.fromhex(text.decode())
    except UnicodeDecodeError:
        raise click.UsageError("the input is binary, not hex; pass --binary") from None
    except ValueError as error:
        raise click.UsageError(f"invalid hex ({error}); pass --binary if the input is binary") from None


def read_input(file: Path | None) -> bytes:
    """Return the bytes of a file, or of standard input. Raise ``UsageError`` for a folder or a terminal."""
    if file is not None and str(file) != "-":
        if file.is_dir():
            raise click.UsageError(f"{file} is a folder; name FILE, or - for standard input, before PATHS.")
        return read_file(file)
    return read_standard_input()


def fail(ctx: click.Context, reason: object) -> NoReturn:
    """Print the reason to standard error, and exit with status 1."""
    show(str(reason), fg="red", err=True)
    ctx.exit(EXIT_DAMAGED)
