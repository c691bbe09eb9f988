"""The window, its panes, and the session that connects them with the engine."""
