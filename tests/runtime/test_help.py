"""``help`` of a class begins with its fields: types, defaults, texts and versions. The text is made on demand."""

from __future__ import annotations

import pydoc
import subprocess
import sys
from typing import Any

import pytest

from messagegen.plan.ops import StructPlan
from tests.support.specs import OWN, PURPOSE_MADE, Subject, class_of, subjects

CLASSES = [subject for subject in subjects(OWN, PURPOSE_MADE) if subject.version == subject.plan.valid_versions.lowest]
MACHINERY = "Method resolution order"


def shown(cls: Any) -> str:
    """Return the documentation of a class as one line."""
    return " ".join(cls.__doc__.split())


def check_struct(subject: Subject, struct: StructPlan) -> None:
    text = shown(subject.cls if struct is subject.plan.structs[0] else class_of(subject.cls, struct.class_name))
    for field in struct.fields:
        assert f" {field.attribute}: " in text
        assert " ".join(field.about.split()) in text
    if struct.fields:
        assert text.index("Fields:") < text.index(f" {struct.fields[0].attribute}: ", text.index("Fields:"))


@pytest.mark.parametrize("subject", CLASSES, ids=lambda subject: subject.plan.name)
def test_help_shows_every_field_of_every_class(subject: Subject) -> None:
    for struct in subject.plan.structs:
        check_struct(subject, struct)


def test_help_shows_fields_before_methods() -> None:
    from messagegen_kafka import MetadataRequest  # noqa: PLC0415

    text = pydoc.plain(pydoc.render_doc(MetadataRequest))
    assert text.index("topics: tuple[") < text.index(MACHINERY)


def test_help_shows_versions_and_nullability_and_tags_of_fields() -> None:
    from messagegen_kafka import ApiVersionsResponse, MetadataRequest  # noqa: PLC0415

    text = shown(MetadataRequest)
    assert "topics: tuple[MetadataRequestTopic, ...] | None = ()" in text
    assert "May be null in versions 1+." in text
    assert "include_cluster_authorized_operations: bool = False" in text
    assert "In versions 8-10." in text
    assert "Tag 0." in shown(ApiVersionsResponse)


def test_help_mentions_sensitive_fields() -> None:
    from messagegen_kafka import SaslAuthenticateRequest  # noqa: PLC0415

    assert "Sensitive: repr and errors don't show it." in shown(SaslAuthenticateRequest)


def test_descriptions_are_made_on_demand() -> None:
    program = (
        "import sys; from messagegen_kafka import MetadataRequest as M; "
        "message = M.decode(M().encode(version=9), version=9, lazy=True); message == M(); repr(message); "
        "print([name for name in sys.modules if name.endswith('.describe')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
