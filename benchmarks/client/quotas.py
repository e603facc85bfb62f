"""Quotas of thousands of entities: a quota file applied, and what operators do with Apache's tool."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from benchmarks.client.names import (
    ALTER,
    APPLY,
    CHANGED,
    JAVA_ADMIN,
    JAVA_CONFIGS,
    JAVA_CONFIGS_WARM,
    QUOTAS,
    UNCHANGED,
)
from benchmarks.client.taking_turns import Contestant, take_turns
from benchmarks.measures import Measure
from benchmarks.processes import WorkerError, run_program
from messagegen_client import Admin, ClientQuotaAlteration, ClientQuotaEntity, Op
from tests.broker.cluster import Cluster
from tests.broker.tools import JavaTools
from tests.oracle.jars import TOOLS_RELEASE, java_command

_RATE: Final = "producer_byte_rate"
_CONFIG_COMMAND: Final = "kafka.admin.ConfigCommand"
_KIND: Final = "user"


def measure(
    cluster: Cluster,
    tools: JavaTools,
    folder: Path,
    *,
    entities: int,
    java_entities: int,
    rounds: int,
    progress: Callable[[str], None],
) -> list[Measure]:
    """Times ``entities`` users by ours and one Java call, ``java_entities`` of them by Apache's tool.

    Raises ``WorkerError`` where a command fails.
    """
    bench = _Bench(cluster, tools, folder, entities)
    with Admin(cluster.bootstrap()) as bench.admin:
        contestants = {
            (CHANGED, APPLY): Contestant(entities, bench.apply),
            # Rounds are in this order, so the file is the one that was just applied.
            (UNCHANGED, APPLY): Contestant(entities, bench.apply_again),
            (CHANGED, ALTER): Contestant(entities, bench.alter),
            (CHANGED, JAVA_ADMIN): Contestant(entities, bench.java_admin),
            (CHANGED, JAVA_CONFIGS_WARM): Contestant(
                java_entities, lambda turn: bench.in_warm_jvm(turn, java_entities)
            ),
            (CHANGED, JAVA_CONFIGS): Contestant(java_entities, lambda turn: bench.in_own_jvm(turn, java_entities)),
        }
        return take_turns(QUOTAS, contestants, rounds, progress)


class _Bench:
    """A cluster, and everybody's way to give users a rate that they have not yet."""

    def __init__(self, cluster: Cluster, tools: JavaTools, folder: Path, entities: int) -> None:
        self.cluster = cluster
        self.tools = tools
        self.file = folder / "quotas.yaml"
        self.users = [f"user-{number:05}" for number in range(entities)]
        self.admin: Admin
        self._last_rate = 1_000_000

    def apply(self, _turn: int) -> None:
        """The command, from start to exit, with a file in which every rate is another one."""
        self._write_file(self._next_rate())
        self.apply_again(_turn)

    def apply_again(self, _turn: int) -> None:
        """The same with the file as it is."""
        command = Path(sys.executable).with_name("kafka-client-quotas")
        run_program(
            [str(command), "apply", str(self.file), "--bootstrap-server", self.cluster.bootstrap(), "--output", "json"],
            {},
        )

    def alter(self, _turn: int) -> None:
        """The call behind it, of a client that is connected."""
        rate = self._next_rate()
        self.admin.alter_client_quotas(
            ClientQuotaAlteration(ClientQuotaEntity({_KIND: user}), [Op(_RATE, rate)]) for user in self.users
        ).raise_for_errors()

    def java_admin(self, _turn: int) -> None:
        """One call of the Java admin client for all users."""
        rate = self._next_rate()
        entries = [{"entity": {_KIND: user}, "ops": {_RATE: rate}} for user in self.users]
        errors = self.tools.call("alterClientQuotas", self.cluster, entries=entries)
        if any(errors):
            raise WorkerError(f"the Java admin client could not alter quotas: {next(filter(None, errors))}")

    def in_warm_jvm(self, _turn: int, count: int) -> None:
        """Apache's tool for one user after the other, by one JVM that is warm: the least that it can take."""
        rate = self._next_rate()
        for user in self.users[:count]:
            done = self.tools.run("kafka-configs", *self._arguments(user, rate))
            if done.exit:
                raise WorkerError(f"kafka-configs failed: {done.err or done.out}")

    def in_own_jvm(self, _turn: int, count: int) -> None:
        """Apache's tool as its script starts it: a JVM for each user."""
        rate = self._next_rate()
        for user in self.users[:count]:
            run_program(java_command(_CONFIG_COMMAND, *self._arguments(user, rate), release=TOOLS_RELEASE), {})

    def _arguments(self, user: str, rate: int) -> Iterable[str]:
        where = ["--bootstrap-server", self.cluster.bootstrap(), "--alter"]
        return [*where, "--add-config", f"{_RATE}={rate}", "--entity-type", "users", "--entity-name", user]

    def _next_rate(self) -> int:
        self._last_rate += 1
        return self._last_rate

    def _write_file(self, rate: int) -> None:
        entries: list[Any] = [{"entity": {_KIND: user}, "values": {_RATE: rate}} for user in self.users]
        # JSON is YAML, and one line an entity.
        lines = ",\n".join(json.dumps(entry) for entry in entries)
        self.file.write_text(f'{{"quotas": [\n{lines}\n]}}\n', encoding="utf-8")
