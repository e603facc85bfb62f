"""The catalog of tables has the topics of a log folder, which the source ``kafka-log`` reads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from messagegen_kafka import OffsetCommitValue
from tests.arrow.support.log_data import Batch, Data, many_batches, write_segment
from tests.spark.support.log_lines import log_lines
from tests.support.specs import field, made

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [
    pytest.mark.spark,
    pytest.mark.xdist_group("spark"),
]

CATALOG = "spark.sql.catalog.logs"
TOPICS = ["Orders", "__x", "a.b-c_0", "commits", "my.topic", "my_topic", "orders", "orders-0"]
COMMIT = OffsetCommitValue(offset=7, metadata="m", commit_timestamp=1).encode(version=3)

Tables = Callable[..., None]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """A broker's folder in which each topic has a different number of records."""
    folder = tmp_path / "logs"
    for number, topic in enumerate(TOPICS, 1):
        for partition in range(2):
            write_segment(folder / f"{topic}-{partition}", 0, many_batches(0, number))
    write_segment(folder / "commits-0", 0, [Batch(0, [Data(COMMIT)]).encode()])
    write_segment(folder / "commits-1", 0, [Batch(0, [Data(COMMIT)]).encode()])
    write_segment(folder / f"gone-0.{'0' * 32}-delete", 0, many_batches(0, 1))
    return folder


@pytest.fixture
def catalog(spark: SparkSession, logs: Path) -> Iterator[None]:
    """The catalog ``logs``, whose settings are removed after the test."""
    spark.conf.set(CATALOG, "messagegen.spark.Logs")
    spark.conf.set(f"{CATALOG}.path", str(logs))
    yield
    for name in [name for name in spark.conf.getAll if name.startswith(CATALOG)]:
        spark.conf.unset(name)


@pytest.fixture
def tables(spark: SparkSession, catalog: None, tmp_path: Path) -> Tables:
    """Return a function that writes the file with the options of tables."""

    def write(**options: dict[str, Any]) -> None:
        file = tmp_path / "tables.json"
        file.write_text(json.dumps(options))
        spark.conf.set(f"{CATALOG}.tables", str(file))

    return write


def shown(spark: SparkSession, statement: str = "SHOW TABLES IN logs") -> list[str]:
    return [row.tableName for row in spark.sql(statement).collect()]


def read(spark: SparkSession, table: str, **options: str) -> list[str]:
    return sorted(map(str, spark.read.options(**options).table(f"logs.`{table}`").collect()))


def of_source(spark: SparkSession, logs: Path, **options: str) -> list[str]:
    return sorted(map(str, spark.read.format("kafka-log").options(**options).load(str(logs)).collect()))


@pytest.mark.usefixtures("catalog")
def test_each_topic_is_a_table_with_the_rows_of_the_source(spark: SparkSession, logs: Path) -> None:
    assert shown(spark) == TOPICS
    assert shown(spark, "SHOW TABLES IN logs LIKE 'my*'") == ["my.topic", "my_topic"]
    rows = of_source(spark, logs)
    for topic in TOPICS:
        found = read(spark, topic)
        assert found == [row for row in rows if f", topic='{topic}'," in row]
        assert found != []


def test_options_come_from_the_catalog_then_the_file_then_the_query(
    spark: SparkSession, logs: Path, tables: Tables
) -> None:
    tables(
        orders={"startingOffset": 7},
        commits={"message": "offsetcommitvalue", "VERSION": 3, "mode": "PERMISSIVE", "includeControl": True},
    )
    spark.conf.set(f"{CATALOG}.startingOffset", "5")
    assert read(spark, "orders-0") == of_source(spark, logs, topics="orders-0", startingOffset="5")
    assert read(spark, "orders") == of_source(spark, logs, topics="orders", startingOffset="7")
    assert read(spark, "orders", startingOffset="9") == of_source(spark, logs, topics="orders", startingOffset="9")
    (row,) = spark.sql("SELECT count(*) FROM logs.orders WITH (startingOffset 9)").collect()
    assert row[0] == 2 * (3 * 7 - 9)
    spark.conf.unset(f"{CATALOG}.startingOffset")
    rows = spark.sql("SELECT message.metadata FROM logs.commits").collect()
    assert [row.metadata for row in rows] == ["m", "m"]


def test_a_table_of_the_file_may_read_other_topics(spark: SparkSession, logs: Path, tables: Tables) -> None:
    tables(
        two={"topics": "orders,my.topic"},
        small={"topicsPattern": "orders.*", "columns": "topic,offset"},
        later={},
    )
    assert shown(spark) == sorted([*TOPICS, "two", "small", "later"])
    assert read(spark, "two") == of_source(spark, logs, topics="orders,my.topic")
    assert spark.table("logs.small").columns == ["topic", "offset"]
    assert read(spark, "small") == of_source(spark, logs, topicsPattern="orders.*", columns="topic,offset")
    with pytest.raises(Exception, match="no topic later; "):
        read(spark, "later")


