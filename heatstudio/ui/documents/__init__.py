"""Open documents: texts, positions, view states, settings, and snapshots for the engine."""
