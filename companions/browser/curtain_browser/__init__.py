"""The subject's station in a browser: a page, and the gateway that is the station behind it."""
