"""Changes specs as recommended: adds a version with other encodings, and leaves the rest of the text unchanged."""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from messagegen_arrow.advisor.encodings import WIDTH_OF_TYPE, encoding_of_codec, split
from messagegen_arrow.advisor.spec_text import Part, SpecTextError, Versions, parse_spec
from messagegen_arrow.advisor.wire_format import check_new_version
from messagegen_arrow.catalog import Catalog, MessageTable
from messagegen_arrow.plans import Field, Plan

_TYPE_WORDS: Final = {"fixed": "int", "packed": "varint", "upacked": "unsigned_varint"}
_MAPS: Final = ("encoding", "elementEncoding", "type", "headerVersions")
"""Properties that may be an object whose keys are ranges of versions."""

FieldEncodings = Mapping[tuple[str, str], str]
"""Struct and key (Kafka's JSON name) of fields to their new encodings."""
Edits = dict[tuple[int, int], str]
"""Start and end in the text to the new text there."""


def patch_spec(text: str, encodings: FieldEncodings) -> str:
    """Adds a version to the message of a spec in which the named fields have other encodings, and gives the new text.

    The next version is added to ``validVersions``, and to every range that ended with the last one; ``deprecatedVersions`` stay.
    Fields get ``encoding`` or ``elementEncoding`` (or another entry in a map of types), and everything else stays unchanged,
    including comments. Then the result is checked: messagegen reads it, all old versions have the same wire format, and the new
    version differs from the last one only in those encodings.

    Raises ``SpecTextError`` for a spec or a field that cannot be changed so, and what ``Catalog.of_specs`` raises for a spec that
    has findings.
    """
    before = load_table(text)
    if before.kind == "coordinator-key":
        raise SpecTextError(
            f"{before.name} is a coordinator's key, which has one version only; a new layout takes a new API key"
        )
    root, latest = parse_spec(text), before.valid_versions[1]
    edits = _range_edits(root, latest)
    for (struct, key), encoding in encodings.items():
        edits |= _encoding_edits(*_field(root, before.parsed_plan, struct, key), latest, encoding)
    after = _edited(text, edits)
    check_new_version(before.plan, load_table(after).plan, encodings)
    return after


def load_table(text: str) -> MessageTable:
    """The message of a spec's text. Raises what ``Catalog.of_specs`` raises, and ``SpecTextError`` for a retired message."""
    with tempfile.TemporaryDirectory(prefix="messagegen-advisor-") as scratch:
        file = Path(scratch) / "spec.json"
        # Keep the line breaks of the file.
        file.write_bytes(text.encode())
        tables = list(Catalog.of_specs(file))
    if not tables:
        raise SpecTextError("the message of this spec is retired; it has no version that another one could follow")
    return tables[0]


def diff_of_specs(message: str, encodings: FieldEncodings, sources: Sequence[Path]) -> str:
    """The change of a message's spec, and of the spec of its request or response, in folders or files, as a unified diff.

    Raises ``LookupError`` for a message without a spec there, and what ``patch_spec`` raises.
    """
    files = [file for each in sources for file in ([each] if each.is_file() else sorted(each.rglob("*.json")))]
    texts = {file: file.read_bytes().decode() for file in files}
    found = _spec_of(message, texts)
    if found is None:
        raise LookupError(f"no spec in --specs defines the message {message}")
    diff = _diff(found, texts[found], patch_spec(texts[found], encodings))
    ends = ("Request", "Response") if message.endswith("Request") else ("Response", "Request")
    # Both have the same versions in Kafka.
    other = _spec_of(message.removesuffix(ends[0]) + ends[1], texts) if message.endswith(ends[0]) else None
    return diff if other is None else diff + _diff(other, texts[other], patch_spec(texts[other], {}))


def _spec_of(message: str, texts: Mapping[Path, str]) -> Path | None:
    named = (file for file, text in texts.items() if f'"{message}"' in text)
    return next((file for file in named if parse_spec(texts[file]).text("name") == message), None)