def test_a_table_may_have_messages_with_an_own_plan(
    spark: SparkSession, logs: Path, tables: Tables, tmp_path: Path
) -> None:
    own = made(field("Cents", "int64", about="The price."))
    plan = tmp_path / "own.plan"
    plan.write_text(own.CODEC.plan)
    write_segment(logs / "sales-0", 0, [Batch(0, [Data(own(cents=5).encode(version=0))]).encode()])
    spark.conf.set(f"{CATALOG}.plans", str(plan))
    tables(sales={"message": own.__name__, "version": 0})
    assert [row.cents for row in spark.sql("SELECT message.cents FROM logs.sales").collect()] == [5]
    described = {row.col_name: row.data_type for row in spark.sql("DESCRIBE TABLE EXTENDED logs.sales").collect()}
    assert described["message"] == "struct<cents:bigint>"
    (cents,) = spark.sql("DESCRIBE QUERY SELECT message.* FROM logs.sales").collect()
    assert (cents.col_name, cents.comment) == ("cents", "The price.")
    assert (described["Type"], described["Provider"]) == ("EXTERNAL", "kafka-log")
    assert described["Table Properties"] == f"[message={own.__name__},path={logs},topics=sales,version=0]"


@pytest.mark.usefixtures("catalog")
def test_filters_reach_the_source_and_only_the_topic_is_read(spark: SparkSession) -> None:
    frame = spark.sql("SELECT offset FROM logs.orders WHERE partition = 1 AND offset > 18")
    with log_lines(spark, "messagegen.spark.LogScan", "INFO") as lines:
        assert [row.offset for row in frame.collect()] == [19, 20]
    skipped = 2 * len(TOPICS) - 1
    assert f"kafka-log: 1 segments; skipped by filters: 0 segments, {skipped} partitions" in lines()
    (plan,) = spark.sql("EXPLAIN SELECT offset FROM logs.orders WHERE offset > 18").collect()
    assert "BatchScan logs.orders[offset" in plan[0]
    assert "topics: orders, mode: FAILFAST, PushedFilters: [offset > 18]" in plan[0]


@pytest.mark.usefixtures("catalog")
def test_views_and_the_current_catalog_work(spark: SparkSession) -> None:
    spark.sql("CREATE VIEW log_view AS SELECT offset FROM logs.orders WHERE offset < 2")
    try:
        spark.sql("USE logs")
        assert shown(spark, "SHOW TABLES") == TOPICS
        assert spark.sql("SELECT * FROM `a.b-c_0`").count() == 18
        assert spark.catalog.tableExists("orders")
        assert not spark.catalog.tableExists("nothing")
        spark.sql("USE spark_catalog")
        assert spark.table("log_view").count() == 4
    finally:
        spark.sql("USE spark_catalog")
        spark.sql("DROP VIEW log_view")


@pytest.mark.usefixtures("catalog")
def test_python_can_describe_but_not_list_tables(spark: SparkSession) -> None:
    """Spark 4.3.0 parses the schema of each table, which is empty. The page names the error."""
    assert spark.catalog.getTable("logs.orders").tableType == "EXTERNAL"
    assert spark.catalog.listColumns("logs.orders")[0].name == "key"
    with pytest.raises(Exception, match="PARSE_EMPTY_STATEMENT"):
        spark.catalog.listTables("logs")


def test_a_stream_over_a_table_reads_each_record_once(
    spark: SparkSession, logs: Path, tables: Tables, tmp_path: Path
) -> None:
    tables(offsets={"topics": "orders", "columns": "partition,offset"})

    def rows() -> list[tuple[int, int]]:
        query = (
            spark.readStream.option("maxOffsetsPerTrigger", "30")
            .table("logs.offsets")
            .writeStream.format("parquet")
            .option("checkpointLocation", str(tmp_path / "checkpoint"))
            .trigger(availableNow=True)
            .start(str(tmp_path / "out"))
        )
        assert query.awaitTermination(120)
        assert query.exception() is None
        return sorted((row.partition, row.offset) for row in spark.read.parquet(str(tmp_path / "out")).collect())

    expected = [(partition, offset) for partition in range(2) for offset in range(21)]
    assert rows() == expected
    write_segment(logs / "orders-0", 21, many_batches(21, 1))
    assert rows() == sorted([*expected, *((0, offset) for offset in range(21, 24))])


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize("name", ["nothing", "ORDERS", "order", "gone", "my`.`topic", "default`.`orders"])
def test_an_unknown_topic_is_an_unknown_table(spark: SparkSession, name: str) -> None:
    with pytest.raises(Exception, match="TABLE_OR_VIEW_NOT_FOUND"):
        spark.sql(f"SELECT * FROM logs.`{name}`")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"mesage": "x"}, r"table logs\.orders: kafka-log has no option mesage; did you mean message\?"),
        ({"message": "OrderPlaced"}, f"table logs.orders: unknown message OrderPlaced; .*set {CATALOG}.plans"),
        ({"startingOffset": "x"}, "table logs.orders: option startingOffset: expected a whole number"),
        ({"columns": "nothing"}, "table logs.orders: "),
        ({"version": 1}, "table logs.orders: option version needs message"),
        ({"provider": "kafka-log"}, "table logs.orders: kafka-log has no option provider"),
        ({"columns": ["offset"]}, r"table orders: option columns: expected a string, .* found \[\"offset\"\]"),
        ({"version": None}, "table orders: option version: expected a string, a number, true or false, found null"),
    ],
)
def test_wrong_options_name_the_table(spark: SparkSession, tables: Tables, options: dict[str, Any], text: str) -> None:
    tables(orders=options)
    with pytest.raises(Exception, match=text):
        spark.table("logs.orders")


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize("text", ["", "x", "[]", "null", '{"a": 1}', '{"a": {}, "a": {}}', "{} {}", '{"a": {"b": 1'])
def test_a_file_in_another_form_is_refused(spark: SparkSession, tmp_path: Path, text: str) -> None:
    file = tmp_path / "tables.json"
    file.write_text(text)
    spark.conf.set(f"{CATALOG}.tables", str(file))
    with pytest.raises(Exception, match=f"tables: {file}: expected JSON such as "):
        shown(spark)


