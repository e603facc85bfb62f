"""Paths and URLs are taken apart alike, and what is wrong with a URL is said without its secrets."""

from __future__ import annotations

import pytest

from messagegen_arrow.files import FileUrlError, is_url, joined, name_of, normal, parent_of, shown, with_suffix

URL = "s3://bucket/logs/orders-0/1.log?region=eu-central-1&endpoint=http://host:9000/x"


def test_urls_keep_their_settings() -> None:
    assert parent_of(URL) == "s3://bucket/logs/orders-0?region=eu-central-1&endpoint=http://host:9000/x"
    assert parent_of(parent_of("s3://bucket/a/b")) == "s3://bucket"
    assert joined("s3://bucket?region=x", "a", "b") == "s3://bucket/a/b?region=x"
    assert joined(parent_of(URL), "2.log") == URL.replace("1.log", "2.log")
    assert with_suffix(URL, ".index") == URL.replace(".log?", ".index?")
    assert (name_of(URL), name_of("s3://bucket")) == ("1.log", "bucket")
    assert shown(URL) == "s3://bucket/logs/orders-0/1.log"


def test_local_paths_are_as_they_were() -> None:
    assert (parent_of("/a/b.log"), name_of("/a/b.log"), joined("/a", "b", "c")) == ("/a", "b.log", "/a/b/c")
    assert (with_suffix("/a/b.log", ".index"), shown("/a/b?x=1")) == ("/a/b.index", "/a/b?x=1")
    assert normal("file:///a/b") == normal("file:/a/b") == "/a/b"
    assert not is_url("/a/b")
    assert not is_url("file:///a/b")


def test_a_question_mark_without_a_setting_is_of_a_glob() -> None:
    assert name_of("s3://bucket/orders-?") == "orders-?"
    assert normal("s3a://bucket/orders-?/") == "s3a://bucket/orders-?"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        (
            "ftp://host/logs",
            "ftp:// can't be read: expected s3://, s3a://, gs://, abfs://, abfss://, hdfs:// or file://",
        ),
        (
            "viewfs://cluster/logs",
            "viewfs:// can't be read: expected s3://, s3a://, gs://, abfs://, abfss://, hdfs:// or file://, or a local path; name the file system behind the mount, such as hdfs://NAMESERVICE/FOLDER",
        ),
        ("webhdfs://host:9870/logs", "use the RPC port of the name node, as in hdfs://HOST:8020/FOLDER"),
        (
            "hdfs://hidden@host/logs",
            "credentials never stand in URLs; they come from the environment: HADOOP_USER_NAME",
        ),
        (
            "hdfs://host/logs?user=hidden",
            "invalid setting user in a URL: expected none; settings of Hadoop are in HADOOP_CONF_DIR",
        ),
        ("s3://", "names no bucket: expected s3://BUCKET/FOLDER"),
        ("s3:/bucket/a", "neither a path nor a URL"),
        (
            "s3://bucket/a?secret_access_key=hidden",
            "invalid setting secret_access_key in a URL: expected region, endpoint",
        ),
        (
            "s3://key:hidden@bucket/a",
            "credentials never stand in URLs; they come from the environment: AWS_ACCESS_KEY_ID",
        ),
        ("s3://bucket/a?AWS_SECRET_ACCESS_KEY=hidden", "invalid setting AWS_SECRET_ACCESS_KEY in a URL"),
        ("s3://bucket/a?X-Amz-Signature=hidden", "invalid setting X-Amz-Signature in a URL"),
        ("s3://bucket?AWS_X=hidden", "invalid setting AWS_X in a URL"),
        ("s3://bucket?", "invalid URL s3://bucket: expected SCHEME://BUCKET/FOLDER"),
        ("s3://bucket-?/hidden", "invalid URL s3://bucket-: expected SCHEME://BUCKET/FOLDER"),
        ("s3:/bucket/a?key=hidden", "s3:/bucket/a is neither a path nor a URL"),
        ("abfss://box@account.dfs.core.windows.net/a?sig=hidden", "invalid setting sig in a URL: expected account"),
    ],
)
def test_urls_that_cannot_be_read(url: str, reason: str) -> None:
    with pytest.raises(FileUrlError) as caught:
        normal(url)
    assert reason in str(caught.value)
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize(
    "url", ["s3://bucket/a?X-Amz-Signature=hidden", "s3://bucket-?/hidden", "s3://bucket?+=hidden"]
)
def test_what_may_be_a_secret_is_not_shown(url: str) -> None:
    assert "hidden" not in shown(url)
