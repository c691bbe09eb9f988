"""The dependency graph: every resource as a card, above the resources that depend on it."""
