"""What a consent allows decides what leaves: recordings, and exports for other labs, for everybody, for quoting."""

import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest
from msgspec import structs

from curtain.base.clock import Clock
from curtain.base.errors import CurtainError
from curtain.commands.corpus import export as commands
from curtain.commands.people import consent as consents
from curtain.corpus.model.consents import CONSENTS_FILE, read_consents
from curtain.corpus.model.corpus import open_corpus
from curtain.corpus.model.filters import Filters
from curtain.corpus.model.gate import UNDISCLOSED, WITHDREW
from curtain.corpus.redaction.erasure import forget, plan_for
from curtain.corpus.redaction.export_log import read_exports
from curtain.session.bundle.bundle import Bundle
from curtain.session.consent import DataUse, is_allowed
from curtain.session.events.subject_events import DISCLOSURE
from curtain.session.journal.lines import write_line
from curtain.session.study.study import load_study
from tests.corpus.formats import FORMATS
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import SITTINGS

TODAY = date(2026, 11, 25)
EVERYTHING = Filters(with_consent=True, live=True)
ALL = ("keep_audio", "share", "publish", "quote")
# Who agreed to what is a matter of sessions: four turns of each are enough.
SHORT = [replace(one, turns=one.turns[:4]) for one in SITTINGS]
UNSIGNED = [replace(one, consent="none") for one in SHORT]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_toy(tmp_path_factory.mktemp("short") / "study", sittings=SHORT)


def allow(study: Path, who: str, *scopes: str) -> None:
    given = consents.scopes_of(scopes, withdrawn=False, only=not scopes)
    assert consents.note(study, who, given, "2026-03-02", TODAY) == 0


def exported(study: Path, out: Path, name: str, use: DataUse | None) -> dict[str, list[dict[str, object]]]:
    """The rows of a parquet export by speaker."""
    commands.run([study], name, out, EVERYTHING, use=use)
    rows: dict[str, list[dict[str, object]]] = {}
    for line in (out / "utterances.jsonl").read_text("utf-8").splitlines():
        rows.setdefault(json.loads(line)["speaker_id"], []).append(json.loads(line))
    return rows


ENDS: dict[str, tuple[dict[str, str], bool | None, bool]] = {
    "read": ({f"{DISCLOSURE}.data": "keep"}, True, False),
    "read in an earlier Curtain": ({f"{DISCLOSURE}.data": ""}, None, False),
    "broken off": ({}, True, True),
    "broken off in an earlier Curtain": ({}, None, True),
    "not planned": ({}, False, False),
    "wanted since": ({}, False, True),
}  # fmt: skip


@pytest.mark.parametrize("end", ENDS)
def test_whoever_was_not_disclosed_to_stays_out_until_somebody_notes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str
) -> None:
    answers, planned, undisclosed = ENDS[end]
    study = make_toy(tmp_path / "study", sittings=[replace(SHORT[0], questionnaire=answers)])
    text = (study / "study.toml").read_text("utf-8")
    (study / "study.toml").write_text(
        text.replace("disclose = false", f"disclose = {planned is None or end == 'wanted since'}".lower()), "utf-8"
    )
    bundle = Bundle(study / "sessions" / "e00-01")
    lines = [
        structs.replace(one, data=one.data | {"disclose": planned}) if one.type == "session_opened" else one
        for one in bundle.read_wizard_journal().entries
    ]
    bundle.wizard_journal.write_bytes(b"".join(map(write_line, lines)))
    bundle.write_manifest()

    def kept() -> dict[str, int]:
        corpus = open_corpus([study], EVERYTHING)
        return {} if list(corpus.sessions()) else dict(corpus.counts.dropped)

    assert kept() == ({UNDISCLOSED: 4} if undisclosed else {})
    consents.list_consents(study)
    assert ("not disclosed who answered" in capsys.readouterr().out) is undisclosed
    with pytest.raises(CurtainError, match="--by who disclosed"):
        consents.consent(study, "e00-01", disclosed="today")
    consents.consent(study, "e00-01", disclosed="2026-03-03", by="ann")
    assert kept() == {}
    # What was noted before and after stays: each row says what is new.
    consents.note(study, "e00-01", [], None, TODAY)
    consents.consent(study, "e00-01", disclosed="2026-03-04", by="ann")
    assert kept() == {WITHDREW: 4}


def account(out: Path) -> dict[str, object]:
    read: dict[str, object] = json.loads((out / "EXPORT.json").read_text("utf-8"))
    return read


