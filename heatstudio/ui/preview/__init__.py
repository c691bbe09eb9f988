"""The update preview: what a stack update would do to every resource, and why."""
