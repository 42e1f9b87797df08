"""What the browser brings: another kind of subject's station."""

from curtain.ports.companion import Companion

COMPANION = Companion(
    name="browser", about="The subject's station in a browser.", station="curtain_browser.station:STATION"
)
