"""Running the commands of ``messagegen-pipeline``: sessions, progress on terminals, summaries, errors and exit codes."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
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
    from messagegen_spark.jobs.progress import Tasks
    from messagegen_spark.jobs.runner import Job, JobSummary, Progress
    from messagegen_spark.jobs.sessions import Executors
    from messagegen_spark.jobs.targets import Target
    from messagegen_spark.jobs.unit_store import UnitStore

NAME: Final = "messagegen-pipeline"
EXIT_FAILED: Final = 1
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as shells report it
EXIT_BROKEN_PIPE: Final = 141  # 128 + SIGPIPE
_EXTRA: Final = ("pyspark", "pyarrow", "numpy")
"""What nothing of the extra ``spark`` works without; of other modules a command says itself that it needs them."""

_REASON_LINES: Final = 3
_ERROR_LINE: Final = re.compile(r"[A-Za-z_][\w.]*: ")
"""The line of a traceback that names a class and says what is wrong; all others are indented."""

_NO_REASON: Final = re.compile(r"An error occurred while calling|\s+at |\s+\.\.\. \d+ more")
"""Py4J's words on who was calling whom, and the stack of the JVM."""
_EXTRA_ARGUMENT: Final = "Got unexpected extra argument"
_ONE_PATH_EACH: Final = (
    ". Each path has an option of its own (--input a --input b); quote globs, so that the shell leaves them alone."
)
_NO_PYTHON: Final = "Cannot run program"
_PYTHON_ADVICE: Final = (
    "PYSPARK_PYTHON has to lead to a Python here and on every executor: this process runs it too, to plan what is read. "
    "A relative path, as that of an environment in spark.archives, begins here in the folder where the command is started"
)


def run_and_tell(
    job: Job,
    inputs: Sequence[Input],
    output: Path,
    options: RunOptions,
    target: Callable[[SparkSession], Target],
    on_done: Callable[[UnitStore], None] = lambda _: None,
) -> tuple[JobSummary, Executors]:
    """Runs a job in a session of its own, with progress on standard error where that is a terminal."""
    from messagegen_spark.jobs.runner import run_job
    from messagegen_spark.jobs.sessions import job_session, probe_executors
    from messagegen_spark.jobs.unit_store import remove_half_written

    chosen = options.spark
    settings = {**_quieter(chosen.master), **dict(chosen.conf)}
    try:
        with job_session(NAME, chosen.master, settings, ship=chosen.ship) as spark:
            for each in inputs:
                each.register(spark)
            output.mkdir(parents=True, exist_ok=True)
            with _shown(spark, job.name) as on_progress:
                executors = probe_executors(spark, output)
                place = output.absolute()
                summary = run_job(spark, job, place, target(spark), on_progress, on_done, engines=executors.engines)
    except KeyboardInterrupt:
        # A task that was cancelled ends when it notices, at the latest with its session.
        remove_half_written(output)
        raise
    return summary, executors


def _quieter(master: str | None) -> dict[str, str]:
    """Settings under which Spark's log does not write into the progress of a terminal: what ends a job is said in a line."""
    from messagegen_spark.jobs.sessions import is_connect

    return {"spark.log.level": "FATAL"} if sys.stderr.isatty() and not is_connect(master) else {}


def tell(summary: JobSummary, executors: Executors, options: RunOptions) -> None:
    """Prints the summary, and leaves with 1 where too many rows could not be read."""
    if options.format == "json":
        click.echo(json.dumps({**asdict(summary), "executors": asdict(executors)}, indent=2))
    else:
        click.echo(_as_text(summary, executors))
    check_malformed(summary, options)


def check_malformed(summary: JobSummary, options: RunOptions) -> None:
    """Raises ``click.ClickException`` where too many rows could not be read, which without ``--max-malformed`` are all of them."""
    if options.max_malformed is None and summary.malformed == summary.rows > 0:
        raise click.ClickException(
            f"not one of {_rows(summary.rows)} could be read: look at _error in the output, and see whether --message, --version, "
            "--column and --specs are those of this data"
        )
    if options.max_malformed is not None and summary.malformed > options.max_malformed:
        raise click.ClickException(f"{_rows(summary.malformed)} could not be read; at most {options.max_malformed} may")


