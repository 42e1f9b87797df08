"""`curtain ear`: the recogniser transcribes what nobody has."""

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.base.plural import count_of
from curtain.base.progress_bar import progress_bar
from curtain.base.terminal import print_error, print_json, print_line
from curtain.commands.options import AsJson, StudyFolder
from curtain.corpus.annotation.first_words import write_first_words
from curtain.corpus.model.domains import Domains
from curtain.corpus.model.reader import read_with_record
from curtain.domain.pack.pack import agreed_pack
from curtain.ports.ear import Expected, ear_of
from curtain.session.study.study import load_study


def transcribe(study: StudyFolder, as_json: AsJson = False) -> None:
    """Goes on where it was stopped; a recording that cannot be read stops no other. Raises CurtainError."""
    about, domains = load_study(study), Domains()
    expected = Expected([example.question for example in agreed_pack(about.domain).examples()])
    transcriber = ear_of(about.asr).open(about.asr, about.spoken_language, about.folder, expected)
    folders, counts = about.sessions(), {"transcribed": 0, "timed": 0, "not_heard": 0}
    unread = 0
    try:
        with progress_bar() as report:
            for number, folder in enumerate(folders):
                session, _ = read_with_record(folder.path, domains)
                written = write_first_words(session, transcriber.transcribe, transcriber.align, Clock())
                for utterance_id, what in written:
                    report(utterance_id, number / len(folders))
                    if transcriber.problem and not transcriber.hears:
                        raise CurtainError(f"{utterance_id}: {transcriber.problem}")
                    if transcriber.problem:
                        print_error(f"{utterance_id}: {transcriber.problem}")
                        unread += 1
                    else:
                        counts[what] += 1
    finally:
        transcriber.close()
    if as_json:
        print_json(counts)
    else:
        print_line(
            f"{count_of(counts['transcribed'], 'turn')} transcribed; {count_of(counts['timed'], 'turn')} with word "
            f"times; {count_of(counts['not_heard'], 'turn')} without a word."
        )
    if unread:
        raise CurtainError(f"{count_of(unread, 'recording')} could not be read: “curtain verify” says what to do.")
