"""`curtain publish`: a study becomes a folder for public repositories, and goes to the hub where a person agrees."""

import json
import os
import re
import shlex
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from curtain.base.errors import CurtainError
from curtain.base.input_file import real_path
from curtain.base.plural import count_of
from curtain.base.scratch import ensure_free
from curtain.base.terminal import announce, print_line
from curtain.commands.corpus.export import run
from curtain.commands.options import Authors, IncludeLive, Licence, Release, StudyFolder, Title, Yes, ask_in_terminal
from curtain.commands.purposes import OutFolder
from curtain.corpus.exports.card import WHOM_TO_WRITE_TO, plain
from curtain.corpus.exports.run import ACCOUNT, silent_sentence
from curtain.corpus.model.corpus import BundleCorpus, open_corpus
from curtain.corpus.model.filters import SPLITS, Filters, left_out_lines
from curtain.corpus.model.gate import NO_FORM, SCOPE_NOT_KNOWN
from curtain.corpus.model.utterance import Session
from curtain.corpus.redaction.export_log import read_exports
from curtain.session.study.study import load_study
from curtain_corpora.publication.deposit import STATEMENT, ConsentStatement, lacking, write_deposit, write_sums
from curtain_corpora.publication.names_left import KnownNames, known_names

_FORMAT = "huggingface"
_MOST_SHOWN = 8


def publish(
    study: StudyFolder,
    out: Annotated[OutFolder, typer.Option("--out", "-o", help="The new folder to make.")],
    title: Title = "",
    licence: Licence = "",
    release: Release = "",
    authors: Authors = None,
    contact: Annotated[str, typer.Option("--contact", help="The address of mail that people may write to.")] = "",
    debriefed: Annotated[
        str, typer.Option("--debriefed", help="How subjects were debriefed, in a sentence, for the statement.")
    ] = "",
    include_live: IncludeLive = False,
    leave_out: Annotated[
        bool, typer.Option("--leave-out", help="Leave out sessions of which nobody has recorded a consent.")
    ] = False,
    blind: Annotated[
        str, typer.Option("--blind-split", help="The split of a blind test, such as test: it is put apart.")
    ] = "",
    tests_over: Annotated[
        bool, typer.Option("--tests-over", help="The blind tests of this study are over: their answers may go out.")
    ] = False,
    no_names: Annotated[
        list[str] | None, typer.Option("--not-a-name", help="A word that gives nobody away; may stand several times.")
    ] = None,
    push: Annotated[str, typer.Option("--push", help="The repository on the hub to send it to: OWNER/NAME.")] = "",
    look: Annotated[bool, typer.Option("--look", help="Show what would go out or stops it; make nothing.")] = False,
    yes: Yes = False,
) -> int:
    """Write the folder and send it if a person agrees, or only look; the exit code, 0. Raises CurtainError."""
    if push and not _REPOSITORY.fullmatch(push):
        raise CurtainError(f"“{push}” is no repository of the hub: “--push” takes OWNER/NAME.")
    if blind and blind not in SPLITS:
        raise CurtainError(f"There is no split “{blind}”, only {', '.join(SPLITS)}.")
    # First: looking through all texts takes a while, and of a file would be in vain.
    home = load_study(study).folder
    if real_path(out).is_relative_to(real_path(home)):
        raise CurtainError(f"{out} lies inside the study, which is private; name a folder elsewhere.")
    hub = _hub() if push else None
    apart = out.with_name(f"{out.name}-blind")
    for folder in (out, apart) if blind else (out,):
        ensure_free(folder)
    splits = frozenset(SPLITS) - {blind} if blind else frozenset()
    filters = Filters(with_consent=True, live=include_live, use="publish", splits=splits)
    about: dict[str, Any] = {"title": title, "licence": licence, "version": release, "authors": authors or ()}
    looked_at = open_corpus([study], filters, **about)
    if lacks := lacking(looked_at.title, looked_at.authors, licence, contact):
        raise CurtainError(f"Nothing was published. Still needed: {'; '.join(lacks)}.")
    names = _looked_through(study, filters, leave_out, no_names or ())
    statement = ConsentStatement(debriefed, contact, blind)
    about["with_options"] = False

    places: dict[tuple[str, str], None] = {}

    def check(session: Session) -> None:
        places.update(dict.fromkeys(names.places(session)))
        statement.add(session)

    def ensure_may_leave(corpus: BundleCorpus, held: Collection[Path]) -> None:
        if places:
            raise CurtainError(_names_sentence(list(places), study))
        if not tests_over:
            _ensure_no_test(home, [one.session_id for one in corpus.sources if one.path in held])

    def finish(folder: Path, corpus: BundleCorpus, held: frozenset[Path]) -> None:
        ensure_may_leave(corpus, held)
        account = json.loads((folder / ACCOUNT).read_text("utf-8"))
        silent = silent_sentence(corpus.counts.silent) if corpus.counts.silent else ""
        (folder / STATEMENT).write_text(statement.text(account, silent), "utf-8", newline="\n")
        card = (folder / "README.md").read_text("utf-8") + _CARD
        card = card.replace(WHOM_TO_WRITE_TO, f"Write to {plain(contact)}.")
        (folder / "README.md").write_text(card, "utf-8", newline="\n")
        write_deposit(folder, account, contact)
        if blind:
            only = Filters(with_consent=True, live=include_live, use="publish", splits=frozenset({blind}))
            run([study], _FORMAT, apart, only, **about, blind=True, finish=lambda part, *_: write_sums(part))

    sends = f" and send it to {push} on the hub" if push else ""
    if look:
        held = set[Path]()
        for session in looked_at.sessions():
            check(session)
            held.add(session.path)
        ensure_may_leave(looked_at, held)
        print_line(f"{count_of(looked_at.counts.kept, 'utterance')} would go out.")
        for line in left_out_lines(looked_at.counts.dropped):
            print_line(line)
    else:
        run([study], _FORMAT, out, filters, **about, check=check, finish=finish)
    if statement.lacks_debriefing:
        print_line(f"{STATEMENT} has a line to fill: how subjects were debriefed. “--debriefed” does that.")
    if look:
        print_line("Nothing was made.")
        announce(ask=f"Write {out}{sends}?")
    elif hub is not None:
        if yes or ask_in_terminal(f"Send {out} to {push} on the hub?"):
            send(hub, out, push)
        else:
            print_line(f"Nothing was sent to {push}, since nobody agreed. {_by_hand(out, push)} sends the folder.")
    return 0


