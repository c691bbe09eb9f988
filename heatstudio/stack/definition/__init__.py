"""The stack definition: texts, files, environments and types as one stack, without a cloud."""
