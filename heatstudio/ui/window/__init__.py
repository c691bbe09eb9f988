"""The main window: docks, status bar, start and end of the application."""
