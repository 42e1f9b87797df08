"""What a browser reaches: a few files, one place to enter with a link's secret, and one WebSocket. Nothing else.

`GET /` and the files of the page are for anybody: nothing in them is of a session. `POST /enter` takes the secret, as
the body alone, and gives the cookie (204; 403 for a secret that does not count). `GET /page` is the WebSocket of the
one page that has the cookie; a newer connection of it ends the older one.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Protocol

from aiohttp import WSCloseCode, WSMessage, WSMsgType, web

from curtain.base.clock import steady_ns
from curtain.base.errors import CurtainError
from curtain_browser.seat import PageSeat
from curtain_browser.wire import LONGEST_FRAME, Bye, write

log = logging.getLogger(__name__)

COOKIE = "curtain_seat"
LONGEST_SECRET = 128
AHEAD = 256
"""Frames that are read and not done with: while there are so many, nothing more is read from the page."""
ENTRIES, A_WHILE_NS = 20, 60_000_000_000
"""So many try to enter in a minute, whoever they are."""
CLOSE_S = 2.0

_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; media-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Permissions-Policy": "microphone=(self), camera=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


class PageEars(Protocol):
    """What the station does with a page. Called on the server's thread; `connection` rises with each one."""

    def opened(self, connection: int) -> None:
        """The page is there."""

    def heard(self, connection: int, frame: str | bytes, at_ns: int) -> None:
        """A frame of the page, and when it was here; `PageServer.done` when it is done with."""

    def gone(self, connection: int, closed_by_page: bool) -> None:
        """The connection is over. `closed_by_page`: the browser said that it leaves the page."""


@dataclass(frozen=True)
class Place:
    """Where the page is served, port 0 for any that is free. `bases` are the addresses under which a browser may know
    it, without the port unless it is `behind_tls` of somebody else; the first one is shown. `note` is what the subject
    meets there."""

    host: str
    port: int
    bases: tuple[str, ...]
    tls: ssl.SSLContext | None = None
    behind_tls: bool = False
    note: str = ""

    def addresses(self, port: int) -> tuple[str, ...]:
        """The same with the port that was taken."""
        usual = self.behind_tls or port == (443 if self.tls else 80)
        return self.bases if usual else tuple(f"{base}:{port}" for base in self.bases)

    @property
    def secure(self) -> bool:
        """Whether the page comes to the browser by TLS."""
        return self.tls is not None or self.behind_tls


def page_files() -> dict[str, tuple[bytes, str]]:
    """The files of the page by path: read once, so that no path leads anywhere else."""
    found = {}
    for file in files("curtain_browser").joinpath("page").iterdir():
        kind = _KINDS.get(file.name[file.name.rfind(".") :])
        if kind is not None:
            found["/" if file.name == "index.html" else f"/{file.name}"] = (file.read_bytes(), kind)
    return found


