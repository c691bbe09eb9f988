"""Takes an installed Heat into the catalog."""
