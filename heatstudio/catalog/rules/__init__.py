"""Rules that Heat's plug-ins implement in code: translation, updates, reads during validation, dependencies."""
