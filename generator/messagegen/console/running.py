"""Runs command lines: handles exit codes, completion and closed pipes, and prints errors on one line."""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TextIO

import click

from .text import printable, printable_lines

EXIT_ERROR: Final = 2
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as shells report it
EXIT_BROKEN_PIPE: Final = 141  # 128 + SIGPIPE
CONTEXT_SETTINGS: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
"""The click settings of every command line."""

_TRACEBACK: Final = "MESSAGEGEN_TRACEBACK"
_DISK: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})

Report = Callable[[Exception, Sequence[str]], int]
"""A function that prints an error, given the arguments of the command, and returns the exit code."""


def run(command: click.Command, name: str, arguments: Sequence[str] | None, report: Report) -> int:
    """Run a command with ``arguments`` (default: ``sys.argv``) and return its exit code.

    After a broken pipe or Ctrl-C, print nothing. If click's environment variable requests shell completions, print
    these.
    """
    variable = f"_{name}_COMPLETE".replace("-", "_").upper()
    if instruction := os.environ.get(variable):
        from click.shell_completion import shell_complete

        return shell_complete(command, {}, name, variable, instruction)
    words = sys.argv[1:] if arguments is None else list(arguments)
    try:
        return _run(command, name, words, report)
    except BrokenPipeError:
        _discard(sys.stdout, sys.stderr)
        return EXIT_BROKEN_PIPE


def _run(command: click.Command, name: str, words: list[str], report: Report) -> int:
    try:
        code = _invoke(command, name, words)
        # Standard output may have been closed by the shell.
        if sys.stdout is not None:
            sys.stdout.flush()
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - Python would exit with 1, which has other meanings
        if _is_full(error):
            _discard(sys.stdout)
        return report(error, words)
    return code


def _invoke(command: click.Command, name: str, words: list[str]) -> int:
    """Invoke a command. Click's own ``main`` exits with 1 on a broken pipe."""
    color = False if os.environ.get("NO_COLOR") else None
    try:
        with command.make_context(name, list(words), color=color) as context:
            command.invoke(context)
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    return 0


def _is_full(error: Exception) -> bool:
    """Whether the disk of standard output is full. Errors about other files contain a file name."""
    return isinstance(error, OSError) and error.errno in _DISK and error.filename is None


def _discard(*streams: TextIO | None) -> None:
    """Redirect streams to null, because Python flushes them again at exit, which would fail a second time."""
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        # An object that replaces a stream may have no file descriptor.
        with suppress(OSError, ValueError):
            if stream is not None:
                os.dup2(null, stream.fileno())
    os.close(null)


def show_usage_error(error: click.ClickException) -> None:
    """Print a click error on standard error, with the usage line if it is a usage error."""
    text = io.StringIO()
    error.show(text)
    click.echo(printable_lines(text.getvalue()), nl=False, err=True)


def show_error(reason: str) -> None:
    """Print an error on one line on standard error."""
    click.secho(f"Error: {printable(reason)}", err=True, fg="red")


def reason_of(error: Exception, expected: tuple[type[Exception], ...] = ()) -> str:
    """Return the reason for a failed run as a sentence: the text of an ``expected`` or operating system error.

    Any other error is a bug in messagegen. If ``MESSAGEGEN_TRACEBACK`` is set, also print its traceback.
    """
    if isinstance(error, OSError) and error.filename is not None:
        return f"{_shown(error.filename)}: {error.strerror or error}"
    if isinstance(error, expected):
        return str(error)
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return f"standard output: {reason}" if _is_full(error) else reason
    if os.environ.get(_TRACEBACK):
        traceback.print_exception(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno}); "
        f"this is a bug in messagegen; please report it with the traceback that {_TRACEBACK}=1 shows"
    )


def _shown(file: object) -> str:
    """Return a path below the current folder as a relative path, and any other path unchanged."""
    if not isinstance(file, str):
        return os.fsdecode(file) if isinstance(file, bytes) else str(file)
    absolute = Path(file).absolute()
    return str(absolute.relative_to(Path.cwd())) if absolute.is_relative_to(Path.cwd()) else file
