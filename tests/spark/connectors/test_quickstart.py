"""The quickstart with a broker, Spark's Kafka source and Delta runs as printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

pytest.importorskip("pyspark", reason="PySpark is not installed: `make test` installs it")

from tests.broker.cluster import Cluster
from tests.conftest import Golden
from tests.docs.setting import ROOT
from tests.oracle.jars import maven_jars
from tests.spark.connectors.versions import DELTA
from tests.spark.support.java import ENVIRONMENT, OTHER_JARS

pytestmark = [
    pytest.mark.spark,
    pytest.mark.java,
    pytest.mark.slow,
    pytest.mark.slow,
    pytest.mark.xdist_group("connectors"),
]

PAGE: Final = ROOT / "docs" / "quickstart" / "data-engineer.md"
_POMS: Final = ("delta", "kafka")


@pytest.fixture
def own_broker(tmp_path: Path) -> Iterator[Cluster]:
    """A broker only for the page, which reads the whole log folder."""
    with Cluster(tmp_path / "broker") as cluster:
        yield cluster


def test_the_quickstart_runs_as_printed(
    own_broker: Cluster, python_with: Callable[[str], Path], tmp_path: Path, golden: Golden
) -> None:
    python = python_with(DELTA)
    folder = tmp_path / "page"
    folder.mkdir()
    stands_for = {
        "localhost:9092": own_broker.bootstrap(),
        "/var/lib/kafka/data": str(own_broker.log_dir()),
        # With the page's value, Spark would fetch the jars again.
        "spark.jars.packages": "spark.of.the.page",
    }
    java = {**ENVIRONMENT, "SPARK_SUBMIT_OPTS": OTHER_JARS, "SPARK_CONF_DIR": str(settings(tmp_path / "conf"))}
    path = os.pathsep.join([str(python.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        [python, "-m", "tests.spark.connectors.follow_page", json.dumps([str(PAGE), str(folder), stands_for])],
        cwd=folder,
        env=os.environ | java | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    golden(PAGE, done.stdout)


def settings(folder: Path) -> Path:
    """Return a folder with settings for all sessions on the page: its jars, and settings that save time."""
    jars = [jar for name in _POMS for jar in sorted(of_pom(name).glob("*.jar"))]
    lines = {
        "spark.jars": ",".join(map(str, jars)),
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.log.level": "ERROR",
        "spark.sql.shuffle.partitions": "2",
        "spark.databricks.delta.snapshotPartitions": "2",
    }
    folder.mkdir()
    (folder / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in lines.items()))
    return folder


def of_pom(name: str) -> Path:
    """Return the folder with the jars in a connector's ``pom.xml``."""
    return maven_jars(f"spark-{name}", Path(__file__).with_name(f"{name}.pom.xml"))
