"""A TCP proxy that records its traffic as a packet capture, and as frames in JSON lines."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import threading
import time
from pathlib import Path
from typing import Final, Self

from messagegen_kafka import Framer
from tests.broker.pcap import Network, PcapConnection, PcapFile
from tests.broker.ports import HOST

_CHUNK: Final = 65536


class Capture:
    """Forwards connections from one loopback port to another during a ``with`` block, and records their bytes.

    ``pcap`` and ``frames`` are the files to write; ``network`` decides on the packets in ``pcap``. ``frames`` is
    gzipped. Each line is a frame: ``conn`` (connection number), ``dir`` (``request`` or ``response``), ``t`` (seconds),
    and ``hex``. Connections that are still open at the end of the block are closed.
    """

    def __init__(self, ports: tuple[int, int], *, pcap: Path, frames: Path, network: Network) -> None:
        self._ports = ports
        self._pcap_path = pcap
        self._frames_path = frames
        self._network = network
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), name="capture", daemon=True)
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()
        self._pumps: set[asyncio.Task[None]] = set()
        self._connections = 0

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(10), f"port {self._ports[0]} is taken"
        return self

    def __exit__(self, *_: object) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pcap = PcapFile(self._pcap_path, self._network)
        with gzip.open(self._frames_path, "wt", encoding="ascii", compresslevel=6) as self._frames:
            async with await asyncio.start_server(self._accept, HOST, self._ports[0]):
                self._ready.set()
                await self._stop.wait()
                for pump in self._pumps:
                    pump.cancel()
                await asyncio.gather(*self._pumps, return_exceptions=True)
        self._pcap.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._pumps.add(task)
        try:
            await self._forward(reader, writer)
        finally:
            self._pumps.discard(task)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        to_reader, to_writer = await asyncio.open_connection(HOST, self._ports[1])
        self._connections += 1
        packets = self._pcap.open(writer.get_extra_info("peername")[1], self._ports[0])
        requests = self._pump(reader, to_writer, packets, self._connections, from_client=True)
        responses = self._pump(to_reader, writer, packets, self._connections, from_client=False)
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(requests, responses)
        for end in (writer, to_writer):
            end.close()
        packets.close()

    async def _pump(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        packets: PcapConnection,
        number: int,
        *,
        from_client: bool,
    ) -> None:
        """Forward one direction until its end.

        Each part is recorded first, so that no response precedes its request.
        """
        direction = "request" if from_client else "response"
        framer = Framer(direction)
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK):
                packets.data(data, from_client=from_client)
                for payload in framer.feed(data):
                    self._write_frame(number, direction, payload)
                writer.write(data)
                await writer.drain()
        # Pass the end of this direction on to the peer. The other direction goes on until its own end.
        with contextlib.suppress(OSError, RuntimeError):
            if writer.can_write_eof() and not writer.is_closing():
                writer.write_eof()

    def _write_frame(self, number: int, direction: str, payload: bytes) -> None:
        line = {"conn": number, "dir": direction, "t": round(time.monotonic(), 4), "hex": payload.hex()}
        self._frames.write(json.dumps(line) + "\n")
