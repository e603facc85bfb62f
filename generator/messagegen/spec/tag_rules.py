"""What Apache's generator asks of tagged fields (KIP-482; upstream: ``FieldSpec.checkTagInvariants``, ``StructSpec``)."""

from __future__ import annotations

from collections.abc import Sequence

from messagegen.spec.limits import MAX_TAGS
from messagegen.spec.model import FieldSpec, PrimitiveType
from messagegen.spec.report import Report, placed, quoted
from messagegen.spec.rules import Rule
from messagegen.versions import VersionRange


def check_tags(fields: Sequence[FieldSpec], path: str, report: Report) -> None:
    """Checks that the tags of one struct, whose fields stand at ``path``, differ and run from 0."""
    holders: dict[int, FieldSpec] = {}
    for field in fields:
        if field.tag is None:
            continue
        first = holders.setdefault(field.tag, field)
        if first is not field:
            message = f"tag {field.tag} is taken by field {quoted(first.name)}"
            report.add_at(placed(field), "tag", Rule.TAG_UNIQUE, message, "write the lowest tag that is free")
    if len(holders) > MAX_TAGS:
        place = placed(list(holders.values())[MAX_TAGS])
        message = f"this struct has {len(holders)} tagged fields, and may have {MAX_TAGS}"
        report.add_at(place, "tag", Rule.SPEC_SIZE, message, "put them into structs, and tag fields of these types")
    # A field that could not be read may be the one with the missing tag.
    if report.clean(path, *(f"{placed(field).json_path}.tag" for field in fields)):
        _check_contiguous(holders, report)


def _check_contiguous(holders: dict[int, FieldSpec], report: Report) -> None:
    """Tells the lowest tag that is missing, at the first field with a higher one."""
    missing = next(tag for tag in range(len(holders) + 1) if tag not in holders)
    above = [tag for tag in holders if tag > missing]
    if above:
        field = holders[min(above)]
        message = f"the tags of this struct go up to {max(above)}, but {missing} is not used"
        report.add_at(placed(field), "tag", Rule.TAGS_CONTIGUOUS, message, f'write "tag": {missing} here')


def check_tag(field: FieldSpec, flexible: VersionRange, report: Report) -> None:
    """Checks one field; ``flexible`` are the versions in which it may be tagged.

    The checks are made in the order of Apache's, and the first that fails is told alone.
    """
    tagged = field.tagged_versions
    path = placed(field).json_path
    if not report.clean(f"{path}.tag", f"{path}.taggedVersions"):
        return
    if field.tag is None:
        if not tagged.empty:
            message = f"the field is tagged in versions {tagged}, but has no tag"
            instead = 'write "tag" with the lowest number that is free, or remove taggedVersions'
            report.add_at(placed(field), "taggedVersions", Rule.TAG_WITH_TAGGED_VERSIONS, message, instead)
        return
    if field.map_key:
        instead = "remove mapKey, or the tag"
        report.add_at(placed(field), "mapKey", Rule.MAP_KEY_NOT_TAGGED, "a tagged field is no map key", instead)
    if field.tag < 0:
        report.add_at(
            placed(field), "tag", Rule.TAG_NOT_NEGATIVE, f"the tag {field.tag} is negative", "write 0 or more"
        )
        return
    if tagged.empty:
        instead = 'write "taggedVersions" too, or remove the tag'
        message = f"the field has tag {field.tag}, but no tagged versions"
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
        rule, instead = Rule.TAGGED_VERSIONS_NULLABLE_ALL_OR_NONE, "let all tagged versions be nullable, or none"
        report.add_at(placed(field), "nullableVersions", rule, message, instead)
    elif not tagged.open_ended:
        message = f"tagged versions {tagged} have an upper end"
        instead = f'write "{tagged.lowest}+"'
        report.add_at(placed(field), "taggedVersions", Rule.TAGGED_VERSIONS_OPEN_ENDED, message, instead)
    elif versions_known and not field.versions.covers(tagged):
        message = f"the field is tagged in versions {tagged}, but exists in {field.versions}"
        rule, instead = Rule.TAGGED_VERSIONS_WITHIN_VERSIONS, "let it be tagged only where it exists"
        report.add_at(placed(field), "taggedVersions", rule, message, instead)
    elif report.clean("flexibleVersions", f"{path}.flexibleVersions") and not flexible.covers(tagged):
        message = f"the field is tagged in versions {tagged}, but flexible versions are {flexible}"
        rule, instead = Rule.TAGGED_VERSIONS_WITHIN_FLEXIBLE_VERSIONS, "let it be tagged only in flexible versions"
        report.add_at(placed(field), "taggedVersions", rule, message, instead)


def _check_tagged_type(field: FieldSpec, report: Report) -> None:
    if field.type is PrimitiveType.RECORDS:
        message, instead = "a field of type records cannot be tagged", "remove the tag, or make the type bytes"
        report.add_at(placed(field), "tag", Rule.TAGGED_FIELD_NOT_RECORDS, message, instead)
    if field.zero_copy:
        message, instead = "a tagged field is not zero copy", "remove zeroCopy"
        report.add_at(placed(field), "zeroCopy", Rule.TAGGED_FIELD_NOT_ZERO_COPY, message, instead)
