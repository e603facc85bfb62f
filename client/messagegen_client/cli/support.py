"""Shared by the commands of the client: connection options, running, exit codes, and output."""

from __future__ import annotations

import functools
import json
import math
import os
import sys
import warnings
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TextIO, TypeVar

import click
from click.shell_completion import shell_complete

from messagegen_client.config.addresses import check_addresses, split_addresses
from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import BrokerError, ConfigError, KafkaError
from messagegen_client.net.software import software_version

if TYPE_CHECKING:
    from messagegen_client.admin import AsyncAdmin
    from messagegen_client.net.deadlines import Deadline

CONTEXT_SETTINGS: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as shells report it
EXIT_BROKEN_PIPE: Final = 141  # 128 + SIGPIPE

_EXTRA: Final = ("javaproperties", "scramp", "yaml")
"""The modules of the extra ``client``."""

_NOT_WRITTEN: Final = "can't write the output"
_SHOWN_ERRORS: Final = 5

T = TypeVar("T")
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Connection:
    """The connection options; ``None`` for an option that was not given."""

    bootstrap_server: str | None = None
    command_config: Path | None = None
    timeout: float | None = None

    def otherwise(self, other: Self) -> Self:
        """These options, with missing ones from ``other``."""
        return type(self)(
            bootstrap_server=self.bootstrap_server or other.bootstrap_server,
            command_config=self.command_config or other.command_config,
            timeout=self.timeout or other.timeout,
        )


class _Seconds(click.FloatRange):
    """A finite number of seconds above 0. The range check alone accepts NaN."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Called by click."""
        seconds: float = super().convert(value, param, ctx)
        if not math.isfinite(seconds):
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


