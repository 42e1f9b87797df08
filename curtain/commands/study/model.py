"""`curtain model`: serve a language model on this machine for the drafts of a study, and measure those that hear.

As a program of its own, `python -m curtain.commands.study.model FILE NAME PORT THREADS`, it is the server where that of
llama.cpp is not installed, and ends with its standard input.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
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
from curtain.base.terminal import print_line
from curtain.commands.options import AsJson, StudyOption
from curtain.commands.purposes import InFile
from curtain.commands.study.weights import Names
from curtain.domain.pack.pack import agreed_pack, database
from curtain.domain.pack.trust import sending_agreement
from curtain.domain.served_model import ChatFailed, ModelReply, ServerLine, statement_in
from curtain.drafting.serving.prompt import Prompt
from curtain.drafting.settings import CHAT
from curtain.drafting.values import Request
from curtain.ports.ear import ear_of
from curtain.session.study.study import load_study
from curtain.weights.shelf import catalogue

File = Annotated[InFile, typer.Argument(help="A model of “curtain model list”, or a GGUF file.")]
Speech = Annotated[str, typer.Option("--speech", help="What is spoken to models that hear.")]
Port = Annotated[int, typer.Option("--port", help="The port on this machine.")]
Threads = Annotated[int, typer.Option("--threads", help="Number of threads; 0 leaves one core free.")]

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


def measure(models: Names = None, language: Speech = "en", as_json: AsJson = False) -> None:
    """Models that hear, each some half a minute. Raises CurtainError."""
    ear_of({}).measure(models or (), language, as_json)


@contextmanager
def _server(file: Path, alias: str, port: int, threads: int) -> Iterator[subprocess.Popen[bytes]]:
    """The server, once it has loaded the model. Raises CurtainError with what it said if it ends before."""
    if _status(port):
        raise CurtainError(f"Port {port} of this machine is taken: end what is served there, or name another --port.")
    before = signal.signal(signal.SIGTERM, _interrupt)
    with TemporaryFile() as log, _start(file, alias, port, threads, log) as process:
        try:
            if not any(_status(port) == 200 for _ in _moments(process)):
                raise CurtainError(f"{file.name} could not be served: {_last_fault(log) or 'the server ended'}.")
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


def _last_fault(said: IO[bytes]) -> str:
    said.seek(0)
    lines = [" ".join(line.split()) for line in said.read().decode(errors="replace").splitlines()]
    faults = [line for line in lines if "error" in line.lower() or "fail" in line.lower()]
    return (faults or lines or [""])[0][:200].rstrip(".")


def asked(address: str, model: str, messages: Sequence[Mapping[str, str]]) -> ModelReply:
    """One reply of a served model. Raises CurtainError."""
    try:
        body = {"model": model, "messages": messages, "temperature": 0.0, "max_tokens": TOKENS}
        return ServerLine(urlsplit(address)).ask(body)
    except ChatFailed as fault:
        raise CurtainError(f"The model does not answer: Curtain {str(fault).rstrip('.')}.") from fault


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
