"""What does any other editor ask? A language server over `service`, one module for each feature of the protocol."""
