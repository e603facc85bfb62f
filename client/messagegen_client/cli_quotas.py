"""The command ``kafka-client-quotas`` of KIP-546, with ``plan``, ``apply`` and ``export`` of quota files besides.

Exit codes: 0 done, 1 something failed, 2 ``plan`` found changes, 64 wrong usage, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

import click

from messagegen_client.cli_support import missing_module, run

NAME: Final = "kafka-client-quotas"


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line with ``arguments`` (else the process's own) and exits with its code."""
    try:
        from messagegen_client.cli_quotas_command import quotas
    except ModuleNotFoundError as missing:
        error = missing_module(missing)
        if not isinstance(error, click.ClickException):
            raise
        error.show()
        sys.exit(error.exit_code)
    sys.exit(run(quotas, NAME, arguments))


if __name__ == "__main__":
    main()
