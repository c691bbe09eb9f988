"""The outline pane: the sections of the template and their entries."""
