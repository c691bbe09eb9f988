"""The engine and everything that runs in the background."""