def _diff(file: Path, before: str, after: str) -> str:
    """The change as a unified diff, for ``patch`` and ``git apply`` in the current folder."""
    here = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
    name = here.as_posix().lstrip("/")
    old, new = (text.splitlines(keepends=True) for text in (before, after))
    lines = difflib.unified_diff(old, new, f"a/{name}", f"b/{name}")
    # A file may lack its last line break, which would join two lines of the diff.
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _range_edits(root: Part, latest: int) -> Edits:
    """The next version, wherever a range of versions ends with the last one and is not continued by another."""
    edits: Edits = {}
    for key, value in root.pairs():
        ranges: list[Part] = []
        if key.value in _MAPS and isinstance(value.value, dict):
            ranges = [range_ for range_, _ in value.value.values()]
        elif str(key.value).endswith("ersions") and key.value != "deprecatedVersions":
            ranges = [value]
        known = [(part, Versions.parse(str(part.value))) for part in ranges]
        if not any(versions is not None and latest + 1 in versions for _, versions in known):
            for part, versions in known:
                if versions is not None and versions.highest == latest:
                    edits[part.start, part.end] = f'"{Versions(versions.lowest, latest + 1)}"'
    return edits


def _field(root: Part, plan: Plan, struct: str, key: str) -> tuple[Part, Field]:
    """The field of a struct in the text and in the plan; classes may be called otherwise than structs, so plan and text are walked together."""
    common = {one.text("name"): one for one in root.objects("commonStructs")}
    found: dict[str, dict[str, tuple[Part, Field]]] = {}

    def walk(class_name: str, holder: Part) -> None:
        keys = {field.key: field for field in plan.structs[class_name].fields.values()}
        found[class_name] = {}
        for one in holder.objects("fields"):
            name = one.text("name")
            field = keys.get(name[:1].lower() + name[1:])
            if field is not None:
                found[class_name][field.key] = one, field
                if field.element_type in plan.structs and field.element_type not in found:
                    walk(field.element_type, common.get(one.text("type").removeprefix("[]"), one))

    walk(plan.root.class_name, root)
    if key not in found.get(struct, {}):
        raise SpecTextError(f"{plan.name} has no field {struct}.{key}")
    return found[struct][key]


def _encoding_edits(field: Part, planned: Field, latest: int, encoding: str) -> Edits:
    """The edit that gives a field its encoding after the last version. Raises ``SpecTextError`` if it cannot have it."""
    form, width = split(encoding)
    if width > WIDTH_OF_TYPE.get(planned.element_type, 0):
        raise SpecTextError(f"the field {planned.key} of type {planned.type} can't have the encoding {encoding}")
    type_ = field["type"]
    versions = Versions.parse(field.text("versions") or field.text("taggedVersions"))
    if versions is None or latest not in versions:
        raise SpecTextError(f"the field {field.text('name')} is not in version {latest}")
    name = "elementEncoding" if planned.is_array else "encoding"
    if isinstance(type_.value, dict) or "varint" in type_.value:
        word = f"{'[]' * planned.is_array}{_TYPE_WORDS[form]}{width}"
        return {(type_.start, type_.end): _map_text(type_, versions, latest, word)}
    if name in field.value:
        written = field[name]
        return {(written.start, written.end): _map_text(written, versions, latest, encoding)}
    now = Part(0, 0, encoding_of_codec(planned.element_type))
    end = field["versions" if "versions" in field.value else "type"].end
    return {(end, end): f', "{name}": {_map_text(now, versions, latest, encoding)}'}


def _map_text(written: Part, versions: Versions, latest: int, new: str) -> str:
    """What is written for a field, one word or a map from versions, as a map with another word after the last version."""
    entries = [(versions, written.value)]
    if isinstance(written.value, dict):
        pairs = ((Versions.parse(range_), word.value) for range_, (_, word) in written.value.items())
        entries = [(known, word) for known, word in pairs if known is not None]
    return "{ " + ", ".join(f'"{held}": "{word}"' for held, word in _entries(entries, latest, new)) + " }"


def _entries(entries: Sequence[tuple[Versions, str]], latest: int, new: str) -> Iterator[tuple[Versions, str]]:
    for held, word in entries:
        if held.lowest <= latest:
            yield Versions(held.lowest, min(held.highest, latest)), word
    last = max((held.highest for held, _ in entries if latest in held or latest + 1 in held), default=latest)
    yield Versions(latest + 1, max(last, latest + 1)), new
    yield from ((held, word) for held, word in entries if held.lowest > latest + 1)


def _edited(text: str, edits: Edits) -> str:
    for (start, end), new in sorted(edits.items(), reverse=True):
        text = f"{text[:start]}{new}{text[end:]}"
    return text
