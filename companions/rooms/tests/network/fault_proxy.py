"""A network that fails, in user space: between a client and a server on this machine, it delays, cuts and holds bytes.

It runs in its own thread with an event loop of asyncio, so that the stations under test go on meanwhile.
"""

import asyncio
import contextlib
import random
import threading
from dataclasses import dataclass

_MOST_UNDER_WAY = 4096


@dataclass
class Faults:
    """What happens to new and running connections. `cut_after` closes one after so many bytes, at any byte;
    `cut_within` closes each one at a random byte up to this. `delay_s` is one way, `jitter_s` is added at random;
    `bytes_per_s` is the width; `down` refuses and holds."""

    delay_s: float = 0.0
    jitter_s: float = 0.0
    bytes_per_s: float = 0.0
    cut_after: int | None = None
    cut_within: int | None = None
    down: bool = False
    half_open: bool = False


class BadLine:
    """Forwards connections to `port`; `problems` may be changed at any time, `cut` ends what runs now.

    `said` is what came from the clients."""

    def __init__(self, port: int, problems: Faults | None = None, seed: int = 1) -> None:
        self.problems = problems or Faults()
        self.cuts = 0
        self.said = bytearray()
        self._target = port
        self._random = random.Random(seed)
        self._loop = asyncio.new_event_loop()
        self._writers: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, name="problem proxy", daemon=True)
        self._thread.start()
        self._server = self._call(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """End every connection now, in the middle of whatever it carries."""
        self._call(self._cut())

    @property
    def port_behind(self) -> int:
        """Where new connections go."""
        return self._target

    def lead_to(self, port: int) -> None:
        """Another computer has the address from now on: new connections go to its port."""
        self._target = port

    def close(self) -> None:
        """End everything."""
        self._call(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def _call(self, work):
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _end(self) -> None:
        self._server.close()
        await self._cut()
        # What carries bytes ends by itself at the next await; one that sleeps in a long hold is ended here.
        carrying = asyncio.all_tasks() - {asyncio.current_task()}
        for task in carrying:
            task.cancel()
        await asyncio.gather(*carrying, return_exceptions=True)
        # An aborted transport closes its socket in the loop's next round.
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    async def _cut(self) -> None:
        for writer in list(self._writers):
            writer.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.problems.down:
            writer.transport.abort()
            return
        try:
            there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, there_writer}
        left = [self._cut_at()]
        there, back = (reader, there_writer, writer), (there_reader, writer, there_writer)
        carried = self._carry(*there, left, self.said), self._carry(*back, left, bytearray())
        # At the end of a test whatever is still carried is given up.
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.gather(*carried)
        self._writers -= {writer, there_writer}
        # A half-open end keeps its socket until now; nobody else would close it.
        writer.close()
        there_writer.close()

    def _cut_at(self) -> int | None:
        if self.problems.cut_within is not None:
            return self._random.randint(1, self.problems.cut_within)
        return self.problems.cut_after

    async def _carry(self, source, target, other, left, said) -> None:
        # As on a wire, many bytes are under way at once: each piece has its own time of arrival.
        under_way: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue(_MOST_UNDER_WAY)
        arriving = asyncio.ensure_future(self._arrive(under_way, target, other, left))
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            free_at = 0.0
            while data := await source.read(4096):
                said += data
                free_at = max(free_at, self._loop.time())
                if self.problems.bytes_per_s:
                    free_at += len(data) / self.problems.bytes_per_s
                late = self.problems.delay_s + self._random.uniform(0, self.problems.jitter_s)
                await under_way.put((free_at + late, data))
        await under_way.put((0.0, b""))
        await arriving
        if not self.problems.half_open:
            target.close()

    async def _arrive(self, under_way, target, other, left) -> None:
        broken = False
        while (piece := await under_way.get())[1]:
            at, data = piece
            if broken:
                continue
            await asyncio.sleep(max(0.0, at - self._loop.time()))
            while self.problems.down:
                await asyncio.sleep(0.02)
            broken = not await self._hand_over(data, target, other, left)

    async def _hand_over(self, data, target, other, left) -> bool:
        """Whether the connection goes on."""
        with contextlib.suppress(OSError):
            if left[0] is not None and left[0] <= len(data):
                # At any byte: a part of the piece still goes through.
                target.write(data[: left[0]])
                self.cuts += 1
                target.transport.abort()
                other.transport.abort()
                return False
            if left[0] is not None:
                left[0] -= len(data)
            target.write(data)
            await target.drain()
            return True
        return False
