"""The report on a capture before an upgrade is what happens to real clients after it.

``captured.jsonl.gz`` is the capture of a run of this test.
"""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from messagegen_arrow import captured_clients, client_reports
from messagegen_arrow.clients.releases import api_support
from messagegen_arrow.clients.report import ClientReport
from messagegen_arrow.clients.verdicts import Verdict
from messagegen_kafka import ApiVersionsRequest, ApiVersionsResponse, ProduceRequest
from tests.arrow.clients.applications import working_clients
from tests.broker.capture import Capture
from tests.broker.cluster import Cluster
from tests.broker.older import BROKER_RELEASE, OLDEST_CLIENT
from tests.broker.pcap import Network
from tests.broker.records import create_topics
from tests.oracle.jars import KAFKA_RELEASE

pytestmark = [pytest.mark.java, pytest.mark.slow, pytest.mark.xdist_group("broker")]


def reports_on(capture: Path, release: str) -> dict[str | None, ClientReport]:
    """Return the reports on the clients in a capture, by client id."""
    found = client_reports(captured_clients(capture).traffic, release)
    assert len({report.name.client_id for report in found}) == len(found)
    return {report.name.client_id: report for report in found}


def produce_versions_offered(bootstrap: str) -> range:
    """Return the versions of Produce in a broker's ApiVersions response."""
    host, _, port = bootstrap.partition(":")
    version = ApiVersionsRequest.VALID_VERSIONS[-1]
    request = ApiVersionsRequest(client_software_name="tests", client_software_version="1")
    with socket.create_connection((host, int(port)), timeout=30) as connection, connection.makefile("rb") as answers:
        connection.sendall(request.encode_frame(version=version, correlation_id=1))
        size = answers.read(4)
        frame = size + answers.read(int.from_bytes(size))
    _, response = ApiVersionsResponse.decode_frame(frame, version=version)
    (found,) = [each for each in response.api_keys if each.api_key == ProduceRequest.API_KEY]
    return range(found.min_version, found.max_version + 1)


def test_exactly_the_reported_clients_break_with_the_upgrade(tmp_path: Path) -> None:
    pcap, frames = tmp_path / "captured.pcap", tmp_path / "captured.jsonl.gz"
    with Cluster(tmp_path / "cluster", release=BROKER_RELEASE) as cluster:
        create_topics(cluster.bootstrap(), {"orders": 1})
        with Capture(cluster.captured_ports(), pcap=pcap, frames=frames, network=Network()):
            before = working_clients(cluster.bootstrap("CAPTURED"), "orders")
        cluster.stop()
        cluster.release = KAFKA_RELEASE
        cluster.start_all()
        after = working_clients(cluster.bootstrap(), "orders")
        offered = produce_versions_offered(cluster.bootstrap())

    assert set(before.values()) == {True}
    of_today = reports_on(pcap, BROKER_RELEASE)
    fell_back = {name for name, report in of_today.items() if report.verdict is Verdict.FELL_BACK}
    # Only the newest client begins with a version of ApiVersions that the old broker refuses.
    assert fell_back == {KAFKA_RELEASE}
    assert {report.verdict for name, report in of_today.items() if name != KAFKA_RELEASE} == {Verdict.WORKS}

    reports = reports_on(pcap, KAFKA_RELEASE)
    assert {name: report.verdict for name, report in reports.items()} == {
        name: Verdict.WORKS if works else Verdict.BREAKS for name, works in after.items()
    }
    assert [name for name, works in after.items() if not works] == [OLDEST_CLIENT]
    # Its versions are offered, but refused.
    assert api_support(KAFKA_RELEASE, ProduceRequest.API_KEY).versions[0] > offered[0]
