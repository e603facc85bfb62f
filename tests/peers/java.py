"""Apache Kafka's own Java classes: this process becomes the Java oracle, whose lines are the protocol's."""

from __future__ import annotations

import os

from tests.oracle.jars import java_command, oracle_classes


def main() -> None:
    """Starts Java in place of Python."""
    command = java_command("messagegen.oracle.Oracle", classes=[oracle_classes()])
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
