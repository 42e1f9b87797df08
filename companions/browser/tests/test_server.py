"""The server as conversations: the subject's page gets in once, and a hostile visitor gets nothing."""

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiohttp import ClientSession, TCPConnector, WSMsgType, WSServerHandshakeError
from aiohttp.test_utils import TestClient, TestServer

from curtain_browser.places import HERE_ALONE, place_of
from curtain_browser.seat import EXPIRES_S, PageSeat
from curtain_browser.server import AHEAD, COOKIE, HEADERS, MOST_OPEN, PageServer, serve
from curtain_browser.station import Gate
from curtain_browser.wire import LONGEST_FRAME, PageAck, write

PAGE = {"/": (b"<!doctype html>", "text/html"), "/page.js": (b"let a", "text/javascript")}


class Ears:
    """What the station would hear; `done` says that it is done with each frame at once."""

    def __init__(self) -> None:
        self.events: list[tuple] = []
        self.server: PageServer
        self.done = True

    def opened(self, *what):
        self.events.append(("opened", *what))

    def heard(self, connection, frame, at_ns):
        self.events.append(("heard", connection, frame))
        if self.done:
            self.server.done(connection)

    def gone(self, *what):
        self.events.append(("gone", *what))


class Visit:
    def __init__(self, tmp_path) -> None:
        self.now, self.folder = 0.0, tmp_path
        self.seat = PageSeat(tmp_path, lambda: self.now)
        self.ears = Ears()
        self.server = self.ears.server = PageServer(self.seat, self.ears, secure=True, content=PAGE)
        self.client: TestClient

    @property
    def origin(self) -> dict[str, str]:
        return {"Origin": self.server.origins[0]}

    async def enter(self, secret: str, **headers: str) -> tuple[int, str]:
        answer = await self.client.post("/enter", data=secret, headers=self.origin | headers)
        return answer.status, answer.headers.get("Set-Cookie", "")

    async def cookie(self) -> dict[str, str]:
        _, given = await self.enter(self.seat.invite())
        return {"Cookie": given.partition(";")[0]}

    async def page(self, **headers: str):
        return await self.client.ws_connect("/page/seat", headers=self.origin | headers)

    async def refusal(self, headers: dict[str, str]) -> int:
        with pytest.raises(WSServerHandshakeError) as refused:
            await self.page(**headers)
        return refused.value.status

    async def until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(20):
            while not condition():
                await asyncio.sleep(0.01)


def visit(tmp_path, talk: Callable[[Visit], Awaitable[None]]) -> None:
    async def run() -> None:
        there = Visit(tmp_path)
        async with TestServer(there.server.application()) as server, TestClient(server) as there.client:
            there.server.origins = (str(server.make_url("")).rstrip("/"),)
            await talk(there)

    asyncio.run(run())


def visiting(talk: Callable[[Visit], Awaitable[None]]) -> Callable[[Path], None]:
    """A test that is a conversation with the server."""
    return lambda tmp_path: visit(tmp_path, talk)


@visiting
async def test_a_link_opens_once_and_its_cookie_is_for_the_server_alone(there: Visit) -> None:
    secret = there.seat.invite()
    status, cookie = await there.enter(secret)
    assert (status, cookie.startswith(f"{COOKIE}=")) == (200, True)
    # Browsers send a cookie to every port of a computer: only who knows the seat can ask for this one.
    path = f"Path=/page/{there.seat.kept.box}"
    assert {"HttpOnly", "Secure", "SameSite=Strict", path} <= {part.strip() for part in cookie.split(";")}
    assert await there.enter(secret) == (403, "")
    # A new start of the gateway knows the page again, and nobody reads its cookie in what is kept.
    value, kept = cookie.partition("=")[2].partition(";")[0], there.folder / "browser.seat"
    assert PageSeat(there.folder, lambda: 0.0).admits(value)
    assert (value in kept.read_text(), kept.stat().st_mode & 0o077) == (False, 0)


REFUSED = {"wrong": "guess", "empty": "", "long": "x" * 100_000}


@pytest.mark.parametrize("case", [*REFUSED, "late", "replaced", "from another page"])
def test_nobody_enters_with_anything_but_the_link_in_time(tmp_path, case):
    async def talk(there: Visit) -> None:
        secret = there.seat.invite()
        there.now += (case == "late") * (EXPIRES_S + 1)
        if case == "replaced":
            there.seat.invite()
        origin = {"Origin": "https://evil.example"} if case == "from another page" else {}
        status, cookie = await there.enter(REFUSED.get(case, secret), **origin)
        assert (status in (403, 413), cookie, there.seat.kept.box) == (True, "", "")

    visit(tmp_path, talk)


