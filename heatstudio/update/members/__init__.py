"""The members of groups and nested stacks."""
