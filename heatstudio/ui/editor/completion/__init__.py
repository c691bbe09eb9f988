"""The completion list and snippets with their fields."""
