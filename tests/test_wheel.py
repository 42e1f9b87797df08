"""The wheels hold everything: installed elsewhere, or the Comparator's alone, each runs from its own files."""

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True)
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("elsewhere")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder


def run_there(elsewhere: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    where = {**os.environ, "PYTHONPATH": str(elsewhere), "QT_QPA_PLATFORM": "offscreen", **env}
    return subprocess.run(
        [sys.executable, "-P", *arguments], cwd=elsewhere, env=where, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    "member",
    ["canned_messages/base.toml", "sample_db/personnel/domain.toml", "sample_db/personnel/build.py",
     "sample_db/personnel/demo.jsonl", "sample_db/personnel/study/e00.jsonl",
     "sample_db/personnel/course/course.json", "sample_db/atis/course/turn-30.ogg",
     "wizard_app/__main__.py", "subject_app/__main__.py", "curtain/commands/cli.py",
     "curtain_drafts/tool/serving/drafter_child.py", "curtain_ear/child.py",
     "curtain/py.typed", "curtain/qt/app_icon/curtain.svg"],
)  # fmt: skip
def test_the_wheel_holds(wheel: Path, member: str) -> None:
    assert member in zipfile.ZipFile(wheel).namelist()


def test_the_wheel_holds_no_tests_and_no_helpers(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "curtain", "wizard_app", "subject_app", "canned_messages", "sample_db", "curtain_practice", "curtain_ear",
        "curtain_corpora", "curtain_packs", "curtain_score", "curtain_judge", "curtain_experiments", "curtain_browser",
        "curtain_home", "curtain_rooms", "curtain_drafts",
    }  # fmt: skip


def test_the_source_distribution_holds_the_packages_whole_and_nothing_else() -> None:
    files = [one.distribution_path for one in SdistBuilder(str(ROOT)).recurse_included_files()]
    packages = {"curtain", "wizard_app", "subject_app", "canned_messages", "sample_db"}
    packages |= {path.parent.relative_to(ROOT).as_posix() for path in ROOT.glob("companions/*/*/companion.py")}
    tops = {one.partition("/")[0] for one in packages}
    assert {one.partition("/")[0] for one in files} == tops | {"README.md", "CHANGELOG.md", "LICENSE"}
    listed = subprocess.run(["git", "ls-files", *packages], cwd=ROOT, capture_output=True, text=True, check=False)
    assert {*listed.stdout.splitlines()} <= {*files}


def test_what_runs_brings_no_package_of_development() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    assert settings["tool"]["uv"]["default-groups"] == [] and "pytest>=9" in settings["dependency-groups"]["dev"]


LOWEST = [
    (["answer", "--domain", "personnel", "--sql", "SELECT count(*) FROM employee", "--json"], "cas_min"),
    (["draft", "How many employees are there?", "--json"], "SELECT"),
    (["check", "--json"], "a window opens"),
]


@pytest.mark.parametrize(
    ("arguments", "expected"), [*LOWEST[:2], (["study", "new", "STUDY", "--domain", "personnel"], "")]
)
def test_the_installed_command_works_from_the_packed_files(
    elsewhere: Path, tmp_path: Path, arguments: list[str], expected: str
) -> None:
    words = [word.replace("STUDY", str(tmp_path / "study")) for word in arguments]
    done = run_there(elsewhere, "-m", "curtain", *words, XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == 0 and expected in done.stdout, done.stderr
    assert (tmp_path / "study" / "study.toml").exists() == ("STUDY" in arguments)


@pytest.mark.soak
def test_it_runs_with_the_lowest_versions_that_it_allows(wheel: Path, tmp_path: Path) -> None:
    lowest = tmp_path / "lowest"
    python = str(lowest / "bin" / "python")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(lowest)], check=True)
    install = [str(Path(sys.executable).with_name("uv")), "pip", "install", "--python", python]
    subprocess.run([*install, "--resolution", "lowest-direct", str(wheel)], check=True, timeout=600)
    for arguments, expected in LOWEST:
        done = subprocess.run(
            [python, "-P", "-m", "curtain", *arguments], cwd=tmp_path, capture_output=True, text=True, timeout=300,
            env=os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_CACHE_HOME": str(tmp_path)},
        )  # fmt: skip
        assert expected in done.stdout, done.stderr


