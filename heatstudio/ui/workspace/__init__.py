"""The session: open documents, recovery, the open folder and its files on disk."""
