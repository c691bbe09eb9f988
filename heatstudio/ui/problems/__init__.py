"""The problems pane: grouped and filtered problems, and their fixes."""
