"""The main window: sides, status bar, start and end of the application."""
