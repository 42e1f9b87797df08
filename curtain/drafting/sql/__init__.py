"""SQL statements taken apart into clauses, changed, and put together again; what their clauses say of a query."""
