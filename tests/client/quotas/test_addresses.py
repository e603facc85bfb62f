"""Entities whose names are the same address are one entity when resolving and planning, and in files."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from messagegen_client.quotas.addresses import address_of, address_warnings, same_for_brokers
from messagegen_client.quotas.entities import ClientQuotaEntity
from messagegen_client.quotas.file.reading import QuotaFile, QuotaFileError, read_quota_file
from messagegen_client.quotas.plan import plan_quotas
from messagegen_client.quotas.resolution import ResolvedQuota, resolve

RATE = "connection_creation_rate"
LONG = ClientQuotaEntity(ip="2001:0db8:0:0::1")
SHORT = ClientQuotaEntity(ip="2001:db8::1")


@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("127.1", "127.0.0.1"),
        ("127.0.1", "127.0.0.1"),
        ("127.0.0.1", "127.0.0.1"),
        ("2130706433", "127.0.0.1"),
        ("010.0.0.1", "10.0.0.1"),
        ("1.65535", "1.0.255.255"),
        ("2001:0DB8:0:0::1", "2001:db8::1"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("fe80::1%eth0", "fe80::1%eth0"),
    ],
)
def test_addresses_are_read_as_java_reads_them(name: str, address: str) -> None:
    assert str(address_of(name)) == address


@pytest.mark.parametrize(
    "name", ["localhost", "a.example", "1.2.3.4.5", "256.0.0.1", "1.2.65536", "4294967296", "", "1..2", "::g", "0x7f.1"]
)
def test_names_of_hosts_are_not_addresses(name: str) -> None:
    assert address_of(name) is None


@given(st.ip_addresses())
def test_all_spellings_of_an_address_are_equal(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    texts = {str(address), address.exploded, address.exploded.upper()}
    assert len({address_of(text) for text in texts}) == 1


def test_resolving_finds_an_address_in_another_spelling() -> None:
    entries = {LONG: {RATE: 5.0}, ClientQuotaEntity(ip=None): {RATE: 9.0}}
    assert resolve([SHORT], entries) == {SHORT: {RATE: ResolvedQuota(5.0, LONG)}}
    other = ClientQuotaEntity(ip="::1")
    assert resolve([other], entries)[other][RATE].value == 9.0


def test_a_user_name_is_never_read_as_an_address() -> None:
    user = ClientQuotaEntity(user="127.1")
    assert same_for_brokers(user) == user
    assert resolve([user], {ClientQuotaEntity(user="127.0.0.1"): {RATE: 5.0}}) == {user: {}}


def test_a_planned_change_uses_the_spelling_of_the_address_in_the_cluster() -> None:
    file = QuotaFile({SHORT: {RATE: 7.0}}, frozenset({frozenset({"ip"})}))
    planned = plan_quotas(file, {LONG: {RATE: 5.0}})
    assert [(change.entity, change.changes[0].before) for change in planned.entities] == [(LONG, 5.0)]
    assert not plan_quotas(file, {LONG: {RATE: 7.0}}, prune=True)


def test_a_plan_changes_all_spellings_of_an_address() -> None:
    file = QuotaFile({SHORT: {RATE: 7.0}})
    planned = plan_quotas(file, {LONG: {RATE: 5.0}, SHORT: {RATE: 7.0}})
    assert [change.entity for change in planned.entities] == [LONG]


def test_a_file_with_an_address_in_two_spellings_is_an_error() -> None:
    text = "quotas:\n" + "".join(
        f"- {{entity: {{ip: '{name}'}}, values: {{{RATE}: 1}}}}\n" for name in ("127.1", "127.0.0.1")
    )
    with pytest.raises(QuotaFileError, match=r"duplicate entity \{ip=127.0.0.1\}, first on line 2 as \{ip=127.1\}"):
        read_quota_file(text, "quotas.yaml")


def test_host_names_and_repeated_addresses_cause_warnings() -> None:
    host = ClientQuotaEntity(ip="a.example")
    assert list(address_warnings([host, LONG, SHORT, ClientQuotaEntity(ip=None), ClientQuotaEntity(user="b")])) == [
        (
            "{ip=2001:0db8:0:0::1} and {ip=2001:db8::1} are the same address; "
            "if both have a quota, brokers use the value that was set last"
        ),
        "{ip=a.example}: expected an IP address, found a host name, which each broker resolves by itself",
    ]
