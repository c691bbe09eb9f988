"""Rules that Heat implements in code: translation, updates, reads during validation, dependencies."""
