"""The process of name nodes and data node, and how clients find it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.oracle.jars import java_program, maven_jars

SERVICE: Final = "minidfs-ns"
_HERE: Final = Path(__file__).resolve().parent
_STOP_SECONDS: Final = 30
_LOG_LINES: Final = 30


class HdfsError(RuntimeError):
    """Raised where the cluster does not start; carries the end of its log."""


@dataclass(frozen=True)
class MiniHdfs:
    """A running cluster: the ports of its name nodes, and a folder for ``HADOOP_CONF_DIR``."""

    standby: int
    active: int
    conf: Path


@contextmanager
def running_hdfs(folder: Path) -> Iterator[MiniHdfs]:
    """A cluster that keeps its files in a folder; it ends with the block, or with this process. Raises ``OracleSetupError`` without Java."""
    log = folder / "log"
    command = java_program(
        _HERE / "java" / "MiniHdfs.java", maven_jars("hdfs", _HERE / "pom.xml"), str(folder / "data")
    )
    with (
        log.open("wb") as errors,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, cwd=folder) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            ports = _ports(process.stdout.readline().decode(), log)
            yield MiniHdfs(*ports, _conf(folder / "conf", *ports))
        finally:
            process.stdin.close()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _ports(line: str, log: Path) -> tuple[int, int]:
    words = line.split()
    if not words or words[0] != "READY":
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        raise HdfsError("\n".join(["HDFS did not start; the end of its log:", *lines[-_LOG_LINES:]]))
    return int(words[1]), int(words[2])


def _conf(folder: Path, standby: int, active: int) -> Path:
    settings = {
        "dfs.nameservices": SERVICE,
        f"dfs.ha.namenodes.{SERVICE}": "nn1,nn2",
        f"dfs.namenode.rpc-address.{SERVICE}.nn1": f"127.0.0.1:{standby}",
        f"dfs.namenode.rpc-address.{SERVICE}.nn2": f"127.0.0.1:{active}",
    }
    folder.mkdir()
    _write(folder / "core-site.xml", {"fs.defaultFS": f"hdfs://{SERVICE}"})
    _write(folder / "hdfs-site.xml", settings)
    return folder


def _write(file: Path, settings: dict[str, str]) -> None:
    properties = (f"<property><name>{name}</name><value>{value}</value></property>" for name, value in settings.items())
    file.write_text(f"<configuration>{''.join(properties)}</configuration>{os.linesep}", encoding="utf-8")
