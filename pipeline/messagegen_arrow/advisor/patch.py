"""Changes specs as recommended: adds a version with other encodings, and leaves the rest of the text unchanged."""

from __future__ import annotations

import difflib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import tree_sitter

from messagegen_arrow.advisor.compatibility import check_new_version, check_old_versions
from messagegen_arrow.advisor.encodings import encoding_of_codec, split
from messagegen_arrow.advisor.spec_text import Edit, SpecObject, SpecTextError, Versions, apply, parse_spec, range_of
from messagegen_arrow.catalog import Catalog, MessageTable
from messagegen_arrow.plans import Field, Plan

_TYPE_WORDS: Final = {"fixed": "int", "packed": "varint", "upacked": "unsigned_varint"}

FieldEncodings = Mapping[tuple[str, str], str]
"""Struct and key (Kafka's JSON name) of fields to their new encodings."""


@dataclass(frozen=True, slots=True)
class SpecPatch:
    """A changed spec. messagegen has read it, and its old versions have the same wire format as before."""

    file: str
    before: str = field(repr=False)
    after: str = field(repr=False)
    table: MessageTable = field(repr=False)
    """The message with its new version."""

    @property
    def version(self) -> int:
        """The new version."""
        return self.table.valid_versions[1]

    @property
    def diff(self) -> str:
        """The change as a unified diff, for ``patch`` and ``git apply``."""
        lines = difflib.unified_diff(
            self.before.splitlines(keepends=True),
            self.after.splitlines(keepends=True),
            f"a/{self.file}",
            f"b/{self.file}",
        )
        # A file may lack its last line break, which would join two lines of the diff.
        return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def patch_spec(text: str, encodings: FieldEncodings, *, file: str = "spec.json") -> SpecPatch:
    """Adds a version to the message of a spec in which the named fields have other encodings.

    The next version is added to ``validVersions``, and to every range that ended with the last one; ``deprecatedVersions`` stay.
    Fields get ``encoding`` or ``elementEncoding`` (or another entry in a map of types), a comment says what is new, and everything
    else stays unchanged, including comments. Then the result is checked: messagegen reads it, all old versions
    have the same wire format, and the new version differs from the last one only in those encodings.

    Raises ``SpecTextError`` for a spec or a field that cannot be changed so, and what ``Catalog.of_specs`` raises for a spec that
    has findings.
    """
    before = load_table(text)
    if before.kind == "coordinator-key":
        raise SpecTextError(
            f"{before.name} is a coordinator's key, which has one version only; a new layout takes a new API key"
        )
    data = text.encode()
    root = parse_spec(data)
    change = _Change(root, before, dict(encodings))
    after = apply(data, list(change.edits())).decode()
    table = load_table(after)
    check_old_versions(before.plan, table.plan)
    check_new_version(before.plan, table.plan, _by_attribute(before.parsed_plan, encodings))
    return SpecPatch(file, text, after, table)


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
    found = next((file for file, text in texts.items() if f'"{message}"' in text and _name_of(text) == message), None)
    if found is None:
        raise LookupError(f"no spec in --specs defines the message {message}")
    patches = [patch_spec(texts[found], encodings, file=_shown(found))]
    companion = companion_of(texts[found], texts)
    if companion is not None:
        patches.append(patch_spec(companion[1], {}, file=_shown(companion[0])))
    return "".join(each.diff for each in patches)


def _name_of(text: str) -> str | None:
    try:
        return parse_spec(text.encode()).text("name")
    except SpecTextError:
        return None


def _shown(file: Path) -> str:
    """A path as ``git apply`` takes it in the current folder."""
    return file.relative_to(Path.cwd()).as_posix() if file.is_relative_to(Path.cwd()) else file.as_posix().lstrip("/")


