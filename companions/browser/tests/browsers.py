"""Chromium without a window, by CDP over its debugging port."""

import asyncio
import itertools
import json
import os
import re
import subprocess
import threading
from pathlib import Path
from typing import Any, Self

import aiohttp

PATIENCE_S = 300
LISTENING = re.compile(rb"DevTools listening on (ws://\S+)")
UNTIL = """new Promise((reached) => {
  const look = () => { const seen = (CONDITION); if (seen) { watch.disconnect(); reached(JSON.stringify(seen)); } };
  const watch = new MutationObserver(look);
  watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  look();
})"""


class Chromium:
    """One browser with one page. `until` waits for what the page shows, without asking again and again. `wav` plays its
    microphone, again and again from the moment that it is opened, at 44.1 kHz."""

    def __init__(self, folder: Path, wav: Path | None = None, *more: str) -> None:
        fake = ("--use-fake-device-for-media-stream", f"--use-file-for-fake-audio-capture={wav}") if wav else ()
        command = [
            "chromium", "--headless=new", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={folder}",
            "--use-fake-ui-for-media-stream", "--disable-gpu", "--no-first-run", *fake, *more, "about:blank",
        ]  # fmt: skip
        self._numbers, self._page = itertools.count(1), {}
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE, start_new_session=True
        )
        said = b""
        while not (found := LISTENING.search(said)):
            line = self.process.stderr.readline()
            assert line, said.decode(errors="replace")
            said += line
        # A full pipe would stop it.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self._loop = asyncio.new_event_loop()
        self._now(self._connect(found[1].decode()))
        self.open_page()

    def open_page(self) -> None:
        """Another page, which takes the place of the one before."""
        self._page, target = {}, self.do("Target.createTarget", url="about:blank")["targetId"]
        self._page = {"sessionId": self.do("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}

    def kill_page(self) -> None:
        """End the process of the page, which answers no more."""
        self._now(self._socket.send_json({"id": 0, "method": "Page.crash", **self._page}))

    def _now(self, work: Any) -> Any:
        return self._loop.run_until_complete(asyncio.wait_for(work, PATIENCE_S))

    async def _connect(self, address: str) -> None:
        self._http = aiohttp.ClientSession()
        self._socket = await self._http.ws_connect(address, max_msg_size=0)

    async def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number, answer = next(self._numbers), {}
        await self._socket.send_str(json.dumps({"id": number, "method": method, "params": params, **self._page}))
        while answer.get("id") != number:
            answer = await self._socket.receive_json()
        assert "error" not in answer, answer
        return answer["result"]

    def do(self, method: str, **params: Any) -> dict[str, Any]:
        """A command for the page."""
        return self._now(self._ask(method, params))

    def go(self, address: str) -> None:
        self.do("Page.navigate", url=address)
        self.run("new Promise((there) => document.readyState === 'complete' ? there() : (onload = () => there()))")

    def run(self, script: str) -> Any:
        """What a script of the page gives, awaited."""
        got = self.do("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in got, got
        return got["result"].get("value")

    def until(self, condition: str) -> Any:
        return json.loads(self.run(UNTIL.replace("CONDITION", condition)))

    def key(self, kind: str, name: str = "Space") -> None:
        """`kind` is Down or Up."""
        text, code = (" ", 32) if name == "Space" else ("\r", 13)
        self.do(
            "Input.dispatchKeyEvent", type=f"key{kind}", code=name, key=text if text == " " else "Enter",
            windowsVirtualKeyCode=code, text=text if kind == "Down" else "",
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End it and all that it started."""
        self._now(self._http.close())
        self._loop.close()
        os.killpg(self.process.pid, 9)
        self.process.wait()
        self.process.stderr.close()
