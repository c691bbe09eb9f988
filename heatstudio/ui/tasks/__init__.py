"""Background tasks: analysis and other long work."""
