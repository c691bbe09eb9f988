"""Open documents: positions, view states, settings and the snapshots for the engine."""
