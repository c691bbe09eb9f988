"""The definition of a stack: template, files, environments and types combined, without a cloud."""