@pytest.mark.parametrize(
    ("use", "scopes", "allowed"),
    [
        ("own", ["take_part"], True), ("own", [], False), ("own", None, True), ("share", ["take_part"], False),
        ("share", ["take_part", "share"], True), ("share", ["take_part", "publish"], True),
        ("publish", ["take_part", "share"], False), ("publish", ["take_part", "publish"], True),
        ("quote", ["take_part", "publish"], False), ("quote", ["take_part", "quote"], True), ("publish", None, None),
    ],
)  # fmt: skip
def test_a_use_needs_its_scope(use: DataUse, scopes: list[str] | None, allowed: bool | None) -> None:
    assert is_allowed(use, scopes) is allowed  # type: ignore[arg-type]


def test_an_export_holds_only_those_who_agreed_to_its_use(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agreed: dict[DataUse, str] = {"share": "e00", "publish": "0a1", "quote": "m10"}
    for use, who in agreed.items():
        allow(own_toy, who, "keep_audio", use)
    assert set(exported(own_toy, tmp_path / "own", "parquet", None)) == {"e00", "0a1", "m10"}
    assert "use" not in account(tmp_path / "own")["filters"]  # type: ignore[operator]
    for use, who in agreed.items():
        # What may be published may be shared.
        allowed = {"e00", "0a1"} if use == "share" else {who}
        assert set(exported(own_toy, tmp_path / use, "parquet", use)) == allowed
        assert account(tmp_path / use)["filters"]["use"] == use  # type: ignore[index]
        assert "the consent does not cover" in capsys.readouterr().out


def test_formats_made_for_publishing_need_that_consent_unless_their_use_is_named(own_toy: Path, tmp_path: Path) -> None:
    [name] = [one.name for one in FORMATS if one.use == "publish"]
    for who in ("e00", "0a1", "m10"):
        allow(own_toy, who, "keep_audio", "share")
    with pytest.raises(CurtainError, match=r"does not cover publishing.*“--use own” is for work in your own lab"):
        commands.run([own_toy], name, tmp_path / "out", EVERYTHING)
    commands.run([own_toy], name, tmp_path / "out", EVERYTHING, use="share")
    assert account(tmp_path / "out")["kept"]


def test_what_nobody_recorded_is_no_consent_to_publish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions of an earlier Curtain say nothing of scopes."""
    monkeypatch.setattr("tests.corpus.toy.ALLOWED", {})
    earlier = make_toy(tmp_path / "earlier", sittings=SHORT)
    way_on = r"nobody has recorded what the consent allows.*“curtain consent STUDY"
    with pytest.raises(CurtainError, match=way_on):
        commands.run([earlier], "parquet", tmp_path / "out", EVERYTHING, use="publish")
    assert any(row["frames"] for row in exported(earlier, tmp_path / "own", "parquet", None)["e00"])


def test_without_keeping_the_recordings_none_leaves_in_any_format(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    allow(own_toy, "e00", "share", "publish")
    with_sound = {"atis", "huggingface", "kaldi", "textgrid"}
    for name in (one.name for one in FORMATS if one.name in with_sound):
        only = Filters(with_consent=True, live=True, speakers=frozenset({"e00"}))
        out = tmp_path / name
        if name in ("huggingface", "kaldi"):
            with pytest.raises(CurtainError, match="the consent does not cover keeping the recordings"):
                commands.run([own_toy], name, out, only, use="own")
            continue
        commands.run([own_toy], name, out, only)
        assert "without their recordings: the consent does not cover keeping" in capsys.readouterr().out
        sounds = [path for path in out.rglob("*") if path.suffix in (".wav", ".flac", ".sph")]
        # Praat gets the whole session as one recording, silence from end to end.
        assert not sounds or all(not any(path.read_bytes()[44:]) for path in sounds), name
    row = next(iter(exported(own_toy, tmp_path / "rows", "parquet", None)["e00"]))
    assert row["lsn"] and row["frames"] is None


def test_a_trial_without_a_form_keeps_its_recordings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rehearsal ticks the consent and names it “none”."""
    monkeypatch.setattr("tests.corpus.toy.ALLOWED", {"scopes": ["take_part"]})
    study = make_toy(tmp_path / "study", sittings=UNSIGNED)
    trial = Filters(with_consent=False, live=True)
    commands.run([study], "huggingface", tmp_path / "out", trial)
    assert account(tmp_path / "out")["kept"]


def test_a_withdrawn_consent_stops_every_export_and_a_later_word_counts(
    own_toy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    withdrawn = consents.scopes_of((), withdrawn=True, only=False)
    consents.note(own_toy, "e00-01", withdrawn, None, TODAY)
    assert "To erase it: curtain forget" in capsys.readouterr().out
    kept = {one.session_id for one in open_corpus([own_toy], EVERYTHING).sessions()}
    assert "e00-01" not in kept and "e00-02" in kept
    allow(own_toy, "e00-01", *ALL)
    assert "e00-01" in {one.session_id for one in open_corpus([own_toy], EVERYTHING).sessions()}
    capsys.readouterr()
    consents.list_consents(own_toy, as_json=True)
    rows = {row["session_id"]: row for row in json.loads(capsys.readouterr().out)}
    allowed = {"session_id": "e00-01", "signed_on": "2026-03-02", "scopes": ["take_part", *ALL]}
    assert rows["e00-01"] == {**allowed, "form": True, "withdrew_at_end": False, "at_end": None, "undisclosed": False}
    assert rows["zz9-01"]["scopes"] is None
    consents.list_consents(own_toy)
    assert "no consent form" in capsys.readouterr().out


@pytest.fixture
def unsigned(tmp_path: Path) -> Path:
    """A study whose sessions were begun with the consent id “none”."""
    return make_toy(tmp_path / "unsigned", sittings=UNSIGNED)


def test_a_session_without_a_form_is_refused_until_the_form_is_named(
    unsigned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    share = consents.scopes_of(["keep_audio", "share"], withdrawn=False, only=False)
    for form, reason in (
        (consents.LaterForm(), "e00-01, e00-02.*--id ID --signed DAY --by NAME"),
        (consents.LaterForm("none", "mb"), "stands for no form"),
        (consents.LaterForm("c-77", ""), "--signed on which day"),
    ):
        with pytest.raises(consents.CurtainError, match=reason):
            consents.note(unsigned, "e00", share, "2026-03-02", TODAY, form)
    consents.list_consents(unsigned)
    assert "no consent form: exports leave it out" in capsys.readouterr().out
    assert not (unsigned / CONSENTS_FILE).exists()
    consents.note(unsigned, "e00", share, "2026-03-02", TODAY, consents.LaterForm("c-77", "mb"))
    assert set(exported(unsigned, tmp_path / "out", "parquet", "share")) == {"e00"}
    # Whatever is noted afterwards is about the same form.
    allow(unsigned, "e00", "publish")
    assert {row.consent_id for row in read_consents(unsigned).values()} == {"c-77"}
    assert set(exported(unsigned, tmp_path / "later", "parquet", "publish")) == {"e00"}


def test_who_withdraws_is_left_out_also_without_a_form(unsigned: Path, tmp_path: Path) -> None:
    consents.note(unsigned, "e00", [], None, TODAY)
    kept = {one.speaker_id for one in open_corpus([unsigned], Filters(live=True)).sessions()}
    assert kept and "e00" not in kept


def test_an_export_without_consents_bears_the_mark_everywhere(unsigned: Path, own_toy: Path, tmp_path: Path) -> None:
    for study, marked in ((unsigned, True), (own_toy, False)):
        out = tmp_path / f"out-{marked}"
        commands.run([study], "parquet", out, Filters(live=True, with_consent=not marked))
        filters = account(out)["filters"]
        assert filters.get("without_consent", False) is marked  # type: ignore[attr-defined]
        assert ("Without a signed consent form" in (out / "README.md").read_text("utf-8")) is marked
        assert [one.without_consent for one in read_exports(study)] == [marked]


def test_what_cannot_be_noted_is_reported(own_toy: Path) -> None:
    for options in ({"withdrawn": True, "only": True}, {"withdrawn": False, "only": False}):
        with pytest.raises(consents.CurtainError, match="Say what the form allows"):
            consents.scopes_of((), **options)
    with pytest.raises(consents.CurtainError, match="no scope “audio”"):
        consents.scopes_of(["audio"], withdrawn=False, only=False)
    with pytest.raises(consents.CurtainError, match="no session or speaker q00"):
        allow(own_toy, "q00", "share")
    with pytest.raises(CurtainError, match="is no day"):
        consents.note(own_toy, "e00", ["take_part"], "1.3.2026", TODAY)
    with pytest.raises(CurtainError, match="no use “sell”"):
        Filters(use="sell").check()  # type: ignore[arg-type]
    (own_toy / CONSENTS_FILE).write_text("{")
    with pytest.raises(CurtainError, match="may hold a withdrawal"):
        open_corpus([own_toy])


def test_forgetting_a_speaker_takes_their_consents_along(own_toy: Path) -> None:
    for who in ("e00", "m10"):
        allow(own_toy, who, "share")
    assert forget(plan_for(load_study(own_toy), "e00"), Clock()).remaining == ()
    assert set(read_consents(own_toy)) == {"m10-01"}
    forget(plan_for(load_study(own_toy), "m10"), Clock())
    assert not (own_toy / CONSENTS_FILE).exists()
