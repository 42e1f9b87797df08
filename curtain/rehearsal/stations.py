"""Starts a station as a process of its own and presses its keys: one JSON line each way (see `desk.driver`)."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from curtain.base.errors import CurtainError
from curtain.base.python_process import module_command, module_environment, why_it_failed
from curtain.ports.discovery import named_offers

# A station that ends is noticed at once. One that is only slow, as on a busy machine, must not fail a step.
PATIENCE_S = 300.0
_MODULES = {"wizard": "wizard_app", "subject": "subject_app", "annotator": "curtain.review"}


def _module_of(name: str) -> str:
    """Ours, or a window of a companion."""
    return {**named_offers("windows"), **_MODULES}[name]


class StationStopped(CurtainError):
    """The station's process ended by itself; the sentence holds the last line of its `errors`, and names its log."""

    def __init__(self, name: str, code: int | None, errors: bytes, log: Path) -> None:
        why = why_it_failed(errors)
        super().__init__(f"The {name}'s station stopped unexpectedly (exit {code}: {why}). All it said is in {log}.")


class StationStuck(CurtainError):
    """The station did not answer, or did not come to what was wished; `seen` is what it shows."""

    def __init__(self, name: str, wish: str, seen: object) -> None:
        self.seen = seen
        shown = json.dumps(seen, ensure_ascii=False)
        super().__init__(f"The {name}'s station did not come to “{wish}”; it shows {shown}.")


class RunningStation:
    """One running station. Used as a context manager it quits at the end, whatever happened.

    `patience_s` is how long it may take to answer or to show what is waited for, unless a call says otherwise.
    """

    def __init__(
        self,
        name: str,
        arguments: list[str],
        log: Path,
        env: Mapping[str, str] | None = None,
        patience_s: float = PATIENCE_S,
        starter: Sequence[str] = (),
    ) -> None:
        """`starter` is a command that starts the station's, such as one that moves its clocks."""
        self.name = name
        self._patience_s = patience_s
        self.log = log
        log.parent.mkdir(parents=True, exist_ok=True)
        # Appended: the log of an earlier rehearsal in the study stays. Held open: its folder may go before the station.
        self._errors = log.open("ab+")
        self._log_begins = self._errors.tell()
        self.process = subprocess.Popen(
            [*starter, *module_command(_module_of(name), *arguments, "--drive")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env=module_environment({**os.environ, **(env or {})}),
        )
        self._replies: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._asked = 0
        # Read on a thread of its own: a full pipe would stop the station.
        threading.Thread(target=self._read, name=f"{name}-replies", daemon=True).start()

    def ask(self, do: str, *, patience_s: float | None = None, **more: Any) -> dict[str, Any]:
        """One command to the driver; returns its reply. Raises StationStopped or StationStuck."""
        self._asked += 1
        line = json.dumps({"id": self._asked, "do": do, **more}) + "\n"
        assert self.process.stdin
        try:
            self.process.stdin.write(line.encode())
            self.process.stdin.flush()
        except (BrokenPipeError, OSError, ValueError) as error:
            raise self._stopped() from error
        return self._reply_to(self._asked, do, self._patience_s if patience_s is None else patience_s)

    def keys(self, keys: str) -> None:
        """Press keys, named as Qt does (“Ctrl+Return”). Raises StationStopped, StationStuck."""
        self.ask("keys", keys=keys)

    def type(self, text: str) -> None:
        """Type a text into what has the cursor. Raises StationStopped, StationStuck."""
        self.ask("type", text=text)

    def wait(self, name: str, patience_s: float | None = None, **wanted: Any) -> dict[str, Any]:
        """Until the named widget (or "window") has these properties. Raises StationStuck with what is seen."""
        patience_s = self._patience_s if patience_s is None else patience_s
        reply = self.ask(
            # Our own patience is longer, so that the driver answers with what it sees before we give up.
            "wait",
            name=name,
            timeout_ms=int(patience_s * 1000),
            patience_s=patience_s + 5,
            **{"is": wanted},
        )
        if not reply.get("ok"):
            raise StationStuck(self.name, f"{name} {wanted}", reply.get("seen"))
        return reply

    def has(self, name: str, **wanted: Any) -> bool:
        """Whether the named widget has these properties now."""
        more: dict[str, Any] = {"is": wanted}
        return bool(self.ask("wait", name=name, timeout_ms=0, **more)["ok"])

    def text_of(self, name: str) -> str:
        """What stands in the named widget now."""
        return str((self.look()["widgets"].get(name) or {}).get("text") or "")

    def look(self) -> dict[str, Any]:
        """The driver's reply with every named widget under `widgets`. Raises StationStopped, StationStuck."""
        return self.ask("look")

    def shot(self, path: Path) -> None:
        """Save a picture of the window as PNG. Raises StationStopped, StationStuck."""
        self.ask("shot", path=str(path))

    def kill(self) -> None:
        """End the process at once, as a crash would; its journals stay as they are."""
        self.process.kill()
        self.process.wait()
        self._close_pipes()

    def quit(self) -> int | None:
        """Asks the station to close, waits, and kills it if it does not."""
        # A station that does not answer is killed below.
        with contextlib.suppress(CurtainError):
            self.ask("quit", patience_s=PATIENCE_S)
        with contextlib.suppress(OSError):
            if self.process.stdin:
                self.process.stdin.close()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._close_pipes()
        return self.process.returncode

    def __enter__(self) -> RunningStation:
        return self

    def __exit__(self, *_: object) -> None:
        self.quit()

    def _read(self) -> None:
        assert self.process.stdout
        with contextlib.suppress(ValueError, OSError):
            for line in self.process.stdout:
                # A library may print a line of its own.
                with contextlib.suppress(json.JSONDecodeError):
                    self._replies.put(json.loads(line))
        # The end of its output: whoever waits must not wait on.
        self._replies.put(None)

    def _reply_to(self, number: int, do: str, patience_s: float) -> dict[str, Any]:
        while True:
            try:
                reply = self._replies.get(timeout=patience_s)
            except queue.Empty:
                raise StationStuck(self.name, do, "no reply") from None
            if reply is None:
                # Put back for the next one who asks.
                self._replies.put(None)
                raise self._stopped()
            # A late reply to a question that was given up is passed over.
            if reply.get("id") == number:
                if "error" in reply:
                    raise StationStuck(self.name, do, reply["error"])
                return reply

    def _stopped(self) -> StationStopped:
        # Its output ends a moment before the process does.
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(PATIENCE_S)
        errors = b""
        # Closed: somebody has killed it while another waited for it.
        with contextlib.suppress(ValueError):
            self._errors.seek(self._log_begins)
            errors = self._errors.read()
        return StationStopped(self.name, self.process.returncode, errors, self.log)

    def _close_pipes(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self._errors):
            with contextlib.suppress(OSError, ValueError):
                if pipe:
                    pipe.close()


def own_places(folder: Path, who: str) -> dict[str, str]:
    """The variables with which a station keeps its certificate and its sockets where no other one does, in `folder`."""
    run, home = folder / f"{who}-run", str(folder / f"{who}-home")
    run.mkdir(mode=0o700, exist_ok=True)
    # platformdirs reads the last one on Windows, where it reads no other.
    return {"XDG_DATA_HOME": home, "XDG_RUNTIME_DIR": str(run), "WIN_PD_OVERRIDE_LOCAL_APPDATA": home}
