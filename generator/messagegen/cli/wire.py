"""What the commands on bytes share: where bytes come from, what they are, and of which messages they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypedDict

import click

from messagegen.cli.options import config_option, fetch_releases, read_outputs, specs_option
from messagegen.findings import UsageError, printable

if TYPE_CHECKING:
    from messagegen.explain import Explanation
    from messagegen.explain.hex_text import Form
    from messagegen.generation.messages import Messages
    from messagegen.runtime.plans import Plan

EXIT_DAMAGED: Final = 1
_STDIN: Final = "-"

Part = Literal["body", "request", "response", "key", "value"]

file_argument = click.argument("file", type=click.Path(path_type=Path, allow_dash=True), required=False)
message_option = click.option("--message", metavar="NAME", help="The message, by its name.")
version_option = click.option("--version", type=click.IntRange(0, 32767), metavar="N", help="Its version.")
sensitive_option = click.option("--show-sensitive", is_flag=True, help="Show the values of sensitive fields, too.")


class Options(TypedDict):
    """What ``bytes_options`` give."""

    file: Path | None
    text: str | None
    written: Form
    part: Part
    sized: bool
    message: str | None
    version: int | None
    topic: str | None
    key: str | None
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
        type=click.Choice(("body", "request", "response", "key", "value")),
        default="body",
        show_default=True,
        help="What the bytes are: a message alone, a request or response with its header, or the key or value of a record.",
    ),
    click.option("--sized", is_flag=True, help="Four bytes of size come before the header."),
    message_option,
    version_option,
    click.option("--topic", metavar="TOPIC", help="The internal topic of a record, or 'control records'."),
    click.option("--key", metavar="HEX", help="The key of the record, if it gives the type of the value."),
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
    if file is not None and str(file) != _STDIN:
        return file.read_bytes()
    if sys.stdin.isatty():
        raise click.UsageError("No input; pass a file, or pipe something in.")
    return sys.stdin.buffer.read()


def read_bytes(options: Options) -> bytes:
    """The bytes that the options name. Raises ``UsageError``."""
    text = options["text"]
    if text is None:
        return _parse(read_input(options["file"]), options["written"])
    if options["file"] is not None:
        raise click.UsageError("Pass either FILE or --hex TEXT.")
    return _parse(text.encode(), "hex")


def _parse(data: bytes, written: Form) -> bytes:
    from messagegen.explain.hex_text import parse_bytes

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
    found = [read_sources(fetch_releases(group)).messages for group in groups]
    return Messages(spec for specs in found for spec in specs)


def versioned(messages: Messages, name: str | None, version: int | None) -> tuple[Plan, int]:
    """The plan of the message that the options name, and its version. Raises ``UsageError``."""
    if name is None:
        raise click.UsageError("Pass --message NAME and --version N.")
    plan = messages.plan(name)
    lowest, highest = plan.valid_versions[0], plan.valid_versions[-1]
    if version is None:
        raise click.UsageError(f"Pass --version N; {name} has versions {lowest} to {highest}.")
    if version not in plan.valid_versions:
        raise click.UsageError(f"{name} has versions {lowest} to {highest}, not {version}.")
    return plan, version


def check(options: Options) -> None:
    """Raises ``UsageError`` for options that do not go together."""
    part = options["part"]
    if options["sized"] and part not in ("request", "response"):
        raise click.UsageError("--sized requires --as request or --as response.")
    if options["version"] is not None and part in ("request", "key", "value"):
        raise click.UsageError(f"A {part} contains its version; leave out --version.")
    if part in ("key", "value"):
        _check_record(options)
    elif options["topic"] or options["key"]:
        raise click.UsageError("--topic and --key require --as key or --as value.")


def _check_record(options: Options) -> None:
    from messagegen.record_types import FAMILIES

    part, topic, key = options["part"], options["topic"], options["key"]
    if (topic is None) == (options["message"] is None):
        raise click.UsageError(f"Pass --topic TOPIC or --message NAME with --as {part}.")
    if topic is not None and topic not in FAMILIES:
        raise click.UsageError(f"Unknown topic {topic!r}; expected one of {', '.join(FAMILIES)}.")
    keyed = topic is not None and FAMILIES[topic] in ("coordinator", "control")
    if topic is not None and part == "key" and not keyed:
        raise click.UsageError(f"Keys in {topic} have no known format; pass the value with --as value.")
    needs_key = keyed and part == "value"
    if needs_key and key is None:
        raise click.UsageError(f"Pass --key HEX: in {topic} the key gives the type of the value.")
    if key is not None and not needs_key:
        raise click.UsageError("--key requires --as value, and a topic whose keys give the type of the value.")


def explained(data: bytes, messages: Messages, options: Options) -> Explanation:
    """The explanation of bytes that are what the options say. Raises ``UsageError``."""
    from messagegen import explain

    part, name, topic = options["part"], options["message"], options["topic"]
    if part == "request":
        return explain.explain_request(data, messages, name, sized=options["sized"])
    if part in ("key", "value"):
        if topic is None:
            assert name is not None
            plan = messages.plan(name)
            if plan.kind == "metadata":
                raise click.UsageError("Pass --topic in place of --message: values of metadata name their message.")
            return explain.explain_named(data, plan)
        if part == "key":
            return explain.explain_key(data, messages, topic)
        key = None if options["key"] is None else _parse(options["key"].encode(), "hex")
        try:
            return explain.explain_value(data, messages, topic, key)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    plan, version = versioned(messages, name, options["version"])
    if part == "body":
        return explain.explain_body(data, plan, version)
    if plan.kind != "response":
        raise click.UsageError(f"{plan.name} is of type {plan.kind}, not a response.")
    return explain.explain_response(data, messages, plan, version, sized=options["sized"])


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
        except UsageError:
            raise
        except (ValueError, RecursionError) as error:
            place = f"line {number}: " if lines else ""
            click.secho(printable(f"{place}{error}"), fg="red", err=True)
            code = EXIT_DAMAGED
        else:
            click.echo(found, nl=isinstance(found, str))
    return code
