"""Rules of resource types that Heat keeps in code: translation, updates, reads during validation, dependencies."""
