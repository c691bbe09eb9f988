"""Texts that cannot be read as YAML: explanations and fixes."""
