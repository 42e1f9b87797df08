"""What a drafter that comes with Curtain raises when it cannot draft."""

from __future__ import annotations

from curtain.base.errors import CurtainError

__all__ = ["DrafterFault"]


class DrafterFault(CurtainError):
    """Its text completes a sentence that begins with “The drafter”."""


NEWER = "was asked something newer"
"""Why a request ended that was told to; nobody has to read it."""