_CARD = """
## Consent and deception

The speakers believed that a machine answered. `CONSENT.md` says how they were debriefed, what they agreed to, and what
was withheld.
"""
_NUMBER = re.compile(r"\[Errno -?\d+\] ")
_REPOSITORY = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*", re.ASCII)


def _looked_through(study: Path, filters: Filters, leave_out: bool, no_names: Collection[str]) -> KnownNames:
    """What no text may hold. Raises CurtainError for a session with turns to publish and no recorded consent."""
    everything = open_corpus([study], Filters(pilot=True, practice=True, live=True, use=None))
    unclear, databases = list[str](), set[Path]()
    for session in everything.sessions():
        databases.add(everything.database(session.domain))
        is_unclear = filters.reason_against(session) in (NO_FORM, SCOPE_NOT_KNOWN)
        if is_unclear and not all(map(filters.reason_against_utterance, session.utterances)):
            unclear.append(session.session_id)
    if unclear and not leave_out:
        raise CurtainError(
            f"Nothing was published: nobody has recorded a consent to publish {_listed(unclear)}. “curtain consent "
            f"{shlex.quote(str(study))} SESSION --allow publish” records it from the signed form; "
            "“--leave-out” leaves them out."
        )
    return known_names((one.path for one in everything.sources), no_names, databases)


def _names_sentence(places: Sequence[tuple[str, str]], study: Path) -> str:
    shown = _listed([f"{turn} (“{name}”)" for turn, name in places])
    return (
        "Nothing was published: a name that is hidden elsewhere, or that a person of the lab bears, stands in "
        f"{shown}. Hide it with “curtain annotate {shlex.quote(str(study))}”, or say “--not-a-name WORD”."
    )


def _ensure_no_test(study: Path, held: Collection[str]) -> None:
    """Raises CurtainError where answers would go out that a blind test keeps."""
    for test in read_exports(study):
        if test.references is not None and test.is_of(study) and (kept := sorted({*test.sessions} & {*held})):
            raise CurtainError(
                f"Nothing was published: the blind test {test.path} holds {_listed(kept)}, and their answers would go "
                "out. Put that split apart with “--blind-split”; once the test is over, say “--tests-over”."
            )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_SHOWN
    return ", ".join(names[:_MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _hub() -> type:
    try:
        from huggingface_hub import HfApi
    except ImportError as error:
        raise CurtainError("“--push” needs huggingface_hub: “pip install huggingface_hub” installs it.") from error
    api: type = HfApi
    return api


def _by_hand(out: Path, repository: str) -> str:
    return f"“hf upload {repository} {shlex.quote(str(out))} --repo-type dataset”"


def send(api: type, out: Path, repository: str) -> None:
    """Send a folder to a repository, which is private until its owner opens it. Raises CurtainError."""
    hub = api(endpoint=os.environ.get("HF_ENDPOINT"))
    try:
        hub.create_repo(repository, repo_type="dataset", private=True, exist_ok=True)
        hub.upload_folder(repo_id=repository, repo_type="dataset", folder_path=out)
    except Exception as error:  # the library, and what it sends by, have errors of many kinds
        # Without the number that the system gives an error, and that says nothing to a person.
        why = _NUMBER.sub("", str(error).strip().partition("\n")[0]).rstrip(".") or type(error).__name__
        raise CurtainError(
            f"{out} is whole, but it did not reach {repository}: {why}. {_by_hand(out, repository)} tries again."
        ) from error
    files = count_of(sum(path.is_file() for path in out.rglob("*")), "file")
    print_line(f"{files} are in {repository} on the hub; a new repository is private until you open it there.")
