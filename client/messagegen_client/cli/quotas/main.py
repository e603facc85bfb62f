"""The entry point of ``kafka-client-quotas`` (KIP-546).

Exit codes: 0 success, 1 failure, 2 ``plan`` found changes, 64 usage error, 130 interrupted. Usage errors of other commands are 2;
here a mistyped option would then look like a plan with changes.
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
    """Runs the command with ``arguments`` (default: those of the process) and exits with its code."""
    sys.exit(run_quotas(arguments))


def run_quotas(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code."""
    missing = missing_extra()
    if missing is not None:
        missing.show()
        return missing.exit_code
    from messagegen_client.cli.quotas.command import quotas

    return run(quotas, NAME, arguments, exit_usage=EXIT_USAGE)


if __name__ == "__main__":
    main()
