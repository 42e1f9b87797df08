"""The detailed transcription (`.sro`): its markers, what is wrong with them, and the words alone (`.lsn`).

The markers are those of the NIST `.sro` and `.dot` transcription guides: `<word>` repaired by the speaker, `*word*`
mispronounced, `wor-` and `REVO(LUTIONARY)-` fragments, `[noise]` with `[<noise]`, `[noise>]`, `[noise/]` and
`[/noise]`, `.` alone a pause, `~` the recording is cut off at that end, a backslash before a sign that is no marker,
`!word` stressed, `wo:rd` lengthened, `((word))` unsure.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from curtain.base.words import MARKS, is_letter
from curtain.corpus.annotation.letters import upper
from curtain.corpus.model.utterance import REDACTED

_NOISE = re.compile(r"\[(?:<[a-z_]+|[a-z_]+>|[a-z_]+/|/[a-z_]+|[a-z_]+)\]")
_NOISE_LIKE = re.compile(r"\[[^\[\]\s]*\]")
_UNSPOKEN = re.compile(r"\([^()\s]*\)")
_MARKS = "<>*!:~()[]"


@dataclass(frozen=True)
class SroProblem:
    """What is wrong between the characters `start` and `end`, in one sentence. `blocks`: it cannot stay so."""

    start: int
    end: int
    sentence: str
    blocks: bool = True


@dataclass(frozen=True)
class Token:
    """A piece between white space. `word` is what is left for the lexical form, None if it drops out."""

    text: str
    start: int
    word: str | None

    @property
    def end(self) -> int:
        """Where the token ends in its line, in characters; the end is not included."""
        return self.start + len(self.text)


def tokens(sro: str) -> list[Token]:
    """The pieces of a transcription, in order, also of one with problems."""
    return [Token(found[0], found.start(), _word(found[0])) for found in re.finditer(r"\S+", sro)]


def lsn_of(sro: str, language: str = "") -> str:
    """The lexical form: the words alone, upper case, single spaces; `[redacted]` where words are hidden.

    Defined for any text; `language` (BCP 47) says which capitals letters have.
    """
    return _lexical((token.word for token in tokens(sro)), language)


def _lexical(words: Iterable[str | None], language: str) -> str:
    # In NFC: two ways to write an accent are one word to a scorer.
    text = " ".join(filter(None, words))
    if REDACTED not in text:
        return upper(text, language)
    return " ".join(word if word == REDACTED else upper(word, language) for word in text.split(" "))


def _word(piece: str) -> str | None:
    if REDACTED in piece:
        # What stands beside it is a mark, or the rest of a word of which a part is hidden.
        return REDACTED
    # A fragment is no word of the lexical form: recognisers are not scored on it.
    if piece == "." or _is_fragment(piece):
        return None
    piece = _NOISE_LIKE.sub("", piece)
    if _is_fragment(piece):
        return None
    return _without_marks(piece) or None


def _is_fragment(piece: str) -> bool:
    """`wor-`, `REVO(LUTIONARY)-`, `-ston`, also inside marks of repair, doubt, stress and truncation."""
    if piece.endswith("\\-") or piece.startswith("\\-"):
        return False
    bare = piece.strip("<>*!~").removeprefix("((").removesuffix("))").strip("<>*!")
    if bare.endswith("\\-"):
        return False
    return len(bare) > 1 and (bare.endswith("-") or bare.startswith("-"))


def _without_marks(piece: str) -> str:
    out, escaped = [], False
    for sign in piece:
        if escaped or (sign != "\\" and sign not in _MARKS):
            out.append(sign)
            escaped = False
        else:
            escaped = sign == "\\"
    return "".join(out)


def lsn_of_query(query: str, language: str = "") -> str:
    """The words of a typed query, as a stand-in until somebody has transcribed: upper case, without punctuation."""
    return _lexical(map(_bare, unicodedata.normalize("NFC", query).split()), language)


@lru_cache(maxsize=4096)
def _bare(piece: str) -> str:
    if REDACTED in piece:
        return REDACTED
    piece = re.sub(r"""[()\[\]{}<>*~\\"“”„«»|^]""", "", piece)
    # “U.S.” keeps its stops, which belong to the word.
    if re.fullmatch(rf"(?:\w[{MARKS}]*\.){{2,}},?", piece):
        return piece.rstrip(",")
    start, end = 0, len(piece)
    while start < end and not (is_letter(piece[start]) or piece[start] in "$'"):
        start += 1
    while end > start and not (is_letter(piece[end - 1]) or piece[end - 1] in "%'"):
        end -= 1
    return piece[start:end]


