"""One turn: query, statement, answer. No widgets."""
