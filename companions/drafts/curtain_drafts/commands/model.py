"""`curtain model`: serve a language model on this machine for the drafts of a study, and measure it before it is used.

As a program of its own, `python -m curtain_drafts.commands.model FILE NAME PORT THREADS`, it is the server where that
of llama.cpp is not installed, and ends with its standard input.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryFile
from typing import IO, Annotated, Any, NoReturn
from urllib.parse import urlsplit

import tomlkit
import typer

from curtain.base.clock import steady_s
from curtain.base.disk import replace_file
from curtain.base.errors import CurtainError, os_errors_as
from curtain.base.progress_bar import progress_bar
from curtain.base.python_process import start_command, start_module_with
from curtain.base.terminal import print_json, print_line
from curtain.cas import compare
from curtain.cas.scoring.intervals import wilson
from curtain.commands.options import AsJson, Seed, StudyOption
from curtain.commands.purposes import InFile
from curtain.commands.study.weights import Names
from curtain.domain.pack.pack import Pack, agreed_pack, database
from curtain.domain.pack.reader import PackExample
from curtain.domain.pack.trust import sending_agreement
from curtain.domain.worker.worker import SqlWorker
from curtain.ports.ear import ear_of
from curtain.session.study.study import load_study
from curtain.weights.shelf import catalogue
from curtain_drafts.commands.draft_questions import drafting
from curtain_drafts.drafting.values import Example, Request
from curtain_drafts.models.served_model import ChatError, ModelReply, ServerLine, statement_in
from curtain_drafts.tool.serving.prompt import Prompt
from curtain_drafts.tool.serving.settings import CHAT, DraftSettings, read_settings

File = Annotated[InFile, typer.Argument(help="A model of “curtain model list”, or a GGUF file.")]
Speech = Annotated[str, typer.Option("--speech", help="What is spoken to models that hear.")]
Port = Annotated[int, typer.Option("--port", help="The port on this machine.")]
Threads = Annotated[int, typer.Option("--threads", help="Number of threads; 0 leaves one core free.")]
Many = Annotated[int, typer.Option("--n", help="The most questions to ask.")]

_HOST, _REPLIES = "127.0.0.1", 3
# For each reply: the prompt, what is written, and a second round.
_CONTEXT = 4096
TOKENS = 300
_LOADS_S, _STEP_S, _SLOW, _LATE_S = 600.0, 0.2, 3, 10.0
_LEAST_LIMIT_S, _MOST_LIMIT_S = 20.0, 600.0
_FOR_CARDS = ("CUDA", "GGML", "HIP", "ROCR", "OMP", "VK")


def serve(file: File, study: StudyOption = None, port: Port = 7420, threads: Threads = 0) -> None:
    """Until it is interrupted. Raises CurtainError, also if the server ends by itself."""
    file, alias = _file_of(file)
    with os_errors_as(f"{file} cannot be read", CurtainError), file.open("rb") as begun:
        if begun.read(4) != b"GGUF":
            raise CurtainError(f"{file} is no model that llama.cpp can serve: name a file that ends in .gguf.")
    about = load_study(study) if study else None
    pack = agreed_pack(about.domain if about else "personnel")
    address = f"http://{_HOST}:{port}/v1/chat/completions"
    threads = threads or max(1, (os.cpu_count() or 2) - 1)
    with _server(file.absolute(), alias, port, threads) as server:
        question = next((one.question for one in pack.examples()), f"how many {next(iter(pack.tables))} are there")
        messages = Prompt(pack, database(pack)).messages(Request(question))
        began = steady_s()
        sql = statement_in(next(iter(asked(address, alias, messages).texts), ""))
        seconds = steady_s() - began
        wrote = f"it wrote {' '.join(sql.split())}" if sql else "but it wrote no SQL: measure it before you use it"
        print_line(f"{alias} answered “{question}” after {seconds:.1f} s: {wrote}.")
        # Who names the file has agreed to it, and nothing leaves this machine.
        sending_agreement(address, "").give()
        limit_s = min(_MOST_LIMIT_S, max(_LEAST_LIMIT_S, float(round(_SLOW * seconds))))
        keys = {"address": address, "model": alias, "limit_s": limit_s, "grammar": True}
        if about is None:
            print_line("Write into the study.toml of a study:")
            print_line(tomlkit.dumps({"drafters": {CHAT: keys}}).strip())
        else:
            _write_settings(about.folder / "study.toml", keys)
            print_line(f"{about.folder / 'study.toml'} names it under [drafters.chat]: the wizard's desk asks it, too.")
        print_line("It is served until you press Ctrl+C.")
        server.wait()
        raise CurtainError("The model's server has ended by itself; start it again.")


def _file_of(named: Path) -> tuple[Path, str]:
    """The file of a model of the list, or the one that is named; and what it is called. Raises CurtainError."""
    known = catalogue().get(str(named))
    if named.exists() or known is None or known.kind != "drafts":
        return named, named.stem
    if not known.is_here:
        raise CurtainError(f"The model {named} is not on this machine: “curtain model get {named}” fetches it.")
    return known.folder / "model.gguf", known.name


def measure(
    models: Names = None, study: StudyOption = None, language: Speech = "en", n: Many = 20, seed: Seed = 0,
    as_json: AsJson = False,
) -> None:  # fmt: skip
    """Models that hear, each some half a minute; with a study the one that it has served: asked as a station does, with
    the examples that are not asked as the answered ones. Raises CurtainError."""
    if study is None:
        return ear_of({}).measure(models or (), language, as_json)
    if models:
        raise CurtainError("--study measures the served model that the study names; leave the names away.")
    about = load_study(study)
    choices = [one for one in read_settings(about.drafters, about.folder).drafters if one.name == CHAT]
    if not choices:
        raise CurtainError(f"{about.folder / 'study.toml'} names no model: “curtain model serve FILE --study {study}”.")
    pack, model = agreed_pack(about.domain), choices[0].options["model"]
    chosen, store = _parted(pack, n, seed)
    tried = list[_Try]()
    try:
        with (progress_bar() as report, drafting(pack, store, DraftSettings(tuple(choices)), report) as ask,
              closing(SqlWorker(database(pack), pack, with_spare=False)) as worker):  # fmt: skip
            for number, example in enumerate(chosen, 1):
                report(f"asking {model}", (number - 1) / len(chosen))
                began = steady_s()
                drafts = ask(Request(example.question))
                seconds = steady_s() - began
                tried.append(_Try(seconds, [_answers_alike(worker, pack, one.sql, example) for one in drafts]))
                if not as_json:
                    print_line(f"{number} of {len(chosen)}: {tried[-1]}, {seconds:.1f} s: {example.question}")
    finally:
        # Also what was measured before Ctrl+C.
        if tried:
            _print_figures(model, pack.title, tried, as_json)


@dataclass(frozen=True)
class _Try:
    """Seconds until the drafts of one question came, and which of them are right."""

    seconds: float
    right: Sequence[bool]

    def __str__(self) -> str:
        right = f"draft {[*self.right, True].index(True) + 1} is right"
        return right if any(self.right) else f"{len(self.right) or 'no'} drafts, none right"


def _print_figures(model: str, title: str, tried: Sequence[_Try], as_json: bool) -> None:
    first, five = (sum(any(one.right[:most]) for one in tried) for most in (1, 5))
    none, seconds = sum(not one.right for one in tried), [one.seconds for one in tried]
    spans = [(one.low, one.high) for right in (first, five) if (one := wilson(right, len(tried))) is not None]
    middle, slowest = median(seconds[1:] or seconds), max(seconds)
    if as_json:
        print_json({"model": model, "asked": len(tried), "right": first, "interval": spans[0], "within_five": five,
                    "interval_of_five": spans[1], "no_draft": none,
                    "seconds": {"first": seconds[0], "median": middle, "slowest": slowest}})  # fmt: skip
        return
    print_line(f"{model}, {len(tried)} questions that it had not seen answered, about {title}:")
    shares = [f"{100 * right / len(tried):.0f} % (95 % interval {low:.0f} to {high:.0f})"
              for right, (low, high) in zip((first, five), spans, strict=True)]  # fmt: skip
    no_draft = f"; no draft for {none}" if none else ""
    print_line(f"right at the first draft {shares[0]}, within five {shares[1]}{no_draft}")
    times = f"{seconds[0]:.1f} (the first), {middle:.1f} (median of the later), {slowest:.1f} (slowest)"
    print_line(f"seconds a question {times}")
    late = f"After more than {_LATE_S:g} s a draft comes too late: take a smaller model or a faster machine."
    print_line("This machine is fast enough." if middle <= _LATE_S else late)


@contextmanager
def _server(file: Path, alias: str, port: int, threads: int) -> Iterator[subprocess.Popen[bytes]]:
    """The server, once it has loaded the model. Raises CurtainError with what it said if it ends before."""
    if _status(port):
        raise CurtainError(f"Port {port} of this machine is taken: end what is served there, or name another --port.")
    before = signal.signal(signal.SIGTERM, _interrupt)
    with TemporaryFile() as log, _start(file, alias, port, threads, log) as process:
        try:
            if not any(_status(port) == 200 for _ in _moments(process)):
                raise CurtainError(f"{file.name} could not be served: {_last_problem(log) or 'the server ended'}.")
            yield process
        finally:
            process.terminate()
            signal.signal(signal.SIGTERM, before)


def _interrupt(*_: object) -> NoReturn:
    """A command that is ended from outside leaves no server behind."""
    raise KeyboardInterrupt


def _moments(process: subprocess.Popen[bytes]) -> Iterator[float]:
    """Moments at which to look again, as long as the server may still come."""
    with progress_bar() as report:
        began = steady_s()
        while process.poll() is None and (passed := steady_s() - began) < _LOADS_S:
            report("loading the model", min(1.0, passed / _LOADS_S))
            yield passed
            time.sleep(_STEP_S)


def _start(file: Path, alias: str, port: int, threads: int, said: IO[bytes]) -> subprocess.Popen[bytes]:
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": said, "stderr": said}
    variables = [name for name in os.environ if name.startswith(_FOR_CARDS)]
    if program := shutil.which("llama-server"):
        options = {"-m": file, "--alias": alias, "--host": _HOST, "--port": port, "-t": threads, "-np": _REPLIES,
                   "-c": _REPLIES * _CONTEXT}  # fmt: skip
        words = [str(word) for pair in options.items() for word in pair]
        return start_command([program, *words], variables, **pipes)
    if find_spec("xllamacpp") is None:
        raise CurtainError(
            "No server for models is installed: “pip install curtain-woz[model]”, or llama.cpp with its llama-server."
        )
    return start_module_with(variables, __spec__.name, str(file), alias, str(port), str(threads), **pipes)


def _status(port: int) -> int:
    """What the server says of itself: 200 once the model is loaded; 0 if nobody is there."""
    return ServerLine(urlsplit(f"http://{_HOST}:{port}"), wait_s=5).status("/health")


def _last_problem(said: IO[bytes]) -> str:
    said.seek(0)
    lines = [" ".join(line.split()) for line in said.read().decode(errors="replace").splitlines()]
    problems = [line for line in lines if "error" in line.lower() or "fail" in line.lower()]
    return (problems or lines or [""])[0][:200].rstrip(".")


def asked(address: str, model: str, messages: Sequence[Mapping[str, str]]) -> ModelReply:
    """One reply of a served model. Raises CurtainError."""
    try:
        body = {"model": model, "messages": messages, "temperature": 0.0, "max_tokens": TOKENS}
        return ServerLine(urlsplit(address)).ask(body)
    except ChatError as error:
        raise CurtainError(f"The model does not answer: Curtain {str(error).rstrip('.')}.") from error


def _write_settings(path: Path, keys: dict[str, Any]) -> None:
    """Into [drafters.chat], with every remark kept. Raises CurtainError."""
    with os_errors_as(f"{path} cannot be written", CurtainError):
        document = tomlkit.parse(path.read_text("utf-8"))
        drafters = document.setdefault("drafters", tomlkit.table(is_super_table=True))
        if not isinstance(drafters.get(CHAT), dict):
            drafters[CHAT] = tomlkit.table()
        # The key of another server is none of this one's business.
        drafters[CHAT].pop("key_from", None)
        drafters[CHAT].update({"tokens": TOKENS, **drafters[CHAT], **keys})
        replace_file(path, tomlkit.dumps(document).encode())


def _parted(pack: Pack, n: int, seed: int) -> tuple[list[PackExample], list[Example]]:
    """Questions to ask, at most half of the pack's, and those that were answered: of no statement both. Raises
    CurtainError."""
    examples = [example for example in pack.examples() if not example.context]
    if n < 1 or len(examples) < 2:
        raise CurtainError(f"There is nothing to ask: examples.jsonl of {pack.folder} needs answered questions.")
    asked = Random(seed).sample(examples, min(n, len(examples) // 2))
    statements = {example.sql for example in asked}
    return asked, [
        Example(example.question, example.sql, id=example.question)
        for example in examples
        if example.sql not in statements
    ]


def _answers_alike(worker: SqlWorker, pack: Pack, sql: str, wanted: PackExample) -> bool:
    """Whether a statement answers as one of those that are right."""
    given = worker.run(sql, with_maximum=False).result().cas_min
    answers = [worker.run(one).result() for one in (wanted.sql, *wanted.other)]
    return given is not None and any(
        compare(given, answer.cas_min, answer.cas_max, dialect=pack.dialect).outcome == "correct"
        for answer in answers
        if answer.cas_min is not None
    )


def _serve_here(file: str, alias: str, port: str, threads: str) -> None:
    """Serves until nobody holds the other end of standard input."""
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path, parameters.model_alias = file, {alias}
    parameters.hostnames, parameters.port = [_HOST], int(port)
    parameters.n_parallel, parameters.n_ctx = _REPLIES, _REPLIES * _CONTEXT
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = int(threads)
    parameters.ui = False
    server = xllamacpp.Server(parameters)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    _serve_here(*sys.argv[1:])
