"""Calls all public functions of a generated package for the first time, in several threads at the same time.

Run it as a program in a new process: ``first_use.py SEED``. If a call fails, or if two threads get different results,
it prints the first wrong result and exits with 1. It imports as little as possible, so that the threads import the
rest.
"""

# ruff: noqa: PLC0415 - the threads import what they call

from __future__ import annotations

import sys
import threading

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

THREADS = 8
_VERSION = 9
_FETCH = 12


def _request() -> Any:
    from messagegen_kafka.metadata_request import MetadataRequest, MetadataRequestTopic

    return MetadataRequest(topics=(MetadataRequestTopic(name="t"),), unknown_tagged_fields=((70, b"x"),))


def _response() -> Any:
    from messagegen_kafka.metadata_response import MetadataResponse, MetadataResponseBroker

    return MetadataResponse(brokers=(MetadataResponseBroker(node_id=1, host="h", port=9092),), cluster_id="c")


def _secret() -> Any:
    from messagegen_kafka import SaslAuthenticateRequest

    return SaslAuthenticateRequest(auth_bytes=b"secret")


def _batch() -> Any:
    from messagegen_kafka import Record, RecordBatch, RecordHeader

    return RecordBatch.of([Record(key=b"k", headers=(RecordHeader(key="h", value=b"v"),))], producer_id=7)


def equal() -> object:
    """Compare messages, directly and in a tuple."""
    return _request() == _request(), (_request(), 1) == (_request(), 1), _request() != _request()


def unequal() -> object:
    """Compare different messages."""
    return _request() == type(_request())(), _response() == _request(), _request() == 5


def equal_structs() -> object:
    """Compare structs of a message whose own class is not completed yet."""
    return _request().topics == _request().topics, _response().brokers[0] == _response().brokers[0]


def hashed() -> object:
    """Put messages into a set."""
    return len({_request(), _request(), _response()}), hash(_request()) == hash(_request())


def shown() -> object:
    """Print messages, one of them with a secret."""
    return repr(_request()), str(_response()), repr(_secret()), f"{_batch()}"


def pretty() -> object:
    """Print a message line by line."""
    from pprint import pformat

    return pformat(_response(), width=40)


def inspected() -> object:
    """Read the signature, the documentation and the annotations of a class."""
    import inspect
    import typing

    from messagegen_kafka import Message, MetadataResponse

    hints = typing.get_type_hints(Message)
    return str(inspect.signature(MetadataResponse)), inspect.getdoc(MetadataResponse), str(hints["API_KEY"])


def dataclasses_of() -> object:
    """Use a message as a dataclass."""
    import dataclasses

    message = _request()
    names = [field.name for field in dataclasses.fields(message)]
    changed = dataclasses.replace(message, topics=None)
    return dataclasses.is_dataclass(type(message)), names, dataclasses.asdict(message), changed.topics


def subclass() -> object:
    """Decode as a subclass, and as a subclass that the standard library decorates."""
    from dataclasses import dataclass

    from messagegen_kafka import MetadataResponse

    class Plain(MetadataResponse):
        pass

    # Type checkers see frozen messages.
    base: Any = MetadataResponse

    @dataclass(slots=True, kw_only=True)
    class Completed(base):  # type: ignore[misc]
        more: int = 1

    data = _response().encode(version=_VERSION)
    found = [cls.decode(data, version=_VERSION) for cls in (Plain, Completed)]
    return [one.brokers == _response().brokers for one in found], [one == found[0] for one in found], Completed().more


def copied() -> object:
    """Copy and pickle a message."""
    import copy
    import pickle

    message = _request()
    changed = message.__replace__(allow_auto_topic_creation=False)
    return copy.deepcopy(message) == message, pickle.loads(pickle.dumps(message)) == message, changed == message


def binary() -> object:
    """Encode and decode in every way."""
    message, cls = _request(), type(_request())
    data = message.encode(version=_VERSION)
    out = bytearray()
    message.encode_into(out, version=_VERSION)
    one, end = cls.decode_from(bytearray(data), version=_VERSION)
    lazy = cls.decode(data, version=_VERSION, lazy=True)
    return data, bytes(out), message.size(version=_VERSION) == end, one == message, lazy == one, repr(lazy.topics)


def json() -> object:
    """Convert to JSON and back, and once to redacted JSON."""
    value = _request().to_json(version=_VERSION)
    again = type(_request()).from_json(value, version=_VERSION)
    return value, again.topics == _request().topics, _secret().to_json(version=2, redact=True)


def frames() -> object:
    """Encode and decode frames."""
    frame = _request().encode_frame(version=_VERSION, correlation_id=5, client_id="c")
    header, body = type(_request()).decode_frame(frame)
    return frame, repr(header), body == _request()


def reflection() -> object:
    """Read descriptions of messages."""
    from messagegen_kafka import FieldInfo, KeyedMessage, MetadataRequest, Request, Response, message_classes

    fields = MetadataRequest.fields(version=_VERSION)
    partners = (MetadataRequest.RESPONSE.__name__, MetadataRequest.RESPONSE.REQUEST is MetadataRequest)
    kinds = (issubclass(MetadataRequest, (Request, KeyedMessage)), issubclass(MetadataRequest, Response))
    versions = (MetadataRequest.stable_versions, MetadataRequest.choose_version(3, 7), MetadataRequest.VALID_VERSIONS)
    found = message_classes("request", 3)
    return str(fields), isinstance(fields[0], FieldInfo), partners, kinds, versions, found == (MetadataRequest,)


