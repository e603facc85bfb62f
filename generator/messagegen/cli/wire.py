"""What the commands on bytes share: where bytes come from, what they are, and of which messages they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypedDict

import click

from messagegen.cli.options import config_option, read_specs, specs_option

if TYPE_CHECKING:
    from messagegen.explain import Explanation
    from messagegen.explain.hex_text import Form
    from messagegen.generation.messages import Messages
    from messagegen.runtime.walk import Plan

EXIT_DAMAGED: Final = 1

file_argument = click.argument("file", type=click.Path(path_type=Path, allow_dash=True), required=False)
message_option = click.option("--message", metavar="NAME", help="The message, by its name.")
version_option = click.option("--version", type=click.IntRange(0, 32767), metavar="N", help="Its version.")


class Options(TypedDict):
    """What ``bytes_options`` give."""

    file: Path | None
    text: str | None
    written: Form
    part: Literal["body", "request", "response"]
    sized: bool
    message: str | None
    version: int | None
    show_sensitive: bool
    specs: Sequence[Path]
    config: Path | None


_BYTES_OPTIONS: Final = (
    file_argument,
    click.option("--hex", "text", metavar="TEXT", help="The bytes as hex, in place of a file."),
    click.option(
        "--from",
        "written",
        type=click.Choice(("auto", "hex", "base64", "binary")),
        default="auto",
        show_default=True,
        help="How the input is written; auto reads text as hex, and anything else as the bytes themselves.",
    ),
    click.option(
        "--as",
        "part",
        type=click.Choice(("body", "request", "response")),
        default="body",
        show_default=True,
        help="What the bytes are: a message alone, or a request or response with its header.",
    ),
    click.option("--sized", is_flag=True, help="Four bytes of size come before the header."),
    message_option,
    version_option,
    click.option("--show-sensitive", is_flag=True, help="Show the values of sensitive fields, too."),
    specs_option,
    config_option,
)


def bytes_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say where bytes come from, and what they are."""
    for option in reversed(_BYTES_OPTIONS):
        command = option(command)
    return command


def read_input(file: Path | None) -> bytes:
    """The bytes of a file, or of standard input. Raises ``UsageError`` where nothing but a terminal is there."""
    if file is not None and str(file) != "-":
        return file.read_bytes()
    if sys.stdin.isatty():
        raise click.UsageError("No input; pass a file, or pipe something in.")
    return sys.stdin.buffer.read()


def versioned(messages: Messages, name: str | None, version: int | None) -> tuple[Plan, int]:
    """The plan of the message that the options name, and its version. Raises ``UsageError``."""
    if name is None:
        raise click.UsageError("Pass --message NAME and --version N.")
    plan = messages.plan(name)
    valid = f"{name} has versions {plan.valid_versions[0]} to {plan.valid_versions[-1]}"
    if version is None:
        raise click.UsageError(f"Pass --version N; {valid}.")
    if version not in plan.valid_versions:
        raise click.UsageError(f"{valid}, not {version}.")
    return plan, version


def explained(options: Options) -> Explanation:
    """The explanation of the bytes that the options name. Raises ``UsageError``."""
    from messagegen import explain
    from messagegen.generation.messages import Messages

    part, name, version, sized = options["part"], options["message"], options["version"], options["sized"]
    if sized and part == "body":
        raise click.UsageError("--sized requires --as request or --as response.")
    if version is not None and part == "request":
        raise click.UsageError("A request contains its version; leave out --version.")
    data, sensitive = _read_bytes(options), options["show_sensitive"]
    messages = Messages(read_specs(options["specs"], options["config"], whole=True).values())
    if part == "request":
        return explain.explain_request(data, messages, name, sized=sized, sensitive=sensitive)
    plan, version = versioned(messages, name, version)
    if part == "body":
        return explain.explain_body(data, plan, version, sensitive=sensitive)
    if plan.kind != "response":
        raise click.UsageError(f"{plan.name} is of type {plan.kind}, not a response.")
    return explain.explain_response(data, messages, plan, version, sized=sized, sensitive=sensitive)


def _read_bytes(options: Options) -> bytes:
    from messagegen.explain.hex_text import parse_bytes

    text, written = options["text"], options["written"]
    if text is not None and options["file"] is not None:
        raise click.UsageError("Pass either FILE or --hex TEXT.")
    try:
        return parse_bytes(read_input(options["file"]), written) if text is None else parse_bytes(text.encode(), "hex")
    except ValueError as error:
        advice = "; for other input, pass --from base64 or --from binary" if text is None and written == "auto" else ""
        raise click.UsageError(f"{error}{advice}") from None
