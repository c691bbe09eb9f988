"""The cloud panes: stacks, and results of the cloud's Heat."""