def errors() -> object:
    """Raise each error of a message."""
    from messagegen_kafka import (
        DecodeError,
        EncodeError,
        Limits,
        MessageError,
        MetadataRequest,
        NoCommonVersionError,
        UnsupportedVersionError,
    )

    texts: list[str] = []
    request_class: Any = MetadataRequest
    wrong = request_class(topics=(5,))
    calls: tuple[tuple[type[Exception], Callable[[], object]], ...] = (
        (DecodeError, lambda: MetadataRequest.decode(b"\x02\x09", version=_VERSION)),
        (DecodeError, lambda: _decode_with(Limits(array_length=0))),
        (EncodeError, lambda: wrong.encode(version=_VERSION)),
        (EncodeError, lambda: MetadataRequest.from_json({}, version=_VERSION)),
        (MessageError, lambda: MetadataRequest.header_version(99)),
        (UnsupportedVersionError, lambda: wrong.size(version=99)),
        (NoCommonVersionError, lambda: MetadataRequest.choose_version(98, 99)),
    )
    for kind, call in calls:
        try:
            call()
        except kind as error:
            texts.append(str(error))
    return len(texts) == len(calls), texts


def _decode_with(limits: Any) -> object:
    return type(_request()).decode(_request().encode(version=_VERSION), version=_VERSION, limits=limits)


def sessions() -> object:
    """Let a client and a broker exchange messages, and observe them."""
    import messagegen_kafka as package
    from messagegen_kafka import (
        BrokerSession,
        ClientSession,
        Framer,
        InFlightRequest,
        Observer,
        ReceivedRequest,
        ReceivedResponse,
        SentRequest,
    )

    client, broker, observer = ClientSession(package, client_id="c"), BrokerSession(package), Observer(package)
    sent = client.send(_request(), version=_VERSION)
    (seen,) = observer.from_client(sent.frame)
    (received,) = broker.receive(sent.frame)
    assert isinstance(received, ReceivedRequest)
    answer = broker.respond(received, _response())
    (answered,) = observer.from_broker(answer)
    (event,) = client.receive(answer)
    assert isinstance(event, ReceivedResponse)
    kinds = (
        isinstance(sent, SentRequest),
        isinstance(sent, InFlightRequest),
        len(list(Framer("response").feed(answer))),
    )
    return kinds, event.decode() == _response(), seen.frame == sent.frame, answered.frame == answer


def session_errors() -> object:
    """Break the protocol, and send tokens."""
    import messagegen_kafka as package
    from messagegen_kafka import (
        ClientSession,
        ClientSessionWithTokens,
        Framer,
        FrameSizeError,
        SaslToken,
        SentToken,
        SessionError,
        UnreadableFrame,
    )

    found: list[str] = []
    calls: tuple[Callable[[], object], ...] = (
        lambda: ClientSession(package).receive_payload(bytes(4)),
        lambda: ClientSessionWithTokens(package).receive_payload(bytes(4)),
        lambda: list(Framer("request").feed(b"\xff" * 8)),
    )
    for call in calls:
        try:
            call()
        except SessionError as error:
            found.append(type(error).__name__)
    names = [cls.__name__ for cls in (FrameSizeError, SaslToken, SentToken, UnreadableFrame)]
    return found, names


def records() -> object:
    """Write and read record batches."""
    from messagegen_kafka import ControlRecord, EndTxnMarker, RecordBatches, read_records

    data = _batch().to_bytes()
    (read,) = read_records(data)
    marker = ControlRecord(type="COMMIT", message=EndTxnMarker(coordinator_epoch=3))
    return data, read == _batch(), len(list(RecordBatches(data))), ControlRecord.of(marker.to_record()) == marker


def compression() -> object:
    """Use a compression that needs functions from the caller."""
    from messagegen_kafka import RecordBatch, UnsupportedCompressionError

    batch: Any = RecordBatch(compression="gzip")
    return batch.to_bytes()[:8], UnsupportedCompressionError.__name__


def rewritten() -> object:
    """Change topic names."""
    from messagegen_kafka import rewrite

    return repr(rewrite(_request(), version=_VERSION, topics=str.upper).topics)


CALLS: tuple[Callable[[], object], ...] = (
    equal,
    unequal,
    equal_structs,
    hashed,
    shown,
    pretty,
    inspected,
    dataclasses_of,
    subclass,
    copied,
    binary,
    json,
    frames,
    reflection,
    errors,
    sessions,
    session_errors,
    records,
    compression,
    rewritten,
)


def _order(number: int, seed: int) -> list[Callable[[], object]]:
    """Return all calls in an order for thread ``number``. Threads differ in their first call and their step."""
    step = (1, 3, 7, 9, 11, 13, 17, 19)[(number + seed) % 8]
    return [CALLS[(seed + number * (1 + seed % 5) + step * each) % len(CALLS)] for each in range(len(CALLS))]


def main(seed: int) -> int:
    """Return 1 if a call fails in a thread, or if threads get different results."""
    sys.setswitchinterval((1e-6, 1e-5, 5e-3)[seed % 3])
    start = threading.Barrier(THREADS)
    results: list[dict[str, object]] = [{} for _ in range(THREADS)]

    def run(number: int) -> None:
        order = _order(number, seed)
        start.wait()
        for call in order:
            try:
                results[number][call.__name__] = call()
            except BaseException as error:  # noqa: BLE001 - reported below
                results[number][call.__name__] = error

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    expected = {call.__name__: call() for call in CALLS}
    for number, result in enumerate(results):
        for name, value in expected.items():
            if result[name] != value or isinstance(result[name], BaseException):
                sys.stdout.write(f"seed {seed}, thread {number}, {name}: expected {value!r}, found {result[name]!r}\n")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
