"""Companions are found among installed packages; whatever one does wrong, the others and the core work."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from curtain.base.errors import CurtainError
from curtain.commands import description
from curtain.commands.layout import built
from curtain.commands.run import check
from curtain.commands.run.stations import wizard
from curtain.commands.table import with_companions
from curtain.corpus.exports import registry
from curtain.corpus.exports.registry import formats, writer_of
from curtain.ports import discovery, ear, operator, way
from curtain.ports.companion import Companion, FormatOffer
from curtain.ports.discovery import OURS, EntryPoint, Installed, companions_of, entry_points, guarded, require_all
from curtain.ports.drafting import Drafting, drafting_at
from curtain.ports.ear import ear_of
from curtain.ports.seat import DeskSeat, seat_at, seats_of_companion
from curtain.session.study.conditions import Condition
from curtain.session.study.study import Study

HERE = "tests.ports.test_discovery"
PRACTICE = Companion(name="practice", about="x")
LOUD = Companion(name="loud", about="x", commands={"Run": {"verify": (f"{HERE}:f", "x"), "shout": (f"{HERE}:f", "x")}})


def package(site: Path, name: str, lines: str) -> None:
    info = site / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "entry_points.txt").write_text(
        f"[console_scripts]\nx = y:z\n\n[curtain.companions]\n{lines}\n[other]\na = b:c\n"
    )


def point(name: str, place: str, of: str) -> EntryPoint:
    return EntryPoint(name, place, of, "1.0", "site")


def test_ours_come_first_and_the_first_folder_of_a_package_counts(tmp_path: Path) -> None:
    package(tmp_path / "a", "aaa", "early = x.y:Z")
    package(tmp_path / "a", OURS, "practice = p.q:R")
    package(tmp_path / "b", "aaa", "late = x.y:Z")
    found = entry_points([str(tmp_path / "missing"), str(tmp_path / "a"), str(tmp_path / "b")])
    assert [(one.package, one.name, one.place, one.version) for one in found] == [
        (OURS, "practice", "p.q:R", "1.0"), ("aaa", "early", "x.y:Z", "1.0"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("place", "sentence"),
    [
        (f"{HERE}:PRACTICE", "is left out: ours has one of that name."),
        ("nowhere.at:ALL", "does not load: No module named"),
        (f"{HERE}:HERE", "is no Companion."),
        (f"{HERE}:absent", "does not load:"),
    ],
)
def test_what_cannot_be_used_is_named_and_the_rest_works(place: str, sentence: str) -> None:
    kept = companions_of(
        [
            point("practice", f"{HERE}:PRACTICE", "ours"),
            point("practice" if "PRACTICE" in place else "x", place, "theirs"),
        ]
    )
    assert [one.name for one, _ in kept.companions] == ["practice"]
    assert [sentence in problem and "theirs" in problem for problem in kept.problems] == [True]


def test_a_command_that_is_there_is_not_taken() -> None:
    core = {"Run": {"verify": ("ours:verify", "Ours.")}}
    headings, problems = with_companions(core, [(LOUD, point("loud", "", "theirs"))])
    assert headings["Run"] == {"verify": ("ours:verify", "Ours."), "shout": (f"{HERE}:f", "x")}
    assert len(problems) == 1 and "curtain verify" in problems[0]


def test_a_command_that_does_not_load_costs_itself_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = ("nowhere.at:f", "x")
    with pytest.raises(CurtainError, match=r"“nowhere\.at:f” of the companion “nowhere” does not work: No module"):
        built("shout", broken)
    monkeypatch.setattr(
        description, "ALL", {"Run": {"shout": broken, "check": ("curtain.commands.run.check:check", "x")}}
    )
    assert [action["path"] for action in description.actions()] == [("check",)]


@pytest.mark.parametrize("door", [
    lambda: ear_of({}), lambda: writer_of(formats()[1]), lambda: guarded(f"{HERE}:point", lambda check: check(None)),
])  # fmt: skip
def test_whatever_a_companion_offers_breaks_in_one_sentence_that_names_it(
    door: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    rude = Companion(
        name="rude", about="x", ear=f"{HERE}:no_ear", checks={"rude": f"{HERE}:point"},
        formats=(FormatOffer("rude", "x", f"{HERE}_of_rude"), FormatOffer("parquet", "x", HERE)),
    )  # fmt: skip
    found = Installed(((rude, point("rude", HERE, "theirs")),), ("It does not load.",))
    for module in (discovery, registry, ear, check):
        monkeypatch.setattr(module, "installed", lambda: found)
    monkeypatch.setattr(discovery, "LATE", {})
    with pytest.raises(CurtainError, match=r"takes one of: parquet, rude\. It does not load\."):
        registry.find("huggingface")
    with pytest.raises(CurtainError, match=rf"“{HERE}\S*” of the companion “rude” does not work: "):
        door()
    findings = {one.what: one for one in check.look_around(None, None, "personnel")}
    assert not findings["rude"].well and "missing 2 required" in findings["rude"].text
    assert not findings["companions"].well and "“rude” of theirs" in findings["companions"].text


def test_the_ear_of_the_page_hears_what_stands_beside_the_sound(tmp_path: Path) -> None:
    page = Path(__file__).parents[2] / "docs" / "companions.md"
    code = page.read_text("utf-8").split("## An ear")[1].split("```python\n")[1].split("```")[0]
    shown: dict[str, Any] = {}
    exec(code, shown)
    (tmp_path / "take.txt").write_text("how many", "utf-8")
    opened = shown["EAR"].open({}, "en", None, ear.Expected())
    assert opened.finish(1, tmp_path / "take.wav").result().text == "how many"
    assert opened.align(tmp_path / "take.wav", ["how"]).result().words == ()
    assert {name for name in vars(ear.OpenEar) if not name.startswith("_")} <= set(dir(opened))


def test_nothing_is_erased_while_a_companion_does_not_load(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "installed", lambda: Installed((), ("The companion “x” of y does not load: z.",)))
    with pytest.raises(CurtainError, match="may keep something of this speaker"):
        require_all()


@pytest.mark.parametrize("wanted", [way.way_elsewhere, seats_of_companion, require_all])
def test_what_loads_late_and_fails_is_named_and_the_desk_works(
    wanted: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Companion(name="broken", about="x", drafting="nowhere.at:A", seats="nowhere.at:A", erases="nowhere.at:A")
    monkeypatch.setattr(discovery, "installed", lambda: Installed(((broken, point("broken", "", "theirs")),)))
    monkeypatch.setattr(way, "entry_points", lambda *_: [point("broken", "nowhere.at:WAY", "theirs")])
    monkeypatch.setitem(discovery.LATE, "broken", "")
    assert (type(drafting_at(None, None, None, None)), type(seat_at(None))) == (Drafting, DeskSeat)
    with pytest.raises(CurtainError, match="The companion “broken” of theirs does not load: No module named"):
        wanted()


class BreaksLate:
    def __init__(self, *_: object) -> None:
        if _:
            raise ImportError("No module named x")

    def seat(self, desk: object) -> DeskSeat:
        raise ImportError("No module named x")


BREAKS = BreaksLate()


def test_what_breaks_as_it_is_made_is_named_and_the_desk_works(monkeypatch: pytest.MonkeyPatch) -> None:
    late = Companion(name="late", about="x", drafting=f"{HERE}:BreaksLate", seats=f"{HERE}:BREAKS")
    monkeypatch.setattr(discovery, "installed", lambda: Installed(((late, point("late", "", "theirs")),)))
    for make, kind in ((lambda: drafting_at(None, None, None, None), Drafting), (lambda: seat_at(None), DeskSeat)):
        monkeypatch.setattr(discovery, "LATE", {})
        assert type(make()) is kind
        assert {"ear", "erases", "drafting", "timeline"} < set(discovery.PORTS)
        assert discovery.problems() == ("The companion “late” of theirs does not load: No module named x.",)


@pytest.mark.parametrize(
    "wanted", [way.way_elsewhere, lambda: wizard(Path(), join="::1"), lambda: DeskSeat(None).open_room("::1")]
)
def test_what_needs_rooms_says_so_without_them(wanted: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "installed", lambda: Installed(()))
    monkeypatch.setattr(way, "entry_points", lambda *_: [])
    with pytest.raises(CurtainError, match="need the companion “rooms”, which is not installed"):
        wanted()


def test_what_needs_experiments_says_so_without_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(discovery, "installed", lambda: Installed(()))
    conditions, window = [Condition(id="a", who="system", system="x")], Mock()
    study = Study(folder=tmp_path, conditions=conditions)
    ((what, look),) = discovery.first("operator", operator.Operator).checks(study)
    with pytest.raises(CurtainError, match="need the companion “experiments”, which is not installed"):
        look()
    nobody = operator.operator_at(study, window, None, None)
    nobody.furnish(Mock(**{"session.progress.opened.conditions": conditions}), None, None, None)
    window.start.hinder.assert_called_once_with("system", operator.MISSING)
    assert (what, nobody.refusal(1, query=True)) == ("conditions", operator.MISSING)


@pytest.mark.parametrize("chosen", ["finds_the_companion", pytest.param("companion or format", marks=pytest.mark.soak)])
def test_a_new_companion_is_found_and_its_test_passes(tmp_path: Path, chosen: str) -> None:
    curtain = [sys.executable, "-m", "curtain"]
    subprocess.run([*curtain, "companion", "new", "praat"], cwd=tmp_path, check=True, capture_output=True)
    made = tmp_path / "curtain-praat"
    # As an installer would: its entry points among the packages, its folder on the path.
    package(made, "curtain_praat", "praat = curtain_praat.companion:COMPANION")
    env = {**os.environ, "PYTHONPATH": str(made)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, str(made)], env=env, cwd=made,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    listed = subprocess.run([*curtain, "companions", "--json"], env=env, capture_output=True, text=True, check=True)
    assert '"praat"' in listed.stdout


def test_finding_companions_imports_no_metadata_library() -> None:
    code = "import sys; import curtain.ports.discovery as d; d.installed(); print('importlib.metadata' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
