"""Plays a whole session to a real subject's station and photographs every page.

`xvfb-run -a -s "-screen 0 1920x1080x24" python tests/support/show_subject.py FOLDER` leaves pictures in FOLDER.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import wave
from pathlib import Path
from typing import Any

import msgspec
from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, QTimer, Signal

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from fake_wizard import WELCOME, FakeWizard

from curtain.link.messages import Table

SIZES = {"1280": (1280, 720), "1920": (1920, 1080)}
TASK = (
    "You are planning the retirement party of a colleague. Find out who has worked longest in the research "
    "division, what their job is, and who supervises them. The party will be on the last Friday of the month, "
    "so you also want to know whom to ask for the room."
)
FLIGHTS = Table(
    headings=["Airline", "Flight", "From", "To", "Leaves", "Arrives", "Days", "One-way fare in US dollars"],
    rows=[
        ["Continental", str(1200 + n), "Boston", "San Francisco", f"{6 + n % 12}:{n * 7 % 60:02} am",
         f"{1 + n % 11}:{n * 13 % 60:02} pm", "SUN", f"{200 + n * 3}"]
        for n in range(200)
    ],
    numeric=[False, True, False, False, True, True, False, True],
    total=512,
)  # fmt: skip
WIDE = Table(
    headings=[f"A heading of just about forty letters {n:02}" for n in range(8)],
    rows=[[f"{n * 17 + c}" if c % 2 else f"cell {n}.{c}" for c in range(8)] for n in range(12)],
    numeric=[bool(c % 2) for c in range(8)],
    total=12,
)
SCRIPTS = Table(
    headings=["名前", "Город", "الاسم", "Ελληνικά", "Naïve café"],
    rows=[["東京太郎", "Санкт-Петербург", "القاهرة", "Αθήνα", "Zoë"]] * 3
    + [["short", "a remark that goes on for rather a long time, " * 4, "x", "y", "z"]],
    numeric=[False] * 5,
    total=4,
)


class Subject(QObject):
    """A station as a process, driven by its own keys."""

    answered = Signal(object)

    def __init__(self, name: str, folder: Path, wav: Path) -> None:
        super().__init__()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "subject_app", "--connect", name, "--spool", str(folder / "spool"),
             "--mic-file", str(wav), "--drive"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        threading.Thread(target=self._read, daemon=True).start()
        self._count = 0

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.answered.emit(json.loads(line))

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        self._count += 1
        got: list[dict[str, Any]] = []
        loop = QEventLoop()

        def on_answer(answer: dict[str, Any]) -> None:
            got.append(answer)
            loop.quit()

        self.answered.connect(on_answer)
        self.process.stdin.write(json.dumps({"id": self._count} | request).encode() + b"\n")
        self.process.stdin.flush()
        QTimer.singleShot(20000, loop.quit)
        loop.exec()
        self.answered.disconnect(on_answer)
        if not got or not got[0]["ok"]:
            print("no:", request, got)
        return got[0] if got else {}

    def wait(self, **properties: Any) -> dict[str, Any]:
        return self.ask(do="wait", name="window", **{"is": properties})

    def talk(self, ms: int = 350) -> None:
        self.ask(do="press", key="Space")
        self.wait(state="listening")
        pause(ms)
        self.ask(do="release", key="Space")


def pause(ms: int) -> None:
    loop = QEventLoop()
    QTimer.singleShot(ms, loop.quit)
    loop.exec()


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    app = QCoreApplication([])
    wav = folder / "silence.wav"
    with wave.open(str(wav), "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))
        file.writeframes(bytes(3200))
    wizard = FakeWizard(msgspec.structs.replace(WELCOME, pilot=True))
    name = f"show-{os.getpid()}"
    subject = Subject(name, folder, wav)

    def shoot(title: str) -> None:
        for size, (width, height) in SIZES.items():
            subject.ask(do="resize", w=width, h=height)
            subject.ask(do="shot", path=str(folder / f"{title}-{size}.png"))
        subject.ask(do="resize", w=1280, h=720)

    subject.wait(state="waiting")
    shoot("01-waiting")
    wizard.listen(name)
    subject.wait(state="mic_test", microphone="ready")
    shoot("02-microphone")
    subject.ask(do="press", key="Space")
    pause(400)
    shoot("03-microphone-listening")
    subject.ask(do="release", key="Space")
    subject.ask(do="wait", name="mic_continue", **{"is": {"enabled": True}})
    shoot("04-microphone-tested")
    subject.ask(do="keys", keys="Return")
    subject.wait(state="briefing")
    shoot("05-briefing")
    subject.ask(do="keys", keys="Return")
    subject.wait(state="idle")
    shoot("06-before-the-task")
    wizard.scenario(TASK, practice=True)
    subject.ask(do="wait", name="scenario", **{"is": {"text": TASK}})
    shoot("07-idle")
    subject.ask(do="press", key="Space")
    subject.wait(state="listening")
    pause(300)
    shoot("08-listening")
    subject.ask(do="release", key="Space")
    subject.wait(state="one_moment", turn=1)
    shoot("09-one-moment")
    wizard.query(1, "show me the continental flights on sunday morning")
    subject.ask(do="wait", name="query", **{"is": {"visible": True}})
    shoot("10-query")
    wizard.answer(1, FLIGHTS)
    subject.wait(shown_turn=1, state="idle")
    shoot("11-answer-200-rows")
    subject.ask(do="keys", keys="PgDown")
    subject.talk()
    wizard.query(2, "and what do you know about " + "very long questions that go on and on " * 8)
    wizard.answer(2, WIDE)
    subject.wait(shown_turn=2)
    shoot("12-wide-headings")
    subject.talk()
    wizard.query(3, "名前 и город")
    wizard.answer(3, SCRIPTS)
    subject.wait(shown_turn=3)
    shoot("13-scripts")
    subject.talk()
    wizard.query(4, "how many employees are there")
    wizard.answer(4, Table(headings=["Number of employees"], rows=[["600"]], numeric=[True], total=1))
    subject.wait(shown_turn=4)
    shoot("14-scalar")
    subject.talk()
    wizard.query(5, "who is the oldest")
    wizard.message(5, "I have no information on “the oldest”. Please ask one question at a time.")
    subject.wait(shown_turn=5)
    shoot("15-message")
    wizard.answer(5, Table(headings=["Name"], rows=[], numeric=[False], total=0), corrects=True)
    subject.wait(shown_seq=wizard.sent[-1].seq)
    shoot("16-empty-corrected")
    subject.ask(do="keys", keys="Tab")
    shoot("17-focus")
    for widget, title in (("earlier", "18-history"), ("task_sheet", "19-folded"), ("have_answer", "20-solution")):
        reach(subject, widget)
        subject.ask(do="keys", keys="Return")
        shoot(title)
        if widget == "earlier":
            subject.ask(do="keys", keys="Down, Down, Return")
            shoot("18b-earlier-question")
            reach(subject, "back_to_newest")
            subject.ask(do="keys", keys="Return")
    subject.ask(do="type", text="It is Ms Núñez, 42 Main Street\n")
    shoot("21-solution-noted")
    wizard.pause(True)
    subject.wait(state="paused")
    shoot("22-paused")
    wizard.pause(False)
    wizard.scenario_over()
    subject.ask(do="wait", name="have_answer", **{"is": {"visible": False}})
    shoot("23-between-tasks")
    wizard.scenario(TASK * 4, 1)
    subject.ask(do="wait", name="task", **{"is": {"text": "Task 1 of 4"}})
    shoot("24-long-task")
    wizard.link.close()
    subject.wait(link="down", state="one_moment")
    shoot("25-link-lost")
    wizard.listen(name)
    subject.wait(link="up")
    wizard.end()
    subject.wait(state="closing")
    shoot("26-closing")
    subject.ask(do="quit")
    print("exit", subject.process.wait(10), [entry.type for entry in wizard.entries])
    assert app is not None


def reach(subject: Subject, name: str) -> None:
    """Go to a widget by the tab key."""
    for _ in range(30):
        if subject.ask(do="look")["widgets"].get(name, {}).get("focus"):
            return
        subject.ask(do="keys", keys="Tab")
    print("cannot be reached:", name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
