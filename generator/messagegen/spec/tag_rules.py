"""The rules of Apache's generator for tagged fields (KIP-482; upstream: ``FieldSpec.checkTagInvariants``, ``StructSpec``)."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen.findings import quoted
from messagegen.primitives import RECORDS
from messagegen.spec.limits import MAX_TAGS
from messagegen.spec.model import FieldSpec
from messagegen.spec.report import Report, placed
from messagegen.spec.rules import Rule
from messagegen.versions import VersionRange


def check_tags(fields: Sequence[FieldSpec], path: str, report: Report) -> None:
    """Checks that the tags of one struct, with fields at ``path``, differ and run from 0."""
    holders: dict[int, FieldSpec] = {}
    for field in fields:
        if field.tag is None:
            continue
        first = holders.setdefault(field.tag, field)
        if first is not field:
            message = f"duplicate tag {field.tag}: field {quoted(first.name)} has it already"
            report.add_at(placed(field), "tag", Rule.TAG_UNIQUE, message, "use the lowest free tag")
    if len(holders) > MAX_TAGS:
        place = placed(list(holders.values())[MAX_TAGS])
        message = f"too many tagged fields: {len(holders)}, at most {MAX_TAGS} are allowed"
        report.add_at(place, "tag", Rule.SPEC_SIZE, message, "group them in structs, and tag those")
    # A field that could not be parsed may have the missing tag.
    if report.clean(path, *(f"{placed(field).json_path}.tag" for field in fields)):
        _check_contiguous(holders, report)


def _check_contiguous(holders: dict[int, FieldSpec], report: Report) -> None:
    """Reports the lowest missing tag, at the first field with a higher one."""
    missing = next(tag for tag in range(len(holders) + 1) if tag not in holders)
    above = [tag for tag in holders if tag > missing]
    if above:
        field = holders[min(above)]
        message = f"tags go up to {max(above)}, but tag {missing} is not used"
        report.add_at(
            placed(field),
            "tag",
            Rule.TAGS_CONTIGUOUS,
            message,
            f'write "tag": {missing} here, or keep the released field that has it',
        )


def check_tag(field: FieldSpec, flexible: VersionRange, report: Report) -> None:
    """Checks one field; ``flexible`` are the versions in which it may be tagged.

    The checks run in the same order as Apache's, and only the first failure is reported.
    """
    tagged = field.tagged_versions
    path = placed(field).json_path
    if not report.clean(f"{path}.tag", f"{path}.taggedVersions"):
        return
    if field.tag is None:
        if not tagged.empty:
            message = f"missing tag: the field is tagged in versions {tagged}"
            instead = 'add "tag" with the lowest free number, or remove taggedVersions'
            report.add_at(placed(field), "taggedVersions", Rule.TAG_WITH_TAGGED_VERSIONS, message, instead)
        return
    if field.map_key:
        instead = "remove mapKey, or the tag"
        report.add_at(placed(field), "mapKey", Rule.MAP_KEY_NOT_TAGGED, "a tagged field can't be a map key", instead)
    if field.tag < 0:
        report.add_at(placed(field), "tag", Rule.TAG_NOT_NEGATIVE, f"negative tag {field.tag}", "write 0 or more")
        return
    if tagged.empty:
        instead = 'add "taggedVersions", or remove the tag'
        message = f"missing taggedVersions: the field has tag {field.tag}"
        report.add_at(placed(field), "tag", Rule.TAG_WITH_TAGGED_VERSIONS, message, instead)
        return
    _check_tagged_versions(field, flexible, report)
    _check_tagged_type(field, report)


def _check_tagged_versions(field: FieldSpec, flexible: VersionRange, report: Report) -> None:
    tagged, path = field.tagged_versions, placed(field).json_path
    nullable = field.nullable_versions.intersect(tagged)
    versions_known = report.clean(f"{path}.versions")
    if not nullable.empty and nullable != tagged:
        message = f"the field is tagged in versions {tagged}, but nullable only in {nullable} of them"
        rule, instead = Rule.TAGGED_VERSIONS_NULLABLE_ALL_OR_NONE, "make all tagged versions nullable, or none"
        report.add_at(placed(field), "nullableVersions", rule, message, instead)
    elif not tagged.open_ended:
        message = f"tagged versions {tagged} must be open-ended"
        instead = f'write "{tagged.lowest}+"'
        report.add_at(placed(field), "taggedVersions", Rule.TAGGED_VERSIONS_OPEN_ENDED, message, instead)
    elif versions_known and not field.versions.covers(tagged):
        message = f"the field is tagged in versions {tagged}, but only exists in {field.versions}"
        rule, instead = Rule.TAGGED_VERSIONS_WITHIN_VERSIONS, "tag it only in versions in which it exists"
        report.add_at(placed(field), "taggedVersions", rule, message, instead)
    elif report.clean("flexibleVersions", f"{path}.flexibleVersions") and not flexible.covers(tagged):
        message = f"the field is tagged in versions {tagged}, but only {flexible} are flexible"
        rule, instead = Rule.TAGGED_VERSIONS_WITHIN_FLEXIBLE_VERSIONS, "tag it only in flexible versions"
        report.add_at(placed(field), "taggedVersions", rule, message, instead)


def _check_tagged_type(field: FieldSpec, report: Report) -> None:
    if field.type is RECORDS:
        message, instead = "a field of type records can't be tagged", "remove the tag, or make the type bytes"
        report.add_at(placed(field), "tag", Rule.TAGGED_FIELD_NOT_RECORDS, message, instead)
    if field.zero_copy:
        message, instead = "a tagged field can't be zero copy", "remove zeroCopy"
        report.add_at(placed(field), "zeroCopy", Rule.TAGGED_FIELD_NOT_ZERO_COPY, message, instead)
