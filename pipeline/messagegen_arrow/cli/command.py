"""The command ``messagegen-data``: its list of commands, and its exit codes."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

import click

from messagegen_arrow.cli.advise import advise
from messagegen_arrow.cli.dump import dump
from messagegen_arrow.cli.histories import lag, metadata_history
from messagegen_arrow.cli.options import printable
from messagegen_arrow.cli.state.command import state
from messagegen_arrow.engine import EngineError

EXIT_ERROR: Final = 2
EXIT_INTERRUPTED: Final = 130  # 128 + SIGINT, as shells report it
EXIT_BROKEN_PIPE: Final = 141  # 128 + SIGPIPE
_COMPLETION: Final = "_MESSAGEGEN_DATA_COMPLETE"
_TRACEBACK: Final = "MESSAGEGEN_TRACEBACK"


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(metadata.version("messagegen-pipeline"), prog_name="messagegen-data")
def messagegen_data() -> None:
    """Read Kafka's log folders and network captures on this machine. No broker has to run.

    \b
    Examples:
      messagegen-data dump /var/lib/kafka/data/orders-0 --limit 10 --format table
      messagegen-data lag-history /var/lib/kafka/data --ends /var/lib/kafka/data --format table
      messagegen-data state /var/lib/kafka/data --at 2026-03-01T12:00Z
      messagegen-data dump traffic.pcap

    Exit codes: 0 done, 1 some rows could not be read, 2 wrong usage or an error.
    """


for _command in (dump, lag, metadata_history, state, advise):
    messagegen_data.add_command(_command)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line with ``arguments`` (default: ``sys.argv``) and exit with its code."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code; a broken pipe and Ctrl-C print no traceback."""
    if instruction := os.environ.get(_COMPLETION):
        from click.shell_completion import shell_complete

        return shell_complete(messagegen_data, {}, "messagegen-data", _COMPLETION, instruction)
    color = False if os.environ.get("NO_COLOR") else None
    try:
        with messagegen_data.make_context(
            "messagegen-data", list(sys.argv[1:] if arguments is None else arguments), color=color
        ) as context:
            messagegen_data.invoke(context)
        _flush()
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.ClickException as error:
        error.show()
        return EXIT_ERROR
    except (click.Abort, KeyboardInterrupt):
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        # Python flushes standard output again at exit; redirect it, so that this does not fail a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - Python would exit with 1, for damaged rows
        click.echo(f"Error: {printable(_reason(error))}", err=True)
        return EXIT_ERROR
    return 0


def _flush() -> None:
    """Flush standard output, which a shell may have closed."""
    if sys.stdout is not None:
        sys.stdout.flush()


def _reason(error: Exception) -> str:
    """Return the reason for a failed command, in one line.

    With ``MESSAGEGEN_TRACEBACK``, print the traceback of an error that is a bug in messagegen.
    """
    if isinstance(error, EngineError):
        return str(error)
    if isinstance(error, OSError):
        # Errors of files have file names; an error without a name is about standard output.
        return f"{error.filename or 'standard output'}: {error.strerror or error}"
    if os.environ.get(_TRACEBACK):
        traceback.print_exception(error)
    place = traceback.extract_tb(error.__traceback__)[-1]
    return (
        f"{type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno}); "
        f"this is a bug in messagegen, please report it with what {_TRACEBACK}=1 shows"
    )
