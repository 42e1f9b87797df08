"""What answered questions teach: which statement is near, what words and values mean, and what follows for a query."""
