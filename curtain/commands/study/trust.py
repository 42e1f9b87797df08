"""`curtain study trust` and `domain trust`: what would run and be sent, shown to a person who agrees or not."""

from collections.abc import Callable, Iterator
from functools import partial

from curtain.base.terminal import print_line
from curtain.commands.options import Pack, StudyFolder, Yes, ask_in_terminal
from curtain.domain.pack.pack import named_pack
from curtain.domain.pack.reader import pack_folder
from curtain.domain.pack.trust import agree_to_pack, is_agreed
from curtain.ports.discovery import offers
from curtain.ports.ear import Permission, ear_of
from curtain.ports.result import end_with
from curtain.session.study.study import Study, load_study

Open = tuple[str, Callable[[], None]]


def trust_pack(pack: Pack) -> int:
    """Remembers that a pack may run on this machine as it is now. Raises CurtainError."""
    # `named_pack` remembers the agreement: whoever names a pack on the command line has agreed.
    folder = named_pack(pack).folder
    runs = "its build.py" if (folder / "build.py").is_file() else "its database"
    return end_with(f"Agreed: {runs} may be used on this machine, until it changes: {folder}")


def trust(study: StudyFolder, yes: Yes = False) -> int:
    """Asks a person at the terminal, unless `yes`, about each thing that nobody agreed to yet; 1 if the person did not
    agree to all. Raises CurtainError."""
    # Each question by itself: a person may trust the database and not the sending.
    left = 0
    for what, agree in _open_questions(load_study(study)):
        print_line(what)
        if yes or ask_in_terminal("Do you agree to that on this machine?"):
            agree()
        else:
            left += 1
    print_line("This study does not have your agreement." if left else f"{study} has your agreement.")
    return 1 if left else 0


def _open_questions(study: Study) -> Iterator[Open]:
    folder = pack_folder(study.domain)
    if not is_agreed(folder):
        runs = "runs its build.py, which is a program" if (folder / "build.py").is_file() else "opens its database"
        yield f"The study {runs}: {folder}", partial(agree_to_pack, folder)
    for agreement in _needed(study):
        if not agreement.is_given:
            yield agreement.sentence, agreement.give


def _needed(study: Study) -> Iterator[Permission]:
    """What it would start, load or send, and its mirror. Raises CurtainError."""
    yield from study.agreements()
    for agreements in offers("agreements"):
        yield from agreements(study)
    # The recogniser of systems alone is theirs.
    if not {"command", "plugin"} & study.asr.keys():
        yield from ear_of(study.asr).agreements(study.asr, study.folder)
