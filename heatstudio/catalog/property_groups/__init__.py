"""Property groups, such as "exactly one of": structure, parsing and loading."""
