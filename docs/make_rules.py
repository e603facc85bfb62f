#!/usr/bin/env python3
"""Writes docs/rules.md: every rule of the spec language, with an example that breaks it.

Purposes come from the table of rules, examples from the bad specs of the tests, messages from the parser. Run
``python docs/make_rules.py`` to write the page, or with ``--check`` to compare only (exit code 1 if it is out of date).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from messagegen.findings import Finding
from messagegen.spec import Rule, check_together, parse, parse_error_codes

PAGE: Final = Path(__file__).with_name("rules.md")
BAD_SPECS: Final = Path(__file__).resolve().parents[1] / "tests" / "fixtures" / "bad_specs"
BAD_ERROR_CODES: Final = BAD_SPECS.with_name("bad_error_codes")

_OPENING: Final = """\
# Rules

Each finding of `messagegen generate` has the id of one of these {count} rules. Every example says what is wrong with a
spec and shows the location and the message of the finding. See also [findings](errors.md#findings) and the
[spec language](spec-language.md). `messagegen rules` prints ids and purposes.

`docs/make_rules.py` generates this page from `generator/messagegen/spec/rules.py`.
"""
_SECTIONS: Final = {
    Rule.SPEC_TEXT_UTF8: "The text",
    Rule.PROPERTY_KNOWN: "The structure",
    Rule.MESSAGE_VALID_VERSIONS_CLOSED: "The message",
    Rule.STRUCT_NAME_UNIQUE: "Structs",
    Rule.FIELD_NAME_UNIQUE: "Fields",
    Rule.TAG_NOT_NEGATIVE: "Tagged fields",
    Rule.ENCODING_KNOWN: "Encodings",
    Rule.ERROR_NAME_WELL_FORMED: "Error codes",
    Rule.MESSAGE_NAME_UNIQUE: "Several specs",
}
_PREFERRED: Final = {
    Rule.SPEC_TEXT_JSON: "spec_text_json_trailing_comma.json",
    Rule.PROPERTY_KNOWN: "property_known_typo.json",
    Rule.PROPERTY_REQUIRED: "property_required_type.json",
    Rule.DEFAULT_FITS_TYPE: "default_fits_type_int32.json",
}
"""The bad spec to show for a rule, if the first one is not the best example."""
_WIDEST_LINE: Final = 120
_SHORTEST_LINE: Final = 2


def page() -> str:
    """The text of the page. Raises ``ValueError`` for a rule that no bad spec breaks."""
    parts = [_OPENING.format(count=len(Rule))]
    for rule in Rule:
        if rule in _SECTIONS:
            parts.append(f"## {_SECTIONS[rule]}\n")
        parts.append(f"### {rule.name}\n\n{rule.value}\n\n{_example(rule)}")
    return "\n".join(parts)


def _example(rule: Rule) -> str:
    """What is wrong, the location and the finding, from the first bad spec that breaks only this rule."""
    pattern = _PREFERRED.get(rule, f"{rule.name.lower()}*")
    for fixture in [*sorted(BAD_SPECS.glob(pattern)), *sorted(BAD_ERROR_CODES.glob(pattern))]:
        files = sorted(fixture.glob("*.json")) if fixture.is_dir() else [fixture]
        found = list(_findings(files))
        if [finding.rule for finding in found] == [rule.name]:
            return _shown(found[0], next(file for file in files if file.name == found[0].file))
    raise ValueError(f"no spec in {BAD_SPECS} breaks {rule.name} and no other rule; add {rule.name.lower()}.json there")


def _findings(files: list[Path]) -> Iterator[Finding]:
    specs = []
    for file in files:
        if file.parent == BAD_ERROR_CODES:
            yield from parse_error_codes(file.read_bytes(), file.name).findings
            continue
        parsed = parse(file.read_bytes(), file.name)
        yield from parsed.findings
        if parsed.spec is not None:
            specs.append(parsed.spec)
    yield from check_together(specs)


def _shown(finding: Finding, file: Path) -> str:
    lines = file.read_bytes().decode("utf-8", errors="replace").splitlines()
    line = lines[finding.line - 1]
    indent = len(line) - len(line.lstrip())
    place = [line.strip(), " " * (finding.column - 1 - indent) + "^"]
    if not _SHORTEST_LINE <= len(place[0]) <= _WIDEST_LINE:
        place = []
    message = finding.message if finding.severity == "error" else f"warning: {finding.message}"
    text = [*place, message, *([f"-> {finding.instead}"] if finding.instead else [])]
    return "\n".join([lines[0].removeprefix("// "), "", "```text", *text, "```", ""])


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit 1 if the page is out of date.")
def main(check: bool) -> None:
    """Writes docs/rules.md, or checks it."""
    text = page()
    if check and (not PAGE.exists() or PAGE.read_text(encoding="utf-8") != text):
        click.echo(f"{PAGE} is out of date; run {sys.executable} {Path(__file__)}", err=True)
        sys.exit(1)
    if not check:
        PAGE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
