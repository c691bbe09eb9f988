"""The decision on the outcome for one resource, with its reasons and notes."""
