"""``python -m messagegen_arrow.cli``: runs the command even if it is not on the PATH."""

from messagegen_arrow.cli.command import main

if __name__ == "__main__":
    main()
