"""A broker that accepts everything that Kafka's brokers accept, for attacks on the quickstart's proxy."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, Final

import messagegen_kafka
from messagegen_kafka import (
    ApiVersionsRequest,
    DecodeError,
    FieldInfo,
    Framer,
    FrameSizeError,
    ProduceRequest,
    Response,
    SaslHandshakeRequest,
)
from tests.broker.ports import HOST
from tests.docs.examples import blocks
from tests.e2e.proxy.setting import PAGE

SECRET: Final = "broker-that-clients-must-not-know"
"""The host name of the broker, which the proxy must replace everywhere."""

END: Final = b"end of the attack"
"""After a frame with these bytes, the broker sends its pending answers and closes the connection."""

_UNSUPPORTED_VERSION: Final = 35
_ILLEGAL_SASL_STATE: Final = 34
_CHUNK: Final = 1 << 16
_SECONDS: Final = 60.0
_END_SECONDS: Final = 0.5
_WAIT_SECONDS: Final = 0.1


@dataclass(frozen=True)
class Attack:
    """The frames that a client sends, and ``WAIT`` for a response before the next frame.

    The broker sends no answer before it has received ``held`` frames. With ``accepts_logins``, one token after
    SaslHandshake version 0 completes a login; otherwise the broker refuses handshakes, as on a listener without SASL.
    """

    steps: Sequence[bytes | None]
    held: int = 0
    accepts_logins: bool = False


WAIT: Final = None


def secret_response(cls: type[Response], version: int) -> Response:
    """Return a response with the broker's address in every suitable field of the version."""
    return cls(**_with_secrets(cls.fields(version=version)))


def _with_secrets(fields: Sequence[FieldInfo]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for field in fields:
        if field.name == "host":
            values[field.name] = SECRET
        elif field.struct is not None and (inner := _with_secrets(field.fields)):
            struct = field.struct(**inner)
            values[field.name] = (struct,) if field.is_array else struct
    return values


class HostileBroker:
    """Answers the requests on one connection."""

    def __init__(self, attack: Attack, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._attack = attack
        self._reader = reader
        self._writer = writer
        self._answers: list[bytes] = []
        self._expects_token = False
        self._received = 0
        self._is_over = False

    async def run(self) -> None:
        """Answer until the client or an error ends the connection."""
        framer = Framer("request")
        with suppress(FrameSizeError, ConnectionError):
            while not self._is_over and (data := await self._reader.read(_CHUNK)):
                for payload in framer.feed(data):
                    self._answer(payload)
                await self._flush()
        self._writer.close()

    async def _flush(self) -> None:
        if self._received >= self._attack.held or self._is_over:
            self._writer.write(b"".join(self._answers))
            self._answers.clear()
            await self._writer.drain()

    def _answer(self, payload: bytes) -> None:
        self._received += 1
        if self._is_over:
            return
        if END in payload:
            self._is_over = True
        elif self._expects_token:
            self._expects_token = False
            self._send(b"")
        else:
            self._answer_request(payload)

    def _answer_request(self, payload: bytes) -> None:
        """Answer a request as tolerantly as Java: any client id, any negative length, and any bytes after it."""
        length = int.from_bytes(payload[8:10], "big", signed=True)
        body_at = 10 + max(length, 0)
        api_key, version = int.from_bytes(payload[:2], "big"), int.from_bytes(payload[2:4], "big")
        classes = messagegen_kafka.message_classes("request", api_key)
        if not classes or body_at > len(payload):
            self._is_over = True
            return
        (cls,) = classes
        response_class = cls.RESPONSE
        assert response_class is not None
        if version not in cls.VALID_VERSIONS:
            self._answer_unsupported(api_key, payload[4:8])
            return
        if cls is ProduceRequest and self._acks(payload, body_at, version) == 0:
            return
        response = secret_response(response_class, version)
        if cls is SaslHandshakeRequest and version == 0:
            self._expects_token = self._attack.accepts_logins
            response = response.__replace__(error_code=0 if self._attack.accepts_logins else _ILLEGAL_SASL_STATE)
        frame = response.encode_frame(version=version, correlation_id=int.from_bytes(payload[4:8], "big", signed=True))
        self._send(frame[4:])

    def _answer_unsupported(self, api_key: int, correlation_id: bytes) -> None:
        """Refuse an unknown version of ApiVersions.

        For all other APIs, answer like a newer broker with this version.
        """
        if api_key == ApiVersionsRequest.API_KEY:
            response_class = ApiVersionsRequest.RESPONSE
            assert response_class is not None
            refusal = response_class(error_code=_UNSUPPORTED_VERSION)
            self._send(correlation_id + refusal.encode(version=0))
        else:
            self._send(correlation_id + SECRET.encode())

    @staticmethod
    def _acks(payload: bytes, body_at: int, version: int) -> int | None:
        is_flexible = version in ProduceRequest.FLEXIBLE_VERSIONS
        try:
            request, _ = ProduceRequest.decode_from(payload, body_at + is_flexible, version=version)
        except DecodeError:
            return None
        return request.acks

    def _send(self, payload: bytes) -> None:
        self._answers.append(len(payload).to_bytes(4, "big") + payload)


def page_proxy(package: str = "messagegen_kafka") -> ModuleType:
    """Return the page's program as a module, with the messages of a package."""
    (code,) = [block.text for block in blocks(PAGE.read_text(encoding="utf-8")) if block.second == "proxy.py"]
    module = ModuleType("proxy")
    code = code.replace("kafka_messages", package)
    exec(compile(code, "proxy.py", "exec"), vars(module))
    return module


def attacked(proxy: Any, attack: Attack) -> bytes:
    """Run an attack, and return all bytes that the client gets through the proxy."""
    return asyncio.run(_attacked(proxy, attack))


async def _attacked(proxy: Any, attack: Attack) -> bytes:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await HostileBroker(attack, reader, writer).run()

    broker = await asyncio.start_server(serve, HOST, 0)
    address = "{}:{}".format(*broker.sockets[0].getsockname())
    server = await asyncio.start_server(partial(proxy.forward, address), HOST, 0)
    async with broker, server, asyncio.timeout(_SECONDS):
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        client = _Client(reader, writer)
        await client.send(attack.steps)
        writer.close()
    return bytes(client.received)


class _Client:
    """Sends the steps of an attack, and stores all received bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.received = bytearray()
        self._reader = reader
        self._writer = writer
        self._more = asyncio.Event()
        """Set when bytes or the end of the stream were received."""

    async def send(self, steps: Sequence[bytes | None]) -> None:
        """Send all steps, and read until the end. Give up if an incomplete frame prevents the end."""
        reading = asyncio.create_task(self._read())
        with suppress(ConnectionError):
            for step in steps:
                if step is None:
                    await self._wait()
                else:
                    self._writer.write(step)
                    await self._writer.drain()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(reading), _END_SECONDS)
        if not reading.done():
            self._writer.write_eof()
            await reading

    async def _read(self) -> None:
        with suppress(ConnectionError):
            while data := await self._reader.read(_CHUNK):
                self.received += data
                self._more.set()
        self._more.set()

    async def _wait(self) -> None:
        """Wait briefly for more bytes or the end."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._more.wait(), _WAIT_SECONDS)
        self._more.clear()
