"""The only room that opens a socket: what the real Heat of a cloud says and does."""
