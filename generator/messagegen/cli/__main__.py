"""``python -m messagegen.cli``: runs the command if it is not on the PATH."""

from __future__ import annotations

from messagegen.cli.command import main

if __name__ == "__main__":
    main()
