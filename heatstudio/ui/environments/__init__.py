"""The dialogs that choose environment files."""
