"""What a browser reaches: a few files, one place to enter with a link's secret, and one WebSocket. Nothing else.

`GET /` and the files of the page are for anybody: nothing in them is of a session. `POST /enter` takes the secret, as
the body alone, and gives the cookie and the name of the seat (403 for a secret that does not count). `GET /page/SEAT`
is the WebSocket of the one page that has the cookie; a newer connection of it ends the older one. Browsers send cookies
to every port of a computer, so this one is for that path alone: no other server there can name it.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from aiohttp import WSCloseCode, WSMsgType, web

from curtain.base.clock import steady_ns
from curtain.base.errors import os_errors_as
from curtain_browser.places import PagePlace
from curtain_browser.seat import PageSeat
from curtain_browser.wire import LONGEST_FRAME, Bye, write

if TYPE_CHECKING:
    from curtain_browser.page_talk import PageTalk

COOKIE = "curtain_seat"
LONGEST_SECRET = 128
AHEAD = 256
"""Frames that are read and not done with: while there are so many, nothing more is read from the page."""
MOST_OPEN = 48
"""Connections at once, whoever they are: what records needs files of this process, too."""
CLOSE_S, WRITE_S, SILENT_S = 2.0, 10.0, 10.0
COOKIE_S = 24 * 3600
"""A browser that was ended finds its cookie again."""

_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Permissions-Policy": "microphone=(self), camera=(), geolocation=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def page_files() -> dict[str, tuple[bytes, str]]:
    """The files of the page by path: read once, so that no path leads anywhere else."""
    there = [file for file in files("curtain_browser").joinpath("page").iterdir() if file.name.count(".") == 1]
    content = {f"/{file.name}": (file.read_bytes(), _KINDS[file.name.partition(".")[2]]) for file in there}
    return {**content, "/": content["/index.html"]}


class Door(socket.socket):
    """Where connections come in. Of those `inside`, by their addresses, the oldest gives way if there are too many."""

    inside: dict[object, socket.socket]

    def accept(self) -> tuple[socket.socket, Any]:
        """As a socket does it."""
        came, address = super().accept()
        self.inside[address] = came
        if len(self.inside) > MOST_OPEN:
            # Most of them were closed long ago.
            with suppress(OSError):
                self.inside.pop(next(iter(self.inside))).shutdown(socket.SHUT_RDWR)
        return came, address


class _Line(NamedTuple):
    """One WebSocket: how much may be read ahead of the station, and what is to be written."""

    room: asyncio.Semaphore
    outbox: asyncio.Queue[str | None]


class PageServer:
    """What comes goes to `ears`, on this thread; `connection` rises with each one. For each frame that it `heard`, with
    the moment at which it was here, it says `done`. `send` and `done` may be called from any thread."""

    def __init__(self, seat: PageSeat, ears: PageTalk, secure: bool, content: Mapping[str, tuple[bytes, str]]) -> None:
        self._seat, self._ears, self._secure, self._content = seat, ears, secure, content
        self.origins: tuple[str, ...] = ()
        self.inside: dict[object, socket.socket] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lines: dict[int, _Line] = {}
        self._connections = 0

    def application(self) -> web.Application:
        """All that can be reached."""
        # A page has no form to send: the longest body is a secret.
        app = web.Application(client_max_size=LONGEST_SECRET, middlewares=[_with_headers])
        app.router.add_post("/enter", self._enter)
        app.router.add_get("/page/{seat}", self._talk)
        app.router.add_get("/{path:.*}", self._file)
        app.on_shutdown.append(self._end)
        return app

    def send(self, connection: int, frame: str | None) -> None:
        """Send it if that connection is still there; None closes it behind what was sent."""
        self._soon(connection, lambda line: line.outbox.put_nowait(frame))

    def done(self, connection: int) -> None:
        """A frame that was heard is done with: the next one may be read."""
        self._soon(connection, lambda line: line.room.release())

    def _soon(self, connection: int, act: Callable[[_Line], object]) -> None:
        def reach() -> None:
            if (line := self._lines.get(connection)) is not None:
                act(line)

        # The loop may have ended: then nobody is there to hear it.
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(reach)

    async def _end(self, _: web.Application) -> None:
        for line in self._lines.values():
            line.outbox.put_nowait(None)

    async def _file(self, request: web.Request) -> web.Response:
        if request.path not in self._content:
            raise web.HTTPNotFound
        body, kind = self._content[request.path]
        return web.Response(body=body, content_type=kind, charset="utf-8")

    def _is_ours(self, request: web.Request) -> bool:
        """Whether a page of this server asks, and no other page in the same browser."""
        return request.headers.get("Origin") in self.origins

    async def _enter(self, request: web.Request) -> web.Response:
        secret = (await request.read()).decode("ascii", "replace")
        cookie = self._seat.enter(secret) if self._is_ours(request) else None
        if cookie is None:
            raise web.HTTPForbidden
        answer = web.Response(text=self._seat.kept.box)
        answer.set_cookie(
            COOKIE, cookie, httponly=True, samesite="Strict", secure=self._secure, path=f"/page/{answer.text}",
            max_age=COOKIE_S,
        )  # fmt: skip
        return answer

    async def _talk(self, request: web.Request) -> web.WebSocketResponse:
        if not (self._is_ours(request) and self._seat.admits(request.cookies.get(COOKIE, ""))):
            raise web.HTTPForbidden
        socket = web.WebSocketResponse(max_msg_size=LONGEST_FRAME, compress=False, timeout=CLOSE_S)
        await socket.prepare(request)
        for before in self._lines:
            self.send(before, write(Bye(why="elsewhere")))
            self.send(before, None)
        self._loop = asyncio.get_running_loop()
        # The page's own connection gives way to none.
        self.inside.pop(request.get_extra_info("peername"), None)
        self._connections += 1
        number, line = self._connections, _Line(asyncio.Semaphore(AHEAD), asyncio.Queue())
        self._lines[number] = line
        writing = asyncio.create_task(_write(socket, line.outbox))
        self._ears.opened(number)
        closed_by_page = False
        try:
            # Asked twice a second, a page is never silent. An answer to a ping could stand behind frames that wait.
            with suppress(TimeoutError):
                while (message := await socket.receive(SILENT_S)).type in (WSMsgType.TEXT, WSMsgType.BINARY):
                    await line.room.acquire()
                    self._ears.heard(number, message.data, steady_ns())
                closed_by_page = message.type is WSMsgType.CLOSE and message.data == WSCloseCode.GOING_AWAY
        finally:
            del self._lines[number]
            writing.cancel()
            self._ears.gone(number, closed_by_page)
        return socket


async def _write(socket: web.WebSocketResponse, outbox: asyncio.Queue[str | None]) -> None:
    # A page that reads nothing is cut off, and asks for everything again when it is back.
    with suppress(ConnectionError, TimeoutError):
        while (frame := await outbox.get()) is not None:
            await asyncio.wait_for(socket.send_str(frame), WRITE_S)
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


def serve(server: PageServer, place: PagePlace) -> tuple[int, Callable[[], None]]:
    """Run it on a thread of its own; the port, and what ends it. Raises CurtainError where it cannot listen."""
    loop, listening = asyncio.SelectorEventLoop(), Future[int]()
    thread = threading.Thread(target=lambda: loop.run_until_complete(run()), name="page server", daemon=True)
    stop = asyncio.Event()

    async def run() -> None:
        runner = web.AppRunner(server.application(), access_log=None, shutdown_timeout=CLOSE_S, keepalive_timeout=15)
        await runner.setup()
        try:
            family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
            made = socket.create_server((place.host, place.port), family=family, backlog=32)
            door = Door(fileno=made.detach())
            door.inside = server.inside
            await web.SockSite(runner, door, ssl_context=place.tls, backlog=32).start()
            port = door.getsockname()[1]
            server.origins = place.addresses(port)
            listening.set_result(port)
            await stop.wait()
        except OSError as error:
            listening.set_exception(error)
        await runner.cleanup()

    def close() -> None:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()

    thread.start()
    with os_errors_as(f"The page cannot be served at {place.host}:{place.port}", advice=" Choose another port."):
        return listening.result(), close
