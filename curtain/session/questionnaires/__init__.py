"""Questionnaires and forms: instruments as data, and their published scores."""
