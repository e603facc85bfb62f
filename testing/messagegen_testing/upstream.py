"""A proxy's connection to a broker. There is one for each client connection."""

from __future__ import annotations

import asyncio
from ssl import CERT_NONE, PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any, Protocol

from messagegen_kafka import (
    ApiVersionsResponse,
    FetchRequest,
    FrameSizeError,
    MetadataResponse,
    Observer,
    ReceivedResponse,
    Request,
    Response,
    SaslToken,
    SessionError,
    UnreadableFrame,
)
from messagegen_testing.conversation import CHUNK, Backend, Client, Event, Shared, finish
from messagegen_testing.replies import HANG_UP, NOTHING, Reply
from messagegen_testing.seen import SeenRequest

_LENGTH_SIZE = 4
_HANDSHAKE_SECONDS = 5.0
_NO_SESSION = {"session_id": 0, "session_epoch": -1}
"""The values of a Fetch request outside a session, whose answer has all partitions (KIP-227)."""

Address = tuple[str, int]
"""A host and a port."""

Answered = ReceivedResponse | UnreadableFrame


class Proxy(Protocol):
    """The part of a proxy that its connections need."""

    def own_address(self, host: str, port: int, node_id: int | None) -> Address:
        """Return the address at which clients reach a broker through the proxy."""
        ...


