"""Practice for wizards: recorded turns as exercises, the judgement of each reply, and sittings (papers/000, 6.2)."""
