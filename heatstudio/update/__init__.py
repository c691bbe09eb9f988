"""What a stack update would do: the plan, its reasons, and how to tell it."""