class PageServer:
    """Serves on a thread of its own. What comes goes to `ears`; `send` and `done` may be called from any thread."""

    def __init__(
        self,
        seat: PageSeat,
        ears: PageEars,
        secure: bool,
        content: Mapping[str, tuple[bytes, str]],
        now_ns: Callable[[], int] = steady_ns,
    ) -> None:
        self._seat, self._ears, self._secure = seat, ears, secure
        self.origins: tuple[str, ...] = ()
        self._files = content
        self._now_ns = now_ns
        self._entries: deque[int] = deque()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._sockets: dict[int, web.WebSocketResponse] = {}
        self._room: dict[int, asyncio.Semaphore] = {}
        self._outboxes: dict[int, asyncio.Queue[str | None]] = {}
        self._connections = 0
        self._current = 0

    def application(self) -> web.Application:
        """All that can be reached."""
        # A page has no form to send: the longest body is a secret.
        app = web.Application(client_max_size=LONGEST_SECRET, middlewares=[_with_headers])
        app.router.add_post("/enter", self._enter)
        app.router.add_get("/page", self._talk)
        app.router.add_get("/{path:.*}", self._file)
        app.on_startup.append(self._begun)
        app.on_shutdown.append(self._end)
        return app

    def send(self, connection: int, frame: str) -> None:
        """Send it if that connection is still there."""
        self._soon(lambda: self._put(connection, frame))

    def done(self, connection: int) -> None:
        """A frame that was heard is done with: the next one may be read."""
        self._soon(lambda: (room := self._room.get(connection)) and room.release())

    def dismiss(self, connection: int) -> None:
        """What was sent still goes out, and then the connection is closed."""
        self._soon(lambda: self._put(connection, None))

    def _soon(self, act: Callable[[], object]) -> None:
        # The loop may have ended: then nobody is there to be told.
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(act)

    def _put(self, connection: int, frame: str | None) -> None:
        if (outbox := self._outboxes.get(connection)) is not None:
            outbox.put_nowait(frame)

    async def _begun(self, _: web.Application) -> None:
        self._loop = asyncio.get_running_loop()

    async def _end(self, _: web.Application) -> None:
        for socket in list(self._sockets.values()):
            await socket.close(code=WSCloseCode.SERVICE_RESTART)

    async def _file(self, request: web.Request) -> web.Response:
        found = self._files.get(request.path)
        if found is None:
            raise web.HTTPNotFound
        body, kind = found
        return web.Response(body=body, content_type=kind, charset="utf-8")

    def _is_ours(self, request: web.Request) -> bool:
        """Whether a page of this server asks, and no other page in the same browser."""
        return request.headers.get("Origin") in self.origins

    async def _enter(self, request: web.Request) -> web.Response:
        now = self._now_ns()
        while self._entries and now - self._entries[0] > A_WHILE_NS:
            self._entries.popleft()
        if len(self._entries) >= ENTRIES:
            raise web.HTTPTooManyRequests
        self._entries.append(now)
        secret = (await request.read()).decode("ascii", "replace")
        cookie = self._seat.enter(secret) if self._is_ours(request) else None
        if cookie is None:
            raise web.HTTPForbidden
        answer = web.Response(status=204)
        answer.set_cookie(COOKIE, cookie, httponly=True, samesite="Strict", secure=self._secure, path="/")
        return answer

    async def _talk(self, request: web.Request) -> web.WebSocketResponse:
        if not (self._is_ours(request) and self._seat.admits(request.cookies.get(COOKIE, ""))):
            raise web.HTTPForbidden
        # A browser whose line is cut is silent: without these beats its socket would stay for hours.
        socket = web.WebSocketResponse(max_msg_size=LONGEST_FRAME, heartbeat=4.0, compress=False, timeout=CLOSE_S)
        await socket.prepare(request)
        self._connections += 1
        number, before = self._connections, self._current
        self._current = number
        self._sockets[number], self._room[number] = socket, asyncio.Semaphore(AHEAD)
        self._outboxes[number] = asyncio.Queue()
        if before in self._outboxes:
            self._put(before, write(Bye(why="elsewhere")))
            self._put(before, None)
        writing = asyncio.create_task(self._write(socket, self._outboxes[number]))
        self._ears.opened(number)
        closed_by_page = False
        try:
            closed_by_page = await self._read(number, socket)
        finally:
            for kept in (self._sockets, self._room, self._outboxes):
                kept.pop(number, None)  # type: ignore[attr-defined]
            writing.cancel()
            self._ears.gone(number, closed_by_page)
        return socket

    async def _read(self, number: int, socket: web.WebSocketResponse) -> bool:
        while True:
            message: WSMessage = await socket.receive()
            if message.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                return message.type is WSMsgType.CLOSE and message.data == WSCloseCode.GOING_AWAY
            await self._room[number].acquire()
            self._ears.heard(number, message.data, self._now_ns())

    async def _write(self, socket: web.WebSocketResponse, outbox: asyncio.Queue[str | None]) -> None:
        while (frame := await outbox.get()) is not None:
            # A page that reads nothing is cut off, and asks for everything again when it is back.
            await asyncio.wait_for(socket.send_str(frame), 10.0)
        await socket.close()


@web.middleware
async def _with_headers(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    try:
        answer = await handler(request)
    except web.HTTPException as refusal:
        # In no words: whoever sees it has no business here, and the page knows by the number.
        answer = web.Response(status=refusal.status)
    if not answer.prepared:
        answer.headers.update(HEADERS)
    return answer


class ServerThread:
    """Runs the server until `close`. Raises CurtainError where it cannot listen."""

    def __init__(self, server: PageServer, place: Place) -> None:
        self.port = 0
        self._fault: OSError | None = None
        self._ready = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._thread = threading.Thread(target=self._run, args=(server, place), name="page server", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._fault is not None:
            at = f"{place.host}:{place.port}"
            raise CurtainError(f"The page cannot be served at {at}: {self._fault.strerror or self._fault}.")

    def close(self) -> None:
        """Hang up, and serve no more."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()

    def _run(self, server: PageServer, place: Place) -> None:
        try:
            self._loop.run_until_complete(self._serve(server, place))
        except OSError as fault:
            self._fault = fault
        finally:
            self._ready.set()
            self._loop.close()

    async def _serve(self, server: PageServer, place: Place) -> None:
        # Bodies and headers come within seconds, or not at all.
        runner = web.AppRunner(server.application(), access_log=None, shutdown_timeout=CLOSE_S, keepalive_timeout=15)
        await runner.setup()
        try:
            site = web.TCPSite(runner, place.host, place.port, ssl_context=place.tls, backlog=32)
            await site.start()
            self.port = runner.addresses[0][1]
            server.origins = place.addresses(self.port)
            self._ready.set()
            await self._stop.wait()
        finally:
            await runner.cleanup()
