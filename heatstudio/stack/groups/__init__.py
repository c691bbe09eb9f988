"""Property groups: rules on combinations of a resource's properties."""
