"""The language server over `service`, with one module for each feature of the protocol."""
