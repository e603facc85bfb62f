"""Rules about sets of specs: API keys, and requests with their responses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from messagegen.lint.kafka_api_keys import KAFKA_API_KEYS
from messagegen.lint.rules.rule import Problem, Spot, rule, sets
from messagegen.lint.subject import SpecSubject
from messagegen.spec.model import MessageKind

_PARTNERS = {MessageKind.REQUEST: MessageKind.RESPONSE, MessageKind.RESPONSE: MessageKind.REQUEST}


@rule(sets, minimal=True)
def api_key_not_kafkas(subjects: Sequence[SpecSubject]) -> Iterator[Problem]:
    """Checks that your own requests and responses don't use Kafka's API keys.

    A broker, proxy or capture tool would read the bytes as Kafka's message.

    - not `"apiKey": 3, "name": "PingRequest"`
    - but `"apiKey": 1000, "name": "PingRequest"`
    """
    for subject, stem in _dispatched(subjects):
        names = KAFKA_API_KEYS.get(subject.spec.api_key or 0, ())
        if names and stem not in names:
            message = f"API key {subject.spec.api_key} belongs to Kafka's {names[-1]}{subject.spec.kind.value.title()}"
            instead = "use a number that Kafka does not use, such as 1000"
            yield Spot(subject, subject.root, "").problem("apiKey", message, instead)


@rule(sets, minimal=True)
def request_with_response(subjects: Sequence[SpecSubject]) -> Iterator[Problem]:
    """Checks that every request has a response with the same API key and name, and vice versa.

    A client that sends the request can't read the response.

    - not `PingRequest.json alone`
    - but `PingRequest.json and PingResponse.json`
    """
    found = {(subject.spec.kind, subject.spec.api_key): (subject, stem) for subject, stem in _dispatched(subjects)}
    for subject, stem in _dispatched(subjects):
        partner_kind = _PARTNERS[subject.spec.kind]
        partner = found.get((partner_kind, subject.spec.api_key))
        spot = Spot(subject, subject.root, "")
        if partner is None:
            message = f"no {partner_kind.value} has API key {subject.spec.api_key}"
            instead = f"add {stem}{partner_kind.value.title()}.json, or correct the API key"
            yield spot.problem("apiKey", message, instead)
        elif partner[1] != stem and subject.spec.kind is MessageKind.RESPONSE:
            message = f'response "{subject.spec.name}" answers request "{partner[0].spec.name}"'
            yield spot.problem("name", message, f'write "{partner[1]}Response"')


@rule(sets, minimal=True)
def response_in_step(subjects: Sequence[SpecSubject]) -> Iterator[Problem]:
    """Checks that a request and its response have the same valid and flexible versions.

    A response has the version of its request, so a version without a response can't be answered.

    - not `"validVersions": "0-2" and "0-1"`
    - but `"validVersions": "0-2" and "0-2"`
    """
    requests = {
        subject.spec.api_key: subject.spec
        for subject, _ in _dispatched(subjects)
        if subject.spec.kind is MessageKind.REQUEST
    }
    for subject, _ in _dispatched(subjects):
        spec, request = subject.spec, requests.get(subject.spec.api_key)
        if spec.kind is MessageKind.REQUEST or request is None:
            continue
        spot = Spot(subject, subject.root, "")
        if spec.valid_versions != request.valid_versions:
            message = f"the response has versions {spec.valid_versions}, its request {request.valid_versions}"
            yield spot.problem("validVersions", message, f'write "{request.valid_versions}", or change the request')
        elif spec.flexible_versions.intersect(spec.valid_versions) != request.flexible_versions.intersect(
            spec.valid_versions
        ):
            message = (
                f"the response has flexible versions {spec.flexible_versions}, its request {request.flexible_versions}"
            )
            yield spot.problem(
                "flexibleVersions", message, f'write "{request.flexible_versions}", or change the request'
            )


def _dispatched(subjects: Sequence[SpecSubject]) -> Iterator[tuple[SpecSubject, str]]:
    """The requests and responses that are not retired, each with its name without "Request" or "Response"."""
    for subject in subjects:
        kind = subject.spec.kind
        if kind in _PARTNERS and not subject.spec.valid_versions.empty:
            yield subject, subject.spec.name.removesuffix(kind.value.title())
