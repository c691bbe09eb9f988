"""What is open: documents, positions, view states, settings and the snapshots that the engine reads."""
