"""Makes pictures of every page of the subject's station: `python docs/subject_shots.py [FOLDER]`.

Each page in every language, theme and size, without a session behind it. With QT_SCALE_FACTOR=2 in front of it, the
pictures have twice the pixels.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication
from shots import ROOT, keep

from curtain.base.table import Table
from curtain.link.messages import ScenarioShown
from curtain.qt import style
from curtain.qt.style import THEMES, Look
from curtain.session.study.languages import bundled_languages
from subject_app.pages.main_page import MainPage
from subject_app.pages.mic_page import MicPage
from subject_app.pages.plain_pages import BriefingPage, MessagePage
from subject_app.session.screen_state import Exchange, ScreenState
from subject_app.session.texts import Texts, texts_in
from subject_app.talk.mic_test import MicTestStage
from subject_app.talk.microphone import Readiness
from subject_app.window import Window

# Of 1280x720, 1366x768 and of 1920x1080 at twice the size, each less a title bar and what the desktop keeps.
SIZES = ((1280, 680), (1366, 728), (960, 500))

TASK = (
    "A colleague of yours moves to another building, and the caretaker asks who else sits there. Find out how many "
    "people of the second division work in Irving, and who of them has been with the company for the longest time."
)
SPOKEN = {
    "en": "which flights leave boston for denver before noon",
    "de": "welche Flüge gehen vormittags von Boston nach Denver, größere Maschinen zuerst",
    "es": "¿qué vuelos salen de Boston hacia Denver antes del mediodía?",
    "zh": "上午从波士顿飞往丹佛的航班有哪些？ أي رحلات تغادر بوسطن",
}
TABLE = Table(
    headings=["Airline", "Flight", "From", "To", "Departs", "Arrives", "Fare"],
    rows=[["UA", str(200 + n), "Boston 波士顿", "Denver دنفر", f"{6 + n % 6}:15", f"{9 + n % 6}:40", f"${99 + n}"]
          for n in range(60)],
    total=120,
    numeric=[False, True, False, False, False, False, True],
)  # fmt: skip


class SubjectPages(QObject):
    """The window with one page of each kind, to be brought into every state."""

    finished = Signal()

    def __init__(self, look: Look, language: str) -> None:
        super().__init__()
        self.texts: Texts = texts_in(language).with_key("space")
        self.language = language
        self.window = Window(look, self.texts)
        self.mic, self.briefing, self.main = (kind(look, self.texts) for kind in (MicPage, BriefingPage, MainPage))
        self.plain = {name: MessagePage(name, look, self.texts) for name in ("paused", "closing", "stopped")}
        for name, page in (
            ("mic_test", self.mic),
            ("briefing", self.briefing),
            ("main", self.main),
            *self.plain.items(),
        ):
            self.window.add_page(name, page)
        self.briefing.show_briefing("", "", " ".join([TASK] * 5))

    def states(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """Every state by its name, and what brings it about."""
        yield "waiting", lambda: self.window.show_page("waiting")
        for name, readiness, missing in (("choose", Readiness.CHOOSE, "USB 麦克风"), ("ready", Readiness.READY, "")):
            yield f"mic-{name}", lambda r=readiness, m=missing: self._show_mic(r, m)
        yield "briefing", lambda: self.window.show_page("briefing")
        yield "first", lambda: self._show_main(())
        yield "answer", lambda: self._show_main(self._answered())
        yield "listening", lambda: self.main.show_state("listening")
        yield "one-moment", lambda: self.main.show_state("one_moment")
        yield "tapped", self._show_tapped
        yield "noted", self._show_noted
        for name in self.plain:
            yield name, lambda name=name: self.window.show_page(name)

    def _show_mic(self, readiness: Readiness, missing: str) -> None:
        self.mic.show_microphone(readiness, ["Headset", "Webcam"], missing)
        self.mic.show_test(MicTestStage.QUIET if readiness is Readiness.READY else MicTestStage.NOTHING)
        self.window.show_page("mic_test")

    def _answered(self) -> tuple[Exchange, ...]:
        spoken = SPOKEN[self.language]
        return (
            Exchange(1, query=spoken, query_seq=2, message="…", answer_seq=3),
            Exchange(2, query=spoken, query_seq=4, table=TABLE, answer_seq=5, replaced=True),
        )

    def _show_main(self, exchanges: tuple[Exchange, ...]) -> None:
        task = ScenarioShown(seq=1, scenario_id="7", text=TASK, asks_answer=True, practice=False, number=2, of=4)
        self.main.show_shown(ScreenState(scenario=task, exchanges=exchanges, newest=len(exchanges), seq=5))
        self.main.show_state("idle")
        self.window.show_page("main")

    def _show_tapped(self) -> None:
        self.main.show_state("idle")
        self.main.show_notice(self.texts.hold_longer)

    def _show_noted(self) -> None:
        self.main.show_notice(self.texts.cut_short)
        self.main.show_solution_noted("UA 203")


def main() -> None:
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "out" / "subject"
    out.mkdir(parents=True, exist_ok=True)
    app = QApplication(["subject-shots", "-platform", "offscreen"])
    for theme, percent in [*((theme, 100) for theme in THEMES[1:]), ("light", 150)]:
        look = style.apply(app, theme, percent)
        for language in bundled_languages():
            pages = SubjectPages(look, language)
            pages.window.show()
            for name, bring in pages.states():
                bring()
                for width, height in SIZES:
                    pages.window.resize(width, height)
                    for _ in range(3):
                        app.sendPostedEvents()  # layouts settle in a few rounds
                    fits = pages.window.size().toTuple() == (width, height)
                    picture = f"{name}-{language}-{theme}-{percent}-{width}x{height}"
                    pages.window.grab().save(str(out / f"{picture}.png"))
                    if picture == "mic-ready-en-light-100-1280x680":
                        keep(out / f"{picture}.png", "lab-microphone")
                    if not fits:
                        print(f"{picture} needs {pages.window.width()}x{pages.window.height()}")
            pages.window.close()


if __name__ == "__main__":
    main()
