"""What is open, and what is known about it: language features, analyses in time."""