def companion_of(spec_text: str, others: Mapping[Path, str]) -> tuple[Path, str] | None:
    """The spec of the response to a request, or of the request to a response: both have the same versions in Kafka."""
    root = parse_spec(spec_text.encode())
    kind, api_key = root.text("type"), root.text("apiKey")
    other_kind = {"request": "response", "response": "request"}.get(kind or "")
    for path, text in others.items():
        if other_kind is None or api_key is None or f'"{other_kind}"' not in text:
            continue
        other = parse_spec(text.encode())
        if (other.text("type"), other.text("apiKey")) == (other_kind, api_key):
            return path, text
    return None


def _by_attribute(plan: Plan, encodings: FieldEncodings) -> dict[tuple[str, str], str]:
    found: dict[tuple[str, str], str] = {}
    for (struct, key), encoding in encodings.items():
        attributes = [one.attribute for one in _fields(plan, struct) if one.key == key]
        if not attributes:
            raise SpecTextError(f"{plan.name} has no field {struct}.{key}")
        found[struct, attributes[0]] = encoding
    return found


def _fields(plan: Plan, struct: str) -> tuple[Field, ...]:
    return tuple(plan.structs[struct].fields.values()) if struct in plan.structs else ()


class _Change:
    """One edit of a spec."""

    def __init__(self, root: SpecObject, table: MessageTable, encodings: dict[tuple[str, str], str]) -> None:
        self.root = root
        self.plan = table.parsed_plan
        self.latest = table.valid_versions[1]
        self.next = self.latest + 1
        self.encodings = encodings
        self.line_break = "\r\n" if b"\r\n" in (root.node.text or b"") else "\n"

    def edits(self) -> Iterator[Edit]:
        """All edits; raises ``SpecTextError`` where a field is not found or cannot have an encoding."""
        done: set[int] = set()
        for key, encoding in self.encodings.items():
            spec_field, plan_field = self.find(*key)
            node_edits = list(self.field_edits(spec_field, plan_field, encoding))
            done |= {edit.start for edit in node_edits}
            yield from node_edits
        for part in (self.root, *self.root.objects("commonStructs"), *self.root.fields()):
            for node, versions in part.ranges_until(self.latest):
                if node.start_byte not in done:
                    yield _replace(node, Versions(versions.lowest, self.next))
        yield from self.comment()

    def find(self, struct: str, key: str) -> tuple[SpecObject, Field]:
        """The field in the text, and in the plan."""
        fields = {one.key: one for one in _fields(self.plan, struct)}
        holder = self.structs().get(struct)
        for one in holder.objects("fields") if holder is not None else ():
            if _key(one.text("name") or "") == key and key in fields:
                return one, fields[key]
        raise SpecTextError(f"{self.plan.name} has no field {struct}.{key}")

    def structs(self) -> dict[str, SpecObject]:
        """The class of each struct to where it is defined; classes may be called otherwise than structs, so both are walked."""
        common = {one.text("name"): one for one in self.root.objects("commonStructs")}
        found: dict[str, SpecObject] = {}

        def walk(class_name: str, holder: SpecObject) -> None:
            found[class_name] = holder
            for one in holder.objects("fields"):
                field_of_plan = self._field(class_name, one)
                if field_of_plan is None or field_of_plan.element_type not in self.plan.structs:
                    continue
                inner = common.get((one.text("type") or "").removeprefix("[]"), one)
                if field_of_plan.element_type not in found:
                    walk(field_of_plan.element_type, inner)

        walk(self.plan.root.class_name, self.root)
        return found

    def _field(self, class_name: str, one: SpecObject) -> Field | None:
        key = _key(one.text("name") or "")
        return next((field for field in _fields(self.plan, class_name) if field.key == key), None)

    def field_edits(self, spec_field: SpecObject, plan_field: Field, encoding: str) -> Iterator[Edit]:
        """The edits that give a field its encoding in the new version."""
        type_ = plan_field.element_type
        if type_ not in {"int16", "int32", "int64"} or split(encoding)[1] > int(type_[3:]):
            raise SpecTextError(
                f"the field {plan_field.key} of type {plan_field.type} can't have the encoding {encoding}"
            )
        versions = self.versions(spec_field)
        name = "elementEncoding" if plan_field.is_array else "encoding"
        written = spec_field.properties.get(name)
        type_node = spec_field.properties["type"]
        typed = type_node.type == "object" or "varint" in (spec_field.text("type") or "")
        if typed:
            word = _type_word(encoding, is_array=plan_field.is_array)
            yield from self.map_edits(type_node, versions, word, spec_field.text("type") or "")
        elif written is not None:
            yield from self.map_edits(written, versions, encoding, spec_field.text(name) or "")
        else:
            entries = self.map_text(versions, encoding_of_codec(type_), encoding)
            anchor = spec_field.pairs.get("versions", spec_field.pairs["type"])
            separator = self.separator(spec_field)
            yield Edit(anchor.end_byte, anchor.end_byte, f',{separator}"{name}": {entries}')

    def versions(self, spec_field: SpecObject) -> Versions:
        """The versions of a field, which must exist in the last one."""
        text = spec_field.text("versions") or spec_field.text("taggedVersions") or ""
        versions = Versions.parse(text)
        if versions is None or self.latest not in versions:
            raise SpecTextError(f"the field {spec_field.text('name')} is not in version {self.latest}")
        return versions

    def map_edits(self, node: tree_sitter.Node, versions: Versions, new: str, constant: str) -> Iterator[Edit]:
        """A constant becomes a map; in a map the entry that holds the last version is cut there."""
        if node.type != "object":
            yield Edit(node.start_byte, node.end_byte, self.map_text(versions, constant, new))
            return
        entries = {pair: range_of(pair.named_children[0]) for pair in SpecObject(node).pairs.values()}
        for wanted in (self.next, self.latest):
            for pair, held in entries.items():
                if held is None or wanted not in held:
                    continue
                value = pair.named_children[-1]
                ends = _ends(self.next, held.highest, self.latest)
                text = f'"{Versions(*ends)}": "{new}"'
                if held.lowest <= self.latest:
                    text = f'"{Versions(held.lowest, self.latest)}": {(value.text or b"").decode()}, {text}'
                yield Edit(pair.start_byte, pair.end_byte, text)
                return

    def map_text(self, versions: Versions, old: str, new: str) -> str:
        """A map from versions to two encodings."""
        ends = _ends(self.next, versions.highest, self.latest)
        return f'{{ "{Versions(versions.lowest, self.latest)}": "{old}", "{Versions(*ends)}": "{new}" }}'

    def separator(self, spec_field: SpecObject) -> str:
        """The separator of two properties of a field: a line break if the field has some, otherwise a space."""
        node = spec_field.node
        first_row = (node.text or b"").partition(b"\n")[0]
        if first_row == node.text:
            return " "
        return f"{self.line_break}{' ' * (node.start_point.column + 2)}"

    def comment(self) -> Iterator[Edit]:
        """A comment before ``validVersions``, where Kafka's specs describe versions."""
        pair = self.root.pairs["validVersions"]
        text = self.root.node.text or b""
        offset = pair.start_byte - self.root.node.start_byte
        before = text[:offset].decode()
        indent = before[before.rfind("\n") + 1 :]
        if indent.strip():
            return  # The property is not on a line of its own.
        what = (
            "has other encodings of integers (KIP-625)" if self.encodings else f"is the same as version {self.latest}"
        )
        lead = f"//{self.line_break}{indent}" if before.rstrip().rpartition("\n")[2].lstrip().startswith("//") else ""
        yield Edit(pair.start_byte, pair.start_byte, f"{lead}// Version {self.next} {what}.{self.line_break}{indent}")


def _replace(node: tree_sitter.Node, versions: Versions) -> Edit:
    return Edit(node.start_byte, node.end_byte, f'"{versions}"')


def _ends(lowest: int, highest: int | None, latest: int) -> tuple[int, int | None]:
    """The range that follows the last version; one that ended with it goes on by one version."""
    return lowest, max(highest, latest + 1) if highest is not None else None


def _key(name: str) -> str:
    return name[:1].lower() + name[1:]


def _type_word(encoding: str, *, is_array: bool) -> str:
    form, width = split(encoding)
    return f"{'[]' * is_array}{_TYPE_WORDS[form]}{width}"
