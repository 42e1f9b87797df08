"""What drafts bring: the desk's panel of drafts, and the tool behind it."""

from curtain.ports.companion import Companion

COMPANION = Companion(
    name="drafts", about="SQL drafted while the wizard types.", drafting="curtain_drafts.drafts_desk:DraftsDesk"
)
