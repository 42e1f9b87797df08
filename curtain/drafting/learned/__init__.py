"""What answered questions teach, and the statements that are put together of it."""
