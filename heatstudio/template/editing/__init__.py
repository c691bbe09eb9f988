"""Changes of a template as data, and their rendering as text edits in the style of the file."""
