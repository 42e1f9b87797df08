"""The drafter that asks a served model, against a server on this machine that answers well, badly and never."""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from curtain.base.privacy import Agreements
from curtain.commands.cli import app
from curtain.domain.pack.pack import Pack, database, load_pack
from curtain.domain.pack.trust import SENDING
from curtain.session.study.study import load_study, new_study
from curtain_drafts.drafting.values import Asked, Draft, Example, Request
from curtain_drafts.models.served_model import ChatError, statement_in
from curtain_drafts.tool.drafter.local import words_and_values
from curtain_drafts.tool.service import DrafterChoice, DraftService, DraftSettings
from curtain_drafts.tool.serving.chat import ChatDrafter
from curtain_drafts.tool.serving.checks import Checks
from curtain_drafts.tool.serving.settings import read_settings
from curtain_drafts.tool.serving.wire import Spent
from tests.support.child_program import Child

SQL = "SELECT COUNT(*) FROM employee"


@dataclass
class Served:
    """What the server says next, and what it heard."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    heard: list[dict[str, Any]] = field(default_factory=list)
    authorizations: list[str | None] = field(default_factory=list)
    let_go: threading.Event = field(default_factory=threading.Event)
    asked: threading.Event = field(default_factory=threading.Event)
    texts: list[list[str]] = field(default_factory=list)
    refuses_several: bool = False
    address: str = ""

    def replies(self, *texts: str) -> None:
        choices = [{"index": 0, "message": {"role": "assistant", "content": text}} for text in texts]
        self.body = json.dumps({"id": "x", "object": "chat.completion", "choices": choices}).encode()


@pytest.fixture
def served() -> Iterator[Served]:
    script = Served()
    script.let_go.set()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            script.heard.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            script.authorizations.append(self.headers.get("Authorization"))
            script.asked.set()
            if script.texts:
                script.replies(*script.texts.pop(0))
            script.let_go.wait(20)
            several = script.refuses_several and script.heard[-1].get("n", 1) > 1
            self.send_response(400 if several else script.status)
            for name, value in script.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(script.body)))
            self.end_headers()
            self.wfile.write(script.body)

        do_GET = do_POST

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A caller that hangs up is no news."""

    with Server(("127.0.0.1", 0), Handler) as server:
        script.address = f"http://127.0.0.1:{server.server_port}/v1/chat/completions"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield script
        script.let_go.set()
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack("personnel")


@pytest.fixture(scope="module", autouse=True)
def one_database(pack: Pack) -> Iterator[None]:
    """All drafters of this module try their statements in one process, and read the words of the pack once."""
    read = words_and_values(pack, database(pack))
    with closing(Checks(pack, database(pack))) as checks, pytest.MonkeyPatch.context() as patch:
        shared = SimpleNamespace(tried=checks.tried, close=lambda: None)
        patch.setattr("curtain_drafts.tool.serving.chat.Checks", lambda *_: shared)
        patch.setattr("curtain_drafts.tool.serving.prompt.words_and_values", lambda *_: read)
        yield


def options(served: Served, **more: Any) -> dict[str, Any]:
    return {"address": served.address, "model": "small", **more}


def sql_for(pack: Pack, served: Served, question: str = "how many people are there", **more: Any) -> list[str]:
    drafter = ChatDrafter(pack, database(pack), options(served, **more))
    return [draft.sql for draft in drafter.drafts(Request(question))]


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        (SQL, SQL),
        (f"{SQL};", SQL),
        (f"```sql\n{SQL}\n```", SQL),
        (f"Here it is:\n\n```\n{SQL};\n```\nIt counts them.", SQL),
        (f"Sure. {SQL};\nThis counts all employees.", SQL),
        (f"```python\nprint(1)\n```\n```SQL\n{SQL}\n```", SQL),
        (f"```sql\n{SQL}", SQL),
        (f"<think>SELECT nothing</think>\n{SQL}", SQL),
        (f"{SQL}\n\nThis counts.", SQL),
        ("SELECT city WHERE street = 'a;b''c;'; DROP TABLE x", "SELECT city WHERE street = 'a;b''c;'"),
        ("with a as (select 1) select * from a", "with a as (select 1) select * from a"),
        ("I cannot answer that.", ""),
        ("", ""),
        ("```\n```", ""),
        (json.dumps({"sql": SQL}), SQL),
        (f'```json\n{{"reasoning": "count", "query": "{SQL};"}}\n```', SQL),
        (json.dumps([SQL, "SELECT 2"]), SQL),
        (json.dumps({"reasoning": "We select with a count.", "sql": SQL}), SQL),
        (f'I select all people with a count.\n\n{{"thoughts": "select x from y", "sql": "{SQL}"}}', SQL),
        (f"We need to select all employees with a count.\n{SQL}", SQL),
        (f"{SQL}\nThis statement counts the people.", SQL),
        (f"The employees are counted with no condition.\n\n{SQL}<|im_end|>", SQL),
        (f"<|im_start|>assistant\n{SQL}<|im_end|>\n<|im_start|>user", SQL),
        (f"First I select nothing.</think>{SQL}</s>", SQL),
        (f"<thinking>SELECT 3 FROM x</thinking>\n**Answer:** ```sql\n{SQL};\n```", SQL),
        ("<think>I select from employee and go on and", ""),
        ("[" * 100_000, ""),
        ("SELECT nobody FORM employee", "SELECT nobody FORM employee"),
    ],
)  # fmt: skip
def test_the_statement_is_found_in_what_a_model_says(said: str, sql: str) -> None:
    assert statement_in(said) == sql


