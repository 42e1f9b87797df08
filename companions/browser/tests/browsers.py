"""Chromium without a window, by CDP over its debugging port."""

import asyncio
import itertools
import json
import os
import re
import subprocess
import threading
from collections.abc import Coroutine, Mapping
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

    def __init__(self, folder: Path, wav: Path | None = None, *more: str, env: Mapping[str, str] | None = None) -> None:
        fake = ("--use-fake-device-for-media-stream", f"--use-file-for-fake-audio-capture={wav}") if wav else ()
        command = [
            "chromium", "--headless=new", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={folder}",
            "--use-fake-ui-for-media-stream", "--disable-gpu", "--no-first-run", *fake, *more, "about:blank",
        ]  # fmt: skip
        self._numbers = itertools.count(1)
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})}, start_new_session=True,
        )  # fmt: skip
        assert self.process.stderr
        said = b""
        while not (found := LISTENING.search(said)):
            line = self.process.stderr.readline()
            assert line, said.decode(errors="replace")
            said += line
        # A full pipe would stop it.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self._loop = asyncio.new_event_loop()
        self._now(self._connect(found[1].decode()))
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._page = {"sessionId": session}

    def _now(self, work: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(asyncio.wait_for(work, PATIENCE_S))

    async def _connect(self, address: str) -> None:
        self._http = aiohttp.ClientSession()
        self._socket = await self._http.ws_connect(address, max_msg_size=0)

    async def _ask(self, method: str, params: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
        number, answer = next(self._numbers), {}
        await self._socket.send_str(json.dumps({"id": number, "method": method, "params": params, **more}))
        while answer.get("id") != number:
            answer = await self._socket.receive_json()
        assert "error" not in answer, answer
        return dict(answer["result"])

    def call(self, method: str, more: dict[str, Any] | None = None, **params: Any) -> dict[str, Any]:
        return dict(self._now(self._ask(method, params, more or {})))

    def do(self, method: str, **params: Any) -> dict[str, Any]:
        """A command for the page."""
        return self.call(method, self._page, **params)

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

    def key(self, kind: str, name: str = "Space", repeats: bool = False) -> None:
        """`kind` is down or up."""
        text, code = {"Space": (" ", 32), "Enter": ("\r", 13), "Escape": ("", 27), "Tab": ("", 9)}.get(name, (name, 0))
        self.do(
            "Input.dispatchKeyEvent", type="keyDown" if kind == "down" else "keyUp", code=name, autoRepeat=repeats,
            key=" " if name == "Space" else name, windowsVirtualKeyCode=code, text=text if kind == "down" else "",
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End it and all that it started."""
        self._now(self._http.close())
        self._loop.close()
        os.killpg(self.process.pid, 9)
        self.process.wait()
        assert self.process.stderr
        self.process.stderr.close()
