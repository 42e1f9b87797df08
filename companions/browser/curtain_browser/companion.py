"""What the browser brings. Its commands come with the gateway."""

from curtain.ports.companion import Companion

COMPANION = Companion(name="browser", about="The subject's station in a browser.")
