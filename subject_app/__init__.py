"""The subject's station: it shows what comes through the curtain and records what is said."""
