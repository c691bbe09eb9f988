"""Preview of a stack update: the plan, its reasons, and its text forms."""
