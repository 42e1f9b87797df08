"""A challenge set (papers/003, section 7.1): hard questions, agreed references, frozen versions."""
