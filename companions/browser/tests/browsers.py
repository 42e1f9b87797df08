"""Chromium and Firefox without a window: by CDP and by BiDi, each over its own debugging port."""

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
LISTENING = re.compile(rb"listening on (ws://\S+)")
UNTIL = """new Promise((reached) => {
  const look = () => { const seen = (CONDITION); if (seen) { watch.disconnect(); reached(seen); } };
  const watch = new MutationObserver(look);
  watch.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  look();
})"""


class Browser:
    """One browser with one page. `until` waits for what the page shows, without asking again and again. In each kind
    `open_page` puts another page in the place of the one before, `go` shows an address, `key` is Down or Up, and
    `_evaluate` awaits a script that gives a string."""

    def __init__(self, command: list[str], path: str = "", **env: str) -> None:
        self._numbers, self._page = itertools.count(1), {}
        quiet, env = subprocess.DEVNULL, os.environ | env
        self.process = subprocess.Popen(
            command, env=env, stdin=quiet, stdout=quiet, stderr=subprocess.PIPE, start_new_session=True
        )
        said = b""
        while not (found := LISTENING.search(said)):
            line = self.process.stderr.readline()
            assert line, said.decode(errors="replace")
            said += line
        # A full pipe would stop it.
        threading.Thread(target=self.process.stderr.read, daemon=True).start()
        self._loop = asyncio.new_event_loop()
        self._now(self._connect(found[1].decode() + path))
        self.open_page()

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
        """A command."""
        return self._now(self._ask(method, params))

    def run(self, script: str) -> Any:
        """What a script of the page gives, awaited."""
        got = self._evaluate(f"Promise.resolve({script}).then(JSON.stringify)")
        assert "exceptionDetails" not in got, got
        return json.loads(got["result"].get("value", "null"))

    def until(self, condition: str) -> Any:
        return self.run(UNTIL.replace("CONDITION", condition))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End it and all that it started."""
        self._now(self._http.close())
        self._loop.close()
        os.killpg(self.process.pid, 9)
        self.process.wait()
        self.process.stderr.close()


class Chromium(Browser):
    """`wav` plays its microphone, again and again from the moment that it is opened, at 44.1 kHz."""

    def __init__(self, folder: Path, wav: Path | None = None, *more: str) -> None:
        fake = ("--use-fake-device-for-media-stream", f"--use-file-for-fake-audio-capture={wav}") if wav else ()
        super().__init__([
            "chromium", "--headless=new", "--no-sandbox", "--remote-debugging-port=0", f"--user-data-dir={folder}",
            "--use-fake-ui-for-media-stream", "--disable-gpu", "--no-first-run", *fake, *more, "about:blank",
        ])  # fmt: skip

    def open_page(self) -> None:
        self._page, target = {}, self.do("Target.createTarget", url="about:blank")["targetId"]
        self._page = {"sessionId": self.do("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]}

    def kill_page(self) -> None:
        """End the process of the page, which answers no more."""
        self._now(self._socket.send_json({"id": 0, "method": "Page.crash", **self._page}))

    def go(self, address: str) -> None:
        self.do("Page.navigate", url=address)
        self.run("new Promise((there) => document.readyState === 'complete' ? there() : (onload = () => there()))")

    def _evaluate(self, expression: str) -> dict[str, Any]:
        return self.do("Runtime.evaluate", expression=expression, awaitPromise=True)

    def key(self, kind: str, name: str = "Space") -> None:
        text, code = (" ", 32) if name == "Space" else ("\r", 13)
        self.do(
            "Input.dispatchKeyEvent", type=f"key{kind}", code=name, key=text if text == " " else "Enter",
            windowsVirtualKeyCode=code, text=text if kind == "Down" else "",
        )  # fmt: skip


class Firefox(Browser):
    """It has no file for its microphone, and hears the one of `env`."""

    def __init__(self, folder: Path, **env: str) -> None:
        folder.mkdir()
        (folder / "user.js").write_text('user_pref("media.navigator.permission.disabled", true);')
        super().__init__(
            ["firefox-esr", "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port=0"],
            "/session", **env,
        )  # fmt: skip

    def open_page(self) -> None:
        self.do("session.new", capabilities={})
        self._context = self.do("browsingContext.getTree")["contexts"][0]["context"]

    def go(self, address: str) -> None:
        self.do("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def _evaluate(self, expression: str) -> dict[str, Any]:
        return self.do("script.evaluate", expression=expression, target={"context": self._context}, awaitPromise=True)

    def key(self, kind: str, name: str = "Space") -> None:
        press = {"type": f"key{kind}", "value": " " if name == "Space" else "\ue007"}
        keyboard = {"type": "key", "id": "keyboard", "actions": [press]}
        self.do("input.performActions", context=self._context, actions=[keyboard])
