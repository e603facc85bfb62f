"""What the commands on bytes share: where bytes come from, what they are, and of which messages they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from messagegen.cli.options import read_outputs
from messagegen.findings import printable

if TYPE_CHECKING:
    from messagegen.explain import Explanation
    from messagegen.explain.hex_text import Form
    from messagegen.generation.messages import Messages
    from messagegen.runtime.plans import Plan

EXIT_DAMAGED: Final = 1
_STDIN: Final = "-"

file_argument = click.argument("file", type=click.Path(path_type=Path, allow_dash=True), required=False)
hex_option = click.option("--hex", "text", metavar="TEXT", help="The bytes as hex, in place of a file.")
from_option = click.option(
    "--from",
    "written",
    type=click.Choice(("auto", "hex", "base64", "binary")),
    default="auto",
    show_default=True,
    help="How bytes are written; auto takes text that is hex as hex, and anything else as the bytes themselves.",
)
part_option = click.option(
    "--as",
    "part",
    type=click.Choice(("body", "request", "response")),
    default="body",
    show_default=True,
    help="What the bytes are: a message alone, or a request or a response with its header.",
)
sized_option = click.option("--sized", is_flag=True, help="Four bytes of size stand before the header.")
message_option = click.option("--message", metavar="NAME", help="The message, by its name.")
version_option = click.option("--version", type=click.IntRange(0, 32767), metavar="N", help="Its version.")
sensitive_option = click.option("--show-sensitive", is_flag=True, help="Show the values of sensitive fields, too.")


def read_input(file: Path | None) -> bytes:
    """The bytes of a file, or of standard input. Raises ``UsageError`` where nothing but a terminal is there."""
    if file is not None and str(file) != _STDIN:
        return file.read_bytes()
    if sys.stdin.isatty():
        raise click.UsageError("No input; pass a file, or pipe something in.")
    return sys.stdin.buffer.read()


def read_bytes(file: Path | None, text: str | None, written: Form) -> bytes:
    """The bytes of a file, of standard input, or of ``text`` in hex. Raises ``UsageError``."""
    from messagegen.explain.hex_text import parse_bytes

    if text is not None:
        if file is not None:
            raise click.UsageError("Pass either FILE or --hex TEXT.")
        written = "hex"
    data = read_input(file) if text is None else text.encode()
    try:
        return parse_bytes(data, written)
    except ValueError as error:
        advice = "; for other input, pass --from base64 or --from binary" if written == "auto" else ""
        raise click.UsageError(f"{error}{advice}") from None


def read_messages(specs: Sequence[Path], config: Path | None) -> Messages:
    """The messages of ``--specs``, or those of all outputs of the configuration.

    Raises ``SpecError``, ``UsageError``, ``ConfigError`` and ``OSError``.
    """
    from messagegen.generation.messages import Messages
    from messagegen.generation.sources import read_sources

    groups = [specs] if specs else [output.require_specs() for output in read_outputs(config)]
    found = [read_sources(group).messages for group in groups]
    return Messages(spec for specs in found for spec in specs)


def versioned(messages: Messages, name: str | None, version: int | None) -> tuple[Plan, int]:
    """The plan of the message that the options name, and its version. Raises ``UsageError``."""
    if name is None:
        raise click.UsageError("Pass --message NAME and --version N.")
    plan = messages.plan(name)
    lowest, highest = plan.valid_versions[0], plan.valid_versions[-1]
    if version is None:
        raise click.UsageError(f"Pass --version N; {name} has the versions {lowest} to {highest}.")
    if version not in plan.valid_versions:
        raise click.UsageError(f"{name} has the versions {lowest} to {highest}, not {version}.")
    return plan, version


def check_part(part: str, version: int | None, *, sized: bool) -> None:
    """Raises ``UsageError`` for options that do not go together."""
    if sized and part == "body":
        raise click.UsageError("--sized goes with --as request and --as response.")
    if part == "request" and version is not None:
        raise click.UsageError("A request says its version itself; leave out --version.")


def explained(
    data: bytes, messages: Messages, part: str, name: str | None, version: int | None, *, sized: bool
) -> Explanation:
    """The explanation of bytes that are what ``--as`` says. Raises ``UsageError``."""
    from messagegen.explain import explain_body, explain_request, explain_response

    if part == "request":
        return explain_request(data, messages, name, sized=sized)
    plan, known = versioned(messages, name, version)
    if part == "body":
        return explain_body(data, plan, known)
    if plan.kind != "response":
        raise click.UsageError(f"{plan.name} is of type {plan.kind}, not a response.")
    return explain_response(data, messages, plan, known, sized=sized)


def convert(inputs: Iterable[bytes], read: Callable[[bytes], str | bytes], *, lines: bool) -> int:
    """Prints what ``read`` makes of each input; gives the exit code.

    A ``ValueError`` is what is wrong with an input: it goes to standard error, with the number of the line if there are
    several, and the other inputs are read.
    """
    code = 0
    for number, data in enumerate(inputs, 1):
        if lines and not data.strip():
            continue
        try:
            found = read(data)
        except (ValueError, RecursionError) as error:
            place = f"line {number}: " if lines else ""
            click.secho(printable(f"{place}{error}"), fg="red", err=True)
            code = EXIT_DAMAGED
        else:
            click.echo(found, nl=isinstance(found, str))
    return code
