"""Commands on one study: consents, solutions, questionnaires, texts, trust, upkeep."""
