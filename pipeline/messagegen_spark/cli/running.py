"""Running the commands: sessions, progress on terminals, summaries, errors and exit codes."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.shell_completion import shell_complete

from messagegen_spark.cli.options import RunOptions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from messagegen_spark.jobs.inputs import Input
    from messagegen_spark.jobs.runner import Job, JobSummary, Progress
    from messagegen_spark.jobs.sessions import Executors
    from messagegen_spark.jobs.targets import Target
    from messagegen_spark.jobs.unit_store import UnitStore

NAME: Final = "messagegen-pipeline"
EXIT_FAILED: Final = 1
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as shells report it
EXIT_BROKEN_PIPE: Final = 141  # 128 + SIGPIPE
_EXTRA: Final = ("pyspark", "pyarrow", "numpy")
"""The modules that all commands need."""

OnEnd = Callable[["SparkSession", "JobSummary", "Executors"], None]
"""What is done in a session after its work."""

_REASON_LINES: Final = 3
_ERROR_LINE: Final = re.compile(r"[A-Za-z_][\w.]*: ")
"""The line of a traceback that names a class and says what is wrong; all others are indented."""

_NO_REASON: Final = re.compile(r"An error occurred while calling|\s+at |\s+\.\.\. \d+ more")
"""Py4J's words on who was calling whom, and the stack of the JVM."""
_EXTRA_ARGUMENT: Final = "Got unexpected extra argument"
_ONE_PATH_EACH: Final = ". Give each path with its own option (--input a --input b), and quote globs."
_NO_PYTHON: Final = "Cannot run program"
_PYTHON_ADVICE: Final = (
    "PYSPARK_PYTHON must be the path of a Python here and on every executor: this process runs it too, to plan the input. "
    "A relative path, such as that of an environment in spark.archives, is relative to the current folder here"
)


def run_and_tell(
    job: Job,
    inputs: Sequence[Input],
    output: Path | str,
    options: RunOptions,
    target: Callable[[SparkSession], Target],
    on_done: Callable[[UnitStore], None] = lambda _: None,
    on_end: OnEnd | None = None,
    *,
    is_shared: bool = True,
) -> tuple[JobSummary, Executors]:
    """Runs a job in its own session, with progress on standard error if that is a terminal.

    If executors do not write to the output, it need not be shared with them.
    """
    from messagegen_spark.jobs.runner import run_job

    def work(spark: SparkSession, executors: Executors) -> JobSummary:
        place, show = _made(output), _shown(job.name)
        return run_job(spark, job, place, target(spark), show, on_done, engines=executors.engines)

    return run_in_session(work, inputs, output, options, on_end, is_shared=is_shared)


def run_in_session(
    work: Callable[[SparkSession, Executors], JobSummary],
    inputs: Sequence[Input],
    output: Path | str,
    options: RunOptions,
    on_end: OnEnd | None = None,
    *,
    is_shared: bool = True,
) -> tuple[JobSummary, Executors]:
    """Does work in its own session, for which inputs are registered and executors are looked at; then calls ``on_end`` there."""
    from messagegen_spark.jobs.sessions import job_session, probe_executors
    from messagegen_spark.jobs.unit_store import remove_half_written

    chosen = options.spark
    settings = {**terminal_settings(chosen.master), **dict(chosen.conf)}
    try:
        with job_session(NAME, chosen.master, settings, ship=chosen.ship) as spark:
            for each in inputs:
                each.register(spark)
            place = _made(output)
            executors = probe_executors(spark, place if is_shared else None)
            summary = work(spark, executors)
            if on_end is not None:
                on_end(spark, summary, executors)
    except KeyboardInterrupt:
        # A task that was cancelled ends when it notices, at the latest with its session.
        # What is left in a store is removed by the process that goes on.
        if isinstance(output, Path):
            remove_half_written(output)
        raise
    return summary, executors


def _made(output: Path | str) -> Path | str:
    """The output wherever this process is; a folder is made."""
    if isinstance(output, str):
        return output
    output.mkdir(parents=True, exist_ok=True)
    return output.absolute()


def terminal_settings(master: str | None) -> dict[str, str]:
    """Settings under which Spark shows its progress on a terminal, and keeps its log off it: errors are printed in a line."""
    from messagegen_spark.jobs.sessions import is_connect

    if not sys.stderr.isatty() or is_connect(master):
        return {}
    return {"spark.log.level": "FATAL", "spark.ui.showConsoleProgress": "true"}


def tell(summary: JobSummary, executors: Executors, options: RunOptions) -> None:
    """Prints the summary. Raises ``click.ClickException`` for too many malformed rows."""
    if options.format == "json":
        click.echo(json.dumps({**asdict(summary), "executors": asdict(executors)}, indent=2))
    else:
        click.echo(_as_text(summary, executors))
    check_malformed(summary, options)