def test_the_wheel_offers_its_extras_names_its_licence_and_holds_its_text(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        (about,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        (text,) = (name for name in packed.namelist() if name.endswith(".dist-info/licenses/LICENSE"))
        lines = packed.read(about).decode().splitlines()
        assert packed.read(text) == (ROOT / "LICENSE").read_bytes()
    assert "License-Expression: MIT" in lines
    assert {line.split()[1] for line in lines if line.startswith("Provides-Extra:")} >= {"asr", "units"}


def test_the_installer_of_packages_is_pinned_by_its_sums() -> None:
    """The sums cover a wheel for each platform; pip refuses any other file of that version."""
    pinned, *sums = (ROOT / "tools" / "uv.txt").read_text("utf-8").split("\n", 1)[1].replace("\\\n", "").split()
    assert re.fullmatch(r"uv==[\d.]+", pinned)
    assert len(sums) == len(set(sums)) > 10
    assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", one) for one in sums)
    assert "--require-hashes -r tools/uv.txt" in (ROOT / "tools" / "prepare.sh").read_text("utf-8")


@pytest.fixture(scope="module")
def cas_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(ROOT / "tools" / "curtain-cas")], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def lone_python(cas_wheel: Path) -> Path:
    """The Python of a new environment that holds the Comparator's wheel and nothing else."""
    venv.create(cas_wheel.parent / "venv", with_pip=False)
    python = next(cas_wheel.parent.glob("venv/[bS]*/python*"))
    install = [sys.executable, "-m", "pip", "--python", str(python), "install", "--no-index", "-q", str(cas_wheel)]
    subprocess.run(install, check=True, capture_output=True)
    return python


def test_no_file_is_another_wheels_too(cas_wheel: Path) -> None:
    with zipfile.ZipFile(cas_wheel) as archive:
        assert {name.split("/")[0].split("-")[0] for name in archive.namelist()} == {"curtain_cas"}


def test_alone_it_runs_the_example_of_its_page(lone_python: Path) -> None:
    page = (ROOT / "tools" / "curtain-cas" / "README.md").read_text("utf-8")
    example = re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0]
    code = f"{example}\nimport sys\nassert not {{'PySide6', 'numpy', 'duckdb', 'curtain'}} & set(sys.modules)"
    done = subprocess.run([lone_python, "-I", "-c", code], capture_output=True, text=True)
    assert (done.stdout.splitlines(), done.stderr) == (
        ["correct", 'row missing: ("ATL" 152); row too many: ("ATL" 7)', "True", "2 rows, the reference has 1"],
        "",
    )


def test_its_command_compares_texts_and_rows(lone_python: Path, tmp_path: Path) -> None:
    (tmp_path / "ref.cas").write_text('((1 "A"))', "utf-8")
    (tmp_path / "hyp.json").write_text('[["A", 1]]', "utf-8")
    (tmp_path / "off.json").write_text('[["A", 2]]', "utf-8")
    command = [lone_python.with_name("curtain-cas"), "compare", "--json", tmp_path / "ref.cas"]
    for name, outcome, code in (("hyp.json", "correct", 0), ("off.json", "incorrect", 1), ("none.cas", None, 2)):
        done = subprocess.run([*command, tmp_path / name], capture_output=True, text=True)
        assert done.returncode == code
        assert (json.loads(done.stdout)["verdict"] if done.stdout else None) == outcome
        assert "Traceback" not in done.stderr


