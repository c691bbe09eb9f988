"""The browser of resource types, and the page of each type."""
