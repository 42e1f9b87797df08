"""The report on an experiment: tables, figures, and the pages that hold them."""
