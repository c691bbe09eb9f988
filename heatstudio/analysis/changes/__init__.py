"""The changes of an update plan in the text: positions, reverting edits, and errors that Heat would reject."""
