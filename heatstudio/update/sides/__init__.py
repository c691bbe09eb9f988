"""The two sides of an update: running stacks, values of properties and attributes, before and after."""
