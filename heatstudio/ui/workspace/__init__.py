"""The session: open documents, recovery, the opened folder and its files on disk."""
