"""What several commands share: the flags that name specs, the settings they lead to, errors as exit codes, progress."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from pathlib import Path

import click

from messagegen.config import ConfigError, Settings, find_config, load_outputs
from messagegen.findings import SpecError, printable

Progress = Callable[[int, int, str], None]

specs_option = click.option(
    "--specs",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="DIR",
    help="Folder of message specs, or one spec (repeatable).",
)
message_option = click.option(
    "--message", "messages", multiple=True, metavar="NAME", help="Only this message, by its name (repeatable)."
)
config_option = click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file with [tool.messagegen]; by default the nearest pyproject.toml that has it.",
)

paths_argument = click.argument("paths", type=click.Path(path_type=Path), nargs=-1)


def spec_paths(paths: Sequence[Path], config: Path | None) -> list[Path]:
    """The spec files in ``paths``, or those of all outputs of the configuration; raises ``ConfigError``, ``UsageError``."""
    from messagegen.generation.sources import spec_files

    return spec_files(paths or [path for output in read_outputs(config) for path in output.require_specs()])


def read_outputs(config: Path | None) -> tuple[Settings, ...]:
    """The outputs of ``config``, or of the nearest ``pyproject.toml`` that has some; raises ``ConfigError``.

    Without any file there is one, with nothing set. Paths of specs and error codes are as ``shown`` gives them, for findings
    name their files by them.
    """
    file = config or find_config(Path.cwd())
    return tuple(_as_shown(settings) for settings in load_outputs(file)) if file else (Settings(),)


def _as_shown(settings: Settings) -> Settings:
    error_codes = settings.error_codes and Path(shown(settings.error_codes))
    return replace(settings, specs=tuple(Path(shown(path)) for path in settings.specs), error_codes=error_codes)


@contextlib.contextmanager
def errors_as_usage() -> Generator[None]:
    """Turns what is wrong with settings, specs and files into a message and exit code 2."""
    from messagegen.findings import UsageError

    try:
        yield
    except SpecError as error:
        raise click.ClickException(f"the specs have findings:\n{error}") from error
    except (ConfigError, UsageError) as error:
        raise click.UsageError(printable(str(error))) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(printable(describe(error))) from error


def describe(error: OSError) -> str:
    """One line for an error of the operating system, with the file it is about."""
    reason = error.strerror or str(error)
    return f"{shown(Path(error.filename))}: {reason}" if isinstance(error.filename, str) else reason


def shown(path: Path) -> str:
    """``path`` as people write it: from the current folder on where it lies below, else whole."""
    absolute = path.absolute()
    return str(absolute.relative_to(Path.cwd())) if absolute.is_relative_to(Path.cwd()) else str(path)


@contextlib.contextmanager
def progress_line(title: str, quiet: bool) -> Generator[Progress | None]:
    """A line on standard error that fills up and goes away; ``None`` where nobody looks at a terminal."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)

        def advance(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, description=escape(f"{title} {what}"))

        yield advance
