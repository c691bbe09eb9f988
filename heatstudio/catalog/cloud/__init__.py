"""What a cloud offers: the types and names that its services, or files of it, list."""
