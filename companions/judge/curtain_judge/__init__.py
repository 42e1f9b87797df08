"""Log-file judges (papers/004): their labels, how far they agree, and what an adjudicator ruled."""
