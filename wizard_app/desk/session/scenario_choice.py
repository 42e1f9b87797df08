"""Which scenarios a session has, and in which order."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from curtain.session.study.order import speaker_order


@dataclass(frozen=True)
class ScenarioChoice:
    """A scenario as the wizard knows it. `done`: the speaker has had it, in this session or earlier; `now`: it runs;
    `asks_answer`: the subject states an answer at its end."""

    id: str
    title: str
    chosen: bool = True
    done: bool = False
    now: bool = False
    asks_answer: bool = True


@dataclass(frozen=True)
class ScenarioOffer:
    """What a study has for its speakers. Of `pool`, in the speaker's order, the first `count` that they have not had
    are ticked; the other `choices` come after it. `seed` None: one order for all."""

    choices: tuple[ScenarioChoice, ...] = ()
    pool: tuple[str, ...] = ()
    count: int = 0
    seed: int | None = None

    def to(self, speaker: str, done: Collection[str]) -> tuple[ScenarioChoice, ...]:
        """The scenarios as this speaker is offered them; `done` are those of earlier sessions."""
        by_id = {choice.id: choice for choice in self.choices}
        order = self.pool if self.seed is None else speaker_order(self.pool, speaker, self.seed)
        ticked = [one for one in order if one not in done][: self.count]
        others = [one for one in by_id if one not in order]
        return tuple(
            replace(by_id[one], chosen=one in ticked, done=one in done) for one in (*order, *others) if one in by_id
        )
