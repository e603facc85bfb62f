"""The advisor on DataFrames, and its command line."""

from __future__ import annotations

import json
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as sql

from messagegen_arrow import Catalog, default_catalog
from messagegen_arrow.advisor.advice import Advice
from messagegen_arrow.advisor.specs.patch import load_table, patch_spec
from messagegen_arrow.advisor.statistics import Statistics
from messagegen_kafka import MetadataResponse, RequestHeader, ResponseHeader
from messagegen_spark import decode_messages
from messagegen_spark.advisor import advise, collect
from messagegen_spark.advisor.sources import records_of
from messagegen_spark.cli.advise.main import run_command
from tests.arrow.support.advisor_data import METADATA, ROOT, SPEC, message, statistics, table

pytestmark = [pytest.mark.spark, pytest.mark.xdist_group("spark")]

MESSAGES = [(number % 3, message({"id": number % 300, "numbers": [number, -1]}, number % 3)) for number in range(500)]
DAMAGED = [(1, b"\xff\xff"), (7, b""), (2, MESSAGES[2][1] + b"\0")]


def frame_of(spark: SparkSession, messages: list[tuple[int, bytes]]) -> DataFrame:
    return spark.createDataFrame([(bytes(data), version) for version, data in messages], "value binary, version int")


def as_parquet(spark: SparkSession, folder: Path, messages: list[tuple[int, bytes]]) -> str:
    path = str(folder)
    frame_of(spark, messages).write.parquet(path)
    return path


@pytest.fixture(scope="module")
def specs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("specs")
    (folder / "Sample.json").write_text(SPEC, encoding="utf-8")
    return folder


def collected(frame: DataFrame, **options: Any) -> Statistics:
    return collect(frame, table(), **options)


def test_partitions_add_up_to_a_single_pass(spark: SparkSession) -> None:
    everything = MESSAGES + DAMAGED
    for partitions in (1, 5):
        assert collected(frame_of(spark, everything).repartition(partitions)) == statistics(everything)


def test_one_version_for_all_and_expressions(spark: SparkSession) -> None:
    of_two = [one for one in MESSAGES if one[0] == 2]
    frame = frame_of(spark, of_two).withColumnRenamed("value", "body")
    assert collected(frame, version=2, column="body") == statistics(of_two)
    assert collected(frame, version=sql.lit(2), column=sql.col("body")) == statistics(of_two)


def test_decoded_columns(spark: SparkSession) -> None:
    catalog = Catalog([table()])
    decoded = decode_messages(frame_of(spark, MESSAGES + DAMAGED[:1]), "value", "Sample", "version", catalog=catalog)
    found, expected = collected(decoded, column="message"), statistics(MESSAGES + DAMAGED[:1])
    assert {version: one.fields for version, one in found.versions.items()} == {
        version: one.fields for version, one in expected.versions.items()
    }
    assert (found.messages, found.malformed) == (500, 1)


def test_a_sample_is_a_share(spark: SparkSession) -> None:
    frame = frame_of(spark, MESSAGES)
    found = collected(frame, sample=0.3)
    assert found.sample == 0.3
    assert 0 < found.messages < len(MESSAGES)
    assert collected(frame, sample=0.3) == found


def test_advise(spark: SparkSession) -> None:
    found = advise(frame_of(spark, MESSAGES), table())
    assert isinstance(found, Advice)
    assert found.encodings["Sample", "id"] == "upacked32"
    assert found.encodings["Sample", "numbers"] == "packed64"


@pytest.mark.parametrize(
    ("options", "error", "complaint"),
    [
        ({"version": 3}, LookupError, "has the versions 0 to 2, not 3"),
        ({"sample": 0}, ValueError, "sample must be above 0 and at most 1"),
        ({"sample": 1.5}, ValueError, "sample must be above 0 and at most 1"),
    ],
)
def test_what_cannot_be_asked(
    spark: SparkSession, options: dict[str, Any], error: type[Exception], complaint: str
) -> None:
    with pytest.raises(error, match=complaint):
        collected(frame_of(spark, []), **options)


