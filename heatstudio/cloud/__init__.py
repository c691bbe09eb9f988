"""What the real Heat of a cloud says and does: the only package that opens a socket."""
