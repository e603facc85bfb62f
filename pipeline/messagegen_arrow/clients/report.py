"""The report on clients: whether each of them works with some releases, and the APIs that decide that."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from messagegen_arrow.clients.releases import api_support, releases_of
from messagegen_arrow.clients.traffic import Client, ClientName, ClientTraffic
from messagegen_arrow.clients.verdicts import UsedVersion, Verdict, verdict, worst
from messagegen_arrow.frames.api_names import api_name


@dataclass(frozen=True, slots=True)
class UsedApi:
    """The versions of an API that a client used, and the worst verdict on them.

    ``release`` is the first release with the verdict, and ``supported`` are its versions.
    """

    api_key: int
    versions: tuple[int, ...]
    verdict: Verdict
    release: str
    supported: range

    @property
    def name(self) -> str:
        """Kafka's name of the API."""
        return api_name(self.api_key) or f"API key {self.api_key}"


@dataclass(frozen=True, slots=True)
class ClientReport:
    """A client, the worst verdict on it, and the first release with this verdict.

    ``addresses`` is the number of its addresses, and 0 if they are unknown. ``apis`` begin with the worst.
    """

    name: ClientName
    addresses: int
    connections: int
    verdict: Verdict
    release: str
    apis: tuple[UsedApi, ...]


def client_reports(traffic: ClientTraffic, broker: str) -> list[ClientReport]:
    """Return a report on each client, the worst first.

    ``broker`` is a release of Kafka such as ``4.4.0``, or a range such as ``3.9..4.4``, whose worst release counts.
    Raises ``ValueError`` for unknown releases.
    """
    releases = releases_of(broker)
    reports = [_report(traffic, name, client, releases) for name, client in traffic.clients.items()]
    return sorted(reports, key=lambda each: (-each.verdict.badness, [part or "" for part in each.name]))


def _report(traffic: ClientTraffic, name: ClientName, client: Client, releases: Sequence[str]) -> ClientReport:
    apis = [_used_api(api_key, used, releases) for api_key, used in traffic.used_versions(client).items()]
    apis.sort(key=lambda api: (-api.verdict.badness, releases.index(api.release)))
    decisive = apis[0]
    return ClientReport(
        name, len(client.addresses), client.connections, decisive.verdict, decisive.release, tuple(apis)
    )


def _used_api(api_key: int, used: Collection[UsedVersion], releases: Sequence[str]) -> UsedApi:
    verdicts = {release: verdict(used, api_support(release, api_key)) for release in releases}
    found = worst(verdicts.values())
    release = next(each for each in releases if verdicts[each] is found)
    versions = tuple(sorted({each.version for each in used}))
    return UsedApi(api_key, versions, found, release, api_support(release, api_key).versions)