class TestCommandLine:
    def test_everything_at_once(
        self, spark: SparkSession, tmp_path: Path, specs: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        data = as_parquet(spark, tmp_path / "data", MESSAGES + DAMAGED)
        files = {name: tmp_path / "out" / name for name in ("page.html", "new.diff", "all.json")}
        flags = [
            "--report",
            str(files["page.html"]),
            "--patch",
            str(files["new.diff"]),
            "--save",
            str(files["all.json"]),
        ]
        command = ["run", data, "--message", "Sample", "--version", "version", "--specs", str(specs), "--trial", "20"]
        assert run_command([*command, *flags, "--output", "json"]) == 0
        out, err = capsys.readouterr()
        value = json.loads(out)
        assert (value["messages"], value["malformed"]) == (500, 3)
        assert (
            "warning: 1 messages of version 7 could not be decoded and are left out, such as: there is no version 7"
            in err
        )
        assert Statistics.load(files["all.json"]) == statistics(MESSAGES + DAMAGED)
        encodings = {tuple(one["paths"]): one["recommended"] for one in value["fields"]}
        assert encodings["id",] == "upacked32"
        assert files["new.diff"].read_text(encoding="utf-8") == value["patch"]
        assert [one["name"] for one in value["trial"]["rows"]] == ["now", "fixed", "packed", "upacked", "advised"]
        page = files["page.html"].read_text(encoding="utf-8")
        assert "<h2>Measured</h2>" in page
        assert "The spec of version 3" in page
        assert sorted(file.name for file in files["all.json"].parent.iterdir()) == sorted(files)

    def test_parts_are_merged(
        self, spark: SparkSession, tmp_path: Path, specs: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        parts = [MESSAGES[:200], MESSAGES[200:]]
        files = []
        for number, part in enumerate(parts):
            data = as_parquet(spark, tmp_path / f"data{number}", part)
            files.append(str(tmp_path / f"{number}.json"))
            command = ["run", data, "--message", "Sample", "--version", "version", "--specs", str(specs)]
            assert run_command([*command, "--save", files[-1]]) == 0
        whole = tmp_path / "whole.json"
        capsys.readouterr()
        assert run_command(["merge", *files, "--save", str(whole)]) == 0
        assert Statistics.load(whole) == reduce(add, map(statistics, parts)) == statistics(MESSAGES)
        out = capsys.readouterr().out
        assert "Sample: 500 messages" in out
        assert "version 3 would save" in out

    def test_nothing_that_can_be_read(
        self, spark: SparkSession, tmp_path: Path, specs: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        data = as_parquet(spark, tmp_path / "data", DAMAGED)
        command = ["run", data, "--message", "Sample", "--version", "version", "--specs", str(specs)]
        assert run_command(command) == 1
        assert "Sample: 0 messages" in capsys.readouterr().out

    @pytest.mark.parametrize(
        ("flags", "complaint"),
        [
            (["--message", "Sampel", "--version", "1"], "unknown message Sampel"),
            (["--message", "MetadataResponse"], "missing version of the messages"),
            (
                ["--message", "MetadataResponse", "--version", "api"],
                "neither a number nor one of the columns value, version",
            ),
            (["--message", "MetadataResponse", "--version", "1", "--column", "body"], "unknown column body"),
            (
                ["--message", "MetadataResponse", "--version", "1", "--patch", "x.diff"],
                "name its folder or file with --specs",
            ),
            (["--message", "MetadataResponse", "--version", "1", "--option", "x"], "'x' is not KEY=VALUE"),
            (["--message", "MetadataResponse", "--version", "1", "--where", "no("], "PARSE_SYNTAX_ERROR"),
            (["--message", "MetadataResponse", "--version", "1", "--format", "nothing"], "DATA_SOURCE_NOT_FOUND"),
        ],
    )
    def test_wrong_usage(
        self,
        spark: SparkSession,
        tmp_path: Path,
        specs: Path,
        capsys: pytest.CaptureFixture[str],
        flags: list[str],
        complaint: str,
    ) -> None:
        data = as_parquet(spark, tmp_path / "data", MESSAGES[:2])
        given = ["--specs", str(specs)] if "Sampel" in flags else []
        assert run_command(["run", data, *flags, *given]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert complaint in err.replace("\n", " ")
        assert "Traceback" not in err

    def test_files_that_do_not_add_up(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        one, other = tmp_path / "one.json", tmp_path / "other.json"
        one.write_text(statistics(MESSAGES[:3]).to_json(), encoding="utf-8")
        plan = load_table(patch_spec(SPEC, {}).after).plan
        other.write_text(Statistics("Sample", plan).to_json(), encoding="utf-8")
        assert run_command(["merge", str(one), str(other)]) == 2
        assert "two states of the spec of Sample" in capsys.readouterr().err

    def test_a_page_that_cannot_be_written(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        one = tmp_path / "one.json"
        one.write_text(statistics(MESSAGES[:3]).to_json(), encoding="utf-8")
        assert run_command(["merge", str(one), "--report", str(one / "page.html")]) == 2
        assert "one.json" in capsys.readouterr().err

    @pytest.mark.parametrize(
        "arguments",
        [
            ["run", "", "--message", "MetadataResponse"],
            ["run", "x", "--message", "MetadataResponse", "--save", ""],
            ["run", "x", "--message", "MetadataResponse", "--report", ""],
            ["run", "x", "--message", "MetadataResponse", "--specs", ""],
            ["merge", ""],
            ["kip625", ""],
        ],
    )
    def test_an_empty_path_is_not_the_current_folder(
        self, arguments: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert run_command(arguments) == 2
        assert "must not be empty; is a shell variable not set?" in " ".join(capsys.readouterr().err.split())

    def test_help_teaches(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert run_command(["--help"]) == 0
        assert "messagegen-advise merge day1.json day2.json" in capsys.readouterr().out


class TestSources:
    VALUE: ClassVar[Any] = {
        "throttleTimeMs": 0,
        "brokers": [{"nodeId": 1, "host": "a", "port": 9092, "rack": None}],
        "clusterId": "c",
        "controllerId": 1,
        "topics": [],
        "errorCode": 0,
    }

    def test_a_capture(self, spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        header = RequestHeader(request_api_key=3, request_api_version=13, correlation_id=7, client_id="me")
        body = MetadataResponse.from_json(self.VALUE, version=13).encode(version=13)
        request = header.encode(version=2) + b"\x00\x01\x00\x00"
        response = ResponseHeader(correlation_id=7).encode(version=1) + body
        lines = [
            {"conn": 1, "dir": "request", "t": 1.0, "api_key": 3, "api_version": 13, "correlation_id": 7, "hex": request.hex()},
            {"conn": 1, "dir": "response", "t": 1.1, "api_key": 3, "api_version": 13, "correlation_id": 7, "hex": response.hex()},
        ]  # fmt: skip
        dump = tmp_path / "dump.jsonl"
        dump.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        command = ["run", str(dump), "--format", "kafka-capture", "--output", "json", "--message"]
        assert run_command([*command, "MetadataResponse"]) == 0
        value = json.loads(capsys.readouterr().out)
        assert (value["messages"], value["malformed"]) == (1, 0)
        assert {row["version"] for row in value["versions"]} == {13}
        assert value["families"][0]["bytes"] == len(body)
        assert run_command([*command, "OffsetCommitValue"]) == 2
        assert "is neither a request nor a response" in capsys.readouterr().err

    def test_records_of_internal_topics(self, spark: SparkSession) -> None:
        rows = [
            (b"\x00\x01k", b"\x00\x03offset"),
            (b"\x00\x01k", None),
            (b"\x00\x02k", b"\x00\x03group"),
            (b"", b"\x01\x02\x00topic"),
            (None, b"\x01\x03\x01other"),
        ]
        frame = spark.createDataFrame(rows, "key binary, value binary")
        catalog = default_catalog()
        found = {
            name: [tuple(row) for row in records_of(frame, catalog.message(name)).collect()]
            for name in ("OffsetCommitValue", "GroupMetadataKey", "TopicRecord")
        }
        assert found == {
            "OffsetCommitValue": [(b"offset", 3)],
            "GroupMetadataKey": [(b"k", 0)],
            "TopicRecord": [(b"topic", 0)],
        }


def test_the_request_of_a_response_follows(spark: SparkSession, tmp_path: Path) -> None:
    body = MetadataResponse.from_json(TestSources.VALUE, version=13).encode(version=13)
    data = as_parquet(spark, tmp_path / "data", [(13, body)] * 3)
    diff = tmp_path / "new.diff"
    command = ["run", data, "--message", "MetadataResponse", "--version", "13", "--patch", str(diff)]
    assert run_command([*command, "--specs", str(ROOT / "message_specs")]) == 0
    text = diff.read_text(encoding="utf-8")
    assert "MetadataResponse.json" in text
    assert "MetadataRequest.json" in text
    assert text.count('+  "validVersions": "0-14"') == 2
    assert METADATA in (ROOT / "message_specs" / "MetadataResponse.json").read_bytes().decode()