def test_drafts_are_what_the_model_says_oftenest_first(pack: Pack, served: Served) -> None:
    """They agree by their answers, however they are spelt."""
    served.replies("SELECT 2", SQL, "```sql\nselect count(employee_id) FROM employee\n```", "no idea")
    first, second = ChatDrafter(pack, database(pack), options(served)).drafts(Request("how many people are there"))
    assert (first.sql, first.because) == (SQL, "the model said so 2 of 3 times")
    assert second.sql == "SELECT 2"
    assert 0 < second.confidence < first.confidence <= 0.95


def test_the_model_reads_schema_rules_near_examples_earlier_turns_and_the_query(pack: Pack, served: Served) -> None:
    served.replies(SQL)
    drafter = ChatDrafter(pack, database(pack), options(served))
    drafter.learn(Example("Who lives in Boston?", "SELECT 11", id="near"))
    drafter.learn(Example("Who lives in Paris?", "SELECT 12", id="gone"))
    drafter.learn(Example("Zebras", "SELECT 13", id="far"))
    drafter.withdraw("gone")
    drafter.drafts(Request("who lives in Dallas", (Asked("who works here", "SELECT 14"),)))
    (heard,) = served.heard
    system, *talk = heard["messages"]
    assert heard["model"] == "small"
    assert "employee(employee_id INTEGER" in system["content"] and "Today is 1989-08-19" in system["content"]
    assert [(one["role"], *one["content"].splitlines()[:2]) for one in talk] == [
        ("user", "Who lives in Boston?"), ("assistant", "SELECT 11"),
        ("user", "who works here"), ("assistant", "SELECT 14"),
        ("user", "who lives in Dallas", "“Dallas”: employee.city = 'DALLAS'"),
    ]  # fmt: skip


