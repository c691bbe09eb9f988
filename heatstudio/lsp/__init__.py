"""The language server on top of `service`, with one module per LSP feature."""