def check_sro(sro: str) -> list[SroProblem]:
    """All problems of a transcription in the order of their places; nothing for one that may stay."""
    problems = [*_of_pieces(sro), *_of_pairs(sro), *_of_noise_spans(sro), *_of_signs(sro)]
    return sorted(problems, key=lambda problem: (problem.start, problem.end))


def _of_pieces(sro: str) -> Iterator[SroProblem]:
    pieces = tokens(sro)
    for number, token in enumerate(pieces):
        yield from _of_noises(token)
        yield from _of_tilde(token, first=number == 0, last=number == len(pieces) - 1)
        yield from _of_fragment(token)
        yield from _of_stress(token)
    if sro.endswith("\\") and not sro.endswith("\\\\"):
        yield SroProblem(len(sro) - 1, len(sro), "Put a backslash right before the sign that it protects.")


def _of_noises(token: Token) -> Iterator[SroProblem]:
    for match in _NOISE_LIKE.finditer(token.text):
        start = token.start + match.start()
        if match[0] == token.text:
            if not _NOISE.fullmatch(match[0]):
                yield SroProblem(
                    start,
                    start + len(match[0]),
                    f"“{match[0]}” is no noise: write a name in small letters with underscores, such as [lip_smack].",
                )
        else:
            yield SroProblem(start, start + len(match[0]), f"Put a space on both sides of “{match[0]}”.")


def _of_tilde(token: Token, first: bool, last: bool) -> Iterator[SroProblem]:
    for at, _ in _plain_signs(token.text, "~"):
        at_start, at_end = first and at == 0, last and at == len(token.text) - 1
        if not (at_start or at_end):
            place = token.start + at
            yield SroProblem(place, place + 1, "“~” marks a recording that is cut off: only at the very start or end.")


def _of_fragment(token: Token) -> Iterator[SroProblem]:
    # Two blanks for two signs, so that the places after them stay true.
    bare = token.text.replace("((", "  ").replace("))", "  ")
    for match in _UNSPOKEN.finditer(bare):
        start = token.start + match.start()
        if len(match[0]) == 2:
            yield SroProblem(start, start + 2, "Put the part that was not spoken between “(” and “)”.")
        elif not _is_fragment(token.text):
            yield SroProblem(
                start,
                start + len(match[0]),
                f"“{match[0]}” is a part that was not spoken: such a fragment ends in “-”, as in REVO(LUTIONARY)-.",
            )
    if re.fullmatch(r"[<*!(]*-+[>*)]*", token.text):
        yield SroProblem(token.start, token.end, "A “-” ends a word that was broken off; here is no word.")


def _of_stress(token: Token) -> Iterator[SroProblem]:
    for at, _ in _plain_signs(token.text, "!"):
        if token.text[:at].strip("<*(~") or at + 1 == len(token.text):
            yield SroProblem(token.start + at, token.start + at + 1, "Put “!” right before the stressed word.")
    for at, _ in _plain_signs(token.text, ":"):
        if not token.text[:at].strip("<*(!~"):
            yield SroProblem(token.start + at, token.start + at + 1, "Put “:” right after the lengthened sound.")


def _of_pairs(sro: str) -> Iterator[SroProblem]:
    yield from _of_pair(sro, "<", ">", "A repair begins with “<” and ends with “>”.")
    yield from _of_brackets(sro)
    yield from _of_parentheses(sro)
    stars = [at for at, _ in _plain_signs(sro, "*")]
    if len(stars) % 2:
        yield SroProblem(stars[-1], stars[-1] + 1, "A mispronounced word needs “*” on both sides; one is missing.")


