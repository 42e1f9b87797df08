"""A page without a browser: it keeps what it says until that is acknowledged, as ours does, and its line can be cut."""

import asyncio
import itertools
import json
import threading
import time
import uuid
from collections.abc import Callable
from typing import Any

import aiohttp
import numpy as np

from curtain_browser.wire import Sound, sound_frame

PATIENCE_S = 60
RATE, BLOCK = 48_000, 960


class FakePage:
    """Speaks by `say`; everything else is what a subject does. Its clock is apart from ours."""

    def __init__(self, link: str, rate: int = RATE, ahead_ms: float = 5_000_000.0) -> None:
        self.base, _, self.secret = link.partition("/#")
        self.rate, self._ahead_ms = rate, ahead_ms
        self.life = uuid.uuid4().hex
        self.welcome: dict[str, Any] = {}
        self.view: dict[str, Any] = {}
        self.shown: dict[str, Any] = {}
        self.screen: dict[str, Any] = {}
        self.bye = ""
        self.status = 0
        self.acked = 0
        self.spoken: list[np.ndarray] = []
        self._numbers = itertools.count(1)
        self._box: dict[int, str | bytes] = {}
        self._last = 0
        self._say = np.zeros(0, np.int16)
        self._first = 0
        self._mic = False
        self._cut = threading.Event()
        self._changed = threading.Condition()
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def now_ms(self) -> float:
        return time.perf_counter() * 1000 + self._ahead_ms

    # -- what the subject does

    def tell(self, kind: str, **fields: Any) -> None:
        self._call(lambda: self._put(kind, **fields))

    def act(self, do: str, **fields: str) -> None:
        self.tell("act", do=do, **fields)

    def open_microphone(self, state: str = "ready") -> None:
        def begin() -> None:
            self._first, self._mic = 0, state == "ready"
            self._put("mic", life=self.life, state=state, name="fake", rate=self.rate, names=["fake"],
                      echo_cancellation=False, agent="fake page")  # fmt: skip

        self._call(begin)

    def say(self, samples: np.ndarray) -> None:
        """Speak these while the key is held, and let it go when they are over."""
        self.down()
        self.speak(samples)
        self.up()

    def speak(self, samples: np.ndarray) -> None:
        self._call(lambda: setattr(self, "_say", np.concatenate([self._say, samples])))
        self.until(lambda: not len(self._say))
        # A speaker lets go a moment after the last sound.
        threading.Event().wait(0.1)

    def down(self, by: str = "key") -> None:
        self.tell("down", by=by)

    def up(self, why: str = "key") -> None:
        self.tell("up", why=why)

    # -- the line

    def cut(self) -> None:
        """Nothing comes through from now on, until `mend`; the page goes on."""
        self._cut.set()
        self._call(self._drop)

    def mend(self) -> None:
        self._cut.clear()

    def reload(self) -> None:
        """The page is loaded anew: what it kept stays, its clock and its microphone are others."""

        def anew() -> None:
            self.life, self._mic, self._first = uuid.uuid4().hex, False, 0
            self._say = self._say[:0]
            self._ahead_ms += 3.0
            self._drop()

        self._call(anew)
        self.open_microphone()

    def kill(self) -> None:
        """The tab is gone without a word."""
        self._call(lambda: [task.cancel() for task in self._tasks])
        self._thread.join()

    # -- what is seen

    def until(self, condition: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
        with self._changed:
            reached = self._changed.wait_for(lambda: bool(condition()), patience_s)
        assert reached, f"{self.view.get('page')}, {self.screen}, bye {self.bye!r}, status {self.status}"

    def page(self, name: str) -> None:
        self.until(lambda: self.view.get("page") == name)

    @property
    def kept(self) -> int:
        """How much is not acknowledged."""
        return len(self._box)

    # -- inside

    def _call(self, act: Callable[[], object]) -> None:
        self._loop.call_soon_threadsafe(act)

    def _drop(self) -> None:
        if self._socket is not None and self._socket._response.connection is not None:
            self._socket._response.connection.transport.abort()

    def _put(self, kind: str, **fields: Any) -> None:
        n = next(self._numbers)
        self._keep(n, json.dumps({"t": kind, "n": n, "ms": self.now_ms(), **fields}))

    def _keep(self, n: int, frame: str | bytes) -> None:
        self._box[n], self._last = frame, n
        self._wake.set()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._wake = asyncio.Event()
        self._tasks = [self._loop.create_task(work) for work in (self._hear(), self._connect())]
        self._loop.run_until_complete(asyncio.wait(self._tasks))
        self._loop.close()

    async def _hear(self) -> None:
        """A block every 20 ms, dated by the frames and never early."""
        began, blocks = time.perf_counter(), 0
        while True:
            blocks += 1
            await asyncio.sleep(max(0.0, began + blocks * BLOCK / self.rate - time.perf_counter()))
            if not self._mic:
                continue
            block, self._say = self._say[:BLOCK], self._say[BLOCK:]
            block = np.concatenate([block, np.zeros(BLOCK - len(block), np.int16)])
            n = next(self._numbers)
            # Every block is a little late, one more than the other.
            had = (began + blocks * BLOCK / self.rate) * 1000 + self._ahead_ms + (n % 7) / 2
            self._keep(n, sound_frame(Sound(n, had, self._first, block)))
            self._first += BLOCK
            with self._changed:
                self._changed.notify_all()

    async def _connect(self) -> None:
        headers, jar = {"Origin": self.base}, aiohttp.CookieJar(unsafe=True)
        async with aiohttp.ClientSession(cookie_jar=jar, headers=headers) as session:
            while not self.bye:
                try:
                    if self._cut.is_set():
                        raise OSError
                    if self.secret:
                        answer = await session.post(f"{self.base}/enter", data=self.secret, ssl=False)
                        self.status, self.secret = answer.status, ""
                    async with session.ws_connect(f"{self.base}/page", ssl=False, heartbeat=2) as self._socket:
                        sender = asyncio.create_task(self._send(self._socket))
                        try:
                            async for message in self._socket:
                                await self._receive(self._socket, json.loads(message.data))
                        finally:
                            sender.cancel()
                except (OSError, aiohttp.ClientError) as fault:
                    self.status = getattr(fault, "status", self.status)
                await asyncio.sleep(0.1)
                with self._changed:
                    self._changed.notify_all()

    async def _receive(self, socket: aiohttp.ClientWebSocketResponse, message: dict[str, Any]) -> None:
        match message["t"]:
            case "welcome":
                self.welcome = message
                self._forget(message["have"])
                self._sent = message["have"]
                self._wake.set()
            case "ask":
                told = {"t": "told", "life": self.life, "ask": message["ask"], "ms": self.now_ms(), "last": self._last}
                await socket.send_str(json.dumps(told))
            case "ack":
                self._forget(message["n"])
            case "view":
                self.screen, self.view = message, message["view"]
                if self.screen["heard"] == "playing":
                    self._put("act", do="played")
            case "shown":
                self.shown = message
                self._paint(message)
            case "bye":
                self.bye = message["why"]
        with self._changed:
            self._changed.notify_all()

    def _paint(self, shown: dict[str, Any]) -> None:
        if shown["scenario"]:
            self._put("painted", what="scenario", seq=shown["scenario"]["seq"])
        current = shown["current"] or {}
        for what, seq in (("query", "query_seq"), ("answer", "answer_seq")):
            if current.get(seq):
                what = "message" if what == "answer" and current.get("message") else what
                self._put("painted", what=what, seq=current[seq], turn=current["turn"])

    def _forget(self, n: int) -> None:
        self.acked = max(self.acked, n)
        for number in [number for number in self._box if number <= n]:
            del self._box[number]

    async def _send(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._sent = 10**12
        while True:
            await self._wake.wait()
            self._wake.clear()
            for n, frame in sorted(self._box.items()):
                if n > self._sent:
                    await (socket.send_bytes(frame) if isinstance(frame, bytes) else socket.send_str(frame))
                    self._sent = max(self._sent, n)
