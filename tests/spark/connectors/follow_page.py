"""Runs the examples on a page that need a broker and Spark. It is a program, so that it can use a different PySpark.

Its argument is JSON: the page, the folder to run in, and replacements for texts on the page. It prints the page with
the actual output.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.docs.examples import Setting, run_page


def main(argument: str) -> None:
    page, folder, stands_for = json.loads(argument)
    # Modules that examples write are imported from this folder.
    sys.path.insert(0, folder)
    setting = Setting(Path(folder), frozenset({"broker", "spark"}), every_command=True, stands_for=stands_for)
    sys.stdout.write(run_page(Path(page).read_text(encoding="utf-8"), Path(page).name, setting))


if __name__ == "__main__":
    main(sys.argv[1])