def _as_text(summary: JobSummary, executors: Executors) -> str:
    before = f" ({summary.units_done_before} were done before)" if summary.units_done_before else ""
    units = f"{summary.units} unit{'s' * (summary.units != 1)}{before}"
    engine = "the native engine" if executors.engines == ("native",) else f"engine: {', '.join(executors.engines)}"
    return (
        f"{summary.job}: {units}, {_rows(summary.rows)} read, {summary.malformed} of them malformed, "
        f"{summary.seconds:.1f} s, {engine}"
    )


def _rows(count: int) -> str:
    return f"{count} row{'s' * (count != 1)}"


@contextmanager
def _shown(spark: SparkSession, name: str) -> Iterator[Callable[[Progress], None]]:
    """Shows units and tasks on standard error while it lasts, on a terminal only."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bars

    from messagegen_spark.jobs.progress import watched_tasks

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        units, tasks = bars.add_task(f"{name}: units", total=None), bars.add_task("tasks", total=None)

        def on_tasks(found: Tasks) -> None:
            failed = f" ({found.failed} failed)" if found.failed else ""
            bars.update(tasks, total=found.total or None, completed=found.done, description=f"tasks{failed}")

        def on_progress(progress: Progress) -> None:
            bars.update(units, total=progress.units, completed=progress.units_done)

        with watched_tasks(spark, on_tasks):
            yield on_progress


def run(command: click.Command, arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code; what goes wrong is said on standard error, without traceback."""
    asked = answered_early(command, NAME)
    if asked is not None:
        return asked
    try:
        code = _invoke(command, sys.argv[1:] if arguments is None else list(arguments))
        sys.stdout.flush()
    except click.ClickException as error:
        if isinstance(error, click.UsageError) and error.message.startswith(_EXTRA_ARGUMENT):
            error = click.UsageError(f"{error.message}{_ONE_PATH_EACH}", error.ctx)
        error.show()
        return error.exit_code  # 2 for wrong usage, else 1
    except (click.Abort, KeyboardInterrupt) as interrupt:
        click.echo(f"Interrupted. {interrupt}".rstrip(), err=True)
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # What Python still wants to flush at its end goes nowhere instead of into a second error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    return code


def answered_early(command: click.Command, name: str, *, exit_missing: int = EXIT_FAILED) -> int | None:
    """The exit code where the command does not run: the extra is not installed, or a shell asks for completions."""
    for module in _EXTRA:
        if find_spec(module) is None:
            click.ClickException(to_install(module)).show()
            return exit_missing
    variable = f"_{name}_COMPLETE".replace("-", "_").upper()
    if instruction := os.environ.get(variable):
        return shell_complete(command, {}, name, variable, instruction)
    return None


def to_install(module: str) -> str:
    """What to say where a module of the extra ``spark`` is missing."""
    return f"the module {module} is missing; install it: pip install 'messagegen[spark]'"


def _invoke(command: click.Command, arguments: list[str]) -> int:
    # Click's own main() would leave with 1 on a broken pipe, which here means that the job failed.
    color = False if os.environ.get("NO_COLOR") else None
    try:
        with command.make_context(NAME, arguments, color=color) as context:
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
    if isinstance(problem, ModuleNotFoundError):
        ours = (problem.name or "").partition(".")[0] in {
            "",
            "messagegen_arrow",
            "messagegen_spark",
            "messagegen_kafka",
        }
        return problem if ours or problem.name is None else click.ClickException(to_install(problem.name))
    from pyspark.errors import PySparkException

    if isinstance(problem, PySparkException) or type(problem).__module__ == "py4j.protocol":
        return click.ClickException(printable(spark_reason(str(problem))))
    foreseen = (OSError, ValueError, LookupError)
    if isinstance(problem, foreseen) or type(problem).__name__ == "ExecutorError":
        return click.ClickException(printable(str(problem.args[0] if isinstance(problem, LookupError) else problem)))
    return problem


def spark_reason(text: str) -> str:
    """What failed, out of Spark's account of it: the end of the last Python traceback in it, or its first lines."""
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
