"""What the commands of the client share: options for the connection, running, exit codes, and safe output."""

from __future__ import annotations

import asyncio
import math
import os
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Self, TextIO, TypeVar

import click
from click.shell_completion import shell_complete

from messagegen_client.config.addresses import check_addresses, split_addresses
from messagegen_client.config.settings import ClientConfig
from messagegen_client.errors import BrokerError, ConfigError, KafkaError
from messagegen_client.net.cluster import Cluster
from messagegen_client.net.software import software_version

EXIT_FAILED: Final = 1
EXIT_USAGE: Final = 2
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as shells report it
EXIT_BROKEN_PIPE: Final = 141  # 128 + SIGPIPE

_EXTRA: Final = ("javaproperties", "scramp", "yaml")
"""The modules of the extra ``client``."""

_NOT_WRITTEN: Final = "the output can't be written"

T = TypeVar("T")
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Connection:
    """What the options say about the connection; ``None`` for an option that is not there."""

    bootstrap_server: str | None = None
    command_config: Path | None = None
    timeout: float | None = None

    def otherwise(self, other: Self) -> Self:
        """These options, and those of ``other`` where they are missing here."""
        return type(self)(
            bootstrap_server=self.bootstrap_server or other.bootstrap_server,
            command_config=self.command_config or other.command_config,
            timeout=self.timeout or other.timeout,
        )


class _Seconds(click.FloatRange):
    """A number of seconds above 0; neither NaN nor infinity, which no comparison keeps out."""

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
            help="One or more brokers to begin with; one has to answer.",
        ),
        click.option(
            "--command-config",
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Properties file for the connection, as Kafka's own tools take it.",
        ),
        click.option(
            "--timeout",
            type=_Seconds(min=0, min_open=True),
            metavar="SECONDS",
            help="How long all of it may take; 60 unless the properties file says otherwise.",
        ),
    )
    for option in reversed(options):
        function = option(function)
    return function


def with_cluster(connection: Connection, work: Callable[[Cluster], Awaitable[T]]) -> T:
    """What ``work(cluster)`` gives, on a cluster that is closed afterwards; warnings of the settings go to standard error."""
    source: Path | dict[str, str] = connection.command_config or {}
    if connection.command_config is None and connection.bootstrap_server is None:
        raise click.UsageError("Say which cluster: --bootstrap-server HOST:PORT.")
    if connection.bootstrap_server is not None:
        try:
            check_addresses(split_addresses(connection.bootstrap_server))
        except ConfigError as problem:
            raise click.UsageError(f"{problem}.") from None
    config, warnings = ClientConfig.from_properties(source, bootstrap_servers=connection.bootstrap_server)
    for warning in warnings:
        click.echo(f"warning: {printable(warning)}", err=True)

    async def run() -> T:
        async with Cluster(config) as cluster:
            return await work(cluster)

    return asyncio.run(run())


def run(
    command: click.Command, name: str, arguments: Sequence[str] | None = None, *, exit_usage: int = EXIT_USAGE
) -> int:
    """Runs a command and returns its exit code, ``exit_usage`` for wrong usage.

    What goes wrong is said on standard error, in one line, without traceback. A shell that asks for completions gets them.
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
    """Writes out what is buffered; the exit code, which is another one where that fails."""
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
    """Sends what Python still wants to write there, at its end too, nowhere instead of into another error."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, stream.fileno())
    os.close(null)


def check_output() -> None:
    """Raises ``click.ClickException`` where there is no standard output: before something is done that could not be told."""
    if sys.stdout is None:
        raise click.ClickException("standard output is closed; send it to a file, or to /dev/null")


def say(text: str) -> None:
    """Prints the result of a command; ``text`` has its own line breaks. Raises ``click.ClickException`` where that fails."""
    check_output()
    try:
        click.echo(text, nl=False)
    except BrokenPipeError:
        raise
    except OSError as problem:
        if sys.stdout is not None:
            _discard(sys.stdout)
        raise click.ClickException(f"{_NOT_WRITTEN}: {problem.strerror}") from None


def _invoke(command: click.Command, name: str, arguments: list[str]) -> int:
    # Click's own main() would leave with 1 on a broken pipe, which here means that something failed.
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
    """The error for people where it is one that was foreseen; anything else is a bug and stays as it is."""
    from messagegen_kafka import EncodeError

    if isinstance(problem, ModuleNotFoundError):
        return missing_module(problem)
    if isinstance(problem, KafkaError | EncodeError | OSError):
        return click.ClickException(printable(str(problem)))
    return problem


def missing_extra() -> click.ClickException | None:
    """What every use of a command says, of ``--help`` too, where the extra ``client`` is not installed."""
    for name in _EXTRA:
        if find_spec(name) is None:
            return _to_install(name)
    return None


def _to_install(module: str) -> click.ClickException:
    return click.ClickException(f"the module {module} is missing; install it: pip install 'messagegen[client]'")


def missing_module(problem: ModuleNotFoundError) -> Exception:
    """The error for people where a module of the extra ``client`` is not installed; one of ours that is missing is a bug."""
    if problem.name is None or problem.name.partition(".")[0] in {"messagegen_client", "messagegen_kafka"}:
        return problem
    return _to_install(problem.name)


def error_name(error: KafkaError) -> str:
    """Kafka's name of the error code, else the class of the error."""
    return error.code.name if isinstance(error, BrokerError) else type(error).__name__


def error_json(error: KafkaError) -> dict[str, object]:
    """An error for ``json.dumps``; ``code`` is Kafka's number, ``None`` where no broker answered."""
    code = int(error.code) if isinstance(error, BrokerError) else None
    return {"code": code, "name": error_name(error), "message": str(error)}


def printable(text: str) -> str:
    """The text with everything escaped that could move a cursor or change a colour; line breaks stay."""
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text
    )
