"""Merges sets of specs into one set, with the versions of all sets for each message."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from messagegen.console.text import count
from messagegen.evolve import SpecSet
from messagegen.evolve.compare import parse_texts
from messagegen.fmt.layout import format_document
from messagegen.jsonc import parse_json
from messagegen.merge.differences import ResultCheck, refusal
from messagegen.merge.findings import Listing, MergeFinding
from messagegen.merge.message import CannotMergeError, Source, merge_messages
from messagegen.merge.origins import with_comments
from messagegen.progress import counted, step
from messagegen.spec.model import MessageKind, MessageSpec


@dataclass(frozen=True, slots=True)
class Merged:
    """The merged specs by file, and the findings.

    A finding is about versions of a set that the merged specs lack, or in which their bytes or names are different. If
    sets differ, the newer set prevails.
    """

    texts: Mapping[str, bytes]
    findings: tuple[MergeFinding, ...]


def merge_sets(sets: Sequence[SpecSet]) -> Merged:
    """Merge sets, from the oldest to the newest. Raise ``SpecError`` for specs that can't be read."""
    many = count(len(sets), "set")
    newest_first: list[tuple[SpecSet, Sequence[MessageSpec]]] = []
    known: dict[bytes, MessageSpec] = {}
    for each in counted(sets):
        with step(f"Reading {many}", each.label):
            parsed = parse_texts(each.texts, known=known)
        known |= {each.texts[spec.file]: spec for spec in parsed}
        newest_first.insert(0, (each, parsed))
    listing = Listing(sets)
    merged, refused = _merge(newest_first, listing)
    official = {each.label for each in sets if each.official}
    check = ResultCheck(merged.values(), official)
    for each, specs in counted(newest_first):
        with step(f"Comparing {many} with the result", each.label):
            check.list_problems(each, specs, refused, listing)
    texts = {source.spec.file: _text(source, sets[-1].label) for source in merged.values()}
    return Merged(texts, listing.findings())


def _merge(
    newest_first: Sequence[tuple[SpecSet, Sequence[MessageSpec]]], listing: Listing
) -> tuple[dict[str, Source], set[str]]:
    """Return the merged specs by name, and the files with versions that were omitted; list each omission."""
    merged: dict[str, Source] = {}
    refused: set[str] = set()
    for each, specs in counted(newest_first):
        with step(f"Merging {count(len(newest_first), 'set')}", each.label):
            _merge_set(each, specs, merged, refused, listing)
    return merged, refused


def _merge_set(
    each: SpecSet, specs: Sequence[MessageSpec], merged: dict[str, Source], refused: set[str], listing: Listing
) -> None:
    """Add the specs of a set to the merged specs of the newer sets."""
    own = {spec.name for spec in specs}
    for spec in specs:
        older = Source.of(each.texts[spec.file], spec, each.label)
        known = spec.name if spec.name in merged else _renamed(spec, own, merged)
        if known is None:
            merged[spec.name] = older
            continue
        newer = merged[known]
        try:
            merged[known] = merge_messages(newer, older) or newer
        except CannotMergeError as error:
            refused.add(spec.file)
            problem = refusal(error, spec, newer, merged.values())
            listing.add(problem, each.label, older.origins.message.location("name"))


def _renamed(spec: MessageSpec, own: Collection[str], merged: Mapping[str, Source]) -> str | None:
    """Return the newer name of a renamed request or response, which has the API key of ``spec``."""
    if spec.kind not in (MessageKind.REQUEST, MessageKind.RESPONSE):
        return None
    for name, known in merged.items():
        if name not in own and (known.spec.kind, known.spec.api_key) == (spec.kind, spec.api_key):
            return name
    return None


def _text(source: Source, newest: str) -> bytes:
    document = with_comments(parse_json(source.plain), source.spec, source.origins, newest)
    return format_document(document).encode()
