"""Traffic that leaves traces of every kind in a broker's logs, made by Apache's Java clients."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from typing import Final

from tests.broker.cluster import Cluster
from tests.broker.java_classes import broker_classes
from tests.broker.settings import Listener
from tests.oracle.jars import java_command

RECORDS: Final = 1000
"""How many records each topic of records gets where nothing else is said."""

_LOG_LEVEL: Final = "-Dorg.slf4j.simpleLogger.defaultLogLevel=error"


class TrafficError(RuntimeError):
    """Raised where a step fails; names it, with what Java said."""


def make_traffic(
    cluster: Cluster, *, records: int = RECORDS, listener: Listener = "PLAINTEXT", acls: bool = False
) -> Iterator[str]:
    """Makes the traffic on a fresh cluster of one broker and gives the name of each step when it is done.

    Topics ``codec-none`` to ``codec-zstd``, ``audit`` (LogAppendTime), ``profiles`` (compacted), ``ledger`` (transactions
    committed, aborted, left open) and ``sensors`` with up to ``records`` records each; classic, consumer and
    share groups; topic configs, partitions, client quotas, SCRAM users; with ``acls`` (and ``Cluster(authorizer=True)``)
    ACLs. ``listener`` is one without a login: ``PLAINTEXT`` or ``CAPTURED``. Raises ``TrafficError``.
    """
    arguments = [cluster.bootstrap(listener), str(records), *(["acls"] if acls else [])]
    command = java_command("messagegen.broker.Traffic", *arguments, classes=[broker_classes()], options=[_LOG_LEVEL])
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, encoding="utf-8")
        try:
            yield from _steps(process)
        except TrafficError as problem:
            log.seek(0)
            raise TrafficError("\n".join([str(problem), *log.read().splitlines()[-20:]])) from None
        finally:
            process.kill()
            process.wait()


def _steps(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    with closing(process.stdout) as lines:
        for line in lines:
            step = json.loads(line)
            if "error" in step:
                raise TrafficError(f"{step['step']}: {step['error']}: {step['message']}")
            yield step["step"]
    if process.wait():
        raise TrafficError(f"the Java program for traffic ended with exit code {process.returncode}")
