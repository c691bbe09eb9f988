"""What takes long: random use of the real window, hours of editing, and ends at any moment."""
