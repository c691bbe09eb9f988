"""The access to the real Heat of a cloud: the only package that opens a socket."""
