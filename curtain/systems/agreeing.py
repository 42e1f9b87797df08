"""What a study would start or send for its systems, and whether a person agreed to it on this machine."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path

from curtain.domain.pack.trust import SENDING, Agreements
from curtain.drafting.settings import sending_of
from curtain.systems.choice import COMMANDS, BadSystem, SystemChoice, command_identity, drafters_of


@dataclass(frozen=True)
class SystemAgreement:
    """What one system needs: `kind` and `identity` for the file of agreements, and what a person is shown."""

    kind: str
    identity: str
    sentence: str

    @property
    def is_given(self) -> bool:
        """Whether the person agreed to exactly this."""
        return Agreements().has(self.kind, self.identity)

    def give(self) -> None:
        """Remember that the person agreed. Raises AgreementNotKept."""
        Agreements().add(self.kind, self.identity, self.sentence)


def agreement_of(choice: SystemChoice, folder: Path) -> SystemAgreement | None:
    """None for a system that runs nothing of the study's and sends nothing."""
    if choice.kind == "command":
        sentence = f"The study starts a program: {' '.join(choice.command)}"
        return SystemAgreement(COMMANDS, command_identity(choice.command, folder), sentence)
    if choice.kind == "chat":
        for sending in filter(None, map(sending_of, drafters_of(choice))):
            return SystemAgreement(SENDING, sending.identity, f"The study sends every query to {sending}.")
    return None


def ensure_agreed(choice: SystemChoice, folder: Path) -> None:
    """Raises BadSystem where a person has to agree first."""
    agreement = agreement_of(choice, folder)
    if agreement is not None and not agreement.is_given:
        raise BadSystem(
            f"{agreement.sentence.rstrip('.')}. "
            f"Nobody agreed to that on this machine: run “curtain study trust {shlex.quote(str(folder))}”."
        )
