"""A class of a fact or of a message is known to whoever reads its kind: none is forgotten in a union."""

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from curtain.domain import wire
from curtain.link import messages as link
from curtain.session.events import subject_events, wizard_events
from curtain.session.journal.lines import JournalEntry, UnreadableFact
from curtain_drafts.tool.serving import wire as drafting
from curtain_ear import transcriber
from curtain_rooms.chairs import messages as chairs


def tagged(base: type[msgspec.Struct]) -> Iterator[type[msgspec.Struct]]:
    for kind in base.__subclasses__():
        if kind.__struct_config__.tag is not None and not kind.__subclasses__():
            yield kind
        yield from tagged(kind)


FACTS = [
    pytest.param(events.read, kind, id=f"{author}-{kind.__name__}")
    for author, events, base in (
        ("subject", subject_events, subject_events.SubjectFact),
        ("wizard", wizard_events, wizard_events.WizardFact),
    )
    for kind in tagged(base)
]


@pytest.mark.parametrize(("read", "kind"), FACTS)
def test_every_fact_class_is_read_from_its_line(read: Any, kind: type[msgspec.Struct]) -> None:
    try:
        fact = read(JournalEntry(1, None, 0, "", str(kind.__struct_config__.tag), {}))
    except UnreadableFact:
        return  # known, and a field is missing
    assert type(fact) is kind


UNIONS = {
    "link": (link.Message, link.ToWizard | link.ToSubject),
    "chairs": (chairs.ChairMessage, chairs.ToHost | chairs.ToChair),
    # The transcriber's child has a decoder of its own.
    "orders of child processes": (
        wire.Order,
        wire.Orders
        | drafting.Orders
        | transcriber.Listen
        | transcriber.Expect
        | transcriber.HearMore
        | transcriber.Hear
        | transcriber.Align,
    ),
    "replies of child processes": (wire.WorkerReply, wire.Replies | drafting.Obeyed | transcriber.Transcription),
}


@pytest.mark.parametrize(("base", "union"), UNIONS.values(), ids=list(UNIONS))
def test_every_message_class_is_in_the_union_that_its_reader_decodes(base: Any, union: Any) -> None:
    assert set(tagged(base)) == set(get_args(union))