def _of_pair(sro: str, opens: str, closes: str, sentence: str) -> Iterator[SroProblem]:
    """Pairs that do not hold each other. Those inside a noise's brackets are its own."""
    hidden = [range(found.start(), found.end()) for found in _NOISE_LIKE.finditer(sro)]
    waiting: int | None = None
    for at, sign in _plain_signs(sro, opens + closes):
        if any(at in part for part in hidden):
            continue
        if sign == opens:
            if waiting is not None:
                yield SroProblem(waiting, waiting + 1, f"{sentence} Here the end is missing.")
            waiting = at
        elif waiting is None:
            yield SroProblem(at, at + 1, f"{sentence} Here the beginning is missing.")
        else:
            if not sro[waiting + 1 : at].strip():
                yield SroProblem(waiting, at + 1, f"There is nothing between “{opens}” and “{closes}”.")
            waiting = None
    if waiting is not None:
        yield SroProblem(waiting, waiting + 1, f"{sentence} Here the end is missing.")


def _of_brackets(sro: str) -> Iterator[SroProblem]:
    whole = [range(found.start(), found.end()) for found in _NOISE_LIKE.finditer(sro)]
    for at, _ in _plain_signs(sro, "[]"):
        if not any(at in part for part in whole):
            yield SroProblem(at, at + 1, "A noise is one name between “[” and “]”, without spaces.")


def _of_parentheses(sro: str) -> Iterator[SroProblem]:
    """`((` and `))` hold words of which the transcriber is unsure; single ones belong to a fragment."""
    doubles = [(found.start(), found[0]) for found in re.finditer(r"\(\(|\)\)", sro)]
    waiting: int | None = None
    for at, sign in doubles:
        if sign == "((" and waiting is None:
            waiting = at
        elif sign == "))" and waiting is not None:
            waiting = None
        else:
            yield SroProblem(at, at + 2, "Put unsure words between “((” and “))”.")
    if waiting is not None:
        yield SroProblem(waiting, waiting + 2, "Put unsure words between “((” and “))”; the end is missing.")
    rest = re.sub(r"\(\(|\)\)", "  ", sro)
    inside = [range(found.start(), found.end()) for found in _UNSPOKEN.finditer(rest)]
    for at, sign in _plain_signs(rest, "()"):
        if not any(at in part for part in inside):
            yield SroProblem(at, at + 1, f"“{sign}” has no partner in the same word.")


def _of_noise_spans(sro: str) -> Iterator[SroProblem]:
    """`[noise/] ... [/noise]`: each beginning has its end, and a noise over a neighbour has that neighbour."""
    open_at: dict[str, Token] = {}
    pieces = tokens(sro)
    for number, token in enumerate(pieces):
        if not _NOISE.fullmatch(token.text):
            continue
        name = token.text.strip("[]<>/")
        if token.text.endswith("/]"):
            if name in open_at:
                yield SroProblem(token.start, token.end, f"“[{name}/]” begins a second time before its end.")
            open_at[name] = token
        elif token.text.startswith("[/") and open_at.pop(name, None) is None:
            yield SroProblem(token.start, token.end, f"“[{name}/]” is missing before this end.")
        elif token.text.startswith("[<") and not any(one.word for one in pieces[:number]):
            yield SroProblem(token.start, token.end, "There is no word before this noise.")
        elif token.text.endswith(">]") and not any(one.word for one in pieces[number + 1 :]):
            yield SroProblem(token.start, token.end, "There is no word behind this noise.")
    for name, token in open_at.items():
        yield SroProblem(token.start, token.end, f"“[/{name}]” is missing behind this beginning.")


def _of_signs(sro: str) -> Iterator[SroProblem]:
    """Signs that are no part of the notation and are no letters of a word."""
    for match in re.finditer(r"""[?,;"“”{}]|\d+""", sro):
        if match.start() and sro[match.start() - 1] == "\\":
            continue
        is_figure = match[0].isdigit()
        what = "Write numbers as the words that were spoken." if is_figure else "Leave out punctuation."
        # A recogniser is scored on words: which words a figure stands for only the transcriber has heard.
        yield SroProblem(match.start(), match.end(), what, blocks=is_figure)


def _plain_signs(text: str, signs: str) -> Iterator[tuple[int, str]]:
    """The places of these signs, without those that a backslash protects."""
    escaped = False
    for at, sign in enumerate(text):
        if escaped:
            escaped = False
        elif sign == "\\":
            escaped = True
        elif sign in signs:
            yield at, sign
