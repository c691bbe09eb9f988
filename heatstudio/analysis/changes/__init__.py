"""The rows of an update preview in the text: their positions, how to revert them, and what Heat rejects."""
