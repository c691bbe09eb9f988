"""The editor: text, markers and typing."""
