"""The systems and the recogniser of a study's conditions, running from the moment the database is open."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING

from curtain.base.errors import CurtainError
from curtain.ports.ear import OpenEar
from curtain.session.study.study import Study
from curtain_experiments.systems.protocol import HostedSystemError, SystemQuestion

if TYPE_CHECKING:
    from curtain.domain.pack.reader import Pack
    from curtain_experiments.systems.client import SystemClient


class RunningSystems:
    """Clients by the name of the system; `problems` has a sentence for each that cannot be used. `ears` is the
    recogniser of [asr], else `transcriber` hears."""

    def __init__(self) -> None:
        self.clients: dict[str, SystemClient] = {}
        self.problems: dict[str, str] = {}
        self.ears: SystemClient | None = None
        self.transcriber: OpenEar | None = None

    def hear(self, question: SystemQuestion) -> Future[str]:
        """The words of a turn's recording; the Future raises HostedSystemError where none is there or it fails."""
        heard: Future[str] = Future()
        if self.ears is not None:
            asked = self.ears.ask(question)
            asked.add_done_callback(lambda done: _pass_on(done, heard, lambda timed: timed.reply.text or ""))
        elif self.transcriber is not None and question.audio is not None:
            transcribed = self.transcriber.transcribe(Path(question.audio))
            transcribed.add_done_callback(lambda done: _pass_on(done, heard, lambda hearing: hearing.text))
        else:
            heard.set_exception(HostedSystemError("missing", self.problems.get("asr", "There is no recogniser.")))
        return heard

    def close(self) -> None:
        """End every process."""
        for client in filter(None, (*self.clients.values(), self.ears)):
            client.close()
        if self.transcriber is not None:
            self.transcriber.close()


def start_all(
    study: Study, pack: Pack, database: Path, on_ready: Callable[[], None], transcriber: Callable[[], OpenEar]
) -> RunningSystems:
    """Start what the conditions name. Nothing is raised: a system that cannot be used is named in `problems`."""
    from curtain_experiments.systems.choice import recogniser_of, system_named
    from curtain_experiments.systems.starting import SystemGround, start_system

    running = RunningSystems()
    ground = SystemGround(pack, database, study.folder, dict(study.drafters))
    for name in dict.fromkeys(one.system for one in study.conditions if one.system):
        try:
            choice = system_named(name, study.systems, study.folder)
            # A name may be the path of a file.
            plain = re.sub(r"[^\w-]+", "-", name)
            log = study.folder / "logs" / f"system-{plain}.txt"
            running.clients[name] = start_system(choice, ground, on_ready, log)
        except CurtainError as error:
            running.problems[name] = str(error)
    if any(one.who == "system" and one.ears == "asr" for one in study.conditions):
        try:
            if (ears := recogniser_of(study.asr, study.folder)) is not None:
                running.ears = start_system(ears, ground, on_ready, study.folder / "logs" / "asr.txt")
            else:
                running.transcriber = transcriber()
        except CurtainError as error:
            running.problems["asr"] = str(error)
    return running


def _pass_on(done: Future, to: Future[str], text_of: Callable) -> None:  # type: ignore[type-arg]
    if done.cancelled():
        to.set_exception(HostedSystemError("stopped", "The recogniser was stopped."))
    elif (problem := done.exception()) is not None:
        to.set_exception(problem)
    else:
        to.set_result(text_of(done.result()))
