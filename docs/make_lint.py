#!/usr/bin/env python3
"""Writes the rules in docs/lint.md: each with its purpose, reason, example and findings.

The findings come from the bad specs of the tests, the rest from the table of rules. Run
``python docs/make_lint.py`` to write the page, or with ``--check`` to compare only (exit code 1 if it is out of date).
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from messagegen.lint import IGNORE_RULES, RULES

PAGE: Final = Path(__file__).with_name("lint.md")
FIXTURES: Final = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "lint"
_START: Final = "\n## Rules\n"


def page() -> str:
    """The text of the page: the handwritten part, then the rules."""
    hand_written = PAGE.read_text(encoding="utf-8").partition(_START)[0]
    intro = "`docs/make_lint.py` generates this section from the table in `generator/messagegen/lint/rules/`.\n"
    parts = [hand_written, f"{_START}\n{intro}"]
    for rule in RULES:
        marks = [" and ".join(rule.categories), *(["fixed by `--fix`"] if rule.fixable else [])]
        parts.append(
            f"\n### {rule.id}\n\n{rule.purpose} ({', '.join(marks)})\n\n{rule.doc}\n\n{_findings(rule.id)}"
        )
    for name, purpose in IGNORE_RULES.items():
        parts.append(f"\n### {name}\n\n{purpose} (always)\n\n{_findings(name)}")
    return "".join(parts)


def _findings(rule: str) -> str:
    """The messages that the bad specs of a rule give, without their locations."""
    lines = (FIXTURES / rule.lower() / "findings.txt").read_text(encoding="utf-8").splitlines()
    texts = dict.fromkeys(line.partition(f" {rule} ")[2].removesuffix(" [fix]") for line in lines)
    return "\n".join(["```text", *texts, "```", ""])


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the page is out of date.")
def main(check: bool) -> None:
    """Writes docs/lint.md, or checks it."""
    text = page()
    if check and PAGE.read_text(encoding="utf-8") != text:
        click.echo(f"{PAGE} is out of date; run {sys.executable} {Path(__file__)}", err=True)
        sys.exit(1)
    if not check:
        PAGE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