def check_malformed(summary: JobSummary, options: RunOptions) -> None:
    """Raises ``click.ClickException`` for more than ``--max-malformed`` malformed rows; without it if all rows are malformed."""
    if options.max_malformed is None and summary.malformed == summary.rows > 0:
        raise click.ClickException(
            f"none of {_rows(summary.rows)} could be decoded: see _error in the output, and check that --message, --version, "
            "--column and --specs fit the data"
        )
    if options.max_malformed is not None and summary.malformed > options.max_malformed:
        raise click.ClickException(
            f"{_rows(summary.malformed)} malformed; --max-malformed allows {options.max_malformed}"
        )


def _as_text(summary: JobSummary, executors: Executors) -> str:
    before = f" ({summary.units_done_before} done before)" if summary.units_done_before else ""
    units = f"{summary.units} unit{'s' * (summary.units != 1)}{before}"
    engine = "the native engine" if executors.engines == ("native",) else f"engine: {', '.join(executors.engines)}"
    return (
        f"{summary.job}: {units}, {_rows(summary.rows)} read, {summary.malformed} of them malformed, "
        f"{summary.seconds:.1f} s, {engine}"
    )


def _rows(count: int) -> str:
    return f"{count} row{'s' * (count != 1)}"


def _shown(name: str) -> Callable[[Progress], None]:
    """Prints each unit that begins on standard error, on a terminal only; Spark shows its tasks there itself."""

    def show(progress: Progress) -> None:
        if progress.unit:
            click.echo(f"{name}: unit {progress.units_done + 1} of {progress.units}", err=True)

    return show if sys.stderr.isatty() else lambda _: None


def run(
    command: click.Command,
    arguments: Sequence[str] | None = None,
    *,
    name: str = NAME,
    exit_failed: int = EXIT_FAILED,
) -> int:
    """Runs a command line and returns its exit code; errors are printed on standard error, without traceback."""
    variable = f"_{name}_COMPLETE".replace("-", "_").upper()
    try:
        _check_extra()
        if instruction := os.environ.get(variable):
            return shell_complete(command, {}, name, variable, instruction)
        code = _invoke(command, name, sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.message.startswith(_EXTRA_ARGUMENT):
            error = click.UsageError(f"{error.message}{_ONE_PATH_EACH}", error.ctx)
        error.show()
        return error.exit_code if isinstance(error, click.UsageError) else exit_failed
    except (click.Abort, KeyboardInterrupt) as interrupt:
        click.echo(f"Interrupted. {interrupt}".rstrip(), err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # What Python still wants to flush at its end goes nowhere instead of into a second error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    return code


def _check_extra() -> None:
    for module in _EXTRA:
        if find_spec(module) is None:
            raise click.ClickException(to_install(module))


def to_install(module: str) -> str:
    """The message for a missing module of the extra ``spark``."""
    return f"the module {module} is missing; install it: pip install 'messagegen[spark]'"


def _invoke(command: click.Command, name: str, arguments: list[str]) -> int:
    # Click's own main() would leave with 1 on a broken pipe, which here means that the job failed.
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
    """An error for users where it is an expected one; any other is a bug and stays as it is."""
    if isinstance(problem, ModuleNotFoundError):
        is_ours = (problem.name or "messagegen").startswith("messagegen")
        if is_ours:
            return problem
        # Whoever asks for a library of another extra says what to install.
        says_how = "install it" in str(problem)
        return click.ClickException(str(problem) if says_how else to_install(str(problem.name)))
    if type(problem).__module__.partition(".")[0] in {"pyspark", "py4j"}:
        return click.ClickException(printable(spark_reason(str(problem))))
    is_expected = isinstance(problem, OSError | ValueError | LookupError) or type(problem).__name__ == "ExecutorError"
    if is_expected and not isinstance(problem, KeyError | IndexError):
        return click.ClickException(printable(str(problem)))
    return problem


def spark_reason(text: str) -> str:
    """The cause in an error text of Spark: the end of its last Python traceback, or its first lines."""
    _, traceback, tail = text.rpartition("Traceback (most recent call last):")
    if traceback:
        errors = [line for line in tail.splitlines() if _ERROR_LINE.match(line)]
        if errors:
            return errors[0]
    lines = [line.strip(": ") for line in text.splitlines() if line.strip() and not _NO_REASON.match(line)]
    reason = "\n".join(lines[:_REASON_LINES])
    return f"{reason}\n{_PYTHON_ADVICE}" if _NO_PYTHON in reason else reason


def printable(text: str) -> str:
    """The text with everything escaped that could move a cursor or change a colour; line breaks stay."""
    return "".join(
        character if character.isprintable() or character == "\n" else ascii(character)[1:-1] for character in text
    )