def test_a_users_file_sees_its_types(lone_python: Path, tmp_path: Path) -> None:
    user = tmp_path / "user.py"
    user.write_text("from curtain_cas import compare\n\nreveal_type(compare('1', '1').outcome)\n", "utf-8")
    check = [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(lone_python), "--cache-dir"]
    done = subprocess.run([*check, str(tmp_path / "cache"), str(user)], cwd=tmp_path, capture_output=True, text=True)
    assert 'Revealed type is "str"' in done.stdout.replace("builtins.", "")
    assert done.returncode == 0, done.stdout


_ADAPTER = """
from curtain_cas.adapters import harness_metric
gold = {"answer": '((1 "A"))'}
outputs = ('[["A", 1]]', '((2 "A"))', "no table", "[[1], [2, 3]]")
print(*[harness_metric(gold, [text])["same_answer"] for text in outputs])
"""

_HARNESS = r"""
import json, sys
from pathlib import Path
import lm_eval
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

class Echo(LM):
    def generate_until(self, requests, disable_tqdm=False):
        return [request.args[0] for request in requests]

    def loglikelihood(self, requests, disable_tqdm=False):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood

folder = Path(sys.argv[1])
docs = [json.dumps({"question": text, "answer": '((1 "A"))'}) for text in ('[["A", 1]]', '((2 "A"))')]
(folder / "docs.jsonl").write_text("\n".join(docs))
(folder / "ships.yaml").write_text(f'''
task: ships
dataset_path: json
dataset_kwargs: {{data_files: {{test: {folder}/docs.jsonl}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
process_results: !function curtain_cas.adapters.harness_metric
metric_list: [{{metric: same_answer, aggregation: mean, higher_is_better: true}}]
''')
tasks = TaskManager(include_path=str(folder), include_defaults=False)
found = lm_eval.simple_evaluate(Echo(), tasks=["ships"], task_manager=tasks, bootstrap_iters=0)
print(found["results"]["ships"]["same_answer,none"])
"""

_INSPECT = """
import sys
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.solver import solver
from curtain_cas.adapters import inspect_scorer

@solver
def answers():
    # No model generates: counting its tokens would need the network.
    async def solve(state, generate):
        state.output = ModelOutput.from_content("none", state.input_text)
        return state
    return solve

samples = [Sample(id=text, input=text, target='((1 "A"))') for text in ('[["A", 1]]', '((2 "A"))')]
task = Task(dataset=samples, solver=answers(), scorer=inspect_scorer())
[log] = eval(task, model="mockllm/model", display="none", log_dir=sys.argv[1], max_samples=1)
print(log.results.scores[0].metrics["accuracy"].value)
"""


def test_the_harness_gets_a_number_for_each_answer(lone_python: Path) -> None:
    done = subprocess.run([lone_python, "-I", "-c", _ADAPTER], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["1.0", "0.0", "0.0", "0.0"]


HOSTS = ROOT / ".venv" / "hosts" / "bin" / "python"
OUR_TESTS = ["tests/cas/test_frames.py"]


@pytest.mark.soak
@pytest.mark.skipif(not HOSTS.exists(), reason="tools/prepare.sh hosts has not installed the frameworks")
@pytest.mark.parametrize("host", [_INSPECT, _HARNESS, None], ids=["inspect-ai", "lm-evaluation-harness", "the others"])
def test_a_framework_runs_our_metric(lone_python: Path, tmp_path: Path, host: str | None) -> None:
    packages = next(lone_python.parent.parent.glob("lib*/**/site-packages"))
    # No conftest: it starts Qt, which that environment lacks.
    ours = ["-m", "pytest", "-q", "--noconftest", "-p", "no:cacheprovider", *OUR_TESTS]
    code = [HOSTS, "-c", host, tmp_path] if host else [HOSTS, *ours]
    variables = {"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    paths = {"PYTHONPATH": str(packages if host else ROOT)}
    done = subprocess.run(code, cwd=ROOT, capture_output=True, text=True, env={**variables, **paths})
    assert done.returncode == 0, done.stdout + done.stderr
    assert not host or done.stdout.split()[-1] == "0.5"
