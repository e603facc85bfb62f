"""Paths and URLs are split in the same way, and errors about URLs contain no secrets."""

from __future__ import annotations

import pytest

from messagegen_arrow.files.paths import FileUrlError, is_url, joined, name_of, normal, parent_of, shown

URL = "s3://bucket/logs/orders-0/1.log"


def test_urls_are_split_and_joined_like_paths() -> None:
    assert parent_of(URL) == "s3://bucket/logs/orders-0"
    assert parent_of(parent_of("s3://bucket/a/b")) == "s3://bucket"
    assert joined("s3://bucket", "a", "b") == "s3://bucket/a/b"
    assert joined(parent_of(URL), "2.log") == URL.replace("1.log", "2.log")
    assert (name_of(URL), name_of("s3://bucket")) == ("1.log", "bucket")
    assert normal("s3://bucket/orders-?/") == "s3://bucket/orders-?"


def test_local_paths_stay_unchanged() -> None:
    assert (parent_of("/a/b.log"), name_of("/a/b.log"), joined("/a", "b", "c")) == ("/a", "b.log", "/a/b/c")
    assert shown("/a/b?x=1") == "/a/b?x=1"
    assert normal("file:///a/b") == normal("file:/a/b") == "/a/b"
    assert not is_url("/a/b")
    assert not is_url("file:///a/b")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://host/logs", "invalid scheme ftp://: expected s3://, gs://, abfs://, abfss:// or file://"),
        ("hdfs://host/logs", "invalid scheme hdfs://: .*; Spark reads hdfs:// and s3a://"),
        ("s3://", "expected s3://BUCKET/FOLDER"),
        ("s3:/bucket/a", "invalid URL s3:/bucket/a: expected SCHEME://BUCKET/FOLDER"),
        ("s3://key:hidden@bucket/a", "credentials come from the environment"),
        ("s3://bucket/a?X-Amz-Signature=hidden", "invalid URL s3://bucket/a: .*settings come from the environment"),
        ("s3://bucket?AWS_X=hidden", "invalid URL s3://bucket: expected"),
        ("s3:/bucket/a?key=hidden", "invalid URL s3:/bucket/a: expected"),
    ],
)
def test_unreadable_urls_are_reported(url: str, reason: str) -> None:
    with pytest.raises(FileUrlError, match=reason.replace("(", r"\(").replace(")", r"\)")) as caught:
        normal(url)
    assert "hidden" not in str(caught.value)
