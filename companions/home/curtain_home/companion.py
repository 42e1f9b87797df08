"""What the home window brings: a command, and the window itself."""

from curtain.ports.companion import Companion

COMPANION = Companion(
    name="home",
    about="The home window, for everything without a terminal.",
    commands={
        "Run": {
            "home": (
                "curtain_home.command:home",
                "Open the home window, in which everything can be done without a terminal; "
                "“curtain” alone opens it too.",
            )
        }
    },
    windows={"home": "curtain_home"},
    timeline="curtain_home.timeline.timeline_dialog:TimelineDialog",
)
