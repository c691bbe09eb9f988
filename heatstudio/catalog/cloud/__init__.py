"""The capabilities of a cloud: types and names that its services or imported files list."""
