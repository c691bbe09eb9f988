"""The plan of an update as plain values, in words and in the output formats."""