@visiting
async def test_no_socket_opens_without_the_cookie_from_another_page_or_after_the_session(there: Visit) -> None:
    cookie = await there.cookie()
    # Of another site, of no site, of another server on this computer, and of a name that was made to lead here.
    for origin in ("https://evil.example", "null", "http://127.0.0.1:1", "http://evil.example:1"):
        assert await there.refusal({**cookie, "Origin": origin, "Host": origin.rpartition("/")[2]}) == 403
    for stranger in ({}, {"Cookie": f"{COOKIE}=guess"}):
        assert await there.refusal(stranger) == 403
    there.seat.vacate()
    assert (await there.refusal(cookie), there.ears.events) == (403, [])


def test_a_page_that_says_nothing_is_hung_up_on(tmp_path, monkeypatch):
    monkeypatch.setattr("curtain_browser.server.SILENT_S", 0.05)

    async def talk(there: Visit) -> None:
        page = await there.page(**await there.cookie())
        assert (await page.receive()).type is WSMsgType.CLOSE
        await there.until(lambda: ("gone", 1, False) in there.ears.events)

    visit(tmp_path, talk)


def test_a_flood_of_connections_shuts_out_neither_the_page_nor_a_newcomer(tmp_path):
    there = Visit(tmp_path)
    assert place_of(Gate(), 0, tmp_path).note == HERE_ALONE
    port, hang_up = serve(there.server, place_of(Gate(), 0, tmp_path))

    async def talk() -> None:
        async with ClientSession(there.server.origins[0], connector=TCPConnector(force_close=True)) as there.client:
            page = await there.page(**await there.cookie())
            flood: list[socket.socket] = []
            while len(flood) < 3 * MOST_OPEN:
                # More at once than can wait at the door would knock again a second later.
                flood += [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(24)]
                assert (await there.client.get("/")).status == 200
            await page.send_str("still here")
            await there.until(lambda: ("heard", 1, "still here") in there.ears.events)
            assert [one.recv(1) for one in flood[:MOST_OPEN]] == [b""] * MOST_OPEN
            for one in flood:
                one.close()

    asyncio.run(talk())
    hang_up()


@visiting
async def test_files_are_a_closed_list_and_everything_has_the_strict_headers(there: Visit) -> None:
    for path, status in [
        ("/", 200), ("/page.js", 200), ("/page.py", 404), ("/../seat.py", 404), ("/%2e%2e/seat.py", 404),
        ("/page.js%00", 404), ("/%2f%2fetc/passwd", 404), ("/..%2f..%2fetc/passwd", 404), ("/page/../page.js", 200),
        ("/enter", 404), ("/page", 404), ("/page/seat", 403),
    ]:  # fmt: skip
        answer = await there.client.get(path)
        assert (path, answer.status) == (path, status)
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
        assert b"seat" not in await answer.read()


@visiting
async def test_a_second_tab_takes_the_place_of_the_first_which_says_so(there: Visit) -> None:
    cookie = await there.cookie()
    first = await there.page(**cookie)
    second = await there.page(**cookie)
    assert json.loads((await first.receive()).data) == {"t": "bye", "why": "elsewhere"}
    assert (await first.receive()).type is WSMsgType.CLOSE
    there.server.send(2, write(PageAck(n=7)))
    assert json.loads((await second.receive()).data) == {"t": "ack", "n": 7}
    await second.close(code=1001)
    await there.until(lambda: ("gone", 2, True) in there.ears.events)
    assert ("gone", 1, False) in there.ears.events


@visiting
async def test_a_frame_that_is_too_long_ends_the_connection_unread(there: Visit) -> None:
    page = await there.page(**await there.cookie())
    await page.send_bytes(bytes(LONGEST_FRAME + 1))
    closed = await page.receive()
    assert (closed.type, closed.data) == (WSMsgType.CLOSE, 1009)
    await there.until(lambda: there.ears.events[-1][0] == "gone")
    assert not [event for event in there.ears.events if event[0] == "heard"]


@visiting
async def test_no_more_is_read_from_a_page_than_the_station_is_done_with(there: Visit) -> None:
    there.ears.done = False
    page = await there.page(**await there.cookie())
    for number in range(3 * AHEAD):
        await page.send_str(str(number))
    heard = lambda: sum(event[0] == "heard" for event in there.ears.events)  # noqa: E731
    await there.until(lambda: heard() == AHEAD)
    for _ in range(10):
        there.server.done(1)
    await there.until(lambda: heard() == AHEAD + 10)
    # What still waits is read, so that closing waits for nothing.
    there.ears.done = True
    for _ in range(AHEAD):
        there.server.done(1)
    await page.close()
