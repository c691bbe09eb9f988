"""What is seen: the window, its panes and the session that joins them to the engine."""