def test_a_key_is_sent_only_if_a_variable_for_it_is_named(
    pack: Pack, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CURTAIN_KEY_SOME", "k123")
    served.replies(SQL)
    sql_for(pack, served)
    sql_for(pack, served, key_from="CURTAIN_KEY_SOME")
    assert served.authorizations == [None, "Bearer k123"]
    with pytest.raises(ChatError, match="set the variable CURTAIN_KEY_OTHER"):
        sql_for(pack, served, key_from="CURTAIN_KEY_OTHER")


def test_content_in_a_list_of_parts_is_read(pack: Pack, served: Served) -> None:
    parts = [{"type": "text", "text": SQL}, {"type": "text", "text": " WHERE level > 3"}]
    served.body = json.dumps({"choices": [{"message": {"content": parts}}]}).encode()
    assert sql_for(pack, served) == [f"{SQL} WHERE level > 3"]


@pytest.mark.parametrize("held", [True, False])
def test_replies_are_held_to_one_select_only_where_the_server_knows_how(served: Served, pack: Pack, held: bool) -> None:
    served.replies(SQL)
    ChatDrafter(pack, database(pack), options(served, replies=1, grammar=held)).drafts(Request("how many people"))
    assert [str(body.get("grammar", "")).startswith('root ::= ("SELECT') for body in served.heard] == [held]


@pytest.mark.parametrize(
    "usage", [None, [], "many", {"prompt_tokens": "9"}, {"prompt_tokens": 9.5, "completion_tokens": None}]
)
def test_what_a_server_counts_oddly_costs_no_draft(pack: Pack, served: Served, usage: object) -> None:
    served.body = json.dumps({"choices": [{"index": None, "message": {"content": SQL}}], "usage": usage}).encode()
    assert sql_for(pack, served) == [SQL]


def test_a_streamed_reply_is_put_together(pack: Pack, served: Served) -> None:
    events = [{"choices": [{"index": 0, "delta": {"content": part}}]} for part in ("SELECT COUNT(*)", " FROM employee")]
    usage = {"choices": [], "usage": {"prompt_tokens": 900, "completion_tokens": 12}}
    lines = [f"data: {json.dumps(event)}\n\n" for event in ({"timings": {}}, *events, usage)]
    served.body = ("".join(lines) + "data: [DONE]\n\n").encode()
    drafter = ChatDrafter(pack, database(pack), options(served, price_in=2, price_out=10.0))
    assert [draft.sql for draft in drafter.drafts(Request("how many people are there"))] == [SQL]
    spent = drafter.spent()
    assert (spent.tokens_in, spent.tokens_out, spent.cost) == (900, 12, pytest.approx(0.00192))
    assert drafter.spent() == Spent()


MANY = ", ".join(f"employee {alias}" for alias in "abcde")
PROBLEMS = {
    f"SELECT COUNT(DISTINCT a.salary + b.salary + c.salary + d.salary) FROM {MANY}": "ask for less at a time",
    "SELECT nobody FROM employee": "“nobody”",
    "SELECT strptime(ssn, '%Y') FROM employee": "“?” does not have the form",
    "SELECT strptime('May', '%Y')": "“May” does not have the form",
    "SELECT decode(ssn) FROM employee": "function “decode” is not allowed",
}


@pytest.mark.parametrize("failing", PROBLEMS)
def test_a_statement_that_fails_is_corrected_once_and_no_value_is_sent(
    failing: str, pack: Pack, served: Served
) -> None:
    served.texts = [[failing], [SQL]]
    drafter = ChatDrafter(pack, database(pack), options(served, replies=1))
    assert [draft.sql for draft in drafter.drafts(Request("how many people are there"))] == [SQL]
    first, second = served.heard
    assert len(second["messages"]) == len(first["messages"]) + 2
    problem = second["messages"][-1]["content"]
    assert problem.startswith("This statement fails") and PROBLEMS[failing] in problem


def test_a_statement_that_answers_nothing_is_asked_about_once(pack: Pack, served: Served) -> None:
    empty = "SELECT employee_id FROM employee WHERE level > 999"
    served.texts = [[empty], [empty]]
    drafter = ChatDrafter(pack, database(pack), options(served, replies=1))
    assert [draft.sql for draft in drafter.drafts(Request("who is above level 999"))] == [empty]
    assert len(served.heard) == 2


def test_a_server_that_writes_one_reply_to_a_request_is_asked_as_often(pack: Pack, served: Served) -> None:
    served.replies(SQL)
    served.refuses_several = True
    drafter = ChatDrafter(pack, database(pack), options(served))
    for heard in (4, 7):
        (draft,) = drafter.drafts(Request("how many people are there"))
        assert draft.because == "the model said so 3 of 3 times"
        assert len(served.heard) == heard


def test_replies_without_sql_are_reported_in_words(pack: Pack, served: Served) -> None:
    served.replies("I cannot answer that.", "<think>It goes on")
    with pytest.raises(ChatError, match="wrote no SQL"):
        sql_for(pack, served)


def test_what_is_asked_is_given_up_when_something_newer_comes(pack: Pack, served: Served) -> None:
    served.replies(SQL)
    served.let_go.clear()
    drafter = ChatDrafter(pack, database(pack), options(served))
    failed: list[str] = []

    def ask() -> None:
        with pytest.raises(ChatError) as problem:
            drafter.drafts(Request("how many people"))
        failed.append(str(problem.value))

    asking = threading.Thread(target=ask)
    asking.start()
    assert served.asked.wait(20)
    drafter.cancel()
    asking.join(20)
    assert failed == ["was asked something newer"]


def test_an_empty_query_is_sent_to_nobody(pack: Pack, served: Served) -> None:
    assert sql_for(pack, served, " ") == []
    assert served.heard == []


@pytest.mark.parametrize(
    ("status", "body", "reported"),
    [
        (500, b"", "got the answer 500"),
        (401, b"", "the key is missing or wrong"),
        (204, b"", "got the answer 204"),
        (429, b'{"error": {"message": "You have no\\n credit left."}}',
         r"got the answer 429 from the model's server: You have no credit left\."),
        (200, b"", "not of the chat-completions interface"),
        (200, b"\xff\xfe<html>", "not of the chat-completions interface"),
        (200, b'{"choices": "none"}', "not of the chat-completions interface"),
        (200, b"[" * 100_000, "not of the chat-completions interface"),
        (200, b" " * (1 << 20) + b" ", "more than 1 MiB"),
    ],
)  # fmt: skip
def test_a_bad_answer_is_one_plain_sentence(
    pack: Pack, served: Served, status: int, body: bytes, reported: str
) -> None:
    served.status, served.body = status, body
    with pytest.raises(ChatError, match=reported):
        sql_for(pack, served)


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_a_redirect_to_elsewhere_is_not_followed(pack: Pack, served: Served, code: int) -> None:
    served.replies(SQL)
    served.status, served.headers = code, {"Location": served.address + "/elsewhere"}
    with pytest.raises(ChatError, match="is not followed"):
        sql_for(pack, served)
    assert len(served.heard) == 1


def test_a_proxy_of_the_environment_is_not_used(pack: Pack, served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    served.replies(SQL)
    assert sql_for(pack, served) == [SQL]


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/v1", "http://127.0.0.1:9/grüße", "https://127.0.0.1:9"])
def test_an_address_where_nobody_is_is_named(pack: Pack, served: Served, address: str) -> None:
    served.address = address
    with pytest.raises(ChatError, match="does not reach"):
        sql_for(pack, served)


DYING = f"""
import json, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = self.rfile.read(int(self.headers["Content-Length"])).decode()
        print("asked", flush=True)
        if "older" in asked:
            sys.stdin.read()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({{"choices": [{{"message": {{"content": {SQL!r}}}}}]}}).encode())
server = HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
"""


def test_a_model_that_is_killed_is_named_once_and_the_others_go_on(pack: Pack) -> None:
    """While it writes; it answers none of the questions after that."""
    reported: list[str] = []
    with Child([sys.executable, "-c", DYING], text=True, stderr=subprocess.DEVNULL) as model:
        address = f"http://127.0.0.1:{int(next(model.stdout))}/v1"
        Agreements().add(SENDING, address, "this test")
        chat = DrafterChoice("chat", {"address": address, "model": "small", "replies": 1})
        # The list waits for both.
        settings = DraftSettings((DrafterChoice(limit_s=60), chat), patience_s=60)
        with closing(DraftService(pack, database(pack), [], settings, on_problem=reported.append)) as service:
            (first, *_) = service.draft(Request("how many people are there")).result(60)
            assert (first.sql, "asked", reported) == (SQL, next(model.stdout).strip(), [])
            asked = service.draft(Request("list the employees who are older than 30"))
            assert next(model.stdout)
            model.kill()
            model.wait()
            found = [asked.result(60)]
            found += [service.draft(Request(f"list the {what}")).result(60) for what in ("employees", "departments")]
    assert [{one.drafter for one in drafts} for drafts in found] == [{"curtain"}] * len(found)
    assert reported == ["The drafter “chat” does not reach 127.0.0.1: start what serves the model there."]


def chat_study(folder: Path, served: Served) -> Path:
    """A study from elsewhere that has its queries sent away, with the content of a variable."""
    study = new_study(folder, "personnel").folder
    text = f'domain = "personnel"\n[drafters]\ncurtain = false\n[drafters.chat]\naddress = "{served.address}"\n'
    (study / "study.toml").write_text(f'{text}model = "small"\nkey_from = "CURTAIN_KEY_SOME"\n', "utf-8")
    return study


def asked_over(pack: Pack, study: Path, reported: list[str]) -> tuple[Draft, ...]:
    settings = read_settings(load_study(study).drafters, study)
    with closing(DraftService(pack, database(pack), [], settings, on_problem=reported.append)) as service:
        return service.draft(Request("how many people are there")).result(60)


def test_a_study_sends_nothing_before_a_person_agreed_to_the_address_and_the_key_and_asks_once(
    pack: Pack, served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("CURTAIN_KEY_SOME", "k123")
    served.replies(SQL)
    study, reported = chat_study(tmp_path / "study", served), list[str]()
    # An agreement to send without a key is none to send with one.
    Agreements().add(SENDING, served.address, "this test")

    assert asked_over(pack, study, reported) == ()
    refused = CliRunner().invoke(app, ["study", "trust", str(study)])
    assert served.heard == []
    assert refused.exit_code == 1
    for shown in (*reported, refused.output):
        assert served.address in shown
        assert "CURTAIN_KEY_SOME" in shown
        assert "k123" not in shown

    agreed = CliRunner().invoke(app, ["study", "trust", "--yes", str(study)])
    again = CliRunner().invoke(app, ["study", "trust", str(study)])
    assert [draft.sql for draft in asked_over(pack, study, [])] == [SQL]
    assert served.authorizations == ["Bearer k123"]
    assert (agreed.exit_code, again.exit_code) == (0, 0)
    assert served.address not in again.output
