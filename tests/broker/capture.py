"""A TCP proxy that keeps what passes: as a packet capture, and as frames in JSON lines."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from tests.broker.cluster import Cluster
from tests.broker.frames import FrameConnection, FrameFile
from tests.broker.pcap import Network, PcapConnection, PcapFile
from tests.broker.ports import HOST

_CHUNK: Final = 65536


class Capture:
    """Forwards connections of loopback ports while its ``with`` block lasts, and writes down what they carry.

    ``routes`` maps a port to listen on to the port to forward to. ``pcap`` and ``frames`` (gzipped, see ``FrameFile``) are
    the files to write. ``network`` shapes the packets of ``pcap``.
    Connections that are still open then are closed.
    """

    def __init__(self, routes: Mapping[int, int], *, pcap: Path, frames: Path, network: Network | None = None) -> None:
        self._routes = dict(routes)
        self._pcap_path, self._frames_path = pcap, frames
        self._network = network or Network()
        self._thread = threading.Thread(target=self._run, name="capture", daemon=True)
        self._ready = threading.Event()
        self._problem: BaseException | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._pumps: set[asyncio.Task[None]] = set()
        self.connections = 0
        self.frame_count = 0

    @classmethod
    def of(cls, cluster: Cluster, *, pcap: Path, frames: Path, network: Network | None = None) -> Self:
        """A capture of what clients of a cluster's ``CAPTURED`` listener say and hear."""
        routes = {cluster.capture_port(): cluster.port("CAPTURED")}
        return cls(routes, pcap=pcap, frames=frames, network=network)

    def __enter__(self) -> Self:
        """Listens; raises ``OSError`` where a port is taken."""
        self._thread.start()
        self._ready.wait()
        if self._problem is not None:
            self._thread.join()
            raise self._problem
        return self

    def __exit__(self, *_: object) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        if self._problem is not None:
            raise self._problem

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as problem:  # noqa: BLE001 - the thread that waits for this one raises it
            self._problem = problem
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        pcap, frames = PcapFile(self._pcap_path, self._network), FrameFile(self._frames_path)
        try:
            async with contextlib.AsyncExitStack() as servers:
                for port, target in self._routes.items():
                    await servers.enter_async_context(await self._listen(port, target, pcap, frames))
                self._ready.set()
                await self._stop.wait()
                for pump in self._pumps:
                    pump.cancel()
                await asyncio.gather(*self._pumps, return_exceptions=True)
        finally:
            self.frame_count = frames.count
            pcap.close()
            frames.close()

    async def _listen(self, port: int, target: int, pcap: PcapFile, frames: FrameFile) -> asyncio.Server:
        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._pumps.add(task)
            try:
                await self._forward(reader, writer, port, target, pcap, frames)
            finally:
                self._pumps.discard(task)

        return await asyncio.start_server(serve, HOST, port)

    async def _forward(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        port: int,
        target: int,
        pcap: PcapFile,
        frames: FrameFile,
    ) -> None:
        try:
            to_reader, to_writer = await asyncio.open_connection(HOST, target)
        except OSError:
            # The broker is down: its clients see that as a closed connection.
            writer.close()
            return
        self.connections += 1
        client_port: int = writer.get_extra_info("peername")[1]
        log = _Log(pcap.open(client_port, port), frames.open(self.connections))
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(
                _pump(reader, to_writer, log, from_client=True), _pump(to_reader, writer, log, from_client=False)
            )
        for end in (writer, to_writer):
            end.close()
        log.packets.close()


class _Log:
    """Where the bytes of one connection are written down."""

    def __init__(self, packets: PcapConnection, frames: FrameConnection) -> None:
        self.packets = packets
        self.frames = frames

    def data(self, data: bytes, *, from_client: bool) -> None:
        self.packets.data(data, from_client=from_client)
        self.frames.data(data, from_client=from_client)


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, log: _Log, *, from_client: bool) -> None:
    """Forwards one direction to its end; what was forwarded is written down first, so that no answer precedes its question."""
    with contextlib.suppress(OSError):
        while data := await reader.read(_CHUNK):
            log.data(data, from_client=from_client)
            writer.write(data)
            await writer.drain()
    # The other direction ends when its own end comes: the peer sees this one's now.
    with contextlib.suppress(OSError, RuntimeError):
        if writer.can_write_eof() and not writer.is_closing():
            writer.write_eof()
