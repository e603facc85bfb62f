"""Rules about sets of specs: API keys, and requests with their responses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from messagegen.lint.kafka_api_keys import KAFKA_API_KEYS
from messagegen.spec.model import MessageKind, MessageSpec
from messagegen.spec.rule import Category, Problem, dispatched, rule


@rule(dispatched, category=Category.MINIMAL)
def api_key_not_kafkas(spec: MessageSpec, _: MessageSpec | None) -> Iterator[Problem]:
    """Checks that your own requests and responses don't use Kafka's API keys.

    A broker, proxy or capture tool would read the bytes as Kafka's message.

    - not `"apiKey": 3, "name": "PingRequest"`
    - but `"apiKey": 1000, "name": "PingRequest"`
    """
    names = KAFKA_API_KEYS.get(spec.api_key or 0, ())
    if names and _stem(spec) not in names:
        message = f"API key {spec.api_key} belongs to Kafka's {names[-1]}{spec.kind.value.title()}"
        yield spec, "apiKey", message, "use a number that Kafka does not use, such as 1000"


@rule(dispatched, category=Category.MINIMAL)
def request_with_response(spec: MessageSpec, partner: MessageSpec | None) -> Iterator[Problem]:
    """Checks that every request has a response with the same API key and name, and vice versa.

    A client that sends the request can't read the response.

    - not `PingRequest.json alone`
    - but `PingRequest.json and PingResponse.json`
    """
    other = "response" if spec.kind is MessageKind.REQUEST else "request"
    if partner is None:
        instead = f"add {_stem(spec)}{other.title()}.json, or correct the API key"
        yield spec, "apiKey", f"no {other} has API key {spec.api_key}", instead
    elif _stem(partner) != _stem(spec) and spec.kind is MessageKind.RESPONSE:
        message = f'response "{spec.name}" answers request "{partner.name}"'
        yield spec, "name", message, f'write "{_stem(partner)}Response"'


@rule(dispatched, category=Category.MINIMAL)
def response_in_step(spec: MessageSpec, partner: MessageSpec | None) -> Iterator[Problem]:
    """Checks that a request and its response have the same valid and flexible versions.

    A response has the version of its request, so a version without a response can't be answered.

    - not `"validVersions": "0-2" and "0-1"`
    - but `"validVersions": "0-2" and "0-2"`
    """
    if spec.kind is MessageKind.REQUEST or partner is None:
        return
    valid, flexible = spec.valid_versions, spec.flexible_versions
    if valid != partner.valid_versions:
        message = f"the response has versions {valid}, its request {partner.valid_versions}"
        yield spec, "validVersions", message, f'write "{partner.valid_versions}", or change the request'
    elif flexible.intersect(valid) != partner.flexible_versions.intersect(valid):
        message = f"the response has flexible versions {flexible}, its request {partner.flexible_versions}"
        yield spec, "flexibleVersions", message, f'write "{partner.flexible_versions}", or change the request'


ABOUT_PAIRS: Final = frozenset({request_with_response.id, response_in_step.id})
"""The rules that need both a request and its response."""


def _stem(spec: MessageSpec) -> str:
    """Return the name of a request or response without "Request" or "Response"."""
    return spec.name.removesuffix(spec.kind.value.title())
