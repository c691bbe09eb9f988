"""The engine and all background tasks."""
