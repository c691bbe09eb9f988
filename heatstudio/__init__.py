"""Heat Studio: a desktop editor for OpenStack Heat templates."""

__version__ = "0.1.0"

COMMANDS = ("check", "preview", "fix", "format", "types", "resolve", "convert", "upgrade", "docs", "test", "lsp", "mcp")
"""The subcommands of the command line, in the order of its help."""
