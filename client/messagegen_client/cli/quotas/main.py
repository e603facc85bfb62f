"""The command ``kafka-client-quotas`` of KIP-546, with ``plan``, ``apply`` and ``export`` of quota files besides.

Exit codes: 0 done, 1 something failed, 2 ``plan`` found changes, 64 wrong usage, 130 interrupted. Of other commands 2 is
wrong usage; here a mistyped option would then pass for a plan that has changes.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from messagegen_client.cli.support import missing_extra, run

NAME: Final = "kafka-client-quotas"
EXIT_CHANGES: Final = 2
EXIT_USAGE: Final = 64  # EX_USAGE of sysexits.h


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line with ``arguments`` (else the process's own) and exits with its code."""
    sys.exit(run_quotas(arguments))


def run_quotas(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line and returns its exit code."""
    missing = missing_extra()
    if missing is not None:
        missing.show()
        return missing.exit_code
    from messagegen_client.cli.quotas.command import quotas

    return run(quotas, NAME, arguments, exit_usage=EXIT_USAGE)


if __name__ == "__main__":
    main()
