"""The bundled courses, courses of recorded sessions, and the command's refusals in one sentence each."""

import json
import re
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
import soundfile

from curtain.base.errors import CurtainError
from curtain.domain.pack.pack import named_pack
from curtain.session.study.messages import load_message_set
from curtain_practice.course import COURSE_FILE, Course, Exercise, read_course
from curtain_practice.train import course_file, list_sittings
from tests.corpus.toy import make_toy
from tests.corpus.toy_turns import Said, Sitting

SAMPLES = Path(str(files("sample_db")))


@pytest.mark.parametrize("domain", ["personnel", "atis"])
def test_a_bundled_course_has_thirty_turns_that_can_be_heard_and_judged(domain: str) -> None:
    course = read_course(SAMPLES / domain / "course" / COURSE_FILE)
    messages = load_message_set((domain,)).by_id
    assert (len(course.exercises), course.domain) == (30, domain)
    scenarios = {one.id for one in named_pack(domain).scenarios}
    for exercise in course.exercises:
        assert soundfile.info(exercise.audio).duration > 0.5
        assert exercise.query and exercise.scenario_id in scenarios
        assert bool(exercise.references) != bool(exercise.message_id)
        assert not exercise.message_id or exercise.message_id in messages
    size = sum(path.stat().st_size for path in (SAMPLES / domain / "course").iterdir())
    assert size < 2_000_000


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_toy(tmp_path_factory.mktemp("train") / "toy")


def test_recorded_sessions_become_a_course_with_the_wizards_times(toy: Path) -> None:
    path = course_file(toy, "kim", ["e00-01"], None)
    course = msgspec.json.decode(path.read_bytes(), type=Course)
    assert course.exercises and all(one.utterance_id.startswith("e00-01") for one in course.exercises)
    assert any(one.times.total_ms for one in course.exercises)
    assert len(msgspec.json.decode(course_file(toy, "kim", ["e00-01"], 2).read_bytes())["exercises"]) == 2


@pytest.mark.parametrize("given", ["text", "both", "speech"])
def test_typed_turns_are_practised_as_they_were_asked(tmp_path: Path, given: str) -> None:
    typed = Said("Show me all the divisions.", "SELECT division FROM division", "A", "0", typed=True, annotated=False)
    study = make_toy(tmp_path / "toy", sittings=(Sitting("e00-01", "2026-03-01", "balance", (typed,)),))
    settings = study / "study.toml"
    settings.write_text(re.sub('(?m)^input = ".*"', f'input = "{given}"', settings.read_text("utf-8")), "utf-8")
    (own,) = read_course(course_file(study, "kim", ["e00-01"], None)).exercises
    assert (own.audio, own.query) == ("", typed.query)
    assert own.times.transcribe_ms == 0 and own.times.total_ms
    bundled = read_course(course_file(study, "kim", [], 1)).exercises
    assert Path(bundled[0].audio).is_file() is (given != "text")


@pytest.mark.parametrize(
    ("wizard", "sessions", "sentence"),
    [("", [], "Name the wizard"), ("../kim", [], "Name the wizard"), ("kim", ["e99-01"], "no session e99-01")],
)
def test_what_cannot_be_practised_is_refused(toy: Path, wizard: str, sessions: list[str], sentence: str) -> None:
    with pytest.raises(CurtainError, match=sentence):
        course_file(toy, wizard, sessions, None)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("{", "cannot be read"),
        ('{"title": "t", "domain": "d"}', "holds no turns"),
        (
            msgspec.json.encode(
                Course(title="t", domain="d", exercises=(Exercise(utterance_id="u", audio="gone.ogg", query="q"),))
            ).decode(),
            "gone.ogg",
        ),
    ],
)
def test_a_broken_course_is_named(tmp_path: Path, content: str, sentence: str) -> None:
    (tmp_path / COURSE_FILE).write_text(content, "utf-8")
    with pytest.raises(CurtainError, match=sentence):
        read_course(tmp_path / COURSE_FILE)


def test_the_table_says_how_to_begin(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert list_sittings(toy) == 0
    assert "curtain train" in capsys.readouterr().out
    list_sittings(toy, as_json=True)
    assert json.loads(capsys.readouterr().out) == []
