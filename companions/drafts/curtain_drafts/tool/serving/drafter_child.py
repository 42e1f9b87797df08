"""The process in which one drafter runs: `python -m curtain_drafts.tool.serving.drafter_child`.

`supervisor` starts and watches it.

Orders come on what was standard input, replies go out on what was standard output; a drafter that reads or prints
touches neither. A thread reads, so that the process ends with its parent even while the drafter hangs.
"""

import gc
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import duckdb

from curtain.base.errors import CurtainError, reason_of
from curtain.base.piped_process import ToParent
from curtain.domain.code_names import code_names
from curtain.domain.pack.reader import Pack, load_pack
from curtain.domain.rules.principles import under_rule_book
from curtain.ports.discovery import loaded, named_offers
from curtain_drafts.drafting.values import Draft, Drafter
from curtain_drafts.models.served_model import ChatError

from ..algebra.reading import SqlReader
from ..drafter.parts import Finisher
from ..examples import MEANING
from .checks import Checks, sanitized
from .settings import CHAT, OURS
from .wire import Ask, Cancel, DrafterError, Load, Obeyed, Orders, Spent, Teach

_CHAT = "curtain_drafts.tool.serving.chat:ChatDrafter"

Correct = Callable[[Sequence[Draft]], Sequence[Draft]]


def main() -> None:
    """Carries out orders one after the other until the input ends."""
    at_work: list[Drafter] = []

    def cancels(order: Orders) -> bool:
        if at_work and isinstance(order, Cancel) and callable(cancel := getattr(at_work[0], "cancel", None)):
            cancel()
        return isinstance(order, Cancel)

    parent = ToParent(Orders, cancels)
    opening = parent.next_order()
    assert isinstance(opening, Load)
    try:
        pack = under_rule_book(load_pack(opening.pack), opening.rule_book, "rule_book")
        drafter = _made(opening, pack, parent)
    except Exception as error:
        # Whatever a plugged-in drafter raises: it is reported, and the parent ends this process.
        parent.say(Obeyed(problem=_sentence(error)))
        return
    # What was learned stays; to look through it for garbage would stall a query for more than a tenth of a second.
    gc.freeze()
    at_work.append(drafter)
    keys = pack.keys
    with duckdb.connect(opening.database, read_only=True) as database:
        names = code_names(pack.codes, keys, lambda sql: database.execute(sql).fetchall())
    reader = SqlReader(pack.tables, "", keys.primary)
    finisher = Finisher(pack.tables, keys.primary, reader, names, getattr(drafter, "swaps", lambda kind: ()))
    # Ours writes what runs here, and the chat drafter has corrected what it votes on.
    theirs = opening.choice.name not in (OURS, CHAT)
    correct: Correct = Checks(pack, Path(opening.database)).passed if theirs else lambda drafts: drafts
    # The first question must not wait for the database.
    correct([Draft("SELECT 1", 1.0)])
    parent.say(Obeyed())
    while True:
        parent.say(_carry_out(parent.next_order(), drafter, correct, finisher))


def _made(opening: Load, pack: Pack, parent: ToParent) -> Drafter:
    """The drafter with all it knows: our own, the chat drafter, or an entry point, whose code is imported here alone.
    Says how far it is. Raises DrafterError, and whatever a drafter raises."""
    name, options, examples = opening.choice.name, opening.choice.options, opening.examples
    database = Path(opening.database)
    if name == OURS:
        from ..drafter.local import LocalDrafter
        from ..examples.meaning import meaning_of

        def report(what: str, share: float) -> None:
            parent.say(Obeyed(share=min(share, 0.99)))

        meaning = meaning_of(options.get("meaning", MEANING))
        return LocalDrafter(pack, database, examples, Path(opening.cache), report, meaning, opening.english)
    # A served model is ours: its process looks for no companion.
    places = {CHAT: _CHAT} if name == CHAT else named_offers("drafters")
    if name not in places:
        raise DrafterError(f"is not installed; installed besides ours: {', '.join(sorted(places)) or 'none'}")
    drafter: Drafter = loaded(places[name])(pack, database, options)
    for number, example in enumerate(examples):
        # Once for each percent.
        if number % (1 + len(examples) // 100) == 0:
            parent.say(Obeyed(share=number / len(examples)))
        drafter.learn(example)
    return drafter


def _carry_out(order: Orders, drafter: Drafter, correct: Correct, finisher: Finisher) -> Obeyed:
    try:
        match order:
            case Ask(request):
                # At most so many: a drafter may be an endless generator.
                drafted = correct(sanitized(islice(drafter.drafts(request), 2 * request.n), request))
                drafts = finisher.finished(drafted, request)
                spent = getattr(drafter, "spent", Spent)()
                return Obeyed(drafts=tuple(drafts), spent=spent if isinstance(spent, Spent) else Spent())
            case Teach():
                for example in order.examples:
                    drafter.learn(example)
                if order.forget:
                    drafter.withdraw(order.forget)
    except Exception as error:
        return Obeyed(problem=_sentence(error))
    return Obeyed()


def _sentence(error: Exception) -> str:
    """What completes “The drafter ...”."""
    is_other = isinstance(error, CurtainError) and not isinstance(error, DrafterError | ChatError)
    return f"failed: {reason_of(error)}" if is_other else reason_of(error)


if __name__ == "__main__":
    main()
