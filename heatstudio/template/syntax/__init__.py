"""Reading of texts: YAML and JSON as nodes with positions, sections and entries, and their plain data."""
