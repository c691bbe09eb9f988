"""Services shared by the window, command line and language server. Independent of Qt and the network."""
