"""Whether the properties of a resource fit together."""
