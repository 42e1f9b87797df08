"""Plays a whole session to a real subject's station and photographs every page.

`xvfb-run -a -s "-screen 0 1920x1080x24" python -m tests.support.show_subject FOLDER` leaves pictures in FOLDER.
"""

import os
import sys
from pathlib import Path

import msgspec
from PySide6.QtCore import QCoreApplication

from curtain.base.table import Table
from tests.support.driven_station import DrivenStation, pause, silent_wav, voiced_wav
from tests.support.fake_wizard import WELCOME, FakeWizard

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


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    app = QCoreApplication([])
    wav = silent_wav(folder / "silence.wav")
    wizard = FakeWizard(msgspec.structs.replace(WELCOME, pilot=True))
    name = f"show-{os.getpid()}"
    spool = str(folder / "spool")
    subject = DrivenStation("subject_app", "--connect", name, "--spool", spool, "--mic-file", str(wav))

    def shoot(title: str) -> None:
        for size, (width, height) in SIZES.items():
            subject.must(do="resize", w=width, h=height)
            subject.must(do="shot", path=str(folder / f"{title}-{size}.png"))
        subject.must(do="resize", w=1280, h=720)

    subject.until(state="waiting")
    shoot("01-waiting")
    wizard.listen(name)
    subject.until(state="mic_test", microphone="ready")
    shoot("02-microphone")
    subject.must(do="cue", wav=str(voiced_wav(folder / "voice.wav")))
    subject.must(do="press", key="Space")
    pause(400)
    shoot("03-microphone-listening")
    subject.must(do="release", key="Space")
    subject.until("mic_continue", enabled=True)
    shoot("04-microphone-tested")
    subject.must(do="keys", keys="Return")
    subject.until(state="briefing")
    shoot("05-briefing")
    subject.must(do="keys", keys="Return")
    subject.until(state="one_moment")
    shoot("06-before-the-task")
    wizard.scenario(TASK, practice=True)
    subject.until("scenario", text=TASK)
    shoot("07-idle")
    subject.must(do="press", key="Space")
    subject.until(state="listening")
    pause(300)
    shoot("08-listening")
    subject.must(do="release", key="Space")
    subject.until(state="one_moment", turn=1)
    shoot("09-one-moment")
    wizard.query(1, "show me the continental flights on sunday morning")
    subject.until("query", visible=True)
    shoot("10-query")
    wizard.answer(1, FLIGHTS)
    subject.until(shown_turn=1, state="idle")
    shoot("11-answer-200-rows")
    subject.must(do="keys", keys="PgDown")
    subject.talk()
    wizard.query(2, "and what do you know about " + "very long questions that go on and on " * 8)
    wizard.answer(2, WIDE)
    subject.until(shown_turn=2)
    shoot("12-wide-headings")
    subject.talk()
    wizard.query(3, "名前 и город")
    wizard.answer(3, SCRIPTS)
    subject.until(shown_turn=3)
    shoot("13-scripts")
    subject.talk()
    wizard.query(4, "how many employees are there")
    wizard.answer(4, Table(headings=["Number of employees"], rows=[["600"]], numeric=[True], total=1))
    subject.until(shown_turn=4)
    shoot("14-scalar")
    subject.talk()
    wizard.query(5, "who is the oldest")
    wizard.message(5, "I have no information on “the oldest”. Please ask one question at a time.")
    subject.until(shown_turn=5)
    shoot("15-message")
    wizard.answer(5, Table(headings=["Name"], rows=[], numeric=[False], total=0), corrects=True)
    subject.until(shown_seq=wizard.sent[-1].seq)
    shoot("16-empty-corrected")
    subject.must(do="keys", keys="Tab")
    shoot("17-focus")
    for widget, title in (("earlier", "18-history"), ("task_sheet", "19-folded"), ("have_answer", "20-solution")):
        reach(subject, widget)
        subject.must(do="keys", keys="Return")
        shoot(title)
        if widget == "earlier":
            subject.must(do="keys", keys="Down, Down, Return")
            shoot("18b-earlier-question")
            reach(subject, "back_to_newest")
            subject.must(do="keys", keys="Return")
    subject.must(do="type", text="It is Ms Núñez, 42 Main Street\n")
    shoot("21-solution-noted")
    reach(subject, "start_over")
    subject.must(do="keys", keys="Return")
    shoot("21b-start-over-asked")
    wizard.pause(True)
    subject.until(state="paused")
    shoot("22-paused")
    wizard.pause(False)
    wizard.scenario_over()
    subject.until("have_answer", visible=False)
    shoot("23-between-tasks")
    wizard.scenario(TASK * 4, 1)
    subject.until("task", text="Task 1 of 4")
    shoot("24-long-task")
    wizard.link.close()
    subject.until(link="down", state="one_moment")
    shoot("25-link-lost")
    wizard.listen(name)
    subject.until(link="up")
    wizard.end()
    subject.until(state="closing")
    shoot("26-closing")
    subject.must(do="quit")
    print("exit", subject.end(), [entry.type for entry in wizard.entries])
    assert app is not None


def reach(subject: DrivenStation, name: str) -> None:
    """Go to a widget by the tab key."""
    for _ in range(30):
        if subject.must(do="look")["widgets"].get(name, {}).get("focus"):
            return
        subject.must(do="keys", keys="Tab")
    print("cannot be reached:", name)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
