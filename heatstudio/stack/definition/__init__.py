"""The stack definition: source texts, files, environment and types read as one stack, without a cloud."""