def version_option(program: str) -> Callable[[Function], Function]:
    """Adds ``--version``."""

    def show(context: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not context.resilient_parsing:
            click.echo(f"{program}, version {software_version()}")
            context.exit()

    return click.option(
        "--version", is_flag=True, is_eager=True, expose_value=False, callback=show, help="Show the version and exit."
    )


def connection_options(function: Function) -> Function:
    """Adds ``--bootstrap-server``, ``--command-config`` and ``--timeout``."""
    options = (
        click.option(
            "--bootstrap-server",
            metavar="HOST:PORT[,...]",
            help="Bootstrap servers; one of them must answer.",
        ),
        click.option(
            "--command-config",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Properties file for the connection, as for Kafka's tools.",
        ),
        click.option(
            "--timeout",
            type=_Seconds(min=0, min_open=True),
            metavar="SECONDS",
            help="Timeout of the whole command; default: 60, or default.api.timeout.ms of the properties file.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def with_connection(function: Callable[..., None]) -> Callable[..., None]:
    """Adds the connection options to a subcommand. Options that it lacks come from the command before it."""

    @functools.wraps(function)
    @click.pass_context
    def command(
        context: click.Context,
        /,
        bootstrap_server: str | None,
        command_config: Path | None,
        timeout: float | None,
        **options: Any,
    ) -> None:
        own = Connection(bootstrap_server=bootstrap_server, command_config=command_config, timeout=timeout)
        function(context, own.otherwise(context.obj), **options)

    return connection_options(command)


def isolation_level_option(function: Function) -> Function:
    """Adds ``--isolation-level``."""
    return click.option(
        "--isolation-level",
        type=click.Choice(["read_uncommitted", "read_committed"]),
        default="read_uncommitted",
        show_default=True,
        help="read_committed ends before the first open transaction.",
    )(function)


def with_admin(connection: Connection, work: Callable[[AsyncAdmin, Deadline], Awaitable[T]]) -> T:
    """The result of ``work(admin, deadline)``. Prints warnings about the settings on standard error."""
    import asyncio

    from messagegen_client.admin import AsyncAdmin, SecurityWarning

    if connection.command_config is None and connection.bootstrap_server is None:
        raise click.UsageError("Missing option --bootstrap-server HOST:PORT.")
    if connection.bootstrap_server is not None:
        try:
            check_addresses(split_addresses(connection.bootstrap_server))
        except ConfigError as problem:
            raise click.UsageError(f"{problem}.") from None
    source: Path | dict[str, str] = connection.command_config or {}
    config, texts = ClientConfig.from_properties(source, bootstrap_servers=connection.bootstrap_server)
    for text in texts:
        click.echo(f"warning: {printable(text)}", err=True)

    async def run() -> T:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SecurityWarning)  # It is among the texts.
            admin = AsyncAdmin(config)
        async with admin:
            return await work(admin, admin.cluster.deadline(connection.timeout))

    return asyncio.run(run())


def run(
    command: click.Command, name: str, arguments: Sequence[str] | None = None, *, exit_usage: int = EXIT_USAGE
) -> int:
    """Runs a command and returns its exit code, ``exit_usage`` for a usage error.

    Prints an error on standard error, in one line, without traceback. Also serves shell completion.
    """
    missing = missing_extra()
    if missing is not None:
        missing.show()
        return missing.exit_code
    variable = f"_{name}_COMPLETE".replace("-", "_").upper()
    if instruction := os.environ.get(variable):
        return shell_complete(command, {}, name, variable, instruction)
    try:
        try:
            code = _invoke(command, name, sys.argv[1:] if arguments is None else list(arguments))
        except click.ClickException as error:
            code = exit_usage if isinstance(error, click.UsageError) else error.exit_code
            if sys.stderr is not None:
                error.show()
        except (click.Abort, KeyboardInterrupt):
            code = EXIT_INTERRUPTED
    except BrokenPipeError:
        code = EXIT_BROKEN_PIPE
    return _flush(code)


def _flush(code: int) -> int:
    """Flushes the output. Returns the exit code, which changes if that fails."""
    for stream in (sys.stdout, sys.stderr):
        if stream is None:
            continue
        try:
            stream.flush()
        except OSError as problem:
            _discard(stream)
            if isinstance(problem, BrokenPipeError):
                code = EXIT_BROKEN_PIPE
            elif code != EXIT_BROKEN_PIPE:
                code = EXIT_FAILED
                click.echo(f"Error: {_NOT_WRITTEN}: {problem.strerror}", err=True)
    return code


def _discard(stream: TextIO) -> None:
    """Redirects a stream to null, so that flushing it at exit does not fail again."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def check_output() -> None:
    """Raises ``click.ClickException`` if standard output is closed. Call it before a change whose result could not be printed."""
    if sys.stdout is None:
        raise click.ClickException("standard output is closed; redirect it to a file or /dev/null")


def say(text: str) -> None:
    """Prints the result of a command; ``text`` ends with a line break. Raises ``click.ClickException`` if that fails."""
    check_output()
    try:
        click.echo(text, nl=False)
    except BrokenPipeError:
        raise
    except OSError as problem:
        if sys.stdout is not None:
            _discard(sys.stdout)
        raise click.ClickException(f"{_NOT_WRITTEN}: {problem.strerror}") from None


def say_json(document: dict[str, object]) -> None:
    """Prints an object as JSON. Numbers must be finite."""
    say(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def _invoke(command: click.Command, name: str, arguments: list[str]) -> int:
    # click's main() exits with 1 on a broken pipe, which here means a failure.
    color = False if os.environ.get("NO_COLOR") else None
    try:
        with command.make_context(name, arguments, color=color) as context:
            command.invoke(context)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except (click.ClickException, BrokenPipeError):
        raise
    except Exception as problem:
        raise _explained(problem) from problem
    return 0


def _explained(problem: Exception) -> Exception:
    """An expected error as a message; any other error is a bug and is returned unchanged."""
    from messagegen_kafka import EncodeError

    if isinstance(problem, ModuleNotFoundError):
        return missing_module(problem)
    if isinstance(problem, KafkaError | EncodeError | OSError):
        return click.ClickException(printable(str(problem)))
    return problem


def missing_extra() -> click.ClickException | None:
    """The error if the extra ``client`` is not installed. Also replaces ``--help``."""
    for name in _EXTRA:
        if find_spec(name) is None:
            return _to_install(name)
    return None


def _to_install(module: str) -> click.ClickException:
    return click.ClickException(f"the module {module} is missing; install it: pip install 'messagegen[client]'")


def missing_module(problem: ModuleNotFoundError) -> Exception:
    """The error if a module of the extra ``client`` is not installed. A missing module of this project is a bug."""
    if problem.name is None or problem.name.partition(".")[0] in {"messagegen_client", "messagegen_kafka"}:
        return problem
    return _to_install(problem.name)


def echo_errors(errors: Sequence[KafkaError], shown: int = _SHOWN_ERRORS) -> None:
    """Prints the first few errors of partitions on standard error."""
    for text in dict.fromkeys(str(error) for error in errors[:shown]):
        click.echo(f"Error: {printable(text)}", err=True)
    if len(errors) > shown:
        click.echo(f"and {len(errors) - shown} more partitions failed", err=True)


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """A number with its noun."""
    return f"{count} {noun if count == 1 else nouns or noun + 's'}"


def error_name(error: KafkaError) -> str:
    """Kafka's name of the error code, or the class of the error."""
    return error.code.name if isinstance(error, BrokerError) else type(error).__name__


def error_json(error: KafkaError) -> dict[str, object]:
    """An error for ``json.dumps``; ``code`` is Kafka's number, or ``None`` if no broker answered."""
    code = int(error.code) if isinstance(error, BrokerError) else None
    return {"code": code, "name": error_name(error), "message": str(error)}


def printable(text: str) -> str:
    """The text with control characters escaped, except line breaks."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text
    )