class Upstream(Backend):
    """A connection to a broker."""

    def __init__(self, shared: Shared, proxy: Proxy, address: Address, writer: asyncio.StreamWriter) -> None:
        self._shared = shared
        self._proxy = proxy
        self._address = address
        self._lacks_tls = writer.get_extra_info("sslcontext") is None
        self._has_asked = False
        self._writer = writer
        self._observer = Observer(shared.package)
        self._answers: asyncio.Queue[Answered | None] = asyncio.Queue()
        self._no_token_waits = asyncio.Event()
        self._no_token_waits.set()
        self._reading: asyncio.Task[None] | None = None

    @classmethod
    async def connect(
        cls, shared: Shared, proxy: Proxy, address: Address, client: Client, ssl: SSLContext | None
    ) -> Upstream:
        """Connect to a broker. When the broker hangs up, the client connection ends. Raises ``OSError``."""
        host, port = address
        reader, writer = await asyncio.open_connection(host, port, ssl=ssl)
        upstream = cls(shared, proxy, address, writer)
        upstream._reading = asyncio.create_task(upstream._read(reader, client))
        return upstream

    async def ask(self, request: SeenRequest[Any], message: Request) -> Reply:
        """Send a request to the broker, and return its answer, with proxy addresses in place of broker addresses."""
        received = request.received
        wanted = self._without_session(message, request.version)
        frame = received.frame
        if wanted is not request.message:
            frame = wanted.encode_frame(
                version=request.version, correlation_id=received.correlation_id, client_id=request.client_id
            )
        return await self._exchange(frame, expects_response=received.expects_response)

    async def pass_on(self, event: Event) -> Reply:
        """Send a SASL token or an unreadable request to the broker.

        Return the answer to a request. The answer to a token is sent to the client when it comes, because the last
        token of a login may get no answer.
        """
        if isinstance(event, SaslToken):
            await self._no_token_waits.wait()
        return await self._exchange(event.frame, expects_response=True)

    async def finish(self) -> None:
        """Send the remaining bytes, and hang up."""
        self._stop_reading()
        await finish(self._writer)

    def abort(self) -> None:
        """Hang up immediately."""
        self._stop_reading()
        self._writer.transport.abort()

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()

    async def _read(self, reader: asyncio.StreamReader, client: Client) -> None:
        has_answered = False
        try:
            while data := await reader.read(CHUNK):
                has_answered = True
                for event in self._observer.from_broker(data):
                    self._take(event, client)
            if self._has_asked and not has_answered and self._lacks_tls and await _speaks_tls(self._address):
                self._shared.journal.add_trouble(self._missing_tls())
        except OSError:
            pass  # Brokers may hang up at any time, even during a TLS handshake.
        except FrameSizeError as error:
            self._shared.journal.add_trouble(self._what_it_speaks(error))
        except SessionError as error:
            self._shared.failures.append(error)
        finally:
            self._answers.put_nowait(None)
            self._no_token_waits.set()
            client.end()

    def _take(self, event: Answered | SaslToken, client: Client) -> None:
        """Pass a SASL token on to the client, or queue the answer to a request."""
        self._no_token_waits.set()
        if isinstance(event, SaslToken):
            client.send(event.frame)
        else:
            self._answers.put_nowait(event)

    async def _exchange(self, frame: bytes, *, expects_response: bool) -> Reply:
        self._has_asked = True
        sent = self._observer.request(frame[_LENGTH_SIZE:])
        is_token = isinstance(sent, SaslToken)
        if is_token:
            self._no_token_waits.clear()
        self._writer.write(frame)
        await self._writer.drain()
        if not expects_response or is_token:
            return NOTHING
        answer = await self._answers.get()
        if answer is None:
            return HANG_UP
        if isinstance(answer, ReceivedResponse) and answer.supported:
            return self._reply(answer)
        return Reply(frame=answer.frame)

    def _reply(self, answer: ReceivedResponse) -> Reply:
        """Return the broker's answer, with the addresses of the proxy and without versions that the package lacks."""
        try:
            message = answer.decode(lazy=True)
        except (SessionError, self._shared.package.MessageError) as error:
            self._shared.failures.append(error)
            return Reply(frame=answer.frame)
        version = answer.version
        assert version is not None
        if message.API_KEY == MetadataResponse.API_KEY:
            self._learn_topics(message)
        changed = self._shared.package.rewrite(message, version=version, addresses=self._proxy.own_address)
        if message.API_KEY == ApiVersionsResponse.API_KEY:
            changed = self._narrowed(changed)
        return Reply(message, answer.frame, version).changed(changed)

    def _without_session(self, message: Any, version: int) -> Any:
        """Return a Fetch request outside a session: within a session, the answer would omit unchanged partitions."""
        if message.API_KEY != FetchRequest.API_KEY:
            return message
        names = {str(field.name) for field in message.fields(version=version)}
        if not _NO_SESSION.keys() <= names or message.session_epoch == _NO_SESSION["session_epoch"]:
            return message
        return message.__replace__(**_NO_SESSION)

    def _learn_topics(self, message: Any) -> None:
        """Remember topic names, because some requests contain only topic ids."""
        for topic in message.topics:
            if topic.name and topic.topic_id.int:
                self._shared.topic_names[topic.topic_id] = topic.name

    def _narrowed(self, response: Any) -> Response:
        """Return ApiVersions without the versions that the package lacks, because the proxy could not read them.

        APIs without a common version stay, because their requests are passed on unread.
        """
        keys = tuple(self._narrowed_versions(each) for each in response.api_keys)
        changed: Response = response.__replace__(api_keys=keys)
        return changed

    def _narrowed_versions(self, offered: Any) -> Any:
        for request_class in self._shared.package.message_classes("request", offered.api_key):
            known = [
                each for each in request_class.VALID_VERSIONS if offered.min_version <= each <= offered.max_version
            ]
            if known:
                return offered.__replace__(min_version=known[0], max_version=known[-1])
        return offered

    def _what_it_speaks(self, error: FrameSizeError) -> str:
        if error.protocol == "TLS":
            return self._missing_tls()
        return f"the broker at {address_text(self._address)} does not speak Kafka's protocol: {error}"

    def _missing_tls(self) -> str:
        broker = f"the broker at {address_text(self._address)}"
        return f"{broker} speaks TLS; pass upstream_ssl=ssl.create_default_context()"


async def _speaks_tls(address: Address) -> bool:
    """Whether a TLS handshake with a broker succeeds: not all brokers send an alert to a client without TLS."""
    context = SSLContext(PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = CERT_NONE
    host, port = address
    try:
        async with asyncio.timeout(_HANDSHAKE_SECONDS):
            _, writer = await asyncio.open_connection(host, port, ssl=context)
    except (OSError, TimeoutError):
        return False
    writer.transport.abort()
    return True


def address_text(address: Address) -> str:
    """Return an address as ``HOST:PORT``."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
