"""Update plans: what a stack update would do, the reasons, and their presentation."""
