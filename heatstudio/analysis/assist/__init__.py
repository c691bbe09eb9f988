"""Editing features: completion, hover, outline, navigation, rename, snippets; for any text and any offset."""
