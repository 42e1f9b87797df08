"""What may cross the curtain, as a closed list."""

import typing

import msgspec
import pytest

from curtain.base.table import Table
from curtain.link import messages
from curtain.link.messages import AudioChunk, Hello, ToSubject, ToWizard

TO_SUBJECT = {
    "ping": {"sent_ns"},
    "pong": {"sent_ns", "answered_ns"},
    "ack": {"seq"},
    "waiting": set(),
    "refused": {"code", "session_id", "identity"},
    "welcome": {
        "session_id", "identity", "secret", "talk_key", "microphone", "title", "briefing", "database_description",
        "pilot", "journal_have", "journal_sum", "replaces", "audio_have", "texts", "voice", "live_sound",
        "input", "must_speak", "recording_rate", "second_microphone",
    },
    "want_audio": {"utterance_id", "offset", "length"},
    "audio_safe": {"utterance_id", "sha256"},
    "lines_back": {"after", "lines"},
    "scenario_shown": {"seq", "scenario_id", "number", "of", "practice", "text", "asks_answer", "input"},
    "query_shown": {"seq", "turn", "text"},
    "answer_shown": {"seq", "turn", "table", "corrects"},
    "message_shown": {"seq", "turn", "text", "corrects"},
    "scenario_over": {"seq", "scenario_id", "forms"},
    "pause_shown": {"seq", "paused"},
    "session_over": {"seq", "text", "forms"},
}  # fmt: skip
TABLE = {"headings", "rows", "numeric", "total"}
FORM = {"name", "title", "items"}
FORM_ITEM = {"id", "kind", "text", "values", "labels", "low", "high", "required"}
PLAIN = {str, int, bool, bytes, float}


def reachable(kind, found):
    """All struct types that a decoder of `kind` can build, and the plain types it ends in."""
    kind = typing.get_args(kind)[0] if typing.get_origin(kind) is typing.Annotated else kind
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        if kind not in found:
            found.add(kind)
            for hint in typing.get_type_hints(kind).values():
                reachable(hint, found)
        return found
    for part in typing.get_args(kind):
        if not isinstance(part, str):
            reachable(part, found)
    if not typing.get_args(kind):
        found.add(kind)
    return found


def test_the_subjects_decoder_knows_these_messages_and_fields_and_no_others():
    members = {struct.__struct_config__.tag: set(struct.__struct_fields__) for struct in typing.get_args(ToSubject)}
    assert members == TO_SUBJECT


def test_a_table_and_a_form_are_the_only_structures_inside_a_message_to_the_subject():
    inside = reachable(ToSubject, set()) - set(typing.get_args(ToSubject))
    structures = {Table: TABLE, messages.Form: FORM, messages.FormItem: FORM_ITEM}
    found = {kind for kind in inside if isinstance(kind, type) and issubclass(kind, msgspec.Struct)}
    assert {kind: set(kind.__struct_fields__) for kind in found} == structures
    # A literal ends in its words.
    assert {kind for kind in inside - found if not isinstance(kind, str)} <= PLAIN


def test_no_field_that_reaches_the_subject_is_named_after_what_stays_behind_the_curtain():
    names = {name for struct_fields in TO_SUBJECT.values() for name in struct_fields} | TABLE | FORM | FORM_ITEM
    for hidden in ("sql", "draft", "attempt", "error", "path", "file", "trace", "cas", "wizard", "note"):
        assert not [name for name in names if hidden in name]


def test_a_field_that_the_subjects_decoder_does_not_know_is_dropped():
    payload = msgspec.msgpack.encode({"t": "query_shown", "seq": 4, "turn": 1, "text": "who", "sql": "select 1"})
    message = msgspec.msgpack.decode(payload, type=ToSubject)
    assert b"select" not in msgspec.msgpack.encode(message)


@pytest.mark.parametrize("kind", ["journal_line", "station_status", "hello", "goodbye", "attempt"])
def test_a_message_of_the_other_direction_is_none_to_the_subject(kind):
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode({"t": kind, "seq": 1, "line": b""}), type=ToSubject)


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "a\\b", "", ".", "a\n", "a\0", "x" * 65, "é"])
def test_an_id_that_could_leave_its_folder_is_not_read(name):
    chunk = AudioChunk(utterance_id=name, offset=0, total=1, data=b"")
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode(chunk), type=ToWizard)


def test_an_empty_session_id_is_a_hello_of_a_station_that_has_none():
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(Hello()), type=ToWizard) == Hello()


@pytest.mark.parametrize("union", [ToSubject, ToWizard])
@pytest.mark.parametrize("field", ["seq", "turn", "number", "of"])
def test_a_number_that_meets_a_signal_of_the_window_has_a_bound(union, field):
    kinds = [kind for kind in typing.get_args(union) if field in kind.__struct_fields__ and kind is not messages.Ack]
    assert kinds or union is ToWizard
    for kind in kinds:
        payload = msgspec.msgpack.encode({"t": kind.__struct_config__.tag, field: 2**31})
        with pytest.raises(msgspec.ValidationError, match=rf"<= 2147483647 - at `\$\.{field}`"):
            msgspec.msgpack.decode(payload, type=union)


@pytest.mark.parametrize("union", [ToSubject, ToWizard])
def test_kept_messages_are_numbered_from_one(union):
    kept = [kind for kind in typing.get_args(union) if issubclass(kind, messages.KeptMessage)]
    assert kept
    for kind in kept:
        payload = msgspec.msgpack.encode({"t": kind.__struct_config__.tag, "seq": 0})
        with pytest.raises(msgspec.ValidationError, match=r"at `\$\.seq`"):
            msgspec.msgpack.decode(payload, type=union)
