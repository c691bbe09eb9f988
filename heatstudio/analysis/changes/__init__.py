"""The rows of an update preview in the text: where a change is written, how it is reverted, what Heat refuses."""
