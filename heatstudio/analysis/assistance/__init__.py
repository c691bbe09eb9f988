"""What helps to write: completion, hover, outline, places to go to, renaming, snippets."""
