"""Helpers shared by the commands: connection options, running, exit codes, and output."""

from __future__ import annotations

import asyncio
import sys
import warnings
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import IO, Any, Final, TypedDict, TypeVar

import click

from messagegen_client.admin import AsyncAdmin, SecurityWarning
from messagegen_client.config.addresses import check_addresses, split_addresses
from messagegen_client.config.settings import ClientConfig
from messagegen_client.console import running
from messagegen_client.console.output import show
from messagegen_client.console.parameters import Seconds
from messagegen_client.console.text import json_text
from messagegen_client.errors import BrokerError, ConfigError, KafkaError, KafkaTimeoutError
from messagegen_client.files import check_is_file
from messagegen_client.threads import DaemonExecutor
from messagegen_client.transport.deadlines import Deadline
from messagegen_kafka import EncodeError
from messagegen_kafka.error_codes import ErrorCode

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2

_OTHER_NAMES: Final = {
    "--output": "--format",
    "--at": "--time",
    "--since": "--time",
    "--offset": "--time",
    "--broker-list": "--bootstrap-server",
    "--list": "--describe",
    "--entity-type": "--names",
    "--entity-name": "--names",
    "--entity-default": "--defaults",
    "--add-config": "--add",
    "--delete-config": "--delete",
}
"""Maps options of ``messagegen``, ``messagegen-data`` and Kafka's tools to options of these commands."""

T = TypeVar("T")
Function = TypeVar("Function", bound=Callable[..., Any])


class InputFile(click.File):
    """A UTF-8 file that is opened for reading, or standard input."""

    def __init__(self) -> None:
        super().__init__(encoding="utf-8")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> IO[Any]:
        """Open the file, for click."""
        if value != "-":
            try:
                check_is_file(value)
            except ConfigError as problem:
                self.fail(str(problem), param, ctx)
        return super().convert(value, param, ctx)


def input_name(file: IO[str]) -> str:
    """Return the name of an ``InputFile`` for errors."""
    return getattr(file, "name", "<stdin>")  # a replacement of standard input may have none


def read_input(file: IO[str]) -> str:
    """Return the text of an ``InputFile``. Raises ``click.ClickException`` if it is not UTF-8."""
    try:
        return file.read()
    except UnicodeDecodeError as problem:
        reason = f"not UTF-8 text ({problem.reason} at byte {problem.start})"
        raise click.ClickException(f"{input_name(file)}: {reason}") from None


class ConnectionOptions(TypedDict):
    """The values of ``connection_options``."""

    bootstrap_server: str | None
    command_config: Path | None
    timeout: float | None


def connection_options(function: Function) -> Function:
    """Add ``--bootstrap-server``, ``--command-config`` and ``--timeout``."""
    options = (
        click.option(
            "--bootstrap-server", metavar="HOST:PORT[,...]", help="Bootstrap servers; one of them must answer."
        ),
        click.option(
            "--command-config",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Properties file for the connection, as for Kafka's tools.",
        ),
        click.option(
            "--timeout",
            type=Seconds(),
            metavar="SECONDS",
            help="Timeout of the whole command; default: 60, or default.api.timeout.ms of the properties file.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def with_admin(
    context: click.Context, options: ConnectionOptions, work: Callable[[AsyncAdmin, Deadline], Awaitable[T]]
) -> T:
    """Return the result of ``work(admin, deadline)``. Prints warnings about the settings on standard error.

    Connection options that were not given to a subcommand are taken from its parent command.
    """
    given = _with_those_before(context, options)
    bootstrap_server = given["bootstrap_server"]
    command_config = given["command_config"]
    timeout = given["timeout"]
    if command_config is None and bootstrap_server is None:
        raise click.UsageError("Missing option --bootstrap-server HOST:PORT.")
    if bootstrap_server is not None:
        try:
            check_addresses(split_addresses(bootstrap_server))
        except ConfigError as problem:
            raise click.UsageError(f"{problem}.") from None
    config, texts = ClientConfig.from_properties(command_config or {}, bootstrap_servers=bootstrap_server)
    for text in texts:
        warn(text)

    async def run() -> T:
        asyncio.get_running_loop().set_default_executor(DaemonExecutor())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)  # ``texts`` contain the warning.
            admin = AsyncAdmin(config)
        async with admin:
            return await work(admin, admin.cluster.deadline(timeout))

    return asyncio.run(run())


def _with_those_before(context: click.Context, options: ConnectionOptions) -> ConnectionOptions:
    """Return the options of a command; missing options come from its parent command."""
    if context.parent is None:
        return options
    before = context.parent.params
    return {
        "bootstrap_server": _first_given(options["bootstrap_server"], before["bootstrap_server"]),
        "command_config": _first_given(options["command_config"], before["command_config"]),
        "timeout": _first_given(options["timeout"], before["timeout"]),
    }


def _first_given(value: T | None, inherited: T | None) -> T | None:
    return inherited if value is None else value


def run(
    command: click.Command, name: str, arguments: Sequence[str] | None = None, *, exit_usage: int = EXIT_USAGE
) -> int:
    """Run a command and return its exit code, which is ``exit_usage`` for a usage error."""

    def report(error: Exception, _: Sequence[str]) -> int:
        if isinstance(error, click.NoSuchOption) and (option := _option_instead(error)) is not None:
            error = click.UsageError(f"No such option '{error.option_name}'; write {option}", error.ctx)
        if isinstance(error, click.ClickException):
            running.show_usage_error(error)
        else:
            running.show_error(running.reason_of(error, (KafkaError, EncodeError)))
        return exit_usage if isinstance(error, click.UsageError) else EXIT_FAILED

    return running.run(command, name, arguments, report)


def _option_instead(error: click.NoSuchOption) -> str | None:
    """Return the command's own option for an unknown option that other commands have, or ``None``."""
    option = _OTHER_NAMES.get(error.option_name)
    options = [] if error.ctx is None else [name for one in error.ctx.command.params for name in one.opts]
    return option if option in options else None


def check_output() -> None:
    """Raise ``click.ClickException`` if standard output is closed.

    Call it before a change whose result could not be printed.
    """
    if sys.stdout is None:
        raise click.ClickException("standard output is closed; redirect it to a file or /dev/null")


def say(text: str) -> None:
    """Print the result of a command; ``text`` ends with a line break.

    Raises ``click.ClickException`` if standard output is closed.
    """
    check_output()
    click.echo(text, nl=False)


def say_json(document: object) -> None:
    """Print a value as JSON. Numbers must be finite."""
    say(json_text(document, ensure_ascii=False) + "\n")


def complain(text: str) -> None:
    """Print an error as one line on standard error."""
    running.show_error(text)


def warn(text: str) -> None:
    """Print a warning as one line on standard error."""
    show(f"warning: {text}", err=True)


def note(text: str) -> None:
    """Print a remark as one line on standard error."""
    show(text, err=True)


def error_name(error: KafkaError) -> str:
    """Return Kafka's name for the error code, or the class name of an error without a code."""
    code = _code(error)
    return type(error).__name__ if code is None else code.name


def error_json(error: KafkaError) -> dict[str, object]:
    """Return an error as a JSON object.

    ``code`` is Kafka's number for the error. For a timeout, it is the code of the last answer, or ``None`` if no
    broker answered.
    """
    code = _code(error)
    return {"code": None if code is None else int(code), "name": error_name(error), "message": str(error)}


def _code(error: BaseException) -> ErrorCode | None:
    if isinstance(error, KafkaTimeoutError) and error.__cause__ is not None:
        return _code(error.__cause__)
    return error.code if isinstance(error, BrokerError) else None