@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize(
    ("setting", "value", "text"),
    [
        ("path", None, f"{CATALOG}.path is not set; set it to the folder of the logs"),
        ("path", "/nothing", "/nothing does not exist"),
        ("path", "/proc/self/fd", "/proc/self/fd holds no Kafka logs"),
        ("tables", "/nothing.json", "tables: there is nothing at /nothing.json"),
        ("tables", "/", "tables: / cannot be read: .* expected a file, found a folder"),
        ("topics", "orders", f"{CATALOG}.topics: the name of a table is its topic; .*{CATALOG}.tables"),
        ("Assign", "{}", f"{CATALOG}.assign: the name of a table is its topic"),
        ("mod", "PERMISSIVE", r"kafka-log has no option mod; did you mean mode\?"),
    ],
)
def test_wrong_settings_are_refused(spark: SparkSession, setting: str, value: str | None, text: str) -> None:
    if value is None:
        spark.conf.unset(f"{CATALOG}.{setting}")
    else:
        spark.conf.set(f"{CATALOG}.{setting}", value)
    for use in (lambda: shown(spark), lambda: spark.table("logs.orders")):
        with pytest.raises(Exception, match=text):
            use()


@pytest.mark.usefixtures("catalog")
def test_options_of_a_query_cannot_change_columns(spark: SparkSession) -> None:
    with pytest.raises(Exception, match="options of a query cannot change the columns of a table"):
        spark.read.option("columns", "offset").table("logs.orders").collect()


@pytest.mark.slow
@pytest.mark.usefixtures("catalog")
@pytest.mark.parametrize(
    ("statement", "text"),
    [
        ("CREATE TABLE logs.new (a INT)", "the catalog logs is read-only; create tables in another catalog"),
        ("CREATE TABLE logs.new AS SELECT 1 AS a", "the catalog logs is read-only"),
        ("CREATE TABLE logs.orders AS SELECT 1 AS a", "TABLE_OR_VIEW_ALREADY_EXISTS"),
        ("DROP TABLE logs.orders", f"the catalog logs is read-only; .* options in the file of {CATALOG}.tables"),
        ("ALTER TABLE logs.orders ADD COLUMN x INT", "the catalog logs is read-only"),
        ("ALTER TABLE logs.orders RENAME TO logs.new", "the catalog logs is read-only"),
        ("INSERT INTO logs.orders SELECT * FROM logs.orders", "does not support append in batch mode"),
        ("DELETE FROM logs.orders", "does not support deletes"),
        ("TRUNCATE TABLE logs.orders", "does not support truncates"),
    ],
)
def test_tables_cannot_be_written(spark: SparkSession, logs: Path, statement: str, text: str) -> None:
    before = of_source(spark, logs)
    with pytest.raises(Exception, match=text):
        spark.sql(statement)
    assert of_source(spark, logs) == before
    assert shown(spark) == TOPICS


def test_a_changed_file_is_read_again(spark: SparkSession, tables: Tables) -> None:
    tables(orders={"startingOffset": 18})
    assert spark.table("logs.orders").count() == 6
    tables(orders={"startingOffset": 19, "mode": "PERMISSIVE"})
    assert spark.table("logs.orders").count() == 4


@pytest.mark.slow
@pytest.mark.usefixtures("catalog")
def test_the_catalog_works_in_a_spark_connect_session(spark: SparkSession, logs: Path) -> None:
    pytest.importorskip("grpc", reason="PySpark is not installed with Connect: `make test` installs it")
    from messagegen_spark import register  # noqa: PLC0415 - tests without Connect do not need it
    from tests.spark.support.sessions import connect_session  # noqa: PLC0415

    with connect_session(spark) as session:
        register(session)
        session.conf.set(CATALOG, "messagegen.spark.Logs")
        session.conf.set(f"{CATALOG}.path", str(logs))
        assert shown(session) == TOPICS
        assert session.table("logs.orders").count() == 42
