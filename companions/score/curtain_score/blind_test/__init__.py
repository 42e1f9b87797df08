"""A blind test as a procedure: released without references, scored twice, with reports on references in between."""
