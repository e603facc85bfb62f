"""The entry point of ``python -m messagegen.cli``, for installations without the command on the PATH."""

from __future__ import annotations

from messagegen.cli.command import main

if __name__ == "__main__":
    main()
