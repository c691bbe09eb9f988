"""What a check sees of a stack: recorded reads, branches of conditions, calls of functions, names nearby."""
