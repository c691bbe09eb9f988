"""Access to the Heat of a cloud; the only package that opens network connections."""
